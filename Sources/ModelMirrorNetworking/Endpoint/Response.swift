public import Foundation
public import ModelMirror

/// A value with the response that it was made of.
///
/// ```swift
/// let response = try await client.response(.get("users/\(name)/gists") as Endpoint<[Gist]>)
/// print(response.status, response.headers["X-RateLimit-Remaining"] ?? "", response.value.count)
/// ```
///
/// `Response<Data>` is what `reading:` closures and error hooks get: status, header fields and the bytes of the body.
public struct Response<Value> {
    /// What the body was read as.
    public var value: Value
    /// The method of the request.
    public var method: HTTPMethod
    /// Where the response came from, after redirects.
    public var url: URL
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// Where the response comes from.
    public var origin: FetchOrigin
    /// Why the stored response serves in place of the network's; nil if it does not, or if the policy asks the store first.
    public var fallbackReason: (any Error)?
    /// What the transport measured; nil if it measures nothing, and for a stored response.
    public var metrics: TransportMetrics?

    /// A response, as tests of a `reading:` closure or an error hook make it.
    public init(
        _ value: Value, method: HTTPMethod = .get, url: URL, status: Int = 200, headers: HTTPHeaders = [:],
        origin: FetchOrigin = .network, fallbackReason: (any Error)? = nil, metrics: TransportMetrics? = nil
    ) {
        self.value = value
        self.method = method
        self.url = url
        self.status = status
        self.headers = headers
        self.origin = origin
        self.fallbackReason = fallbackReason
        self.metrics = metrics
    }

    /// The same response with another value.
    func with<Other>(_ value: sending Other) -> sending Response<Other> {
        Response<Other>(
            value, method: method, url: url, status: status, headers: headers, origin: origin,
            fallbackReason: fallbackReason, metrics: metrics)
    }
}

extension Response: Sendable where Value: Sendable {}

/// Where a response comes from.
public enum FetchOrigin: Hashable, Sendable {
    /// From the network.
    case network
    /// From the store, where it has been since the date.
    case store(Date)
    /// From the store, after the server confirmed it by a 304.
    case confirmedStore
}

extension Response where Value == Data {
    /// Reads a value from the body: a model, a `Decodable` structure, whatever a property may be.
    ///
    /// ```swift
    /// struct Refusal: Error, Decodable { var code: Int; var reason: String }
    /// configuration.errorFromResponse = { response in try response.value(Refusal.self, at: "error") }
    /// ```
    ///
    /// - Parameters:
    ///   - path: Leads to the value; by default it is the whole body.
    /// - Returns: nil if the body is no JSON (as the pages of gateways are, or a body that is cut), or if the path leads to
    ///   nothing or `null`.
    /// - Throws: `ModelError` if there is something, and it does not fit.
    public func value<Found>(
        _ type: Found.Type = Found.self, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> Found? {
        try value.valueIfPresent(type, at: path, options: options)
    }
}
