package import ModelMirrorFoundation

/// URLs as found in JSON, absolute or relative, with the same result on every platform.
///
/// Foundation's own parsing differs between systems and releases. So the text is checked against RFC 3986 here, characters
/// that a URI may not contain are percent-encoded here, and Foundation gets pure ASCII with encoding switched off.
///
/// - Encoded, as UTF-8 with upper-case digits: space, non-ASCII, and `" < > [ ] \ ^ { | }` and backtick in user information,
///   path, query or fragment; a second `#`; an `@` before the last one of an authority; a `%` that is not followed by two hex
///   digits. A valid `%XX` stays.
/// - International host names are also percent-encoded (RFC 3986 section 3.2.2). Foundation converts them to punycode only
///   where its internationalisation library is linked. Use `xn--…` names to be independent of the resolver.
/// - Refused: empty text; control characters (U+0000 to U+001F, U+007F to U+009F); a colon in the first segment without a
///   scheme before it (`12:30`, `://`); in a host, a lone `%` and ASCII characters not allowed there, such as spaces; ports
///   that are not a number up to 65535; IP literals other than IPv6 addresses, including zone identifiers and future versions;
///   user information or a port without a host.
///
/// Nothing else is changed: case, dot segments, empty components and percent-encoding stay as written.
package enum URLText {
    /// The URL in a text.
    ///
    /// ```swift
    /// URLText.url(from: "https://example.com/a b?q=ä")?.absoluteString  // "https://example.com/a%20b?q=%C3%A4"
    /// URLText.url(from: "/users/1")?.absoluteString                     // "/users/1"
    /// URLText.url(from: "http://host:abc")                              // nil
    /// ```
    ///
    /// - Returns: `nil` if the text is refused.
    package static func url(from text: String) -> URL? { url(fromUTF8: Array(text.utf8)) }

    /// ``url(from:)`` for UTF-8; a string is made only if the text is a URL.
    static func url(fromUTF8 bytes: some ByteString) -> URL? {
        guard let reference = URIReference(bytes) else { return nil }
        let text = reference.needsEncoding ? reference.percentEncoded() : String(decoding: bytes, as: UTF8.self)
        return URL(string: text, encodingInvalidCharacters: false)
    }
}

/// A set of ASCII characters, one bit each: a lookup is a shift and a mask without a memory access.
///
/// ```swift
/// let hexDigits = ASCIISet("0123456789ABCDEFabcdef")
/// hexDigits.contains(UInt8(ascii: "f"))  // true
/// hexDigits.contains(0xC3)               // false, as for every byte that is not ASCII
/// ```
struct ASCIISet: Sendable {
    /// Bit n is set if the byte n is in the set.
    private var low: UInt64 = 0
    /// Bit n is set if the byte 64 + n is in the set.
    private var high: UInt64 = 0

    /// The set of a text's ASCII characters; others are ignored.
    init(_ characters: String) {
        for byte in characters.utf8 {
            // Nothing is left of a bit that is shifted beyond its word, in either direction.
            low |= 1 << Int(byte)
            high |= 1 << (Int(byte) - 64)
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        guard byte < 128 else { return false }
        return (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 == 1
    }
}

/// The characters that the components of a URI allow without encoding: RFC 3986, appendix A.
extension ASCIISet {
    private static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    private static let subDelimiters = "!$&'()*+,;="

    static let userInformation = ASCIISet(unreserved + subDelimiters + ":")
    /// Those of a registered name or IPv4 address; ``IPv6Syntax`` checks IPv6 addresses.
    static let host = ASCIISet(unreserved + subDelimiters)
    /// Those of the path, the query and the fragment. The first two are separated by the first `?`, and a later one is allowed in the
    /// query; otherwise all allow the same characters, so they need no distinction.
    static let path = ASCIISet(unreserved + subDelimiters + ":@/?")
}
