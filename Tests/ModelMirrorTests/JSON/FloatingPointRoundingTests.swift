import Foundation
import Testing

@testable import ModelMirror

#if DEBUG
private let inputCount = 50_000
#else
private let inputCount = 1_000_000
#endif

private final class DoubleBox: AbstractModel {
    var value: Double?
}

private final class FloatBox: AbstractModel {
    var value: Float?
}

@Suite("Rounding to floating-point numbers")
struct FloatingPointRoundingTests {
    private static func double(_ text: String) -> Double? { token(text, FloatingPointRounding.double) }
    private static func float(_ text: String) -> Float? { token(text, FloatingPointRounding.slowValue) }

    private static func token<Value>(_ text: String, _ body: (NumberToken) -> Value?) -> Value? {
        text.reading { bytes, count -> Value? in
            var reader = JSONReader(bytes, count: count, depth: 1)
            guard let token = try? reader.scanNumber(), reader.offset == count else { return nil }
            return body(token)
        } ?? nil
    }

    // MARK: Double

    /// A number's text and the value that it must have; nil if it is too large.
    private static let doubles: [(text: String, value: Double?)] = [
        ("0", 0), ("-0", -0.0), ("-0.0e5", -0.0), ("0e400", 0), ("0e-400", 0), ("0.1", 0x1.999999999999ap-4),
        ("1.10", 0x1.199999999999ap0), ("1e23", 0x1.52d02c7e14af6p76), ("1e22", 0x1.0f0cf064dd592p73),
        ("8.5e22", 0x1.1ffdbf6b2b2ebp76),
        // Ties go to the even neighbor, anything more to the upper one.
        ("9007199254740991", 0x1.fffffffffffffp52), ("9007199254740993", 0x1p53), ("9007199254740993.0", 0x1p53),
        ("9007199254740993e0", 0x1p53), ("9007199254740993.00000000000000000000000000001", 0x1.0000000000001p53),
        ("9007199254740992.99999999999999999999999999999", 0x1p53), ("9007199254740995", 0x1.0000000000002p53),
        ("-9007199254740995", -0x1.0000000000002p53), ("18014398509481986", 0x1p54),
        ("18014398509481990", 0x1.0000000000002p54), ("9223372036854776832", 0x1p63),
        ("9223372036854776833", 0x1.0000000000001p63), ("18446744073709551615", 0x1p64),
        ("18446744073709551616", 0x1p64), ("1.00000000000000011102230246251565", 0x1p0),
        ("1.00000000000000011102230246251566", 0x1.0000000000001p0),
        ("1.00000000000000011102230246251565404236316680908203125", 0x1p0),
        ("1.00000000000000011102230246251565404236316680908203124", 0x1p0),
        ("1.00000000000000011102230246251565404236316680908203126", 0x1.0000000000001p0),
        ("1.00000000000000033306690738754696212708950042724609375", 0x1.0000000000002p0),
        // A carry through all digits.
        ("9007199254740991.6", 0x1p53), ("1.9999999999999999", 0x1p1),
        // The smallest normal number, the subnormal ones, and what is too small.
        ("2.2250738585072014e-308", 0x1p-1022), ("2.2250738585072012e-308", 0x1p-1022),
        ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown), ("4.9406564584124654e-324", 0x1p-1074),
        ("4.9e-324", 0x1p-1074), ("5e-324", 0x1p-1074), ("3e-324", 0x1p-1074), ("2.4703282292062328e-324", 0x1p-1074),
        ("2.4703282292062327e-324", 0), ("-2.4703282292062327e-324", -0.0), ("7.4109846876186981e-324", 0x1p-1074),
        ("7.4109846876186982e-324", 0x1p-1073), ("1e-400", 0), ("-1e-400", -0.0), ("1e-99999999999999999999", 0),
        ("-123.456e-99999999999999999999", -0.0), ("0." + String(repeating: "0", count: 400) + "1", 0),
        ("0." + String(repeating: "0", count: 400) + "1e401", 1),
        // The largest number and overflows.
        ("1.7976931348623157e308", 0x1.fffffffffffffp1023), ("1.7976931348623158e308", 0x1.fffffffffffffp1023),
        ("1.7976931348623158079e308", 0x1.fffffffffffffp1023), ("1.797693134862315808e308", nil),
        ("1.7976931348623159e308", nil), ("-1.7976931348623159e308", nil), ("1e309", nil), ("1e400", nil),
        ("1e99999999999999999999", nil), ("-1e99999999999999999999", nil),
        ("1" + String(repeating: "0", count: 400), nil), ("1" + String(repeating: "0", count: 400) + "e-400", 1),
        ("1" + String(repeating: "0", count: 308), 0x1.1ccf385ebc8ap1023),
        // More digits than any algorithm but the last one considers.
        ("0.1000000000000000055511151231257827021181583404541015625", 0x1.999999999999ap-4),
        (String(repeating: "9", count: 300), 0x1.7e43c8800759cp996),
        ("0." + String(repeating: "3", count: 1000), 0x1.5555555555555p-2),
    ]

    @Test("A number is read as the nearest Double, bit for bit", arguments: doubles)
    func exactDouble(text: String, value: Double?) throws {
        #expect(Self.double(text)?.bitPattern == value?.bitPattern)
        #expect(try #require(JSONNumber(text)).double?.bitPattern == value?.bitPattern)
        #expect(try JSONValue(json: ExactBytes(text)).double?.bitPattern == value?.bitPattern)
        let box = try DoubleBox(json: ExactBytes(#"{"value":\#(text)}"#))
        #expect(box.value?.bitPattern == value?.bitPattern)
    }

    @Test("A random number is read as the same Double as by the standard library and C", arguments: UInt64(1)...4)
    func randomDouble(seed: UInt64) {
        var texts = NumberTexts<Double>(seed: seed)
        var wrong: [String] = []
        for _ in 0..<inputCount / 4 {
            let text = texts.next()
            let value = Self.double(text)
            let judge = Double(text).flatMap { $0.isFinite ? $0 : nil }
            // Where the fast algorithms do not decide, the reader itself uses the standard library.
            let secondJudge = strtod(text, nil)
            if value?.bitPattern != judge?.bitPattern || (value ?? .infinity).magnitude != secondJudge.magnitude {
                wrong.append(text)
            }
        }
        #expect(wrong == [])
    }

    @Test("A random Double reads back from its shortest text", arguments: UInt64(5)...8)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var wrong: [UInt64] = []
        for _ in 0..<inputCount / 20 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            if try #require(JSONNumber(value)).double?.bitPattern != value.bitPattern { wrong.append(value.bitPattern) }
        }
        #expect(wrong == [])
    }

    // MARK: Float

    private static let floats: [(text: String, value: Float?)] = [
        ("0", 0), ("-0", -0.0), ("-0e-99", -0.0), ("0.1", 0x1.99999ap-4), ("16777216", 0x1p24), ("16777217", 0x1p24),
        ("16777219", 0x1.000004p24), ("16777217.0000000000000000000000001", 0x1.000002p24), ("33554434", 0x1p25),
        ("33554438", 0x1.000004p25),
        // Each is on one side of a tie, and exactly on it once it is rounded to a double.
        ("1.000000178813934326171875", 0x1.000004p0), ("1.00000017881393432617187499", 0x1.000002p0),
        ("1.000000059604644775390625", 0x1p0), ("1.00000005960464477539062501", 0x1.000002p0),
        ("1.00000005960464477539062499", 0x1p0), ("16777219.0000000001e-0", 0x1.000004p24),
        ("16777217.0000000001", 0x1.000002p24), ("0.50000008940696716308593749", 0x1.000002p-1),
        ("0.500000089406967163085937500001", 0x1.000004p-1),
        // The smallest normal number, the subnormal ones, and what is too small.
        ("1.1754943508222875e-38", 0x1p-126), ("1.1754942807573643e-38", 0x1p-126),
        ("1.1754942807573642e-38", Float.leastNormalMagnitude.nextDown), ("1.4e-45", 0x1p-149), ("1e-45", 0x1p-149),
        ("7.006492321624086e-46", 0x1p-149), ("7.006492321624085e-46", 0), ("1e-46", 0), ("-1e-46", -0.0),
        ("-1e-400", -0.0), ("1e-99999999999999999999", 0),
        // The largest number and overflows: from 3.40282356779733661637539395458142568448e38 on.
        ("3.4028234663852886e38", 0x1.fffffep127), ("3.4028235677973366e38", 0x1.fffffep127),
        ("340282356779733661637539395458142568447", 0x1.fffffep127), ("340282356779733661637539395458142568448", nil),
        ("3.4028235677973367e38", nil), ("-3.4028235677973367e38", nil), ("3.5e38", nil), ("1e39", nil),
        ("1e400", nil), ("-1e99999999999999999999", nil),
    ]

    @Test("A number is read as the nearest Float, rounded only once, bit for bit", arguments: floats)
    func exactFloat(text: String, value: Float?) throws {
        #expect(Self.float(text)?.bitPattern == value?.bitPattern)
        let box = try FloatBox(json: ExactBytes(#"{"value":\#(text)}"#))
        #expect(box.value?.bitPattern == value?.bitPattern)
    }

    @Test("A random number is read as the same Float as by the standard library and C", arguments: UInt64(9)...12)
    func randomFloat(seed: UInt64) {
        var texts = NumberTexts<Float>(seed: seed)
        var wrong: [String] = []
        for _ in 0..<inputCount / 4 {
            let text = texts.next()
            let value = Self.float(text)
            let judge = Float(text).flatMap { $0.isFinite ? $0 : nil }
            let secondJudge = strtof(text, nil)
            if value?.bitPattern != judge?.bitPattern || (value ?? .infinity).magnitude != secondJudge.magnitude {
                wrong.append(text)
            }
        }
        #expect(wrong == [])
    }
}
