/// The line and column of a byte, both from 1. Lines end with LF, CR LF or CR; a column is one Unicode scalar.
package struct TextLocation: Sendable {
    package private(set) var line = 1
    package private(set) var column = 1
    /// Whether the last byte was a CR, so that an LF does not end another line.
    private var isAfterReturn = false

    package init() {}

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
    }
}

/// Computed only for errors and reports, so that successful reads pay nothing.
extension JSONReader {
    func location(at offset: Int) -> TextLocation {
        var location = TextLocation()
        location.advance(over: bytes(0..<offset))
        return location
    }

    /// The bytes at offsets, as far as the document has them.
    private func bytes(_ offsets: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            rebasing: UnsafeBufferPointer(start: start, count: end - start)[offsets.clamped(to: 0..<end - start)])
    }

    /// Looks up path, line and column of each of the given values, in one pass over the document.
    ///
    /// - Parameters:
    ///   - offsets: The offsets of the values' first bytes, ascending. The document must have been read without an error up to the
    ///     last of them.
    ///   - found: Called once for each offset, in their order.
    ///   - stopped: Called with the path of the value that has an error at the offset looked for.
    func locate(_ offsets: [Int], found: (JSONPath, TextLocation) -> Void, stopped: (JSONPath) -> Void = { _ in }) {
        withoutActuallyEscaping(found) { found in
            var locator = Locator(offsets.makeIterator(), found)
            var walker = JSONReader(rereading: self)
            walker.skipWhitespace()
            do throws(Interruption) {
                try walker.walk(&locator)
            } catch {
                if error.offset == locator.target { stopped(JSONPath(locator.steps.map(\.step))) }
            }
            // Only offsets that are not a value's remain; they still have a line and a column.
            while locator.target != nil { locator.report(.root, in: self) }
        }
    }

    /// Reports the values at the offsets looked for.
    private struct Locator: ValueVisitor {
        private var wanted: IndexingIterator<[Int]>
        private let found: (JSONPath, TextLocation) -> Void
        private(set) var target: Int?
        private var location = TextLocation()
        private var located = 0
        /// The path of the value, its keys not decoded.
        private(set) var steps: [PathFrame] = []
        /// The index of the next element of each open container.
        private var indices: [Int] = []
        /// The paths of the open containers, as far as they were needed.
        private var prefixes: [PathPrefix] = []

        init(_ wanted: IndexingIterator<[Int]>, _ found: @escaping (JSONPath, TextLocation) -> Void) {
            (self.wanted, self.found) = (wanted, found)
            target = self.wanted.next()
        }

        mutating func report(_ path: JSONPath, in reader: JSONReader) {
            guard let offset = target else { return }
            location.advance(over: reader.bytes(located..<max(located, offset)))
            located = max(located, offset)
            repeat {
                found(path, location)
                target = wanted.next()
            } while target == offset
        }

        mutating func visit(_ reader: inout JSONReader) throws(Interruption) -> Bool {
            if target == reader.offset {
                while prefixes.count < steps.count - 1 {
                    prefixes.append(PathPrefix(prefixes.last, [steps[prefixes.count].step]))
                }
                report(JSONPath(prefixes.last, steps.last.map { [$0.step] } ?? []), in: reader)
            }
            // Nothing is left to look for.
            if target == nil { throw reader.expected(.endOfDocument) }
            return try reader.skipScalar()
        }

        mutating func enter(_ offset: Int, isObject: Bool) { indices.append(0) }

        mutating func began(_ key: StringToken?) {
            steps.append(key.map { .member($0) } ?? .element(indices[indices.count - 1]))
            indices[indices.count - 1] += 1
        }

        mutating func ended() {
            steps.removeLast()
            if prefixes.count > steps.count { prefixes.removeLast() }
        }

        mutating func leave(_ end: Int) { indices.removeLast() }
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
    var document: [UInt8] { Array(UnsafeBufferPointer(start: start - origin, count: end - start + origin)) }

    /// A reader of the same document, at its start, without a depth limit.
    init(rereading other: JSONReader) { self.init(other.start, count: other.end - other.start, depth: .max) }

    /// The value at an offset in a few words, on one line: `the string "x"`, `the number 1.5`, `an object`.
    func describeValue(at offset: Int) -> String {
        var reader = JSONReader(rereading: self)
        reader.offset = offset
        let (first, byte) = (reader.cursor, reader.byte)
        if byte == UInt8(ascii: "\"") {
            return "the string " + ((try? reader.scanString()).map { JSONReader.quoted($0.string) } ?? "\"…")
        }
        guard (try? reader.skipScalar()) != false else { return byte == UInt8(ascii: "{") ? "an object" : "an array" }
        let text = String(decoding: UnsafeBufferPointer(start: first, count: reader.cursor - first), as: UTF8.self)
        let isNumber = byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        return (isNumber ? "the number " : "") + (text.count <= 60 ? text : String(text.prefix(60)) + "…")
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
        default: break
        }
        let hex = String(byte, radix: 16, uppercase: true)
        return "the byte 0x" + (hex.count == 1 ? "0" : "") + hex
    }
}
