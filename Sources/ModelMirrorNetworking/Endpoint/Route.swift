public import ModelMirrorFoundation

/// A request of an API, described by its parts: an enum with a case per request, or a structure for each.
///
/// A string enum needs no members: the path is the raw value.
///
/// ```swift
/// enum Router: String, Route {
///     typealias Environment = Server
///     case me, settings
/// }
/// try Router.me.url(for: .live)      // https://api.example.com/me
///
/// enum GistRoute: Route {
///     case list(user: String, page: Int)
///     case create(RequestParameters) // `.json(gist)`, made with the route: a model is not Sendable
///     var method: HTTPMethod { … }
///     var path: URLReference { … "users/\(user)/gists" … }
///     var query: ParameterList { … ["page": …] … }
/// }
/// let gists: [Gist] = try await client.value(.route(GistRoute.list(user: "octocat", page: 2)))
/// ```
///
/// Every requirement has a default, except the path of a route without a raw value. ``Endpoint`` documents the order in
/// which they shape the request.
public protocol Route: Sendable {
    /// The environments of these routes. Defaults to the base URL of the client.
    associatedtype Environment: APIEnvironment = ClientEnvironment

    /// Defaults to `GET`.
    var method: HTTPMethod { get }
    /// The path below the environment's or the client's base URL.
    var path: URLReference { get }
    /// Query items, for any method. Defaults to none.
    var query: ParameterList { get }
    /// The parameters in the query or body; see ``RequestParameters``. Defaults to none.
    var parameters: RequestParameters? { get }
    /// Header fields. Defaults to none.
    var headers: HTTPHeaders { get }
    /// The environment of this request. Defaults to nil, the client's base URL.
    var environment: Environment? { get }

    /// The parameters, for a request whose URL and header fields are known. Defaults to ``parameters``.
    ///
    /// - Throws: Any error; the request fails with it before it is sent.
    func parameters(for request: TransportRequest) throws -> RequestParameters?
    /// Changes the finished request, for example to sign it. Defaults to no change.
    ///
    /// - Throws: Any error; the request fails with it before it is sent.
    func prepare(_ request: inout TransportRequest) throws
}

extension Route {
    /// `GET`
    public var method: HTTPMethod { .get }
    /// None.
    public var query: ParameterList { [:] }
    /// None.
    public var parameters: RequestParameters? { nil }
    /// None.
    public var headers: HTTPHeaders { [:] }
    /// The client's base URL.
    public var environment: Environment? { nil }

    /// ``parameters``
    public func parameters(for request: TransportRequest) throws -> RequestParameters? { parameters }
    /// Does nothing.
    public func prepare(_ request: inout TransportRequest) throws {}

    /// The URL in an environment, with ``query``.
    ///
    /// ```swift
    /// try Router.me.url(for: .live)
    /// ```
    ///
    /// - Throws: ``RequestError/invalidURL(_:)``; ``RequestError/invalidRequest(_:)`` for a path that is refused or a query
    ///   that cannot be written.
    public func url(for environment: Environment) throws -> URL {
        try path.url(relativeTo: environment.baseURL()).addingQuery(query)
    }
}

extension Route where Self: RawRepresentable, RawValue == String {
    /// The raw value.
    public var path: URLReference { URLReference(verbatim: rawValue) }
}

extension Route {
    /// The route in an environment.
    ///
    /// ```swift
    /// let posts: [Post] = try await client.value(.route(Router.posts(for: date).in(.test)))
    /// ```
    public func `in`(_ environment: Environment) -> some Route { PlacedRoute(route: self, placed: environment) }
}

/// A route with a fixed environment; everything else is forwarded to the route.
struct PlacedRoute<Base: Route>: Route {
    let route: Base
    let placed: Base.Environment

    var environment: Base.Environment? { placed }
    var method: HTTPMethod { route.method }
    var path: URLReference { route.path }
    var query: ParameterList { route.query }
    var parameters: RequestParameters? { route.parameters }
    var headers: HTTPHeaders { route.headers }
    func parameters(for request: TransportRequest) throws -> RequestParameters? { try route.parameters(for: request) }
    func prepare(_ request: inout TransportRequest) throws { try route.prepare(&request) }
}

extension PlacedRoute: CustomStringConvertible {
    /// The route and its environment: `me in test`.
    var description: String { "\(route) in \(placed)" }
}
