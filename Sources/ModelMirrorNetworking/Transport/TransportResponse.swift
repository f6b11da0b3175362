public import Foundation

/// A response: its head, and the body that is still arriving.
public struct TransportResponse: Sendable {
    /// The status code, 100–599.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// Where the response came from, after redirects.
    public var url: URL
    /// The body, chunk by chunk. It can be read once.
    public var body: ResponseBody
    /// Why the credential that a 401 refuses could not be renewed; see ``AuthenticatingTransport``.
    public var renewalError: (any Error)?
    /// What is known of the transfer so far; complete once the body has ended. nil from a transport that measures nothing.
    public var metrics: @Sendable () -> TransportMetrics? = { nil }

    /// A response.
    public init(status: Int, headers: HTTPHeaders = [:], url: URL, body: ResponseBody = ResponseBody(Data())) {
        self.status = status
        self.headers = headers
        self.url = url
        self.body = body
    }

    /// The length that the head announces, in bytes of the body as it is delivered; nil if there is none to trust, for
    /// example when the body is compressed.
    public var expectedLength: Int64? {
        guard headers["Content-Encoding"] == nil, let text = headers[.contentLength] else { return nil }
        return Int64(text)
    }
}

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
