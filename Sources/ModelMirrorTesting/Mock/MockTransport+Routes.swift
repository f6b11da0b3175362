public import Foundation
public import ModelMirrorNetworking

/// Answers to the routes of an app.
///
/// ```swift
/// mock.on(Router.me, .json(#"{"name": "octocat"}"#))
/// mock.on(Router.posts(for: date).in(.test), .status(503))
/// ```
///
/// A request is for a route if it has its method, its path, and all items of its query; it may have more, such as the page of a
/// list. Scheme, host and port must be those of the environment, if the route says one, or else of the base URL that is given
/// here; without either, the route is expected at the root of any host. A route that makes no URL is answered to by nothing,
/// since the request for it is never sent.
extension MockTransport {
    /// Answers a route with a response. The last route that fits a request answers it.
    ///
    /// - Parameters:
    ///   - route: Whom the request is to ask.
    ///   - base: Where a route without an environment leads: the `baseURL` of the repository; nil: to the root of any host.
    ///   - response: The response.
    public func on(_ route: some Route, relativeTo base: URL? = nil, _ response: MockResponse) {
        on(route, relativeTo: base) { _ in response }
    }

    /// Answers a route with what a closure gives. What it throws is what the request fails with.
    ///
    /// - Parameters:
    ///   - route: Whom the request is to ask.
    ///   - base: Where a route without an environment leads: the `baseURL` of the repository; nil: to the root of any host.
    ///   - answer: Gives the response.
    public func on(
        _ route: some Route, relativeTo base: URL? = nil,
        _ answer: @escaping @Sendable (_ request: MockRequest) async throws -> MockResponse
    ) {
        add(MockRoute(route, relativeTo: base, answer))
    }

    /// Answers routes with their samples.
    ///
    /// - Parameters:
    ///   - routes: The routes.
    ///   - base: Where routes without an environment lead: the `baseURL` of the repository; nil: to the root of any host.
    public func onSamples(of routes: [some SampledRoute], relativeTo base: URL? = nil) {
        for route in routes { on(route, relativeTo: base, route.sample) }
    }

    /// Answers all routes of an enum with their samples.
    ///
    /// - Parameters:
    ///   - type: The enum.
    ///   - base: Where routes without an environment lead: the `baseURL` of the repository; nil: to the root of any host.
    public func onSamples<Routes: SampledRoute & CaseIterable>(of type: Routes.Type, relativeTo base: URL? = nil) {
        onSamples(of: Array(type.allCases), relativeTo: base)
    }

    /// How many requests came for a route.
    ///
    /// - Parameters:
    ///   - route: Whom the requests were to ask.
    ///   - base: Where a route without an environment leads: the `baseURL` of the repository; nil: to the root of any host.
    public func requestCount(_ route: some Route, relativeTo base: URL? = nil) -> Int {
        let route = MockRoute(route, relativeTo: base) { _ in .status(200) }
        return requests.filter { route.parameters(in: $0, method: $0.method, origin: $0.url.origin) != nil }.count
    }
}

/// A route with a sample of what the server answers.
///
/// The conformance belongs into the tests, or into what previews use: so the samples are beside the routes, and not in the app.
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
    /// What the server answers, for example.
    var sample: MockResponse { get }
}

/// A route of a ``MockTransport``.
typealias MockRoute = CannedRoute<MockRequest, @Sendable (MockRequest) async throws -> MockResponse>

extension MockRoute {
    /// A route of an app.
    init(
        _ route: some Route, relativeTo base: URL?,
        _ answer: @escaping @Sendable (MockRequest) async throws -> MockResponse
    ) {
        let isAnywhere = route.environment == nil && base == nil
        // The host of RFC 6761 that never is one: it stands for any.
        let root = base ?? URL(string: "http://any.invalid")
        guard let expected = try? route.request(base: root) else {
            self.init(method: route.method, name: "\(route), which makes no URL", predicate: { _ in false }, answer)
            return
        }
        let place = isAnywhere ? expected.url.placeInServer : expected.url.absoluteString
        let items = expected.url.items
        let isFor: @Sendable (MockRequest) -> Bool = { request in
            request.url.segments == expected.url.segments && request.url.items.contains(all: items)
                && (isAnywhere || request.url.origin == expected.url.origin)
        }
        self.init(method: expected.method, name: place, predicate: isFor, answer)
    }
}

extension URL {
    /// The segments of the path without percent-encoding, so that `a%2Fb` is one.
    fileprivate var segments: [String] {
        path(percentEncoded: true).drop { $0 == "/" }.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.removingPercentEncoding ?? String($0) }
    }

    /// The items of the query.
    fileprivate var items: [URLQueryItem] {
        URLComponents(url: self, resolvingAgainstBaseURL: true)?.queryItems ?? []
    }

    /// Path and query.
    fileprivate var placeInServer: String {
        let path = path(percentEncoded: true)
        return (path.isEmpty ? "/" : path) + (query().map { "?\($0)" } ?? "")
    }
}

extension [URLQueryItem] {
    /// Whether each of the items is here, as often as there.
    fileprivate func contains(all items: [URLQueryItem]) -> Bool {
        var rest = self
        return items.allSatisfy { item in
            guard let index = rest.firstIndex(of: item) else { return false }
            rest.remove(at: index)
            return true
        }
    }
}
