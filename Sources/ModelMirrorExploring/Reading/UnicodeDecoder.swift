/// Makes UTF-8 of UTF-16 and UTF-32, and leaves out a byte order mark.
struct UnicodeDecoder {
    /// The number of bytes of a code unit.
    private let width: Int
    private let isBigEndian: Bool
    /// The number of bytes of the mark that are still to be left out.
    private var mark: Int
    /// Bytes of an incomplete code unit, or a high surrogate.
    private var rest: [UInt8] = []
    /// The number of bytes before those, as stored.
    private var count = 0

    /// Recognizes the encoding: by a byte order mark, or by the zeros among four bytes, since a document begins with two ASCII
    /// characters (RFC 4627 section 3).
    init(head: [UInt8]) {
        let marks: [(bytes: [UInt8], width: Int, isBigEndian: Bool)] = [
            ([0xEF, 0xBB, 0xBF], 1, false), ([0xFF, 0xFE, 0, 0], 4, false), ([0, 0, 0xFE, 0xFF], 4, true),
            ([0xFF, 0xFE], 2, false), ([0xFE, 0xFF], 2, true),
        ]
        if let found = marks.first(where: { head.starts(with: $0.bytes) }) {
            (width, isBigEndian, mark) = (found.width, found.isBigEndian, found.bytes.count)
            return
        }
        mark = 0
        switch head.prefix(4).map({ $0 == 0 }) {
        case [true, true, true, false]: (width, isBigEndian) = (4, true)
        case [false, true, true, true]: (width, isBigEndian) = (4, false)
        // Two bytes are the one digit of a document.
        case [true, false, true, false], [true, false]: (width, isBigEndian) = (2, true)
        case [false, true, false, true], [false, true]: (width, isBigEndian) = (2, false)
        default: (width, isBigEndian) = (1, false)
        }
    }

    /// The text of bytes as UTF-8.
    ///
    /// - Parameter bytes: The next bytes; none at the end.
    /// - Throws: A failure for what is no text: half a pair of surrogates, a number beyond Unicode, half a code unit at the end.
    mutating func utf8(_ bytes: [UInt8]) throws(ByteSource.Failure) -> [UInt8] {
        let isEnd = bytes.isEmpty
        let skipped = min(mark, bytes.count)
        mark -= skipped
        if width == 1 { return skipped == 0 ? bytes : Array(bytes.dropFirst(skipped)) }
        count += skipped
        let bytes = rest + bytes.dropFirst(skipped)
        var units = stride(from: 0, to: bytes.count - bytes.count % width, by: width).map { start in
            (0..<width).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[start + (isBigEndian ? $1 : width - 1 - $1)]) }
        }
        // The low surrogate is in the next piece.
        if width == 2, !isEnd, let last = units.last, last & 0xFC00 == 0xD800 { units.removeLast() }
        rest = Array(bytes.dropFirst(units.count * width))
        var scalars = String.UnicodeScalarView()
        var next = units[...]
        while var unit = next.popFirst() {
            let start = count
            count += width
            if width == 2, unit & 0xFC00 == 0xD800, let low = next.first, low & 0xFC00 == 0xDC00 {
                unit = 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF
                next.removeFirst()
                count += width
            }
            guard let scalar = Unicode.Scalar(unit) else { throw failure(at: start) }
            scalars.append(scalar)
        }
        if isEnd, !rest.isEmpty { throw failure(at: count) }
        return Array(String(scalars).utf8)
    }

    private func failure(at offset: Int) -> ByteSource.Failure {
        ByteSource.Failure("its UTF-\(8 * width) is broken at byte \(offset); write it as UTF-8")
    }
}
