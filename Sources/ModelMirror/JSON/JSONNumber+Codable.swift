#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Coding for other formats and libraries, as exact as their coders allow: integers up to 128 bits, else `Decimal`, else
/// `Double`.
extension JSONNumber: Codable {
    /// Reads a number.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a value that is not a number, or is too large for the coder.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = JSONNumber(commonIn: container) ?? JSONNumber(wideIn: container) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Expected a number that JSON can hold.")
        }
        self = number
    }

    /// Writes the number.
    ///
    /// Integers are written as the first of `Int64`, `UInt64`, `Int128`, `UInt128` that holds them; other numbers as `Double` if
    /// its shortest form has the same digits, as for `0.1`, else as `Decimal` if exact, else as the nearest `Double`. Coders
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
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: container.codingPath, debugDescription: "The number \(text) is too large for Double."))
        }
        if JSONNumber(double) != self, integer(Int128.self) == nil, integer(UInt128.self) == nil, let decimal {
            try container.encode(decimal)
        } else {
            try container.encode(double)
        }
    }

    /// A number that an ordinary decoder returns as `Int64` or `Double`, refined by wider types.
    init?(commonIn container: any SingleValueDecodingContainer) {
        if let value = try? container.decode(Int64.self) {
            self.init(value)
        } else if let value = try? container.decode(Double.self), value.isFinite {
            self = JSONNumber(wideIn: container) ?? JSONNumber(floatLiteral: value)
        } else {
            return nil
        }
    }

    /// A number that a decoder returns as one of the wider types.
    init?(wideIn container: any SingleValueDecodingContainer) {
        if let value = try? container.decode(UInt64.self) {
            self.init(value)
        } else if let value = try? container.decode(Int128.self) {
            self.init(value)
        } else if let value = try? container.decode(UInt128.self) {
            self.init(value)
        } else if let value = try? container.decode(Decimal.self) {
            self.init(value)
        } else {
            return nil
        }
    }
}
