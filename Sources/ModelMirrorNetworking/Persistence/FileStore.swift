import Dispatch
public import Foundation

/// A store in a folder with one file per key. It outlives the process.
///
/// ```swift
/// let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
/// let store = try FileStore(folder: caches.appending(path: "gists")) { damage in log("\(damage)") }
/// ```
///
/// - A file's name is the SHA-256 digest of its key, so no key can point outside the folder.
/// - A file is written under a temporary name and renamed once it is complete and on the disk: readers, also in other
///   processes, find the old response or the new one. A killed process leaves at most a temporary file, which the next store
///   created for the folder removes.
/// - A file that is truncated, changed, renamed or of another version counts as absent and is reported to the closure.
///
/// Any number of stores and processes may share a folder. Files are readable by their user only, and are read and written on
/// a queue of the store, not on the threads of Swift's tasks. The folder grows with the number of keys; ``removeAll()``
/// empties it.
public final class FileStore: ModelStore {
    /// The folder with the files.
    public let folder: URL

    private let damaged: @Sendable (DamagedStoredFile) -> Void
    private let checkpoint: @Sendable (AtomicFile.Step) -> Void
    private let queue = DispatchQueue(label: "ModelMirror.FileStore")

    /// A store in a folder, which is created if needed.
    ///
    /// - Parameters:
    ///   - folder: A folder for this store only.
    ///   - damaged: Called with each damaged file that is read, on a queue of the store.
    /// - Throws: ``StoreError/file(call:path:code:)`` if the folder cannot be created or read; `CocoaError` from creating it.
    public convenience init(
        folder: URL, damaged: @escaping @Sendable (DamagedStoredFile) -> Void = { _ in }
    ) throws {
        try self.init(folder: folder, damaged: damaged) { _ in }
    }

    /// - Parameter checkpoint: Called between the steps of every save, for tests that kill the process there.
    package init(
        folder: URL, damaged: @escaping @Sendable (DamagedStoredFile) -> Void,
        checkpoint: @escaping @Sendable (AtomicFile.Step) -> Void
    ) throws {
        self.folder = folder
        self.damaged = damaged
        self.checkpoint = checkpoint
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try AtomicFile.removeLeftovers(in: folder)
    }

    /// The file of a key.
    package func file(for key: String) -> URL {
        folder.appending(path: SHA256Digest(of: Data(key.utf8)).hexadecimal + Self.suffix)
    }

    /// The response saved for a key; nil if there is none, or its file is damaged.
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
                return try StoredFile.response(from: bytes, for: key)
            } catch {
                damaged(DamagedStoredFile(file: file, key: key, reason: error))
                return nil
            }
        }
    }

    /// Saves a response in place of the previous one. It is on the disk when this returns.
    ///
    /// - Throws: ``StoreError/file(call:path:code:)``; the store then has the previous response or the new one, complete.
    public func save(_ response: StoredResponse, for key: String) async throws {
        let file = file(for: key)
        try await onQueue { [checkpoint] in
            try AtomicFile.replace(file, with: try StoredFile.bytes(of: response, for: key), checkpoint)
        }
    }

    /// Removes the response for a key, if any.
    ///
    /// - Throws: ``StoreError/file(call:path:code:)``.
    public func remove(for key: String) async throws {
        let file = file(for: key)
        try await onQueue { try AtomicFile.remove(file) }
    }

    /// Removes the responses for all keys, and no other file in the folder.
    ///
    /// - Throws: ``StoreError/file(call:path:code:)``.
    public func removeAll() async throws {
        try await onQueue { [folder] in
            for name in try AtomicFile.names(in: folder) where name.hasSuffix(Self.suffix) {
                try AtomicFile.remove(folder.appending(path: name))
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
