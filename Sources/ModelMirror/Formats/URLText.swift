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

/// The components of a URI by the characters that they allow without encoding: RFC 3986, appendix A.
enum URIComponent {
    case userInformation
    /// A registered name or IPv4 address; ``IPv6Syntax`` checks IPv6 addresses.
    case host
    /// The path, the query and the fragment. The first two are separated by the first `?`, and a later one is allowed in the query;
    /// otherwise all allow the same characters, so they need no distinction.
    case path

    /// Whether a byte is a character that the component allows, which is false for every byte that is not ASCII.
    func allows(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "A"..."Z", "a"..."z", "0"..."9", "-", ".", "_", "~": true
        case "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=": true
        case ":": self != .host
        case "@", "/", "?": self == .path
        default: false
        }
    }
}
