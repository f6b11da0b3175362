import Foundation
import ModelMirror
import Testing

private class Numbers<Number>: AbstractModel {
    var value: Number?

    convenience init(_ value: Number) {
        self.init()
        self.value = value
    }

    /// The number as written in the JSON.
    func text() throws -> String {
        let json = try jsonString()
        #expect(json.hasPrefix(#"{"value":"#) && json.hasSuffix("}"))
        return String(json.dropFirst(9).dropLast())
    }
}

@Suite("Numbers in written JSON")
struct WrittenNumbersTests {
    @Test(
        "A Double is written with the fewest digits that round-trip",
        arguments: [
            (0, "0"), (-0.0, "-0"), (1, "1"), (-1, "-1"), (1.5, "1.5"), (0.1, "0.1"),
            (0.1 + 0.2, "0.30000000000000004"),
            (100, "100"), (1e15, "1000000000000000"), (123_456_789.125, "123456789.125"), (1e16, "1e+16"),
            (1e100, "1e+100"), (-1e100, "-1e+100"), (1.7976931348623157e308, "1.7976931348623157e+308"),
            (2.2250738585072014e-308, "2.2250738585072014e-308"), (.leastNonzeroMagnitude, "5e-324"),
            (-.leastNonzeroMagnitude, "-5e-324"),
            (9_007_199_254_740_991, "9007199254740991"), (9_007_199_254_740_992, "9007199254740992"),
            (18_014_398_509_481_984, "1.8014398509481984e+16"), (0.0001, "0.0001"), (0.00001, "1e-05"),
            (.pi, "3.141592653589793"), (1 / 3.0, "0.3333333333333333"),
        ] as [(Double, String)])
    func doubles(value: Double, text: String) throws {
        #expect(try Numbers(value).text() == text)
        let read = try #require(try Numbers<Double>(json: Numbers(value).jsonData(), options: .strict).value)
        #expect(read.bitPattern == value.bitPattern)
    }

    @Test(
        "A Float is written with the fewest digits that round-trip",
        arguments: [
            (0, "0"), (-0.0, "-0"), (0.1, "0.1"), (1.5, "1.5"), (16_777_216, "16777216"),
            (3.4028235e38, "3.4028235e+38"),
            (.leastNonzeroMagnitude, "1e-45"), (1.1754944e-38, "1.1754944e-38"), (.pi, "3.1415925"),
            (1 / 3, "0.33333334"),
        ] as [(Float, String)])
    func floats(value: Float, text: String) throws {
        #expect(try Numbers(value).text() == text)
        let read = try #require(try Numbers<Float>(json: Numbers(value).jsonData(), options: .strict).value)
        #expect(read.bitPattern == value.bitPattern)
    }

    @Test("Random Doubles and Floats round-trip bit for bit")
    func randomBits() throws {
        var generator = SeededGenerator(seed: 21)
        var list = (0..<2000).map { _ in Double(bitPattern: generator.next()) }.filter(\.isFinite)
        list += (0..<500).map { _ in Double(Int.random(in: -1000...1000, using: &generator)) / 64 }
        let doubles = Numbers(list)
        let readDoubles = try Numbers<[Double]>(json: doubles.jsonData(), options: .strict).value
        #expect(readDoubles?.map(\.bitPattern) == list.map(\.bitPattern))

        let short = (0..<2000).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: generator.next())) }.filter(
            \.isFinite)
        let readFloats = try Numbers<[Float]>(json: Numbers(short).jsonData(), options: .strict).value
        #expect(readFloats?.map(\.bitPattern) == short.map(\.bitPattern))
    }

    @Test("Integers of every width are written with all their digits")
    func integers() throws {
        for (written, text) in [
            (try Numbers(Int8.min).text(), "-128"), (try Numbers(Int16.max).text(), "32767"),
            (try Numbers(Int32.min).text(), "-2147483648"), (try Numbers(Int64.min).text(), "-9223372036854775808"),
            (try Numbers(Int.max).text(), "9223372036854775807"),
            (try Numbers(9_007_199_254_740_993).text(), "9007199254740993"),
            (try Numbers(UInt8.max).text(), "255"), (try Numbers(UInt16.max).text(), "65535"),
            (try Numbers(UInt32.max).text(), "4294967295"), (try Numbers(UInt64.max).text(), "18446744073709551615"),
            (try Numbers(UInt.max).text(), "18446744073709551615"),
            (try Numbers(Int128.min).text(), "-170141183460469231731687303715884105728"),
            (try Numbers(UInt128.max).text(), "340282366920938463463374607431768211455"),
        ] as [(String, String)] {
            #expect(written == text)
        }
    }

    @Test(
        "A Decimal is written with all its digits",
        arguments: [
            "0", "1", "-1", "1.5", "0.1", "12345678901234567890.123456789", "99999999999999999999999999999999999999",
            "-0.00000000000000000000000000000000000001", "1000000000000",
        ])
    func decimals(text: String) throws {
        let value = try #require(Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
        #expect(try Numbers(value).text() == text)
        #expect(try Numbers<Decimal>(json: Numbers(value).jsonData(), options: .strict).value == value)
    }

    @Test(
        "A JSONNumber is written with its original digits",
        arguments: ["1.0", "1e2", "-0", "0.10", "1E+400", "123456789012345678901234567890", "1.000e-5"])
    func keptDigits(text: String) throws {
        let value = try #require(JSONNumber(text))
        #expect(try Numbers(value).text() == text)
        #expect(try Numbers(JSONValue.number(value)).text() == text)
        #expect(try Numbers<JSONNumber>(json: Numbers(value).jsonData()).value?.text == text)
    }
}
