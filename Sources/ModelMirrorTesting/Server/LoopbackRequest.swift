public import Foundation
public import ModelMirrorNetworking

/// A request as a ``LoopbackServer`` took it: whole, with its body.
public struct LoopbackRequest: ReceivedRequest {
    /// The method.
    public let method: HTTPMethod
    /// The target as it was sent, such as `/users/a%20b?page=2`.
    public let target: String
    /// The path without percent-encoding, such as `/users/a b`.
    public let path: String
    /// What followed the `?`, as it was sent; nil without one.
    public let query: String?
    /// The header fields in their order.
    public let headers: HTTPHeaders
    /// The body, without its chunked coding; empty if there was none.
    public let body: Data
    /// The connection that it came on, counted from 1: equal numbers show that a connection was kept alive.
    public let connection: Int
    let isHTTP10: Bool
    /// What stood in the path for the `:names` of the route, without percent-encoding.
    public internal(set) var parameters: [String: String] = [:]

    /// The items of the query in their order, without percent-encoding. A `+` stays a `+`, as in RFC 3986.
    public var queryItems: [URLQueryItem] {
        guard let query, !query.isEmpty else { return [] }
        return query.split(separator: "&", omittingEmptySubsequences: true).map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return URLQueryItem(
                name: parts[0].removingPercentEncoding ?? String(parts[0]),
                value: parts.count == 2 ? parts[1].removingPercentEncoding ?? String(parts[1]) : nil)
        }
    }
}
