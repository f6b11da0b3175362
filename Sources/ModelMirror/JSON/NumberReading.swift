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
        if token.isPlainInteger { return Value(token.string, radix: 10) }
        return integralValue(token)
    }

    /// The value of a token with a fraction or an exponent, from its digits.
    @inline(never)
    private static func integralValue<Value: FixedWidthInteger>(_ token: NumberToken) -> Value? {
        if token.significand == 0, !token.isCut { return 0 }
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
        guard significant.count + shift <= Value.bitWidth else { return nil }
        let text = String(decoding: significant, as: UTF8.self) + String(repeating: "0", count: shift)
        return Value((token.isNegative ? "-" : "") + text, radix: 10)
    }

    /// Whether a number is at least 2⁶³ or about that far below zero.
    static func isLarge(_ token: NumberToken) -> Bool {
        FloatingPointRounding.double(token).map { abs($0) >= 0x1p63 } ?? true
    }

    /// The value of a string's text: an optional sign and digits, at most 64 characters in all.
    static func integer<Value: FixedWidthInteger>(text: UnsafeBufferPointer<UInt8>, as type: Value.Type) -> Value? {
        guard text.count <= 64 else { return nil }
        return Value(String(decoding: text, as: UTF8.self), radix: 10)
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
