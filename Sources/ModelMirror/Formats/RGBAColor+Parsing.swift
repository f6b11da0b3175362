/// Reading hex notation from UTF-8, for the mapper, which has bytes.
extension RGBAColor {
    /// ``init(hex:)`` for UTF-8.
    init?<Bytes: RandomAccessCollection>(hexBytes bytes: Bytes) where Bytes.Element == UInt8, Bytes.Index == Int {
        guard let (components, count) = Self.components(bytes) else { return nil }
        let (first, second, third, fourth) = components
        self.init(bytes: first, second, third, alpha: count == 4 ? fourth : 255)
    }

    /// ``init(argbHex:)`` for UTF-8.
    init?<Bytes: RandomAccessCollection>(argbHexBytes bytes: Bytes) where Bytes.Element == UInt8, Bytes.Index == Int {
        guard let (components, count) = Self.components(bytes) else { return nil }
        let (first, second, third, fourth) = components
        if count == 4 {
            self.init(bytes: second, third, fourth, alpha: first)
        } else {
            self.init(bytes: first, second, third, alpha: 255)
        }
    }

    private init(bytes red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: UInt8) {
        self.init(
            red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255, alpha: Double(alpha) / 255)
    }

    /// The three or four components that a hex text states, in its order; the fourth is 0 if there are three.
    private static func components<Bytes: RandomAccessCollection>(
        _ bytes: Bytes
    ) -> (components: (UInt8, UInt8, UInt8, UInt8), count: Int)?
    where Bytes.Element == UInt8, Bytes.Index == Int {
        var start = bytes.startIndex
        var end = bytes.endIndex
        while start < end, isWhitespace(bytes[start]) { start += 1 }
        while start < end, isWhitespace(bytes[end - 1]) { end -= 1 }
        if start < end, bytes[start] == UInt8(ascii: "#") { start += 1 }
        let digitCount = end - start
        guard [3, 4, 6, 8].contains(digitCount) else { return nil }
        // Eight digits of four bits; a digit that counts twice is added twice.
        var bits: UInt32 = 0
        for index in start..<end {
            guard let value = Hexadecimal.value(ofDigit: bytes[index]) else { return nil }
            bits = bits << 4 | UInt32(value)
            if digitCount <= 4 { bits = bits << 4 | UInt32(value) }
        }
        let count = digitCount <= 4 ? digitCount : digitCount / 2
        if count == 3 { bits <<= 8 }
        let components = (
            UInt8(truncatingIfNeeded: bits >> 24), UInt8(truncatingIfNeeded: bits >> 16),
            UInt8(truncatingIfNeeded: bits >> 8), UInt8(truncatingIfNeeded: bits)
        )
        return (components, count)
    }

    /// Space, tab, and the line and page breaks.
    private static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}
