/// A checked string token: where it is, and whether it has escapes.
struct StringToken {
    let start: UnsafePointer<UInt8>
    /// The number of bytes up to the closing quote, escapes as written.
    let count: Int
    let hasEscapes: Bool
    /// Whether all bytes are below 0x80.
    let isASCII: Bool

    /// The text as written in the document. Only meaningful without escapes.
    @inline(__always)
    var raw: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    @inline(__always)
    var string: String { hasEscapes ? unescapedString : plainString }

    /// The text as written, without the standard library's validation: the reader has checked every byte, and knows whether all
    /// are ASCII.
    @inline(__always)
    private var plainString: String {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return String(copying: UTF8Span(unchecked: Span(_unsafeElements: raw), isKnownASCII: isASCII))
        }
        return String(decoding: raw, as: UTF8.self)
    }

    /// The decoded text, without the standard library's validation too, since it is UTF-8:
    ///
    /// - The reader has checked the bytes between the escapes, character by character, so that no escape stands inside of one.
    /// - Each escape becomes the whole UTF-8 of one Unicode scalar: the reader has refused unknown letters, digits that are not
    ///   hexadecimal, and surrogates without their other half, and ``unescape(_:into:)`` joins the two halves.
    ///
    /// Measured: the validation took 3 % of the instructions of gists. A longer text is decoded in its place, and validated, so that
    /// it is never in memory twice.
    @inline(never)
    private var unescapedString: String {
        if count <= 1024, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
                let text = StringToken.unescape(raw, into: buffer)
                let bytes = Span(_unsafeElements: UnsafeBufferPointer(rebasing: buffer[..<text.count]))
                return String(copying: UTF8Span(unchecked: bytes, isKnownASCII: isASCII && text.isASCII))
            }
        }
        return String(unsafeUninitializedCapacity: count) { StringToken.unescape(raw, into: $0).count }
    }

    /// The UTF-8 of the decoded text, for a token with escapes.
    var unescapedBytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { $1 = StringToken.unescape(raw, into: $0).count }
    }

    /// Calls `body` with the decoded text's UTF-8, without a copy if there are no escapes.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        hasEscapes ? unescapedBytes.withUnsafeBufferPointer(body) : body(raw)
    }

    /// Decodes the text of a checked token. The result is never longer than the text as written, because no escape is shorter
    /// than the UTF-8 of its character.
    ///
    /// - Returns: the number of bytes, and whether all escapes are ASCII.
    private static func unescape(
        _ raw: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> (count: Int, isASCII: Bool) {
        guard var read = raw.baseAddress, let first = output.baseAddress else { return (0, true) }
        let end = read + raw.count
        var written = first
        var isASCII = true
        while read < end {
            // The text up to the next escape: as much room is left as text.
            if end - read >= 8 {
                let word = read.word
                UnsafeMutableRawPointer(written).storeBytes(of: word.littleEndian, as: UInt64.self)
                let length = backslashes(in: word).trailingZeroBitCount >> 3
                read += length
                written += length
                if length == 8 { continue }
            }
            var byte = read.pointee
            read += 1
            if byte == UInt8(ascii: "\\") {
                byte = read.pointee
                read += 1
                switch byte {
                case UInt8(ascii: "b"): byte = 0x08
                case UInt8(ascii: "f"): byte = 0x0C
                case UInt8(ascii: "n"): byte = 0x0A
                case UInt8(ascii: "r"): byte = 0x0D
                case UInt8(ascii: "t"): byte = 0x09
                case UInt8(ascii: "u"):
                    var scalar = JSONReader.codeUnit(at: read) ?? 0
                    read += 4
                    if scalar & 0xFC00 == 0xD800 {
                        scalar = 0x10000 + (scalar & 0x3FF) << 10 + (JSONReader.codeUnit(at: read + 2) ?? 0) & 0x3FF
                        read += 6
                    }
                    if scalar >= 0x80 {
                        isASCII = false
                        written = put(scalar, at: written)
                        continue
                    }
                    byte = UInt8(scalar)
                default: break  // a quote, a backslash or a slash stands for itself
                }
            }
            written.pointee = byte
            written += 1
        }
        return (written - first, isASCII)
    }

    /// The high bit of each byte that is a backslash; only the lowest set bit is valid.
    @_transparent
    private static func backslashes(in word: UInt64) -> UInt64 {
        let others = word ^ 0x5C5C_5C5C_5C5C_5C5C
        return (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
    }

    /// Writes the UTF-8 of a character that is not ASCII, and returns its end.
    private static func put(_ scalar: UInt32, at place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        let last = UInt8(0x80 | scalar & 0x3F)
        if scalar < 0x800 {
            (place[0], place[1]) = (UInt8(0xC0 | scalar >> 6), last)
            return place + 2
        }
        let middle = UInt8(0x80 | scalar >> 6 & 0x3F)
        if scalar < 0x10000 {
            (place[0], place[1], place[2]) = (UInt8(0xE0 | scalar >> 12), middle, last)
            return place + 3
        }
        (place[0], place[1]) = (UInt8(0xF0 | scalar >> 18), UInt8(0x80 | scalar >> 12 & 0x3F))
        (place[2], place[3]) = (middle, last)
        return place + 4
    }
}

extension JSONReader {
    /// Reads the string whose opening quote is at the cursor.
    @inline(__always)
    mutating func readString() throws(Interruption) -> String { try scanString().string }

    /// Reads the key at the cursor and moves to its value.
    @inline(__always)
    mutating func readKey() throws(Interruption) -> String {
        let key = try readString()
        try colon()
        return key
    }

    /// Reads and checks the string whose opening quote is at the cursor.
    ///
    /// Eight bytes per step: integer arithmetic on one word finds the first quote, backslash, control character or non-ASCII byte.
    /// (The standard library's SIMD types are many times slower here.)
    mutating func scanString() throws(Interruption) -> StringToken {
        cursor += 1
        let first = cursor
        var position = cursor
        // Most strings: two words per step, up to the quote.
        while end - position >= 16 {
            let low = JSONReader.specialBytes(in: position.word)
            let high = JSONReader.specialBytes(in: (position + 8).word)
            if low | high == 0 {
                position += 16
                continue
            }
            position += low != 0 ? low.trailingZeroBitCount >> 3 : 8 + high.trailingZeroBitCount >> 3
            guard position.pointee == UInt8(ascii: "\"") else { return try scanString(from: first, at: position) }
            cursor = position + 1
            return StringToken(start: first, count: position - first, hasEscapes: false, isASCII: true)
        }
        return try scanString(from: first, at: position)
    }

    /// Continues a string that contains more than plain ASCII, or ends near the end of the document.
    @inline(never)
    private mutating func scanString(
        from first: UnsafePointer<UInt8>, at start: UnsafePointer<UInt8>
    ) throws(Interruption) -> StringToken {
        var position = start
        var hasEscapes = false
        var isASCII = true
        while true {
            if end - position >= 8 {
                let stop = JSONReader.specialBytes(in: position.word)
                guard stop != 0 else {
                    position += 8
                    continue
                }
                position += stop.trailingZeroBitCount >> 3
            } else {
                guard position < end else {
                    cursor = position
                    throw expected(.stringEnd)
                }
            }
            let byte = position.pointee
            if byte == UInt8(ascii: "\"") {
                cursor = position + 1
                return StringToken(start: first, count: position - first, hasEscapes: hasEscapes, isASCII: isASCII)
            }
            if byte >= 0x80 {
                isASCII = false
                position = try passNonASCII(from: position)
            } else if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                position = try passEscape(at: position)
            } else if byte < 0x20 {
                cursor = position
                throw expected(.noControlCharacter)
            } else {
                position += 1  // an ordinary byte near the end of the document
            }
        }
    }

    /// The high bit of each byte that is `"`, `\`, below 0x20 or above 0x7F. Borrows can set bits above the first such byte, so
    /// only the lowest set bit is valid. (A byte above 0x7F may look like the others, but matches anyway.)
    ///
    /// Transparent, so that a debug build has it inline, too.
    @_transparent
    private static func specialBytes(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = (word ^ (ones &* 0x22)) &- ones
        let backslashes = (word ^ (ones &* 0x5C)) &- ones
        return (quotes | backslashes | (word &- ones &* 0x20) | word) & (ones &* 0x80)
    }

    /// Checks characters of two to four bytes (RFC 3629 section 4) and returns the end of the run.
    private mutating func passNonASCII(from first: UnsafePointer<UInt8>) throws(Interruption) -> UnsafePointer<UInt8> {
        var position = first
        while position < end, position.pointee >= 0x80 {
            let left = end - position
            // Most characters of three bytes by one comparison, 1110xxxx 10xxxxxx 10xxxxxx. After 0xE0 and 0xED the second byte
            // is restricted further. Two at a time, where their leading bytes are 0xE1 to 0xEC, as in most scripts of Asia.
            if left >= 8, JSONReader.isPairOfThree(position.word) {
                position += 6
                continue
            }
            if left >= 4 {
                let four = UInt32(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt32.self))
                let lead = four & 0xFF
                if four & 0xC0C0F0 == 0x8080E0, lead != 0xE0, lead != 0xED {
                    position += 3
                    continue
                }
            }
            let length: Int
            switch position.pointee {
            case 0xC2...0xDF where left >= 2 && isContinuation(position[1]): length = 2
            case 0xE0...0xEF
            where left >= 3 && isContinuation(position[1]) && isContinuation(position[2])
                && (position[0] != 0xE0 || position[1] >= 0xA0) && (position[0] != 0xED || position[1] < 0xA0):
                length = 3
            case 0xF0...0xF4
            where left >= 4 && isContinuation(position[1]) && isContinuation(position[2]) && isContinuation(position[3])
                && (position[0] != 0xF0 || position[1] >= 0x90) && (position[0] != 0xF4 || position[1] < 0x90):
                length = 4
            default:
                cursor = position
                throw expected(.validUTF8)
            }
            position += length
        }
        return position
    }

    /// Whether a word begins with two characters of three bytes whose leading bytes are 0xE1 to 0xEC.
    @inline(__always)
    private static func isPairOfThree(_ word: UInt64) -> Bool {
        guard word & 0x0000_C0C0_F0C0_C0F0 == 0x0000_8080_E080_80E0 else { return false }
        // The low digits of the leading bytes, less one, are 0 to 11: adding 4 does not reach the next digit.
        let digits = (word & 0x0000_0000_0F00_000F) &+ 0x0000_0000_0F00_000F
        return digits & 0x0000_0000_1000_0010 == 0x0000_0000_1000_0010
            && ((digits & 0x0000_0000_0F00_000F) &+ 0x0000_0000_0400_0004) & 0x0000_0000_1000_0010 == 0
    }

    @inline(__always)
    private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// Checks the escape at `backslash` and returns its end.
    private mutating func passEscape(at backslash: UnsafePointer<UInt8>) throws(Interruption) -> UnsafePointer<UInt8> {
        cursor = backslash
        guard end - backslash >= 2 else { throw expected(.escape) }
        switch backslash[1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return backslash + 2
        case UInt8(ascii: "u"):
            guard end - backslash >= 6, let unit = JSONReader.codeUnit(at: backslash + 2) else {
                throw expected(.hexDigits)
            }
            if unit & 0xFC00 == 0xDC00 { throw expected(.highSurrogateFirst) }
            guard unit & 0xFC00 == 0xD800 else { return backslash + 6 }
            let second = backslash + 6
            guard end - second >= 2, second[0] == UInt8(ascii: "\\"), second[1] == UInt8(ascii: "u") else {
                throw expected(.lowSurrogate)
            }
            cursor = second
            guard end - second >= 6, let low = JSONReader.codeUnit(at: second + 2) else { throw expected(.hexDigits) }
            cursor = backslash
            guard low & 0xFC00 == 0xDC00 else { throw expected(.lowSurrogate) }
            return second + 6
        default: throw expected(.escape)
        }
    }

    /// The UTF-16 code unit of four hexadecimal digits; nil if there are other characters among them.
    @inline(__always)
    fileprivate static func codeUnit(at digits: UnsafePointer<UInt8>) -> UInt32? {
        var unit: UInt32 = 0
        var index = 0
        while index < 4 {
            let digit = hexValue(digits[index])
            if digit > 15 { return nil }
            unit = unit << 4 | UInt32(digit)
            index += 1
        }
        return unit
    }

    /// 0...15 for a hexadecimal digit in any case, otherwise 255.
    static func hexValue(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: 255
        }
    }
}
