import ModelMirror

/// Reads the documents of a source one after the other, in memory for one of them: one JSON document, NDJSON, concatenated documents, or
/// a JSON Text Sequence (RFC 7464).
///
/// A line of NDJSON that is not JSON, and a text of a sequence, is reported, and the others are read. Documents are NDJSON if the
/// first ends in its line, or is broken there and the second line is a document.
struct DocumentReader {
    enum Piece {
        /// A document: its bytes in ``buffer``, and its tokens in ``tape``.
        case document(Range<Int>)
        /// An element of an array that is too long to be read at once.
        case element(Range<Int>)
        /// The end of such an array, with the number of its elements.
        case arrayEnd(count: Int)
        case fault(Fault)
    }

    /// Something that is not JSON.
    struct Fault: CustomStringConvertible {
        /// The line and the column in the source, and the offset in the buffer.
        let place: ErrorPlace
        let sentence: String
        /// Whether the rest of the source is not read.
        let isFatal: Bool

        /// `3:9: not JSON: expected ',' or '}', found the end of the document`
        var description: String { "\(place.line):\(place.column): not JSON: \(sentence)" }
    }

    /// A document or element with the bytes of its line that are shown.
    struct Part {
        let bytes: [UInt8]
        let range: Range<Int>
        /// Its place in the source, with the offset in the bytes.
        let place: ErrorPlace
    }

    /// The byte before each text of a sequence.
    static let separator: UInt8 = 0x1E
    /// The number of bytes kept in the buffer before a document, if there are so many: those of its line that are shown.
    static let margin = 4096

    private(set) var buffer: [UInt8] = []
    private(set) var tape = JSONTape()
    private let source: ByteSource
    let splitsArrays: Bool
    private var position = 0
    private var isEnd = false
    /// A place up to which lines are counted, with its offset in the buffer.
    private var counted = ErrorPlace(line: 1, column: 1, offset: 0)
    private var isSequence = false
    /// Nil until the first document is read.
    private var isLines: Bool?
    /// The number of elements read of an array that is split.
    private var elements: Int?
    /// Where that array begins: its line, and its offset in the buffer, which is negative once its bytes are dropped.
    private var array = (line: 1, offset: 0)
    /// The number of bytes of the last such array that ended.
    private(set) var arrayBytes = 0

    /// - Parameter splitsArrays: Whether arrays of more than 256 KB at the top level are read element by element.
    init(_ source: ByteSource, splitsArrays: Bool = false) { (self.source, self.splitsArrays) = (source, splitsArrays) }

    /// Reads a part of a source again.
    ///
    /// - Parameter splitsArray: Whether the part is an array that is read element by element.
    init(_ part: Part, splitsArray: Bool = false) {
        self.init(ByteSource([]))
        (buffer, counted, isEnd) = (part.bytes, part.place, true)
        position = part.range.lowerBound
        if splitsArray { (elements, position) = (0, position + 1) }
    }

    /// The next document, element or fault; nil at the end.
    mutating func next() throws(ByteSource.Failure) -> Piece? {
        if position > 4 * ByteSource.pieceSize { drop() }
        while true {
            skipBlank()
            if position == buffer.count {
                guard isEnd else {
                    try refill()
                    continue
                }
                guard elements != nil else { return nil }
                elements = nil
                return fault(at: position, from: position, "expected ',' or ']', found the end of the document")
            }
            if let count = elements, count > 0 || buffer[position] == UInt8(ascii: "]") {
                if buffer[position] == UInt8(ascii: "]") {
                    (elements, position) = (nil, position + 1)
                    arrayBytes = position - array.offset
                    return .arrayEnd(count: count)
                }
                guard buffer[position] == UInt8(ascii: ",") else {
                    let end = buffer[..<position].lastIndex { !$0.isBlank }.map { $0 + 1 } ?? position
                    return try fault(inDocumentAt: end, position, "expected ',' or ']' after an element")
                }
                // Elements are counted by the values after their commas.
                position += 1
                skipBlank()
            }
            switch tape.read(buffer, from: position, isEnd: isEnd, isElement: elements != nil) {
            case .value(let end):
                let range = position..<end
                position = end
                if let count = elements {
                    elements = count + 1
                    return .element(range)
                }
                if isLines == nil { isLines = try endsLine(range) }
                return .document(range)
            case .incomplete:
                if splitsArrays, elements == nil, buffer[position] == UInt8(ascii: "["),
                    buffer.count - position >= ByteSource.pieceSize
                {
                    array = (place(at: position).line, position)
                    (elements, position) = (0, position + 1)
                } else if elements.map({ $0 > 0 }) == true {
                    // Back to the comma, which is read again.
                    position = buffer[..<position].lastIndex(of: UInt8(ascii: ",")) ?? position
                    try refill()
                } else {
                    try refill()
                }
            case .fault(let offset):
                return try fault(inDocumentAt: position, offset)
            }
        }
    }

    private mutating func skipBlank() {
        while position < buffer.count, buffer[position].isBlank || buffer[position] == DocumentReader.separator {
            if buffer[position] == DocumentReader.separator {
                if elements != nil { return }
                isSequence = true
            }
            position += 1
        }
    }

    /// The line and the column of an offset in the buffer, or those of the last call if its offset is behind.
    mutating func place(at offset: Int) -> ErrorPlace {
        let offset = max(offset, counted.offset)
        let part = buffer[counted.offset..<offset]
        if let last = part.lastIndex(of: UInt8(ascii: "\n")) {
            counted.line += part.lineBreaks
            counted.column = 1 + part[(last + 1)...].scalars
        } else {
            counted.column += part.scalars
        }
        counted.offset = offset
        return counted
    }

    /// Reads on until the buffer has the rest of a line after an offset, or as much of it as is shown.
    mutating func readLine(after offset: Int) throws(ByteSource.Failure) {
        while !isEnd, buffer.count - offset < DocumentReader.margin { try append() }
    }

    /// A document or element that was just read, to be read again.
    mutating func part(_ range: Range<Int>) throws(ByteSource.Failure) -> Part {
        try readLine(after: range.upperBound)
        let place = place(at: range.lowerBound)
        let before = buffer[max(range.lowerBound - DocumentReader.margin, 0)..<range.lowerBound]
        let behind = buffer[range.upperBound...].prefix(DocumentReader.margin)
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
        let end = behind.firstIndex(of: UInt8(ascii: "\n")) ?? behind.endIndex
        return Part(
            bytes: Array(buffer[start..<end]), range: range.lowerBound - start..<range.upperBound - start,
            place: ErrorPlace(line: place.line, column: place.column, offset: range.lowerBound - start))
    }

    private mutating func append() throws(ByteSource.Failure) {
        let piece = try source.next()
        isEnd = piece.isEmpty
        buffer += piece
    }

    /// Drops what was read, except for the margin.
    private mutating func drop() {
        let count = position - DocumentReader.margin
        guard count > 0 else { return }
        _ = place(at: position)
        buffer.removeSubrange(..<count)
        position -= count
        counted.offset -= count
        array.offset -= count
    }

    /// Drops what was read, and reads at least as much as is left, so that a long document is looked at a few times only.
    private mutating func refill() throws(ByteSource.Failure) {
        drop()
        let wanted = position + 2 * (buffer.count - position)
        repeat { try append() } while !isEnd && buffer.count < wanted
    }

    /// Whether a document is in one line, which ends after it, with another one behind it.
    private mutating func endsLine(_ range: Range<Int>) throws(ByteSource.Failure) -> Bool {
        guard !buffer[range].contains(UInt8(ascii: "\n")) else { return false }
        var searched = range.upperBound
        while true {
            if let byte = buffer[searched...].first(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) {
                return byte == UInt8(ascii: "\n")
            }
            searched = buffer.count
            guard !isEnd else { return false }
            try append()
        }
    }

    // MARK: Faults

    /// Reports what is wrong in a document, and moves to the next line or text if there are such.
    ///
    /// - Parameters:
    ///   - start: The offset of the document, or of the element of a long array, that is broken.
    ///   - sentence: What is wrong; nil to read the document again.
    private mutating func fault(
        inDocumentAt start: Int, _ offset: Int, _ sentence: String? = nil
    ) throws(ByteSource.Failure) -> Piece {
        // Behind the elements of an array in one line, its end is looked for only a while, unless lines are known to be documents.
        let most = sentence == nil || isLines == true ? Int.max : 4 * ByteSource.pieceSize
        let lineEnd = try end(from: start, UInt8(ascii: "\n"), within: most)
        let isInFirstLine = elements == nil || place(at: start).line == array.line
        if isLines == nil, !isSequence, isInFirstLine, lineEnd < buffer.count {
            let next = try nextLine(after: lineEnd)
            // Broken in the first line, or where the second begins.
            if offset <= next, next < buffer.count, "{[".utf8.contains(buffer[next]),
                case .value(let end) = tape.read(buffer, from: next, isEnd: isEnd)
            {
                isLines = !buffer[next..<end].contains(UInt8(ascii: "\n"))
            }
        }
        if isSequence {
            elements = nil
            position = try end(from: start, DocumentReader.separator)
            let end = buffer[start..<position].lastIndex { !$0.isBlank }.map { $0 + 1 } ?? position
            return fault(at: min(offset, end), from: start, sentence, to: end, isFatal: false)
        }
        if isLines == true {
            // An element of a long array has begun in an earlier line or piece.
            elements = nil
            position = lineEnd
            return fault(at: min(offset, lineEnd), from: start, sentence, to: lineEnd, isFatal: false)
        }
        return fault(at: offset, from: sentence == nil ? start : offset, sentence)
    }

    /// The offset of the next line that is not blank, which is read to its end.
    private mutating func nextLine(after lineEnd: Int) throws(ByteSource.Failure) -> Int {
        var lineEnd = lineEnd
        while lineEnd < buffer.count {
            let next = try end(from: lineEnd + 1, UInt8(ascii: "\n"))
            if let first = buffer[lineEnd..<next].firstIndex(where: { !$0.isBlank }) { return first }
            lineEnd = next
        }
        return buffer.count
    }

    /// The offset of a byte, or the end of the source, or of what was read of it without finding the byte within a number of bytes.
    private mutating func end(
        from start: Int, _ byte: UInt8, within most: Int = .max
    ) throws(ByteSource.Failure) -> Int {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: byte) { return end }
            searched = buffer.count
            if isEnd || searched - start >= most { return buffer.count }
            try append()
        }
    }

    /// A fault at an offset of a document, in the words of the library's reader.
    ///
    /// - Parameters:
    ///   - start: The offset of the document.
    ///   - sentence: What is wrong; nil to read the document again.
    ///   - end: The end of the document; nil for that of the buffer.
    private mutating func fault(
        at offset: Int, from start: Int, _ sentence: String?, to end: Int? = nil, isFatal: Bool = true
    ) -> Piece {
        var (place, sentence) = (place(at: start), sentence)
        if sentence == nil {
            do throws(ModelError) {
                _ = try JSONValue(json: buffer[start..<(end ?? buffer.count)])
            } catch {
                if case .invalidJSON(let syntax) = error {
                    place = place.moved(to: syntax.place)
                    sentence = "expected \(syntax.expected), found \(syntax.found)"
                }
            }
        }
        // Which the library's reader accepts before a document.
        if sentence == nil, buffer[start...].starts(with: [0xEF, 0xBB, 0xBF]) {
            sentence = "expected a document, found a byte order mark, which is read at the start only"
        }
        if sentence == nil { place = self.place(at: min(offset, buffer.count)) }
        if isFatal { (position, isEnd, elements) = (buffer.count, true, nil) }
        return .fault(
            Fault(
                place: place, sentence: sentence ?? "expected a document", isFatal: isFatal))
    }
}

extension ArraySlice<UInt8> {
    fileprivate var lineBreaks: Int { count { $0 == UInt8(ascii: "\n") } }
    /// The number of Unicode scalars.
    fileprivate var scalars: Int { count { $0 & 0xC0 != 0x80 } }

    /// By a span, which makes the loop several times as fast.
    @inline(__always)
    private func count(where isCounted: (UInt8) -> Bool) -> Int {
        let (bytes, length) = (span, span.count)
        var count = 0
        for index in 0..<length where isCounted(bytes[index]) { count &+= 1 }
        return count
    }
}

extension UInt8 {
    /// Whether the byte is white space of JSON.
    @inline(__always)
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
