import Foundation
import ModelMirrorNetworking

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
