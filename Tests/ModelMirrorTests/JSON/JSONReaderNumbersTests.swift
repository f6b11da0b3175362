import Foundation
import Testing

@testable import ModelMirror

/// A text that is not a JSON number: what the grammar expects at which of its bytes.
private struct BadNumber: Sendable, CustomTestStringConvertible {
    let text: String
    let place: Int
    let expected: String
    var testDescription: String { text }

    init(_ text: String, at place: Int, _ expected: String) {
        self.text = text
        self.place = place
        self.expected = expected
    }

    static let value = "a value (an object, array, string, number, true, false or null)"
    static let zero = "no digit after a leading zero"
    static let fraction = "a digit after the decimal point"
    static let exponent = "a digit in the exponent"
    /// The text is a number followed by something else.
    static let end = "',' or '}'"
}

private final class Other: AbstractModel {
    var other = 0
}

@Suite("Reading numbers")
struct JSONReaderNumbersTests {
    private static let badNumbers: [BadNumber] = [
        (BadNumber.zero, 1, ["00", "01", "007", "01.5", "00e1", "012345678901234567890", "000000000000000000"]),
        (BadNumber.zero, 2, ["-01", "-00"]),
        ("a digit", 1, ["-", "--1", "-a", "-.5", "- 1", "-e5", "-Infinity", "-+1", "-１"]),
        (BadNumber.fraction, 2, ["1.", "0.", "1.e5", "1..5", "1.-5", "1. 5"]),
        (BadNumber.fraction, 3, ["-1."]),
        (BadNumber.fraction, 19, ["123456789012345678."]),
        (BadNumber.exponent, 2, ["1e", "1E", "0e", "1ee5", "1e.5", "1e 5"]),
        (BadNumber.exponent, 3, ["1e+", "1e-", "1e+-1"]),
        (BadNumber.exponent, 4, ["1.5e"]),
        (BadNumber.exponent, 19, ["123456789012345678e"]),
        (BadNumber.value, 0, ["+1", ".5", "Infinity", "NaN", "１", "e5"]),
        (BadNumber.end, 3, ["1.2.3", "1e5.3", "1e5e5", "1.5f", "1e5L"]),
        (BadNumber.end, 1, ["0x10", "1_000", "1a", "1-2", "0-"]),
        (BadNumber.end, 2, ["1 000"]),
        (BadNumber.end, 18, ["123456789012345678a"]),
        (BadNumber.end, 22, ["1234567890123456789012a"]),
    ].flatMap { expected, place, texts in texts.map { BadNumber($0, at: place, expected) } }

    @Test("A malformed number gives the same syntax error for every type and when skipped", arguments: badNumbers)
    private func refused(number: BadNumber) {
        let document = ExactBytes(#"{"value":\#(number.text)}"#)
        let error = syntaxError(in: document)
        #expect(error?.expected == number.expected)
        #expect(error?.offset == 9 + number.place)
        #expect(error?.line == 1)
        #expect(error?.column == 10 + number.place)
        let others = [
            memberError(JSONValue.self, document), memberError(JSONNumber.self, document),
            memberError(Int.self, document), memberError(UInt8.self, document), memberError(Double.self, document),
            memberError(Float.self, document), memberError(Decimal.self, document), memberError(Bool.self, document),
            memberError(String.self, document),
            memberError(String.self, document, MappingOptions(stringsFromNumbers: true)),
            memberError([Double].self, document), memberError(Any.self, document),
            syntaxError { () throws(ModelError) in try Other(json: document) },
        ]
        #expect(others == Array(repeating: error, count: others.count))
        #expect(JSONNumber(number.text) == nil)
    }

    @Test(
        "A number cut off by the end of the document is rejected there",
        arguments: ["-": "a digit", "1.": BadNumber.fraction, "1e": BadNumber.exponent, "-0.5E+": BadNumber.exponent])
    func cutOff(text: String, expected: String) {
        let document = ExactBytes(#"{"value":\#(text)"#)
        let errors = [
            syntaxError(in: document), memberError(Int.self, document), memberError(Double.self, document),
            syntaxError { () throws(ModelError) in try Other(json: document) },
        ]
        for error in errors {
            #expect(error?.expected == expected)
            #expect(error?.found == "the end of the document")
            #expect(error?.offset == 9 + text.utf8.count)
        }
    }

    @Test("A number of any length keeps all its digits")
    func everyLength() throws {
        for count in 1...40 {
            let digits = String(repeating: "1234567890", count: 4).prefix(count)
            for text in [
                "\(digits)", "-\(digits)", "0.\(digits)", "\(digits).5", "\(digits)e\(digits.prefix(3))",
                "1E-\(digits)",
            ] {
                #expect(try JSONValue(json: ExactBytes(text)).number?.text == text)
                #expect(try ValueMember<JSONNumber>(json: ExactBytes(#"{"value":\#(text)}"#)).value?.text == text)
            }
        }
    }

    /// A token: its first nineteen digits, the power of ten of the last, and whether others than zeros follow them.
    private struct Parts: Equatable, CustomTestStringConvertible {
        let text: String
        let isNegative: Bool
        let significand: UInt64
        let exponent: Int
        let isCut: Bool
        let isPlainInteger: Bool
        var testDescription: String { text }

        init(_ text: String, _ significand: UInt64, _ exponent: Int, isCut: Bool = false, isPlain: Bool = false) {
            self.text = text
            isNegative = text.hasPrefix("-")
            self.significand = significand
            self.exponent = exponent
            self.isCut = isCut
            isPlainInteger = isPlain
        }

        init?(reading text: String) {
            let parts = text.reading { bytes, count -> Parts? in
                var reader = JSONReader(bytes, count: count, depth: 1)
                return (try? reader.scanNumber()).map(Parts.init)
            }
            guard case .some(.some(let parts)) = parts else { return nil }
            self = parts
        }

        private init(_ token: NumberToken) {
            text = token.string
            isNegative = token.isNegative
            significand = token.significand
            exponent = token.exponent
            isCut = token.isCut
            isPlainInteger = token.isPlainInteger
        }
    }

    @Test(
        "A number token has the first nineteen digits and their power of ten",
        arguments: [
            Parts("0", 0, 0, isPlain: true), Parts("-0", 0, 0, isPlain: true), Parts("7", 7, 0, isPlain: true),
            Parts("-12", 12, 0, isPlain: true), Parts("0.5", 5, -1), Parts("12.34", 1234, -2), Parts("1e5", 1, 5),
            Parts("-1.25E-3", 125, -5), Parts("100", 100, 0, isPlain: true), Parts("0.00100", 100, -5),
            Parts("9999999999999999999", 9_999_999_999_999_999_999, 0, isPlain: true),
            Parts("10000000000000000000", 1, 19, isPlain: true),
            Parts("10000000000000000001", 1_000_000_000_000_000_000, 1, isCut: true, isPlain: true),
            Parts("99999999999999999999", 9_999_999_999_999_999_999, 1, isCut: true, isPlain: true),
            Parts("12345678901234567890.5", 1_234_567_890_123_456_789, 1, isCut: true),
            Parts("1234567890123456789.00", 1_234_567_890_123_456_789, 0),
            Parts("1234567890123456789.01e5", 1_234_567_890_123_456_789, 5, isCut: true),
            Parts("123456789012345678.90", 1_234_567_890_123_456_789, -1),
            Parts("0.00000000000000000000001234567890123456789012", 1_234_567_890_123_456_789, -41, isCut: true),
            Parts("0.00000000000000000000001234567890123456789000e41", 1_234_567_890_123_456_789, 0),
            Parts("1e1000000000", 1, 1_000_000_000), Parts("1e1000000001", 1, 1_000_000_000),
            Parts("1e-99999999999999999999", 1, -1_000_000_000), Parts("1.5e99999999999999999999", 15, 999_999_999),
        ])
    private func token(parts: Parts) { #expect(Parts(reading: parts.text) == parts) }
}
