/// What is counted at one place.
struct PlaceTally {
    /// The number of values of each kind.
    var (objects, arrays, strings, integers, fractions, trues, falses, nulls) = (0, 0, 0, 0, 0, 0, 0, 0)
    /// The number of objects that have the member, and the number of the last one.
    var (present, lastObject) = (0, -1)
    private(set) var values = ValueTally()
    private(set) var numbers = NumberTally()
    /// The scalars of strings, and the elements of arrays.
    private(set) var (lengths, elements) = (LengthTally(), LengthTally())
    /// The first and the last string by the bytes of UTF-8; of a long one the beginning.
    private(set) var (first, last): ([UInt8], [UInt8]) = ([], [])
    private(set) var texts = Reservoir<[UInt8]>(32)

    private static let longestBound = 128

    /// The number of values.
    var count: Int { objects + arrays + strings + integers + fractions + trues + falses + nulls }

    /// Adds a string whose escapes are decoded.
    ///
    /// - Parameter isWide: Whether it may have scalars beyond ASCII.
    mutating func add(string bytes: Span<UInt8>, _ range: Range<Int>, isWide: Bool) {
        strings += 1
        values.add(ValueHash.hash(bytes, range), isString: true, bytes, range)
        var length = range.count
        if isWide { for index in range where bytes[index] & 0xC0 == 0x80 { length -= 1 } }
        lengths.add(length)
        if strings == 1 || bytes.precedes(range, first) { first = bytes.array(range, PlaceTally.longestBound) }
        if strings == 1 || bytes.follows(range, last) { last = bytes.array(range, PlaceTally.longestBound) }
        texts.offer(bytes.array(range, 1_000))
    }

    mutating func add(number bytes: Span<UInt8>, _ range: Range<Int>, isInteger: Bool) {
        if isInteger { integers += 1 } else { fractions += 1 }
        let (value, isShort) = bytes.number(range)
        values.add(isShort ? ValueHash.hash(value) : ValueHash.hash(bytes, range), isString: false, bytes, range)
        numbers.add(value, isShort: isShort, bytes, range)
    }

    mutating func add(array count: Int) {
        arrays += 1
        elements.add(count)
    }

    mutating func merge(_ other: PlaceTally) {
        if other.strings > 0 {
            if strings == 0 || other.first.lexicographicallyPrecedes(first) { first = other.first }
            if strings == 0 || last.lexicographicallyPrecedes(other.last) { last = other.last }
        }
        objects += other.objects
        arrays += other.arrays
        strings += other.strings
        integers += other.integers
        fractions += other.fractions
        trues += other.trues
        falses += other.falses
        nulls += other.nulls
        present += other.present
        values.merge(other.values)
        numbers.merge(other.numbers)
        lengths.merge(other.lengths)
        elements.merge(other.elements)
        texts.merge(other.texts)
    }
}

/// Lengths of strings or arrays.
struct LengthTally {
    private(set) var (least, greatest, sum, count) = (Int.max, 0, 0, 0)

    @inline(__always)
    mutating func add(_ length: Int) {
        least = min(least, length)
        greatest = max(greatest, length)
        sum += length
        count += 1
    }

    mutating func merge(_ other: LengthTally) {
        least = min(least, other.least)
        greatest = max(greatest, other.greatest)
        sum += other.sum
        count += other.count
    }

    var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }
}

/// The range, the sum and a sample of numbers.
struct NumberTally {
    private(set) var (least, greatest) = (Double.infinity, -Double.infinity)
    /// The least and the greatest as written.
    private(set) var (first, last): ([UInt8], [UInt8]) = ([], [])
    /// With the part that rounding lost (Neumaier, 1974).
    private var (sum, lost) = (0.0, 0.0)
    private(set) var sample = Reservoir<Double>(2_048)

    var mean: Double { (sum + lost) / Double(sample.count) }

    mutating func add(_ value: Double, isShort: Bool, _ bytes: Span<UInt8>, _ range: Range<Int>) {
        if value < least || sample.count == 0 || value == least && !isShort && bytes.isLess(range, first) {
            (least, first) = (value, bytes.array(range, Int.max))
        }
        if value > greatest || sample.count == 0 || value == greatest && !isShort && bytes.isMore(range, last) {
            (greatest, last) = (value, bytes.array(range, Int.max))
        }
        sample.offer(value)
        addToSum(value)
    }

    private mutating func addToSum(_ value: Double) {
        let new = sum + value
        lost += abs(sum) >= abs(value) ? (sum - new) + value : (value - new) + sum
        sum = new
    }

    mutating func merge(_ other: NumberTally) {
        if other.least < least { (least, first) = (other.least, other.first) }
        if other.greatest > greatest { (greatest, last) = (other.greatest, other.last) }
        addToSum(other.sum)
        lost += other.lost
        sample.merge(other.sample)
    }
}

extension Span<UInt8> {
    /// At most a number of bytes as an array.
    fileprivate func array(_ range: Range<Int>, _ most: Int) -> [UInt8] {
        range.prefix(most).map { self[$0] }
    }

    /// Whether bytes are before others by their order.
    @inline(__always)
    fileprivate func precedes(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
        guard let first = other.first, !range.isEmpty else { return !other.isEmpty }
        if self[range.lowerBound] != first { return self[range.lowerBound] < first }
        return order(range, other) < 0
    }

    @inline(__always)
    fileprivate func follows(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
        guard let first = other.first, !range.isEmpty else { return !range.isEmpty }
        if self[range.lowerBound] != first { return self[range.lowerBound] > first }
        return order(range, other) > 0
    }

    private func order(_ range: Range<Int>, _ other: [UInt8]) -> Int {
        for (index, byte) in zip(range, other) where self[index] != byte { return self[index] < byte ? -1 : 1 }
        return range.count - other.count
    }

    /// The value of a number of JSON, and whether 15 digits are enough for it, so that equal numbers have equal values.
    fileprivate func number(_ range: Range<Int>) -> (value: Double, isShort: Bool) {
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
                // An exponent is rare.
                return (double(range), digits <= 15)
            }
            index += 1
        }
        // Both are exact, so that the quotient is the nearest value (Clinger, 1990).
        guard digits <= 15, exponent >= -22 else { return (double(range), digits <= 15) }
        let value = exponent == 0 ? Double(mantissa) : Double(mantissa) / powersOfTen[-exponent]
        return (isNegative ? 0 - value : value, true)
    }

    private func double(_ range: Range<Int>) -> Double {
        Double(String(decoding: array(range, Int.max), as: UTF8.self)) ?? .nan
    }

    /// Whether a number is less than another one that is the same `Double`.
    fileprivate func isLess(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
        queried(range).isLess(than: .number(String(decoding: other, as: UTF8.self)))
    }

    fileprivate func isMore(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
        QueriedValue.number(String(decoding: other, as: UTF8.self)).isLess(than: queried(range))
    }

    private func queried(_ range: Range<Int>) -> QueriedValue {
        .number(String(decoding: array(range, Int.max), as: UTF8.self))
    }
}

private let powersOfTen: [Double] = (0...22).map { Double("1e\($0)") ?? 0 }
