/// Correctly rounded floating-point numbers from decimal digits: to nearest, ties to even.
///
/// Three methods, the first that decides is used:
/// 1. Clinger's exact cases: both the digits and the power of ten are exact in the type, so one division or
///    multiplication rounds once.
/// 2. Interval: multiplies w, the digits as a 64-bit integer, by p, the power of five truncated to 128 bits. The true product
///    is at least w·p and at most w·p + w. Both bounds round to the same number, except for ties and about one in 2⁶⁰ inputs.
/// 3. The standard library's exact `init?(_: Substring)` (based on `strtod` in the C locale).
///
/// (Measured: without inlining here and in `ScalarArrays`, arrays of numbers take 4 % more instructions.)
enum FloatingPointRounding {
    /// The value of a number token; nil if it is too large for a `Double`. Values that are too small become ±0.
    @inline(__always)
    static func double(_ token: NumberToken) -> Double? {
        if !token.isCut, token.significand <= 1 << 53, (-22...22).contains(token.exponent) {
            let digits = Double(token.significand)
            let value =
                token.exponent < 0
                ? digits / doublePowersOfTen[-token.exponent] : digits * doublePowersOfTen[token.exponent]
            return token.isNegative ? -value : value
        }
        return slowValue(token)
    }

    /// The value of at most 19 digits times 10ⁿ, n from -18 to 0; nil where neither method 1 nor a shorter method 2 decides.
    ///
    /// The shorter method takes the upper 64 bits of the power alone: one multiplication instead of two of 128 bits, and about
    /// one number in 500 is left undecided.
    @inline(__always)
    static func shortDouble(_ digits: UInt64, exponent: Int) -> Double? {
        guard digits > 1 << 53 else { return Double(digits) / doublePowersOfTen[-exponent] }
        let power = PowersOfFive.table[PowersOfFive.limit + exponent]
        let shift = digits.leadingZeroBitCount
        // In units of 2⁶⁴ the true product lies between `high` and `high + 2`: truncating the power loses less than one unit,
        // dropping the lower half of the product less than another.
        let high = (digits << UInt64(truncatingIfNeeded: shift))
            .multipliedFullWidth(by: UInt64(truncatingIfNeeded: power.significand >> 64)).high
        let drop = 11 - high.leadingZeroBitCount
        let half: UInt64 = 1 << UInt64(truncatingIfNeeded: drop - 1)
        let rest = high & (half << 1 - 1)
        guard rest + 2 < half || rest > half else { return nil }
        let rounded = high >> UInt64(truncatingIfNeeded: drop) + (rest > half ? 1 : 0)
        // The highest bit of `rounded` is not part of the pattern: it adds to the exponent the 1 that is subtracted here, and a
        // carry from rounding up adds another, as it must. No number of this size is subnormal or infinite.
        let biased = power.exponent + exponent - shift + 128 + drop + 52 + 1023
        return Double(bitPattern: UInt64(truncatingIfNeeded: biased - 1) << 52 + rounded)
    }

    /// The value of a number token without method 1; nil if it is too large for the type. Values that are too small become ±0.
    @inline(never)
    static func slowValue<Value: ExactlyParsed>(_ token: NumberToken) -> Value? {
        if token.significand == 0, !token.isCut { return token.isNegative ? -0.0 : 0 }
        if !token.isCut, let value = interval(token, as: Value.self) { return value }
        guard let value = Value(token.string), value.isFinite else { return nil }
        return value
    }

    /// Method 2; nil where it does not decide: outside its table, near a tie, or outside the normal numbers.
    private static func interval<Value: ExactlyParsed>(_ token: NumberToken, as type: Value.Type) -> Value? {
        guard (-PowersOfFive.limit...PowersOfFive.limit).contains(token.exponent) else { return nil }
        let power = PowersOfFive.table[token.exponent + PowersOfFive.limit]
        let shift = token.significand.leadingZeroBitCount
        let digits = UInt128(token.significand << UInt64(shift))
        // The product of 64 and 128 bits: the upper 128 of its 192 bits, and how many units may be missing.
        let low = digits * (power.significand & UInt128(UInt64.max))
        let high = digits * (power.significand >> 64) + (low >> 64)
        // `high` is too small by less than one unit because `low` is truncated, and by less than digits / 2⁶⁴ < 1 because the power
        // is. If two more units could round to another number, this method does not decide.
        let isExact = power.isExact && low & UInt128(UInt64.max) == 0
        let bits = Value.significandBitCount + 1
        let drop = 128 - high.leadingZeroBitCount - bits
        let rest = high & ((1 << UInt128(drop)) - 1)
        let half = UInt128(1) << UInt128(drop - 1)
        guard isExact || rest &+ 2 < half || rest > half && rest &+ 2 < half << 1 else { return nil }
        var rounded = UInt64(truncatingIfNeeded: high >> UInt128(drop))
        if rest > half || rest == half && rounded & 1 == 1 { rounded += 1 }
        let carry = rounded >> UInt64(bits) == 1 ? 1 : 0
        // value = rounded · 2^drop, where a unit of `high` is worth 2⁶⁴, and 10ⁿ = 5ⁿ · 2ⁿ
        let exponent =
            power.exponent + token.exponent - shift + 64 + drop + carry + Value.significandBitCount + Value.bias
        guard exponent > 0, exponent < 2 * Value.bias else { return nil }
        return Value(
            sign: token.isNegative ? .minus : .plus, exponentBitPattern: Value.RawExponent(exponent),
            significandBitPattern: Value.RawSignificand(truncatingIfNeeded: rounded)
                & (1 << Value.RawSignificand(Value.significandBitCount) - 1))
    }

    /// 10⁰ to 10²², all exact in a `Double`.
    private static let doublePowersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}

/// The properties of a binary floating-point type that rounding uses.
typealias ExactlyParsed = BinaryFloatingPoint & LosslessStringConvertible

extension BinaryFloatingPoint {
    /// The exponent bias of the type's bit pattern.
    fileprivate static var bias: Int { 1 << (exponentBitCount - 1) - 1 }
}

/// 5ⁿ for n in -limit...limit as `significand · 2^exponent`, where the significand has the highest of its 128 bits set.
private enum PowersOfFive {
    /// 5⁵⁵ is the largest power of five below 2¹²⁸: up to it, positive powers are exact and negative ones need one division.
    static let limit = 55

    static let table: [(significand: UInt128, exponent: Int, isExact: Bool)] = (-limit...limit).map { n in
        let power = (0..<abs(n)).reduce(UInt128(1)) { value, _ in value * 5 }
        let shift = power.leadingZeroBitCount
        let normal = power << UInt128(shift)
        guard n < 0 else { return (significand: normal, exponent: -shift, isExact: true) }
        // 1 / 5ⁿ = 2²⁵⁵ / normal · 2^(shift - 255), truncated to an integer of 128 bits.
        let reciprocal = normal.dividingFullWidth((high: 1 << 127, low: 0)).quotient
        return (significand: reciprocal, exponent: shift - 255, isExact: false)
    }
}

extension BinaryFloatingPoint {
    /// The `Double` of the value's shortest text: the `Float16` 0.1 is written as 0.1, which no `Float16` is exactly.
    var asWritten: Double {
        Self.significandBitCount < Double.significandBitCount ? Double("\(self)") ?? Double(self) : Double(self)
    }
}
