/// Whether a response comes from the store or from the network.
///
/// ```swift
/// let gists: [Gist] = try await client.value(.get("gists"))                        // the client's own policy
/// let young: [Gist] = try await client.value(.get("gists"), policy: .cacheElseNetwork.maxAge(.seconds(60)))
/// let fresh: [Gist] = try await client.value(.get("gists"), policy: .networkOnly)
/// ```
///
/// What comes from the network is stored, whichever the policy. Where something is stored, the server is asked with its
/// validators (`If-None-Match`, `If-Modified-Since`), so that it can answer 304 and what is stored serves, whatever its age.
///
/// Without a store, every policy asks the network, but `.cacheOnly`, which throws ``FetchError/nothingStored(_:)``.
public struct FetchPolicy: Hashable, Sendable {
    /// Who is asked first, and who then.
    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// The policy of the client's ``Persistence/policy`` for GET and HEAD; the network for other methods.
        case standard
        /// What is stored, if it is there, young enough and readable; else the network.
        case cacheElseNetwork
        /// The network.
        case networkOnly
        /// The network; what is stored if the network or the server is at fault: no connection, too many redirects, a status of 408,
        /// 429 or from 500 on, another content type than JSON, a body that is empty, too large or does not map. The response's
        /// ``Response/fallbackReason`` says why.
        case networkElseCache
        /// What is stored at once, and the network after it. Calls that give one value give the network's.
        case cacheThenNetwork
        /// What is stored; nothing is sent.
        case cacheOnly
    }

    /// Who is asked first, and who then.
    public var order: Order
    /// The greatest age at which what is stored is used; nil: any. What is older counts as not there, but its validators are
    /// still sent. A date in the future is not too old.
    public var maxAge: Duration?

    /// A policy.
    public init(_ order: Order, maxAge: Duration? = nil) {
        self.order = order
        self.maxAge = maxAge
    }

    /// The client's own policy for GET and HEAD, the network for other methods.
    public static let standard = FetchPolicy(.standard)
    /// What is stored, else the network: Reactor's `fetch`.
    public static let cacheElseNetwork = FetchPolicy(.cacheElseNetwork)
    /// The network: Reactor's `fetchFromNetwork`.
    public static let networkOnly = FetchPolicy(.networkOnly)
    /// The network, else what is stored.
    public static let networkElseCache = FetchPolicy(.networkElseCache)
    /// What is stored, and then the network.
    public static let cacheThenNetwork = FetchPolicy(.cacheThenNetwork)
    /// What is stored.
    public static let cacheOnly = FetchPolicy(.cacheOnly)

    /// The same policy with a greatest age.
    public func maxAge(_ age: Duration?) -> FetchPolicy { FetchPolicy(order, maxAge: age) }

    /// The policy that a request follows.
    func resolved(for request: TransportRequest, by persistence: Persistence?) -> FetchPolicy {
        guard order == .standard else { return self }
        guard let persistence, [.get, .head].contains(request.method) else { return .networkOnly }
        let own = persistence.policy.order == .standard ? .cacheElseNetwork : persistence.policy
        return maxAge.map { own.maxAge($0) } ?? own
    }
}
