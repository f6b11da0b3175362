import ModelMirrorFoundation
import Synchronization

/// A store in memory with a size limit; the least recently used responses are removed first.
///
/// ```swift
/// let store = MemoryStore(limit: 1 << 20)
/// store.byteCount  // 0
/// ```
///
/// The size of an entry is that of its body, key, URL and header fields in bytes, plus 64 bytes per field and 256 bytes.
public final class MemoryStore: ResponseStore {
    /// The fixed part of an entry's size in bytes.
    package static let overhead = 256

    /// The largest total size in bytes.
    package let limit: Int

    /// By the bytes of the keys, since equal texts may differ in them.
    private let responses: Mutex<RecencyList<[UInt8], StoredResponse>>

    /// An empty store.
    ///
    /// - Parameter limit: The largest total size in bytes. Defaults to 16 MiB.
    public init(limit: Int = 16 << 20) {
        self.limit = max(limit, 0)
        responses = Mutex(RecencyList(limit: self.limit))
    }

    /// The current total size in bytes, never more than the limit.
    public var byteCount: Int { responses.withLock { $0.size } }

    /// The current number of responses.
    package var count: Int { responses.withLock { $0.count } }

    /// The response saved for a key; nil if there is none, or it was removed to make room.
    public func response(for key: String) -> StoredResponse? { responses.withLock { $0.use(Array(key.utf8)) } }

    /// Saves a response, removing the least recently used ones until there is room. A response that alone exceeds the limit is
    /// not kept, nor is the previous one for its key.
    public func save(_ response: StoredResponse, for key: String) {
        let size = Self.size(of: response, key)
        responses.withLock { $0.insert(response, size: size, for: Array(key.utf8)) }
    }

    /// Removes the response for a key, if any.
    public func remove(for key: String) { responses.withLock { $0.remove(Array(key.utf8)) } }

    /// Removes all responses.
    public func removeAll() { responses.withLock { $0 = RecencyList(limit: limit) } }

    /// Removes the responses whose keys match. It is asynchronous, since asynchronous callers would otherwise get the protocol's
    /// default, which removes all.
    public func removeAll(where matches: @escaping @Sendable (_ key: String) -> Bool) async {
        // Outside the lock, since the closure may use the store.
        for key in responses.withLock({ $0.keys.map { String(decoding: $0, as: UTF8.self) } }) where matches(key) {
            remove(for: key)
        }
    }

    private static func size(of response: StoredResponse, _ key: String) -> Int {
        let fields = response.headers.fields.reduce(0) { sum, field in
            sum + field.name.description.utf8.count + field.value.utf8.count + 64
        }
        return response.body.count + key.utf8.count + response.url.absoluteString.utf8.count + fields + overhead
    }
}
