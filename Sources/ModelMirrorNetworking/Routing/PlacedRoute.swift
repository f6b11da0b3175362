extension Route {
    /// The route in an environment.
    ///
    /// ```swift
    /// repository.requestObjects(Router.posts(for: date).in(.test)) { getPosts in … }
    /// ```
    public func `in`(_ environment: Environment) -> PlacedRoute<Self> {
        PlacedRoute(route: self, placed: environment)
    }
}

/// A route in an environment, made with ``Route/in(_:)``. All else is the route's.
public struct PlacedRoute<Base: Route>: Route {
    /// The route.
    public let route: Base
    private let placed: Base.Environment

    init(route: Base, placed: Base.Environment) {
        self.route = route
        self.placed = placed
    }

    /// The environment that the route was placed in, even if it says one itself.
    public var environment: Base.Environment? { placed }
    /// The route's.
    public var method: HTTPMethod { route.method }
    /// The route's.
    public var path: RoutePath { route.path }
    /// The route's.
    public var query: ParameterList { route.query }
    /// The route's.
    public var parameters: RequestParameters? { route.parameters }
    /// The route's.
    public var headers: HTTPHeaders { route.headers }
    /// The route's.
    public func parameters(for request: TransportRequest) throws -> RequestParameters? {
        try route.parameters(for: request)
    }
    /// The route's.
    public func prepare(_ request: inout TransportRequest) throws { try route.prepare(&request) }
}

extension PlacedRoute: CustomStringConvertible {
    /// The route and where it is placed: `me in test`.
    public var description: String { "\(route) in \(placed)" }
}
