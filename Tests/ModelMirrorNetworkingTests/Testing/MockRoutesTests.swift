import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Routes and endpoints of a MockTransport", .timeLimit(.hung), .network)
struct MockRoutesTests {
    private let mock = MockTransport()
    private let base = URL(string: "https://a.example/v3")

    private func status(_ method: HTTPMethod, _ url: String) async throws -> Int {
        try await mock.response(to: TransportRequest(method, try #require(URL(string: url)))).status
    }

    private func isUnmatched(_ method: HTTPMethod, _ url: String) async -> Bool {
        do {
            _ = try await status(method, url)
            return false
        } catch {
            return true
        }
    }

    @Test("HEAD goes to its own route, or else to the newest for GET or any method")
    func head() async throws {
        mock.on(nil, "/a", .status(201))
        mock.on(.get, "/a", .status(202))
        #expect(try await status(.head, "https://a.example/a") == 202)
        mock.on(nil, "/a", .status(203))
        #expect(try await status(.head, "https://a.example/a") == 203)
        mock.on(.head, "/a", .status(205))
        mock.on(.get, "/a", .status(206))
        #expect(try await status(.head, "https://a.example/a") == 205)
    }

    /// Sends requests; those without a status have no route.
    private func expectStatuses(
        _ requests: [(HTTPMethod, String, Int?)], sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        for (method, url, expected) in requests {
            let found = try? await status(method, url)
            #expect(found == expected, "\(method) \(url)", sourceLocation: sourceLocation)
        }
    }

    @Test("A route matches by method, path and query items")
    func matching() async throws {
        mock.on(API.search("a b"), .status(201))
        mock.on(API.delete(id: "x/y"), .status(204))
        await expectStatuses([
            (.get, "https://a.example/search?q=a%20b", 201),
            (.get, "http://other.example:81/search?page=2&q=a%20b", 201),
            (.head, "https://a.example/search?q=a%20b", 201), (.post, "https://a.example/search?q=a%20b", nil),
            (.get, "https://a.example/search?q=b", nil), (.get, "https://a.example/search", nil),
            (.get, "https://a.example/v3/search?q=a%20b", nil), (.get, "https://a.example/search/?q=a%20b", nil),
            (.delete, "https://a.example/items/x%2Fy", 204), (.delete, "https://a.example/items/x/y", nil),
        ])
        #expect(mock.requestCount(API.search("a b")) == 2)
        #expect(mock.requestCount(API.search("c")) == 0)
        #expect(
            mock.unmatched.last
                == "the mock has no answer to DELETE https://a.example/items/x/y; it knows only GET /search?q=a%20b, "
                + "DELETE /items/x%2Fy")
    }

    @Test("An endpoint matches by method, path and query items, for any value type")
    func endpoints() async throws {
        mock.on(Endpoint<User>.get("users/\("a b")", query: ["full": true]), .json(#"{"name": "a"}"#))
        mock.on(Endpoint<Void>.delete("https://b.example/items/1"), .status(204))
        mock.on(Endpoint<[User]>.get("users")) { request in
            .json(#"[{"name": "\#(request.queryValue("page") ?? "")"}]"#)
        }
        let client = APIClient(transport: mock, baseURL: URL(string: "https://a.example"))
        #expect(try await client.value(Endpoint<User>.get("users/a%20b", query: ["full": true, "x": 1])).name == "a")
        #expect(try await client.value(Endpoint<[User]>.get("users", query: ["page": 2])).map(\.name) == ["2"])
        try await client.send(.delete("https://b.example/items/1"))
        #expect(await isUnmatched(.get, "https://a.example/users/a%20b"))
        #expect(await isUnmatched(.delete, "https://a.example/items/1"))
        #expect(mock.requestCount(Endpoint<[User]>.get("users")) == 1)
        #expect(mock.requestCount(Endpoint<Void>.delete("https://b.example/items/1")) == 1)
        #expect(mock.requestCount(Endpoint<User>.get("users/c")) == 0)
    }

    @Test("With a base URL or an environment, the server must match")
    func places() async throws {
        mock.on(API.search("a"), relativeTo: base, .status(201))
        mock.on(Placed.me.in(.test), .status(202))
        await expectStatuses([
            (.get, "https://A.example/v3/search?q=a", 201), (.get, "https://b.example/v3/search?q=a", nil),
            (.get, "http://a.example/v3/search?q=a", nil), (.get, "https://a.example/search?q=a", nil),
            (.get, "http://test.example:80/me", 202), (.get, "https://test.example/me", nil),
        ])
        #expect(mock.requestCount(API.search("a"), relativeTo: base) == 1)
        #expect(mock.requestCount(Placed.me.in(.test)) == 1)
    }

    @Test("The last matching route responds, and its closure chooses the response")
    func order() async throws {
        mock.on(API.search("a"), .status(201))
        mock.on(API.search("a")) { request in .status(request.queryValue("page") == "2" ? 203 : 202) }
        #expect(try await status(.get, "https://a.example/search?q=a") == 202)
        #expect(try await status(.get, "https://a.example/search?q=a&page=2") == 203)
    }

    @Test("A route that makes no URL matches no request")
    func noURL() async {
        mock.on(Placed.me.in(.broken), .status(204))
        #expect(await isUnmatched(.get, "https://a.example/me"))
        #expect(
            mock.unmatched.last?.hasSuffix(
                """
                it knows only GET me, for which no request can be made ("http://no host:80" is not a URL that can be requested; \
                expected an http or https URL with a host, or a path and a client with a baseURL.)
                """) == true)
    }

    @Test("Samples of routes are served and checked as strictly as live responses")
    func samples() async throws {
        mock.onSamples(of: Placed.self, relativeTo: URL(string: "https://a.example"))
        mock.onSamples(of: [Placed.me], relativeTo: URL(string: "https://b.example"))
        let client = APIClient(transport: mock, baseURL: URL(string: "https://a.example"))
        let user: User = try await client.value(.route(Placed.me))
        #expect(user.name == "octocat")
        await #expect(throws: ModelError.self) { let _: User = try await client.value(.route(Placed.broken)) }
        await #expect(throws: RequestError.self) { let _: User = try await client.value(.route(Placed.missing)) }
        #expect(try await status(.get, "https://b.example/me") == 200)
    }

    @Test("A MockResponses type responds to all requests without an added route")
    func types() async throws {
        let mock = MockTransport(answering: Echo.self)
        mock.on(Placed.me, .status(418))
        let response = try await mock.response(
            to: TransportRequest(.get, try #require(URL(string: "https://a.example/x"))))
        #expect(response.status == 200)
        #expect(try await response.body.collect(limit: 100) == Data("GET /x".utf8))
        let other = try await mock.response(
            to: TransportRequest(.get, try #require(URL(string: "https://a.example/me"))))
        #expect(other.status == 418)
    }
}

private final class User: AbstractModel { var name = "" }

private enum Echo: MockResponses {
    static func response(to request: MockRequest) -> MockResponse { .text("\(request.method) \(request.path)") }
}

private enum API: Route {
    case search(String)
    case delete(id: String)

    var method: HTTPMethod { if case .delete = self { .delete } else { .get } }
    var path: URLReference {
        switch self {
        case .search: "search"
        case .delete(let id): "items/\(id)"
        }
    }
    var query: ParameterList {
        if case .search(let text) = self { ["q": text] } else { [:] }
    }
}

private enum Server: String, APIEnvironment {
    case test = "test.example"
    case broken = "no host"

    var scheme: String { "http" }
    var port: Int? { 80 }
}

private enum Placed: String, Route, CaseIterable {
    typealias Environment = Server
    case me, broken, missing
}

extension Placed: SampledRoute {
    var sample: MockResponse {
        switch self {
        case .me: .json(#"{"name": "octocat"}"#)
        case .broken: .json(#"{"name": "#)
        case .missing: .status(404)
        }
    }
}
