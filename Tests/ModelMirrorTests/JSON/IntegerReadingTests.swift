import ModelMirror
import Testing

/// An integer type as a test argument, and the values that it reads from texts.
private struct Width: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let minimum: String
    let maximum: String
    /// The value of a `JSONNumber`, as text.
    let ofNumber: @Sendable (String) -> String?
    /// The value of a property of this type, as text.
    let ofProperty: @Sendable (String) -> String?

    init<Value: FixedWidthInteger & SendableMetatype>(_ type: Value.Type) {
        testDescription = "\(type)"
        minimum = "\(Value.min)"
        maximum = "\(Value.max)"
        ofNumber = { JSONNumber($0)?.integer(Value.self)?.description }
        ofProperty = { (try? ValueMember<Value>(json: ExactBytes(#"{"value":\#($0)}"#)))?.value?.description }
    }

    static let all = [
        Width(Int.self), Width(Int8.self), Width(Int16.self), Width(Int32.self), Width(Int64.self), Width(Int128.self),
        Width(UInt.self), Width(UInt8.self), Width(UInt16.self), Width(UInt32.self), Width(UInt64.self),
        Width(UInt128.self),
    ]

    /// Checks that a text has this value, or none, in every way to read a value.
    func check(_ text: String, is value: String?, at source: Testing.SourceLocation = #_sourceLocation) {
        #expect(ofNumber(text) == value, "\(text)", sourceLocation: source)
        #expect(ofProperty(text) == value, "\(text)", sourceLocation: source)
    }
}

/// Other ways to write an integer.
private func spellings(of integer: String) -> [String] {
    let sign = integer.hasPrefix("-") ? "-" : ""
    let digits = String(integer.drop { $0 == "-" })
    let count = digits.utf8.count
    let rest = digits.dropFirst()
    let shifted = [
        integer + "0e-1", integer + "000.00E-3", integer + String(repeating: "0", count: 60) + "e-60",
        sign + digits.prefix(1) + ".\(rest.isEmpty ? "0" : rest)e+\(count - 1)",
    ]
    // A zero followed by zeros would be invalid.
    return (integer == "0" ? [] : shifted) + [
        integer, integer + ".0", integer + ".000000000000000000000000", integer + "e0", integer + "E+00",
        integer + "e-0",
        sign + "0.\(digits)e\(count)", sign + "0.\(digits)000E+\(count)", sign + "0.00\(digits)e\(count + 2)",
        sign + "0." + String(repeating: "0", count: 60) + "\(digits)e\(count + 60)",
    ]
}

@Suite("Reading integers")
struct IntegerReadingTests {
    @Test(
        "The limits of every width are read exactly in every notation, and one beyond does not fit",
        arguments: Width.all)
    private func limits(width: Width) {
        for limit in [width.minimum, width.maximum] {
            for text in spellings(of: limit) { width.check(text, is: limit) }
            let isNegative = limit.hasPrefix("-") || limit == "0"
            let digits = DecimalExpansion.successor(Array(limit.utf8.drop { $0 == UInt8(ascii: "-") })[...])
            let beyond = (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
            for text in spellings(of: beyond) { width.check(text, is: nil) }
        }
    }

    @Test("Integers far beyond the limits do not fit and never wrap around, nor do fractions fit", arguments: Width.all)
    private func others(width: Width) {
        // 2¹²⁸ and 2⁶⁴ would wrap to zero, ten times a maximum to anything.
        for text in [
            "340282366920938463463374607431768211456", "-340282366920938463463374607431768211456", width.maximum + "0",
            "680564733841876926926749214863536422912", "1" + String(repeating: "0", count: 400), "1e39", "1e400",
            "-1e400",
            "0.1e40", "1e999999", "1e1000000", "1e99999999999", "1e9223372036854775807", "1e9223372036854775808",
            "-1e99999999999999999999",
            // Fractions.
            "0.1", "1e-1", "1.5", "-1.5", "15e-1", "1.0000000000000000000000000001", "0.99999999999999999999999999",
            "100e-3", "12.34e1", "10.01e1", "1e-400", "9007199254740992.5", "1e-999999", "1e-1000000",
            "1e-9223372036854775807", "1e-9223372036854775808", "-1e-9223372036854775808", "1e-9223372036854775809",
            "1e-99999999999999999999",
        ] {
            width.check(text, is: nil)
        }
    }

    @Test("A number with an integral value fits in every notation if its width can hold it", arguments: Width.all)
    private func integral(width: Width) {
        let texts = [
            "0": "0", "-0": "0", "0.0": "0", "-0.0": "0", "0e0": "0", "0e400": "0", "-0e-400": "0",
            "0e9223372036854775807": "0", "0e-9223372036854775808": "0", "0e-99999999999999999999": "0", "1": "1",
            "1.0": "1", "10e-1": "1", "1e0": "1", "0.1e1": "1", "0.01E+2": "1", "100E-2": "1", "1e2": "100",
            "1.2e1": "12",
            "1.20e1": "12", "127": "127", "1270e-1": "127", "12.7e1": "127", "0.127e3": "127",
        ]
        for (text, value) in texts { width.check(text, is: value) }
        let thousand = width.maximum.utf8.count > 3 ? "1000" : nil
        for text in ["1e3", "1.0e3", "1000", "1000.0", "10000e-1", "0.001e6"] { width.check(text, is: thousand) }
    }

    @Test("Integers of 1 to 38 digits are read exactly")
    func everyLength() throws {
        var digits = ""
        for count in 1...38 {
            digits += "\(count % 10)"
            let expected = try #require(Int128(digits))
            for (text, value) in [(digits, expected), ("-" + digits, -expected)] {
                #expect(JSONNumber(text)?.integer(Int128.self) == value)
                #expect(try ValueMember<Int128>(json: ExactBytes(#"{"value":\#(text)}"#)).value == value)
                #expect(JSONNumber(text)?.int == Int(exactly: value))
                #expect(try ValueMember<Int>(json: ExactBytes(#"{"value":\#(text)}"#)).value == Int(exactly: value))
            }
        }
    }

    @Test("A random integer reads back as itself", arguments: UInt64(1)...2)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var wrong: [Int64] = []
        for _ in 0..<5_000 {
            let value = Int64(bitPattern: generator.next()) >> Int64(generator.below(64))
            if JSONNumber("\(value)")?.integer(Int64.self) != value
                || JSONNumber("\(value)")?.integer(Int128.self) != Int128(value)
                || JSONNumber("\(value)")?.integer(Int16.self) != Int16(exactly: value)
                || JSONNumber("\(value)")?.integer(UInt64.self) != UInt64(exactly: value)
            {
                wrong.append(value)
            }
        }
        #expect(wrong == [])
    }
}
