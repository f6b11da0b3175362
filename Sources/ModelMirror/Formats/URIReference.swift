import ModelMirrorFoundation

/// The components of a text that is a URI reference (RFC 3986), or becomes one by percent-encoding.
///
///     https://user@example.com:8080/over/there?name=ferret#nose
///     scheme  user host         port path        query      fragment
///             authority
///
/// The text is scanned once from left to right; each component is checked against its allowed characters. ``URLText``
/// documents what is encoded and what is refused.
struct URIReference<Bytes: ByteString> {
    private let bytes: Bytes
    /// The text up to `copied`, percent-encoded; empty as long as every character is allowed.
    private var encoded: [UInt8] = []
    private var copied: Int

    /// Finds and checks the components; `nil` if the text is not a URI reference and cannot become one.
    init?(_ bytes: Bytes) {
        self.bytes = bytes
        copied = bytes.startIndex
        let end = bytes.endIndex
        guard !bytes.isEmpty, var index = Self.endOfScheme(in: bytes) else { return nil }
        if index + 1 < end, bytes[index] == UInt8(ascii: "/"), bytes[index + 1] == UInt8(ascii: "/") {
            guard let endOfAuthority = scanAuthority(from: index + 2) else { return nil }
            index = endOfAuthority
        }
        guard let endOfPath = check(index..<end, .path, until: UInt8(ascii: "#")) else { return nil }
        if endOfPath < end, check((endOfPath + 1)..<end, .path) == nil { return nil }
    }

    /// Whether a character has to be percent-encoded; if not, the text is a URI reference as it is.
    var needsEncoding: Bool { !encoded.isEmpty }

    /// The text as an ASCII URI reference, percent-encoded where needed.
    func percentEncoded() -> String { String(decoding: encoded + bytes[copied...], as: UTF8.self) }

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
    private mutating func scanAuthority(from start: Int) -> Int? {
        // Usually there is only a host name.
        var end = start
        while end < bytes.endIndex, URIComponent.host.allows(bytes[end]) { end += 1 }
        if end == bytes.endIndex || Self.endsAuthority(bytes[end]) { return end }
        while end < bytes.endIndex, !Self.endsAuthority(bytes[end]) { end += 1 }
        var host = start..<end
        if let at = bytes[host].lastIndex(of: UInt8(ascii: "@")) {
            host = (at + 1)..<end
            guard check(start..<at, .userInformation) != nil, !host.isEmpty else { return nil }
        }
        let endOfHost: Int
        if bytes[host.lowerBound] == UInt8(ascii: "[") {
            // An IP literal, which is never encoded.
            guard let bracket = bytes[host].firstIndex(of: UInt8(ascii: "]")),
                IPv6Syntax.isAddress(bytes[(host.lowerBound + 1)..<bracket])
            else { return nil }
            endOfHost = bracket + 1
        } else {
            endOfHost = bytes[host].firstIndex(of: UInt8(ascii: ":")) ?? end
            let name = host.lowerBound..<endOfHost
            guard !name.isEmpty, check(name, .host, encodesASCII: false) != nil else { return nil }
        }
        // A colon alone is a port too, which section 3.2.3 permits.
        var port = ASCIICursor(bytes[endOfHost..<end])
        guard port.isAtEnd || port.skip(":"), let (number, _) = port.digits(0...9), port.isAtEnd, number <= 65_535
        else { return nil }
        return end
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Scans a component up to a given character, and encodes the characters that it does not allow.
    ///
    /// - Parameter encodesASCII: Whether ASCII characters are encoded, not refused.
    /// - Returns: the index after the component, or `nil` if it contains a control character or one that is refused.
    private mutating func check(
        _ range: Range<Int>, _ component: URIComponent, until last: UInt8? = nil, encodesASCII: Bool = true
    ) -> Int? {
        for index in range where !component.allows(bytes[index]) {
            let byte = bytes[index]
            if byte == last { return index }
            if isEscape(at: index, before: range.upperBound) { continue }
            if byte < 0x20 || byte == 0x7F || !encodesASCII && byte < 0x80 { return nil }
            // U+0080 to U+009F are C2 80 to C2 9F.
            if byte == 0xC2, index + 1 < range.upperBound, bytes[index + 1] < 0xA0 { return nil }
            // Upper case, as section 2.1 recommends.
            encoded += bytes[copied..<index]
            encoded += "%\(Hexadecimal.encode([byte]).uppercased())".utf8
            copied = index + 1
        }
        return range.upperBound
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
    static func isAddress(_ bytes: some ByteString) -> Bool {
        // Some systems also read zone identifiers, longer groups and leading zeros of IPv4 numbers, and a C string ends at U+0000.
        let groups = bytes.split { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        let numbers = bytes.split(separator: UInt8(ascii: ":")).last?.split(separator: UInt8(ascii: ".")) ?? []
        let isPlain =
            groups.allSatisfy { $0.count <= 4 && $0.allSatisfy { Hexadecimal.value(ofDigit: $0) != nil } }
            && (numbers.count < 2 || numbers.allSatisfy { $0.count == 1 || $0.first != UInt8(ascii: "0") })
        var address = in6_addr()
        return isPlain && inet_pton(AF_INET6, String(decoding: bytes, as: UTF8.self), &address) == 1
    }
}
