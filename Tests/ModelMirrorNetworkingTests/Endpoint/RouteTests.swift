import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// The example of ApiConnector's README, in today's Swift.
private enum Server: String, APIEnvironment {
    case test = "mytestserver.com"
    case production = "myserver.com"
    var scheme: String { "http" }
    var port: Int? { self == .test ? 80 : nil }
}

private enum Router: String, Route {
    typealias Environment = Server
    case me
    case posts = "feed/my posts"
}

private struct Place: APIEnvironment {
    var scheme = "https"
    var host = "api.example.com"
    var port: Int?
    var basePath: URLReference = ""
    var headers: HTTPHeaders = [:]
}

/// A repository that passes its client on.
private final class ComposedRepository: AbstractRepository<String> {
    let part: AbstractRepository<String>

    override init(client: APIClient) {
        part = AbstractRepository(client: client)
        super.init(client: client)
    }
}

private enum GistRoute: Route {
    case list(user: String, page: Int)
    case create(String)
    case delete(id: String)
    case failing

    struct Refused: Error {}

    var method: HTTPMethod {
        switch self {
        case .list, .failing: .get
        case .create: .post
        case .delete: .delete
        }
    }
    var path: URLReference {
        switch self {
        case .list(let user, _): "users/\(user)/gists"
        case .create, .failing: "gists"
        case .delete(let id): "gists/\(id)"
        }
    }
    var query: ParameterList { if case .list(_, let page) = self { ["page": page] } else { [:] } }
    var parameters: RequestParameters? { if case .create(let text) = self { ["text": text] } else { nil } }
    var headers: HTTPHeaders { [.accept: "application/vnd.gist+json", "X-Kind": "gist"] }
    func prepare(_ request: inout TransportRequest) throws {
        if case .failing = self { throw Refused() }
        request.headers["X-Path"] = request.url.path
    }
}

private struct Placed: Route {
    var environment: Place?
    var path: URLReference = "me"
    var headers: HTTPHeaders = ["X-B": "route"]
}

private struct Searching: Route {
    var path: URLReference = ""
    var query: ParameterList = ["q": "x"]
}

private final class Gist: AbstractModel { var id = "" }

@Suite("Routes")
struct RouteTests {
    @Test("A string-backed enum is a route without further members")
    func seedExample() throws {
        #expect(try Router.me.url(for: .test).absoluteString == "http://mytestserver.com:80/me")
        #expect(try Router.me.url(for: .production).absoluteString == "http://myserver.com/me")
        #expect(try Router.posts.url(for: .production).absoluteString == "http://myserver.com/feed/my%20posts")
    }

    @Test(
        "An environment supplies scheme, host, port and base path",
        arguments: [
            (Place(), "https://api.example.com/me"),
            (Place(scheme: "http", host: "localhost", port: 8080), "http://localhost:8080/me"),
            (Place(host: "::1", port: 1), "https://[::1]:1/me"),
            (Place(host: "[2001:db8::7]"), "https://[2001:db8::7]/me"),
            (Place(host: "::ffff:192.0.2.1"), "https://[::ffff:192.0.2.1]/me"),
            (Place(host: "fe80::1%eth0"), "https://[fe80::1%25eth0]/me"),
            (Place(basePath: "/v3/beta"), "https://api.example.com/v3/beta/me"),
            // A base path that is a URL of the environment's server.
            (Place(basePath: "https://API.example.com:443/v3"), "https://API.example.com:443/v3/me"),
        ])
    private func environments(_ place: Place, _ expected: String) throws {
        #expect(try Placed().url(for: place).absoluteString == expected)
    }

    @Test("An empty path is the base itself, with the route's query")
    func emptyPath() throws {
        let client = APIClient(transport: MockTransport(), baseURL: URL(string: "https://api.example.com/graphql"))
        func url(_ route: some Route) throws -> String {
            try client.transportRequest(for: Endpoint<Void>.route(route)).url.absoluteString
        }
        #expect(try url(Placed(path: "")) == "https://api.example.com/graphql")
        #expect(try url(Searching()) == "https://api.example.com/graphql?q=x")
        let place = Place(basePath: "graphql")
        #expect(try Placed(path: "").url(for: place).absoluteString == "https://api.example.com/graphql")
    }

    @Test(
        "An environment that makes no valid URL is an error",
        arguments: [
            Place(scheme: "ftp"), Place(scheme: "ht tp"), Place(host: ""), Place(host: "a b"), Place(host: "a/b"),
            Place(host: "me@evil.example"), Place(host: "a?b"), Place(port: 0), Place(port: 65536),
            Place(host: "a.example:8080"), Place(host: "[::1]:80"), Place(host: ":"), Place(host: "::1]"),
        ])
    private func badEnvironments(_ place: Place) {
        let error = #expect(throws: RequestError.self) { try Placed().url(for: place) }
        guard case .invalidURL? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "A base path that is a URL does not replace the environment's server",
        arguments: [
            ("https://evil.example/v3", "https://evil.example/v3"),
            ("http://api.example.com/v3", "http://api.example.com/v3"),
            ("https://api.example.com:444", "https://api.example.com:444"),
            ("https://ada:secret@evil.example/v3?q=1", "https://evil.example/v3?…"),
        ] as [(URLReference, String)])
    private func basePathsElsewhere(_ basePath: URLReference, _ shown: String) throws {
        let error = #expect(throws: RequestError.self) { try Placed().url(for: Place(basePath: basePath)) }
        #expect(
            "\(try #require(error))"
                == "The request cannot be sent: the basePath \(shown) is on another server than https://api.example.com; write "
                + "its path alone, and the server as host.")
    }

    @Test("Header fields of the route override the environment's, which override the client's")
    func headers() throws {
        let place = Place(headers: ["X-A": "place", "X-B": "place"])
        var client = APIClient(transport: MockTransport())
        client.configuration.headers = ["X-A": "all", "X-B": "all", "X-C": "all"]
        let request = try client.transportRequest(for: Endpoint<Void>.route(Placed(environment: place)))
        #expect(request.url.absoluteString == "https://api.example.com/me")
        #expect(request.headers == ["X-C": "all", "X-A": "place", "X-B": "route"])
    }

    @Test("Routes are endpoints below the client's base URL")
    func endpoints() async throws {
        let mock = MockTransport()
        mock.on(.get, "/v3/users/octocat/gists", .json(#"[{"id": "1"}]"#))
        mock.on(.post, "/v3/gists", .json(#"{"id": "2"}"#))
        mock.on(.delete, "/v3/gists/*", .status(204))
        let client = APIClient(transport: mock, baseURL: URL(string: "https://api.example.com/v3"))
        let gists: [Gist] = try await client.value(.route(GistRoute.list(user: "octocat", page: 2)))
        #expect(gists.map(\.id) == ["1"])
        let created: Request<Gist> = client.request(.route(GistRoute.create("é")))
        #expect(try await created.value().id == "2")
        try await client.send(.route(GistRoute.delete(id: "a/b")))
        #expect(
            mock.requests.map { "\($0.method) \($0.url.absoluteString)" } == [
                "GET https://api.example.com/v3/users/octocat/gists?page=2", "POST https://api.example.com/v3/gists",
                "DELETE https://api.example.com/v3/gists/a%2Fb",
            ])
        #expect(mock.requests[1].text == #"{"text":"é"}"#)
        #expect(mock.requests.allSatisfy { $0.headers["X-Kind"] == "gist" && $0.headers["X-Path"] != nil })
    }

    @Test("A route can be placed in an environment that replaces its own")
    func placed() throws {
        let client = APIClient(transport: MockTransport(), baseURL: URL(string: "https://elsewhere.example"))
        let me = Endpoint<Gist>.route(Router.me.in(.test))
        #expect(try client.transportRequest(for: me).url.absoluteString == "http://mytestserver.com:80/me")
        let moved = Placed(environment: Place(headers: ["X-A": "one"])).in(
            Place(host: "other.example", headers: ["X-A": "two"]))
        let request = try client.transportRequest(for: Endpoint<Gist>.route(moved))
        #expect(request.url.absoluteString == "https://other.example/me")
        #expect(request.headers["X-A"] == "two" && request.headers["X-B"] == "route")
        #expect("\(Router.me.in(.test))" == "me in test")
    }

    @Test("A repository's own initializer gets a client with the environment's header fields")
    func composedRepository() throws {
        let repository = try ComposedRepository(environment: Place(headers: ["X-B": "place"]))
        #expect(repository.part.client.configuration.headers == ["X-B": "place"])
        #expect(repository.client.configuration.headers == ["X-B": "place"])
    }

    @Test(
        "Clients and repositories can be created for an environment, without a transport")
    func clientsOfEnvironment() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on(.get, "/v3/me", .json(#"{"id": "1"}"#))
        let place = Place(
            scheme: "http", host: "127.0.0.1", port: Int(server.port), basePath: "v3", headers: ["X-B": "place"])
        var configuration = APIClient.Configuration()
        configuration.headers = ["X-A": "all", "X-B": "all"]
        let me = Endpoint<Gist>.get("me")
        let plain = try APIClient(environment: place, configuration: configuration)
        #expect(try await plain.value(me).id == "1")
        let repository = try AbstractRepository<String>(environment: place, configuration: configuration)
        #expect(try await repository.value(me).id == "1")
        let storing = try AbstractRepository<String>(
            environment: place, configuration: configuration, store: MemoryStore())
        // Without an account, the responses of a transport of unknown identity would not be stored.
        storing.client.account = "me"
        for _ in 1...2 { #expect(try await storing.value(me, policy: .cacheElseNetwork).id == "1") }
        #expect(server.requests.map(\.target) == ["/v3/me", "/v3/me", "/v3/me"])
        for request in server.requests {
            #expect(request.headers["X-A"] == "all" && request.headers["X-B"] == "place")
        }
        let error = #expect(throws: RequestError.self) {
            try AbstractRepository<String>(environment: Place(host: ""), store: MemoryStore())
        }
        guard case .invalidURL("https://")? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("An error thrown by a route, or a missing base, fails the request, and nothing is sent")
    func refusal() async {
        let mock = MockTransport()
        let client = APIClient(transport: mock, baseURL: URL(string: "https://api.example.com"))
        await #expect(throws: GistRoute.Refused.self) { try await client.send(.route(GistRoute.failing)) }
        await #expect(throws: RequestError.self) {
            try await APIClient(transport: mock).send(.route(Router.me))
        }
        #expect(mock.requests.isEmpty)
    }
}
