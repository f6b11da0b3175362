#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A response: its head, and a body that may still be arriving.
public struct TransportResponse: Sendable {
    /// The status code. It may be beyond 599, which RFC 9110 section 15 calls invalid.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The URL that answered, after redirects.
    public var url: URL
    /// The body, chunk by chunk. It can be read once.
    public var body: ResponseBody
    /// The number of attempts up to this response, as counted by ``RetryTransport``.
    public var attempts = 1
    /// Why the credential rejected by a 401 could not be renewed; see ``AuthenticatingTransport``.
    public var renewalError: (any Error)?
    /// The measurements so far; complete once the body has ended. Returns nil if there are none yet, or the transport makes none.
    public var metrics: @Sendable () -> TransportMetrics? = { nil }

    /// A response.
    public init(status: Int, headers: HTTPHeaders = [:], url: URL, body: ResponseBody = ResponseBody(Data())) {
        self.status = status
        self.headers = headers
        self.url = url
        self.body = body
    }

    /// The announced length of the body as delivered, in bytes; nil if unknown, for example when the body is compressed.
    public var expectedLength: Int64? {
        guard headers["Content-Encoding"] == nil, let text = headers[.contentLength] else { return nil }
        return Int64(text)
    }
}

/// The times and sizes of a transfer, as far as a ``Transport`` measures them.
///
/// Durations are measured from the start of the request. After redirects they describe the last request, but ``start`` and
/// ``total`` span all of them.
public struct TransportMetrics: Hashable, Sendable {
    /// When the transfer started.
    public var start: Date?
    /// Until the host name was resolved.
    public var nameLookup: Duration?
    /// Until the connection was made.
    public var connect: Duration?
    /// Until the TLS handshake was done.
    public var secureConnect: Duration?
    /// Until the first byte of the response.
    public var firstByte: Duration?
    /// Until the last byte of the response.
    public var total: Duration?
    /// The number of bytes sent of the request's body.
    public var sentBytes: Int64?
    /// The number of bytes received of the response's body, before content decoding if the transport knows it.
    public var receivedBytes: Int64?
    /// Whether the connection had been used before.
    public var isReusedConnection: Bool?
    /// The version of HTTP: `1.1`, `2`, `3`.
    public var httpVersion: String?
    /// How often the transport sent the request again by itself, without the attempts of a ``RetryTransport``. After redirects, that
    /// of the last request.
    public var resendCount: Int?
    /// Why the request was sent again, the last time; nil if it was not.
    public var resendReason: ResendReason?

    /// Why a transport sent a request again.
    public enum ResendReason: String, Hashable, Sendable {
        /// The server refused it unprocessed (RFC 9113 section 8.7).
        case refused
        /// The connection broke before the first byte of the request left.
        case unsent
        /// The connection broke without a response, and the method is idempotent (RFC 9110 section 9.2.2).
        case unanswered
    }

    /// Metrics without measurements.
    public init() {}
}

extension TransportMetrics {
    /// These metrics with an earlier start; the time before the last request is added to the total.
    func since(_ start: Date) -> TransportMetrics {
        var metrics = self
        metrics.start = start
        if let own = self.start, let total {
            metrics.total = total + .seconds(max(own.timeIntervalSince(start), 0))
        }
        return metrics
    }
}
