/// Whether a resource is taken from the store or from the network.
///
/// ```swift
/// try await repository.value(of: gists)                                            // the repository's own policy
/// try await repository.value(of: gists, policy: .cacheElseNetwork.maxAge(.seconds(60)))
/// try await repository.value(of: gists, policy: .networkOnly)
/// ```
///
/// What comes from the network is stored, whichever the policy. Where something is stored, the server is asked with its
/// validators (`If-None-Match`, `If-Modified-Since`), so that it can answer 304 and what is stored serves, whatever its age.
public struct FetchPolicy: Hashable, Sendable {
    /// Who is asked first, and who then.
    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// What is stored, if it is there, young enough and readable; else the network.
        case cacheElseNetwork
        /// The network.
        case networkOnly
        /// The network; what is stored if there is no connection or the server fails with a status from 500 on.
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
}
