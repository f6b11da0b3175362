import ModelMirror
import ModelMirrorFoundation

/// Splits a text that arrives in chunks into lines, one at a time.
struct LineScanner: Sendable {
    /// Whether CR alone ends a line, as in server-sent events, beside LF and CR LF.
    private let endsAtReturn: Bool
    private var input = StreamInput()
    private var isAfterReturn = false
    private var isWhole = true

    /// The bytes of the current line so far, without its ending.
    private(set) var line: [UInt8] = []
    private(set) var place = ErrorPlace()

    /// The number of bytes gathered so far of an incomplete line, without a CR that may end it; 0 if there is none.
    var gatheredCount: Int { isWhole ? 0 : line.count - (!endsAtReturn && line.last == UInt8(ascii: "\r") ? 1 : 0) }

    init(endsAtReturn: Bool) { self.endsAtReturn = endsAtReturn }

    /// Takes a chunk, after all lines of the previous one have been read; nil at the end of the text.
    mutating func take(_ chunk: Data?) { input.take(chunk) }

    /// Advances to the end of the current line, or of the next one if it is complete.
    ///
    /// - Returns: Whether the line is complete; if not, more bytes are needed.
    mutating func advance() -> Bool {
        if isAfterReturn, let byte = input.next {
            isAfterReturn = false
            if byte == UInt8(ascii: "\n") { input.skip(to: input.cursor + 1) }
        }
        if input.next == nil { return false }
        if isWhole {
            line.removeAll(keepingCapacity: true)
            place = input.place
            isWhole = false
        }
        let end = input.unread.firstIndex { $0 == UInt8(ascii: "\n") || endsAtReturn && $0 == UInt8(ascii: "\r") }
        line += input.unread[..<(end ?? input.bytes.count)]
        input.skip(to: end.map { $0 + 1 } ?? input.bytes.count)
        guard let end else { return false }
        isAfterReturn = endsAtReturn && input.bytes[end] == UInt8(ascii: "\r")
        if !endsAtReturn, line.last == UInt8(ascii: "\r") { line.removeLast() }
        input.place.line += 1
        isWhole = true
        return true
    }

    /// Treats the end of the text as the end of the line.
    ///
    /// - Returns: Whether the text has ended, with a line without an ending.
    mutating func endLine() -> Bool {
        guard input.isOver else { return false }
        defer { isWhole = true }
        return !isWhole
    }
}
