/// Random JSON numbers of the kinds that are hard to round, for a binary floating-point type.
struct NumberTexts<Value: BinaryFloatingPoint & LosslessStringConvertible>
where Value.RawSignificand: FixedWidthInteger {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> String {
        let text =
            switch generator.below(16) {
            case 0...2: "\(finite())".replacing("inf", with: "0")
            case 3...5: digits(1...25) + "e\(generator.number(in: -340...310))"
            case 6...7: point(digits(1...25))
            case 8...9: digits(17...19) + "e\(generator.number(in: -60...40))"
            case 10: digits(1...16) + "e\(generator.number(in: -24...24))"
            case 11: subnormal()
            case 12: powerOfTwo()
            case 13: powerOfTen()
            case 14: cutZeros()
            default: nearHalf()
            }
        return generator.below(4) == 0 && !text.hasPrefix("-") ? "-" + text : text
    }

    // MARK: Kinds

    /// A number with random bits, in its shortest form.
    private mutating func finite() -> Value {
        var exponent = Value.RawExponent(truncatingIfNeeded: generator.next())
        exponent %= Value.RawExponent(1 << Value.exponentBitCount - 1)
        return Value(sign: .plus, exponentBitPattern: exponent, significandBitPattern: significand())
    }

    private mutating func significand() -> Value.RawSignificand {
        Value.RawSignificand(truncatingIfNeeded: generator.next())
            & (1 << Value.RawSignificand(Value.significandBitCount) - 1)
    }

    private mutating func digits(_ counts: ClosedRange<Int>) -> String {
        var text = "\(generator.number(in: 1...9))"
        let count = generator.number(in: counts)
        while text.utf8.count < count { text += "\(generator.next() % 100_000_000_000_000_000)" }
        return String(text.prefix(count))
    }

    /// Puts a decimal point somewhere among digits or far before them.
    private mutating func point(_ digits: String) -> String {
        switch generator.below(3) {
        case 0: return "0." + String(repeating: "0", count: generator.below(30)) + digits
        case 1: return digits + ".0"
        default:
            let place = digits.index(digits.startIndex, offsetBy: generator.number(in: 1...digits.utf8.count))
            return digits[..<place] + "." + digits[place...] + (place == digits.endIndex ? "0" : "")
        }
    }

    /// A subnormal number, in its shortest form or with additional digits.
    private mutating func subnormal() -> String {
        let value = Value(
            sign: .plus, exponentBitPattern: 0, significandBitPattern: significand() >> generator.below(20))
        let text = "\(value)"
        guard generator.below(2) == 0, let mark = text.firstIndex(of: "e"), text.contains(".") else { return text }
        return text[..<mark] + digits(1...10) + text[mark...]
    }

    /// A power of two that a `UInt64` can hold, or an integer next to it.
    private mutating func powerOfTwo() -> String {
        let value = UInt64(1) << UInt64(generator.below(64))
        return "\(value &+ UInt64(generator.below(5)) &- 2)e\(generator.number(in: -3...3))"
    }

    private mutating func powerOfTen() -> String {
        let exponent = generator.number(in: -345...310)
        return generator.pick(["1e", "1.0000000000000001e", "9.999999999999999e", "99999999999999999999e"])
            + "\(exponent)"
    }

    /// More than nineteen digits, of which all or nearly all after the nineteenth are zeros.
    private mutating func cutZeros() -> String {
        let zeros = String(repeating: "0", count: generator.number(in: 1...30))
        return digits(17...21) + zeros + generator.pick(["", "1", ".0", "e-30", ".01e5", "5e-300"])
    }

    /// The midpoint of two neighboring values, exactly or as nearly as 17 to 25 digits allow.
    private mutating func nearHalf() -> String {
        let bits = UInt64(significand()) | 1 << UInt64(Value.significandBitCount)
        let narrow = generator.below(8) > 0
        let power = generator.number(in: narrow ? -100...20 : -240...60) - Value.significandBitCount / 2
        let middle = DecimalExpansion(bits * 2 + 1, timesTwoToThe: max(power, Value.leastHalfExponent))
        switch generator.below(4) {
        case 0: return middle.text
        case 1: return middle.text.replacing("e", with: (middle.digits.count > 1 ? "" : ".") + "0000000001e")
        default:
            let (below, above) = middle.cut(to: generator.number(in: 17...25))
            return generator.below(2) == 0 ? below : above
        }
    }
}

extension BinaryFloatingPoint {
    /// The power of two of half the last place of the smallest numbers.
    fileprivate static var leastHalfExponent: Int { Int(leastNonzeroMagnitude.exponent) - 1 }
}
