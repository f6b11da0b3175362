import ModelMirrorFoundation

/// Files that are complete or absent, even if the process is killed while writing.
///
/// A file is written under a temporary name, locked, and renamed at the end. The lock ends with the process, so an unlocked
/// temporary file is a leftover, which ``removeLeftovers(in:)`` removes.
package enum AtomicFile {
    /// The steps of a write.
    package enum Step: Hashable, Sendable, CaseIterable {
        /// The empty temporary file exists.
        case created
        /// A piece has been written; more follow.
        case halfWritten
        /// All bytes are written, but may not be on the disk.
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
    static func replace(_ file: URL, with bytes: Data, _ checkpoint: (Step) -> Void) throws(FileError) {
        let folder = try OpenFile.folder(file.deletingLastPathComponent())
        let temporary = file.appendingToName("." + UUID().uuidString + leftoverSuffix)
        let content = try OpenFile.creating(temporary)
        // Keeps the lock until the file has its final name.
        defer { withExtendedLifetime(content) {} }
        do throws(FileError) {
            try content.lockWaiting()
            // Before the lock, a search for leftovers may have removed the file.
            guard content.isFile(at: temporary) else { return try replace(file, with: bytes, checkpoint) }
            checkpoint(.created)
            var rest = bytes[...]
            while !rest.isEmpty {
                try content.write(rest.prefix(pieceSize))
                rest = rest.dropFirst(pieceSize)
                if !rest.isEmpty { checkpoint(.halfWritten) }
            }
            checkpoint(.written)
            try content.synchronize()
            checkpoint(.synchronized)
            try OpenFile.move(temporary, to: file)
        } catch {
            // The original error is thrown; a failure to clean up would hide it.
            try? OpenFile.remove(temporary)
            throw error
        }
        checkpoint(.renamed)
        // Makes the rename survive a power failure.
        try folder.synchronize()
    }

    /// The bytes of a file; nil if there is none.
    ///
    /// - Parameters:
    ///   - headCount: The number of bytes to read first.
    ///   - wanted: How many bytes to return at most, given the first ones and the file's size, since a file can be larger than memory;
    ///     the first bytes are returned in any case.
    static func bytes(
        of file: URL, headCount: Int, wanted: (_ head: Data, _ size: Int) -> Int = { _, _ in 0 }
    ) throws(FileError) -> Data? {
        let opened = try FileError.unlessAbsent { () throws(FileError) in try OpenFile.readingOwn(file) }
        guard let content = opened else { return nil }
        let size = try content.seekToEnd()
        try content.seek(to: 0)
        let head = try content.read(min(headCount, size))
        let count = wanted(head, size)
        guard count > head.count else { return head }
        try content.seek(to: 0)
        return try content.read(count)
    }

    /// The files in a folder whose names end in a suffix; none if there is no such folder.
    static func files(in folder: URL, suffix: String) throws(FileError) -> [URL] {
        let names = try FileError.unlessAbsent { () throws(FileError) in
            try FileError.of("readdir", folder) { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
        }
        return (names ?? []).filter { $0.hasSuffix(suffix) }.map { folder.appending(path: $0) }
    }

    /// Removes the files left by killed processes. Files being written are locked, and stay.
    static func removeLeftovers(in folder: URL) throws(FileError) {
        for file in try files(in: folder, suffix: leftoverSuffix) {
            // A file that cannot be opened was renamed or removed in the meantime.
            guard let content = try? OpenFile.updating(file), content.lock() else { continue }
            withExtendedLifetime(content) { _ = try? OpenFile.remove(file) }
        }
    }

    /// The files in a folder with a suffix, their sizes in bytes, and the times of their last use, in seconds and nanoseconds since
    /// 1970.
    static func entries(
        in folder: URL, suffix: String
    ) throws(FileError) -> [(file: URL, size: Int, lastUse: (seconds: Int64, nanoseconds: Int))] {
        try files(in: folder, suffix: suffix).compactMap { file in
            // A file without a status was removed in the meantime.
            guard let status = try? OpenFile.status(of: file, followsLink: false) else { return nil }
            #if canImport(Darwin)
            let time = status.st_mtimespec
            #else
            let time = status.st_mtim
            #endif
            return (file, Int(status.st_size), (Int64(time.tv_sec), Int(time.tv_nsec)))
        }
    }
}
