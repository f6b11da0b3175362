/// Values by key, ordered by their last use. Every operation takes constant time on average.
struct RecencyList<Key: Hashable, Value> {
    private let limit: Int
    private var values: [Key: (value: Value, lastUse: Int)] = [:]
    /// The uses of all keys in order. Those that are not the last of their key have no meaning.
    private var uses: ArraySlice<(key: Key, number: Int)> = []
    private var useCount = 0

    var count: Int { values.count }

    /// The keys, unordered.
    var keys: [Key] { Array(values.keys) }

    /// An empty list.
    ///
    /// - Parameter limit: The most values; then an insertion removes the oldest.
    init(limit: Int = .max) { self.limit = limit }

    /// The value for a key, which becomes the newest.
    mutating func use(_ key: Key) -> Value? {
        guard let value = values[key]?.value else { return nil }
        insert(value, for: key)
        return value
    }

    /// Inserts a value as the newest, replacing the one with its key.
    mutating func insert(_ value: Value, for key: Key) {
        useCount += 1
        values[key] = (value, useCount)
        uses.append((key, useCount))
        if count > limit { removeOldest() }
        if uses.count > 2 * count + 16 { uses.removeAll { [values] in values[$0.key]?.lastUse != $0.number } }
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Value? { values.removeValue(forKey: key)?.value }

    @discardableResult
    mutating func removeOldest() -> Value? {
        while let use = uses.popFirst() {
            if values[use.key]?.lastUse == use.number { return remove(use.key) }
        }
        return nil
    }
}
