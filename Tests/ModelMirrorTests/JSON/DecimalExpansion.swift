/// The exact decimal digits of an integer times a power of two: 0.1 as a `Double` has 55 of them.
struct DecimalExpansion {
    /// The digits, without leading zeros.
    let digits: [UInt8]
    /// The power of ten of the last digit.
    let exponent: Int

    init(_ integer: UInt64, timesTwoToThe power: Int) {
        // Nine digits a limb, the lowest first; n · 2⁻ᵏ is n · 5ᵏ · 10⁻ᵏ.
        let base: UInt64 = 1_000_000_000
        var limbs = [integer % base, integer / base % base, integer / base / base]
        var rest = abs(power)
        let (factor, step) = power < 0 ? (UInt64(5), 12) : (UInt64(2), 29)
        while rest > 0 {
            let multiplier = (0..<min(rest, step)).reduce(UInt64(1)) { product, _ in product * factor }
            var carry: UInt64 = 0
            for index in limbs.indices {
                let product = limbs[index] * multiplier + carry
                limbs[index] = product % base
                carry = product / base
            }
            if carry > 0 { limbs.append(carry) }
            rest -= step
        }
        let text = limbs.reversed().map { limb in
            String(String(limb + base).dropFirst())
        }.joined()
        digits = Array(text.utf8.drop { $0 == UInt8(ascii: "0") })
        exponent = min(power, 0)
    }

    /// All digits as a JSON number with one digit before the point.
    var text: String { DecimalExpansion.text(digits[...], exponent) }

    /// The first digits as a JSON number, which is not larger, and the next number of as many digits, which is larger.
    func cut(to count: Int) -> (below: String, above: String) {
        guard count < digits.count else {
            return (text, DecimalExpansion.text(digits + [UInt8(ascii: "1")], exponent - 1))
        }
        let kept = digits.prefix(count)
        let place = exponent + digits.count - count
        return (DecimalExpansion.text(kept, place), DecimalExpansion.text(DecimalExpansion.successor(kept)[...], place))
    }

    /// The digits of the number that is larger by one.
    static func successor(_ digits: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(digits)
        var index = digits.count - 1
        while index >= 0, digits[index] == UInt8(ascii: "9") {
            digits[index] = UInt8(ascii: "0")
            index -= 1
        }
        guard index >= 0 else { return [UInt8(ascii: "1")] + digits }
        digits[index] += 1
        return digits
    }

    private static func text(_ digits: ArraySlice<UInt8>, _ exponent: Int) -> String {
        text(Array(digits), exponent)
    }

    private static func text(_ digits: [UInt8], _ exponent: Int) -> String {
        let fraction = String(decoding: digits.dropFirst(), as: UTF8.self)
        let point = fraction.isEmpty ? "" : "."
        return String(decoding: digits.prefix(1), as: UTF8.self) + point + fraction + "e\(exponent + digits.count - 1)"
    }
}
