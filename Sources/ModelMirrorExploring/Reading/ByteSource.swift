import Foundation

/// A document's bytes as UTF-8, piece by piece: those of a file, a pipe or memory.
///
/// A file may be compressed with gzip, in several members (RFC 1952). UTF-16 and UTF-32 are recognized as RFC 4627 section 3 does, and
/// by a byte order mark, which is left out.
package final class ByteSource {
    /// The reason why a document cannot be read, as the end of a sentence.
    package struct Failure: Error, Equatable {
        package let reason: String

        package init(_ reason: String) { self.reason = reason }
    }

    /// The number of bytes read at once.
    static let pieceSize = 1 << 18

    /// The size in bytes, as stored; nil if it is unknown.
    let size: Int?
    /// The number of bytes read so far, as stored.
    private(set) var position = 0

    private let read: () throws(Failure) -> [UInt8]
    private let stored: () -> Int
    private var decoder: UnicodeDecoder?
    private var isEnd = false

    /// - Parameters:
    ///   - read: The next bytes; none at the end.
    ///   - stored: The number of stored bytes that were read.
    init(size: Int?, stored: @escaping () -> Int, read: @escaping () throws(Failure) -> [UInt8]) {
        (self.size, self.stored, self.read) = (size, stored, read)
    }

    /// The bytes of a document in memory.
    package convenience init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        self.init(size: bytes.count, stored: { bytes.count - rest.count }) { () throws(Failure) in
            if bytes.isCompressed {
                throw Failure("it is compressed with gzip; decompress it first, or pass it through a pipe")
            }
            defer { rest = rest.dropFirst(ByteSource.pieceSize) }
            return Array(rest.prefix(ByteSource.pieceSize))
        }
    }

    /// The next bytes as UTF-8; none at the end.
    func next() throws(Failure) -> [UInt8] {
        while !isEnd {
            var bytes = try read()
            defer { position = stored() }
            if decoder == nil {
                // The encoding is recognized by four bytes, which a pipe may deliver one by one.
                while bytes.count < 4 {
                    let more = try read()
                    if more.isEmpty { break }
                    bytes += more
                }
                decoder = UnicodeDecoder(head: bytes)
            }
            isEnd = bytes.isEmpty
            if let text = try decoder?.utf8(bytes), !text.isEmpty { return text }
        }
        return []
    }

    /// All bytes that were not read yet.
    func rest() throws(Failure) -> [UInt8] {
        var bytes = try next()
        while true {
            let more = try next()
            if more.isEmpty { return bytes }
            bytes += more
        }
    }
}

extension ByteSource {
    /// Opens a file or a pipe, such as `/dev/fd/63` of a process substitution.
    ///
    /// - Parameter zlib: Decompresses; nil if the system has none.
    static func file(_ path: String, zlib: Zlib? = .system) throws(Failure) -> ByteSource {
        let handle: FileHandle
        do {
            handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        } catch CocoaError.fileReadNoPermission {
            throw Failure("its permissions do not allow it")
        } catch {
            throw Failure("the system reported an error while opening it")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let isFile = attributes?[.type] as? FileAttributeType == .typeRegular
        return file(handle, size: isFile ? attributes?[.size] as? Int : nil, zlib: zlib)
    }

    /// The bytes of an open file.
    static func file(_ handle: FileHandle, size: Int? = nil, zlib: Zlib? = .system) -> ByteSource {
        if let zlib, let file = zlib.file(handle) {
            return ByteSource(size: size, stored: { file.position }) { () throws(Failure) in
                try file.read(ByteSource.pieceSize)
            }
        }
        var count = 0
        return ByteSource(size: size, stored: { count }) { () throws(Failure) in
            let bytes: [UInt8]
            do {
                bytes = [UInt8](try handle.read(upToCount: ByteSource.pieceSize) ?? Data())
            } catch {
                throw Failure("the system reported an error while reading it")
            }
            if count == 0, bytes.isCompressed {
                throw Failure("it is compressed with gzip, and the system's zlib was not found; decompress it first")
            }
            count += bytes.count
            return bytes
        }
    }
}

extension [UInt8] {
    /// Whether the bytes begin as gzip does.
    fileprivate var isCompressed: Bool { starts(with: [0x1F, 0x8B]) }
}
