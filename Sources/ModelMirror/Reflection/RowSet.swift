/// A set of row numbers: one machine word for the first 64 rows, more only for larger classes.
struct RowSet {
    private var low: UInt64 = 0
    private var high: [UInt64] = []

    init() {}

    init(_ rows: some Sequence<Int>) {
        for row in rows { insert(row) }
    }

    @inline(__always)
    var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

    @inline(__always)
    func contains(_ row: Int) -> Bool {
        if row < 64 { return low >> UInt64(row) & 1 == 1 }
        let word = row >> 6 - 1
        return word < high.count && high[word] >> UInt64(row & 63) & 1 == 1
    }

    /// Adds a row.
    ///
    /// - Returns: whether it was not in the set before.
    @discardableResult @inline(__always)
    mutating func insert(_ row: Int) -> Bool {
        guard row < 64 else { return insertHigh(row) }
        let bit: UInt64 = 1 << UInt64(row)
        defer { low |= bit }
        return low & bit == 0
    }

    @inline(never)
    private mutating func insertHigh(_ row: Int) -> Bool {
        let word = row >> 6 - 1
        while high.count <= word { high.append(0) }
        let bit: UInt64 = 1 << UInt64(row & 63)
        defer { high[word] |= bit }
        return high[word] & bit == 0
    }

    mutating func remove(_ row: Int) {
        if row < 64 {
            low &= ~(1 << UInt64(row))
        } else if contains(row) {
            high[row >> 6 - 1] &= ~(1 << UInt64(row & 63))
        }
    }

    /// Whether every row of the other set is in this one.
    @inline(__always)
    func isSuperset(of other: RowSet) -> Bool {
        guard other.low & ~low == 0 else { return false }
        return other.high.isEmpty
            || other.high.indices.allSatisfy { word in
                other.high[word] & ~(word < high.count ? high[word] : 0) == 0
            }
    }
}
