/// A number token that was checked and passed: its digits as an integer times a power of ten.
struct NumberToken {
    let isNegative: Bool
    /// The first 19 digits after leading zeros, read as an integer.
    let significand: UInt64
    /// The power of ten of `significand`'s last digit, clamped to ±1 000 000 000.
    let exponent: Int
    /// Whether digits other than zero follow the first 19. Then `significand` is cut off, not rounded.
    let isCut: Bool
    /// Whether the text has neither a decimal point nor an exponent.
    let isPlainInteger: Bool
    /// The token as it stands in the document.
    let text: UnsafeBufferPointer<UInt8>

    var string: String { String(decoding: text, as: UTF8.self) }
}

extension JSONReader {
    /// Checks and passes the number at the cursor, whose first byte is `-` or a digit (RFC 8259 section 6).
    mutating func scanNumber() throws(Interruption) -> NumberToken {
        let first = cursor
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative { cursor += 1 }

        var digits = DigitAccumulator()
        guard let leading = digit else { throw expected(.digit) }
        cursor += 1
        if leading == 0 {
            if digit != nil { throw expected(.noLeadingZero) }
        } else {
            digits.append(leading)
            passDigits(into: &digits)
        }
        var pointShift = digits.dropped

        var isPlainInteger = true
        if byte == UInt8(ascii: ".") {
            isPlainInteger = false
            cursor += 1
            guard digit != nil else { throw expected(.fractionDigit) }
            let fraction = cursor
            passDigits(into: &digits)
            // Every fraction digit that was taken moves the last digit's place one down.
            pointShift -= (cursor - fraction) - (digits.dropped - pointShift)
        }

        var exponent = 0
        if byte | 0x20 == UInt8(ascii: "e") {
            isPlainInteger = false
            cursor += 1
            let isDown = byte == UInt8(ascii: "-")
            if isDown || byte == UInt8(ascii: "+") { cursor += 1 }
            guard digit != nil else { throw expected(.exponentDigit) }
            while let next = digit {
                if exponent < 1_000_000_000 { exponent = exponent * 10 + Int(next) }
                cursor += 1
            }
            exponent = min(exponent, 1_000_000_000)
            if isDown { exponent = -exponent }
        }
        return NumberToken(
            isNegative: isNegative, significand: digits.value, exponent: exponent + pointShift, isCut: digits.isCut,
            isPlainInteger: isPlainInteger, text: UnsafeBufferPointer(start: first, count: cursor - first))
    }

    /// The digit at the cursor, if one is there.
    @inline(__always)
    private var digit: UInt8? {
        let value = byte &- UInt8(ascii: "0")
        return value < 10 ? value : nil
    }

    @inline(__always)
    private mutating func passDigits(into digits: inout DigitAccumulator) {
        while let next = digit {
            digits.append(next)
            cursor += 1
        }
    }

    /// Reads a plain integer of at most 18 digits, or nothing: then the cursor has not moved.
    ///
    /// The common case of integer properties, without building a token. A leading zero, a fraction, an exponent or a longer
    /// number is left to ``scanNumber()``.
    @inline(__always)
    mutating func readShortInteger() -> Int? {
        var position = cursor
        let isNegative = position < end && position.pointee == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let first = position
        let limit = min(end, first + 19)
        var value = 0
        while position < limit {
            let digit = position.pointee &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            value = value &* 10 &+ Int(digit)
            position += 1
        }
        let count = position - first
        guard count > 0, count < 19, count == 1 || first.pointee != UInt8(ascii: "0") else { return nil }
        if position < end {
            let next = position.pointee
            if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") { return nil }
        }
        cursor = position
        return isNegative ? -value : value
    }
}

/// The first 19 significant digits of a number (19 nines fit in 64 bits), and what became of the others.
private struct DigitAccumulator {
    private(set) var value: UInt64 = 0
    /// Digits passed after the nineteenth.
    private(set) var dropped = 0
    /// Whether one of them was not zero.
    private(set) var isCut = false
    private var count = 0

    @inline(__always)
    mutating func append(_ digit: UInt8) {
        if count < 19 {
            value = value &* 10 &+ UInt64(digit)
            if value != 0 { count += 1 }
        } else {
            dropped += 1
            if digit != 0 { isCut = true }
        }
    }
}
