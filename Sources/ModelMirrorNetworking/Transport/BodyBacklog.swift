import ModelMirrorFoundation

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
    private var file: OpenFile?
    private var readOffset = 0
    private var writeOffset = 0
    /// The number of bytes in memory.
    private(set) var memoryCount = 0

    init(memoryLimit: Int, folder: URL = FileManager.default.temporaryDirectory) {
        self.memoryLimit = memoryLimit
        self.folder = folder
    }

    /// The number of bytes in the file.
    var spooledCount: Int { writeOffset - readOffset }

    /// Appends a chunk. Small ones are joined, so that the reader takes fewer steps.
    ///
    /// - Throws: File system errors.
    mutating func append(_ chunk: Data) throws(FileError) {
        guard spooledCount == 0, memoryCount == 0 || memoryCount + chunk.count <= memoryLimit else {
            return try spool(chunk)
        }
        memoryCount += chunk.count
        if let count = chunks.last?.count, count + chunk.count <= 1 << 14 {
            chunks[chunks.count - 1].append(chunk)
        } else {
            chunks.append(chunk)
        }
    }

    /// Removes and returns the first chunk; nil if there is none.
    ///
    /// - Throws: File system errors.
    mutating func removeFirst() throws(FileError) -> Data? {
        guard !chunks.isEmpty else { return try unspool() }
        let chunk = chunks.removeFirst()
        memoryCount -= chunk.count
        return chunk
    }

    private mutating func spool(_ chunk: Data) throws(FileError) {
        if file == nil {
            let url = folder.appendingPathComponent("modelmirror-backlog-\(UUID().uuidString)")
            file = try OpenFile.creating(url)
            try OpenFile.remove(url)
        }
        try file?.seek(to: writeOffset)
        try file?.write(chunk)
        writeOffset += chunk.count
    }

    private mutating func unspool() throws(FileError) -> Data? {
        guard let file, spooledCount > 0 else { return nil }
        try file.seek(to: readOffset)
        let chunk = try file.read(min(spooledCount, 1 << 16))
        // The file became shorter than what was written.
        if chunk.isEmpty { throw FileError(call: "read", path: folder.path, code: EIO) }
        readOffset += chunk.count
        if spooledCount == 0 {
            // Keeps the file from growing when the reader is always slightly behind.
            try file.empty()
            (readOffset, writeOffset) = (0, 0)
        }
        return chunk
    }
}
