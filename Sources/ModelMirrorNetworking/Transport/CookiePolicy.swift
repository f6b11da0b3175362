/// How a transport handles cookies.
public enum CookiePolicy: Sendable, Hashable {
    /// None are kept, and none are sent but those in a request's own `Cookie` field: requests do not depend on those
    /// before them.
    case none
    /// They are kept in memory for as long as the transport, and sent to whom they belong.
    case session
    /// They are kept for all transports with this policy. `CurlTransport` keeps them in memory for as long as the program
    /// runs, ``URLSessionTransport`` in `HTTPCookieStorage.shared`, together with those of other parts of the program.
    case shared
}
