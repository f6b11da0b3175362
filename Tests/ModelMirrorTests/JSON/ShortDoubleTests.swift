import Foundation
import Testing

@testable import ModelMirror

#if DEBUG
private let inputCount = 20_000
#else
private let inputCount = 400_000
#endif

private final class Box: AbstractModel {
    var values: [Double] = []
}

/// Numbers of at most 19 digits without an exponent, as texts.
private struct ShortTexts {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Random digits with a decimal point somewhere among them.
    mutating func next() -> String {
        let count = generator.number(in: 2...19)
        var digits = "\(generator.number(in: 1...9))"
        while digits.utf8.count < count { digits += "\(generator.below(10))" }
        let point = generator.number(in: 1...count - 1)
        // Every fourth begins with zeros, as small numbers do.
        let whole = generator.below(4) == 0 ? "0" : String(digits.prefix(point))
        let text = whole + "." + digits.suffix(count - point)
        return generator.below(4) == 0 ? "-" + text : text
    }

    /// The 19 digits at and next to the middle between two neighboring doubles from 1 to 1024.
    mutating func nextToMiddle() -> [String] {
        // 54 bits, the lowest of them half a unit of the double's last place.
        let middle = UInt128(generator.next() >> 10 | 1 << 53 | 1)
        let shift = UInt128(generator.number(in: 44...53))
        let whole = middle >> shift
        let places = 19 - "\(whole)".utf8.count
        let scale = (0..<places).reduce(UInt128(1)) { scale, _ in scale * 10 }
        let digits = middle * scale >> shift
        return (digits - 1...digits + 2).map { number in
            let fraction = "\(number % scale)"
            return "\(number / scale)." + String(repeating: "0", count: places - fraction.utf8.count) + fraction
        }
    }

    /// Integers at and next to the middle between two neighboring doubles from 2⁵³ to 2⁶³.
    mutating func integersNextToMiddle() -> [String] {
        let middle = (generator.next() >> 10 | 1 << 53 | 1) << UInt64(generator.below(10))
        return [middle - 1, middle, middle + 1].map { "\($0)" }
    }
}

@Suite("Short floating-point numbers")
struct ShortDoubleTests {
    /// The value that the fast path reads from a text, and how many bytes it consumes.
    private static func read(_ text: String) -> (value: Double?, passed: Int) {
        text.reading { bytes, count in
            var reader = JSONReader(bytes, count: count, depth: 1)
            let value = reader.readShortDouble()
            return (value, reader.offset)
        } ?? (nil, -1)
    }

    @Test(
        "A short number is read exactly and up to its end",
        arguments: [
            ("0", 0), ("-0", -0.0), ("0.0", 0), ("-0.000", -0.0), ("7", 7), ("-12.5", -12.5), ("0.1", 0.1),
            ("12345678", 12_345_678), ("0.12345678", 0.12345678), ("0.123456789", 0.123456789),
            ("1.2345678", 1.2345678), ("1.23456789012345678", 1.23456789012345678),
            ("9007199254740991", 0x1.fffffffffffffp52),
            ("9007199254740992", 0x1p53), ("9007199254740994", 0x1.0000000000001p53), ("9999999999999999999", 1e19),
            ("-65.613616999999977", -65.613616999999977), ("0.000000000000000001", 1e-18),
        ] as [(String, Double)])
    func exact(_ text: String, _ value: Double) {
        for tail in ["", ",", " ", "]", "}", "\n", "a", "-"] {
            let (read, passed) = Self.read(text + tail)
            #expect(read?.bitPattern == value.bitPattern)
            #expect(passed == text.utf8.count)
        }
    }

    @Test(
        "Other texts are left unread",
        arguments: [
            "", "-", "a", "\"1\"", ".5", "+1", "01", "-01.5", "00", "1.", "-1.", "1.a", "1e5", "1E5", "1.5e-3", "0e0",
            "12345678901234567890", "0.12345678901234567890", "1234567890.1234567890", "99999999999999999999999.5",
            // Halfway between two doubles, where one multiplication does not decide.
            "9007199254740993", "-9007199254740995", "9007199254740993.0",
        ])
    func others(_ text: String) {
        let (value, passed) = Self.read(text)
        #expect(value == nil)
        #expect(passed == 0)
    }

    @Test(
        "Random short numbers are read as the same doubles as by the standard library and C",
        arguments: [1, 2, 3] as [UInt64])
    func random(_ seed: UInt64) {
        var texts = ShortTexts(seed: seed)
        var wrong: [String] = []
        var undecided = 0
        for _ in 0..<inputCount / 4 {
            let text = texts.next()
            guard let value = Self.read(text).value else {
                undecided += 1
                continue
            }
            if value.bitPattern != strtod(text, nil).bitPattern || value != Double(text) { wrong.append(text) }
        }
        #expect(wrong == [])
        #expect(undecided < inputCount / 4 / 100)
    }

    @Test("Numbers next to the midpoint of two doubles are rounded correctly", arguments: [4, 5, 6] as [UInt64])
    func middles(_ seed: UInt64) {
        var texts = ShortTexts(seed: seed)
        var wrong: [String] = []
        var decided = 0
        for _ in 0..<inputCount / 10 {
            for text in texts.nextToMiddle() + texts.integersNextToMiddle() {
                guard let value = Self.read(text).value else { continue }
                decided += 1
                if value.bitPattern != strtod(text, nil).bitPattern || value != Double(text) { wrong.append(text) }
            }
        }
        #expect(wrong == [])
        #expect(decided > 0)
    }

    /// (JSONSerialization reads numbers of more than 17 digits as `NSDecimalNumber`, which rounds wrong.)
    @Test("Arrays of numbers are read as by JSONSerialization", arguments: [7, 8] as [UInt64])
    func documents(_ seed: UInt64) throws {
        var texts = ShortTexts(seed: seed)
        let numbers = (0..<inputCount / 20).map { _ in texts.next() }
        let array = "[" + numbers.joined(separator: ",") + "]"
        let box = try Box(json: ExactBytes(#"{"values":\#(array)}"#))
        let judged = try #require(try JSONSerialization.jsonObject(with: Data(array.utf8)) as? [NSNumber])
        #expect(box.values.count == numbers.count)
        let comparable = zip(box.values, judged).filter { !($1 is NSDecimalNumber) }
        #expect(comparable.count > numbers.count / 2)
        #expect(comparable.allSatisfy { $0.bitPattern == $1.doubleValue.bitPattern })
    }
}
