import Dispatch
public import ModelMirrorFoundation

/// A store in a folder, with one file per key. Its responses outlive the process.
///
/// ```swift
/// let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
/// let store = try FileStore(folder: caches.appending(path: "gists")) { damage in log("\(damage)") }
/// ```
///
/// - A file's name is the SHA-256 digest of its key, so no key can point outside the folder.
/// - A file is written under a temporary name and renamed once it is complete and on the disk: readers, including other
///   processes, find the old response or the new one. A killed process leaves at most a temporary file, which the next store
///   created for the folder removes.
/// - A file that is truncated, changed, renamed or of another version counts as absent and is reported to `damaged`.
/// - With a limit, the least recently used files are removed when the folder exceeds it.
///
/// Any number of stores and processes may share a folder; the limit holds for their files together. Files are readable by their user
/// only, and are read and written on queues of the store, not on the threads of Swift's tasks. A folder that the system removes,
/// as it may with caches, is created again.
///
/// ```swift
/// let store = try FileStore(folder: caches.appending(path: "gists"), limit: 50 << 20, prepare: { folder in
///     var (folder, values) = (folder, URLResourceValues())
///     values.isExcludedFromBackup = true
///     try folder.setResourceValues(values)
/// })
/// ```
public final class FileStore: ResponseStore {
    /// The folder with the files.
    let folder: URL
    private let limit: Int?

    private let makeFolder: @Sendable () throws -> Void
    private let damaged: @Sendable (DamagedStoredFile) -> Void
    private let checkpoint: @Sendable (AtomicFile.Step) -> Void
    private let queue = DispatchQueue(label: "ModelMirror.FileStore")
    /// Separate from ``queue``, because files are replaced as a whole, so reading need not wait until a write is on the disk.
    private let readingQueue = DispatchQueue(label: "ModelMirror.FileStore.reading")

    /// A store in a folder, which is created if needed.
    ///
    /// - Parameters:
    ///   - folder: The folder, which other stores may share.
    ///   - limit: The largest total size of the files in bytes; nil for no limit. A response that alone exceeds it is not kept.
    ///   - damaged: Called with each damaged file that is read, on a queue of the store.
    ///   - prepare: Called with the folder when the store is made, and each time the folder is created again: to set file
    ///     protection, which new files inherit, or to exclude it from backups. Its errors fail the initializer; later ones are
    ///     ignored.
    /// - Throws: ``FileError`` if the folder cannot be created or read; errors of `prepare`.
    public convenience init(
        folder: URL, limit: Int? = nil, damaged: @escaping @Sendable (DamagedStoredFile) -> Void = { _ in },
        prepare: @escaping @Sendable (_ folder: URL) throws -> Void = { _ in }
    ) throws {
        try self.init(folder: folder, limit: limit, damaged: damaged, checkpoint: { _ in }, prepare: prepare)
    }

    /// - Parameter checkpoint: Called between the steps of every save, for tests that kill the process there.
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
            try FileError.of("mkdir", folder) {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            try prepare(folder)
        }
        try makeFolder()
        try AtomicFile.removeLeftovers(in: folder)
    }

    /// The file of a key.
    package func file(for key: String) -> URL {
        folder.appending(path: SHA256Digest(of: Data(key.utf8)).hexadecimal + Self.suffix)
    }

    /// The response saved for a key; nil if there is none, or its file is damaged.
    ///
    /// - Throws: ``FileError``.
    public func response(for key: String) async throws -> StoredResponse? {
        let file = file(for: key)
        return try await on(readingQueue) { [damaged] in
            let whole = try AtomicFile.bytes(of: file, headCount: StoredFile.headCount) { head, size in
                StoredFile.canBeWhole(head, size: size) ? size : 0
            }
            guard let bytes = whole else { return nil }
            do throws(DamagedStoredFile.Reason) {
                OpenFile.touch(file)
                return try StoredFile.response(from: bytes, for: key)
            } catch {
                damaged(DamagedStoredFile(file: file, key: key, reason: error))
                return nil
            }
        }
    }

    /// The date of the response saved for a key, read without its body; nil if there is none. A damaged file is not reported.
    func date(for key: String) async throws -> Date? {
        let file = file(for: key)
        return try await on(readingQueue) { try StoredFile.description(of: file)?.time }
    }

    /// Saves a response in place of the previous one. It is on the disk when this returns.
    ///
    /// - Throws: ``FileError``; the store then has the previous response or the new one, complete.
    public func save(_ response: StoredResponse, for key: String) async throws {
        let file = file(for: key)
        try await on(queue) { [self] in
            let bytes = try StoredFile.bytes(of: response, for: key)
            if let limit, bytes.count > limit { return try OpenFile.remove(file) }
            try replace(file, with: bytes)
            if let limit { try Self.evict(from: folder, to: limit) }
        }
    }

    /// Replaces a file, creating the folder again if it was removed.
    private func replace(_ file: URL, with bytes: Data) throws(FileError) {
        let replace = { () throws(FileError) in try AtomicFile.replace(file, with: bytes, self.checkpoint) }
        if try FileError.unlessAbsent(replace) != nil { return }
        try? makeFolder()
        try replace()
    }

    /// Removes the least recently used files until the others fit. Another process may be removing the same ones.
    private static func evict(from folder: URL, to limit: Int) throws(FileError) {
        let entries = try AtomicFile.entries(in: folder, suffix: suffix)
        var size = entries.reduce(0) { $0 + $1.size }
        for entry in entries.sorted(by: { $0.lastUse < $1.lastUse }) where size > limit {
            try OpenFile.remove(entry.file)
            size -= entry.size
        }
    }

    /// The current total size of the files in bytes.
    ///
    /// - Throws: ``FileError``.
    public func byteCount() async throws -> Int {
        try await on(queue) { [folder] in
            try AtomicFile.entries(in: folder, suffix: Self.suffix).reduce(0) { $0 + $1.size }
        }
    }

    /// Removes the response for a key, if any.
    ///
    /// - Throws: ``FileError``.
    public func remove(for key: String) async throws {
        let file = file(for: key)
        try await on(queue) { try OpenFile.remove(file) }
    }

    /// Removes all responses, including those of other stores in the folder, but no other files.
    ///
    /// - Throws: ``FileError``.
    public func removeAll() async throws {
        try await on(queue) { [folder] in
            for file in try AtomicFile.files(in: folder, suffix: Self.suffix) { try OpenFile.remove(file) }
        }
    }

    /// Removes the files whose keys match, including those of other stores in the folder, and damaged files, whose keys cannot be
    /// read. A file that cannot be removed does not keep the others.
    ///
    /// - Throws: ``FetchError/removalFailed(keys:_:)``; ``FileError`` if the folder cannot be read.
    public func removeAll(where matches: @escaping @Sendable (_ key: String) -> Bool) async throws {
        try await on(queue) { [folder] in
            var kept: [String] = []
            var failure: (any Error)?
            for file in try AtomicFile.files(in: folder, suffix: Self.suffix) {
                var key: String?
                do {
                    key = try StoredFile.description(of: file)?.key
                    if let key, !matches(key) { continue }
                    try OpenFile.remove(file)
                } catch {
                    kept.append(key ?? file.lastPathComponent)
                    failure = error
                }
            }
            if let failure { throw FetchError.removalFailed(keys: kept, failure) }
        }
    }

    private static let suffix = ".response"

    private func on<Result: Sendable>(
        _ queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
