#if !os(Linux) || FoundationNetworking
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if canImport(Security)
public import Security
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
        /// Without it, nothing that is sent with ``CookiePolicy/session`` or ``CookiePolicy/shared`` is stored or shared.
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

        #if canImport(Security)
        /// Judges the certificates of servers, beyond what the system does; nil leaves it to the system. On Apple platforms
        /// only: FoundationNetworking does not ask.
        public var serverTrust: ServerTrustJudge?
        #endif

        /// The values above.
        public init() {}
    }

    #if canImport(Security)
    /// Judges the certificates of a server, on a queue of the system.
    public typealias ServerTrustJudge = @Sendable (_ trust: SecTrust, _ host: String) -> ServerTrustDecision

    /// What to do about the certificates of a server.
    public enum ServerTrustDecision: Sendable {
        /// Let the system decide.
        case leaveToSystem
        /// Trust them, whatever the system thinks.
        case accept
        /// End the request with ``RequestError/ConnectionFailure/Kind/notSecure``.
        case refuse
    }
    #endif
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
