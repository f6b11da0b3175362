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
        // The digits of the text, and how many zeros follow them (or how many of them stand behind the point).
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
            // No integer type has room for a million digits.
            guard exponent < 1_000_000 else { return nil }
            shift += max(exponent, -2_000_000_000)
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

    /// The value of a string's text: an optional sign and digits, at most 64 characters, nothing else.
    static func integer<Value: FixedWidthInteger>(text: UnsafeBufferPointer<UInt8>, as type: Value.Type) -> Value? {
        guard text.count <= 64 else { return nil }
        return Value(String(decoding: text, as: UTF8.self), radix: 10)
    }
}
