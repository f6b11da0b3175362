/// Whether a response comes from the store or the network.
///
/// ```swift
/// let gists: [Gist] = try await client.value(.get("gists"))                        // the client's own policy, `.cacheControl`
/// let young: [Gist] = try await client.value(.get("gists"), policy: .cacheElseNetwork.maxAge(.seconds(60)))
/// let fresh: [Gist] = try await client.value(.get("gists"), policy: .networkOnly)
/// ```
///
/// Responses from the network are stored under every policy. If there is a stored response, its validators are sent
/// (`If-None-Match`, `If-Modified-Since`); on a 304 it is served, whatever its age.
///
/// Without a store, every policy uses the network, except `.cacheOnly`, which throws ``FetchError/nothingStored(_:)``.
public struct FetchPolicy: Hashable, Sendable {
    /// The order in which store and network are used.
    package enum Order: String, CaseIterable, Sendable {
        case standard, cacheControl, cacheElseNetwork, networkOnly, networkElseCache, cacheThenNetwork, cacheOnly
    }

    package var order: Order
    /// The maximum age of a stored response; nil for any. An older one counts as absent, but its validators are still sent; so does
    /// one dated over a minute ahead, whose age is unknown. Defaults to nil.
    public var maxAge: Duration?

    package init(_ order: Order, maxAge: Duration? = nil) {
        self.order = order
        self.maxAge = maxAge
    }

    /// The client's ``Persistence/policy`` for GET and HEAD; the network for other methods.
    public static let standard = FetchPolicy(.standard)
    /// The stored response while it is fresh by `Cache-Control`, `Expires` or a tenth of the time since its last change (up to a day),
    /// else the network, which is asked to confirm it. Successful requests with unsafe methods make it stale.
    ///
    /// Directives of the request's own `Cache-Control` count: `no-cache`, `no-store`, `max-age`, `max-stale`, `min-fresh` and
    /// `only-if-cached`, which throws ``FetchError/nothingStored(_:)`` in place of sending. With `stale-if-error` in the response, it
    /// replaces a failed one for as long, as under ``networkElseCache``. `stale-while-revalidate` is not used.
    public static let cacheControl = FetchPolicy(.cacheControl)
    /// The stored response, if it is readable and not too old, otherwise the network: Reactor's `fetch`. Without a ``maxAge``
    /// the server is never asked again.
    public static let cacheElseNetwork = FetchPolicy(.cacheElseNetwork)
    /// The network: Reactor's `fetchFromNetwork`.
    public static let networkOnly = FetchPolicy(.networkOnly)
    /// The network, or the stored response if the network or the server is at fault: no connection, too many redirects, status
    /// 408, 429 or 500 and above, a content type other than JSON, a body that is empty, too large or cannot be mapped. The
    /// reason is in ``ResponseHead/fallbackReason``.
    public static let networkElseCache = FetchPolicy(.networkElseCache)
    /// The stored response at once, and then the network's. Calls with one value return the network's.
    public static let cacheThenNetwork = FetchPolicy(.cacheThenNetwork)
    /// The stored response; nothing is sent.
    public static let cacheOnly = FetchPolicy(.cacheOnly)

    /// The same policy with a maximum age; nil for any age.
    public func maxAge(_ age: Duration?) -> FetchPolicy { FetchPolicy(order, maxAge: age) }

    func resolved(for method: HTTPMethod, by persistence: Persistence?) -> FetchPolicy {
        guard order == .standard else { return self }
        guard let persistence, [.get, .head].contains(method) else { return .networkOnly }
        return maxAge.map { persistence.ownPolicy.maxAge($0) } ?? persistence.ownPolicy
    }
}
