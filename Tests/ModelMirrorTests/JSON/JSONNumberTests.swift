import Foundation
import ModelMirror
import Testing

@Suite("JSON numbers")
struct JSONNumberTests {
    // MARK: Initializers

    @Test(
        "A JSONNumber keeps its text as written",
        arguments: [
            "0", "-0", "1.10", "1E+05", "-12.50e-3", "123456789012345678901234567890", "1e400", "0.1000",
            "1e99999999999999999999",
        ])
    func keepsText(text: String) throws {
        let number = try #require(JSONNumber(text))
        #expect(number.text == text)
        #expect(number.description == text)
        #expect(try JSONValue(json: text) == .number(number))
    }

    @Test(
        "A text that is not exactly one JSON number is rejected",
        arguments: [
            "", " ", " 1", "1 ", "\n1", "1\0", "\u{FEFF}1", "\u{FEFF}1234", "+1", "-", "01", "1.", ".5", "1e", "1e+",
            "0x1", "1,5",
            "1_0", "NaN", "inf", "true", "null", "\"1\"", "[1]", "1 2", "１", "1é",
        ])
    func refusesText(text: String) { #expect(JSONNumber(text) == nil) }

    @Test("An integer of any width becomes a JSONNumber")
    func fromIntegers() {
        for (number, text) in [
            (JSONNumber(0), "0"), (JSONNumber(Int8.min), "-128"), (JSONNumber(UInt64.max), "18446744073709551615"),
            (JSONNumber(Int128.min), "-170141183460469231731687303715884105728"),
        ] {
            #expect(number.text == text)
        }
    }

    @Test("A Double or Float becomes the shortest number that reads back; infinity and NaN give nil")
    func fromFloatingPoint() {
        let doubles: [(Double, String?)] = [
            (0, "0"), (-0.0, "-0"), (1, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (100, "100"), (1e15, "1000000000000000"),
            (1e16, "1e+16"), (1e23, "1e+23"), (.leastNonzeroMagnitude, "5e-324"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.infinity, nil), (-.infinity, nil), (.nan, nil),
        ]
        for (value, text) in doubles { #expect(JSONNumber(value)?.text == text, "\(value)") }
        #expect(JSONNumber(-0.0).text == "-0", "a literal")
        let floats: [(Float, String?)] = [
            (0.1, "0.1"), (16_777_216, "16777216"), (.greatestFiniteMagnitude, "3.4028235e+38"), (.infinity, nil),
            (.nan, nil),
        ]
        for (value, text) in floats { #expect(JSONNumber(value)?.text == text, "\(value)") }
    }

    @Test("A Decimal becomes a JSONNumber; NaN gives nil")
    func fromDecimal() throws {
        let numbers: [(Decimal?, String?)] = [
            (Decimal(0), "0"), (Decimal(string: "-12.50"), "-12.5"), (Decimal(string: "1e-5"), "0.00001"),
            (Decimal(string: "1e127"), "1" + String(repeating: "0", count: 127)), (Decimal.nan, nil),
        ]
        for (decimal, text) in numbers {
            let decimal = try #require(decimal)
            #expect(JSONNumber(decimal)?.text == text, "\(decimal)")
        }
    }

    // MARK: Values

    @Test("A JSONNumber converts to the types that can hold its value, and to nil for others")
    func values() throws {
        let number = try #require(JSONNumber("12345678901234567890.50"))
        #expect(number.decimal?.description == "12345678901234567890.5")
        #expect(number.double == 12345678901234567890.5)
        #expect(number.int == nil)
        #expect(number.integer(UInt64.self) == nil)
        let thousand = try #require(JSONNumber("1.0e3"))
        #expect((thousand.int, thousand.integer(Int16.self)) == (1000, 1000))
        #expect((thousand.integer(Int8.self), thousand.double, thousand.decimal) == (nil, 1000, 1000))
        let huge = try #require(JSONNumber("-1e400"))
        #expect((huge.int, huge.double, huge.decimal) == (nil, nil, nil))
    }

    // MARK: Equality

    private static let families: [[String]] = [
        ["0", "-0", "0.0", "-0.000", "0e5", "-0E-5", "0e99999999999999999999", "0.0e-99999999999999999999"],
        ["1", "1.0", "10e-1", "0.1e1", "1e0", "1E-0", "1e+0", "0.00001e5", "100000E-5", "1.000000000000000000000000"],
        ["-1", "-1.0", "-10e-1", "-0.1e+1"], ["10", "1e1", "1.0e1", "100e-1", "10.0"],
        ["0.1", "1e-1", "0.10", "10e-2"],
        ["123.456", "123456e-3", "1.23456e2", "0.123456E+3", "123.4560000"], ["12", "1.2e1"], ["21", "2.1e1"],
        ["120", "12e1"],
        ["1e400", "10e399", "0.1e401", "1" + String(repeating: "0", count: 400)], ["1e-400", "0.1e-399"], ["-1e400"],
        ["9007199254740992"], ["9007199254740993"], ["9007199254740993.5"], ["0.1000000000000000055511151231257827"],
        ["18446744073709551616", "18446744073709551616.0"], ["1e99999999999999999999"], ["1e-99999999999999999999"],
        ["-1e99999999999999999999"], ["2e99999999999999999999"],
    ]

    @Test(
        "Numbers are equal if and only if their values are, and equal numbers hash alike", arguments: families.indices)
    func equality(index: Int) throws {
        let numbers = try Self.families[index].map { try #require(JSONNumber($0)) }
        #expect(Set(numbers).count == 1)
        for number in numbers {
            #expect(number == numbers[0])
            #expect(numbers[0] == number)
            #expect(number.hashValue == numbers[0].hashValue)
        }
        for (other, family) in Self.families.enumerated() where other != index {
            for text in family { #expect(try #require(JSONNumber(text)) != numbers[0], "\(text)") }
        }
    }

    @Test("A random number equals its other notations, but not neighboring numbers")
    func randomEquality() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<1_000 {
            let digits =
                "\(generator.number(in: 1...9))"
                + (0..<generator.below(30)).map { _ in "\(generator.below(10))" }.joined()
            let exponent = generator.number(in: -400...400)
            let number = try #require(JSONNumber("\(digits)e\(exponent)"))
            let place = digits.index(after: digits.startIndex)
            let moved = "\(digits[..<place]).\(digits[place...])000E\(exponent + digits.utf8.count - 1)"
            #expect(JSONNumber(moved) == number)
            #expect(Set([number, try #require(JSONNumber(moved))]).count == 1)
            #expect(JSONNumber("\(digits)00e\(exponent - 2)") == number)
            for other in ["-\(digits)e\(exponent)", "\(digits)1e\(exponent - 1)", "\(digits)e\(exponent + 1)"] {
                #expect(JSONNumber(other) != number, "\(other)")
            }
        }
    }
}
