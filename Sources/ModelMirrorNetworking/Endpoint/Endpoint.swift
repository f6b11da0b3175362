public import Foundation
public import ModelMirror

/// What is asked for: method, address, what is sent, and the type that the body is read as.
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
/// | a model, also a `DynamicTypeModel` | an object, at the configuration's `objectKey` |
/// | `Int`, `Date`, an enum, `JSONValue`, a `Decodable`: what a property may have | a value, at `objectKey` |
/// | an array, a set, a dictionary of these | at `objectsKey` |
/// | an Optional | as what it wraps; nil for `null`, for a key that is missing, and for an empty body |
/// | `Data` | the raw bytes, of any content type |
/// | `Void` | any body, ignored |
/// | any type, with `reading:` | what the closure makes of status, header fields and bytes |
///
/// An empty body where something has to be is ``RequestError/emptyBody(_:)``. `Endpoint<Any>` and endpoints of `AbstractModel`
/// itself fail before anything is sent.
///
/// The request is made in this order, so that the later one wins: address, ``query``, header fields (the client's, the
/// environment's, the route's, ``headers``), ``parameters``, pagination, the route's `prepare`, ``prepare``. Afterwards only
/// transports change it.
public struct Endpoint<Value>: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// Where it leads, below the base URL of the client or of the route's environment.
    public var address: RoutePath
    /// Items of the URL's query, whatever the method, behind those of the address.
    public var query: ParameterList
    /// What is sent: in the query or in the body, as ``RequestParameters`` says; nil for nothing.
    public var parameters: RequestParameters?
    /// Header fields, in place of the client's and the route's with the same names.
    public var headers: HTTPHeaders
    /// The statuses of success; nil for the client's ``APIClient/Configuration/acceptedStatus``.
    public var acceptedStatus: Set<Int>?
    /// Leads to the value in the body, in place of the configuration's key; `.root`: the whole body.
    public var path: JSONPath?
    /// Changes the request last of all, such as to sign it; what it throws ends the request, and nothing is sent.
    public var prepare: (@Sendable (inout TransportRequest) throws -> Void)?

    let reading: BodyReading<Value>
    /// What of a route no member says: its environment, the parameters that depend on the request, and its `prepare`.
    private var route: (any Route)?

    private init(
        _ method: HTTPMethod, _ address: RoutePath, query: ParameterList, parameters: RequestParameters?,
        headers: HTTPHeaders, accepting acceptedStatus: Set<Int>?, at path: JSONPath?, reading: BodyReading<Value>
    ) {
        self.method = method
        self.address = address
        self.query = query
        self.parameters = parameters
        self.headers = headers
        self.acceptedStatus = acceptedStatus
        self.path = path
        self.reading = reading
    }

    /// An endpoint.
    ///
    /// - Parameters:
    ///   - method: The method; a string literal is one, `"QUERY"`.
    ///   - address: A path below the base URL, or a whole URL.
    ///   - query: Items of the URL's query.
    ///   - parameters: What is sent.
    ///   - headers: In place of the client's fields with the same names.
    ///   - acceptedStatus: The statuses of success; nil for the client's.
    ///   - path: Leads to the value, in place of the configuration's key.
    ///   - reading: Makes the value of the response, in place of what its type says: any decoder. It runs away from the main
    ///     thread, once for each consumer. The content type is not checked, and no `Accept` for JSON is sent. With a path it gets
    ///     the bytes of the JSON value there.
    public init(
        _ method: HTTPMethod, _ address: RoutePath, query: ParameterList = [:], parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], accepting acceptedStatus: Set<Int>? = nil, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) {
        self.init(
            method, address, query: query, parameters: parameters, headers: headers, accepting: acceptedStatus,
            at: path,
            reading: reading.map { .bytes($0) } ?? .standard)
    }

    /// An endpoint that a route describes. Members that are set on the endpoint win over the route's.
    ///
    /// - Parameters:
    ///   - route: Says method, address, query, parameters, header fields and environment.
    ///   - path: Leads to the value, in place of the configuration's key.
    ///   - reading: Makes the value of the response, in place of what its type says.
    public static func route(
        _ route: some Route, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) -> Endpoint {
        var endpoint = Endpoint(
            route.method, route.path, query: route.query, headers: route.headers, at: path, reading: reading)
        endpoint.route = route
        return endpoint
    }

    /// The same request whose body is ignored.
    var ignoringBody: Endpoint<Void> {
        var endpoint = Endpoint<Void>(
            method, address, query: query, parameters: parameters, headers: headers, accepting: acceptedStatus, at: nil,
            reading: .standard)
        endpoint.prepare = prepare
        endpoint.route = route
        return endpoint
    }

    /// The request, before any transport has seen it.
    ///
    /// - Parameters:
    ///   - base: What a relative address is appended to, unless the route has an environment.
    ///   - defaults: Header fields of the client.
    ///   - paging: Makes it a request for a page.
    /// - Throws: ``RequestError``, `ModelError` of parameters that cannot be written, what the route and ``prepare`` throw.
    func transportRequest(
        base: URL?, defaults: HTTPHeaders, paging: (inout TransportRequest) throws -> Void = { _ in }
    ) throws -> TransportRequest {
        let environment: (any APIEnvironment)? = route?.placement
        let url = try address.url(relativeTo: environment.map { try $0.baseURL() } ?? base).addingQuery(query)
        let fields = defaults.merging(environment?.headers ?? [:]).merging(headers)
        var request = TransportRequest(method, url, headers: fields)
        if reading.isJSON, request.headers[.accept] == nil { request.headers[.accept] = "application/json" }
        try (parameters ?? route?.parameters(for: request))?.apply(to: &request)
        try paging(&request)
        try route?.prepare(&request)
        try prepare?(&request)
        return request
    }
}

extension Route {
    fileprivate var placement: (any APIEnvironment)? { environment }
}

/// One function per verb; the parameters are those of ``Endpoint/init(_:_:query:parameters:headers:accepting:at:reading:)``.
extension Endpoint {
    /// A GET: `let gists = Endpoint<[Gist]>.get("users/\(user)/gists")`.
    ///
    /// Parameters as those of ``init(_:_:query:parameters:headers:accepting:at:reading:)``.
    public static func get(
        _ address: RoutePath, query: ParameterList = [:], parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:],
        accepting acceptedStatus: Set<Int>? = nil, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) -> Endpoint {
        Endpoint(
            .get, address, query: query, parameters: parameters, headers: headers, accepting: acceptedStatus, at: path,
            reading: reading)
    }

    /// A HEAD.
    public static func head(
        _ address: RoutePath, query: ParameterList = [:], parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:],
        accepting acceptedStatus: Set<Int>? = nil, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) -> Endpoint {
        Endpoint(
            .head, address, query: query, parameters: parameters, headers: headers, accepting: acceptedStatus, at: path,
            reading: reading)
    }

    /// A POST.
    public static func post(
        _ address: RoutePath, query: ParameterList = [:], parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:],
        accepting acceptedStatus: Set<Int>? = nil, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) -> Endpoint {
        Endpoint(
            .post, address, query: query, parameters: parameters, headers: headers, accepting: acceptedStatus, at: path,
            reading: reading)
    }

    /// A PUT.
    public static func put(
        _ address: RoutePath, query: ParameterList = [:], parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:],
        accepting acceptedStatus: Set<Int>? = nil, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) -> Endpoint {
        Endpoint(
            .put, address, query: query, parameters: parameters, headers: headers, accepting: acceptedStatus, at: path,
            reading: reading)
    }

    /// A PATCH.
    public static func patch(
        _ address: RoutePath, query: ParameterList = [:], parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:],
        accepting acceptedStatus: Set<Int>? = nil, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) -> Endpoint {
        Endpoint(
            .patch, address, query: query, parameters: parameters, headers: headers, accepting: acceptedStatus,
            at: path,
            reading: reading)
    }

    /// A DELETE.
    public static func delete(
        _ address: RoutePath, query: ParameterList = [:], parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:],
        accepting acceptedStatus: Set<Int>? = nil, at path: JSONPath? = nil,
        reading: (@Sendable (Response<Data>) throws -> sending Value)? = nil
    ) -> Endpoint {
        Endpoint(
            .delete, address, query: query, parameters: parameters, headers: headers, accepting: acceptedStatus,
            at: path,
            reading: reading)
    }
}
