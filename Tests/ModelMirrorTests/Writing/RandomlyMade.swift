import Foundation
import ModelMirror

/// A type that can generate random values, including ones that are hard to write and read back.
protocol RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> Self

    /// Whether the values are identical, where `==` is also true for others, such as 0 and -0.
    func isSame(as other: Self) -> Bool
}

extension RandomlyMade where Self: Equatable {
    func isSame(as other: Self) -> Bool { self == other }
}

extension SeededGenerator {
    /// True with a probability of one in `count`.
    mutating func happens(onceIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    /// One of the values.
    mutating func oneOf<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &self)] }
}

// MARK: Numbers

extension RandomlyMade where Self: FixedWidthInteger {
    static func random(_ generator: inout SeededGenerator) -> Self {
        if generator.happens(onceIn: 3) { return generator.oneOf([0, 1, .max, .min, .max - 1, .min + 1, 10, 99, 100]) }
        // With a random number of bits, since almost all would have the most digits otherwise.
        return Self.random(in: .min ... .max, using: &generator) >> Int.random(in: 0..<Self.bitWidth, using: &generator)
    }
}

extension Int: RandomlyMade {}
extension Int8: RandomlyMade {}
extension Int16: RandomlyMade {}
extension Int32: RandomlyMade {}
extension Int64: RandomlyMade {}
extension Int128: RandomlyMade {}
extension UInt: RandomlyMade {}
extension UInt8: RandomlyMade {}
extension UInt16: RandomlyMade {}
extension UInt32: RandomlyMade {}
extension UInt64: RandomlyMade {}
extension UInt128: RandomlyMade {}

extension Double: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> Double {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            return generator.oneOf([
                0, -0.0, 1, 0.1, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 1e100,
                9_007_199_254_740_992,
            ])
        case 1: return Double(Int.random(in: -100_000...100_000, using: &generator)) / 100
        default:
            let value = Double(bitPattern: generator.next())
            return value.isFinite ? value : 1
        }
    }

    func isSame(as other: Double) -> Bool { bitPattern == other.bitPattern }
}

extension Float: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> Float {
        if generator.happens(onceIn: 4) {
            return generator.oneOf([0, -0.0, 0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 16_777_216])
        }
        let value = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
        return value.isFinite ? value : 1
    }

    func isSame(as other: Float) -> Bool { bitPattern == other.bitPattern }
}

extension Decimal: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> Decimal {
        var value: Decimal = 0
        for _ in 0..<Int.random(in: 1...38, using: &generator) {
            value = value * 10 + Decimal(Int.random(in: 0...9, using: &generator))
        }
        let exponent = Int.random(in: generator.happens(onceIn: 4) ? -128...80 : -20...2, using: &generator)
        return Decimal(sign: generator.happens(onceIn: 2) ? .minus : .plus, exponent: exponent, significand: value)
    }
}

extension Bool: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> Bool { generator.happens(onceIn: 2) }
}

// MARK: Text

extension Character: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> Character {
        generator.oneOf([
            "a", "Z", "0", " ", "\"", "\\", "/", "\u{0}", "\u{8}", "\t", "\n", "\r", "\r\n", "\u{1F}", "\u{7F}", "ä",
            "a\u{308}", "ß",
            "€", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFF}", "日", "😀", "👩‍👩‍👧", "🇫🇷", "\u{301}", "\u{10FFFF}",
        ])
    }

    func isSame(as other: Character) -> Bool { Array(utf8) == Array(other.utf8) }
}

extension String: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> String {
        let length = generator.happens(onceIn: 10) ? 100 : Int.random(in: 0...12, using: &generator)
        return (0..<length).reduce(into: "") { text, _ in text.append(Character.random(&generator)) }
    }

    func isSame(as other: String) -> Bool { Array(utf8) == Array(other.utf8) }
}

extension Substring: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> Substring { String.random(&generator).dropFirst(2) }
}

// MARK: Foundation

extension Date: RandomlyMade {
    /// In the years 0 to 9999, but not close to 2001-01-01, where a date is more precise than nanoseconds.
    static func random(_ generator: inout SeededGenerator) -> Date {
        var seconds = Double.random(in: -62_167_219_200..<253_402_300_799, using: &generator)
        if generator.happens(onceIn: 2) { seconds = Double.random(in: 1e9..<2e9, using: &generator) }
        if abs(seconds - 978_307_200) < 1e7 { seconds = 0 }
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return Date(timeIntervalSince1970: seconds.rounded())
        case 1: return Date(timeIntervalSince1970: (seconds * 1000).rounded() / 1000)
        default: return Date(timeIntervalSince1970: seconds)
        }
    }
}

extension URL: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> URL {
        let texts = [
            "https://example.com", "https://example.com/a%20b?c=d&e=%C3%A4#f", "relative/path", "?query", "#fragment",
            "/root",
            "mailto:someone@example.com", "http://[::1]:8080/", "file:///tmp/x", "a",
        ]
        return URL(string: generator.oneOf(texts)) ?? URL(filePath: "/")
    }
}

extension UUID: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> UUID {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) {
            for index in $0.indices { $0[index] = .random(in: 0...255, using: &generator) }
        }
        return UUID(uuid: bytes)
    }
}

extension Data: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> Data {
        Data((0..<Int.random(in: 0...20, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
}

extension TimeZone: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> TimeZone {
        let quarters = Int.random(in: -48...56, using: &generator)
        return generator.happens(onceIn: 2)
            ? TimeZone(secondsFromGMT: quarters * 900) ?? .gmt
            : TimeZone(identifier: generator.oneOf(["GMT", "Europe/Paris", "Asia/Kolkata", "America/New_York"])) ?? .gmt
    }
}

extension Locale: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> Locale {
        Locale(identifier: generator.oneOf(["en", "de_DE", "zh-Hant_TW", "en_US_POSIX", "fr_FR@currency=EUR"]))
    }
}

// MARK: ModelMirror

extension RGBAColor: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> RGBAColor {
        func component() -> Double { Double(Int.random(in: 0...255, using: &generator)) / 255 }
        let opaque = generator.happens(onceIn: 2)
        return RGBAColor(red: component(), green: component(), blue: component(), alpha: opaque ? 1 : component())
    }
}

extension JSONNumber: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> JSONNumber {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            generator.oneOf(
                ["0", "-0", "0.0", "1.0", "1e2", "1E+5", "-2.50e-3", "1e400", "123456789012345678901234567890"]
                    .compactMap { JSONNumber($0) })
        case 1: JSONNumber(Double.random(&generator)) ?? 1
        case 2: JSONNumber(Decimal.random(&generator)) ?? 2
        default: JSONNumber(Int.random(&generator))
        }
    }

    func isSame(as other: JSONNumber) -> Bool { text == other.text }
}

extension JSONValue: RandomlyMade {
    /// Not null at the top level, since an Optional would read it back as nil.
    static func random(_ generator: inout SeededGenerator) -> JSONValue { random(&generator, depth: 0) }

    private static func random(_ generator: inout SeededGenerator, depth: Int) -> JSONValue {
        switch Int.random(in: (depth == 0 ? 1 : 0)...(depth < 4 ? 5 : 3), using: &generator) {
        case 0: .null
        case 1: .bool(.random(&generator))
        case 2: .number(.random(&generator))
        case 3: .string(.random(&generator))
        case 4: .array((0..<Int.random(in: 0...4, using: &generator)).map { _ in random(&generator, depth: depth + 1) })
        default:
            .object(
                Dictionary(
                    (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                        (String.random(&generator), random(&generator, depth: depth + 1))
                    }, uniquingKeysWith: { $1 }))
        }
    }
}

// MARK: Containers

extension Optional: RandomlyMade where Wrapped: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> Wrapped? {
        generator.happens(onceIn: 4) ? nil : .random(&generator)
    }

    func isSame(as other: Wrapped?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.isSame(as: other)
    }
}

extension Array: RandomlyMade where Element: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> [Element] {
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in .random(&generator) }
    }

    func isSame(as other: [Element]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) }
    }
}

extension ContiguousArray: RandomlyMade where Element: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> ContiguousArray {
        ContiguousArray([Element].random(&generator))
    }

    func isSame(as other: ContiguousArray) -> Bool { Array(self).isSame(as: Array(other)) }
}

extension Set: RandomlyMade where Element: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> Set { Set([Element].random(&generator)) }
}

extension Dictionary: RandomlyMade where Key: RandomlyMade, Value: RandomlyMade {
    static func random(_ generator: inout SeededGenerator) -> [Key: Value] {
        let members = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            (Key.random(&generator), Value.random(&generator))
        }
        return Dictionary(members) { $1 }
    }

    func isSame(as other: [Key: Value]) -> Bool {
        count == other.count && allSatisfy { key, value in other[key].map { value.isSame(as: $0) } ?? false }
    }
}
