import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Resources with parameters and by route", .timeLimit(.minutes(1)))
struct ResourceTests {
    private let transport = MockTransport()
    private let store = MemoryStore()
    private let repository: StoringRepository<String>

    init() throws {
        let base = try #require(URL(string: "https://example.com"))
        repository = StoringRepository(transport: transport, baseURL: base, store: store)
    }

    @Test("Parameters of a GET make its query, and each query is stored by itself")
    func query() async throws {
        transport.on(.get, "/search", .sequence([.json("[{\"id\": 1}]"), .json("[{\"id\": 2}]"), .status(500)]))
        for _ in 1...2 {
            #expect(try await ids(search(["q": "a b", "page": 1])) == [1])
            #expect(try await ids(search(["q": "a b", "page": 2])) == [2])
        }
        #expect(
            transport.requests.map(\.url.absoluteString) == [
                "https://example.com/search?q=a%20b&page=1", "https://example.com/search?q=a%20b&page=2",
            ])
        #expect(store.count == 2)
        await expectError(
            "Nothing is stored for https://example.com/search; ask the network, by another policy."
        ) { _ = try await ids(search(nil), .cacheOnly) }
    }

    @Test("Every kind of resource takes parameters and header fields")
    func kinds() async throws {
        transport.on(.get, "/x", .json("{\"a\": {\"id\": 4}, \"b\": {\"id\": 5}}"))
        let (sent, fields): (RequestParameters, HTTPHeaders) = (["k": 1], ["X-A": "1"])
        let object = Resource<Gist>.object("x", parameters: sent, headers: fields, at: "a")
        let all = Resource<[String: Gist]>.dictionaryOfObjects("x", parameters: sent, headers: fields)
        let value = Resource<Int>.value("x", parameters: sent, headers: fields, at: JSONPath([.key("b"), .key("id")]))
        #expect(try await repository.value(of: object, policy: .networkOnly).id == 4)
        #expect(try await repository.value(of: all, policy: .networkOnly).mapValues(\.id) == ["a": 4, "b": 5])
        #expect(try await repository.value(of: value, policy: .networkOnly) == 5)
        #expect(transport.requests.map(\.url.query) == ["k=1", "k=1", "k=1"])
        #expect(transport.requests.map { $0.headers["X-A"] } == ["1", "1", "1"])
    }

    @Test("Parameters in a body are sent and by default not stored; with keys that depend on it, each body by itself")
    func body() async throws {
        transport.on(
            .post, "/search",
            .sequence([
                .json("[{\"id\": 1}]"), .json("[{\"id\": 2}]", headers: [.eTag: "\"a\""]), .json("[{\"id\": 3}]"),
                .json("[{\"id\": 4}]"),
            ]))
        #expect(try await ids(search(["q": "a"], .post)) == [1])
        #expect(store.count == 0)
        repository.persistence.key = Persistence.keyWithBody
        for _ in 1...2 {
            #expect(try await ids(search(["q": "a"], .post)) == [2])
            #expect(try await ids(search(["q": "b"], .post)) == [3])
        }
        // No validators: a server would answer 412 to them.
        #expect(try await ids(search(["q": "a"], .post), .networkOnly) == [4])
        #expect(transport.requests.map(\.text) == ["a", "a", "b", "a"].map { "{\"q\":\"\($0)\"}" })
        #expect(transport.requests[3].headers[.ifNoneMatch] == nil)
        #expect(store.count == 2)
    }

    @Test("A route says all of a request, and what it says makes the key")
    func routes() async throws {
        let (ones, twos) = (MockResponse.json("[{\"id\": 1}]"), MockResponse.json("[{\"id\": 2}]"))
        transport.on(.get, "/users/a b/gists", .sequence([ones, twos]))
        for _ in 1...2 {
            #expect(try await ids(.objects(GistRoute.list(user: "a b", page: 1))) == [1])
            #expect(try await ids(.objects(GistRoute.list(user: "a b", page: 2))) == [2])
        }
        #expect(
            transport.requests.map(\.url.absoluteString) == [
                "https://example.com/users/a%20b/gists?page=1", "https://example.com/users/a%20b/gists?page=2",
            ])
        #expect(transport.requests.map { $0.headers["X-Kind"] } == ["gist", "gist"])
        await #expect(throws: GistRoute.Refused.self) { _ = try await ids(.objects(GistRoute.failing)) }
        #expect(transport.requests.count == 2)
    }

    @Test("Every kind of resource takes a route")
    func routeKinds() async throws {
        transport.on(.get, "/users/me/gists", .json("{\"a\": {\"id\": 4}, \"b\": {\"id\": 5}}"))
        let route = GistRoute.list(user: "me", page: 1)
        for policy in [FetchPolicy.networkOnly, .cacheOnly] {
            #expect(try await repository.value(of: Resource<Gist>.object(route, at: "a"), policy: policy).id == 4)
            let all = Resource<[String: Gist]>.dictionaryOfObjects(route)
            #expect(try await repository.value(of: all, policy: policy).mapValues(\.id) == ["a": 4, "b": 5])
            let value = Resource<Int>.value(route, at: JSONPath([.key("b"), .key("id")]))
            #expect(try await repository.value(of: value, policy: policy) == 5)
        }
        #expect(transport.requests.count == 3)
    }

    @Test("Keys with bodies tell apart methods and bodies, and hold none of their text")
    func keys() throws {
        func key(_ method: HTTPMethod, _ body: HTTPBody?, _ headers: HTTPHeaders = [:]) throws -> String? {
            let url = try #require(URL(string: "https://example.com/a"))
            return Persistence.keyWithBody(for: TransportRequest(method, url, headers: headers, body: body))
        }
        let url = try #require(URL(string: "https://example.com/a"))
        let fields = "01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b"
        #expect(try key(.get, nil) == Persistence.defaultKey(for: TransportRequest(.get, url)))
        #expect(try key(.post, nil) == "POST https://example.com/a \(fields)")
        #expect(
            try key(.post, .data(Data("abc".utf8)))
                == "POST https://example.com/a \(fields) ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        #expect(try key(.post, .data(Data("abd".utf8))) != key(.post, .data(Data("abc".utf8))))
        #expect(try key(.put, .data(Data("abc".utf8))) != key(.post, .data(Data("abc".utf8))))
        #expect(try key(.post, .data(Data()), [.contentType: "a/b"]) != key(.post, .data(Data())))
        #expect(try key(.post, .file(url)) == nil)
        #expect(try key(.post, .chunks { { nil } }) == nil)
        #expect(Persistence.defaultKey(for: TransportRequest(.get, url, body: .data(Data()))) == nil)
    }

    private func search(_ parameters: RequestParameters?, _ method: HTTPMethod = .get) -> Resource<[Gist]> {
        .objects("search", method: method, parameters: parameters)
    }

    private func ids(_ resource: Resource<[Gist]>, _ policy: FetchPolicy? = nil) async throws -> [Int] {
        try await repository.value(of: resource, policy: policy).map(\.id)
    }
}

private final class Gist: AbstractModel { var id = 0 }

private enum GistRoute: Route {
    case list(user: String, page: Int)
    case failing

    struct Refused: Error {}

    var path: RoutePath { if case .list(let user, _) = self { "users/\(user)/gists" } else { "gists" } }
    var query: ParameterList { if case .list(_, let page) = self { ["page": .number(JSONNumber(page))] } else { [:] } }
    var headers: HTTPHeaders { ["X-Kind": "gist"] }
    func prepare(_ request: inout TransportRequest) throws { if case .failing = self { throw Refused() } }
}
