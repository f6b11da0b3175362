import Foundation
import ModelMirror
import Testing

@Suite("Double and Float")
struct FloatingPointTests {
    private static let double = ConversionTable<Double>(start: 99.25, expected: "a number")
    private static let float = ConversionTable<Float>(start: 99.25, expected: "a number")

    private static let doubles: [(json: String, value: Double)] = [
        ("0", 0), ("1", 1), ("-1.5", -1.5), ("0.1", 0.1), ("1e3", 1000), ("1E+3", 1000), ("25e-2", 0.25),
        ("9007199254740993", 9_007_199_254_740_992), ("9007199254740993.00000000000000000001", 9_007_199_254_740_994),
        ("123456789012345678901234567890", 123_456_789_012_345_678_901_234_567_890.0),
        ("1.7976931348623157e308", .greatestFiniteMagnitude), ("1.7976931348623158e308", .greatestFiniteMagnitude),
        ("-1.7976931348623157e308", -.greatestFiniteMagnitude), ("2.2250738585072014e-308", .leastNormalMagnitude),
        ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown), ("4.9e-324", .leastNonzeroMagnitude),
        ("2.5e-324", .leastNonzeroMagnitude), ("2.4e-324", 0), ("1e-400", 0), ("-1e-400", 0), ("0e400", 0),
        ("0.\(String(repeating: "0", count: 400))1e401", 1),
    ]

    private static let floats: [(json: String, value: Float)] = [
        ("0", 0), ("1", 1), ("-1.5", -1.5), ("0.1", 0.1), ("1e3", 1000), ("16777217", 16_777_216),
        ("16777217.0000000000000000001", 16_777_218), ("3.4028235e38", .greatestFiniteMagnitude),
        ("340282356779733661637539395458142568447", .greatestFiniteMagnitude),
        ("-3.4028235e38", -.greatestFiniteMagnitude),
        ("1.1754944e-38", .leastNormalMagnitude), ("1e-45", .leastNonzeroMagnitude), ("1e-46", 0), ("1e-400", 0),
        // Just above the midpoint of two Floats: rounded to Double first, it would be the midpoint and round down.
        ("1.000000059604644775390626", Float(1).nextUp),
    ]

    #if !(os(macOS) && arch(x86_64))
    @Test("Float16 rejects numbers beyond its range, and records one that is too small for it")
    func half() throws {
        final class Half: AbstractModel { var half: Float16 = 1 }
        #expect(try Half(json: #"{"half": 65504}"#).half == 65504)
        let (object, report) = try Half.mapReporting(json: #"{"half": 70000}"#)
        #expect(object.half == 1)
        #expect(
            report.description
                == "fallback: Half.half at $.half (line 1, column 10): expected a number that Float16 can hold, found "
                + "the number 70000.")
        let text = try Half.mapReporting(json: #"{"half": "70000"}"#).report
        #expect(
            text.description
                == "fallback: Half.half at $.half (line 1, column 10): expected a number that Float16 can hold, found "
                + #"the string "70000"."#)
        #expect(throws: ModelError.self) { try Half(json: #"{"half": 70000}"#, options: .strict) }
        let small = try Half.mapReporting(json: #"{"half": -1e-30}"#, options: .strict)
        #expect(small.object.half == 0 && small.object.half.sign == .minus)
        #expect(
            small.report.description
                == "coerced: Half.half at $.half (line 1, column 10): expected a number that Float16 can hold, found "
                + "the number -1e-30.")
        #expect(try Half.mapReporting(json: #"{"half": 0e5}"#).report.entries.isEmpty)
    }

    @Test("Float16 is written and judged by its decimal digits")
    func halfDigits() throws {
        final class Half: AbstractModel {
            var half: Float16 = 1
            override class var propertyRules: [String: any PropertyRule] {
                ["half": .all(.inRange(0.1...0.3), .multiple(of: 0.1))]
            }
        }
        for text in ["0.1", "0.2", "0.3"] {
            #expect(try Half(json: #"{"half": \#(text)}"#).jsonString() == #"{"half":\#(text)}"#)
        }
        #expect(throws: ModelError.self) { try Half(json: #"{"half": 0.25}"#) }
        #expect(throws: ModelError.self) { try Half(json: #"{"half": 0.0999}"#) }
    }
    #endif

    @Test("Double reads numbers and numeric strings, correctly rounded", arguments: doubles)
    func double(json: String, value: Double) {
        let shortened = json.count > 60 ? String(json.prefix(60)) : nil
        if isUnderflow(json, value) {
            expectUnderflow(json, value)
        } else {
            Self.double.takes(json, as: value)
        }
        Self.double.coerces("\"\(json)\"", to: value, found: shortened.map { "the string \"\($0)\"…" })
    }

    @Test("Float reads numbers and numeric strings, rounded only once", arguments: floats)
    func float(json: String, value: Float) {
        if isUnderflow(json, value) {
            expectUnderflow(json, value)
        } else {
            Self.float.takes(json, as: value)
        }
        Self.float.coerces("\"\(json)\"", to: value)
    }

    private func isUnderflow(_ json: String, _ value: some BinaryFloatingPoint) -> Bool {
        value == 0 && json.prefix { $0 != "e" }.contains { ("1"..."9").contains($0) }
    }

    /// A number that underflows is 0 and reported as coerced, in strict mapping too.
    private func expectUnderflow<Value: BinaryFloatingPoint>(_ json: String, _ value: Value) {
        let mapped = try? JSONMapper.mapReporting(Value.self, from: json, options: .strict)
        #expect(mapped?.value == value)
        #expect(mapped?.report.entries.map(\.kind) == [.coerced])
        #expect(mapped?.report.entries.map(\.expected) == ["a number that \(Value.self) can hold"])
    }

    private final class Numbers: AbstractModel {
        var double = 1.0
        var optional: Double?
        var float: Float = 1
        var doubles: [Double] = []
    }

    @Test("Negative zero keeps its sign", arguments: ["-0", "-0.0", "-0e5", "-1e-400", #""-0""#, #""-1e-400""#])
    func negativeZero(json: String) throws {
        let document = #"{"double": \#(json), "optional": \#(json), "float": \#(json), "doubles": [\#(json)]}"#
        let numbers = try Numbers(json: document)
        #expect(numbers.double == 0 && numbers.double.sign == .minus)
        #expect(numbers.optional == 0 && numbers.optional?.sign == .minus)
        #expect(numbers.float == 0 && numbers.float.sign == .minus)
        #expect(numbers.doubles == [0] && numbers.doubles.first?.sign == .minus)
    }

    @Test(
        "Double and Float reject numbers beyond their ranges",
        arguments: [
            ("1e400", true), ("-1e400", true), ("1.7976931348623159e308", true), ("1e999999999999999999999", true),
            ("2e308", true), ("3.5e38", false), ("-3.5e38", false),
            ("340282356779733661637539395458142568448", false), ("1e39", false),
        ])
    func overflow(number: String, isBeyondDouble: Bool) {
        Self.float.refuses(number, expected: "a number that Float can hold")
        Self.float.refuses("\"\(number)\"")
        guard isBeyondDouble else { return }
        Self.double.refuses(number, expected: "a number that Double can hold")
        Self.double.refuses("\"\(number)\"")
    }

    @Test("Double and Float coerce a numeric string with escapes")
    func escaped() {
        Self.double.coerces(#""\u0031.5""#, to: 1.5, found: #"the string "1.5""#)
        Self.float.coerces(#""\u0031.5""#, to: 1.5, found: #"the string "1.5""#)
    }

    @Test(
        "Double and Float reject other strings and values",
        arguments: [
            #""""#, #"" ""#, #"" 1""#, #""1 ""#, #""+1""#, #""1.""#, #"".5""#, #""-""#, #""01""#, #""-01""#, #""1e""#,
            #""1,5""#, #""1_000""#, #""0x10""#, #""0x1p3""#, #""nan""#, #""NaN""#, #""inf""#, #""-inf""#,
            #""Infinity""#,
            #""one""#, #""12abc""#, #""true""#, #""1e5 ""#, #""٣""#, "true", "false", "[]", "[1]", "{}",
        ])
    func others(json: String) {
        Self.double.refuses(json)
        Self.float.refuses(json)
    }
}

@Suite("Decimal")
struct DecimalScalarTests {
    private static let table = ConversionTable(
        start: Decimal(string: "99.25") ?? 0,
        expected: "a decimal number of at most 38 digits, with an exponent from -128 to 127")

    @Test(
        "Decimal keeps every digit of numbers and numeric strings",
        arguments: [
            "0", "1", "-1", "0.1", "3.133", "1.10", "12345678901234567890.123456789012345678",
            "-0.000000000000000000000001",
            "99999999999999999999999999999999999999", "340282366920938463463374607431768211455",
            "0.99999999999999999999999999999999999999", "9007199254740993", "1e127", "1E-128", "-12.5e3",
        ])
    func digits(number: String) throws {
        let value = try #require(Decimal(string: number))
        Self.table.takes(number, as: value)
        Self.table.coerces("\"\(number)\"", to: value)
    }

    @Test(
        "Decimal rejects numbers that it cannot hold exactly",
        arguments: [
            "340282366920938463463374607431768211456", "1.000000000000000000000000000000000000001", "1e166", "1e-129",
            "1e999999999999999999999", "1e-999999999999999999999",
        ])
    func tooLong(number: String) {
        Self.table.refuses(number)
        Self.table.refuses("\"\(number)\"")
    }

    @Test(
        "Decimal rejects other strings and values",
        arguments: [
            #""12abc""#, #""1,5""#, #""""#, #"" 1""#, #""1 ""#, #""+1""#, #""_0""#, #""-""#, #""NaN""#, #""1.""#,
            #"".5""#,
            #""01""#, #""0x10""#, "true", "false", "[]", "{}",
        ])
    func others(json: String) { Self.table.refuses(json) }
}
