/// How a transport handles cookies.
public enum CookiePolicy: Sendable, Hashable {
    /// Keeps no cookies and sends only a request's own `Cookie` field, so requests do not depend on earlier ones.
    case none
    /// Keeps cookies in memory for the lifetime of the transport, and sends them to the servers they belong to.
    case session
    /// Shares cookies between all transports with this policy. `CurlTransport` keeps them in memory while the program runs;
    /// ``URLSessionTransport`` uses `HTTPCookieStorage.shared`, together with other parts of the program.
    case shared
}
