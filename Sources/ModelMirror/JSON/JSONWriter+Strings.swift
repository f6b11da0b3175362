/// Strings, copied word by word until a character needs an escape.
extension JSONWriter {
    /// Writes a string in quotes: `"`, `\` and control characters escaped (RFC 8259 section 7), everything else as UTF-8.
    @inline(__always)
    mutating func write(_ value: String) {
        var value = value
        value.withUTF8 { write(utf8: $0) }
    }

    @inline(__always)
    mutating func write(utf8 text: UnsafeBufferPointer<UInt8>) {
        reserve(forText: text.count)
        if !writePlain(text) { writeEscaping(text) }
    }

    /// Makes room for a text of so many bytes.
    @inline(__always)
    mutating func reserve(forText count: Int) { reserve(count + JSONWriter.besideText) }

    /// The bytes beside a text: its quotes, and a last word that is stored whole.
    private static let besideText = 10

    /// Writes a text in quotes if there is room for it and no character needs an escape.
    ///
    /// It calls nothing that could release an object, so that a caller need not retain the string for it: a reason not to grow the
    /// buffer here.
    ///
    /// - Returns: whether it was written.
    @inline(never)
    mutating func writePlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard hasRoom(text.count + JSONWriter.besideText) else { return false }
        if let start = text.baseAddress, !copy(start, text.count) { return false }
        bytes[count] = UInt8(ascii: "\"")
        bytes[count + text.count + 1] = UInt8(ascii: "\"")
        count += text.count + 2
        return true
    }

    /// Copies text, leaving room for the opening quote, until a character needs an escape; most texts have none.
    ///
    /// Words are checked and stored in one loop; the last one overlaps the one before it.
    ///
    /// - Returns: whether all of it was copied.
    @inline(__always)
    private func copy(_ source: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let target = UnsafeMutableRawPointer(bytes + count + 1)
        guard length >= 8 else {
            for position in 0..<length {
                let byte = source[position]
                if needsEscape(byte) { return false }
                target.storeBytes(of: byte, toByteOffset: position, as: UInt8.self)
            }
            return true
        }
        var position = 0
        while position <= length - 8 {
            let word = (source + position).word
            if JSONWriter.specialBytes(in: word, slashes: escapesSlashes) != 0 { return false }
            target.storeBytes(of: word, toByteOffset: position, as: UInt64.self)
            position += 8
        }
        if position == length { return true }
        let word = (source + length - 8).word
        if JSONWriter.specialBytes(in: word, slashes: escapesSlashes) != 0 { return false }
        target.storeBytes(of: word, toByteOffset: length - 8, as: UInt64.self)
        return true
    }

    /// As ``write(_:)``, for a string that probably has characters to be escaped.
    mutating func writeEscaping(_ value: String) {
        var value = value
        value.withUTF8 { writeEscaping($0) }
    }

    @inline(never)
    private mutating func writeEscaping(_ text: UnsafeBufferPointer<UInt8>) {
        put(UInt8(ascii: "\""))
        guard var source = text.baseAddress else { return put(UInt8(ascii: "\"")) }
        let end = source + text.count
        var plain = source
        while source < end {
            if end - source >= 8 {
                let stop = JSONWriter.specialBytes(in: source.word, slashes: escapesSlashes)
                if stop == 0 {
                    source += 8
                    continue
                }
                source += stop.trailingZeroBitCount >> 3
            } else if !needsEscape(source.pointee) {
                source += 1
                continue
            }
            append(UnsafeBufferPointer(start: plain, count: source - plain))
            writeEscape(source.pointee)
            source += 1
            plain = source
        }
        append(UnsafeBufferPointer(start: plain, count: end - plain))
        put(UInt8(ascii: "\""))
    }

    /// The high bit of each byte that is `"`, `\`, below 0x20, or `/` if requested; only the lowest set bit is valid.
    @inline(__always)
    private static func specialBytes(in word: UInt64, slashes: Bool) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // Bytes above 0x7F, which may look like any of these, are masked out at the end.
        let quotes = (word ^ (ones &* 0x22)) &- ones
        let backslashes = (word ^ (ones &* 0x5C)) &- ones
        var found = quotes | backslashes | (word &- ones &* 0x20)
        if slashes { found |= (word ^ (ones &* 0x2F)) &- ones }
        return found & ~word & (ones &* 0x80)
    }

    @inline(__always)
    private func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            || escapesSlashes && byte == UInt8(ascii: "/")
    }

    private mutating func writeEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case UInt8(ascii: "/"): append("\\/")
        case 0x08: append("\\b")
        case 0x0C: append("\\f")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default:
            append("\\u00")
            put(UInt8(ascii: "0") + byte >> 4)
            put(JSONWriter.hexDigit(byte & 15))
        }
    }

    /// The lower-case digit for 0...15.
    static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension String {
    /// The order of written keys: by their UTF-8 bytes.
    func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
