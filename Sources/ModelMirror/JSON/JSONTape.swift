/// The tokens of a JSON value, found in bytes that may go on, for documents that are looked at without making values of them.
///
///     {"id": [7]}      object key array integer arrayEnd objectEnd
package struct JSONTape {
    package enum Kind: UInt8 {
        case object, objectEnd, array, arrayEnd, key, string, number, integer, null
        case `true`, `false`
    }

    /// A token, with its bytes: of keys and strings without the quotes. A container's end is the number of the token that ends it.
    package struct Token {
        package let kind: Kind
        /// Whether a key or string has escapes, or a scalar beyond ASCII.
        package let isEscaped, isWide: Bool
        package let start: UInt32
        package fileprivate(set) var end: UInt32
    }

    package enum Outcome: Equatable {
        /// The value ends here.
        case value(end: Int)
        /// The bytes end within the value.
        case incomplete
        /// The bytes are not JSON, from here on.
        case fault(at: Int)
    }

    package private(set) var tokens: ContiguousArray<Token> = []
    /// The tokens of the open containers.
    private var open: [Int] = []
    /// The largest number of containers inside each other: the default of `MappingOptions`.
    private static let depth = 512
    /// The largest number of bytes.
    private static let mostBytes = Int(clamping: UInt32.max)
    /// The reader may report the beginning of a token that is cut: at most the two escapes of a surrogate pair.
    private static let longestCut = 12

    package init() {}

    /// Reads the value at an offset, which white space may precede.
    ///
    /// - Parameters:
    ///   - isEnd: Whether no more bytes follow.
    ///   - isElement: Whether a comma or the end of the array may follow a number or word.
    package mutating func read(_ bytes: [UInt8], from start: Int, isEnd: Bool, isElement: Bool = false) -> Outcome {
        bytes.withUnsafeBufferPointer { buffer in
            let count = min(buffer.count, JSONTape.mostBytes)
            let isEnd = isEnd || count < buffer.count
            guard start < count, let base = buffer.baseAddress else { return isEnd ? .fault(at: count) : .incomplete }
            // Within a stream a byte order mark is no part of a value.
            guard base[start] != 0xEF else { return .fault(at: start) }
            var reader = JSONReader(base + start, count: count - start, depth: JSONTape.depth)
            do throws(Interruption) {
                try record(&reader, base, count)
            } catch {
                let place = start + error.offset
                return isEnd || count - place > JSONTape.longestCut ? .fault(at: place) : .incomplete
            }
            let (end, kind) = (start + reader.offset, tokens[0].kind)
            if kind == .object || kind == .array || kind == .string { return .value(end: end) }
            // A number or word ends only before a space, or the separator of a JSON Text Sequence (RFC 7464).
            if end == count { return isEnd ? .value(end: end) : .incomplete }
            let isEndOfElement = isElement && (base[end] == UInt8(ascii: ",") || base[end] == UInt8(ascii: "]"))
            let isSeparated = isEndOfElement || [0x20, 0x0A, 0x0D, 0x09, 0x1E].contains(base[end])
            return isSeparated ? .value(end: end) : .fault(at: end)
        }
    }

    /// Records the value at the cursor, which white space may precede.
    ///
    /// - Parameter base: The beginning of the memory, of `count` bytes.
    mutating func record(_ reader: inout JSONReader, _ base: UnsafePointer<UInt8>, _ count: Int) throws(Interruption) {
        try reader.limit(to: JSONTape.mostBytes, count)
        tokens.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
        var recorder = Recorder(base: base)
        swap(&recorder.tape, &self)
        defer { swap(&recorder.tape, &self) }
        reader.skipWhitespace()
        try reader.walk(&recorder)
    }

    /// The text of a key or string with escapes, of bytes that were read.
    package static func unescaped(_ bytes: [UInt8], _ token: Token) -> [UInt8] {
        bytes[Int(token.start)..<Int(token.end)].withUnsafeBufferPointer { text in
            guard let start = text.baseAddress else { return [] }
            return StringToken(start: start, count: text.count, hasEscapes: true, isASCII: false).unescapedBytes
        }
    }

    private struct Recorder: ValueVisitor {
        var tape = JSONTape()
        let base: UnsafePointer<UInt8>

        mutating func visit(_ reader: inout JSONReader) throws(Interruption) -> Bool {
            let start = reader.cursor
            switch reader.byte {
            case UInt8(ascii: "\""): add(.string, try reader.scanString())
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let isInteger = reader.readShortInteger() != nil ? true : try reader.scanNumber().isPlainInteger
                add(isInteger ? .integer : .number, start, reader.cursor)
            case let byte:
                guard try reader.skipScalar() else { return false }
                add(
                    byte == UInt8(ascii: "n") ? .null : byte == UInt8(ascii: "t") ? .true : .false, start, reader.cursor
                )
            }
            return true
        }

        mutating func enter(_ offset: Int, isObject: Bool) {
            tape.open.append(tape.tokens.count)
            add(isObject ? .object : .array, base, base)
        }

        mutating func began(_ key: StringToken?) { if let key { add(.key, key) } }

        mutating func leave(_ end: Int) {
            let container = tape.open.removeLast()
            tape.tokens[container].end = UInt32(truncatingIfNeeded: tape.tokens.count)
            add(tape.tokens[container].kind == .object ? .objectEnd : .arrayEnd, base, base)
        }

        @inline(__always)
        private mutating func add(_ kind: Kind, _ text: StringToken) {
            let end = text.start + text.count
            add(kind, text.start, end, isEscaped: text.hasEscapes, isWide: !text.isASCII)
        }

        @inline(__always)
        private mutating func add(
            _ kind: Kind, _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, isEscaped: Bool = false,
            isWide: Bool = false
        ) {
            tape.tokens.append(
                Token(
                    kind: kind, isEscaped: isEscaped, isWide: isWide,
                    start: UInt32(truncatingIfNeeded: start - base), end: UInt32(truncatingIfNeeded: end - base)))
        }
    }
}
