/// Keeps responses by key. ``MemoryStore`` and ``FileStore`` are built in.
///
/// To implement a store: treat a key as arbitrary text, not as a path. Return the complete response last saved for a key, or
/// nil; never a part of it or another key's. Expect calls from many tasks at once. Ignore expiry: keep whatever there is room
/// for.
///
/// ```swift
/// let repository = GistsRepository(transport: transport, store: try FileStore(folder: caches))
/// ```
public protocol ResponseStore: Sendable {
    /// The response saved for a key; nil if there is none or it is damaged.
    ///
    /// - Throws: Why it cannot be read, such as a missing permission; the response counts as absent.
    func response(for key: String) async throws -> StoredResponse?

    /// Saves a response in place of the previous one.
    ///
    /// - Throws: Why it cannot be saved; the store then has the previous response, the new one or none.
    func save(_ response: StoredResponse, for key: String) async throws

    /// Removes the response for a key, if any.
    func remove(for key: String) async throws

    /// Removes all responses.
    func removeAll() async throws

    /// Removes the responses whose keys match, such as those of one account. Defaults to ``removeAll()``.
    func removeAll(where matches: @escaping @Sendable (_ key: String) -> Bool) async throws
}

extension ResponseStore {
    /// Removes all responses.
    public func removeAll(where matches: @escaping @Sendable (_ key: String) -> Bool) async throws {
        try await removeAll()
    }
}
