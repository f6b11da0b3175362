/// A request method, RFC 9110 section 9. Names are case-sensitive, and upper-case by convention.
///
/// ```swift
/// let method: HTTPMethod = .get
/// let search: HTTPMethod = "QUERY"
/// ```
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, NamedByLiteral,
    CustomStringConvertible
{
    /// The name as sent.
    public let rawValue: String

    /// A method with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A method with a name.
    package init(_ name: String) { rawValue = name }

    /// `GET`
    public static let get = HTTPMethod("GET")
    /// `HEAD`
    public static let head = HTTPMethod("HEAD")
    /// `POST`
    public static let post = HTTPMethod("POST")
    /// `PUT`
    public static let put = HTTPMethod("PUT")
    /// `PATCH`, RFC 5789
    public static let patch = HTTPMethod("PATCH")
    /// `DELETE`
    public static let delete = HTTPMethod("DELETE")
    /// `OPTIONS`
    package static let options = HTTPMethod("OPTIONS")
    /// `TRACE`
    package static let trace = HTTPMethod("TRACE")
    /// `CONNECT`
    package static let connect = HTTPMethod("CONNECT")

    /// Whether the request changes nothing (RFC 9110 section 9.2.1): GET, HEAD, OPTIONS, TRACE.
    var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }

    /// Whether repeating the request has no further effect (RFC 9110 section 9.2.2): GET, HEAD, PUT, DELETE, OPTIONS, TRACE.
    public var isIdempotent: Bool { isSafe || [.put, .delete].contains(self) }

    /// The name as sent.
    public var description: String { rawValue }
}

/// A name of HTTP, which a string literal spells.
package protocol NamedByLiteral: ExpressibleByStringLiteral {
    init(_ name: String)
}

extension NamedByLiteral {
    /// The name as sent.
    public init(stringLiteral name: String) { self.init(name) }
}
