/// How a transport handles cookies.
///
/// Requests of each account, as named by `APIClient.account`, layers and the transport's options, have cookies of their own, in
/// memory; `shared` and `session` differ for requests without an account: with `session`, each `Authorization` field of their own, or
/// user of the URL, has cookies of its own. Cookies of the least recently used accounts are dropped when there are more than 1,000
/// (`CurlTransport`) or 64 (``URLSessionTransport``).
public enum CookiePolicy: Sendable, Hashable {
    /// Keeps no cookies and sends only a request's own `Cookie` field, so requests do not depend on earlier ones.
    case none
    /// Keeps cookies in memory for the lifetime of the transport, and sends them to the servers they belong to.
    case session
    /// Shares cookies of requests without an account between all transports with this policy. `CurlTransport` keeps them in memory
    /// while the program runs; ``URLSessionTransport`` uses `HTTPCookieStorage.shared`, together with other parts of the program.
    case shared
}
