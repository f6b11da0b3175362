#if os(Linux)
import ModelMirror
public import ModelMirrorFoundation

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
        /// requests. A stream that waits for a place longer than its timeout fails.
        public var maximumStreamsPerHost = 256
        /// About how many bytes of a body are held in memory for its reader. Beyond that, the sender is held back; over HTTP/2, libcurl
        /// may hold more. Less than 1 counts as 1.
        public var bodyBufferSize = 1 << 18
        /// The proxy that requests go through.
        public var proxy: Proxy = .environment
        /// Which servers are trusted, and the client's certificate.
        public var tls = TLSOptions()
        /// The `User-Agent` of requests that have none; nil to send none. Defaults to `ModelMirror/VERSION (Linux)`. Some servers, such as
        /// GitHub's, refuse requests without one.
        public var userAgent: String? = "ModelMirror/\(PackageVersion.current) (Linux)"
        /// Called with what a program should know although no request fails, on a queue of the transport; nil to write it to standard
        /// error.
        public var report: (@Sendable (_ incident: Incident) -> Void)?
        /// The account that requests are sent for. Without it, nothing is stored or shared that is sent with a client certificate, or
        /// with cookies while neither the client nor a layer names an account; see ``Transport/identity(for:)``.
        public var account: String?
        var identity: TransportIdentity? { account.map { TransportIdentity.account($0).ofOneName } }
        /// Whether servers without TLS are assumed to speak HTTP/2. For tests.
        var assumesHTTP2 = false
        /// Called on the engine's thread when a connection is ready for a request, of which nothing has been sent. For tests.
        var willSend: (@Sendable () -> Void)?
        /// How long a request waits for a place before it is reported.
        var reportDelay: Duration = .seconds(5)

        /// The default options.
        public init() {}
    }

    /// Requests that have waited for a place for 5 seconds. Reported once until no request of the same kind to the same origin waits.
    public struct Incident: Sendable, Hashable, CustomStringConvertible {
        /// The option that limits them: `maximumStreamsPerHost`, `maximumRequestsPerHost` or `maximumRequests`.
        public let option: String
        /// Its value.
        public let limit: Int
        /// The origin of the requests: `https://example.com:443`.
        public let origin: String
        /// The number of such requests that wait.
        public let waitingCount: Int

        /// One sentence, such as `3 streams wait for a place for https://example.com:443, since the option
        /// maximumStreamsPerHost is 256.`
        public var description: String {
            let kind = option == "maximumStreamsPerHost" ? "stream" : "request"
            return
                "\(waitingCount) \(kind)\(waitingCount == 1 ? " waits" : "s wait") for a place for \(origin), since the option "
                + "\(option) is \(limit)."
        }
    }

    /// The proxy that requests go through.
    public enum Proxy: Sendable, Hashable {
        /// The proxy set in the environment: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`.
        case environment
        /// No proxy, whatever the environment says.
        case none
        /// A proxy (`http`, `https`, `socks5`, `socks5h`), with user and password in the URL if it requires them.
        ///
        /// - Parameter except: Hosts to reach without the proxy, including their subdomains; `host:port` for one port of them.
        case url(URL, except: [String] = [])
    }
}
#endif
