public import ModelMirrorFoundation

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
    public enum ResendReason: Sendable {
        /// The server refused it unprocessed (RFC 9113 section 8.7).
        case refused
        /// The connection broke, or held bytes that no request asked for, before the first byte of the request left.
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
        if let own = self.start, let total { metrics.total = total + .seconds(max(own.timeIntervalSince(start), 0)) }
        return metrics
    }
}
