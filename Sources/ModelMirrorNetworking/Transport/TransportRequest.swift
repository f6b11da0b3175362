public import Foundation

/// One request, as a ``Transport`` takes it.
public struct TransportRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// An absolute `http` or `https` URL.
    public var url: URL
    /// The header fields. `Host`, `Content-Length` and `Transfer-Encoding` are the transport's.
    public var headers: HTTPHeaders
    /// What is sent, if anything.
    public var body: HTTPBody?
    /// The longest time without a byte from the server; nil leaves it to the transport. At most ``longestTimeout``: a
    /// longer one is cut to it.
    ///
    /// `CurlTransport` counts from when the request is on its way: a wait for its turn, for its own body or for the reader is
    /// none of it. ``URLSessionTransport`` counts whole seconds, rounded up, and on Linux the wait for a connection, too.
    public var timeout: Duration? {
        didSet { timeout = timeout.map { min($0, TransportRequest.longestTimeout) } }
    }
    /// The longest of all times that reach a transport, 1,000,000,000 seconds: what platforms count in cannot hold the
    /// longest `Duration`.
    public static let longestTimeout: Duration = .seconds(1_000_000_000)
    /// When all of the request has to be over, whether or not there is progress; nil leaves it to the transport.
    ///
    /// It bounds the wait for its turn, redirects, repeats by ``RetryTransport``, the renewal of a credential and the body.
    /// When it passes, the request ends with ``RequestError/ConnectionFailure/Kind/timedOut``. `CurlTransport` ends its
    /// transfer at that moment; ``URLSessionTransport`` does while its response is awaited or read, else when its body is read
    /// next or dropped.
    public var deadline: ContinuousClock.Instant?
    /// Whether the response is read for long, as streams and downloads are. Where a transport limits the requests under way,
    /// it takes no place of others.
    public var isStream = false
    /// What to do on a redirect; nil leaves it to the transport.
    public var redirects: RedirectPolicy?
    /// For whom the request was started; nil until that is bound, by the client or by the first transport that needs it.
    public var identity: TransportIdentity?
    /// The account that the client names, which stands for all that a transport could say.
    package var account: String?
    /// Whether the request may go over an expensive network such as a mobile one, where the platform can tell.
    public var allowsExpensiveNetwork = true
    /// Called as bytes of the body go out, with their count so far and the count of all, if known, where the platform
    /// tells. On no particular queue; the counts never fall but where the body begins anew.
    public var uploadProgress: (@Sendable (_ sent: Int64, _ total: Int64?) -> Void)?

    /// A request.
    public init(_ method: HTTPMethod = .get, _ url: URL, headers: HTTPHeaders = [:], body: HTTPBody? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// What to do on a redirect.
    public enum RedirectPolicy: Sendable, Hashable {
        /// Follow up to so many redirects, by the rules of RFC 9110 section 15.4, then fail. `Authorization`, `Cookie` and
        /// `Proxy-Authorization` are not sent to another origin.
        case follow(limit: Int)
        /// Give the redirect itself as the response.
        case stop
    }
}
