public import ModelMirror
public import ModelMirrorFoundation

/// A request and the type of its response: method, address, parameters, and how the body is read.
///
/// ```swift
/// let gists = Endpoint<[Gist]>.get("users/\(user)/gists", query: ["page": page, "q": text, "since": since])
/// let added = Endpoint<Gist>.post("gists", parameters: .json(gist))
/// let gone  = Endpoint<Void>.delete("gists/\(id)")
/// let me    = Endpoint<User>.route(Router.me)
/// let next  = Endpoint<[Gist]>.get(.url(link))
/// let count = Endpoint<Int>.get("stats", at: ["data", "count"])
/// let chart = Endpoint<Chart>.get("chart.csv", reading: { try Chart(csv: $0.value) })
/// let stars = Endpoint<Bool>.get("user/starred/\(path: name)", accepting: [204, 404], reading: { $0.status == 204 })
/// ```
///
/// `Value` alone decides how the body is read:
///
/// | `Value` | Body |
/// |---|---|
/// | a model, also a `DynamicTypeModel` | an object at the configuration's `objectKey` |
/// | a scalar, an enum, a `Decodable`: any type a property may have | a value at `objectKey` |
/// | `JSONValue` | a value at `objectKey`; `.null` also for a missing key and an empty body |
/// | an array, a set, a dictionary of these | a collection at `objectsKey` |
/// | an Optional | as its wrapped type; nil for `null`, a missing key and an empty body |
/// | `Data` | the raw bytes, of any content type |
/// | `Data?` | the raw bytes, also `null`; nil for an empty body and, with a path, for `null` and a missing key there |
/// | `Void` | ignored, unless it begins with `{` and an ``Envelope`` is configured, whose status is then read |
/// | any type, with `reading:` | passed to the closure with status and header fields |
///
/// An empty body fails with ``RequestError/emptyBody(_:)`` unless the table allows it. `Endpoint<Any>` and
/// `Endpoint<AbstractModel>` fail before anything is sent.
///
/// The request is built in this order, and later steps win: address, ``query``, header fields (the client's, the
/// environment's, ``headers``), ``parameters``, pagination, the route's `prepare`, ``prepare``. The client then sets its
/// account and what is still unset (timeout, deadline, redirects); after that only transports change the request.
public struct Endpoint<Value>: Sendable {
    /// The HTTP method.
    public var method: HTTPMethod
    /// The path below the base URL of the client or the route's environment, or a whole URL.
    public var address: URLReference
    /// Query items, for any method, appended to those of the address.
    public var query: ParameterList
    /// The parameters in the query or body; see ``RequestParameters``. Nil for none.
    public var parameters: RequestParameters?
    /// Header fields, initially the route's; they replace the client's and the environment's with the same names.
    public var headers: HTTPHeaders
    /// The accepted statuses; nil for the client's ``APIClient/Configuration/acceptedStatus``.
    public var acceptedStatus: Set<Int>?
    /// The path of the value in the body; nil for the configuration's key, `.root` for the whole body.
    public var valuePath: JSONPath?
    /// Changes the request last, for example to sign it. An error it throws fails the request before it is sent.
    public var prepare: (@Sendable (inout TransportRequest) throws -> Void)?

    let reading: BodyReading<Value>
    /// Supplies the environment, the parameters that depend on the request, and `prepare`; nil without a route.
    private var route: (any Route)?
    /// Adds the page to the request of a list.
    var paging: (@Sendable (inout TransportRequest) throws -> Void)?
    /// The binding of a request that this one follows from.
    var earlier: RequestBinding?
}

extension Endpoint {
    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - method: The method, or a string literal such as `"QUERY"`.
    ///   - address: A path below the base URL, or a whole URL.
    ///   - query: Query items.
    ///   - parameters: The parameters in the query or body.
    ///   - headers: Replace the client's fields with the same names.
    ///   - acceptedStatus: The accepted statuses; nil for the client's.
    ///   - path: The path of the value in the body; nil for the configuration's key.
    ///   - reading: Makes the value from the response, in place of the rule for its type. It runs off the main thread, once
    ///     per consumer. The content type is not checked, and no `Accept` for JSON is sent. With a path it gets the bytes of
    ///     the JSON value there.
    public init(
        _ method: HTTPMethod, _ address: URLReference, query: ParameterList = [:], parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], accepting acceptedStatus: Set<Int>? = nil, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) {
        self.init(
            method: method, address: address, query: query, parameters: parameters, headers: headers,
            acceptedStatus: acceptedStatus, valuePath: path, reading: reading.map { .bytes($0) } ?? .standard)
    }

    /// An endpoint described by a route. Members set on the endpoint win over the route's.
    ///
    /// - Parameters:
    ///   - route: Defines method, address, query, parameters, header fields and environment.
    ///   - path: The path of the value in the body; nil for the configuration's key.
    ///   - reading: Makes the value from the response, in place of the rule for its type.
    public static func route(
        _ route: some Route, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) -> Endpoint {
        var endpoint = Endpoint(
            route.method, route.path, query: route.query, headers: route.headers, at: path, reading: reading)
        endpoint.route = route
        return endpoint
    }

    var ignoringBody: Endpoint<Void> { reading(by: .standard, at: nil) }

    /// The same request with another reading.
    func reading<Other>(by reading: BodyReading<Other>, at path: JSONPath?) -> Endpoint<Other> {
        Endpoint<Other>(
            method: method, address: address, query: query, parameters: parameters, headers: headers,
            acceptedStatus: acceptedStatus, valuePath: path, prepare: prepare, reading: reading, route: route,
            paging: paging, earlier: earlier)
    }

    /// The request before any transport changes it.
    ///
    /// - Parameters:
    ///   - base: The URL that relative addresses are appended to, unless the route has an environment.
    ///   - rules: The client's.
    /// - Throws: ``RequestError``, `ModelError` for parameters that cannot be written, errors of the route and ``prepare``.
    func transportRequest(base: URL?, by rules: RequestRules) throws -> TransportRequest {
        let environment: (any APIEnvironment)? = route?.environment
        let url = try address.url(relativeTo: environment.map { try $0.baseURL() } ?? base)
            .addingQuery(query, style: rules.style)
        let fields = rules.headers.merging(environment?.headers ?? [:]).merging(headers)
        var request = TransportRequest(method, url, headers: fields)
        if reading.isJSON, request.headers[.accept] == nil { request.headers[.accept] = "application/json" }
        try (parameters ?? route?.parameters(for: request))?.apply(to: &request, by: rules)
        try paging?(&request)
        try route?.prepare(&request)
        try prepare?(&request)
        return request
    }
}

/// What a client's configuration says of its requests.
package struct RequestRules {
    package var headers: HTTPHeaders = [:]
    /// How arrays and Booleans are written in a query or a form.
    package var style = ParameterStyle()
    /// How values are written in a JSON body.
    package var mapping = MappingOptions()
}

/// One function per verb; the parameters are those of ``Endpoint/init(_:_:query:parameters:headers:accepting:at:reading:)``.
extension Endpoint {
    /// A GET endpoint: `let gists = Endpoint<[Gist]>.get("users/\(user)/gists")`.
    public static func get(
        _ address: URLReference, query: ParameterList = [:], parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], accepting acceptedStatus: Set<Int>? = nil, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) -> Endpoint {
        Endpoint(
            .get, address, query: query, parameters: parameters, headers: headers, accepting: acceptedStatus, at: path,
            reading: reading)
    }

    /// A HEAD endpoint.
    public static func head(
        _ address: URLReference, query: ParameterList = [:], parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], accepting acceptedStatus: Set<Int>? = nil, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) -> Endpoint {
        Endpoint(
            .head, address, query: query, parameters: parameters, headers: headers, accepting: acceptedStatus, at: path,
            reading: reading)
    }

    /// A POST endpoint.
    public static func post(
        _ address: URLReference, query: ParameterList = [:], parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], accepting acceptedStatus: Set<Int>? = nil, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) -> Endpoint {
        Endpoint(
            .post, address, query: query, parameters: parameters, headers: headers, accepting: acceptedStatus, at: path,
            reading: reading)
    }

    /// A PUT endpoint.
    public static func put(
        _ address: URLReference, query: ParameterList = [:], parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], accepting acceptedStatus: Set<Int>? = nil, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) -> Endpoint {
        Endpoint(
            .put, address, query: query, parameters: parameters, headers: headers, accepting: acceptedStatus, at: path,
            reading: reading)
    }

    /// A PATCH endpoint.
    public static func patch(
        _ address: URLReference, query: ParameterList = [:], parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], accepting acceptedStatus: Set<Int>? = nil, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) -> Endpoint {
        Endpoint(
            .patch, address, query: query, parameters: parameters, headers: headers, accepting: acceptedStatus,
            at: path, reading: reading)
    }

    /// A DELETE endpoint.
    public static func delete(
        _ address: URLReference, query: ParameterList = [:], parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], accepting acceptedStatus: Set<Int>? = nil, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) -> Endpoint {
        Endpoint(
            .delete, address, query: query, parameters: parameters, headers: headers, accepting: acceptedStatus,
            at: path, reading: reading)
    }
}
