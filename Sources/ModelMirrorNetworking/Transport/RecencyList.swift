/// Values by key, ordered by their last use. Every operation takes constant time.
///
/// The order is a doubly linked list of indices into one array; free slots are reused.
struct RecencyList<Key: Hashable, Value> {
    private struct Node {
        var key: Key
        var value: Value
        /// The next older node; -1 at the end.
        var older: Int
        /// The next newer node; -1 at the end.
        var newer: Int
    }

    private let limit: Int
    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var places: [Key: Int] = [:]
    private var newest = -1
    private var oldest = -1

    var count: Int { places.count }

    /// The keys, unordered.
    var keys: [Key] { Array(places.keys) }

    /// An empty list.
    ///
    /// - Parameter limit: The most values; then an insertion removes the oldest.
    init(limit: Int = .max) { self.limit = limit }

    /// The value for a key, which becomes the newest.
    mutating func use(_ key: Key) -> Value? {
        guard let place = places[key], let node = nodes[place] else { return nil }
        unlink(node)
        link(place)
        return node.value
    }

    /// Inserts a value as the newest, replacing the one with its key.
    ///
    /// - Returns: The replaced value.
    @discardableResult
    mutating func insert(_ value: Value, for key: Key) -> Value? {
        let replaced = remove(key)
        let node = Node(key: key, value: value, older: -1, newer: -1)
        let place: Int
        if let last = free.popLast() {
            place = last
            nodes[place] = node
        } else {
            place = nodes.count
            nodes.append(node)
        }
        places[key] = place
        link(place)
        if count > limit { removeOldest() }
        return replaced
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key), let node = nodes[place] else { return nil }
        unlink(node)
        nodes[place] = nil
        free.append(place)
        return node.value
    }

    @discardableResult
    mutating func removeOldest() -> Value? {
        guard oldest >= 0, let key = nodes[oldest]?.key else { return nil }
        return remove(key)
    }

    private mutating func unlink(_ node: Node) {
        if node.newer >= 0 { nodes[node.newer]?.older = node.older } else { newest = node.older }
        if node.older >= 0 { nodes[node.older]?.newer = node.newer } else { oldest = node.newer }
    }

    private mutating func link(_ place: Int) {
        nodes[place]?.older = newest
        nodes[place]?.newer = -1
        if newest >= 0 { nodes[newest]?.newer = place } else { oldest = place }
        newest = place
    }
}
