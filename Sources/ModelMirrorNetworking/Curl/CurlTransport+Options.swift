#if os(Linux)
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CurlTransport {
    /// How a ``CurlTransport`` works.
    ///
    /// ```swift
    /// var options = CurlTransport.Options()
    /// options.timeout = .seconds(20)
    /// options.cookies = .session
    /// let transport = CurlTransport(options)
    /// ```
    public struct Options: Sendable {
        /// The longest time without progress, for requests that have no timeout of their own: from when a request is on its
        /// way, without a byte in either direction. The time for which it waits for its turn, for its own body, or for its
        /// reader does not count. At most ``TransportRequest/longestTimeout``; zero or less fails every request.
        public var timeout: Duration = .seconds(60) {
            didSet { timeout = min(timeout, TransportRequest.longestTimeout) }
        }
        /// The longest time for all of a request, for requests that have no ``TransportRequest/deadline``; nil for any.
        public var deadline: Duration?
        /// What to do on a redirect, for requests that have no policy of their own.
        public var redirects: TransportRequest.RedirectPolicy = .follow(limit: 20)
        /// How cookies are handled.
        public var cookies: CookiePolicy = .none
        /// How many requests may be under way to one origin (scheme, host and port); others wait, first come, first served. Less
        /// than 1 counts as 1, for all of these limits.
        public var maximumRequestsPerHost = 32
        /// How many requests may be under way in all.
        public var maximumRequests = 256
        /// How many streams and downloads (``TransportRequest/isStream``) may be under way to one origin. They take no place of
        /// other requests.
        public var maximumStreamsPerHost = 32
        /// About how many bytes of a body are held in memory for its reader. Above them, the sender is held back.
        public var bodyBufferSize = 1 << 18
        /// The way to the servers.
        public var proxy: Proxy = .environment
        /// Which servers are trusted, and the certificate of the client.
        public var tls = TLSOptions()
        /// For whom this transport asks, where the options cannot say: with a client certificate, or with cookies. See
        /// ``Transport/identity(for:)``.
        public var account: String?

        /// The values above.
        public init() {}
    }

    /// The way to the servers.
    public enum Proxy: Sendable, Hashable {
        /// As the environment says: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`.
        case environment
        /// Straight to the servers, whatever the environment says.
        case none
        /// Over a proxy (`http`, `https`, `socks5`, `socks5h`), with its user and password in the URL if it asks for them.
        ///
        /// - Parameter except: Hosts to be asked without it; with them, all hosts below them.
        case url(URL, except: [String] = [])
    }
}
#endif
