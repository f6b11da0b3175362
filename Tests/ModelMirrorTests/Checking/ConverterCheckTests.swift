import Foundation
import ModelMirror
import ModelMirrorTesting
import Testing

/// Truncates fractions when it writes.
private struct WholeConverter: Converter {
    func value(from json: JSONValue) throws -> Double {
        guard let number = json.double else { throw ConversionError(expected: "a number") }
        return number
    }
    func json(from value: Double) throws -> JSONValue { .number(JSONNumber(Int(value))) }
}

private struct Cents: Equatable { var count: Int }

/// Loses a cent of 0.29, which times 100 is 28.999999999999996.
private struct CentsConverter: Converter {
    func value(from json: JSONValue) throws -> Cents { Cents(count: Int((json.double ?? 0) * 100)) }
    func json(from value: Cents) throws -> JSONValue { try JSONValue(any: Double(value.count) / 100) }
}

private struct OneWayConverter: Converter {
    func value(from json: JSONValue) throws -> Int { json.string?.utf8.count ?? 0 }
    func json(from value: Int) throws -> JSONValue { throw ConversionError(expected: "no value") }
}

@Suite("Checks of a converter")
struct ConverterCheckTests {
    @Test("Built-in converters pass with their values, samples and values to reject")
    func builtIn() {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let text: JSONValue = "2023-11-14T22:13:20Z"
        var findings = ConverterCheck.check(.iso8601, values: [date], samples: [text], rejects: [7, nil, "soon", []])
        findings += ConverterCheck.check(
            .secondsSince1970, values: [date, .distantPast], samples: [1.5, "7"], rejects: [nil, true])
        findings += ConverterCheck.check(.millisecondsSince1970, values: [date], samples: [1500], rejects: ["x"])
        findings += ConverterCheck.check(
            .httpDate, values: [date], samples: ["Tue, 14 Nov 2023 22:13:20 GMT"], rejects: [1])
        findings += ConverterCheck.check(.format("y-MM-dd HH:mm:ssZ"), values: [date], rejects: ["x"])
        findings += ConverterCheck.check(.any([.iso8601, .secondsSince1970]), values: [date], samples: [7, text])
        findings += ConverterCheck.check(.hex, values: [Data([0, 255])], samples: ["00FF"], rejects: ["0", 0])
        findings += ConverterCheck.check(
            .base64, values: [Data(), Data([0, 255])], samples: ["AP8="], rejects: ["*"])
        findings += ConverterCheck.check(.argbHex, samples: ["#80FF0000", "#FFF"], rejects: ["red"])
        let digits: AnyConverter<Int> = .converting(String.self, { Int($0) }, back: { "\($0)" })
        findings += ConverterCheck.check(digits, values: [7, -1], samples: ["7"], rejects: ["x"])
        findings += ConverterCheck.check(
            AnyConverter<Date>.iso8601.optional, values: [nil, date], samples: [nil], rejects: [7])
        findings += ConverterCheck.check(
            .array(of: AnyConverter<Date>.iso8601), values: [[], [date]], rejects: [[7]])
        // Each names its value or sample.
        #expect(findings == [])
    }

    @Test("Each violation of a converter is reported")
    func violations() {
        #expect(
            ConverterCheck.check(WholeConverter(), values: [1, 2.5], samples: ["x"], rejects: [7]) == [
                "2.5 is written as 2, which is read as 2.0.",
                "\"x\" is not read: expected a number.",
                "7 is read as 7.0, and should be rejected.",
            ])
        #expect(
            ConverterCheck.check(CentsConverter(), values: [Cents(count: 29)], rejects: [nil]) == [
                "Cents(count: 29) is written as 0.29, which is read as Cents(count: 28).",
                "null is read as Cents(count: 0), and should be rejected.",
            ])
        #expect(
            ConverterCheck.check(OneWayConverter(), samples: ["abc"]) == [
                "what \"abc\" becomes is not written: expected no value."
            ])
        #expect(
            ConverterCheck.check(.format("Q"), values: [Date()]) == [
                "The converter has a fault: 'Q' at position 1 of the date pattern \"Q\" is not a date field; put it in single quotes if "
                    + "it is text, or use one of y u M L d D a H k K h m s S E Z X x z."
            ])
    }
}
