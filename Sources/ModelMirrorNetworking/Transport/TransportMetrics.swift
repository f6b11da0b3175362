public import Foundation

/// When the steps of a transfer happened, and how much it carried, as far as a ``Transport`` tells.
///
/// Durations count from ``start``. A transfer that followed redirects tells of its last request, but ``start`` and ``total``
/// span them all.
public struct TransportMetrics: Hashable, Sendable {
    /// When the transfer started.
    public var start: Date?
    /// Until the name of the host was resolved.
    public var nameLookup: Duration?
    /// Until the connection was made.
    public var connect: Duration?
    /// Until the TLS handshake was done.
    public var secureConnect: Duration?
    /// Until the first byte of the response.
    public var firstByte: Duration?
    /// Until the last byte of the response.
    public var total: Duration?
    /// Bytes of the request's body that were sent.
    public var sentBytes: Int64?
    /// Bytes of the response's body that were received, before content codings are decoded where the transport knows.
    public var receivedBytes: Int64?
    /// Whether the connection had been used before.
    public var isReusedConnection: Bool?
    /// The version of HTTP: `1.1`, `2`, `3`.
    public var httpVersion: String?

    /// Metrics of which nothing is known.
    public init() {}
}
