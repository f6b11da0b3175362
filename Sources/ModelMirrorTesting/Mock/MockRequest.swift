public import ModelMirrorFoundation
public import ModelMirrorNetworking

/// A request received by a ``MockTransport``, with its whole body.
public struct MockRequest: ReceivedRequest {
    /// The request.
    public let request: TransportRequest
    /// The bytes of its body, read from memory, file or chunks; empty for none.
    public let body: Data
    /// The percent-decoded values of the route's `:names` in the path.
    public internal(set) var parameters: [String: String] = [:]

    /// The method.
    public var method: HTTPMethod { request.method }
    /// The URL.
    public var url: URL { request.url }
    /// The header fields.
    public var headers: HTTPHeaders { request.headers }
    /// The percent-decoded path; `/` if it is empty.
    public var path: String { url.decodedPath }
    /// The percent-decoded query items in order.
    public var queryItems: [URLQueryItem] { url.items }
}
