#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// Files that are complete or absent, even if the process is killed while writing.
///
/// A file is written under a temporary name, locked, and renamed at the end. The lock ends with the process, so an unlocked
/// temporary file is a leftover, which ``removeLeftovers(in:)`` removes.
package enum AtomicFile {
    /// The steps of a write.
    package enum Step: Hashable, Sendable, CaseIterable {
        /// The temporary file exists, empty.
        case created
        /// A piece has been written; more follow.
        case halfWritten
        /// All bytes are written, perhaps not to the disk.
        case written
        /// All bytes are on the disk, under the temporary name.
        case synchronized
        /// The file has its final name.
        case renamed
    }

    /// The number of bytes per write.
    static let pieceSize = 64 << 10

    private static let leftoverSuffix = ".writing"

    /// Replaces a file.
    ///
    /// - Parameter checkpoint: Called after each step.
    static func replace(_ file: URL, with bytes: Data, _ checkpoint: (Step) -> Void) throws(StoreError) {
        var temporary = file.path + "." + UUID().uuidString + leftoverSuffix
        var descriptor = try create(temporary)
        // Before the lock, a search for leftovers may have removed the file.
        while try !isLinked(descriptor, temporary) {
            close(descriptor)
            temporary = file.path + "." + UUID().uuidString + leftoverSuffix
            descriptor = try create(temporary)
        }
        do throws(StoreError) {
            checkpoint(.created)
            try fill(descriptor, with: bytes, temporary, checkpoint)
            checkpoint(.written)
            try check("fsync", temporary) { synchronize(descriptor) }
            checkpoint(.synchronized)
            try check("rename", temporary) { rename(temporary, file.path) }
        } catch {
            // The original error is thrown; a failure to clean up would hide it.
            _ = unlink(temporary)
            close(descriptor)
            throw error
        }
        close(descriptor)
        checkpoint(.renamed)
        try synchronize(folder: file.deletingLastPathComponent())
    }

    /// The bytes of a file; nil if there is none.
    ///
    /// - Parameters:
    ///   - headCount: The number of bytes to read first.
    ///   - isWanted: Whether to read the rest, judged by those bytes and the file's size, since a file can be larger than
    ///     memory. If not, only the first bytes are returned.
    static func bytes(
        of file: URL, headCount: Int, isWanted: (_ head: Data, _ size: Int) -> Bool
    ) throws(StoreError) -> Data? {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .file(call: "open", path: file.path, code: errno)
        }
        defer { close(descriptor) }
        var status = stat()
        try check("fstat", file.path) { fstat(descriptor, &status) }
        let size = Int(status.st_size)
        let head = try content(min(headCount, size), from: descriptor, file.path)
        guard isWanted(head, size) else { return head }
        try check("lseek", file.path) { lseek(descriptor, 0, SEEK_SET) == 0 ? 0 : -1 }
        return try content(size, from: descriptor, file.path)
    }

    private static func content(_ wanted: Int, from descriptor: Int32, _ path: String) throws(StoreError) -> Data {
        var bytes = Data(count: wanted)
        var count = 0
        while count < bytes.count {
            let start = count
            let done = bytes.withUnsafeMutableBytes { buffer in
                read(
                    descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[start...]).baseAddress,
                    buffer.count - start)
            }
            if done < 0, errno == EINTR { continue }
            if done < 0 { throw .file(call: "read", path: path, code: errno) }
            if done == 0 { break }
            count += done
        }
        return bytes.prefix(count)
    }

    static func remove(_ file: URL) throws(StoreError) {
        guard unlink(file.path) != 0, errno != ENOENT else { return }
        throw .file(call: "unlink", path: file.path, code: errno)
    }

    static func names(in folder: URL) throws(StoreError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            throw .file(call: "readdir", path: folder.path, code: errno)
        }
    }

    /// Removes the files left by killed processes. Files being written are locked, and stay.
    static func removeLeftovers(in folder: URL) throws(StoreError) {
        for name in try names(in: folder) where name.hasSuffix(leftoverSuffix) {
            let path = folder.appending(path: name).path
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            // Renamed or removed in the meantime.
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { _ = unlink(path) }
            close(descriptor)
        }
    }

    private static func create(_ path: String) throws(StoreError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(call: "open", path: path, code: errno) }
        guard flock(descriptor, LOCK_EX) == 0 else {
            let code = errno
            _ = unlink(path)
            close(descriptor)
            throw .file(call: "flock", path: path, code: code)
        }
        return descriptor
    }

    private static func isLinked(_ descriptor: Int32, _ path: String) throws(StoreError) -> Bool {
        var status = stat()
        try check("fstat", path) { fstat(descriptor, &status) }
        return status.st_nlink > 0
    }

    private static func fill(
        _ descriptor: Int32, with bytes: Data, _ path: String, _ checkpoint: (Step) -> Void
    ) throws(StoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieceSize)
            let done = piece.withUnsafeBytes { buffer in
                write(descriptor, buffer.baseAddress, buffer.count)
            }
            if done < 0, errno == EINTR { continue }
            if done < 0 { throw .file(call: "write", path: path, code: errno) }
            rest = rest.dropFirst(done)
            if !rest.isEmpty { checkpoint(.halfWritten) }
        }
    }

    /// Writes a folder's entries to the disk, so that a rename survives a power failure.
    private static func synchronize(folder: URL) throws(StoreError) {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(call: "open", path: folder.path, code: errno) }
        defer { close(descriptor) }
        try check("fsync", folder.path) { synchronize(descriptor) }
    }

    /// Writes a file to the disk. On Apple platforms `fsync` would leave it in the drive's cache.
    private static func synchronize(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return fsync(descriptor)
    }

    /// A file of a folder.
    struct Entry {
        let name: String
        /// The size in bytes.
        let size: Int
        /// The time of its last use, in nanoseconds of the system's clock.
        let lastUse: Int64
    }

    /// The files in a folder with a suffix.
    static func entries(in folder: URL, suffix: String) throws(StoreError) -> [Entry] {
        var entries: [Entry] = []
        for name in try names(in: folder) where name.hasSuffix(suffix) {
            var status = stat()
            // Removed in the meantime.
            guard stat(folder.appending(path: name).path, &status) == 0 else { continue }
            #if canImport(Darwin)
            let time = status.st_mtimespec
            #else
            let time = status.st_mtim
            #endif
            let lastUse = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
            entries.append(Entry(name: name, size: Int(status.st_size), lastUse: lastUse))
        }
        return entries
    }

    /// Records a use of the file now.
    static func touch(_ file: URL) { _ = utimensat(AT_FDCWD, file.path, nil, 0) }

    private static func check(_ name: String, _ path: String, _ call: () -> Int32) throws(StoreError) {
        while call() != 0 {
            if errno != EINTR { throw .file(call: name, path: path, code: errno) }
        }
    }
}
