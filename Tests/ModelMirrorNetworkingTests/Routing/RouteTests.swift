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
    var basePath: RoutePath = ""
    var headers: HTTPHeaders = [:]
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
    var path: RoutePath {
        switch self {
        case .list(let user, _): "users/\(user)/gists"
        case .create, .failing: "gists"
        case .delete(let id): "gists/\(id)"
        }
    }
    var query: ParameterList { if case .list(_, let page) = self { ["page": .number(JSONNumber(page))] } else { [:] } }
    var parameters: RequestParameters? { if case .create(let text) = self { ["text": .string(text)] } else { nil } }
    var headers: HTTPHeaders { [.accept: "application/vnd.gist+json", "X-Kind": "gist"] }
    func prepare(_ request: inout TransportRequest) throws {
        if case .failing = self { throw Refused() }
        request.headers["X-Path"] = request.url.path
    }
}

private struct Placed: Route {
    var environment: Place?
    var path: RoutePath = "me"
    var headers: HTTPHeaders = ["X-B": "route"]
}

private struct Searching: Route {
    var path: RoutePath = ""
    var query: ParameterList = ["q": "x"]
}

private final class Gist: AbstractModel { var id = "" }

@Suite("Routes")
struct RouteTests {
    @Test("string-backed enums need nothing more: the port is written where it is asked for")
    func seedExample() throws {
        #expect(try Router.me.url(for: .test).absoluteString == "http://mytestserver.com:80/me")
        #expect(try Router.me.url(for: .production).absoluteString == "http://myserver.com/me")
        #expect(try Router.posts.url(for: .production).absoluteString == "http://myserver.com/feed/my%20posts")
    }

    @Test(
        "what is interpolated is one segment",
        arguments: [
            ("octocat", "users/octocat/gists"), ("a/b?c#d", "users/a%2Fb%3Fc%23d/gists"),
            ("é %", "users/%C3%A9%20%25/gists"),
            ("..", "users/%2E%2E/gists"), ("", "users//gists"),
        ])
    func segments(_ user: String, _ expected: String) {
        let path: RoutePath = "users/\(user)/gists"
        #expect(path.text == expected)
    }

    @Test("text keeps slashes and escapes, and has no query")
    func text() {
        #expect(RoutePath("/a b/%20/c?d#e").text == "/a%20b/%20/c%3Fd%23e")
        #expect(("x:y/\(7)" as RoutePath).text == "x:y/7")
    }

    @Test(
        "environments give scheme, host, port and base path",
        arguments: [
            (Place(), "https://api.example.com/me"),
            (Place(scheme: "http", host: "localhost", port: 8080), "http://localhost:8080/me"),
            (Place(host: "::1", port: 1), "https://[::1]:1/me"),
            (Place(host: "[2001:db8::7]"), "https://[2001:db8::7]/me"),
            (Place(host: "::ffff:192.0.2.1"), "https://[::ffff:192.0.2.1]/me"),
            (Place(host: "fe80::1%eth0"), "https://[fe80::1%25eth0]/me"),
            (Place(basePath: "/v3/beta"), "https://api.example.com/v3/beta/me"),
        ])
    private func environments(_ place: Place, _ expected: String) throws {
        #expect(try Placed().url(for: place).absoluteString == expected)
    }

    @Test("an empty path is the base itself, with the route's query")
    func emptyPath() throws {
        let base = URL(string: "https://api.example.com/graphql")
        #expect(try Placed(path: "").request(base: base).url.absoluteString == "https://api.example.com/graphql")
        #expect(try Searching().request(base: base).url.absoluteString == "https://api.example.com/graphql?q=x")
        let place = Place(basePath: "graphql")
        #expect(try Placed(path: "").url(for: place).absoluteString == "https://api.example.com/graphql")
    }

    @Test(
        "what cannot be a URL is an error",
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
        #expect(throws: RequestError.self) { try Router.me.request(base: nil) }
    }

    @Test("header fields are merged: the route's before the environment's before the repository's")
    func headers() throws {
        let place = Place(headers: ["X-A": "place", "X-B": "place"])
        let request = try Placed(environment: place).request(defaults: ["X-A": "all", "X-B": "all", "X-C": "all"])
        #expect(
            request.headers["X-A"] == "place" && request.headers["X-B"] == "route" && request.headers["X-C"] == "all")
        #expect(request.headers.fields.count == 3)
    }

    @Test("repositories take routes in every face, below their base URL")
    func repository() async throws {
        let mock = MockTransport()
        mock.on(.get, "/v3/users/octocat/gists", .json(#"[{"id": "1"}]"#))
        mock.on(.post, "/v3/gists", .json(#"{"id": "2"}"#))
        mock.on(.delete, "/v3/gists/*", .status(204))
        let repository = AbstractRepository<String>(transport: mock, baseURL: URL(string: "https://api.example.com/v3"))
        let gists: [Gist] = try await repository.objects(GistRoute.list(user: "octocat", page: 2))
        #expect(gists.map(\.id) == ["1"])
        let created: Request<Gist> = repository.requestObject(GistRoute.create("é"))
        #expect(try await created.value().id == "2")
        try await repository.success(GistRoute.delete(id: "a/b"))
        #expect(
            mock.requests.map { "\($0.method) \($0.url.absoluteString)" } == [
                "GET https://api.example.com/v3/users/octocat/gists?page=2", "POST https://api.example.com/v3/gists",
                "DELETE https://api.example.com/v3/gists/a%2Fb",
            ])
        #expect(String(decoding: mock.requests[1].body, as: UTF8.self) == #"{"text":"é"}"#)
        #expect(mock.requests.allSatisfy { $0.headers["X-Kind"] == "gist" && $0.headers["X-Path"] != nil })
    }

    @Test("repositories are made for an environment, with a store or without; the transport may be left out")
    func repositoriesOfEnvironment() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on(.get, "/v3/me", .json(#"{"id": "1"}"#))
        let place = Place(
            scheme: "http", host: "127.0.0.1", port: Int(server.port), basePath: "v3", headers: ["X-B": "place"])
        var configuration = AbstractRepository<String>.Configuration()
        configuration.headers = ["X-A": "all", "X-B": "all"]
        let plain = try AbstractRepository<String>(environment: place, configuration: configuration)
        let gist: Gist = try await plain.object(.get, url: "me")
        let storing = try StoringRepository<String>(
            environment: place, configuration: configuration, store: MemoryStore())
        for _ in 1...2 { #expect(try await storing.value(of: Resource<Gist>.object("me")).id == gist.id) }
        #expect(server.requests.map(\.target) == ["/v3/me", "/v3/me"])
        for request in server.requests {
            #expect(request.headers["X-A"] == "all" && request.headers["X-B"] == "place")
        }
        let error = #expect(throws: RequestError.self) {
            try StoringRepository<String>(environment: Place(host: ""), store: nil)
        }
        guard case .invalidURL("https://")? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a route's own error ends the request, and nothing is sent")
    func refusal() async {
        let mock = MockTransport()
        let repository = AbstractRepository<String>(transport: mock, baseURL: URL(string: "https://api.example.com"))
        await #expect(throws: GistRoute.Refused.self) { try await repository.success(GistRoute.failing) }
        await #expect(throws: RequestError.self) {
            try await AbstractRepository<String>(transport: mock).success(Router.me)
        }
        #expect(mock.requests.isEmpty)
    }
}
