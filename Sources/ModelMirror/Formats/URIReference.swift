/// The components of a text that is a URI reference (RFC 3986), or becomes one by percent-encoding.
///
///     https://user@example.com:8080/over/there?name=ferret#nose
///     scheme  user host         port path        query      fragment
///             authority
///
/// The text is scanned once from left to right; each component is checked against its allowed characters. ``URLText``
/// documents what is encoded and what is refused.
struct URIReference<Bytes: ByteString> {
    /// Whether a character has to be percent-encoded; if not, the text is a URI reference as it is.
    private(set) var needsEncoding = false

    private let bytes: Bytes
    /// Empty without an authority or user information.
    private var userInformation = 0..<0
    /// A host name, without the port; empty for an IP literal, which is never encoded, and without an authority.
    private var host = 0..<0
    /// The path, and the query if there is one.
    private var path = 0..<0
    /// Without the `#`.
    private var fragment = 0..<0

    /// Finds and checks the components; `nil` if the text is not a URI reference and cannot become one.
    init?(_ bytes: Bytes) {
        self.bytes = bytes
        let end = bytes.endIndex
        guard !bytes.isEmpty, var index = Self.endOfScheme(in: bytes) else { return nil }
        if index + 1 < end, bytes[index] == UInt8(ascii: "/"), bytes[index + 1] == UInt8(ascii: "/") {
            guard let endOfAuthority = takeAuthority(from: index + 2) else { return nil }
            index = endOfAuthority
        }
        guard let endOfPath = check(from: index, .path, until: UInt8(ascii: "#")) else { return nil }
        path = index..<endOfPath
        if endOfPath < end {
            guard check(from: endOfPath + 1, .path) != nil else { return nil }
            fragment = (endOfPath + 1)..<end
        }
    }

    /// The text as an ASCII URI reference, percent-encoded where needed.
    func percentEncoded() -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + bytes.count / 2)
        var copied = bytes.startIndex
        let components: [(Range<Int>, ASCIISet)] = [
            (userInformation, .userInformation), (host, .host), (path, .path), (fragment, .path),
        ]
        for (range, characters) in components where !range.isEmpty {
            // The text between components consists of separators, which are kept.
            output += bytes[copied..<range.lowerBound]
            for index in range {
                let byte = bytes[index]
                if characters.contains(byte) || isEscape(at: index, before: range.upperBound) {
                    output.append(byte)
                } else {
                    // Upper case, as section 2.1 recommends.
                    output += "%\(Hexadecimal.encode([byte]).uppercased())".utf8
                }
            }
            copied = range.upperBound
        }
        output += bytes[copied...]
        return String(decoding: output, as: UTF8.self)
    }

    /// The index after `scheme:`, or the start if there is no scheme; `nil` if a colon in the first segment does not end a valid
    /// scheme, because then the text is neither absolute nor relative (section 4.2).
    private static func endOfScheme(in bytes: Bytes) -> Int? {
        var isScheme = true
        for index in bytes.startIndex..<bytes.endIndex {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): continue
            case UInt8(ascii: ":"): return isScheme && index > bytes.startIndex ? index + 1 : nil
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return bytes.startIndex
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                isScheme = isScheme && index > bytes.startIndex
            default: isScheme = false
            }
        }
        return bytes.startIndex
    }

    /// Splits an authority into user information, host and port, and checks them.
    ///
    /// - Returns: the index after it, or `nil` if it is refused.
    private mutating func takeAuthority(from start: Int) -> Int? {
        // Usually there is only a host name.
        var end = start
        let characters = ASCIISet.host
        while end < bytes.endIndex, characters.contains(bytes[end]) { end += 1 }
        host = start..<end
        if end == bytes.endIndex || Self.endsAuthority(bytes[end]) { return end }
        while end < bytes.endIndex, !Self.endsAuthority(bytes[end]) { end += 1 }
        host = start..<end
        if let at = bytes[host].lastIndex(of: UInt8(ascii: "@")) {
            userInformation = start..<at
            host = (at + 1)..<end
            guard check(from: start, .userInformation, to: at) != nil, !host.isEmpty else { return nil }
        }
        if bytes[host.lowerBound] == UInt8(ascii: "[") {
            guard let bracket = bytes[host].firstIndex(of: UInt8(ascii: "]")),
                IPv6Syntax.isAddress(bytes[(host.lowerBound + 1)..<bracket]),
                isPort((bracket + 1)..<end)
            else { return nil }
            host = bracket..<bracket
            return end
        }
        let colon = bytes[host].firstIndex(of: UInt8(ascii: ":")) ?? end
        host = host.lowerBound..<colon
        return checkHostName() && isPort(colon..<end) ? end : nil
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Whether a range is a port: empty, a colon and a number up to 65535, or a colon alone, which section 3.2.3 permits.
    private func isPort(_ range: Range<Int>) -> Bool {
        var cursor = ASCIICursor(bytes[range])
        if cursor.isAtEnd { return true }
        guard cursor.skip(":"), let (port, _) = cursor.digits(0...9) else { return false }
        return cursor.isAtEnd && port <= 65_535
    }

    /// Whether the host is a nonempty name: ASCII as in the RFC, or non-ASCII to be encoded.
    private mutating func checkHostName() -> Bool {
        let characters = ASCIISet.host
        for index in host where bytes[index] < 0x80 && !characters.contains(bytes[index]) {
            guard isEscape(at: index, before: host.upperBound) else { return false }
        }
        return !host.isEmpty && check(from: host.lowerBound, .host, to: host.upperBound) != nil
    }

    /// Scans a component of characters that it allows up to a given end or character, and sets ``needsEncoding``.
    ///
    /// - Returns: the index after the component, or `nil` if it contains a control character.
    private mutating func check(
        from start: Int, _ characters: ASCIISet, until last: UInt8? = nil, to end: Int? = nil
    ) -> Int? {
        let end = end ?? bytes.endIndex
        var index = start
        while true {
            while index < end, characters.contains(bytes[index]) { index += 1 }
            if index == end { return index }
            let byte = bytes[index]
            if byte == last { return index }
            if !isEscape(at: index, before: end) {
                if byte < 0x20 || byte == 0x7F { return nil }
                // U+0080 to U+009F are C2 80 to C2 9F.
                if byte == 0xC2, index + 1 < end, bytes[index + 1] < 0xA0 { return nil }
                needsEncoding = true
            }
            index += 1
        }
    }

    /// Whether there is a `%` and two hex digits at an index.
    private func isEscape(at index: Int, before end: Int) -> Bool {
        index + 2 < end && bytes[index] == UInt8(ascii: "%") && Hexadecimal.value(ofDigit: bytes[index + 1]) != nil
            && Hexadecimal.value(ofDigit: bytes[index + 2]) != nil
    }
}

/// The text form of IPv6 addresses in URLs, between the brackets: `IPv6address` of RFC 3986 section 3.2.2.
enum IPv6Syntax {
    /// Whether a text is an address: eight groups of one to four hex digits separated by colons, where one `::` may replace one
    /// or more groups of zeros, and an IPv4 address the last two groups.
    ///
    /// ```swift
    /// IPv6Syntax.isAddress(Array("2001:db8::1".utf8))      // true
    /// IPv6Syntax.isAddress(Array("::ffff:192.0.2.1".utf8)) // true
    /// IPv6Syntax.isAddress(Array("fe80::1%25eth0".utf8))   // false: a zone identifier
    /// ```
    static func isAddress(_ bytes: some ByteString) -> Bool { isAddress(String(decoding: bytes, as: UTF8.self)) }

    @inline(never)
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "::", omittingEmptySubsequences: false)
        var groups = parts.flatMap { $0.isEmpty ? [] : $0.split(separator: ":", omittingEmptySubsequences: false) }
        if parts.last?.isEmpty == false, let last = groups.last, last.contains(".") {
            guard isIPv4(last) else { return false }
            groups[(groups.count - 1)...] = ["0", "0"]
        }
        return (parts.count == 1 ? groups.count == 8 : parts.count == 2 && groups.count <= 7)
            && groups.allSatisfy { group in
                1...4 ~= group.utf8.count && group.utf8.allSatisfy { Hexadecimal.value(ofDigit: $0) != nil }
            }
    }

    /// Four numbers 0...255 without leading zeros, separated by periods.
    private static func isIPv4(_ text: Substring) -> Bool {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.allSatisfy { number in UInt8(number).map { "\($0)" == number } ?? false }
    }
}
