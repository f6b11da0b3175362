import ModelMirror
import ModelMirrorFoundation

/// Splits a text that arrives in chunks into lines, one at a time.
struct LineScanner: Sendable {
    enum Ending: Sendable {
        /// LF or CR LF: newline-delimited JSON.
        case lineFeed
        /// LF, CR LF, or CR alone: server-sent events.
        case any
    }

    private let ending: Ending
    private var mark = ByteOrderMark()
    private var chunk: [UInt8] = []
    private var cursor = 0
    private var isAfterReturn = false
    private var isWhole = true
    private var nextPlace = ErrorPlace(line: 1, column: 1, offset: 0)

    /// The bytes of the current line so far, without its ending.
    private(set) var line: [UInt8] = []
    private(set) var place = ErrorPlace(line: 1, column: 1, offset: 0)

    /// The number of bytes gathered so far of an incomplete line, without a CR that may end it; 0 if there is none.
    var gatheredCount: Int {
        isWhole ? 0 : line.count - (ending == .lineFeed && line.last == UInt8(ascii: "\r") ? 1 : 0)
    }

    init(_ ending: Ending) { self.ending = ending }

    /// Takes a chunk, after all lines of the previous one have been read.
    mutating func take(_ chunk: Data) { take(mark.strip(chunk)) }

    /// Takes the end of the text.
    mutating func finish() { take(mark.finish()) }

    private mutating func take(_ bytes: [UInt8]) {
        if nextPlace.offset == 0 { nextPlace.offset = mark.length }
        chunk = bytes
        cursor = 0
    }

    /// Advances to the end of the current line, or of the next one if it is complete.
    ///
    /// - Returns: Whether the line is complete; if not, more bytes are needed.
    mutating func advance() -> Bool {
        if isAfterReturn, cursor < chunk.count {
            isAfterReturn = false
            if chunk[cursor] == UInt8(ascii: "\n") {
                cursor += 1
                nextPlace.offset += 1
            }
        }
        guard cursor < chunk.count else { return false }
        if isWhole {
            line.removeAll(keepingCapacity: true)
            place = nextPlace
            isWhole = false
        }
        let end = chunk[cursor...].firstIndex {
            $0 == UInt8(ascii: "\n") || ending == .any && $0 == UInt8(ascii: "\r")
        }
        line += chunk[cursor..<(end ?? chunk.count)]
        nextPlace.offset += (end.map { $0 + 1 } ?? chunk.count) - cursor
        cursor = end.map { $0 + 1 } ?? chunk.count
        guard let end else { return false }
        isAfterReturn = ending == .any && chunk[end] == UInt8(ascii: "\r")
        if ending == .lineFeed, line.last == UInt8(ascii: "\r") { line.removeLast() }
        nextPlace.line += 1
        isWhole = true
        return true
    }

    /// Treats the end of the text as the end of the line.
    ///
    /// - Returns: Whether there is a line without an ending.
    mutating func endLine() -> Bool {
        defer { isWhole = true }
        return !isWhole
    }
}

/// Removes the UTF-8 byte order mark from a text that arrives in pieces of any size.
struct ByteOrderMark: Sendable {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private var held: [UInt8] = []
    private var isPassed = false
    /// The number of bytes removed: 3 or 0.
    private(set) var length = 0

    /// The bytes of a chunk without the mark; bytes that may begin the mark are held back.
    mutating func strip(_ chunk: Data) -> [UInt8] {
        if isPassed { return Array(chunk) }
        held += chunk
        if held.count < 3, Self.mark.starts(with: held) { return [] }
        isPassed = true
        defer { held = [] }
        guard held.starts(with: Self.mark) else { return held }
        length = 3
        return Array(held.dropFirst(3))
    }

    /// The bytes held back, at the end of the text.
    mutating func finish() -> [UInt8] {
        isPassed = true
        defer { held = [] }
        return held
    }
}
