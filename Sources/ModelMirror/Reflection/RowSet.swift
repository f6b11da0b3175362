/// A set of row numbers: one machine word for the first 64 rows, more words only for larger classes.
struct RowSet {
    /// The bits of the first 64 rows.
    private(set) var word: UInt64 = 0
    private var high: [UInt64] = []

    init() {}

    @inline(never)
    init(_ rows: some Sequence<Int>) {
        for row in rows { insert(row) }
    }

    var isEmpty: Bool { word == 0 && high.allSatisfy { $0 == 0 } }

    @inline(__always)
    func contains(_ row: Int) -> Bool {
        if row < 64 { return word >> UInt64(row) & 1 == 1 }
        let index = row >> 6 - 1
        return index < high.count && high[index] >> UInt64(row & 63) & 1 == 1
    }

    /// Adds a row.
    ///
    /// - Returns: whether it was not in the set before.
    @discardableResult
    mutating func insert(_ row: Int) -> Bool {
        let isNew = !contains(row)
        change(row) { $0 |= $1 }
        return isNew
    }

    mutating func remove(_ row: Int) { change(row) { $0 &= ~$1 } }

    /// Changes the word that has the bit of a row.
    private mutating func change(_ row: Int, _ change: (_ word: inout UInt64, _ bit: UInt64) -> Void) {
        let bit: UInt64 = 1 << UInt64(row & 63)
        if row < 64 { return change(&word, bit) }
        let index = row >> 6 - 1
        while high.count <= index { high.append(0) }
        change(&high[index], bit)
    }

    /// Whether a word has the bits of all rows; false if there are rows beyond the first 64.
    @inline(__always)
    func isSubset(of other: UInt64) -> Bool { word & ~other == 0 && high.isEmpty }

    /// Those of the first 64 rows that have bits in a word, and those of the rows beyond that fit.
    @inline(__always)
    func restricted(to other: UInt64, _ fits: (Int) -> Bool) -> RowSet {
        var rows = RowSet()
        rows.word = word & other
        if !high.isEmpty { for row in self where row >= 64 && fits(row) { rows.insert(row) } }
        return rows
    }
}

extension RowSet: Sequence {
    /// The rows in ascending order.
    func makeIterator() -> Iterator { Iterator(bits: word, later: high) }

    struct Iterator: IteratorProtocol {
        fileprivate var bits: UInt64
        fileprivate var base = 0
        fileprivate let later: [UInt64]

        @inline(__always)
        mutating func next() -> Int? {
            while bits == 0 {
                guard base >> 6 < later.count else { return nil }
                bits = later[base >> 6]
                base += 64
            }
            defer { bits &= bits &- 1 }
            return base + bits.trailingZeroBitCount
        }
    }
}
