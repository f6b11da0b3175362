/// The tokens of a JSON value (RFC 8259), found without recursion in bytes that may go on.
///
/// For documents that are read piece by piece, and looked at without making values of them.
///
///     {"id": [7]}      object key array number arrayEnd objectEnd
struct JSONTape {
    enum Kind: UInt8 {
        case object, objectEnd, array, arrayEnd, key, string, number, integer, null
        case `true`, `false`
    }

    /// A token, with its bytes: of keys and strings without the quotes.
    struct Token {
        let kind: Kind
        /// Whether a key or string has escapes, or a scalar beyond ASCII.
        var isEscaped = false, isWide = false
        let start: UInt32
        let end: UInt32

        var range: Range<Int> { Int(start)..<Int(end) }
    }

    enum Outcome: Equatable {
        /// The value ends here.
        case value(end: Int)
        /// The bytes end within the value.
        case incomplete
        /// The bytes are not JSON, from here on.
        case fault(at: Int)
    }

    private(set) var tokens: [Token] = []
    /// Whether the open containers are objects.
    private var open: [Bool] = []
    /// The largest number of containers inside each other: the default of `MappingOptions`.
    private static let depth = 512
    /// The largest number of bytes.
    static let mostBytes = Int(UInt32.max)

    /// What may come next.
    private enum Next { case value, valueOrEnd, key, keyOrEnd, commaOrEnd }

    /// Reads the value whose first byte is at an offset.
    ///
    /// - Parameter isEnd: Whether no more bytes follow.
    mutating func read(_ bytes: [UInt8], from start: Int, isEnd: Bool) -> Outcome {
        read(bytes.span, from: start, isEnd: isEnd)
    }

    private mutating func read(_ bytes: Span<UInt8>, from start: Int, isEnd: Bool) -> Outcome {
        tokens.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
        var index = start
        var next = Next.value
        let count = min(bytes.count, JSONTape.mostBytes)
        while true {
            while index < count, bytes[index].isBlank { index += 1 }
            guard index < count else { return isEnd || count < bytes.count ? .fault(at: count) : .incomplete }
            let byte = bytes[index]
            var isValue = true
            switch next {
            case .commaOrEnd:
                isValue = false
                if byte == UInt8(ascii: ",") {
                    next = open.last == true ? .key : .value
                    index += 1
                    continue
                }
                guard byte == (open.last == true ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    return .fault(at: index)
                }
            case .keyOrEnd where byte == UInt8(ascii: "}"), .valueOrEnd where byte == UInt8(ascii: "]"):
                isValue = false
            case .key, .keyOrEnd:
                guard byte == UInt8(ascii: "\"") else { return .fault(at: index) }
                if let outcome = string(bytes, &index, .key, isEnd) { return outcome }
                while index < count, bytes[index].isBlank { index += 1 }
                guard index < count else { return isEnd ? .fault(at: count) : .incomplete }
                guard bytes[index] == UInt8(ascii: ":") else { return .fault(at: index) }
                index += 1
                next = .value
                continue
            case .value, .valueOrEnd: break
            }
            if isValue {
                switch byte {
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    let isObject = byte == UInt8(ascii: "{")
                    guard open.count < JSONTape.depth else { return .fault(at: index) }
                    open.append(isObject)
                    add(isObject ? .object : .array, index, index)
                    index += 1
                    next = isObject ? .keyOrEnd : .valueOrEnd
                    continue
                case UInt8(ascii: "\""):
                    if let outcome = string(bytes, &index, .string, isEnd) { return outcome }
                case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    if let outcome = number(bytes, &index, isEnd) { return outcome }
                default:
                    if let outcome = word(bytes, &index, isEnd) { return outcome }
                }
            } else {
                add(open.removeLast() ? .objectEnd : .arrayEnd, index, index)
                index += 1
            }
            if open.isEmpty { return .value(end: index) }
            next = .commaOrEnd
        }
    }

    @inline(__always)
    private mutating func add(_ kind: Kind, _ start: Int, _ end: Int) {
        tokens.append(Token(kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end)))
    }

    /// Reads the string whose quote is at an index, and moves behind it; nil if it is whole.
    private mutating func string(_ bytes: Span<UInt8>, _ index: inout Int, _ kind: Kind, _ isEnd: Bool) -> Outcome? {
        let start = index + 1
        var position = start
        var (isEscaped, isWide) = (false, false)
        while true {
            while bytes.count - position >= 8 {
                let special = bytes.word(at: position).specialBytes
                position += special.trailingZeroBitCount >> 3
                if special != 0 { break }
            }
            guard position < bytes.count else { return isEnd ? .fault(at: bytes.count) : .incomplete }
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                var token = Token(
                    kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: position))
                (token.isEscaped, token.isWide) = (isEscaped, isWide)
                tokens.append(token)
                index = position + 1
                return nil
            case UInt8(ascii: "\\"):
                isEscaped = true
                switch JSONTape.escape(bytes, at: position) {
                case .value(let end): position = end
                case .incomplete: return isEnd ? .fault(at: position) : .incomplete
                case let fault: return fault
                }
            case 0x80...:
                isWide = true
                guard let length = bytes.scalarLength(at: position) else {
                    return bytes.count - position < 4 && !isEnd ? .incomplete : .fault(at: position)
                }
                position += length
            case ..<0x20: return .fault(at: position)
            default: position += 1
            }
        }
    }

    /// The end of the escape at an offset; of a surrogate pair, that of both.
    private static func escape(_ bytes: Span<UInt8>, at start: Int) -> Outcome {
        guard bytes.count > start + 1 else { return .incomplete }
        switch bytes[start + 1] {
        case UInt8(ascii: "u"):
            guard let unit = bytes.hexadecimal(at: start + 2) else {
                return bytes.count < start + 6 ? .incomplete : .fault(at: start)
            }
            guard unit & 0xF800 == 0xD800 else { return .value(end: start + 6) }
            guard bytes.count >= start + 12 else { return .incomplete }
            guard unit < 0xDC00, bytes[start + 6] == UInt8(ascii: "\\"), bytes[start + 7] == UInt8(ascii: "u"),
                let low = bytes.hexadecimal(at: start + 8), low & 0xFC00 == 0xDC00
            else { return .fault(at: start) }
            return .value(end: start + 12)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return .value(end: start + 2)
        default: return .fault(at: start)
        }
    }

    private mutating func number(_ bytes: Span<UInt8>, _ index: inout Int, _ isEnd: Bool) -> Outcome? {
        let start = index
        var kind = Kind.integer
        func byte(_ position: Int) -> UInt8 { position < bytes.count ? bytes[position] : 0 }
        var position = byte(start) == UInt8(ascii: "-") ? start + 1 : start
        func digits() -> Bool {
            let first = position
            while byte(position).isDigit { position += 1 }
            return position > first
        }
        let first = position
        var isNumber = digits() && (position == first + 1 || bytes[first] != UInt8(ascii: "0"))
        if isNumber, byte(position) == UInt8(ascii: ".") {
            kind = .number
            position += 1
            isNumber = digits()
        }
        if isNumber, byte(position) | 0x20 == UInt8(ascii: "e") {
            kind = .number
            position += 1
            if byte(position) == UInt8(ascii: "+") || byte(position) == UInt8(ascii: "-") { position += 1 }
            isNumber = digits()
        }
        if position == bytes.count, !isEnd { return .incomplete }
        guard isNumber, open.isEmpty ? bytes.endsWord(at: position) : true else { return .fault(at: position) }
        add(kind, start, position)
        index = position
        return nil
    }

    /// Reads `true`, `false` or `null`.
    private mutating func word(_ bytes: Span<UInt8>, _ index: inout Int, _ isEnd: Bool) -> Outcome? {
        let (word, kind): (StaticString, Kind)
        switch bytes[index] {
        case UInt8(ascii: "t"): (word, kind) = ("true", .true)
        case UInt8(ascii: "f"): (word, kind) = ("false", .false)
        case UInt8(ascii: "n"): (word, kind) = ("null", .null)
        default: return .fault(at: index)
        }
        let letters = word.description.utf8
        for (distance, letter) in letters.enumerated() {
            guard index + distance < bytes.count else { return isEnd ? .fault(at: bytes.count) : .incomplete }
            guard bytes[index + distance] == letter else { return .fault(at: index) }
        }
        let end = index + letters.count
        if open.isEmpty {
            if end == bytes.count, !isEnd { return .incomplete }
            guard bytes.endsWord(at: end) else { return .fault(at: end) }
        }
        add(kind, index, end)
        index = end
        return nil
    }
}

extension UInt8 {
    /// Whether the byte is white space of JSON.
    @inline(__always)
    var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
    @inline(__always)
    var isDigit: Bool { self &- 0x30 < 10 }
}

extension UInt64 {
    /// A high bit for each byte, of eight in a string, that needs a look: a quote, a backslash, a control, or one beyond ASCII.
    /// Bytes after the first such byte may be marked wrongly.
    @inline(__always)
    fileprivate var specialBytes: UInt64 {
        let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
        func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
        let quotes = zeros(self ^ ones &* 0x22)
        let backslashes = zeros(self ^ ones &* 0x5C)
        let controls = (self &- ones &* 0x20) & ~self
        return (quotes | backslashes | controls | self) & highs
    }
}

extension Span<UInt8> {
    /// Eight bytes, the first in the lowest bits on every machine. The load is checked against the bounds.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Whether a number or word of the top level may end here.
    fileprivate func endsWord(at offset: Int) -> Bool {
        offset >= count || self[offset].isBlank || self[offset] == DocumentReader.separator
    }

    /// The value of four hexadecimal digits; nil if there are others.
    func hexadecimal(at start: Int) -> UInt32? {
        guard count >= start + 4 else { return nil }
        var value: UInt32 = 0
        for offset in start..<start + 4 {
            let byte = self[offset]
            switch byte {
            case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
            case 0x41...0x46, 0x61...0x66: value = value << 4 | UInt32((byte | 0x20) - 0x57)
            default: return nil
            }
        }
        return value
    }

    /// The number of bytes of the scalar beyond ASCII at an offset; nil if it is not UTF-8 (RFC 3629 section 4).
    fileprivate func scalarLength(at start: Int) -> Int? {
        let first = self[start]
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard 0xC2...0xF4 ~= first, count >= start + length else { return nil }
        for offset in start + 1..<start + length where self[offset] & 0xC0 != 0x80 { return nil }
        let second = self[start + 1]
        switch first {
        case 0xE0: return second >= 0xA0 ? length : nil
        case 0xED: return second < 0xA0 ? length : nil
        case 0xF0: return second >= 0x90 ? length : nil
        case 0xF4: return second < 0x90 ? length : nil
        default: return length
        }
    }
}
