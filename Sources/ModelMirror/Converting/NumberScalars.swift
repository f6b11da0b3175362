#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A scalar that reads itself from a number's digits, and leniently from a string that is a JSON number.
///
/// `Double`, `Float`: correctly rounded; what is too small becomes ±0, what is too large does not fit. `Decimal`: exact from
/// the digits, or it does not fit.
protocol JSONNumberScalar: JSONScalar {
    /// The value of a number token, or nil if it does not fit.
    static func value(_ token: NumberToken) -> Self?
    /// The number that reads back equal; nil for infinities and NaN.
    var number: JSONNumber? { get }
}

extension JSONNumberScalar {
    static var expected: String { "a number" }
    static var schema: JSONValue { ["type": "number"] }

    @inline(__always)
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Self? {
        let offset = reader.offset
        switch reader.byte {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return value(try reader.scanNumber()) ?? session.refused(at: offset, expected)
        case UInt8(ascii: "\"") where !session.rules.strict:
            guard let value = number(in: try reader.readString()) else { return session.refused(at: offset, expected) }
            session.coerced(at: offset, expected)
            return value
        default: return try session.refuse(&reader, expected)
        }
    }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) {
        guard let number else { return session.refuse(&writer, expected: "a finite number", found: "\(self)") }
        writer.append(json: number.text)
    }

    /// The value of a text that is exactly a JSON number.
    private static func number(in text: String) -> Self? {
        text.reading { bytes, count -> Self? in
            var reader = JSONReader(bytes, count: count, depth: 1)
            guard reader.isAtNumber, let token = try? reader.scanNumber(), reader.offset == count, reader.origin == 0
            else { return nil }
            return value(token)
        } ?? nil
    }
}

extension Double: JSONNumberScalar {
    static var expected: String { "a number" }
    @inline(__always)
    static func value(_ token: NumberToken) -> Double? { FloatingPointRounding.double(token) }
    var number: JSONNumber? { JSONNumber(self) }
}

extension Float: JSONNumberScalar {
    static var expected: String { "a number in Float's range" }
    static func value(_ token: NumberToken) -> Float? { FloatingPointRounding.float(token) }
    var number: JSONNumber? { JSONNumber(self) }
}

extension Decimal: JSONNumberScalar {
    static var expected: String { "a decimal number of at most 38 digits" }
    static func value(_ token: NumberToken) -> Decimal? { DecimalReading.decimal(token) }
    var number: JSONNumber? { JSONNumber(self) }
}
