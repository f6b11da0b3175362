import ModelMirror

/// A number of a document or a query, compared by its exact value.
struct QueriedNumber: Sendable, Comparable {
    private let value: Double
    /// As written; nil if 15 digits are enough for it, so that the value is as exact.
    private let text: String?

    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        let (value, isShort) = bytes.number(range)
        self.value = value
        text = isShort ? nil : String(decoding: range.map { bytes[$0] }, as: UTF8.self)
    }

    init(_ slice: ArraySlice<UInt8>) { self.init(slice.span, 0..<slice.count) }

    init(_ text: some Collection<UInt8>) { self.init(Array(text)[...]) }

    private var exact: JSONNumber? { JSONNumber(text ?? "\(value)") }

    static func == (left: QueriedNumber, right: QueriedNumber) -> Bool {
        guard left.value == right.value else { return false }
        return left.text == nil && right.text == nil || left.exact == right.exact
    }

    /// As `Double`s, and if these are equal as `Decimal`s.
    static func < (left: QueriedNumber, right: QueriedNumber) -> Bool {
        guard left.value == right.value else { return left.value < right.value }
        guard left.text != nil || right.text != nil, left != right, let left = left.exact?.decimal,
            let right = right.exact?.decimal
        else { return false }
        return left < right
    }
}

extension Span<UInt8> {
    /// The value of a number of JSON, infinite if it is too large, and whether other numbers of which this is said have other values:
    /// 15 digits are enough for it.
    func number(_ range: Range<Int>) -> (value: Double, isShort: Bool) {
        var (mantissa, digits, exponent) = (0 as UInt64, 0, 0)
        var index = range.lowerBound
        let isNegative = self[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var isFraction = false
        while index < range.upperBound {
            let byte = self[index]
            if byte &- 0x30 < 10 {
                if mantissa > 0 || byte != 0x30 { digits += 1 }
                if digits <= 19 { mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30) }
                if isFraction { exponent -= 1 }
            } else if byte == UInt8(ascii: ".") {
                isFraction = true
            } else {
                // An exponent is rare; a large one leaves no digits.
                let value = double(range)
                return (value, digits <= 15 && (value.isNormal || mantissa == 0))
            }
            index += 1
        }
        // Both are exact, so that the quotient is the nearest value (Clinger, 1990).
        guard digits <= 15, exponent >= -22 else {
            let value = double(range)
            return (value, digits <= 15 && (value.isNormal || mantissa == 0))
        }
        let value = exponent == 0 ? Double(mantissa) : Double(mantissa) / powersOfTen[-exponent]
        return (isNegative ? 0 - value : value, true)
    }

    private func double(_ range: Range<Int>) -> Double {
        Double(String(decoding: range.map { self[$0] }, as: UTF8.self)) ?? .nan
    }
}

private let powersOfTen: [Double] = (0...22).map { Double("1e\($0)") ?? 0 }
