public import ModelMirrorFoundation
public import ModelMirrorNetworking

/// A request received by a ``LoopbackServer``, with its whole body.
public struct LoopbackRequest: ReceivedRequest {
    /// The method.
    public let method: HTTPMethod
    /// The target as sent, such as `/users/a%20b?page=2`.
    public let target: String
    /// The percent-decoded path, such as `/users/a b`.
    public let path: String
    /// The text after the `?`, as sent; nil without one.
    public let query: String?
    /// The header fields in order.
    public let headers: HTTPHeaders
    /// The body, with any chunked coding removed; empty for none.
    public let body: Data
    /// The number of its connection, from 1: equal numbers show that a connection was reused.
    public let connection: Int
    let isHTTP10: Bool
    /// The percent-decoded values of the route's `:names` in the path.
    public internal(set) var parameters: [String: String] = [:]

    /// The percent-decoded query items in order. A `+` stays a `+`, as in RFC 3986.
    public var queryItems: [URLQueryItem] {
        guard let query, !query.isEmpty else { return [] }
        return query.split(separator: "&", omittingEmptySubsequences: true).map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return URLQueryItem(
                name: PercentEscaping.unescaped(parts[0]) ?? String(parts[0]),
                value: parts.count == 2 ? PercentEscaping.unescaped(parts[1]) ?? String(parts[1]) : nil)
        }
    }
}
