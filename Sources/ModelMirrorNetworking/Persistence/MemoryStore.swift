import Foundation
import Synchronization

/// A store in memory, bounded: what has not been used for the longest time makes room.
///
/// ```swift
/// let store = MemoryStore(limit: 1 << 20)
/// store.byteCount  // 0
/// ```
///
/// An entry counts with its body, key, URL, header fields and 256 bytes more. It is gone with the process.
public final class MemoryStore: ModelStore {
    private struct Entry {
        let response: StoredResponse
        let size: Int
    }

    private struct State {
        var entries = RecencyList<String, Entry>()
        var size = 0
    }

    /// What every entry counts for besides its bytes: 256 bytes.
    package static let overhead = 256

    /// The most bytes that are kept.
    package let limit: Int

    private let state = Mutex(State())

    /// An empty store.
    ///
    /// - Parameter limit: The most bytes that are kept. Defaults to 16 MiB.
    public init(limit: Int = 16 << 20) { self.limit = max(limit, 0) }

    /// How many bytes are kept now, never more than the limit.
    public var byteCount: Int { state.withLock { $0.size } }

    /// How many responses are kept now.
    package var count: Int { state.withLock { $0.entries.count } }

    /// What was saved for a key; nil if there is nothing, or it had to make room.
    public func response(for key: String) -> StoredResponse? { state.withLock { $0.entries.use(key)?.response } }

    /// Keeps a response, and drops those that have not been used for the longest time until there is room. One that alone is over
    /// the limit is not kept, nor is the one before it.
    public func save(_ response: StoredResponse, for key: String) {
        let size = Self.size(of: response, key)
        state.withLock { state in
            if let replaced = state.entries.remove(key) { state.size -= replaced.size }
            guard size <= limit else { return }
            while size > limit - state.size, let dropped = state.entries.removeOldest() { state.size -= dropped.size }
            state.entries.insert(Entry(response: response, size: size), for: key)
            state.size += size
        }
    }

    /// Forgets what was saved for a key, if anything.
    public func remove(for key: String) {
        state.withLock { state in
            if let removed = state.entries.remove(key) { state.size -= removed.size }
        }
    }

    /// Forgets everything.
    public func removeAll() { state.withLock { $0 = State() } }

    /// Forgets what was saved for the keys that match.
    public func removeAll(where matches: @escaping @Sendable (_ key: String) -> Bool) {
        state.withLock { state in
            for key in state.entries.keys where matches(key) {
                if let removed = state.entries.remove(key) { state.size -= removed.size }
            }
        }
    }

    private static func size(of response: StoredResponse, _ key: String) -> Int {
        let fields = response.headers.fields.reduce(0) { sum, field in
            sum + field.name.description.utf8.count + field.value.utf8.count + 64
        }
        return response.body.count + key.utf8.count + response.url.absoluteString.utf8.count + fields + overhead
    }
}

/// Values by key, in the order in which they were last used. Every operation takes the same time however many there are.
///
/// The order is a doubly linked list whose links are indices into one array; freed places are used again.
struct RecencyList<Key: Hashable, Value> {
    private struct Node {
        var key: Key
        var value: Value
        /// The one used before this; -1 at the end.
        var older: Int
        /// The one used after this; -1 at the end.
        var newer: Int
    }

    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var places: [Key: Int] = [:]
    private var newest = -1
    private var oldest = -1

    var count: Int { places.count }

    /// The keys, in no order.
    var keys: [Key] { Array(places.keys) }

    /// The value for a key, which is the newest from now on.
    mutating func use(_ key: Key) -> Value? {
        guard let place = places[key], let node = nodes[place] else { return nil }
        unlink(node)
        link(place)
        return node.value
    }

    /// Adds a value, the newest, in place of the one with its key.
    ///
    /// - Returns: The one that was there.
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
        return replaced
    }

    /// Takes a value out.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key), let node = nodes[place] else { return nil }
        unlink(node)
        nodes[place] = nil
        free.append(place)
        return node.value
    }

    /// Takes the value out that has not been used for the longest time.
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
