public import ModelMirror
public import ModelMirrorFoundation

/// The head of a response: everything but its body.
///
/// One type for what transports return, callers get, errors keep and stores confirm. A ``Response`` has its head's members:
/// `response.status`, `response.headers[.contentType]`.
///
/// Heads of equal responses are equal: what was measured, and the errors kept in a head, are ignored.
public struct ResponseHead: Sendable {
    /// The method of the request.
    public var method: HTTPMethod
    /// The URL that answered, after redirects.
    public var url: URL
    /// The status code. It may be beyond 599, which RFC 9110 section 15 calls invalid.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The number of attempts up to this response, as counted by ``RetryTransport``.
    public var attempts = 1
    /// Why the credential rejected by a 401 could not be renewed; see ``AuthenticatingTransport``.
    public var renewalError: (any Error)?
    /// Whether the network or the store supplied the response.
    public var origin = FetchOrigin.network
    /// The network error that this stored response stands in for; nil if the network did not fail.
    public var fallbackReason: (any Error)?
    /// Whether a redirect that a built-in transport followed led to another URL.
    var isRedirected = false
    /// The account and the sign-ins that the request was bound to.
    var binding: RequestBinding?
    private var measured: @Sendable () -> TransportMetrics? = { nil }

    /// A head.
    public init(method: HTTPMethod = .get, url: URL, status: Int = 200, headers: HTTPHeaders = [:]) {
        self.method = method
        self.url = url
        self.status = status
        self.headers = headers
    }

    /// The transport's measurements so far, complete once the body has ended; nil if it makes none, and for a stored response.
    public var metrics: TransportMetrics? {
        get { measured() }
        set { measured = { newValue } }
    }

    /// Sets the source of ``metrics``, called whenever they are read while the body arrives.
    public mutating func measure(_ metrics: @escaping @Sendable () -> TransportMetrics?) { measured = metrics }

    /// The account the request was sent for; nil before it was sent by a client.
    public var identity: TransportIdentity? { binding?.identity }

    /// The announced length of the body as delivered, in bytes; nil if unknown, for example when the body is compressed, for a 304 and, if
    /// a client sent it, a response to HEAD, which announce a length but have no body.
    public var expectedLength: Int64? {
        guard status != 304, method != .head, headers[.contentEncoding] == nil, let text = headers[.contentLength]
        else { return nil }
        return Int64(text)
    }

    /// The request, as mapping errors name it: `GET https://example.com/gists`.
    var source: String { "\(method) \(url.withoutSecrets)" }
}

extension ResponseHead: Hashable, ComparedByIdentity {
    package var comparedValue: [AnyHashable] { [status, method, url, headers, attempts] }
}
