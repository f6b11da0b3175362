/// Counts distinct values, and the most frequent ones: exactly up to 512 distinct values. Beyond that the number of distinct values
/// is estimated, and counts are at most ``error`` too low (Misra and Gries, "Finding repeated elements", 1982; the median of the counts
/// is taken away at once, as in Apache DataSketches).
struct ValueTally {
    struct Value {
        /// The text of a string, or the number as written.
        let text: String
        let isString: Bool
        /// Whether only the beginning of the text is known.
        let isCut: Bool
        let count: Int
    }

    private struct Entry {
        /// 0 for a free entry.
        var hash: UInt64 = 0
        var count = 0
        /// The text in ``texts``; its length is 0 until it is needed.
        var start: UInt32 = 0
        var length: UInt16 = 0
        var isString = false
        var isCut = false
    }

    private static let most = 512
    /// The number of bytes kept of a text.
    private static let longest = 64
    private static let emptyText = ValueHash.hash(ArraySlice<UInt8>().span, 0..<0)
    /// Open addressing: an entry is at the first free place from its hash on.
    private var entries: [Entry] = []
    private var texts: [UInt8] = []
    private var used = 0
    private(set) var error = 0
    /// Nil while counts are exact.
    private var sketch: DistinctSketch?

    var isExact: Bool { sketch == nil }
    var distinct: Int { sketch?.estimate ?? used }

    mutating func add(_ hash: UInt64, isString: Bool, _ bytes: Span<UInt8>, _ range: Range<Int>) {
        if entries.isEmpty { entries = Array(repeating: Entry(), count: 16) }
        let hash = hash == 0 ? 1 : hash
        var place = place(of: hash)
        if entries[place].hash == hash {
            entries[place].count += 1
            if entries[place].length == 0 { keepText(place, bytes, range) }
            return
        }
        sketch?.insert(hash)
        if makeRoom(for: hash) { place = self.place(of: hash) }
        entries[place] = Entry(hash: hash, count: 1, isString: isString)
        used += 1
        // Of values that occur once among many, the text is not needed.
        if isExact { keepText(place, bytes, range) }
    }

    /// The most frequent values, whose counts are above the error: ordered by count, then by text.
    func frequent(_ most: Int) -> [Value] {
        let known = entries.filter {
            $0.count > error && ($0.length > 0 || isExact || $0.hash == ValueTally.emptyText)
        }
        let values = known.map { entry in
            let start = Int(entry.start)
            return Value(
                text: String(decoding: texts[start..<start + Int(entry.length)], as: UTF8.self),
                isString: entry.isString, isCut: entry.isCut, count: entry.count)
        }
        return Array(
            values.sorted { $0.count == $1.count ? $0.text < $1.text : $0.count > $1.count }.prefix(most))
    }

    mutating func merge(_ other: ValueTally) {
        if let theirs = other.sketch {
            startSketch()
            sketch?.merge(theirs)
        }
        error += other.error
        for entry in other.entries where entry.hash != 0 {
            let start = Int(entry.start)
            let slice = other.texts[start..<start + Int(entry.length)]
            add(entry.hash, isString: entry.isString, slice.span, 0..<slice.count)
            let place = place(of: entry.hash)
            entries[place].count += entry.count - 1
            entries[place].isCut = entries[place].isCut || entry.isCut
        }
    }

    // MARK: Entries

    private func place(of hash: UInt64) -> Int {
        let mask = entries.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while entries[place].hash != hash, entries[place].hash != 0 { place = (place + 1) & mask }
        return place
    }

    private mutating func keepText(_ place: Int, _ bytes: Span<UInt8>, _ range: Range<Int>) {
        var end = range.upperBound
        if range.count > ValueTally.longest {
            end = range.lowerBound + ValueTally.longest
            while bytes[end] & 0xC0 == 0x80 { end -= 1 }
            entries[place].isCut = true
        }
        entries[place].start = UInt32(truncatingIfNeeded: texts.count)
        entries[place].length = UInt16(truncatingIfNeeded: end - range.lowerBound)
        for index in range.lowerBound..<end { texts.append(bytes[index]) }
    }

    /// - Returns: Whether entries were moved.
    private mutating func makeRoom(for hash: UInt64) -> Bool {
        if used == ValueTally.most {
            startSketch()
            sketch?.insert(hash)
            let cut = medianCount
            error += cut
            rebuild(size: entries.count) { $0 > cut ? $0 - cut : 0 }
        } else if used * 2 >= entries.count {
            rebuild(size: entries.count * 2) { $0 }
        } else {
            return false
        }
        return true
    }

    private mutating func startSketch() {
        guard sketch == nil else { return }
        var new = DistinctSketch()
        for entry in entries where entry.hash != 0 { new.insert(entry.hash) }
        sketch = new
    }

    private var medianCount: Int {
        if entries.reduce(0, { $1.count == 1 ? $0 + 1 : $0 }) * 2 >= used { return 1 }
        return entries.lazy.map(\.count).filter { $0 > 0 }.sorted()[used / 2]
    }

    /// Makes the entries anew, without those whose count becomes 0.
    private mutating func rebuild(size: Int, _ count: (Int) -> Int) {
        let (old, oldTexts) = (entries, texts)
        entries = Array(repeating: Entry(), count: size)
        texts.removeAll(keepingCapacity: false)
        used = 0
        for entry in old where entry.hash != 0 {
            var new = entry
            new.count = count(entry.count)
            guard new.count > 0 else { continue }
            new.start = UInt32(truncatingIfNeeded: texts.count)
            texts += oldTexts[Int(entry.start)..<Int(entry.start) + Int(entry.length)]
            entries[place(of: entry.hash)] = new
            used += 1
        }
    }
}
