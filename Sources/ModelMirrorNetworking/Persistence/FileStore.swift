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
///
/// Any number of stores and processes may use one folder. Files are readable by their user only. They are read and written on
/// a queue of the store, not by the threads of Swift's tasks. The folder grows with the keys; ``removeAll()`` empties it.
public final class FileStore: ModelStore {
    /// Where the files are.
    public let folder: URL

    private let damaged: @Sendable (DamagedStoredFile) -> Void
    private let checkpoint: @Sendable (AtomicFile.Step) -> Void
    private let queue = DispatchQueue(label: "ModelMirror.FileStore")

    /// A store in a folder, which is made if it is not there.
    ///
    /// - Parameters:
    ///   - folder: A folder for the store alone.
    ///   - damaged: Called with each damaged file that was looked up, on a queue of the store.
    /// - Throws: ``StoreError/file(call:path:code:)`` if the folder can be neither made nor read; `CocoaError` from making it.
    public convenience init(
        folder: URL, damaged: @escaping @Sendable (DamagedStoredFile) -> Void = { _ in }
    ) throws {
        try self.init(folder: folder, damaged: damaged) { _ in }
    }

    /// - Parameter checkpoint: Called between the steps of every save, for tests that end the process there.
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
        try await onQueue { [checkpoint] in
            try AtomicFile.replace(file, with: try StoredFile.bytes(of: response, for: key), checkpoint)
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

    private static let suffix = ".response"

    private func onQueue<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
