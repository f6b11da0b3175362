/// The text form of IPv6 addresses as URLs have it between brackets: `IPv6address` of RFC 3986 section 3.2.2.
enum IPv6Syntax {
    /// Whether a text is an address: eight groups of one to four hex digits with colons between them, where `::` may
    /// once stand for one or more groups of zeros, and an IPv4 address for the last two groups.
    ///
    /// ```swift
    /// IPv6Syntax.isAddress(Array("2001:db8::1".utf8))      // true
    /// IPv6Syntax.isAddress(Array("::ffff:192.0.2.1".utf8)) // true
    /// IPv6Syntax.isAddress(Array("fe80::1%25eth0".utf8))   // false: a zone identifier
    /// ```
    static func isAddress<Bytes: RandomAccessCollection>(_ bytes: Bytes) -> Bool
    where Bytes.Element == UInt8, Bytes.Index == Int {
        let end = bytes.endIndex
        var index = bytes.startIndex
        var groups = 0
        var isShortened = false
        if startsWithTwoColons(bytes[index...]) {
            isShortened = true
            index += 2
        }
        while index < end {
            let groupEnd = bytes[index...].firstIndex(of: UInt8(ascii: ":")) ?? end
            let group = bytes[index..<groupEnd]
            if groupEnd == end, group.contains(UInt8(ascii: ".")) {
                guard isIPv4(group) else { return false }
                groups += 2
                break
            }
            guard 1...4 ~= group.count, group.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil }) else {
                return false
            }
            groups += 1
            if groupEnd == end { break }
            if startsWithTwoColons(bytes[groupEnd...]) {
                if isShortened { return false }
                isShortened = true
                index = groupEnd + 2
            } else {
                index = groupEnd + 1
                // A single colon has to be followed by a group.
                if index == end { return false }
            }
        }
        return isShortened ? groups <= 7 : groups == 8
    }

    private static func startsWithTwoColons<Bytes: RandomAccessCollection>(_ bytes: Bytes) -> Bool
    where Bytes.Element == UInt8, Bytes.Index == Int {
        bytes.starts(with: "::".utf8)
    }

    /// Four numbers 0...255 without leading zeros, with periods between them.
    private static func isIPv4<Bytes: RandomAccessCollection>(_ bytes: Bytes) -> Bool
    where Bytes.Element == UInt8, Bytes.Index == Int {
        var cursor = ASCIICursor(bytes)
        for part in 0..<4 {
            if part > 0, !cursor.skip(".") { return false }
            let startsWithZero = cursor.next == UInt8(ascii: "0")
            guard let (value, count) = cursor.digits(1...3), value <= 255 else { return false }
            if startsWithZero, count > 1 { return false }
        }
        return cursor.isAtEnd
    }
}
