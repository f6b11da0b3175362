package import ModelMirrorFoundation

extension TransportRequest {
    /// Throws if the request cannot be sent, or would not be sent as declared.
    ///
    /// Every built-in transport calls this first. The rules: the URL is absolute, `http` or `https`, and has a host; the method and
    /// the names of header fields are tokens (RFC 9110 section 5.6.2); values contain no CR, LF or NUL (section 5.5), so none can
    /// add another field; `Host`, `Content-Length` and `Transfer-Encoding` are set by the transport only; GET, HEAD and TRACE have
    /// no body, because platforms treat one differently; a timeout is greater than zero; limits and lengths are not negative.
    ///
    /// ```swift
    /// try TransportRequest(.get, url, headers: ["X-A": "1\r\nX-B: 2"]).validate()
    /// // throws invalidRequest: the value of the header "X-A" contains a line break
    /// ```
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` with the first violation.
    package func validate() throws(RequestError) {
        guard url.isRequestable else {
            throw .invalidRequest("the URL \(url.withoutSecrets) is not an absolute http or https URL with a host")
        }
        guard method.rawValue.isToken else {
            throw .invalidRequest("the method \(method.rawValue.debugDescription) is not a token of RFC 9110")
        }
        for field in headers.fields { try TransportRequest.validate(field) }
        if let timeout, timeout <= .zero { throw .invalidRequest("the timeout \(timeout) is not greater than zero") }
        if case .follow(let limit)? = redirects, limit < 0 {
            throw .invalidRequest("the limit of \(limit) redirects is negative")
        }
        guard let body else { return }
        if [.get, .head, .trace].contains(method) {
            throw .invalidRequest("a \(method) request carries no body; send it with POST, PUT or PATCH")
        }
        if let length = body.length, length < 0 { throw .invalidRequest("the body declares \(length) bytes") }
    }

    private static func validate(_ field: HTTPHeaders.Field) throws(RequestError) {
        let name = field.name.description
        guard name.isToken else {
            throw .invalidRequest("the header name \(name.debugDescription) is not a token of RFC 9110")
        }
        if let byte = field.value.utf8.first(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0x00 }) {
            let found = byte == 0x00 ? "NUL" : "line break"
            throw .invalidRequest("the value of the header \"\(name)\" contains a \(found)")
        }
        // Compare only names of the reserved lengths, for speed.
        if [4, 14, 17].contains(name.utf8.count), reserved.contains(field.name) {
            throw .invalidRequest("the header \"\(name)\" is set by the transport; leave it out")
        }
    }

    private static let reserved: [HeaderName] = ["Host", .contentLength, .transferEncoding]
}

extension String {
    /// Whether this is a token of RFC 9110 section 5.6.2: letters, digits and some marks, not empty.
    var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenByte) }
}

extension UInt8 {
    /// Whether this is an ASCII letter or digit.
    var isLetterOrDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    /// Whether this is an ASCII digit.
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether this byte may occur in a token of RFC 9110 section 5.6.2.
    package var isTokenByte: Bool { isLetterOrDigit || "-!#$%&'*+.^_`|~".utf8.contains(self) }

    /// Whether this is a space or tab.
    package var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// The lower-case letter if this is an ASCII letter, otherwise the byte itself.
    var asciiLowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}

extension URL {
    /// The path as it is sent: `URL.path` has no slash at its end, and that of `https://example.com` is empty.
    var sentPath: String {
        let path = path(percentEncoded: true)
        return path.isEmpty ? "/" : path
    }

    /// Whether a request for this URL is sent as one for another.
    func isSameTarget(as other: URL) -> Bool {
        Origin(self) == Origin(other) && sentPath == other.sentPath && query() == other.query()
    }

    /// Whether this is an absolute `http` or `https` URL with a host.
    var isRequestable: Bool { (isSecure || scheme?.lowercased() == "http") && host?.isEmpty == false }

    /// Whether the scheme is `https`.
    var isSecure: Bool { scheme?.lowercased() == "https" }

    // The property `user` is unescaped, and nil for bytes that are not UTF-8; the method is neither.
    var hasUserInfo: Bool { user() != nil || password() != nil }

    package var withoutUserInfo: URL {
        guard hasUserInfo, var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        components.user = nil
        components.password = nil
        return components.url ?? self
    }
}

extension TransportRequest {
    /// This request ready to be sent.
    ///
    /// Call it first in your own ``Transport`` that does not wrap another, for each attempt. The result is valid, the user and
    /// password of its URL are moved to an `Authorization` field, and the ``HTTPBody/length`` of a file is set. Here the library
    /// notices what layers added without declaring it (``declaredFields``); a response to a request that was not prepared is
    /// not stored.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)``; ``RequestError/accountChanged`` once the request's account has signed out.
    public func prepared() throws(RequestError) -> TransportRequest {
        try validate()
        try binding?.prepare(self)
        var request = self
        // Not all platforms send the user and password of a URL.
        request.url = url.withoutUserInfo
        if url.hasUserInfo, headers[.authorization] == nil {
            guard let user = PercentEscaping.unescaped(url.user() ?? ""),
                let password = PercentEscaping.unescaped(url.password() ?? "")
            else { throw .invalidRequest("user or password in the URL is not UTF-8 once unescaped") }
            try request.headers.setBasicAuthorization(user: user, password: password)
        }
        request.body = try body?.measured()
        return request
    }
}
