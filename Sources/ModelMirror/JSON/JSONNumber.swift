#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A JSON number with all its digits, as written in the document.
///
/// Each property converts the digits exactly or returns nil, except ``double``, which rounds. Numbers are equal if their values
/// are: `1`, `1.0` and `10e-1` are equal and have the same hash.
///
/// ```swift
/// let number = JSONNumber("12345678901234567890.50")!
/// number.decimal       // 12345678901234567890.5
/// number.int           // nil: not an integer
/// ```
public struct JSONNumber: Hashable, Sendable, CustomStringConvertible {
    /// The number as written, in the grammar of RFC 8259 section 6.
    public let text: String

    /// Makes a number from its text; nil if the text is not exactly a JSON number.
    public init?(_ text: String) {
        let isNumber = text.reading { bytes, count in
            var reader = JSONReader(bytes, count: count, depth: 1)
            guard reader.byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= reader.byte,
                (try? reader.scanNumber()) != nil
            else { return false }
            return reader.offset == count
        }
        guard isNumber == true else { return nil }
        self.text = text
    }

    /// A number from a token that the reader has checked.
    init(checked text: String) { self.text = text }

    /// An integer of any width.
    public init(_ value: some BinaryInteger) { text = String(value) }

    /// The shortest number that reads back as the same `Double`; nil for infinities and NaN, which JSON cannot hold.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = JSONNumber.shortest(value.description)
    }

    /// The shortest number that reads back as the same `Float`; nil for infinities and NaN, which JSON cannot hold.
    public init?(_ value: Float) {
        guard value.isFinite else { return nil }
        text = JSONNumber.shortest(value.description)
    }

    /// A decimal number; nil for NaN, which JSON cannot hold.
    public init?(_ value: Decimal) {
        guard !value.isNaN else { return nil }
        text = value.description
    }

    /// Drops the `.0` that Swift writes after integral numbers.
    private static func shortest(_ description: String) -> String {
        description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }

    /// The number as written.
    public var description: String { text }

    // MARK: Values

    /// The value as an integer of the given type; nil if it is not integral (`1.0` and `1e3` are) or does not fit.
    public func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value? {
        token { IntegerReading.integer($0, as: type) }
    }

    /// The value as an `Int`; nil if it is not integral or does not fit.
    public var int: Int? { integer() }

    /// The value correctly rounded to a `Double`; nil if it is too large. Values that are too small become ±0.
    public var double: Double? { token(FloatingPointRounding.double) }

    /// The exact value as a `Decimal`; nil if it has more digits or a larger exponent than fit.
    public var decimal: Decimal? { token(DecimalReading.decimal) }

    private func token<Result>(_ body: (NumberToken) -> Result?) -> Result? {
        text.reading { bytes, count -> Result? in
            var reader = JSONReader(bytes, count: count, depth: 1)
            guard let token = try? reader.scanNumber() else { return nil }
            return body(token)
        } ?? nil
    }

    /// Whether the value is an integer of any size: `1.0` and `1e3` are.
    var isIntegral: Bool { canonical.exponent >= 0 }

    // MARK: Equality by value

    /// Whether both numbers have the same value.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        left.text == right.text || left.canonical == right.canonical
    }

    /// Hashes the value, not its text.
    public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }

    /// Sign, digits without outer zeros, and the power of ten of the last digit; unique for each value.
    var canonical: Canonical {
        var digits: [UInt8] = []
        var exponent = 0
        var isFraction = false
        var bytes = text.utf8[...]
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "-"): continue
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                // An exponent beyond Int is useless, but its sign still distinguishes such numbers.
                let written = Int(Substring(bytes)) ?? (bytes.first == UInt8(ascii: "-") ? .min / 2 : .max / 2)
                exponent += min(max(written, .min / 2), .max / 2)
                bytes = bytes[bytes.endIndex...]
            default:
                if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
                if isFraction { exponent -= 1 }
            }
        }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { return Canonical(isNegative: false, digits: [], exponent: 0) }
        return Canonical(isNegative: text.hasPrefix("-"), digits: digits, exponent: exponent)
    }

    struct Canonical: Hashable {
        let isNegative: Bool
        let digits: [UInt8]
        let exponent: Int
    }
}

/// Numbers from Swift literals. Digits beyond those of `Double` need ``JSONNumber/init(_:)-(String)``.
extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// An integer.
    public init(integerLiteral value: Int128) { self.init(value) }

    /// The shortest number that reads back as the same `Double`.
    ///
    /// A literal beyond the range of `Double`, for which the compiler warns, becomes ±1e309, which is also beyond it.
    public init(floatLiteral value: Double) {
        // No literal is NaN.
        self = JSONNumber(value) ?? JSONNumber(checked: value.isNaN ? "0" : value < 0 ? "-1e309" : "1e309")
    }
}
