/// The name of a header field, RFC 9110 section 5.1: compared without regard to case, sent as written.
///
/// ```swift
/// extension HeaderName { static let rateLimit: HeaderName = "X-RateLimit-Remaining" }
/// response.headers[.rateLimit]
/// ```
public struct HeaderName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as it is sent.
    public let description: String

    private let folded: String

    /// A name. Whether it can be sent is checked when the request is sent.
    public init(_ name: String) {
        description = name
        folded = name.lowercased()
    }

    /// A name.
    public init(stringLiteral name: String) { self.init(name) }

    /// Whether the names are the same but for case.
    public static func == (left: HeaderName, right: HeaderName) -> Bool { left.folded == right.folded }

    /// Hashes the name without its case.
    public func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    /// `Accept`
    public static let accept: HeaderName = "Accept"
    /// `Accept-Language`
    public static let acceptLanguage: HeaderName = "Accept-Language"
    /// `Authorization`
    public static let authorization: HeaderName = "Authorization"
    /// `Cache-Control`
    public static let cacheControl: HeaderName = "Cache-Control"
    /// `Content-Length`
    public static let contentLength: HeaderName = "Content-Length"
    /// `Content-Range`
    public static let contentRange: HeaderName = "Content-Range"
    /// `Content-Type`
    public static let contentType: HeaderName = "Content-Type"
    /// `Cookie`
    public static let cookie: HeaderName = "Cookie"
    /// `ETag`
    public static let eTag: HeaderName = "ETag"
    /// `If-Modified-Since`
    public static let ifModifiedSince: HeaderName = "If-Modified-Since"
    /// `If-None-Match`
    public static let ifNoneMatch: HeaderName = "If-None-Match"
    /// `If-Range`
    public static let ifRange: HeaderName = "If-Range"
    /// `Last-Modified`
    public static let lastModified: HeaderName = "Last-Modified"
    /// `Link`, RFC 8288
    public static let link: HeaderName = "Link"
    /// `Location`
    public static let location: HeaderName = "Location"
    /// `Proxy-Authorization`
    public static let proxyAuthorization: HeaderName = "Proxy-Authorization"
    /// `Range`
    public static let range: HeaderName = "Range"
    /// `Retry-After`
    public static let retryAfter: HeaderName = "Retry-After"
    /// `Set-Cookie`
    public static let setCookie: HeaderName = "Set-Cookie"
    /// `User-Agent`
    public static let userAgent: HeaderName = "User-Agent"
    /// `WWW-Authenticate`
    public static let wwwAuthenticate: HeaderName = "WWW-Authenticate"
}
