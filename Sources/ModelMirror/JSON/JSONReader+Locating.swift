/// The line and column of a value, both from 1.
struct SourceLocation {
    let line: Int
    let column: Int
}

/// Computed only for errors and reports, so that successful reads pay nothing.
extension JSONReader {
    func location(at offset: Int) -> SourceLocation {
        var counter = LineCounter()
        counter.advance(to: offset, in: self)
        return counter.location
    }

    /// Looks up path, line and column of each of the given values, in one pass over the document.
    ///
    /// - Parameters:
    ///   - offsets: The offsets of the values' first bytes, ascending. The document must have been read without an error up to the
    ///     last of them.
    ///   - found: Called once for each offset, in their order.
    ///   - stopped: Called with the path of the value that has an error at the offset looked for.
    func locate(
        _ offsets: [Int], found: (JSONPath, SourceLocation) -> Void, stopped: (JSONPath) -> Void = { _ in }
    ) {
        var wanted = offsets.makeIterator()
        var next = wanted.next()
        var lines = LineCounter()
        var walker = JSONReader(rereading: self)
        var steps: [PathFrame] = []
        // The paths of the open containers, as far as they were needed.
        var prefixes: [PathPrefix] = []
        walker.skipWhitespace()
        // At a value, whose path is `steps`.
        values: while let target = next {
            if walker.offset == target {
                lines.advance(to: target, in: self)
                while prefixes.count < steps.count - 1 {
                    prefixes.append(PathPrefix(prefixes.last, [steps[prefixes.count].step]))
                }
                let path = JSONPath(prefixes.last, steps.last.map { [$0.step] } ?? [])
                while next == target {
                    found(path, lines.location)
                    next = wanted.next()
                }
                continue
            }
            do throws(Interruption) {
                switch walker.byte {
                case UInt8(ascii: "{"):
                    if try walker.openObject() {
                        steps.append(.member(try walker.scanString()))
                        try walker.colon()
                        continue values
                    }
                case UInt8(ascii: "["):
                    if try walker.openArray() {
                        steps.append(.element(0))
                        continue values
                    }
                default: try walker.skipScalar()
                }
                // After a value.
                while let last = steps.popLast() {
                    if prefixes.count > steps.count { prefixes.removeLast() }
                    switch last {
                    case .member:
                        guard try walker.nextMember() else { continue }
                        steps.append(.member(try walker.scanString()))
                        try walker.colon()
                    case .element(let index):
                        guard try walker.nextElement() else { continue }
                        steps.append(.element(index + 1))
                    }
                    continue values
                }
            } catch {
                if error.offset == target { stopped(JSONPath(steps.map(\.step))) }
            }
            break
        }
        // Only offsets that are not a value's remain; they still have a line and a column.
        while let target = next {
            lines.advance(to: target, in: self)
            found(.root, lines.location)
            next = wanted.next()
        }
    }

    /// The path of the value in which reading ended at an offset; nil outside of all containers, and for a limit on bytes.
    func path(ofFaultAt offset: Int) -> JSONPath? {
        var path: JSONPath?
        locate([offset]) { found, _ in
            if path == nil, !found.isRoot { path = found }
        } stopped: {
            path = $0
        }
        return path
    }

    /// One level of the path to a value. A key is decoded only when it is needed.
    private enum PathFrame {
        case member(StringToken)
        case element(Int)

        var step: JSONPath.Step {
            switch self {
            case .member(let key): .key(key.string)
            case .element(let index): .index(index)
            }
        }
    }

    /// A copy of the document, byte order mark included.
    var document: [UInt8] {
        Array(UnsafeBufferPointer(start: start - origin, count: end - start + origin))
    }

    /// A reader of the same document, at its start, without a depth limit.
    init(rereading other: JSONReader) {
        self.init(other.start, count: other.end - other.start, depth: .max)
    }

    /// The value at an offset in a few words: `the string "x"`, `the number 1.5`, `an object`.
    func describeValue(at offset: Int) -> String {
        var reader = JSONReader(rereading: self)
        reader.offset = offset
        let text = reader.valueText()
        switch reader.byte {
        case UInt8(ascii: "\""): return "the string \(text)"
        case UInt8(ascii: "{"): return "an object"
        case UInt8(ascii: "["): return "an array"
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return "the number \(text)"
        default: return text
        }
    }

    /// The scalar at the cursor on one line and at most 60 characters long.
    private func valueText() -> String {
        var reader = self
        if byte == UInt8(ascii: "\"") {
            guard let token = try? reader.scanString() else { return "\"…" }
            return JSONReader.quoted(token.string)
        }
        guard isAtScalar, (try? reader.skipScalar()) != nil else { return "" }
        let text = String(decoding: UnsafeBufferPointer(start: cursor, count: reader.cursor - cursor), as: UTF8.self)
        return text.count <= 60 ? text : String(text.prefix(60)) + "…"
    }

    /// A text in quotes and shortened, for a message.
    static func quoted(_ text: String) -> String {
        text.count <= 60 ? text.quotedForMessage : String(text.prefix(60)).quotedForMessage + "…"
    }

    private var isAtScalar: Bool { byte != UInt8(ascii: "{") && byte != UInt8(ascii: "[") }

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
        default: break
        }
        let hex = String(byte, radix: 16, uppercase: true)
        return "the byte 0x" + (hex.count == 1 ? "0" + hex : hex)
    }
}

/// Counts lines and columns while advancing over a document. Lines end with LF, CR LF or CR; a column is one Unicode scalar.
private struct LineCounter {
    private var offset = 0
    private var line = 1
    private var column = 1

    var location: SourceLocation { SourceLocation(line: line, column: column) }

    mutating func advance(to target: Int, in reader: JSONReader) {
        while offset < target, reader.start + offset < reader.end {
            switch reader.start[offset] {
            case UInt8(ascii: "\n"):
                // The second half of CR LF ended its line already.
                if offset == 0 || reader.start[offset - 1] != UInt8(ascii: "\r") { line += 1 }
                column = 1
            case UInt8(ascii: "\r"):
                line += 1
                column = 1
            case 0x80..<0xC0: break  // not the first byte of its character
            default: column += 1
            }
            offset += 1
        }
    }
}
