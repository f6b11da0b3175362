import Dispatch
public import Foundation

/// A store in a folder, one file for each key, that outlives the process.
///
/// ```swift
/// let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
/// let store = try FileStore(folder: caches.appending(path: "gists")) { damage in log("\(damage)") }
/// ```
///
/// - A file is named by the SHA-256 digest of its key, so that no key leads out of the folder, however it is made.
/// - A file is written beside its place and renamed when it is whole and on the disk: whoever reads, also in another process,
///   finds the old response or the new one. A process that is killed meanwhile leaves at most a file that nobody reads; the
///   next store that is made for the folder removes it.
/// - A file that is cut, changed, renamed or of another version is a miss, which is reported to the closure.
/// - With a limit, the files that have not been used for the longest time are removed when the folder grows over it.
///
/// Any number of stores and processes may use one folder; the limit holds for their files together. Files are readable by their user
/// only. They are read and written on a queue of the store, not by the threads of Swift's tasks. A folder that is removed, as
/// systems remove caches, is made again.
///
/// ```swift
/// let store = try FileStore(folder: caches.appending(path: "gists"), limit: 50 << 20, prepare: { folder in
///     var (folder, values) = (folder, URLResourceValues())
///     values.isExcludedFromBackup = true
///     try folder.setResourceValues(values)
/// })
/// ```
public final class FileStore: ModelStore {
    /// Where the files are.
    public let folder: URL
    /// The most bytes that the files of the folder take; nil for any.
    public let limit: Int?

    private let makeFolder: @Sendable () throws -> Void
    private let damaged: @Sendable (DamagedStoredFile) -> Void
    private let checkpoint: @Sendable (AtomicFile.Step) -> Void
    private let queue = DispatchQueue(label: "ModelMirror.FileStore")

    /// A store in a folder, which is made if it is not there.
    ///
    /// - Parameters:
    ///   - folder: A folder for the store alone.
    ///   - limit: The most bytes that the files take; nil for any. A response that alone is larger is not kept.
    ///   - damaged: Called with each damaged file that was looked up, on a queue of the store.
    ///   - prepare: Called with the folder when the store is made, and each time the folder is made again. The place for file
    ///     protection, which new files inherit, and for exclusion from backups. An error ends the initialiser; later it is ignored.
    /// - Throws: ``StoreError/file(call:path:code:)`` if the folder can be neither made nor read; `CocoaError` from making it.
    public convenience init(
        folder: URL, limit: Int? = nil, damaged: @escaping @Sendable (DamagedStoredFile) -> Void = { _ in },
        prepare: @escaping @Sendable (_ folder: URL) throws -> Void = { _ in }
    ) throws {
        try self.init(folder: folder, limit: limit, damaged: damaged, checkpoint: { _ in }, prepare: prepare)
    }

    /// - Parameter checkpoint: Called between the steps of every save, for tests that end the process there.
    package init(
        folder: URL, limit: Int? = nil, damaged: @escaping @Sendable (DamagedStoredFile) -> Void,
        checkpoint: @escaping @Sendable (AtomicFile.Step) -> Void,
        prepare: @escaping @Sendable (_ folder: URL) throws -> Void = { _ in }
    ) throws {
        self.folder = folder
        self.limit = limit.map { max($0, 0) }
        self.damaged = damaged
        self.checkpoint = checkpoint
        makeFolder = {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try prepare(folder)
        }
        try makeFolder()
        try AtomicFile.removeLeftovers(in: folder)
    }

    /// Where the response for a key is kept.
    package func file(for key: String) -> URL {
        folder.appending(path: SHA256Digest(of: Data(key.utf8)).hexadecimal + Self.suffix)
    }

    /// What was saved for a key; nil if there is nothing, or it is damaged.
    ///
    /// - Throws: ``StoreError/file(call:path:code:)``.
    public func response(for key: String) async throws -> StoredResponse? {
        let file = file(for: key)
        return try await onQueue { [damaged] in
            guard
                let bytes = try AtomicFile.bytes(
                    of: file, headCount: StoredFile.headCount, isWanted: StoredFile.canBeWhole)
            else { return nil }
            do throws(DamagedStoredFile.Reason) {
                AtomicFile.touch(file)
                return try StoredFile.response(from: bytes, for: key)
            } catch {
                damaged(DamagedStoredFile(file: file, key: key, reason: error))
                return nil
            }
        }
    }

    /// Keeps a response in place of the one before. When this returns, it is on the disk.
    ///
    /// - Throws: ``StoreError/file(call:path:code:)``; then the one before is there, or the new one, whole.
    public func save(_ response: StoredResponse, for key: String) async throws {
        let file = file(for: key)
        try await onQueue { [self] in
            let bytes = try StoredFile.bytes(of: response, for: key)
            if let limit, bytes.count > limit { return try AtomicFile.remove(file) }
            try replace(file, with: bytes)
            if let limit { try Self.evict(from: folder, to: limit) }
        }
    }

    /// Replaces a file, in a folder that is made again if it was removed.
    private func replace(_ file: URL, with bytes: Data) throws(StoreError) {
        do {
            try AtomicFile.replace(file, with: bytes, checkpoint)
        } catch .file(_, _, ENOENT) {
            try? makeFolder()
            try AtomicFile.replace(file, with: bytes, checkpoint)
        }
    }

    /// Removes the files that have not been used for the longest time, until the others fit. Another process may remove the same.
    private static func evict(from folder: URL, to limit: Int) throws(StoreError) {
        let entries = try AtomicFile.entries(in: folder, suffix: suffix)
        var size = entries.reduce(0) { $0 + $1.size }
        for entry in entries.sorted(by: { $0.lastUse < $1.lastUse }) where size > limit {
            try AtomicFile.remove(folder.appending(path: entry.name))
            size -= entry.size
        }
    }

    /// How many bytes the files take now.
    ///
    /// - Throws: ``StoreError/file(call:path:code:)``.
    public func byteCount() async throws -> Int {
        try await onQueue { [folder] in
            try AtomicFile.entries(in: folder, suffix: Self.suffix).reduce(0) { $0 + $1.size }
        }
    }

    /// Removes the file for a key, if there is one.
    ///
    /// - Throws: ``StoreError/file(call:path:code:)``.
    public func remove(for key: String) async throws {
        let file = file(for: key)
        try await onQueue { try AtomicFile.remove(file) }
    }

    /// Removes the files of all keys, and nothing else that may be in the folder.
    ///
    /// - Throws: ``StoreError/file(call:path:code:)``.
    public func removeAll() async throws {
        try await onQueue { [folder] in
            for name in try AtomicFile.names(in: folder) where name.hasSuffix(Self.suffix) {
                try AtomicFile.remove(folder.appending(path: name))
            }
        }
    }

    /// Removes the files of the keys that match, also those of other stores in the folder. A damaged file has no key, and stays.
    ///
    /// - Throws: ``StoreError/file(call:path:code:)``.
    public func removeAll(where matches: @escaping @Sendable (_ key: String) -> Bool) async throws {
        try await onQueue { [folder] in
            for name in try AtomicFile.names(in: folder) where name.hasSuffix(Self.suffix) {
                let file = folder.appending(path: name)
                guard let key = try StoredFile.key(of: file), matches(key) else { continue }
                try AtomicFile.remove(file)
            }
        }
    }

    private static let suffix = ".response"

    private func onQueue<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
