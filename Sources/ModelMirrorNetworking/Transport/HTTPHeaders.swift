public import ModelMirror
import ModelMirrorFoundation

/// Header fields in the order they are sent; a name may occur more than once.
///
/// ```swift
/// var headers: HTTPHeaders = [.accept: "application/json", "X-Client": "tour"]
/// headers[.authorization] = "Bearer …"
/// headers["ACCEPT"]  // "application/json"
/// ```
///
/// Fields are not checked here; ``TransportRequest/prepared()`` rejects names and values that cannot be sent.
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// One header field.
    public struct Field: Hashable, ComparedByIdentity, Sendable {
        /// The name.
        public var name: HeaderName
        /// The value, without surrounding white space.
        public var value: String

        /// A header field.
        public init(name: HeaderName, value: String) {
            self.name = name
            self.value = value
        }

        // Not by `==`, which is generic code of another module.
        fileprivate func isNamed(_ name: HeaderName) -> Bool { self.name.comparedValue == name.comparedValue }

        /// The bytes as they are sent: a server may tell apart what Unicode does not.
        package var comparedValue: [[UInt8]] { [name.comparedValue, value].map { Array($0.utf8) } }
    }

    /// The fields in order.
    public private(set) var fields: [Field] = []

    /// A line `Name: value` for each field, with `REDACTED` for the values of `Authorization`, `Proxy-Authorization`, `Cookie`,
    /// `Set-Cookie` and of fields that are named like a credential, such as `X-API-Key`.
    public var description: String {
        let names = fields.map(\.name).filter(TransportRequest.isLikeCredential)
        return String(Redaction(headers: Set(names)).lines(self).dropFirst())
    }

    /// Fields in order.
    public init(_ fields: [Field]) { self.fields = fields }

    /// Fields in the order of the literal.
    public init(dictionaryLiteral elements: (HeaderName, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The value of a field; the values of fields with the same name are joined by ", " (RFC 9110 section 5.2). Setting
    /// replaces them all, in the place of the first; nil removes them.
    public subscript(name: HeaderName) -> String? {
        get {
            guard let first = fields.firstIndex(where: { $0.isNamed(name) }) else { return nil }
            // Usually there is only one.
            let others = fields[(first + 1)...].lazy.filter { $0.isNamed(name) }
            return others.reduce(into: fields[first].value) { $0 += ", \($1.value)" }
        }
        set {
            let first = fields.firstIndex { $0.isNamed(name) }
            fields.removeAll { $0.isNamed(name) }
            guard let newValue else { return }
            fields.insert(Field(name: name, value: newValue), at: first ?? fields.endIndex)
        }
    }

    /// The values of all fields with a name, in order: for `Set-Cookie`, whose values cannot be joined.
    public func values(for name: HeaderName) -> [String] { fields.lazy.filter { $0.isNamed(name) }.map(\.value) }

    /// Appends a field and keeps others with the same name.
    public mutating func append(_ value: String, for name: HeaderName) {
        fields.append(Field(name: name, value: value))
    }

    /// These fields, with those of `other` replacing the ones with the same names.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        if other.fields.isEmpty { return self }
        if fields.isEmpty { return other }
        return HTTPHeaders(without(Set(other.fields.map(\.name))).fields + other.fields)
    }

    /// The fields with other names.
    func without(_ names: Set<HeaderName>) -> HTTPHeaders { HTTPHeaders(fields.filter { !names.contains($0.name) }) }
}

/// The name of a header field, RFC 9110 section 5.1: compared case-insensitively, sent as written.
///
/// ```swift
/// extension HeaderName { static let rateLimit: HeaderName = "X-RateLimit-Remaining" }
/// response.headers[.rateLimit]
/// ```
public struct HeaderName: Hashable, ComparedByIdentity, Sendable, ExpressibleByStringLiteral, NamedByLiteral,
    CustomStringConvertible
{
    /// The name as sent.
    public let description: String

    /// The name that is compared: in lower case.
    package let comparedValue: String

    /// A name. Whether it can be sent is checked when the request is sent.
    public init(_ name: String) {
        description = name
        comparedValue = name.lowercased()
    }

    /// `Accept`
    public static let accept: HeaderName = "Accept"
    /// `Accept-Encoding`
    package static let acceptEncoding: HeaderName = "Accept-Encoding"
    /// `Accept-Language`
    public static let acceptLanguage: HeaderName = "Accept-Language"
    /// `Authorization`
    public static let authorization: HeaderName = "Authorization"
    /// `Cache-Control`
    public static let cacheControl: HeaderName = "Cache-Control"
    /// `Content-Encoding`
    package static let contentEncoding: HeaderName = "Content-Encoding"
    /// `Content-Length`
    package static let contentLength: HeaderName = "Content-Length"
    /// `Content-Range`
    package static let contentRange: HeaderName = "Content-Range"
    /// `Content-Type`
    public static let contentType: HeaderName = "Content-Type"
    /// `Cookie`
    package static let cookie: HeaderName = "Cookie"
    /// `ETag`
    package static let eTag: HeaderName = "ETag"
    /// `If-Modified-Since`
    package static let ifModifiedSince: HeaderName = "If-Modified-Since"
    /// `If-None-Match`
    package static let ifNoneMatch: HeaderName = "If-None-Match"
    /// `If-Range`
    package static let ifRange: HeaderName = "If-Range"
    /// `Last-Modified`
    package static let lastModified: HeaderName = "Last-Modified"
    /// `Link`, RFC 8288
    public static let link: HeaderName = "Link"
    /// `Location`
    package static let location: HeaderName = "Location"
    /// `Proxy-Authorization`
    package static let proxyAuthorization: HeaderName = "Proxy-Authorization"
    /// `Range`
    package static let range: HeaderName = "Range"
    /// `Retry-After`
    package static let retryAfter: HeaderName = "Retry-After"
    /// `Set-Cookie`
    package static let setCookie: HeaderName = "Set-Cookie"
    /// `Transfer-Encoding`
    package static let transferEncoding: HeaderName = "Transfer-Encoding"
    /// `User-Agent`
    public static let userAgent: HeaderName = "User-Agent"
    /// `WWW-Authenticate`
    package static let wwwAuthenticate: HeaderName = "WWW-Authenticate"
}

extension HTTPHeaders {
    /// Sets `Authorization` to a user name and password, RFC 7617.
    ///
    /// ```swift
    /// try headers.setBasicAuthorization(user: "Aladdin", password: "open sesame")
    /// headers[.authorization]  // "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
    /// ```
    ///
    /// Only TLS protects them in transit. They are not sent to another origin after a redirect.
    ///
    /// - Parameters:
    ///   - user: The user name, without a colon, sent in UTF-8.
    ///   - password: The password, sent in UTF-8.
    /// - Throws: ``RequestError/invalidRequest(_:)`` for a user name with a colon, and for control characters, which the format
    ///   does not allow.
    public mutating func setBasicAuthorization(user: String, password: String) throws(RequestError) {
        guard !user.utf8.contains(UInt8(ascii: ":")) else {
            throw .invalidRequest("the user name of the basic credentials contains a colon, which begins the password")
        }
        guard !(user + password).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .invalidRequest("the basic credentials contain a control character")
        }
        self[.authorization] = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }

    /// Sets `Authorization` to a token, RFC 6750 section 2.1.
    ///
    /// ```swift
    /// try headers.setBearerAuthorization("mF_9.B5f-4.1JqM")
    /// headers[.authorization]  // "Bearer mF_9.B5f-4.1JqM"
    /// ```
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` for a token that is empty or contains characters other than visible ASCII.
    ///   The message does not show the token.
    public mutating func setBearerAuthorization(_ token: String) throws(RequestError) {
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidRequest("the bearer token is empty or contains a character that is not visible ASCII")
        }
        self[.authorization] = "Bearer " + token
    }
}

extension StringProtocol {
    /// The text without surrounding tabs and Unicode spaces.
    var withoutOuterSpaces: String {
        String(String(self).unicodeScalars.trimming { $0 == "\t" || $0.properties.generalCategory == .spaceSeparator })
    }
}

extension BidirectionalCollection {
    /// The elements from the first to the last that does not meet a condition.
    package func trimming(_ isTrimmed: (Element) -> Bool) -> SubSequence {
        guard let last = lastIndex(where: { !isTrimmed($0) }) else { return self[endIndex...] }
        return self[...last].drop(while: isTrimmed)
    }
}
