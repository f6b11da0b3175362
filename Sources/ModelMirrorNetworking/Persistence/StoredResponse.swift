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
    /// When the request was sent that brought the response, or the one with which the server last confirmed it.
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
    package func age(at now: Date) -> Duration { Duration(clampingSeconds: now.timeIntervalSince(date)) }

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
    /// are already decoded, with the length of what was coded, and cookies, which belong to the cookie storage.
    static let unkeptFields: Set<HeaderName> = [
        "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", .proxyAuthorization,
        "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Content-Encoding", .setCookie,
        "Set-Cookie2",
    ]

    init(_ response: Response<Data>, date: Date) {
        var unkept = Self.unkeptFields.union(response.headers.names(in: "Connection"))
        if response.headers["Content-Encoding"] != nil { unkept.insert(.contentLength) }
        self.init(
            status: response.status, url: response.url, headers: response.headers.without(unkept), body: response.value,
            date: date)
    }

    /// Whether a 304 confirms this response. One with another ETag does not (RFC 9111 section 4.3.4): storing that tag would keep
    /// confirming an outdated body.
    ///
    /// `W/` is ignored, because a server that compresses may weaken a strong tag.
    func canBeConfirmed(by headers: HTTPHeaders) -> Bool {
        guard let old = eTag, let new = headers[.eTag] else { return true }
        return old.trimmingPrefix("W/") == new.trimmingPrefix("W/")
    }

    /// The response confirmed by a 304 or a HEAD, with its header fields and date (RFC 9111 section 3.2).
    func confirmed(by headers: HTTPHeaders, at date: Date) -> StoredResponse {
        var confirmed = self
        let unkept = Self.unkeptFields.union([.contentType, .contentRange, .contentLength])
        // The age and the date were those of the message before.
        confirmed.headers = self.headers.without(["Age", "Date"]).merging(headers.without(unkept))
        confirmed.date = date
        return confirmed
    }

    /// The request with the validators of this response, unless it is already conditional: then a 304 is the caller's. Only for GET:
    /// except for HEAD, a server answers other methods with 412 instead of 304 (RFC 9110 section 13.1.2).
    func confirmation(of request: TransportRequest) -> TransportRequest? {
        let conditions: [HeaderName] = [
            .ifNoneMatch, .ifModifiedSince, "If-Match", "If-Unmodified-Since", .ifRange, .range,
        ]
        guard request.method == .get, eTag != nil || lastModified != nil,
            conditions.allSatisfy({ request.headers[$0] == nil })
        else { return nil }
        var request = request
        if let eTag { request.headers[.ifNoneMatch] = eTag }
        if let lastModified { request.headers[.ifModifiedSince] = lastModified }
        return request
    }

    var response: TransportResponse {
        TransportResponse(status: status, headers: headers, url: url, body: ResponseBody(body))
    }
}

extension HTTPHeaders {
    fileprivate func without(_ names: Set<HeaderName>) -> HTTPHeaders {
        HTTPHeaders(fields.filter { !names.contains($0.name) })
    }
}

extension Duration {
    /// Seconds clamped to ±9e18, where `Duration` would trap, as for a damaged date; 9e18 for a value that is not a number.
    init(clampingSeconds seconds: Double) { self = .seconds(seconds.isNaN ? 9e18 : min(max(seconds, -9e18), 9e18)) }
}
