import ModelMirrorFoundation

/// Integers from number tokens and from the text of strings: exact over each type's whole range, never wrapped.
enum IntegerReading {
    /// The value of a number token, or nil if it is not integral (`1.0` and `1e3` are) or does not fit the type.
    static func integer<Value: FixedWidthInteger>(_ token: NumberToken, as type: Value.Type) -> Value? {
        if token.isPlainInteger, !token.isCut, token.exponent == 0 {
            guard token.isNegative else { return Value(exactly: token.significand) }
            return Value(exactly: -Int128(token.significand))
        }
        if token.isPlainInteger { return integer(digits: token.text) }
        let exact = ExactDigits(token.text)
        guard exact.exponent >= 0, exact.digits.count + exact.exponent <= Value.bitWidth else { return nil }
        return integer(exact.digits + repeatElement(UInt8(ascii: "0"), count: exact.exponent), exact.isNegative)
    }

    /// The integral part of a number with a fraction, or the nearest integer, halves away from zero; nil if it does not fit the type.
    static func nearest<Value: FixedWidthInteger>(
        _ token: NumberToken, as type: Value.Type, isRounded: Bool
    ) -> Value? {
        let exact = ExactDigits(token.text)
        guard exact.exponent < 0 else { return nil }
        let point = exact.digits.count + exact.exponent
        let digits = exact.digits.prefix(max(point, 0))
        guard digits.count <= Value.bitWidth else { return nil }
        guard let value: Value = integer(Array(digits), exact.isNegative) else { return nil }
        guard isRounded, point >= 0, exact.digits[point] >= UInt8(ascii: "5") else { return value }
        let (next, isOver) = exact.isNegative ? value.subtractingReportingOverflow(1) : value.addingReportingOverflow(1)
        return isOver ? nil : next
    }

    /// Whether a number is at least 2⁶³ or about that far below zero.
    static func isLarge(_ token: NumberToken) -> Bool {
        FloatingPointRounding.double(token).map { abs($0) >= 0x1p63 } ?? true
    }

    private static func integer<Value: FixedWidthInteger>(_ digits: [UInt8], _ isNegative: Bool) -> Value? {
        digits.isEmpty
            ? 0 : ((isNegative ? [UInt8(ascii: "-")] : []) + digits).withUnsafeBufferPointer { integer(digits: $0) }
    }

    /// The value of an optional sign and digits, by one parser for all types.
    static func integer<Value: FixedWidthInteger>(digits text: UnsafeBufferPointer<UInt8>) -> Value? {
        // A type of the user's own.
        if Value.bitWidth > 128 { return Value(String(decoding: text, as: UTF8.self), radix: 10) }
        guard let (magnitude, isNegative) = magnitude(text) else { return nil }
        guard isNegative else { return Value(exactly: magnitude) }
        return magnitude > Int128.min.magnitude ? nil : Value(exactly: Int128(truncatingIfNeeded: 0 &- magnitude))
    }

    @inline(never)
    fileprivate static func magnitude(_ text: UnsafeBufferPointer<UInt8>) -> (UInt128, isNegative: Bool)? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = text.dropFirst(isNegative || text.first == UInt8(ascii: "+") ? 1 : 0)
        guard !digits.isEmpty, digits.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) else { return nil }
        // As many digits as 64 bits always hold.
        var value = UInt128(digits.prefix(19).reduce(UInt64(0)) { $0 &* 10 &+ UInt64($1 &- UInt8(ascii: "0")) })
        for byte in digits.dropFirst(19) {
            let (product, isOver) = value.multipliedReportingOverflow(by: 10)
            let (sum, isOverNow) = product.addingReportingOverflow(UInt128(byte &- UInt8(ascii: "0")))
            if isOver || isOverNow { return nil }
            value = sum
        }
        return (value, isNegative)
    }
}

/// `Decimal` from a number's digits, never through `Double`.
enum DecimalReading {
    /// The exact value; nil if it does not fit: `Decimal` holds integers below 2¹²⁸ times ten to the power of -128 to 127.
    static func decimal(_ token: NumberToken) -> Decimal? {
        if token.significand == 0, !token.isCut { return 0 }
        let exact = ExactDigits(token.text)
        var exponent = exact.exponent
        guard -128...127 + 38 ~= exponent,
            var (significand, _) = exact.digits.withUnsafeBufferPointer(IntegerReading.magnitude)
        else { return nil }
        // A power of ten above Decimal's range is moved into the digits, as far as there is room.
        while exponent > 127 {
            let (product, overflow) = significand.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            (significand, exponent) = (product, exponent - 1)
        }
        // Most numbers are read faster from 64 bits.
        let value = UInt64(exactly: significand).map { Decimal($0) } ?? Decimal(exactly: significand)
        guard let value else { return nil }
        let result = Decimal(sign: token.isNegative ? .minus : .plus, exponent: exponent, significand: value)
        // The initializer normalizes 10 · 10¹²⁷ to 1 · 10¹²⁸, an exponent it cannot hold; the one from text does not.
        return result.isNaN ? Decimal(string: "\(token.isNegative ? "-" : "")\(significand)e\(exponent)") : result
    }
}

/// The value of a number: its sign, its digits without outer zeros, and the power of ten of the last one; unique for each value.
struct ExactDigits: Hashable {
    let isNegative: Bool
    private(set) var digits: [UInt8] = []
    private(set) var exponent = 0

    /// - Parameter number: A checked number as written.
    init(_ number: some Collection<UInt8>) {
        var isFraction = false
        var rest = number[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "-"): continue
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                // An exponent beyond Int is useless, but its sign still distinguishes such numbers.
                let written = Int(String(decoding: rest, as: UTF8.self))
                let limit = Int.max / 4
                exponent += min(max(written ?? (rest.first == UInt8(ascii: "-") ? -limit : limit), -limit), limit)
                rest = rest[rest.endIndex...]
            default:
                if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
                if isFraction { exponent -= 1 }
            }
        }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        isNegative = !digits.isEmpty && number.first == UInt8(ascii: "-")
        if digits.isEmpty { exponent = 0 }
    }
}
