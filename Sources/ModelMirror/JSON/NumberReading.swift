#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Integers from number tokens and from the text of strings: exact over each type's whole range, never wrapped.
enum IntegerReading {
    /// The value of a number token, or nil if it is not integral (`1.0` and `1e3` are) or does not fit the type.
    static func integer<Value: FixedWidthInteger>(_ token: NumberToken, as type: Value.Type) -> Value? {
        if token.isPlainInteger, !token.isCut, token.exponent == 0 {
            guard token.isNegative else { return Value(exactly: token.significand) }
            guard let value = Int128(exactly: token.significand) else { return nil }
            return Value(exactly: -value)
        }
        if token.isPlainInteger { return integer(digits: token.text) }
        return integralDigits(token, atMost: Value.bitWidth)?.withUnsafeBufferPointer { integer(digits: $0) }
    }

    /// The digits of a token with a fraction or an exponent, and its sign; nil if it is not integral or has more digits.
    @inline(never)
    private static func integralDigits(_ token: NumberToken, atMost limit: Int) -> [UInt8]? {
        if token.significand == 0, !token.isCut { return [UInt8(ascii: "0")] }
        // The digits of the text, and how many zeros follow them (or how many digits follow the point).
        var digits: [UInt8] = []
        var shift = 0
        var isFraction = false
        for byte in token.text {
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if byte | 0x20 == UInt8(ascii: "e") {
                break
            } else if byte != UInt8(ascii: "-") {
                digits.append(byte)
                if isFraction { shift -= 1 }
            }
        }
        if let mark = token.text.lastIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            guard let exponent = Int(String(decoding: token.text[(mark + 1)...], as: UTF8.self)) else { return nil }
            // No integer type holds a million digits.
            guard exponent < 1_000_000 else { return nil }
            shift += max(exponent, -1_000_000_000)
        }
        while shift < 0, let last = digits.last {
            guard last == UInt8(ascii: "0") else { return nil }
            digits.removeLast()
            shift += 1
        }
        guard shift >= 0 else { return nil }
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        guard significant.count + shift <= limit else { return nil }
        return (token.isNegative ? [UInt8(ascii: "-")] : []) + significant
            + Array(repeating: UInt8(ascii: "0"), count: shift)
    }

    /// Whether a number is at least 2⁶³ or about that far below zero.
    static func isLarge(_ token: NumberToken) -> Bool {
        FloatingPointRounding.double(token).map { abs($0) >= 0x1p63 } ?? true
    }

    /// The value of a string's text: an optional sign and digits, at most 64 characters in all.
    static func integer<Value: FixedWidthInteger>(text: UnsafeBufferPointer<UInt8>, as type: Value.Type) -> Value? {
        text.count <= 64 ? integer(digits: text) : nil
    }

    /// The value of an optional sign and digits; nil if it does not fit.
    static func integer<Value: FixedWidthInteger>(digits text: String) -> Value? {
        text.reading { integer(digits: UnsafeBufferPointer(start: $0, count: $1)) } ?? nil
    }

    private static func integer<Value: FixedWidthInteger>(digits: UnsafeBufferPointer<UInt8>) -> Value? {
        if Value.bitWidth > 128 { return wideInteger(digits: digits) }
        guard let (magnitude, isNegative) = parsed(digits) else { return nil }
        guard isNegative else { return Value(exactly: magnitude) }
        guard magnitude <= Int128.min.magnitude else { return nil }
        return Value(exactly: Int128(truncatingIfNeeded: 0 &- magnitude))
    }

    /// The same for a user's own type.
    @_semantics("optimize.sil.specialize.generic.never")
    private static func wideInteger<Value: FixedWidthInteger>(digits: UnsafeBufferPointer<UInt8>) -> Value? {
        Value(String(decoding: digits, as: UTF8.self), radix: 10)
    }

    /// The value of an optional sign and digits; nil from 2¹²⁸ on.
    ///
    /// Not `Value(text, radix: 10)`, of which each of the twelve integer types has its own copies, and which needs a string.
    @inline(never)
    private static func parsed(_ text: UnsafeBufferPointer<UInt8>) -> (magnitude: UInt128, isNegative: Bool)? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = text.dropFirst(isNegative || text.first == UInt8(ascii: "+") ? 1 : 0)
        guard !digits.isEmpty else { return nil }
        // As many digits as 64 bits always hold.
        var start: UInt64 = 0
        for byte in digits.prefix(19) {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            start = start &* 10 &+ UInt64(digit)
        }
        var magnitude = UInt128(start)
        for byte in digits.dropFirst(19) {
            let digit = byte &- UInt8(ascii: "0")
            let (product, isOver) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, isOverToo) = product.addingReportingOverflow(UInt128(digit))
            guard digit <= 9, !isOver, !isOverToo else { return nil }
            magnitude = sum
        }
        return (magnitude, isNegative)
    }
}

/// `Decimal` from a number's digits, never through `Double`.
enum DecimalReading {
    /// The exact value; nil if it does not fit: `Decimal` holds integers below 2¹²⁸ times ten to the power of -128 to 127.
    static func decimal(_ token: NumberToken) -> Decimal? {
        if token.significand == 0, !token.isCut { return 0 }
        guard let (significand, exponent) = fitted(token) else { return nil }
        // From two exact halves, because Decimal has no initialiser from 128 bits.
        let half: UInt128 = 10_000_000_000_000_000_000
        var value = Decimal(UInt64(significand % half))
        let upper = significand / half
        if upper > 0 {
            value += Decimal(sign: .plus, exponent: 19, significand: Decimal(UInt64(upper % half)))
            if upper >= half { value += Decimal(sign: .plus, exponent: 38, significand: Decimal(UInt64(upper / half))) }
        }
        let result = Decimal(sign: token.isNegative ? .minus : .plus, exponent: exponent, significand: value)
        // The initialiser normalises 10 · 10¹²⁷ to 1 · 10¹²⁸, an exponent it cannot hold; the one from text does not.
        return result.isNaN ? Decimal(string: "\(token.isNegative ? "-" : "")\(significand)e\(exponent)") : result
    }

    /// The digits as one integer without trailing zeros, and its power of ten within Decimal's range.
    private static func fitted(_ token: NumberToken) -> (significand: UInt128, exponent: Int)? {
        var significand: UInt128 = 0
        var zeros = 0
        var exponent = 0
        var isFraction = false
        for byte in token.text {
            switch byte {
            case UInt8(ascii: "-"): continue
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                let mark = token.text.lastIndex(of: byte) ?? 0
                guard let written = Int(String(decoding: token.text[(mark + 1)...], as: UTF8.self)),
                    written.magnitude < 1_000_000_000
                else { return nil }
                exponent += written
                return shifted(significand, exponent + zeros)
            case UInt8(ascii: "0"):
                if isFraction { exponent -= 1 }
                zeros += 1
                if significand == 0 { zeros = 0 }
            default:
                if isFraction { exponent -= 1 }
                // The zeros between two digits are digits now.
                for _ in 0...zeros {
                    let (product, overflow) = significand.multipliedReportingOverflow(by: 10)
                    if overflow { return nil }
                    significand = product
                }
                zeros = 0
                let (sum, overflow) = significand.addingReportingOverflow(UInt128(byte - UInt8(ascii: "0")))
                if overflow { return nil }
                significand = sum
            }
        }
        return shifted(significand, exponent + zeros)
    }

    /// Moves an exponent above 127 into the digits, as far as there is room.
    private static func shifted(_ significand: UInt128, _ exponent: Int) -> (UInt128, Int)? {
        guard exponent >= -128, exponent <= 127 + 38 else { return nil }
        var (significand, exponent) = (significand, exponent)
        while exponent > 127 {
            let (product, overflow) = significand.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            (significand, exponent) = (product, exponent - 1)
        }
        return (significand, exponent)
    }
}
