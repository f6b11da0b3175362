#if !os(Linux) || FoundationNetworking
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionTransport {
    /// How a ``URLSessionTransport`` works.
    ///
    /// ```swift
    /// var options = URLSessionTransport.Options()
    /// options.timeout = .seconds(20)
    /// options.cookies = .session
    /// let transport = URLSessionTransport(options)
    /// ```
    public struct Options: Sendable {
        /// The longest time without a byte from the server, for requests that set none. Rounded up to
        /// whole seconds; zero or less fails every request. The time for which its body waits to be read does not count.
        public var timeout: Duration = .seconds(60) {
            didSet { timeout = min(timeout, TransportRequest.longestTimeout) }
        }
        /// The longest time for all of a request, for requests that have no ``TransportRequest/deadline``; nil for any.
        public var deadline: Duration?
        /// What to do on a redirect, for requests that set nothing.
        public var redirects: TransportRequest.RedirectPolicy = .follow(limit: 20)
        /// How cookies are handled.
        public var cookies: CookiePolicy = .none
        /// For whom the transport sends, where cookies tell: asked whenever that is needed, so that it can follow a session.
        /// Without it, nothing that is sent with cookies other than ``CookiePolicy/none``, a client certificate or a configuration
        /// of your own is stored or shared.
        public var account: (@Sendable () -> TransportIdentity)?
        /// How many requests may be under way to one host and port; others wait until one before has ended. Less than 1
        /// counts as 1.
        public var maximumConnectionsPerHost = 6
        /// About how many bytes of a body are held in memory for its reader. Above them, the sender is held back; on Linux,
        /// where it cannot be, the rest goes to a temporary file.
        public var bodyBufferSize = 1 << 18
        /// The most bytes of one body in a temporary file, on Linux. More end the request with
        /// ``RequestError/bodyTooLarge(limit:)``.
        public var bodySpoolLimit = 1 << 30
        /// Which servers are trusted, and the certificate of the client. Apple platforms only: `URLSession` on Linux has no such
        /// options, so with any of them each request fails there.
        public var tls = TLSOptions()

        /// The values above.
        public init() {}
    }
}

extension URLSessionConfiguration {
    /// The configuration for a transport: nothing is cached, and no credentials are kept.
    static func transport(_ options: URLSessionTransport.Options) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = min(max(options.maximumConnectionsPerHost, 1), Int(Int32.max))
        switch options.cookies {
        case .none: configuration.keepsNoCookies()
        // The storage of an ephemeral configuration is its own, in memory.
        case .session: break
        case .shared: configuration.httpCookieStorage = .shared
        }
        return configuration
    }

    /// A copy of a configuration that was handed in: nothing is cached, and times are bounded.
    static func transport(_ given: URLSessionConfiguration) -> URLSessionConfiguration {
        let configuration = given.copy() as? URLSessionConfiguration ?? .ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = bounded(given.timeoutIntervalForRequest)
        configuration.timeoutIntervalForResource = bounded(given.timeoutIntervalForResource)
        return configuration
    }

    /// Removes the additional header fields and returns them. Were they left to the session, each redirect would take its credentials
    /// along, to whatever server.
    func takeAdditionalFields() -> HTTPHeaders {
        defer { httpAdditionalHeaders = nil }
        var headers = HTTPHeaders()
        for (name, value) in httpAdditionalHeaders ?? [:] { headers.append("\(value)", for: HeaderName("\(name)")) }
        return headers
    }

    /// Keeps and sends no cookies but those of a request's own field.
    func keepsNoCookies() {
        httpCookieStorage = nil
        httpShouldSetCookies = false
        httpCookieAcceptPolicy = .never
    }

    private static func bounded(_ seconds: TimeInterval) -> TimeInterval {
        let limit = TimeInterval(TransportRequest.longestTimeout.components.seconds)
        // Also for what is no number.
        return seconds < limit ? seconds : limit
    }
}
#endif
