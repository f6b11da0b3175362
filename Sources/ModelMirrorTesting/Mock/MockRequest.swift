public import Foundation
public import ModelMirrorNetworking

/// A request as a ``MockTransport`` took it, with its whole body.
public struct MockRequest: ReceivedRequest {
    /// The request.
    public let request: TransportRequest
    /// The bytes of its body, read from memory, file or chunks; empty if there is none.
    public let body: Data
    /// What stood in the path for the `:names` of the route, without percent-encoding.
    public internal(set) var parameters: [String: String] = [:]

    /// The method.
    public var method: HTTPMethod { request.method }
    /// The URL.
    public var url: URL { request.url }
    /// The header fields.
    public var headers: HTTPHeaders { request.headers }
    /// The path of the URL without percent-encoding; `/` if it is empty.
    public var path: String { url.decodedPath }
    /// The items of the query in their order, without percent-encoding.
    public var queryItems: [URLQueryItem] {
        URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    }
}
