public import ModelMirrorFoundation

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
        self.text = text
        guard JSONNumber.token(of: text, { $0.text.count }) != nil else { return nil }
    }

    /// A number from a token that the reader has checked.
    init(checked text: String) { self.text = text }

    /// An integer of any width.
    public init(_ value: some BinaryInteger) { text = String(value) }

    /// The shortest number that reads back as the same value of its type; nil for infinities and NaN, which JSON cannot hold.
    public init?(_ value: some BinaryFloatingPoint) {
        guard value.isFinite else { return nil }
        // Drops the `.0` that Swift writes after integral numbers.
        let description = "\(value)"
        text = description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }

    /// A decimal number; nil for NaN, which JSON cannot hold.
    public init?(_ value: Decimal) {
        guard !value.isNaN else { return nil }
        text = value.description
    }

    /// The number as written.
    public var description: String { text }

    // MARK: Values

    /// The value as an integer of the given type; nil if it is not integral (`1.0` and `1e3` are) or does not fit.
    public func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value? {
        JSONNumber.token(of: text) { IntegerReading.integer($0, as: type) }
    }

    /// The value as an `Int`; nil if it is not integral or does not fit.
    public var int: Int? { integer() }

    /// The value correctly rounded to a `Double`; nil if it is too large. Values that are too small become ±0.
    public var double: Double? { JSONNumber.token(of: text, FloatingPointRounding.double) }

    /// The exact value as a `Decimal`; nil if it has more digits or a larger exponent than fit.
    public var decimal: Decimal? { JSONNumber.token(of: text, DecimalReading.decimal) }

    /// What `body` makes of a text that is exactly a JSON number; nil for others.
    static func token<Result>(of text: String, _ body: (NumberToken) -> Result?) -> Result? {
        text.reading { bytes, count -> Result? in
            var reader = JSONReader(bytes, count: count, depth: 1)
            guard let token = try? reader.scanNumber(), token.text.count == count else { return nil }
            return body(token)
        } ?? nil
    }

    /// Whether the value is an integer of any size: `1.0` and `1e3` are.
    package var isIntegral: Bool { canonical.exponent >= 0 }

    // MARK: Equality by value

    /// Whether both numbers have the same value.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        left.text == right.text || left.canonical == right.canonical
    }

    /// Hashes the value, not its text.
    public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }

    var canonical: ExactDigits { ExactDigits(text.utf8) }
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

/// Coding for other formats and libraries, as exact as their coders allow: integers up to 128 bits, otherwise `Decimal`, or
/// `Double`.
extension JSONNumber: Codable {
    /// Reads a number.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a value that is not a number, or is too large for the coder.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = JSONNumber.common(in: container) ?? JSONNumber.wide(in: container) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Expected a number that JSON can hold.")
        }
        self = number
    }

    /// Writes the number.
    ///
    /// Integers are written as the first of `Int64`, `UInt64`, `Int128`, `UInt128` that holds them; other numbers as `Double` if
    /// its shortest form has the same digits, as for `0.1`, otherwise as `Decimal` if exact, otherwise as the nearest `Double`. Coders
    /// without 128-bit integers get a `Double`; `Decimal` is a number for Foundation's JSON coder, and a keyed container for
    /// most others.
    ///
    /// - Throws: `EncodingError.invalidValue` for a number that is too large for `Double` and every integer type.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try encode(to: &container)
    }

    func encode(to container: inout any SingleValueEncodingContainer) throws {
        if let value = integer(Int64.self) { return try container.encode(value) }
        if let value = integer(UInt64.self) { return try container.encode(value) }
        if let value = integer(Int128.self), (try? container.encode(value)) != nil { return }
        if let value = integer(UInt128.self), (try? container.encode(value)) != nil { return }
        guard let double else {
            let reason = "The number \(text) is too large for Double."
            let context = EncodingError.Context(codingPath: container.codingPath, debugDescription: reason)
            throw EncodingError.invalidValue(self, context)
        }
        if JSONNumber(double) != self, integer(Int128.self) == nil, integer(UInt128.self) == nil, let decimal {
            try container.encode(decimal)
        } else {
            try container.encode(double)
        }
    }

    /// A number that an ordinary decoder returns as `Int64` or `Double`, refined by wider types.
    static func common(in container: any SingleValueDecodingContainer) -> JSONNumber? {
        if let value = try? container.decode(Int64.self) { return JSONNumber(value) }
        guard let value = try? container.decode(Double.self), value.isFinite else { return nil }
        return wide(in: container) ?? JSONNumber(floatLiteral: value)
    }

    /// A number that a decoder returns as one of the wider types.
    static func wide(in container: any SingleValueDecodingContainer) -> JSONNumber? {
        func integer<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) -> JSONNumber? {
            (try? container.decode(type)).map { JSONNumber($0) }
        }
        return integer(UInt64.self) ?? integer(Int128.self) ?? integer(UInt128.self)
            ?? (try? container.decode(Decimal.self)).flatMap { JSONNumber($0) }
    }
}
