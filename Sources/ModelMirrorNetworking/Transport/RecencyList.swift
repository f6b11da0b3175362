/// Values by key with a limit of their total size; the least recently used ones are removed first. Every operation takes constant
/// time on average.
struct RecencyList<Key: Hashable, Value> {
    private let limit: Int
    /// The total size of the values, never more than the limit.
    private(set) var size = 0
    private var values: [Key: (value: Value, size: Int, lastUse: Int)] = [:]
    /// The uses of all keys in order. Those that are not the last of their key have no meaning.
    private var uses: ArraySlice<(key: Key, number: Int)> = []
    private var useCount = 0

    var count: Int { values.count }

    /// The keys, unordered.
    var keys: [Key] { Array(values.keys) }

    /// An empty list.
    ///
    /// - Parameter limit: The largest total size.
    init(limit: Int) { self.limit = limit }

    /// The value for a key, which becomes the newest.
    mutating func use(_ key: Key) -> Value? {
        guard let (value, size, _) = values[key] else { return nil }
        insert(value, size: size, for: key)
        return value
    }

    /// Inserts a value as the newest, removing the one with its key, and the oldest ones until there is room. A value that alone exceeds
    /// the limit is not inserted.
    mutating func insert(_ value: Value, size newSize: Int = 1, for key: Key) {
        remove(key)
        guard newSize <= limit else { return }
        while newSize > limit - size, let use = uses.popFirst() {
            if values[use.key]?.lastUse == use.number { remove(use.key) }
        }
        useCount += 1
        values[key] = (value, newSize, useCount)
        size += newSize
        uses.append((key, useCount))
        if uses.count > 2 * count + 16 { uses.removeAll { [values] in values[$0.key]?.lastUse != $0.number } }
    }

    mutating func remove(_ key: Key) { size -= values.removeValue(forKey: key)?.size ?? 0 }
}
