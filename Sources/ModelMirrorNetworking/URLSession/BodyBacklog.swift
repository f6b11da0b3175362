#if !os(Linux) || FoundationNetworking
import Foundation

/// The received but unread part of a body: first in, first out, in memory up to a limit.
///
/// Bytes beyond the limit are kept in an unlinked file, which the system deletes when it is closed:
///
///     arrives → [ file: spooled ] → [ memory: at most about `memoryLimit` bytes ] → reader
///
/// Where the sender can be paused, the limit is never reached.
struct BodyBacklog {
    private let memoryLimit: Int
    /// Where the file is created.
    private let folder: URL
    private var chunks: [Data] = []
    private var first = 0
    private var file: FileHandle?
    private var readOffset: UInt64 = 0
    private var writeOffset: UInt64 = 0
    /// The number of bytes in memory.
    private(set) var memoryCount = 0

    init(memoryLimit: Int, folder: URL = FileManager.default.temporaryDirectory) {
        self.memoryLimit = memoryLimit
        self.folder = folder
    }

    /// The number of bytes in the file.
    var spooledCount: Int { Int(writeOffset - readOffset) }

    var isEmpty: Bool { memoryCount == 0 && spooledCount == 0 }

    /// Appends a chunk.
    ///
    /// - Throws: File system errors.
    mutating func append(_ chunk: Data) throws {
        guard spooledCount == 0, memoryCount == 0 || memoryCount + chunk.count <= memoryLimit else {
            return try spool(chunk)
        }
        chunks.append(chunk)
        memoryCount += chunk.count
    }

    /// Removes and returns the first chunk; nil if there is none.
    ///
    /// - Throws: File system errors.
    mutating func removeFirst() throws -> Data? {
        guard first < chunks.count else { return try unspool() }
        let chunk = chunks[first]
        chunks[first] = Data()
        first += 1
        if first == chunks.count {
            chunks.removeAll(keepingCapacity: true)
            first = 0
        }
        memoryCount -= chunk.count
        return chunk
    }

    private mutating func spool(_ chunk: Data) throws {
        let file = try self.file ?? unnamedFile()
        self.file = file
        try file.seek(toOffset: writeOffset)
        try file.write(contentsOf: chunk)
        writeOffset += UInt64(chunk.count)
    }

    private mutating func unspool() throws -> Data? {
        guard let file, spooledCount > 0 else { return nil }
        try file.seek(toOffset: readOffset)
        guard let chunk = try file.read(upToCount: min(spooledCount, 1 << 16)), !chunk.isEmpty else {
            throw CocoaError(.fileReadCorruptFile)
        }
        readOffset += UInt64(chunk.count)
        if spooledCount == 0 {
            // Keeps the file from growing when the reader is always slightly behind.
            try file.truncate(atOffset: 0)
            readOffset = 0
            writeOffset = 0
        }
        return chunk
    }

    private func unnamedFile() throws -> FileHandle {
        let url = folder.appendingPathComponent("modelmirror-backlog-\(UUID().uuidString)")
        guard FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path]) }
        let file = try FileHandle(forUpdating: url)
        try FileManager.default.removeItem(at: url)
        return file
    }
}
#endif
