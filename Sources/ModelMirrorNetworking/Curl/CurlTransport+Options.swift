#if os(Linux)
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CurlTransport {
    /// The options of a ``CurlTransport``.
    ///
    /// ```swift
    /// var options = CurlTransport.Options()
    /// options.timeout = .seconds(20)
    /// options.cookies = .session
    /// let transport = CurlTransport(options)
    /// ```
    public struct Options: Sendable {
        /// The longest time without a byte in either direction, for requests without a timeout of their own. Time in the queue,
        /// or waiting for the request's own body or for its reader, does not count. At most
        /// ``TransportRequest/longestTimeout``; zero or less fails these requests.
        public var timeout: Duration = .seconds(60) {
            didSet { timeout = min(timeout, TransportRequest.longestTimeout) }
        }
        /// The longest time for a whole request, for requests without a ``TransportRequest/deadline``; nil for no limit.
        public var deadline: Duration?
        /// Whether redirects are followed, for requests without a policy of their own.
        public var redirects: TransportRequest.RedirectPolicy = .follow(limit: 20)
        /// How cookies are handled.
        public var cookies: CookiePolicy = .none
        /// The most concurrent requests to one origin (scheme, host and port); others wait, first come, first served. Less than 1
        /// counts as 1, also for the next two limits.
        public var maximumRequestsPerHost = 32
        /// The most concurrent requests in all. Streams are counted apart, with the same limit.
        public var maximumRequests = 256
        /// The most concurrent streams and downloads (``TransportRequest/isStream``) to one origin. They do not count among other
        /// requests.
        public var maximumStreamsPerHost = 32
        /// About how many bytes of a body are held in memory for its reader. Beyond that, the sender is held back.
        public var bodyBufferSize = 1 << 18
        /// The proxy that requests go through.
        public var proxy: Proxy = .environment
        /// Which servers are trusted, and the client's certificate.
        public var tls = TLSOptions()
        /// The account that requests are sent for. Without it, nothing is stored or shared that is sent with cookies or a client
        /// certificate; see ``Transport/identity(for:)``.
        public var account: String?

        /// The default options.
        public init() {}
    }

    /// The proxy that requests go through.
    public enum Proxy: Sendable, Hashable {
        /// The proxy set in the environment: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`.
        case environment
        /// No proxy, whatever the environment says.
        case none
        /// A proxy (`http`, `https`, `socks5`, `socks5h`), with user and password in the URL if it requires them.
        ///
        /// - Parameter except: Hosts to reach without the proxy, including their subdomains.
        case url(URL, except: [String] = [])
    }
}
#endif
