import Foundation
import ModelMirror
import Testing

private final class Price: AbstractModel {
    var amount: Decimal?
}

@Suite("Reading decimals")
struct DecimalReadingTests {
    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
    private static let digits38 = "12345678901234567890123456789012345678"
    /// 2¹²⁸ - 1, the largest integer before the power of ten.
    private static let largest = "340282366920938463463374607431768211455"

    /// A number's text, and the decimal written out; nil if it does not fit.
    private static let cases: [(text: String, value: String?)] = [
        ("0", "0"), ("-0", "0"), ("0.000", "0"), ("0e999", "0"), ("-0e-99999999999999999999", "0"),
        ("0e9223372036854775807", "0"), ("1", "1"), ("-1", "-1"), ("0.1", "0.1"), ("1.10", "1.1"),
        ("-12.340", "-12.34"), ("100", "100"), ("1e2", "100"), ("1.5e1", "15"), ("150e-1", "15"), ("0.3", "0.3"),
        ("1.005", "1.005"), ("3.133", "3.133"), ("1E+2", "100"), ("1e3", "1000"), ("25e-4", "0.0025"), ("0e500", "0"),
        ("123456789.123456789123456789", "123456789.123456789123456789"),
        ("1000000000000000000000000000000000000000e-39", "1"), ("9007199254740993", "9007199254740993"),
        ("18446744073709551616", "18446744073709551616"),
        ("0.1000000000000000055511151231257827021", "0.1000000000000000055511151231257827021"),
        ("100000000000000000000000000000000000001e-19", "10000000000000000000.0000000000000000001"),
        // 38 digits, everywhere around the point, and the largest of 39.
        (digits38, digits38), ("-" + digits38, "-" + digits38),
        ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ("0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"),
        ("1234567890123456789.0123456789012345678", "1234567890123456789.0123456789012345678"),
        ("-1.2345678901234567890123456789012345678", "-1.2345678901234567890123456789012345678"),
        (digits38 + "e10", digits38 + zeros(10)), (digits38 + "000.000", digits38 + "000"), (largest, largest),
        ("-" + largest, "-" + largest),
        ("3.40282366920938463463374607431768211455", "3.40282366920938463463374607431768211455"),
        ("340282366920938463463374607431768211456", nil), ("-340282366920938463463374607431768211456", nil),
        ("34028236692093846346337460743176821145.6", nil), (largest + "1", nil),
        ("3402823669209384634633746074317682114551", nil), (digits38 + "9.01", nil),
        ("0.1000000000000000055511151231257827021181583404541015625", nil),
        ("1.00000000000000000000000000000000000000001", nil),
        // The largest and smallest powers of ten; an exponent above 127 moves into the digits.
        ("1e127", "1" + zeros(127)), ("-1e127", "-1" + zeros(127)), ("1e128", "1" + zeros(128)),
        ("1e165", "1" + zeros(165)), ("3e165", "3" + zeros(165)), (largest + "e127", largest + zeros(127)),
        ("4e165", nil), ("1e166", nil), (digits38 + "e128", digits38 + zeros(128)),
        ("35" + digits38.dropFirst(2) + "e128", nil), ("-1e128", "-1" + zeros(128)), ("12e137", "12" + zeros(137)),
        ("1e400", nil), ("1e-128", "0." + zeros(127) + "1"), ("-10e-129", "-0." + zeros(127) + "1"),
        ("0.1e-127", "0." + zeros(127) + "1"), (digits38 + "e-128", "0." + zeros(90) + digits38), ("1e-129", nil),
        ("12e-129", nil), ("1e-400", nil), ("1" + zeros(200) + "e-200", "1"), ("0." + zeros(200) + "1e201", "1"),
        ("1e99999999999", nil), ("1e-99999999999", nil), ("1e9223372036854775807", nil),
        ("1e-9223372036854775807", nil), ("1e-9223372036854775808", nil), ("-1.5e-9223372036854775808", nil),
        ("1e99999999999999999999", nil), ("1e-99999999999999999999", nil),
    ]

    @Test("A number becomes a Decimal with exactly its digits, or nil", arguments: cases)
    func exact(text: String, value: String?) throws {
        #expect(try #require(JSONNumber(text)).decimal?.description == value)
        #expect(try JSONValue(json: ExactBytes(text)).number?.decimal?.description == value)
        #expect(try Price(json: ExactBytes(#"{"amount":\#(text)}"#)).amount?.description == value)
    }

    @Test("A decimal equals the one that Foundation parses", arguments: cases.compactMap(\.value))
    func foundation(text: String) throws {
        let decimal = try #require(Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
        #expect(try #require(JSONNumber(text)).decimal == decimal)
    }

    @Test("A random decimal of up to 38 digits keeps all its digits", arguments: UInt64(1)...2)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var wrong: [String] = []
        for _ in 0..<2_000 {
            // Digits that neither begin nor end with a zero, and a position of the point within or outside them.
            var digits = "\(generator.number(in: 1...9))"
            let count = generator.number(in: 1...38)
            while digits.utf8.count < count - 1 { digits += "\(generator.below(10))" }
            if count > 1 { digits += "\(generator.number(in: 1...9))" }
            let exponent = generator.number(in: -60...60)
            let sign = generator.below(2) == 0 ? "-" : ""
            let place = count + exponent
            let expected =
                exponent >= 0
                ? digits + Self.zeros(exponent)
                : place > 0
                    ? digits.prefix(place) + "." + digits.dropFirst(place) : "0." + Self.zeros(-place) + digits
            for text in [sign + digits + "e\(exponent)", sign + expected] {
                if try #require(JSONNumber(text)).decimal?.description != sign + expected { wrong.append(text) }
            }
        }
        #expect(wrong == [])
    }
}
