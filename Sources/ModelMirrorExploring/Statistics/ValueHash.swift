/// A hash of bytes with 64 bits, the same in every process: words of eight bytes are multiplied to 128 bits and folded.
enum ValueHash {
    private static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let factor: UInt64 = 0xD6E8_FEB8_6659_FD93

    /// The hash of a text.
    static func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        var hash = mixed(seed, UInt64(range.count) ^ factor)
        var offset = range.lowerBound
        while range.upperBound - offset >= 8 {
            hash = mixed(hash ^ bytes.word(at: offset), factor)
            offset += 8
        }
        if offset < range.upperBound {
            var rest: UInt64 = 0
            if range.count >= 8 {
                rest = bytes.word(at: range.upperBound - 8)
            } else {
                for index in offset..<range.upperBound { rest = rest << 8 | UInt64(bytes[index]) }
            }
            hash = mixed(hash ^ rest, factor)
        }
        return mixed(hash, seed)
    }

    /// The hash of a number, other than that of any text in practice.
    static func hash(_ number: Double) -> UInt64 { mixed(mixed(number.bitPattern ^ seed, factor), ~seed) }

    private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

extension Span<UInt8> {
    /// Eight bytes, the first in the lowest bits on every machine. The load is checked against the bounds.
    @inline(__always)
    fileprivate func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
