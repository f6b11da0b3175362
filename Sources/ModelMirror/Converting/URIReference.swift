/// The components of a text that is a URI reference by RFC 3986, or becomes one when it is percent-encoded.
///
///     https://user@example.com:8080/over/there?name=ferret#nose
///     scheme  user host         port path        query      fragment
///             authority
///
/// The text is gone through once from left to right; each component is checked against the characters it may have.
/// ``URLText`` says what is encoded and what refused.
struct URIReference<Bytes: RandomAccessCollection> where Bytes.Element == UInt8, Bytes.Index == Int {
    /// Whether there is a character that has to be percent-encoded; if not, the text is a URI reference itself.
    private(set) var needsEncoding = false

    private let bytes: Bytes
    /// Empty if there is no authority, or no user information in it.
    private var userInformation: Range<Int>
    /// From behind the user information, without the port; empty if there is no authority.
    private var host: Range<Int>
    private var path: Range<Int>
    /// Without the `?`.
    private var query: Range<Int>
    /// Without the `#`.
    private var fragment: Range<Int>

    /// Finds and checks the components; `nil` if the text is no URI reference and cannot be made one.
    init?(_ bytes: Bytes) {
        self.bytes = bytes
        let start = bytes.startIndex
        let end = bytes.endIndex
        userInformation = start..<start
        host = start..<start
        path = start..<start
        query = end..<end
        fragment = end..<end
        guard start < end, var index = Self.endOfScheme(in: bytes) else { return nil }
        if index + 1 < end, bytes[index] == UInt8(ascii: "/"), bytes[index + 1] == UInt8(ascii: "/") {
            index += 2
            let authority = index..<Self.firstIndex(in: bytes[index...]) { URICharacters.authorityEnds.contains($0) }
            guard takeAuthority(authority) else { return nil }
            index = authority.upperBound
        }
        path = index..<Self.firstIndex(in: bytes[index...]) { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        index = path.upperBound
        if index < end, bytes[index] == UInt8(ascii: "?") {
            query = (index + 1)..<Self.firstIndex(in: bytes[(index + 1)...]) { $0 == UInt8(ascii: "#") }
            index = query.upperBound
        }
        if index < end { fragment = (index + 1)..<end }
        let isClean = check(path, URICharacters.path) && check(query, URICharacters.query)
        guard isClean, check(fragment, URICharacters.query) else { return nil }
    }

    /// The text with everything encoded that needs it: ASCII, and a URI reference.
    func percentEncoded() -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + bytes.count / 2)
        var copied = bytes.startIndex
        let components = [
            (userInformation, URICharacters.userInformation), (host, URICharacters.host), (path, URICharacters.path),
            (query, URICharacters.query), (fragment, URICharacters.query),
        ]
        for (component, allowed) in components where !component.isEmpty {
            // What stands between two components separates them and is kept.
            output += bytes[copied..<component.lowerBound]
            for index in component {
                let byte = bytes[index]
                if allowed.contains(byte) || byte == UInt8(ascii: "%") && isEscape(at: index, in: component) {
                    output.append(byte)
                } else {
                    output.append(UInt8(ascii: "%"))
                    output.append(Self.hexDigit(byte >> 4))
                    output.append(Self.hexDigit(byte & 0xF))
                }
            }
            copied = component.upperBound
        }
        output += bytes[copied...]
        return String(decoding: output, as: UTF8.self)
    }

    /// The index behind `scheme:`, or the start if there is no scheme; `nil` if there is a colon in the first segment
    /// that ends no valid scheme, for then the text can be neither absolute nor relative (section 4.2).
    private static func endOfScheme(in bytes: Bytes) -> Int? {
        let allowed = URICharacters.scheme
        var isScheme = bytes.first.map(URICharacters.letters.contains) ?? false
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == UInt8(ascii: ":") { return isScheme ? index + 1 : nil }
            if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
            isScheme = isScheme && allowed.contains(byte)
        }
        return bytes.startIndex
    }

    private static func firstIndex(in bytes: Bytes.SubSequence, where isFound: (UInt8) -> Bool) -> Int {
        bytes.firstIndex(where: isFound) ?? bytes.endIndex
    }

    /// Divides an authority into user information, host and port and checks them.
    private mutating func takeAuthority(_ authority: Range<Int>) -> Bool {
        if let at = bytes[authority].lastIndex(of: UInt8(ascii: "@")) {
            userInformation = authority.lowerBound..<at
            guard check(userInformation, URICharacters.userInformation) else { return false }
            host = (at + 1)..<authority.upperBound
            guard !host.isEmpty else { return false }
        } else {
            host = authority
        }
        if host.isEmpty { return true }
        if bytes[host.lowerBound] == UInt8(ascii: "[") {
            guard let bracket = bytes[host].firstIndex(of: UInt8(ascii: "]")),
                IPv6Syntax.isAddress(bytes[(host.lowerBound + 1)..<bracket]),
                isPort((bracket + 1)..<host.upperBound)
            else { return false }
            // Checked, and ASCII: nothing is left to encode, and its brackets are no characters of a name.
            host = bracket..<bracket
            return true
        }
        let colon = bytes[host].firstIndex(of: UInt8(ascii: ":")) ?? host.upperBound
        guard isPort(colon..<host.upperBound) else { return false }
        host = host.lowerBound..<colon
        return checkHostName()
    }

    /// Nothing, or a colon and a number up to 65535, or a colon alone, which section 3.2.3 permits.
    private func isPort(_ range: Range<Int>) -> Bool {
        var cursor = ASCIICursor(bytes[range])
        if cursor.isAtEnd { return true }
        guard cursor.skip(":"), let (port, _) = cursor.digits(0...9) else { return false }
        return cursor.isAtEnd && port <= 65_535
    }

    /// A host name that is not empty: ASCII as the RFC has it, and non-ASCII to be encoded.
    private mutating func checkHostName() -> Bool {
        let allowed = URICharacters.host
        for index in host {
            let byte = bytes[index]
            if byte < 0x80, !allowed.contains(byte), !isEscape(at: index, in: host) { return false }
        }
        return !host.isEmpty && check(host, allowed)
    }

    /// Notes whether something has to be encoded; `false` if there is a control character.
    private mutating func check(_ range: Range<Int>, _ allowed: ASCIISet) -> Bool {
        for index in range {
            let byte = bytes[index]
            if allowed.contains(byte) || byte == UInt8(ascii: "%") && isEscape(at: index, in: range) { continue }
            if byte < 0x20 || byte == 0x7F { return false }
            // U+0080 to U+009F are C2 80 to C2 9F.
            if byte == 0xC2, index + 1 < range.upperBound, bytes[index + 1] < 0xA0 { return false }
            needsEncoding = true
        }
        return true
    }

    /// Whether a `%` and two hex digits stand at an index.
    private func isEscape(at index: Int, in range: Range<Int>) -> Bool {
        index + 2 < range.upperBound && bytes[index] == UInt8(ascii: "%")
            && Hexadecimal.value(ofDigit: bytes[index + 1]) != nil
            && Hexadecimal.value(ofDigit: bytes[index + 2]) != nil
    }

    /// Upper case, as section 2.1 asks for.
    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
