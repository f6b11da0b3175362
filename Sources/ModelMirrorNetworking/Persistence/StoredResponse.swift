public import ModelMirrorFoundation

/// A response as a ``ResponseStore`` keeps it: its bytes, the time it was requested, and the validators that ask the server
/// whether it is still current.
public struct StoredResponse: Hashable, Sendable {
    /// The status code, one that the client accepted; never 206.
    public var status: Int
    /// The URL that answered, after redirects.
    public var url: URL
    /// The header fields, without cookies and those about a single connection or message.
    public var headers: HTTPHeaders
    /// The whole body.
    public var body: Data
    /// When the response was requested, or last confirmed by the server.
    public var date: Date

    /// A response to store.
    public init(status: Int = 200, url: URL, headers: HTTPHeaders = [:], body: Data, date: Date) {
        self.status = status
        self.url = url
        self.headers = headers
        self.body = body
        self.date = date
    }
}

extension StoredResponse {
    /// The fields that are not stored: those about a single connection or message (RFC 9111 section 3.1), content codings, which
    /// are already decoded unless the request itself has `Accept-Encoding`, and cookies, which belong to the cookie storage.
    static let unkeptFields: Set<HeaderName> = [
        "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", .proxyAuthorization,
        "Proxy-Connection", "TE", "Trailer", .transferEncoding, "Upgrade", "Content-Encoding", .contentLength,
        .setCookie, "Set-Cookie2",
    ]

    init(_ head: ResponseHead, body: Data, date: Date) {
        let unkept = Self.unkeptFields.union(
            (head.headers["Connection"] ?? "").separated(by: ",").map { HeaderName($0) })
        self.init(
            status: head.status, url: head.url.withoutUserInfo, headers: head.headers.without(unkept), body: body,
            date: date)
    }

    /// Whether the response to a request must not be stored (`no-store`, RFC 9111 section 5.2) or matches no other request (`Vary: *`,
    /// section 4.1).
    func mustNotBeStored(for request: TransportRequest) -> Bool {
        status == 206 || headers.varying.contains("*")
            || [headers, request.headers].contains { $0.cacheDirectives["no-store"] != nil }
    }

    /// Whether this response is of a URL with any query, since layers may add items to that of a request.
    func isAtPath(of other: URL) -> Bool { Origin(url) == Origin(other) && url.sentPath == other.sentPath }

    /// Whether a 304 confirms this response. One with another ETag does not, nor one with a strong tag where this has none (RFC 9111
    /// section 4.3.4): storing that tag would keep confirming an outdated body.
    ///
    /// `W/` is ignored, because a server that compresses may weaken a strong tag.
    func canBeConfirmed(by headers: HTTPHeaders) -> Bool {
        guard let new = headers[.eTag] else { return true }
        guard let old = self.headers[.eTag] else { return new.hasPrefix("W/") }
        return old.trimmingPrefix("W/") == new.trimmingPrefix("W/")
    }

    /// Whether the header fields of a response to HEAD describe this response.
    func isDescribed(by headers: HTTPHeaders) -> Bool {
        (self.headers[.eTag] == nil || canBeConfirmed(by: headers))
            && headers[.lastModified].map { $0 == self.headers[.lastModified] } ?? true
            && headers[.contentLength].map { headers[.contentEncoding] != nil || $0 == "\(body.count)" } ?? true
    }

    /// The response confirmed by a 304, with its header fields and date (RFC 9111 section 3.2).
    func confirmed(by headers: HTTPHeaders, at date: Date) -> StoredResponse {
        var confirmed = self
        let unkept = Self.unkeptFields.union([.contentType, .contentRange])
        // Its own age and date describe the earlier response.
        confirmed.headers = self.headers.without(["Age", "Date"]).merging(headers.without(unkept))
        confirmed.date = date
        return confirmed
    }
}
