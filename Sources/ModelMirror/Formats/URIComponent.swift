/// A component of a URI that has characters to encode, and which may stand in it as they are: RFC 3986, appendix A.
enum URIComponent {
    case userInformation
    /// A registered name or IPv4 address; IPv6 addresses are ``IPv6Syntax``'s.
    case host
    /// The path and the query. The first `?` is between them, and a later one may stand in the query; for everything
    /// else the same characters may stand in both, so nothing depends on which is which.
    case path
    case fragment

    /// The characters that are not percent-encoded.
    var characters: ASCIISet {
        switch self {
        case .userInformation: Self.userInformationCharacters
        case .host: Self.hostCharacters
        case .path, .fragment: Self.pathCharacters
        }
    }

    /// Whether a byte is where the component ends and the next one begins.
    func isEnded(by byte: UInt8) -> Bool { self == .path && byte == UInt8(ascii: "#") }

    private static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    private static let subDelimiters = "!$&'()*+,;="

    private static let userInformationCharacters = ASCIISet(unreserved + subDelimiters + ":")
    private static let hostCharacters = ASCIISet(unreserved + subDelimiters)
    private static let pathCharacters = ASCIISet(unreserved + subDelimiters + ":@/?")
}
