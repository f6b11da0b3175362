/// Finds where the elements of a large array end, without reading them, so that several threads can share the array.
///
/// Only strings and nesting are tracked; the grammar is not checked. Boundaries before the first invalid byte are right, and the
/// reader of the part with that byte meets it before any later boundary. Only commas after a container count as boundaries.
///
///     [ {"a": [1, 2]} , {"b": "},{"} , 7, {"c": 3} ]
///                     ^              ^
///
/// It handles 64 bytes at a time without a branch per string, because no processor can predict the lengths of strings: 64-bit
/// masks classify the bytes, and a prefix XOR of the quotes tells which are inside a string. (A loop from quote to quote took
/// half as long as the mapping.)
///
/// Unsafe for the reasons of ``JSONReader``. The last bytes of a document, fewer than 64, are not searched.
struct ElementBoundaries {
    private var position: UnsafePointer<UInt8>
    private let start: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>

    /// - Parameter reader: A reader at an element, or right after a comma.
    init(_ reader: JSONReader) {
        (position, start, end) = (reader.cursor, reader.start, reader.end)
    }

    /// Moves to the next boundary that is at least `distance` bytes ahead.
    ///
    /// - Returns: the offset right after the comma; nil if there is none, or only near the end of the document.
    mutating func next(behind distance: Int) -> Int? {
        let target = position + min(distance, end - position)
        let first = position
        var depth = 0
        /// All bits set if the block begins inside a string.
        var isInString: UInt64 = 0
        while end - position >= 64 {
            let block = Block(position)
            let inString = block.strings(from: first, at: position) ^ isInString
            isInString = 0 &- inString >> 63
            let brackets = block.brackets & ~inString
            // Most blocks have none.
            if brackets != 0 {
                let closes = Block.inOrder(brackets & Block.closes(at: position))
                let opens = Block.inOrder(brackets) ^ closes
                let closeCount = closes.nonzeroBitCount
                if depth < closeCount || position + 64 > target {
                    // The array may end in this block, or an element past the target.
                    switch walk(opens, closes, from: &depth, target) {
                    case .boundary(let comma):
                        position = comma + 1
                        return position - start
                    case .end: return nil
                    case nil: break
                    }
                } else {
                    depth += opens.nonzeroBitCount - closeCount
                }
            }
            position += 64
        }
        return nil
    }

    private enum Stop {
        case boundary(UnsafePointer<UInt8>)
        case end
    }

    /// Follows the brackets of a block one by one; nil if neither a boundary nor the array's end is among them.
    private func walk(
        _ opens: UInt64, _ closes: UInt64, from depth: inout Int, _ target: UnsafePointer<UInt8>
    ) -> Stop? {
        var brackets = opens | closes
        while brackets != 0 {
            let bit = brackets & (0 &- brackets)
            brackets ^= bit
            if opens & bit != 0 {
                depth += 1
                continue
            }
            depth -= 1
            if depth < 0 { return .end }
            let bracket = position + bit.trailingZeroBitCount
            if depth == 0, bracket >= target, let comma = comma(behind: bracket) { return .boundary(comma) }
        }
        return nil
    }

    private func comma(behind bracket: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        var next = bracket + 1
        while next < end, next.pointee == 0x20 || next.pointee == 0x0A || next.pointee == 0x0D || next.pointee == 0x09 {
            next += 1
        }
        return next < end && next.pointee == UInt8(ascii: ",") ? next : nil
    }
}

/// 64 bytes classified by masks with one bit per byte.
///
/// Byte `b` of word `w` has bit `8 * b + w`, so that each of the eight words is merged by one operation.
private struct Block {
    /// `{`, `}`, `[` and `]`. `Y`, `_`, `y` and DEL match as well, but JSON has none of them outside strings.
    let brackets: UInt64
    private let quotes: UInt64
    private let backslashes: UInt64

    @inline(__always)
    init(_ bytes: UnsafePointer<UInt8>) {
        let raw = UnsafeRawPointer(bytes)
        let parts = (
            raw.loadUnaligned(as: SIMD16<UInt8>.self), (raw + 16).loadUnaligned(as: SIMD16<UInt8>.self),
            (raw + 32).loadUnaligned(as: SIMD16<UInt8>.self), (raw + 48).loadUnaligned(as: SIMD16<UInt8>.self)
        )
        quotes = Block.mask(parts, UInt8(ascii: "\""))
        backslashes = Block.mask(parts, UInt8(ascii: "\\"))
        let common = SIMD16<UInt8>(repeating: 0xD9)
        brackets = Block.mask(
            (parts.0 & common, parts.1 & common, parts.2 & common, parts.3 & common), UInt8(ascii: "{") & 0xD9)
    }

    /// The closing brackets, which have bit 2 set. Valid only for brackets.
    static func closes(at bytes: UnsafePointer<UInt8>) -> UInt64 {
        var closes: UInt64 = 0
        for word in 0..<8 { closes |= ((bytes + word * 8).word >> 2 & ones) << UInt64(word) }
        return closes
    }

    private typealias Parts = (SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>)

    /// The bytes that equal a character.
    @inline(__always)
    private static func mask(_ parts: Parts, _ character: UInt8) -> UInt64 {
        let wanted = SIMD16<UInt8>(repeating: character)
        let words =
            pair(parts.0 .== wanted, 0) | pair(parts.1 .== wanted, 2) | pair(parts.2 .== wanted, 4)
            | pair(parts.3 .== wanted, 6)
        return UInt64(littleEndian: words.x | words.y)
    }

    /// Two words with one bit for each byte that matches.
    @inline(__always)
    private static func pair(_ matches: SIMDMask<SIMD16<Int8>>, _ word: UInt64) -> SIMD2<UInt64> {
        unsafeBitCast(matches, to: SIMD2<UInt64>.self) & SIMD2(ones << word, ones << (word + 1))
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// The bytes from an opening quote up to the closing one, in a block that begins outside a string.
    ///
    /// - Parameter first: The first byte that may be looked at, in or before the block; not a backslash.
    @inline(__always)
    func strings(from first: UnsafePointer<UInt8>, at bytes: UnsafePointer<UInt8>) -> UInt64 {
        var quotes = quotes
        let isAfterBackslash: UInt64 = bytes > first && bytes[-1] == UInt8(ascii: "\\") ? 1 : 0
        let doubtful = quotes & (backslashes << 8 | (backslashes >> 56) << 1 | isAfterBackslash)
        if doubtful != 0 { quotes ^= Block.escaped(among: doubtful, from: first, at: bytes) }
        // The parity of the quotes up to each byte: along the bytes of each word, then along the words.
        quotes ^= quotes << 8
        quotes ^= quotes << 16
        quotes ^= quotes << 32
        var words = quotes >> 56
        words ^= words << 1
        words ^= words << 2
        words ^= words << 4
        return quotes ^ ((words << 1) & 0xFF) &* Block.ones
    }

    /// The escaped quotes: those after an odd number of backslashes.
    @inline(never)
    private static func escaped(
        among quotes: UInt64, from first: UnsafePointer<UInt8>, at bytes: UnsafePointer<UInt8>
    ) -> UInt64 {
        var (rest, escaped): (UInt64, UInt64) = (quotes, 0)
        while rest != 0 {
            let bit = rest & (0 &- rest)
            rest ^= bit
            let number = bit.trailingZeroBitCount
            let quote = bytes + (number & 7) * 8 + number >> 3
            var backslash = quote
            while backslash > first, backslash[-1] == UInt8(ascii: "\\") { backslash -= 1 }
            if !(quote - backslash).isMultiple(of: 2) { escaped |= bit }
        }
        return escaped
    }

    /// The mask with its bits in the order of the bytes.
    @inline(__always)
    static func inOrder(_ mask: UInt64) -> UInt64 {
        var mask = mask
        var swapped = (mask ^ mask >> 7) & 0x00AA_00AA_00AA_00AA
        mask ^= swapped ^ swapped << 7
        swapped = (mask ^ mask >> 14) & 0x0000_CCCC_0000_CCCC
        mask ^= swapped ^ swapped << 14
        swapped = (mask ^ mask >> 28) & 0x0000_0000_F0F0_F0F0
        return mask ^ swapped ^ swapped << 28
    }
}
