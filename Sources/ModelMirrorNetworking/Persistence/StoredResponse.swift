public import Foundation

/// A response as a ``ModelStore`` keeps it: the bytes that came, when they came, and the validators by which a server is
/// asked whether they still hold.
public struct StoredResponse: Hashable, Sendable {
    /// The status code, 200–299.
    public var status: Int
    /// Where the response came from, after redirects.
    public var url: URL
    /// The header fields, without those of one connection or one message only, and without cookies.
    public var headers: HTTPHeaders
    /// The whole body.
    public var body: Data
    /// When the response came, or was last confirmed by the server.
    public var date: Date

    /// A response to keep.
    public init(status: Int = 200, url: URL, headers: HTTPHeaders = [:], body: Data, date: Date) {
        self.status = status
        self.url = url
        self.headers = headers
        self.body = body
        self.date = date
    }

    /// The validator of RFC 9110 section 8.8.3, as the server sent it, quotes and `W/` included; nil if it sent none.
    package var eTag: String? { headers[.eTag] }

    /// The validator of RFC 9110 section 8.8.2, as the server sent it; nil if it sent none.
    package var lastModified: String? { headers[.lastModified] }

    /// How old the response is. Below zero if it comes from the future, as after the clock was set back.
    ///
    /// At most 9e18 seconds, which a date counts as, too, that is not a number.
    package func age(at now: Date) -> Duration {
        let seconds = now.timeIntervalSince(date)
        // What is stored can have any date; a `Duration` traps on seconds that do not fit.
        return .seconds(seconds.isNaN ? 9e18 : min(max(seconds, -9e18), 9e18))
    }

    /// Whether the response is older than allowed. One as old as that is not yet, and one from the future is not.
    ///
    /// ```swift
    /// stored.isExpired(maxAge: .seconds(60), at: stored.date + 60)  // false
    /// stored.isExpired(maxAge: .seconds(60), at: stored.date + 61)  // true
    /// ```
    ///
    /// - Parameter maxAge: nil: any age is allowed.
    package func isExpired(maxAge: Duration?, at now: Date) -> Bool { maxAge.map { age(at: now) > $0 } ?? false }
}

extension StoredResponse {
    /// The fields that are not kept: those that are about one connection or one message (RFC 9111 section 3.1), what was
    /// undone before the body was handed over, and cookies, which are the cookie storage's.
    static let unkeptFields: Set<HeaderName> = [
        "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", .proxyAuthorization,
        "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Content-Encoding", .contentLength,
        .setCookie, "Set-Cookie2",
    ]

    /// A response that has come whole.
    init(_ head: TransportResponse, body: Data, date: Date) {
        let headers = HTTPHeaders(head.headers.fields.filter { !Self.unkeptFields.contains($0.name) })
        self.init(status: head.status, url: head.url, headers: headers, body: body, date: date)
    }

    /// Whether a 304 can be about this response: one with the tag of another is not (RFC 9111 section 4.3.4). Under that tag,
    /// an old body would be confirmed ever after.
    ///
    /// A server that compresses may send a tag as weak that was strong, so that `W/` makes no difference.
    func canBeConfirmed(by headers: HTTPHeaders) -> Bool {
        guard let old = eTag, let new = headers[.eTag] else { return true }
        return old.trimmingPrefix("W/") == new.trimmingPrefix("W/")
    }

    /// The response that a 304 confirms: with the fields of that, and of the time of that (RFC 9111 section 3.2).
    func confirmed(by headers: HTTPHeaders, at date: Date) -> StoredResponse {
        var confirmed = self
        let unkept = Self.unkeptFields.union([.contentType, .contentRange])
        confirmed.headers = self.headers.merging(HTTPHeaders(headers.fields.filter { !unkept.contains($0.name) }))
        confirmed.date = date
        return confirmed
    }

    /// The response as a transport would give it.
    var response: TransportResponse {
        TransportResponse(status: status, headers: headers, url: url, body: ResponseBody(body))
    }
}
