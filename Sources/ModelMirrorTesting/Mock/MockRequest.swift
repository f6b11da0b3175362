public import Foundation
public import ModelMirror
public import ModelMirrorNetworking

/// A request as a ``MockTransport`` took it, with its whole body.
public struct MockRequest: Sendable {
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
    /// The body as text; nil if it is not UTF-8.
    public var text: String? { String(validating: body, as: UTF8.self) }

    /// The value of the first item of the query with a name; nil without one.
    public func queryValue(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

    /// The body as JSON.
    ///
    /// - Throws: `ModelError.invalidJSON`.
    public func json() throws(ModelError) -> JSONValue { try JSONValue(json: body) }
}

extension URL {
    /// The path without percent-encoding; `/` if it is empty, as it is sent.
    var decodedPath: String {
        let path = path(percentEncoded: false)
        return path.isEmpty ? "/" : path
    }
}
