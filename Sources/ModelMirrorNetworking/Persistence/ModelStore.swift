public import Foundation

/// Where responses are kept, by a key for each resource. ``MemoryStore`` and ``FileStore`` are built in.
///
/// To write one: a key is any text, so do not use it as a path. What is given for a key is what was saved for
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

    /// Forgets what was saved for some keys, such as those of one account. Defaults to ``removeAll()``.
    ///
    /// - Parameter matches: Whether what was saved for a key is forgotten.
    func removeAll(where matches: @escaping @Sendable (_ key: String) -> Bool) async throws
}

extension ModelStore {
    /// Forgets everything, since that includes what the keys match.
    public func removeAll(where matches: @escaping @Sendable (_ key: String) -> Bool) async throws {
        try await removeAll()
    }
}

/// Why a store could not keep or read a response.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    /// A call of the file system failed; the code is its `errno`.
    case file(call: String, path: String, code: Int32)

    /// One sentence.
    public var description: String {
        switch self {
        case .file(let call, let path, let code):
            "\(call) failed for the stored response at \(path): \(String(cString: strerror(code))) (errno \(code))."
        }
    }

    /// The same sentence.
    public var errorDescription: String? { description }
}
