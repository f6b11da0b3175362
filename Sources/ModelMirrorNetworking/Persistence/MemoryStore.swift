import Foundation
import Synchronization

/// A store in memory, bounded: what has not been used for the longest time makes room.
///
/// ```swift
/// let store = MemoryStore(limit: 1 << 20)
/// store.byteCount  // 0
/// ```
///
/// An entry counts with its body, key, URL, header fields and ``overhead``. It is gone with the process.
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
    public static let overhead = 256

    /// The most bytes that are kept.
    public let limit: Int

    private let state = Mutex(State())

    /// An empty store.
    ///
    /// - Parameter limit: The most bytes that are kept; 16 MiB if nothing is said.
    public init(limit: Int = 16 << 20) { self.limit = max(limit, 0) }

    /// How many bytes are kept now, never more than the limit.
    public var byteCount: Int { state.withLock { $0.size } }

    /// How many responses are kept now.
    public var count: Int { state.withLock { $0.entries.count } }

    /// What was saved for a key; nil if there is nothing, or it had to make room.
    public func response(for key: String) -> StoredResponse? { state.withLock { $0.entries.use(key)?.response } }

    /// Keeps a response, and drops those that have not been used for the longest time until there is room.
    ///
    /// - Throws: ``StoreError/tooLarge(size:limit:)`` if it alone is over the limit; then none is there for the key.
    public func save(_ response: StoredResponse, for key: String) throws(StoreError) {
        let size = Self.size(of: response, key)
        let isKept = state.withLock { state in
            if let replaced = state.entries.remove(key) { state.size -= replaced.size }
            guard size <= limit else { return false }
            while size > limit - state.size, let dropped = state.entries.removeOldest() { state.size -= dropped.size }
            state.entries.insert(Entry(response: response, size: size), for: key)
            state.size += size
            return true
        }
        if !isKept { throw .tooLarge(size: size, limit: limit) }
    }

    /// Forgets what was saved for a key, if anything.
    public func remove(for key: String) {
        state.withLock { state in
            if let removed = state.entries.remove(key) { state.size -= removed.size }
        }
    }

    /// Forgets everything.
    public func removeAll() { state.withLock { $0 = State() } }

    private static func size(of response: StoredResponse, _ key: String) -> Int {
        let fields = response.headers.fields.reduce(0) { sum, field in
            sum + field.name.description.utf8.count + field.value.utf8.count + 64
        }
        return response.body.count + key.utf8.count + response.url.absoluteString.utf8.count + fields + overhead
    }
}
