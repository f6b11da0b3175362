public import ModelMirror
public import ModelMirrorFoundation

/// A value and the response it was read from.
///
/// ```swift
/// let response = try await client.response(.get("users/\(name)/gists") as Endpoint<[Gist]>)
/// print(response.status, response.headers["X-RateLimit-Remaining"] ?? "", response.value.count)
/// ```
///
/// `reading:` closures and error hooks get a `Response<Data>`: status, header fields and the bytes of the body.
@dynamicMemberLookup public struct Response<Value> {
    /// The value read from the body.
    public var value: Value
    /// Status, header fields, URL, and what is known of the transfer.
    public var head: ResponseHead

    /// A value and the head of the response that it was read from.
    public init(_ value: Value, head: ResponseHead) {
        self.value = value
        self.head = head
    }

    /// A response, for tests of a `reading:` closure, an error hook or a pagination.
    public init(_ value: Value, method: HTTPMethod = .get, url: URL, status: Int = 200, headers: HTTPHeaders = [:]) {
        self.init(value, head: ResponseHead(method: method, url: url, status: status, headers: headers))
    }

    /// A member of the head.
    public subscript<Member>(dynamicMember path: WritableKeyPath<ResponseHead, Member>) -> Member {
        get { head[keyPath: path] }
        set { head[keyPath: path] = newValue }
    }

    /// A member of the head.
    public subscript<Member>(dynamicMember path: KeyPath<ResponseHead, Member>) -> Member { head[keyPath: path] }
}

extension Response: Sendable where Value: Sendable {}

/// The source of a response.
public enum FetchOrigin: Hashable, Sendable {
    /// The network.
    case network
    /// The store; the date is when the response was requested or last confirmed by the server.
    case store(Date)
    /// The store, after the server confirmed it with a 304.
    case confirmedStore
}

/// A response as a ``Transport`` returns it: its head, and a body that may still be arriving.
public typealias TransportResponse = Response<ResponseBody>

extension TransportResponse {
    /// The response with a value made of its body, which has ended.
    func collected<Other>(_ value: sending Other) -> sending Response<Other> {
        var head = head
        // Otherwise their source would live as long as the response.
        head.metrics = head.metrics
        return Response<Other>(value, head: head)
    }

    /// A response.
    public init(status: Int, headers: HTTPHeaders = [:], url: URL, body: ResponseBody = ResponseBody(Data())) {
        self.init(body, head: ResponseHead(url: url, status: status, headers: headers))
    }

    /// The body, chunk by chunk. It can be read once.
    public var body: ResponseBody {
        get { value }
        set { value = newValue }
    }
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
        guard let found = try? JSONMapper.value(JSONValue.self, from: value, at: path), found != .null else {
            return nil
        }
        return try JSONMapper.value(type, from: value, at: path, options: options)
    }
}
