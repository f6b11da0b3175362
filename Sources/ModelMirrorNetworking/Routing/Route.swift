public import Foundation

/// One kind of request of an API: an enum of them, or a structure for each.
///
/// An enum with strings needs nothing more: the path is the raw value.
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
///     case create(Gist)              // not Sendable: make `.json(gist)` when the route is made
///     var method: HTTPMethod { … }
///     var path: RoutePath { … "users/\(user)/gists" … }
///     var query: ParameterList { … ["page": …] … }
/// }
/// let gists: [Gist] = try await repository.objects(GistRoute.list(user: "octocat", page: 2))
/// ```
///
/// Every requirement but the path of a route without a raw value has a default. A request is made in this order: URL with
/// ``query``, header fields (the repository's, the environment's, the route's), ``parameters(for:)``, ``prepare(_:)``.
public protocol Route: Sendable {
    /// Where routes of this type may lead; left out, to the base URL of the repository.
    associatedtype Environment: APIEnvironment = RepositoryEnvironment

    /// `GET` if nothing is said.
    var method: HTTPMethod { get }
    /// The path below the environment's or the repository's base.
    var path: RoutePath { get }
    /// What stands in the URL behind the path, whatever the method.
    var query: ParameterList { get }
    /// What is sent: in the body, or in the query, as ``RequestParameters`` says.
    var parameters: RequestParameters? { get }
    /// Header fields of the request.
    var headers: HTTPHeaders { get }
    /// Where the request goes; nil for the repository's base URL.
    var environment: Environment? { get }

    /// The parameters for a request, the last chance to change them; ``parameters`` if nothing is said.
    ///
    /// - Throws: Any error; it ends the request, and nothing is sent.
    func parameters(for request: TransportRequest) throws -> RequestParameters?
    /// Changes the request that is about to be sent; does nothing if nothing is said.
    ///
    /// - Throws: Any error; it ends the request, and nothing is sent.
    func prepare(_ request: inout TransportRequest) throws
}

extension Route {
    /// `GET`
    public var method: HTTPMethod { .get }
    /// Nothing.
    public var query: ParameterList { [:] }
    /// None.
    public var parameters: RequestParameters? { nil }
    /// None.
    public var headers: HTTPHeaders { [:] }
    /// The repository's base URL.
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
    /// - Throws: ``RequestError/invalidURL(_:)``, ``RequestError/invalidRequest(_:)`` for a query that cannot be written.
    public func url(for environment: Environment) throws -> URL { try url(below: environment.baseURL()) }

    /// The request as it is sent.
    ///
    /// - Parameters:
    ///   - base: The repository's base URL, for a route without an environment.
    ///   - defaults: The header fields of the repository.
    /// - Throws: ``RequestError``, and what ``parameters(for:)`` and ``prepare(_:)`` throw.
    public func request(base: URL? = nil, defaults: HTTPHeaders = [:]) throws -> TransportRequest {
        let url = try environment.map { try self.url(for: $0) } ?? url(below: base)
        let fields = defaults.merging(environment?.headers ?? [:]).merging(headers)
        var request = TransportRequest(method, url, headers: fields)
        try parameters(for: request)?.apply(to: &request)
        try prepare(&request)
        return request
    }

    private func url(below base: URL?) throws -> URL {
        var request = TransportRequest(.get, try path.url(relativeTo: base))
        try RequestParameters.query(query).apply(to: &request)
        return request.url
    }
}

extension Route where Self: RawRepresentable, RawValue == String {
    /// The raw value.
    public var path: RoutePath { RoutePath(rawValue) }
}
