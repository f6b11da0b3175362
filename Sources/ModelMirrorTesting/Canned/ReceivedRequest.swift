public import ModelMirror
public import ModelMirrorFoundation
public import ModelMirrorNetworking

/// A request received by a test server: the common part of ``MockRequest`` and ``LoopbackRequest``.
public protocol ReceivedRequest: Sendable {
    /// The method.
    var method: HTTPMethod { get }
    /// The percent-decoded path; `/` if it is empty.
    var path: String { get }
    /// The header fields in order.
    var headers: HTTPHeaders { get }
    /// The bytes of the body; empty for none.
    var body: Data { get }
    /// The percent-decoded query items in order.
    var queryItems: [URLQueryItem] { get }
}

extension ReceivedRequest {
    /// The body as text; nil if it is not UTF-8.
    public var text: String? { String(validating: body, as: UTF8.self) }

    /// The value of the first query item with a name; nil if there is no such item or it has no value.
    public func queryValue(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

    /// The body as JSON.
    ///
    /// - Throws: `ModelError.invalidJSON`.
    public func json() throws(ModelError) -> JSONValue { try JSONValue(json: body) }
}

extension HTTPBody {
    /// All bytes of the body, as a transport would send them.
    ///
    /// - Parameters:
    ///   - limit: The largest body in bytes.
    ///   - progress: Called with the number of bytes so far and the total, if known.
    /// - Throws: `RequestError.invalidRequest` for a body that cannot be made or read, differs from its declared length
    ///   or exceeds the limit; `.cancelled`.
    func collect(
        limit: Int = .max, progress: (Int, Int?) -> Void = { _, _ in }
    ) async throws(RequestError) -> Data {
        let body = try measured()
        var collected = Data()
        for try await chunk in body {
            guard chunk.count <= limit - collected.count else {
                throw .invalidRequest("the body is larger than the limit of \(limit.bytes)")
            }
            collected.append(chunk)
            progress(collected.count, body.length)
        }
        return collected
    }
}

extension URL {
    /// The percent-decoded path; `/` if it is empty, which is what is sent.
    var decodedPath: String {
        let path = path(percentEncoded: false)
        return path.isEmpty ? "/" : path
    }

    /// Scheme, host and port in lower case; the port only if it is not the scheme's.
    var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        let host = host(percentEncoded: false)?.lowercased() ?? ""
        // An IPv6 address is in brackets in a URL, and its host is without them.
        let place = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        guard let port, port != (scheme == "https" ? 443 : 80) else { return "\(scheme)://\(place)" }
        return "\(scheme)://\(place):\(port)"
    }
}
