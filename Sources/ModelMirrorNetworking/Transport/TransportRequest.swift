public import ModelMirrorFoundation

/// A request as a ``Transport`` receives it.
public struct TransportRequest: Sendable, CustomStringConvertible {
    /// The method, the URL and the header fields, each of which begins a line, without the secrets that a log does not show either.
    public var description: String { "\(method) \(secrets.redacted(url))\(secrets.lines(headers))" }

    /// The method.
    public var method: HTTPMethod
    /// An absolute `http` or `https` URL.
    public var url: URL
    /// The header fields. `Host`, `Content-Length` and `Transfer-Encoding` are set by the transport.
    public var headers: HTTPHeaders
    /// The body; nil for none.
    public var body: HTTPBody?
    /// The longest time without a byte in either direction; nil for the transport's default. Values above ``longestTimeout`` are
    /// reduced to it.
    public var timeout: Duration? { didSet { timeout = timeout.map { min($0, TransportRequest.longestTimeout) } } }
    /// The longest timeout, 1,000,000,000 seconds: platform types cannot hold the longest `Duration`.
    public static let longestTimeout: Duration = .seconds(1_000_000_000)
    /// When the whole request must be finished, even if it makes progress; nil for the transport's default.
    ///
    /// It bounds the wait in the queue, redirects, retries by ``RetryTransport``, the renewal of a credential and the body. When it
    /// passes, the request fails with ``RequestError/ConnectionFailure/Kind/timedOut``. `CurlTransport` ends its transfer at
    /// that moment; ``URLSessionTransport`` does so while its response is awaited or read, otherwise when its body is next read
    /// or dropped.
    public var deadline: ContinuousClock.Instant?
    /// The latest deadline of the requests that share this transfer, none of which is ``deadline``; nil once one has none.
    var sharedDeadline: (@Sendable () -> ContinuousClock.Instant?)?
    /// Whether the response stays open, as for streams and downloads. `CurlTransport` does not count these among concurrent
    /// requests, but gives them a limit of their own.
    public var isStream = false
    /// Whether redirects are followed; nil for the transport's default.
    public var redirects: RedirectPolicy?
    /// Which attempt of a ``RetryTransport`` this is, from 1.
    public var attempt = 1
    /// The names of fields and query items that layers added and that distinguish no users beyond ``Transport/identity(for:)``.
    ///
    /// A layer that adds one inserts its name; a response to a request with an undeclared one is neither stored nor shared,
    /// since it may be one user's. Fields that never name a user are exempt: `User-Agent`, `Accept`, `Accept-…`, `Content-…`,
    /// `If-…`, `Range`, `Last-Event-ID`, `Date`, `Cache-Control`, `Pragma`, `Idempotency-Key`, `traceparent`, `tracestate`,
    /// `X-Request-ID`, `X-Correlation-ID`, `b3`, `X-B3-…`. ``AuthenticatingTransport``, and interceptors
    /// with an account or `.none`, declare what they add. Names are compared case-insensitively. Defaults to empty.
    ///
    /// Of the fields named like a credential (`X-Sort-Key`), a redirect to another origin sends only declared ones along, and only
    /// those are shown in logs and recordings.
    ///
    /// ```swift
    /// request.headers["X-Trace"] = id
    /// request.declaredFields.insert("X-Trace")
    /// ```
    public var declaredFields: Set<HeaderName> = []
    /// The values of the fields that the library's layers declared: another layer may replace one without declaring that.
    var declaredValues: [HeaderName: String] = [:]
    /// The account and the sign-ins that the request is bound to; nil until it is bound.
    var binding: RequestBinding?
    /// Collects the layers' sign-ins and names while the request is being bound.
    var draft: RequestBinding.Draft?
    /// One check for each layer with a credential that the request has passed: whether the sign-in has not changed since.
    var signInChecks: [@Sendable () -> Bool] = []
    /// Whether the request may still be sent under the sign-ins of the layers.
    var hasPresentSignIns: Bool { signInChecks.allSatisfy { $0() } }
    /// The credentials that layers added, which ``secrets`` contains.
    package var credentials: Redaction?
    /// The validators of a stored response or partial file, and their origin: redirects send them to no other. Nil without these.
    var validators: (headers: HTTPHeaders, origin: Origin)?
    /// Whether a redirect has led to another origin, where the client certificate is not presented.
    var hasLeftOrigin = false
    /// Whether the request may use an expensive network, such as a cellular one, where the platform can tell. Defaults to true.
    public var allowsExpensiveNetwork = true
    /// Called as the body is sent, with the bytes sent so far and the total if known, where the platform reports progress. Called
    /// on any queue; `sent` decreases only when the body is sent again.
    public var uploadProgress: (@Sendable (_ sent: Int64, _ total: Int64?) -> Void)?

    /// A request.
    public init(_ method: HTTPMethod = .get, _ url: URL, headers: HTTPHeaders = [:], body: HTTPBody? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Whether redirects are followed.
    public enum RedirectPolicy: Sendable, Hashable {
        /// Follows up to this many redirects (RFC 9110 section 15.4), then fails. `Authorization`, `Cookie`,
        /// `Proxy-Authorization`, what layers add for an account and fields named like a credential (`X-API-Key`) are not sent to
        /// another origin, nor are other fields that ``TransportRequest/redirected(status:headers:policy:count:)`` lists.
        case follow(limit: Int)
        /// Returns the redirect itself as the response.
        case stop
    }
}

extension TransportRequest {
    /// Whether a field names no user, whatever its value; see ``declaredFields``.
    static func namesNoUser(_ name: HeaderName) -> Bool {
        anonymousFields.contains(name)
            || ["accept-", "content-", "if-", "x-b3-"].contains(where: name.comparedValue.hasPrefix)
    }

    /// Whether a layer declared a field, with this value where the library knows it.
    func declares(_ field: HTTPHeaders.Field) -> Bool {
        declaredFields.contains(field.name) && declaredValues[field.name].map { $0 == field.value } ?? true
    }

    private static let anonymousFields: Set<HeaderName> = [
        .userAgent, .accept, .range, "Last-Event-ID", "Date", .cacheControl, "Pragma", "Idempotency-Key", "traceparent",
        "tracestate", "X-Request-ID", "X-Correlation-ID", "b3", .wwwAuthenticate, "Proxy-Authenticate",
        "Access-Control-Allow-Credentials",
    ]
}

extension TransportRequest {
    /// A digest of the URL's user and all header fields but `Cache-Control` and `Pragma`, for what must not be given to another request.
    package var fieldDigest: String {
        // These ask for a fresher response, not for another one.
        let fields = headers.without([.cacheControl, "Pragma"]).fields
            .map { ($0.name.description.lowercased(), $0.value) }.sorted { $0 < $1 }
        let user = [url.user() ?? "", url.password() ?? ""]
        // Header fields that are sent contain no line breaks, so different lists make different texts.
        return SHA256Digest(of: (user + fields.map { "\($0.0):\($0.1)" }).joined(separator: "\n")).hexadecimal
    }
}
