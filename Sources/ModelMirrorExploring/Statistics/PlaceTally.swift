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
        if strings == 1 || bytes.order(range, first) < 0 { first = bytes.array(range, PlaceTally.longestBound) }
        if strings == 1 || bytes.order(range, last) > 0 { last = bytes.array(range, PlaceTally.longestBound) }
        texts.offer(bytes.array(range, 1_000))
    }

    mutating func add(number bytes: Span<UInt8>, _ range: Range<Int>, isInteger: Bool) {
        if isInteger { integers += 1 } else { fractions += 1 }
        let (value, isShort) = bytes.number(range)
        // A string of the same digits is another value.
        values.add(isShort ? ValueHash.hash(value) : ~ValueHash.hash(bytes, range), isString: false, bytes, range)
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
        // Numbers of many digits may differ and have the same value.
        let isFirst = sample.count == 0
        if isFirst || value < least
            || value == least && (!isShort || first.count > 15)
                && NumberTally.isLess(bytes.array(range, Int.max), first)
        {
            (least, first) = (value, bytes.array(range, Int.max))
        }
        if isFirst || value > greatest
            || value == greatest && (!isShort || last.count > 15)
                && NumberTally.isLess(last, bytes.array(range, Int.max))
        {
            (greatest, last) = (value, bytes.array(range, Int.max))
        }
        sample.offer(value)
        addToSum(value)
    }

    /// Whether a number is less than another of the same `Double`, unless they are long: one of them is compared with many.
    private static func isLess(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count + right.count <= 1_000 && QueriedNumber(left) < QueriedNumber(right)
    }

    private mutating func addToSum(_ value: Double) {
        let new = sum + value
        lost += abs(sum) >= abs(value) ? (sum - new) + value : (value - new) + sum
        sum = new
    }

    mutating func merge(_ other: NumberTally) {
        guard other.sample.count > 0 else { return }
        let isFirst = sample.count == 0
        if isFirst || other.least < least || other.least == least && NumberTally.isLess(other.first, first) {
            (least, first) = (other.least, other.first)
        }
        if isFirst || other.greatest > greatest
            || other.greatest == greatest && NumberTally.isLess(last, other.last)
        {
            (greatest, last) = (other.greatest, other.last)
        }
        addToSum(other.sum)
        lost += other.lost
        sample.merge(other.sample)
    }
}

extension Span<UInt8> {
    /// At most a number of bytes of UTF-8 as an array, cut before a scalar.
    fileprivate func array(_ range: Range<Int>, _ most: Int) -> [UInt8] {
        var end = range.prefix(most).upperBound
        while end < range.upperBound, self[end] & 0xC0 == 0x80 { end -= 1 }
        return (range.lowerBound..<end).map { self[$0] }
    }

    /// Negative if bytes are before others by their order, positive if they are behind.
    @inline(__always)
    fileprivate func order(_ range: Range<Int>, _ other: [UInt8]) -> Int {
        guard let first = other.first, !range.isEmpty else { return range.count - other.count }
        if self[range.lowerBound] != first { return self[range.lowerBound] < first ? -1 : 1 }
        return orderOfAll(range, other)
    }

    private func orderOfAll(_ range: Range<Int>, _ other: [UInt8]) -> Int {
        for (index, byte) in zip(range, other) where self[index] != byte { return self[index] < byte ? -1 : 1 }
        return range.count - other.count
    }
}
