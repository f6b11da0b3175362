/// A checked number token: its digits as an integer times a power of ten.
struct NumberToken {
    let isNegative: Bool
    /// The first 19 digits after leading zeros, read as an integer; of more than 19, without zeros at the end.
    let significand: UInt64
    /// The power of ten of `significand`'s last digit. The exponent in the text is clamped to ±1 000 000 000.
    let exponent: Int
    /// Whether digits other than zero follow the first 19. Then `significand` is truncated, not rounded.
    let isCut: Bool
    /// Whether the text has neither a decimal point nor an exponent.
    let isPlainInteger: Bool
    /// The token as written in the document.
    let text: UnsafeBufferPointer<UInt8>

    var string: String { String(decoding: text, as: UTF8.self) }
}

extension JSONReader {
    /// Reads and checks the number at the cursor, whose first byte is `-` or a digit (RFC 8259 section 6).
    mutating func scanNumber() throws(Interruption) -> NumberToken {
        let first = cursor
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative { cursor += 1 }

        // All digits are read as one integer. It may wrap beyond 19 digits, which are then read again.
        var significand: UInt64 = 0
        let integer = cursor
        cursor = JSONReader.digits(from: cursor, to: end, into: &significand)
        if cursor == integer { throw expected(.digit) }
        if integer.pointee == UInt8(ascii: "0"), cursor - integer > 1 {
            cursor = integer + 1
            throw expected(.noLeadingZero)
        }
        var digitCount = cursor - integer

        var pointShift = 0
        if byte == UInt8(ascii: ".") {
            cursor += 1
            let fraction = cursor
            cursor = JSONReader.digits(from: cursor, to: end, into: &significand)
            if cursor == fraction { throw expected(.fractionDigit) }
            pointShift = fraction - cursor
            digitCount -= pointShift
        }
        let isPlainInteger = pointShift == 0 && byte | 0x20 != UInt8(ascii: "e")
        var exponent = try byte | 0x20 == UInt8(ascii: "e") ? passExponent() : 0
        let text = UnsafeBufferPointer(start: first, count: cursor - first)
        var isCut = false
        if digitCount > 19 {
            let exact = ExactDigits(text)
            significand = exact.digits.prefix(19).reduce(0) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
            exponent = exact.exponent + max(exact.digits.count - 19, 0)
            isCut = exact.digits.count > 19
        } else {
            exponent += pointShift
        }
        return NumberToken(
            isNegative: isNegative, significand: significand, exponent: exponent, isCut: isCut,
            isPlainInteger: isPlainInteger, text: text)
    }

    /// Reads the exponent at the cursor and returns it, clamped to ±1 000 000 000.
    ///
    /// - Parameter word: `Int`, which has 32 bits on some watches.
    mutating func passExponent<Word: FixedWidthInteger & SignedInteger>(as word: Word.Type = Int.self)
        throws(Interruption) -> Word
    {
        cursor += 1
        let isDown = byte == UInt8(ascii: "-")
        if isDown || byte == UInt8(ascii: "+") { cursor += 1 }
        let first = cursor
        var exponent: Word = 0
        while case let digit = byte &- UInt8(ascii: "0"), digit < 10 {
            exponent = exponent < 100_000_000 ? exponent * 10 + Word(digit) : 1_000_000_000
            cursor += 1
        }
        if cursor == first { throw expected(.exponentDigit) }
        return isDown ? -exponent : exponent
    }

    /// Reads a plain integer of at most 18 digits, 9 where `Int` has 32 bits; otherwise returns nil and does not move the cursor.
    ///
    /// The common case of integer properties, without a token. ``scanNumber()`` reads numbers with a leading zero, a fraction, an
    /// exponent or more digits.
    ///
    /// - Parameter word: `Int`, which has 32 bits on some watches.
    @inline(__always)
    mutating func readShortInteger<Word: FixedWidthInteger & SignedInteger>(as word: Word.Type = Int.self) -> Word? {
        let most = Word.bitWidth < 64 ? 9 : 18
        var position = cursor
        let isNegative = position < end && position.pointee == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let first = position
        // Wraps if there are more digits, and is not used then.
        var magnitude: UInt64 = 0
        position = JSONReader.digits(from: first, to: end, into: &magnitude)
        let count = position - first
        guard count > 0, count <= most, count == 1 || first.pointee != UInt8(ascii: "0") else { return nil }
        if position < end {
            let next = position.pointee
            if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") { return nil }
        }
        cursor = position
        let value = Word(truncatingIfNeeded: magnitude)
        return isNegative ? -value : value
    }

    /// Reads a number of at most 19 digits without an exponent; otherwise returns nil and does not move the cursor.
    ///
    /// The common case of floating-point properties, without building a token. Everything else, including errors and the few
    /// numbers that are harder to round, is left to ``scanNumber()``.
    @inline(__always)
    mutating func readShortDouble() -> Double? {
        var position = cursor
        let isNegative = position < end && position.pointee == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let first = position
        // Wraps if there are more than 19 digits, and is not used then.
        var significand: UInt64 = 0
        position = JSONReader.digits(from: first, to: end, into: &significand)
        var count = position - first
        guard count > 0, count == 1 || first.pointee != UInt8(ascii: "0") else { return nil }
        var exponent = 0
        if position < end, position.pointee == UInt8(ascii: ".") {
            let fraction = position + 1
            position = JSONReader.eightDigits(from: fraction, to: end, into: &significand)
            position = JSONReader.digits(from: position, to: end, into: &significand)
            exponent = fraction - position
            count -= exponent
            guard exponent < 0 else { return nil }
        }
        guard count <= 19 else { return nil }
        if position < end, position.pointee | 0x20 == UInt8(ascii: "e") { return nil }
        guard let value = FloatingPointRounding.shortDouble(significand, exponent: exponent) else { return nil }
        cursor = position
        return isNegative ? -value : value
    }

    /// Appends digits to a value and returns the position after them.
    @inline(__always)
    private static func digits(
        from first: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, into value: inout UInt64
    ) -> UnsafePointer<UInt8> {
        var position = first
        while position < end, case let digit = position.pointee &- UInt8(ascii: "0"), digit < 10 {
            value = value &* 10 &+ UInt64(digit)
            position += 1
        }
        return position
    }

    /// Like ``digits(from:to:into:)``, but reads exactly eight digits at once, or none.
    @inline(__always)
    private static func eightDigits(
        from first: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, into value: inout UInt64
    ) -> UnsafePointer<UInt8> {
        guard end - first >= 8 else { return first }
        // A byte is a digit if its upper half is 3 and stays so when 6 is added.
        let digits = first.word ^ 0x3030_3030_3030_3030
        guard (digits | (digits &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0 == 0 else { return first }
        // Two digits in every second byte, then the four pairs times 10⁶, 10⁴, 10² and 1 in the upper half of the sum.
        let pairs = digits &* 10 &+ digits >> 8
        let odd = (pairs & 0x0000_00FF_0000_00FF) &* (100 + 1_000_000 << 32)
        let even = (pairs >> 16 & 0x0000_00FF_0000_00FF) &* (1 + 10_000 << 32)
        value = value &* 100_000_000 &+ (odd &+ even) >> 32
        return first + 8
    }
}
