#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A response as a ``ResponseStore`` keeps it: its bytes, the time it was received, and the validators that ask the server
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
    /// When the response was received, or last confirmed by the server.
    public var date: Date

    /// A response to store.
    public init(status: Int = 200, url: URL, headers: HTTPHeaders = [:], body: Data, date: Date) {
        self.status = status
        self.url = url
        self.headers = headers
        self.body = body
        self.date = date
    }

    /// The entity tag (RFC 9110 section 8.8.3) as sent, with quotes and `W/`; nil if none was sent.
    package var eTag: String? { headers[.eTag] }

    /// The modification date (RFC 9110 section 8.8.2) as sent; nil if none was sent.
    package var lastModified: String? { headers[.lastModified] }

    /// The age of the response, clamped to ±9e18 seconds. Negative for a date in the future, as after the clock was set back;
    /// 9e18 seconds for a date that is not a number.
    package func age(at now: Date) -> Duration {
        let seconds = now.timeIntervalSince(date)
        // A stored file can hold any date; `Duration` traps on seconds that do not fit.
        return .seconds(seconds.isNaN ? 9e18 : min(max(seconds, -9e18), 9e18))
    }

    /// Whether the response is older than allowed. One of exactly the maximum age is not, nor is one from the future.
    ///
    /// ```swift
    /// stored.isExpired(maxAge: .seconds(60), at: stored.date + 60)  // false
    /// stored.isExpired(maxAge: .seconds(60), at: stored.date + 61)  // true
    /// ```
    ///
    /// - Parameter maxAge: The maximum age; nil for any.
    package func isExpired(maxAge: Duration?, at now: Date) -> Bool { maxAge.map { age(at: now) > $0 } ?? false }
}

extension StoredResponse {
    /// The fields that are not stored: those about a single connection or message (RFC 9111 section 3.1), content codings, which
    /// are already decoded, and cookies, which belong to the cookie storage.
    static let unkeptFields: Set<HeaderName> = [
        "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", .proxyAuthorization,
        "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Content-Encoding", .contentLength,
        .setCookie, "Set-Cookie2",
    ]

    init(_ head: ResponseHead, body: Data, date: Date) {
        let headers = HTTPHeaders(head.headers.fields.filter { !Self.unkeptFields.contains($0.name) })
        self.init(status: head.status, url: head.url, headers: headers, body: body, date: date)
    }

    /// Whether a 304 confirms this response. One with another ETag does not (RFC 9111 section 4.3.4): storing that tag would keep
    /// confirming an outdated body.
    ///
    /// `W/` is ignored, because a server that compresses may weaken a strong tag.
    func canBeConfirmed(by headers: HTTPHeaders) -> Bool {
        guard let old = eTag, let new = headers[.eTag] else { return true }
        return old.trimmingPrefix("W/") == new.trimmingPrefix("W/")
    }

    /// The response confirmed by a 304, with its header fields and date (RFC 9111 section 3.2).
    func confirmed(by headers: HTTPHeaders, at date: Date) -> StoredResponse {
        var confirmed = self
        let unkept = Self.unkeptFields.union([.contentType, .contentRange])
        confirmed.headers = self.headers.merging(HTTPHeaders(headers.fields.filter { !unkept.contains($0.name) }))
        confirmed.date = date
        return confirmed
    }

    var response: TransportResponse {
        TransportResponse(status: status, headers: headers, url: url, body: ResponseBody(body))
    }
}
