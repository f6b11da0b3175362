/// Where responses are kept, by a key for each resource. ``MemoryStore`` and ``FileStore`` are built in.
///
/// To write one: a key is any text, so do not make a path of it as it stands. What is given for a key is what was saved for
/// it last, whole, or nil; never a part, never another key's. Calls come from many tasks at a time. Expiry is not the
/// store's business: it keeps what it has room for.
///
/// ```swift
/// let repository = GistsRepository(transport: transport, store: try FileStore(folder: caches))
/// ```
public protocol ModelStore: Sendable {
    /// What was saved for a key; nil if there is nothing.
    ///
    /// - Throws: What keeps it from being read, such as a folder without permission. A damaged entry is nil.
    func response(for key: String) async throws -> StoredResponse?

    /// Keeps a response in place of the one before.
    ///
    /// - Throws: What keeps it from being kept; then the one before is still there, or none is.
    func save(_ response: StoredResponse, for key: String) async throws

    /// Forgets what was saved for a key, if anything.
    func remove(for key: String) async throws

    /// Forgets everything.
    func removeAll() async throws
}
