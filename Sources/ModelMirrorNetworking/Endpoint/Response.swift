public import ModelMirror

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value and the response it was read from.
///
/// ```swift
/// let response = try await client.response(.get("users/\(name)/gists") as Endpoint<[Gist]>)
/// print(response.status, response.headers["X-RateLimit-Remaining"] ?? "", response.value.count)
/// ```
///
/// `reading:` closures and error hooks get a `Response<Data>`: status, header fields and the bytes of the body.
public struct Response<Value> {
    /// The value read from the body.
    public var value: Value
    /// The method of the request.
    public var method: HTTPMethod
    /// The URL that answered, after redirects.
    public var url: URL
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// Whether the network or the store supplied the response.
    public var origin: FetchOrigin
    /// The network error that this stored response stands in for; nil if the network did not fail.
    public var fallbackReason: (any Error)?
    /// The transport's measurements; nil if it makes none, and for a stored response.
    public var metrics: TransportMetrics?

    /// The number of attempts, for the errors made from this response.
    var attempts = 1

    /// A response, for tests of a `reading:` closure or an error hook.
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

    /// A value and the head of the response that it was read from.
    init(_ value: Value, of head: TransportResponse, to request: TransportRequest) {
        self.init(
            value, method: request.method, url: head.url, status: head.status, headers: head.headers,
            metrics: head.metrics())
        attempts = head.attempts
    }

    func with<Other>(_ value: sending Other) -> sending Response<Other> {
        var response = Response<Other>(
            value, method: method, url: url, status: status, headers: headers, origin: origin,
            fallbackReason: fallbackReason, metrics: metrics)
        response.attempts = attempts
        return response
    }
}

extension Response {
    /// The request, as mapping errors name it: `GET https://example.com/gists`.
    var source: String { "\(method) \(url.withoutSecrets)" }
}

extension Response: Sendable where Value: Sendable {}

/// The source of a response.
public enum FetchOrigin: Hashable, Sendable {
    /// The network.
    case network
    /// The store; the date is when the response was received or last confirmed by the server.
    case store(Date)
    /// The store, after the server confirmed it with a 304.
    case confirmedStore
}

extension Response where Value == Data {
    /// Reads a value from the body: a model, a `Decodable`, any type a property may have.
    ///
    /// ```swift
    /// struct Refusal: Error, Decodable { var code: Int; var reason: String }
    /// configuration.errorFromResponse = { response in try response.value(Refusal.self, at: "error") }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - path: The path of the value; defaults to the whole body.
    ///   - options: Overrides of the class's options and the defaults.
    /// - Returns: nil if the body is not JSON (a gateway's error page, a truncated body), or if there is nothing or `null` at the
    ///   path.
    /// - Throws: `ModelError` if the value at the path does not fit the type.
    public func value<Found>(
        _ type: Found.Type = Found.self, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> Found? {
        try value.valueIfPresent(type, at: path, options: options)
    }
}
