public import ModelMirrorFoundation
public import ModelMirrorNetworking

/// Answers for the endpoints and routes of an app.
///
/// ```swift
/// mock.on(Endpoint<User>.get("users/octocat"), .json(#"{"name": "octocat"}"#))
/// mock.on(Router.posts(for: date).in(.test), .status(503))
/// ```
///
/// A request matches an endpoint if it has its method, its path and all its query items; it may have more items, such as a
/// page. Scheme, host and port must be those of an absolute address or the route's environment, otherwise those of the given base
/// URL; without any of these, any host matches, with the path at its root. An endpoint without a valid URL never matches, since
/// its request is never sent.
extension MockTransport {
    /// Answers an endpoint with a response. If several routes match, the one added last answers.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - base: The `baseURL` of the client; nil for the root of any host.
    ///   - response: The response.
    public func on<Value>(_ endpoint: Endpoint<Value>, relativeTo base: URL? = nil, _ response: MockResponse) {
        on(endpoint, relativeTo: base) { _ in response }
    }

    /// Answers an endpoint with the result of a closure. An error it throws fails the request.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - base: The `baseURL` of the client; nil for the root of any host.
    ///   - answer: Returns the response.
    public func on<Value>(
        _ endpoint: Endpoint<Value>, relativeTo base: URL? = nil,
        _ answer: @escaping @Sendable (_ request: MockRequest) async throws -> MockResponse
    ) {
        add(MockRoute(endpoint, relativeTo: base, answer))
    }

    /// Answers a route with a response.
    public func on(_ route: some Route, relativeTo base: URL? = nil, _ response: MockResponse) {
        on(Endpoint<Void>.route(route), relativeTo: base, response)
    }

    /// Answers a route with the result of a closure. An error it throws fails the request.
    public func on(
        _ route: some Route, relativeTo base: URL? = nil,
        _ answer: @escaping @Sendable (_ request: MockRequest) async throws -> MockResponse
    ) {
        on(Endpoint<Void>.route(route), relativeTo: base, answer)
    }

    /// Answers routes with their samples.
    ///
    /// - Parameters:
    ///   - routes: The routes.
    ///   - base: The `baseURL` for routes without an environment; nil for the root of any host.
    public func onSamples(of routes: [some SampledRoute], relativeTo base: URL? = nil) {
        for route in routes { on(route, relativeTo: base, route.sample) }
    }

    /// Answers all routes of an enum with their samples.
    ///
    /// - Parameters:
    ///   - type: The enum.
    ///   - base: The `baseURL` for routes without an environment; nil for the root of any host.
    public func onSamples<Routes: SampledRoute & CaseIterable>(of type: Routes.Type, relativeTo base: URL? = nil) {
        onSamples(of: Array(type.allCases), relativeTo: base)
    }

    /// The number of requests received for an endpoint.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - base: The `baseURL` of the client; nil for the root of any host.
    public func requestCount<Value>(_ endpoint: Endpoint<Value>, relativeTo base: URL? = nil) -> Int {
        count(of: MockRoute(endpoint, relativeTo: base) { _ in .status(200) })
    }

    /// The number of requests received for a route.
    public func requestCount(_ route: some Route, relativeTo base: URL? = nil) -> Int {
        requestCount(Endpoint<Void>.route(route), relativeTo: base)
    }
}

/// A route with a sample response.
///
/// Conform in tests or preview code, so that each route has a sample but the app contains none.
///
/// ```swift
/// extension Router: SampledRoute {
///     var sample: MockResponse {
///         switch self {
///         case .me: .json(#"{"name": "octocat"}"#)
///         case .posts: .json(#"[{"title": "Hello"}]"#)
///         }
///     }
/// }
/// mock.onSamples(of: [Router.me, Router.posts(for: date)])
/// ```
public protocol SampledRoute: Route {
    /// A sample of the server's response.
    var sample: MockResponse { get }
}

/// A route of a ``MockTransport``.
typealias MockRoute = CannedRoute<MockRequest, @Sendable (MockRequest) async throws -> MockResponse>

extension MockRoute {
    init<Value>(
        _ endpoint: Endpoint<Value>, relativeTo base: URL?,
        _ answer: @escaping @Sendable (MockRequest) async throws -> MockResponse
    ) {
        // A host name that RFC 6761 reserves as invalid; it matches any host.
        let anywhere = "any.invalid"
        let client = APIClient(transport: MockTransport(), baseURL: base ?? URL(string: "http://\(anywhere)"))
        let expected: TransportRequest
        do {
            expected = try client.transportRequest(for: endpoint)
        } catch {
            let name = "\(endpoint.address), for which no request can be made (\(error))"
            self.init(method: endpoint.method, name: name, predicate: { _ in false }, answer)
            return
        }
        let isAnywhere = expected.url.host() == anywhere
        let place = isAnywhere ? expected.url.placeInServer : expected.url.absoluteString
        let items = expected.url.items
        let isFor: @Sendable (MockRequest) -> Bool = { request in
            request.url.segments == expected.url.segments && request.queryItems.contains(all: items)
                && (isAnywhere || request.url.origin == expected.url.origin)
        }
        let path = isAnywhere ? expected.url.decodedPath : nil
        self.init(method: expected.method, name: place, path: path, predicate: isFor, answer)
    }
}

extension URL {
    /// The percent-decoded segments of the path; `a%2Fb` is one.
    fileprivate var segments: [String] {
        path(percentEncoded: true).drop { $0 == "/" }.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEscaping.unescaped($0) ?? String($0) }
    }

    /// The percent-decoded items of the query.
    var items: [URLQueryItem] {
        URLComponents(url: self, resolvingAgainstBaseURL: true)?.queryItems ?? []
    }

    fileprivate var placeInServer: String {
        let path = path(percentEncoded: true)
        return (path.isEmpty ? "/" : path) + (query().map { "?\($0)" } ?? "")
    }
}

extension [URLQueryItem] {
    /// Whether each item occurs here at least as often as in `items`.
    fileprivate func contains(all items: [URLQueryItem]) -> Bool {
        var rest = self
        return items.allSatisfy { item in
            guard let index = rest.firstIndex(of: item) else { return false }
            rest.remove(at: index)
            return true
        }
    }
}
