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
        return requests.filter { route.parameters(in: $0, method: $0.method) != nil }.count
    }
}
