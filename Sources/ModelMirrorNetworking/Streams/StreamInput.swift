import ModelMirror
import ModelMirrorFoundation

/// The bytes of a stream that have arrived and have not been read, chunk by chunk, without the UTF-8 byte order mark.
struct StreamInput: Sendable {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The bytes of the chunk.
    private(set) var bytes: [UInt8] = []
    /// The index of the first unread byte.
    private(set) var cursor = 0
    /// The place of the first unread byte in the stream.
    var place = ErrorPlace()
    /// Whether the stream has ended.
    private(set) var isOver = false
    private var isPastMark = false

    var unread: ArraySlice<UInt8> { bytes[cursor...] }
    /// The first unread byte; nil if there is none.
    var next: UInt8? { cursor < bytes.count ? bytes[cursor] : nil }

    /// Takes a chunk of any size, after all bytes of the previous one have been read; nil at the end of the stream.
    mutating func take(_ chunk: Data?) {
        isOver = chunk == nil
        bytes = (isPastMark ? [] : bytes) + (chunk ?? Data())
        cursor = 0
        if isPastMark { return }
        // Bytes that may begin the mark are held back.
        guard isOver || bytes.count >= 3 || !Self.mark.starts(with: bytes) else {
            cursor = bytes.count
            return
        }
        isPastMark = true
        if bytes.starts(with: Self.mark) { skip(to: 3) }
    }

    /// Passes the bytes before an index, and counts lines and columns.
    mutating func advance(to end: Int) {
        place.advance(over: bytes[cursor..<end])
        cursor = end
    }

    /// Passes the bytes before an index without counting lines and columns.
    mutating func skip(to end: Int) {
        place.offset += end - cursor
        cursor = end
    }
}
