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
