#if !os(Linux) || FoundationNetworking
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionTransport {
    /// The options of a ``URLSessionTransport``.
    ///
    /// ```swift
    /// var options = URLSessionTransport.Options()
    /// options.timeout = .seconds(20)
    /// options.cookies = .session
    /// let transport = URLSessionTransport(options)
    /// ```
    public struct Options: Sendable {
        /// The longest time without a byte from the server, for requests without a timeout of their own. Rounded up to whole
        /// seconds; zero or less fails these requests. Time that the body waits to be read does not count.
        public var timeout: Duration = .seconds(60) {
            didSet { timeout = min(timeout, TransportRequest.longestTimeout) }
        }
        /// The longest time for a whole request, for requests without a ``TransportRequest/deadline``; nil for no limit.
        public var deadline: Duration?
        /// Whether redirects are followed, for requests without a policy of their own.
        public var redirects: TransportRequest.RedirectPolicy = .follow(limit: 20)
        /// How cookies are handled.
        public var cookies: CookiePolicy = .none
        /// The account that requests are sent for. Called whenever it is needed, on any thread, so that it can follow a session.
        /// Without it, nothing is stored or shared that is sent with a client certificate, a configuration of your own, or cookies
        /// while neither the client nor a layer names an account.
        public var account: (@Sendable () -> TransportIdentity)?
        var identity: TransportIdentity? { account?().ofOneName }
        /// The most simultaneous connections to one host and port; further requests wait for one. Less than 1 counts as 1.
        public var maximumConnectionsPerHost = 6
        /// About how many bytes of a body are held in memory for its reader. Beyond that, the sender is held back; on Linux,
        /// where that is impossible, the rest goes to a temporary file. Less than 1 counts as 1.
        public var bodyBufferSize = 1 << 18
        /// The most unread bytes of one body in a temporary file, on Linux. More fail the request with
        /// ``RequestError/bodyTooLarge(limit:)``.
        public var bodySpoolLimit = 1 << 30
        /// Which servers are trusted, and the client's certificate. Apple platforms only: `URLSession` on Linux has no such
        /// options, so with any value but the default every request fails there.
        public var tls = TLSOptions()

        /// The default options.
        public init() {}
    }
}

extension URLSessionConfiguration {
    /// The configuration for a transport: nothing is cached, and no credentials are kept.
    static func transport(_ options: URLSessionTransport.Options) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.transport(.ephemeral)
        configuration.urlCredentialStorage = nil
        // Each request has its own timeout, which Apple platforms follow only up to the session's; a stream would end after 7 days.
        configuration.timeoutIntervalForRequest = bounded(.infinity)
        configuration.timeoutIntervalForResource = bounded(.infinity)
        configuration.httpMaximumConnectionsPerHost = min(max(options.maximumConnectionsPerHost, 1), Int(Int32.max))
        switch options.cookies {
        case .none: configuration.keepsNoCookies()
        // The storage of an ephemeral configuration is its own, in memory.
        case .session: break
        case .shared: configuration.httpCookieStorage = .shared
        }
        return configuration
    }

    /// A copy of a user's configuration: nothing is cached, and timeouts are bounded.
    static func transport(_ given: URLSessionConfiguration) -> URLSessionConfiguration {
        let configuration = given.copy() as? URLSessionConfiguration ?? .ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = bounded(given.timeoutIntervalForRequest)
        configuration.timeoutIntervalForResource = bounded(given.timeoutIntervalForResource)
        return configuration
    }

    /// Removes the additional header fields and returns them. The session would send their credentials along with every redirect,
    /// to any server.
    func takeAdditionalFields() -> HTTPHeaders {
        defer { httpAdditionalHeaders = nil }
        var headers = HTTPHeaders()
        for (name, value) in httpAdditionalHeaders ?? [:] { headers[HeaderName("\(name)")] = "\(value)" }
        return headers
    }

    /// Keeps no cookies, and sends only a request's own `Cookie` field.
    func keepsNoCookies() {
        httpCookieStorage = nil
        httpShouldSetCookies = false
        httpCookieAcceptPolicy = .never
    }

    private static func bounded(_ seconds: TimeInterval) -> TimeInterval {
        let limit = TimeInterval(TransportRequest.longestTimeout.components.seconds)
        // NaN becomes the limit, too.
        return seconds < limit ? seconds : limit
    }
}
#endif
