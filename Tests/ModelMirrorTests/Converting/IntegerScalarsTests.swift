import ModelMirror
import Testing

/// An integer type as a test argument.
private struct Width: Sendable, CustomTestStringConvertible {
    let type: any (FixedWidthInteger & Sendable & SendableMetatype).Type
    var testDescription: String { "\(type)" }

    static let all = [
        Width(type: Int.self), Width(type: Int8.self), Width(type: Int16.self), Width(type: Int32.self),
        Width(type: Int64.self), Width(type: Int128.self), Width(type: UInt.self), Width(type: UInt8.self),
        Width(type: UInt16.self), Width(type: UInt32.self), Width(type: UInt64.self), Width(type: UInt128.self),
    ]
}

extension FixedWidthInteger where Self: Sendable {
    /// What properties of this type accept; 99 fits all widths.
    fileprivate static var table: ConversionTable<Self> {
        ConversionTable(
            start: 99, expected: self == Int.self ? "an integer" : "an integer from \(Self.min) to \(Self.max)")
    }
}

@Suite("Integers of every width")
struct IntegerScalarsTests {
    @Test("Both limits are read exactly from every notation of a number and from strings", arguments: Width.all)
    private func limits(width: Width) {
        func check<Value: FixedWidthInteger & Sendable>(_ type: Value.Type) {
            for value in [Value.min, Value.min + 1, Value.max - 1, Value.max, 0, 1] {
                type.table.takes("\(value)", as: value)
                type.table.takes("\(value).0", as: value)
                if value != 0 { type.table.takes("\(value)0e-1", as: value) }
                type.table.coerces("\"\(value)\"", to: value)
            }
        }
        check(width.type)
    }

    @Test("Numbers beyond the limits are rejected and never wrap around", arguments: Width.all)
    private func beyond(width: Width) {
        func check<Value: FixedWidthInteger & Sendable>(_ type: Value.Type) {
            let range = "an integer from \(Value.min) to \(Value.max)"
            let above = successor("\(Value.max)")
            let below = Value.min == 0 ? "-1" : "-" + successor("\(Value.min)".dropFirst())
            for number in [above, below, "\(Value.max)0", "\(Value.max)00000", "1e39", "-1e39", "1e999999999999"] {
                type.table.refuses(number, expected: range)
                type.table.refuses("\"\(number)\"")
            }
            type.table.refuses("\(above).0", expected: range)
            type.table.refuses("\(below)0e-1", expected: range)
        }
        check(width.type)
    }

    /// The number after a positive one, also beyond every integer type.
    private func successor(_ digits: some StringProtocol) -> String {
        var result: [Character] = []
        var carry = 1
        for digit in digits.reversed() {
            let sum = (digit.wholeNumberValue ?? 0) + carry
            result.append(Character("\(sum % 10)"))
            carry = sum / 10
        }
        return (carry == 0 ? "" : "1") + String(result.reversed())
    }

    @Test(
        "A number with an integral value is accepted in any notation", arguments: Width.all,
        [
            ("0", 0), ("-0", 0), ("-0.0", 0), ("0e99999", 0), ("1.0", 1),
            ("1.000000000000000000000000000000000000000000", 1),
            ("1e2", 100), ("1E+2", 100), ("1.2e1", 12), ("120e-1", 12), ("0.12e2", 12), ("1200000000e-8", 12),
            ("0.00000000000000000000000000000000000000000012e44", 12),
        ])
    private func integral(width: Width, number: (json: String, value: Int)) {
        func check<Value: FixedWidthInteger & Sendable>(_ type: Value.Type) {
            type.table.takes(number.json, as: Value(number.value))
        }
        check(width.type)
    }

    /// Numbers with a fraction, which are never rounded, arrays, objects, and strings that are no integers.
    private static let refused: [String] =
        [
            "1.5", "0.1", "1e-1", "12e-1", "1.00000000000000000000000000000000000000000001", "1e-999999999999",
            "99.0000000001", "[]", "[1]", "{}", #"{"1": 1}"#,
        ]
        + [
            "", " ", " 1", "1 ", "+", "-", "+-1", "--1", "1.0", "1e3", "1.5", "0x10", "0b1", "1_000", "1,000", "one",
            "true", "null", "½", "٣", "１", "1a", "a1", "NaN", "∞",
        ].map { "\"\($0)\"" }

    @Test("Numbers with a fraction, other strings, arrays and objects are rejected", arguments: Width.all, refused)
    private func refuses(width: Width, json: String) {
        func check<Value: FixedWidthInteger & Sendable>(_ type: Value.Type) { type.table.refuses(json) }
        check(width.type)
    }

    @Test(
        "A string of digits with an optional sign is coerced", arguments: Width.all,
        [("5", 5), ("+5", 5), ("0", 0), ("-0", 0), ("+0", 0), ("007", 7), (#"\u0034\u0032"#, 42)])
    private func strings(width: Width, text: (json: String, value: Int)) {
        func check<Value: FixedWidthInteger & Sendable>(_ type: Value.Type) {
            let found = text.value == 42 ? "42" : text.json
            type.table.coerces("\"\(text.json)\"", to: Value(text.value), found: "the string \"\(found)\"")
        }
        check(width.type)
    }

    @Test("A string with a negative number is coerced for signed types only", arguments: Width.all)
    private func negative(width: Width) {
        func check<Value: FixedWidthInteger & Sendable>(_ type: Value.Type) {
            if Value.isSigned { type.table.coerces(#""-3""#, to: -3) } else { type.table.refuses(#""-3""#) }
        }
        check(width.type)
    }

    @Test("A string is coerced up to 64 characters, sign and leading zeros included", arguments: Width.all)
    private func longStrings(width: Width) {
        func check<Value: FixedWidthInteger & Sendable>(_ type: Value.Type) {
            let zeros = String(repeating: "0", count: 62)
            type.table.coerces("\"0\(zeros)7\"", to: 7, found: "the string \"\(zeros.prefix(60))\"…")
            type.table.coerces("\"+\(zeros)7\"", to: 7, found: "the string \"+\(zeros.prefix(59))\"…")
            type.table.refuses("\"00\(zeros)7\"", found: "the string \"\(zeros.prefix(60))\"…")
            type.table.refuses("\"+0\(zeros)7\"", found: "the string \"+\(zeros.prefix(59))\"…")
        }
        check(width.type)
    }

    @Test("true and false are coerced to 1 and 0", arguments: Width.all)
    private func booleans(width: Width) {
        func check<Value: FixedWidthInteger & Sendable>(_ type: Value.Type) {
            type.table.coerces("true", to: 1)
            type.table.coerces("false", to: 0)
        }
        check(width.type)
    }

    private final class Neighbors: AbstractModel {
        var a: Int8 = 1
        var b: Int16 = 2
        var c: UInt8 = 3
        var d: Int128 = 4
        var e: UInt8 = 5
        var f: Int32 = 6
    }

    @Test("Storing an integer leaves neighboring properties unchanged")
    func neighbors() throws {
        let json =
            #"{"a": -128, "b": -32768, "c": 255, "d": -170141183460469231731687303715884105728, "f": 2147483647}"#
        let model = try Neighbors(json: json)
        #expect(model.a == -128)
        #expect(model.b == -32768)
        #expect(model.c == 255)
        #expect(model.d == .min)
        #expect(model.e == 5)
        #expect(model.f == 2_147_483_647)
    }
}
