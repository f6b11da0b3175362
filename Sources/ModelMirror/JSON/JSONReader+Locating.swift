/// A position in a text. Lines end with LF, CR LF or CR.
package struct ErrorPlace: ComparedByIdentity, Sendable {
    /// The line, from 1.
    package var line: Int
    /// The column, from 1, counted in Unicode scalars.
    package var column: Int
    /// Bytes from the start, from 0.
    package var offset: Int
    /// Whether the last byte passed was a CR, so that an LF does not end another line.
    private var isAfterReturn = false

    package init(line: Int = 1, column: Int = 1, offset: Int = 0) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    package var comparedValue: [Int] { [line, column, offset] }

    /// Converts a place in a part that begins here to a place in the whole text.
    package func moved(to inner: ErrorPlace) -> ErrorPlace {
        ErrorPlace(
            line: line + inner.line - 1, column: inner.line == 1 ? column + inner.column - 1 : inner.column,
            offset: offset + inner.offset)
    }

    /// The place in the text without the ASCII characters before it.
    package func without(prefix count: Int) -> ErrorPlace {
        ErrorPlace(line: line, column: line == 1 ? column - count : column, offset: offset - count)
    }

    package mutating func advance(over bytes: ArraySlice<UInt8>) { bytes.withUnsafeBufferPointer { advance(over: $0) } }

    mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n") where isAfterReturn: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): (line, column) = (line + 1, 1)
            case 0x80..<0xC0: break  // not the first byte of its scalar
            default: column += 1
            }
            isAfterReturn = byte == UInt8(ascii: "\r")
        }
        offset += bytes.count
    }
}

/// Computed only for errors and reports, so that successful reads pay nothing.
extension JSONReader {
    /// The bytes at offsets, as far as the document has them.
    private func bytes(_ offsets: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            rebasing: UnsafeBufferPointer(start: start, count: end - start)[offsets.clamped(to: 0..<end - start)])
    }

    /// Looks up path, line and column of each of the given values, in one pass over the document.
    ///
    /// - Parameters:
    ///   - offsets: The offsets of the values' first bytes, ascending. The document must have been read without an error up to the last
    ///     of them.
    ///   - findsPaths: Whether the document is read for the paths. Line and column are found without that.
    /// - Returns: The path and the place in the input for each offset, and the path of the value that has an error at the offset looked
    ///   for.
    func locate(
        _ offsets: [Int], findsPaths: Bool = true
    ) -> (found: [(path: PathNode?, place: ErrorPlace)], stopped: JSONPath?) {
        var locator = Locator(document: self, wanted: offsets[...])
        var stopped: JSONPath?
        var walker = JSONReader(rereading: self)
        do throws(Interruption) {
            if findsPaths {
                walker.skipWhitespace()
                try walker.walk(&locator)
            }
        } catch {
            if error.offset == locator.wanted.first { stopped = JSONPath(locator.steps.map(\.step)) }
        }
        // Only offsets that are not a value's remain; they still have a line and a column.
        while !locator.wanted.isEmpty { locator.report(nil) }
        return (locator.found, stopped)
    }

    /// Reports the values at the offsets looked for.
    private struct Locator: ValueVisitor {
        /// Unlike a reader of the document again, it knows of a byte order mark.
        let document: JSONReader
        /// The offsets that are not found yet.
        private(set) var wanted: ArraySlice<Int>
        private(set) var found: [(path: PathNode?, place: ErrorPlace)] = []
        var place = ErrorPlace()
        /// The path of the value, its keys not decoded.
        private(set) var steps: [PathFrame] = []
        /// The index of the next element of each open container.
        var indices: [Int] = []
        /// The paths of the value and the open containers, as far as they were needed.
        var paths: [PathNode] = []

        mutating func report(_ path: PathNode?) {
            guard let offset = wanted.first else { return }
            place.advance(over: document.bytes(place.offset..<max(place.offset, offset)))
            repeat {
                found.append((path, ErrorPlace(offset: document.origin).moved(to: place)))
                wanted.removeFirst()
            } while wanted.first == offset
        }

        mutating func visit(_ reader: inout JSONReader) throws(Interruption) -> Bool {
            if wanted.first == reader.offset {
                while paths.count < steps.count { paths.append(PathNode(paths.last, .step(steps[paths.count].step))) }
                report(paths.last)
            }
            // Nothing is left to look for, or only what is no value's start.
            if wanted.first.map({ reader.offset > $0 }) ?? true { throw reader.expected(.endOfDocument) }
            return try reader.skipScalar()
        }

        mutating func enter(_ offset: Int, isObject: Bool) { indices.append(0) }

        mutating func began(_ key: StringToken?) {
            steps.append(PathFrame(key: key, index: indices[indices.count - 1]))
            indices[indices.count - 1] += 1
        }

        mutating func ended() {
            steps.removeLast()
            if paths.count > steps.count { paths.removeLast() }
        }

        mutating func leave(_ end: Int) { indices.removeLast() }
    }

    /// One level of the path to a value. A key is decoded only when it is needed.
    private struct PathFrame {
        let key: StringToken?
        let index: Int

        var step: JSONPath.Step { key.map { .key($0.string) } ?? .index(index) }
    }

    /// A copy of the document, byte order mark included.
    var document: [UInt8] { Array(UnsafeBufferPointer(start: start - origin, count: end - start + origin)) }

    /// A reader of the same document without a depth limit.
    init(rereading other: JSONReader, at offset: Int = 0) {
        self.init(other.start, count: other.end - other.start, depth: .max)
        self.offset = offset
    }

    /// The value at an offset in a few words, on one line: `the string "x"`, `the number 1.5`, `an object`.
    func describeValue(at offset: Int) -> String {
        var reader = JSONReader(rereading: self, at: offset)
        let (first, byte, isNumber) = (reader.cursor, reader.byte, reader.isAtNumber)
        if byte == UInt8(ascii: "\"") {
            return "the string " + ((try? reader.scanString()).map { JSONReader.quoted($0.string) } ?? "\"…")
        }
        guard (try? reader.skipScalar()) != false else { return byte == UInt8(ascii: "{") ? "an object" : "an array" }
        let text = String(decoding: UnsafeBufferPointer(start: first, count: reader.cursor - first), as: UTF8.self)
        return (isNumber ? "the number " : "") + text.shortened
    }

    /// A text in quotes and shortened, for a message.
    static func quoted(_ text: String) -> String {
        text.count <= 60 ? text.quotedForMessage : String(text.prefix(60)).quotedForMessage + "…"
    }

    /// What does not fit at an offset, for a syntax error: a character, or the escape that begins there.
    func describe(_ fault: SyntaxFault, at offset: Int) -> String {
        func written(_ count: Int) -> String {
            String(decoding: UnsafeBufferPointer(start: start + offset, count: count), as: UTF8.self)
        }
        switch fault {
        case .lowSurrogate: return "the high surrogate \(written(6)) alone"
        case .highSurrogateFirst: return "the low surrogate \(written(6)) alone"
        case .escape:
            let next = describeByte(at: offset + 1)
            return next.hasPrefix("'") ? "'\(written(2))'" : "'\\' before \(next)"
        case .hexDigits:
            var count = 2
            while start + offset + count < end, JSONReader.hexValue(start[offset + count]) <= 15 { count += 1 }
            return "'\(written(count))' before \(describeByte(at: offset + count))"
        default: return describeByte(at: offset)
        }
    }

    /// The character at an offset.
    private func describeByte(at offset: Int) -> String {
        guard start + offset < end else { return "the end of the document" }
        let byte = start[offset]
        switch byte {
        case 0x21..<0x7F: return "'\(Character(UnicodeScalar(byte)))'"
        case 0x20: return "a space"
        case 0x0A, 0x0D: return "a line break"
        case 0x09: return "a tab"
        default: return (byte < 0x10 ? "the byte 0x0" : "the byte 0x") + String(byte, radix: 16, uppercase: true)
        }
    }
}
