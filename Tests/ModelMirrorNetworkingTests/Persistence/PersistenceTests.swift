import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

@Suite("Storage keys of a client", .timeLimit(.hung), .network)
struct PersistenceTests {
    private let transport = MockTransport()
    private let store = MemoryStore()
    private var client: APIClient

    init() throws {
        let base = try #require(URL(string: "https://example.com"))
        client = APIClient(transport: transport, baseURL: base, persistence: Persistence.keeping(store))
    }

    @Test("Parameters of a GET become its query, and each query is stored separately")
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
            "Nothing is stored for https://example.com/search; choose a policy that uses the network."
        ) { _ = try await ids(search(nil), .cacheOnly) }
    }

    @Test("Responses are stored with parameters and header fields, and read as any type of value")
    func kinds() async throws {
        transport.on(.get, "/x", .json("{\"a\": {\"id\": 4}, \"b\": {\"id\": 5}}"))
        let (sent, fields): (RequestParameters, HTTPHeaders) = (["k": 1], ["X-A": "1"])
        let object = Endpoint<Gist>.get("x", parameters: sent, headers: fields, at: "a")
        let all = Endpoint<[String: Gist]>.get("x", parameters: sent, headers: fields)
        let value = Endpoint<Int>.get("x", parameters: sent, headers: fields, at: ["b", "id"])
        #expect(try await client.value(object, policy: .networkOnly).id == 4)
        #expect(try await client.value(all, policy: .networkOnly).mapValues(\.id) == ["a": 4, "b": 5])
        #expect(try await client.value(value, policy: .networkOnly) == 5)
        #expect(transport.requests.map(\.url.query) == ["k=1", "k=1", "k=1"])
        #expect(transport.requests.map { $0.headers["X-A"] } == ["1", "1", "1"])
        // One response for all types of values.
        #expect(store.count == 1)
        #expect(try await client.value(Endpoint<Gist>.get("x", parameters: sent, headers: fields, at: "b")).id == 5)
        #expect(transport.requests.count == 3)
    }

    @Test("A POST is stored only with keys that include the body, separately for each body")
    mutating func body() async throws {
        transport.on(
            .post, "/search",
            .sequence([
                .json("[{\"id\": 1}]"), .json("[{\"id\": 2}]", headers: [.eTag: "\"a\""]), .json("[{\"id\": 3}]"),
                .json("[{\"id\": 4}]"),
            ]))
        #expect(try await ids(search(["q": "a"], .post), .cacheElseNetwork) == [1])
        #expect(store.count == 0)
        client.persistence?.key = Persistence.keyWithBody
        for _ in 1...2 {
            #expect(try await ids(search(["q": "a"], .post), .cacheElseNetwork) == [2])
            #expect(try await ids(search(["q": "b"], .post), .cacheElseNetwork) == [3])
        }
        // No validators are sent, since a server would respond 412.
        #expect(try await ids(search(["q": "a"], .post), .networkOnly) == [4])
        #expect(transport.requests.map(\.text) == ["a", "a", "b", "a"].map { "{\"q\":\"\($0)\"}" })
        #expect(transport.requests[3].headers[.ifNoneMatch] == nil)
        #expect(store.count == 2)
    }

    @Test("Requests of a route are stored separately, and its query and header fields are sent")
    func routes() async throws {
        let (ones, twos) = (MockResponse.json("[{\"id\": 1}]"), MockResponse.json("[{\"id\": 2}]"))
        transport.on(.get, "/users/a b/gists", .sequence([ones, twos]))
        for _ in 1...2 {
            #expect(try await ids(.route(GistRoute.list(user: "a b", page: 1))) == [1])
            #expect(try await ids(.route(GistRoute.list(user: "a b", page: 2))) == [2])
        }
        #expect(
            transport.requests.map(\.url.absoluteString) == [
                "https://example.com/users/a%20b/gists?page=1", "https://example.com/users/a%20b/gists?page=2",
            ])
        #expect(transport.requests.map { $0.headers["X-Kind"] } == ["gist", "gist"])
        await #expect(throws: GistRoute.Refused.self) { _ = try await ids(.route(GistRoute.failing)) }
        #expect(transport.requests.count == 2)
    }

    @Test("Values of several types are fetched by a route and read from the store")
    func routeKinds() async throws {
        transport.on(.get, "/users/me/gists", .json("{\"a\": {\"id\": 4}, \"b\": {\"id\": 5}}"))
        let route = GistRoute.list(user: "me", page: 1)
        for policy in [FetchPolicy.networkOnly, .cacheOnly] {
            #expect(try await client.value(Endpoint<Gist>.route(route, at: "a"), policy: policy).id == 4)
            let all = Endpoint<[String: Gist]>.route(route)
            #expect(try await client.value(all, policy: policy).mapValues(\.id) == ["a": 4, "b": 5])
            #expect(try await client.value(Endpoint<Int>.route(route, at: ["b", "id"]), policy: policy) == 5)
        }
        #expect(transport.requests.count == 3)
    }

    @Test(
        "A fetch builds its request once, and loads, sends and saves with the same key"
    )
    func oneRequest() async throws {
        let log = WordLog()
        let stepped = SteppedStore(
            store: store,
            load: { [store] key in
                log.add("load \(key.prefix { $0 != " " }) \(key.suffix(4))")
                return store.response(for: key)
            },
            save: { [store] response, key in
                log.add("save \(key.prefix { $0 != " " }) \(key.suffix(4))")
                store.save(response, for: key)
            })
        let client = APIClient(transport: transport, baseURL: client.baseURL, persistence: Persistence.keeping(stepped))
        transport.on(.get, "/numbered") { request in .json("[{\"id\": \(request.headers["X-Number"] ?? "0")}]") }
        let route = NumberedRoute()
        for (number, policy) in [FetchPolicy.networkOnly, .cacheElseNetwork, .networkElseCache].enumerated() {
            #expect(try await client.value(Endpoint<[Gist]>.route(route), policy: policy).map(\.id) == [number + 1])
        }
        var values: [Int] = []
        for try await response in client.values(Endpoint<[Gist]>.route(route)) { values += response.value.map(\.id) }
        #expect(values == [4])
        #expect(route.count == 4)
        #expect(transport.requests.map { $0.headers["X-Number"] } == ["1", "2", "3", "4"])
        // Each fetch loads and saves with one key; the header field that changes each time makes a new key.
        let calls = log.words.map { String($0.prefix(8)) }
        let keys = log.words.map { String($0.suffix(4)) }
        try #require(calls == (0..<8).map { $0.isMultiple(of: 2) ? "load GET" : "save GET" })
        for fetch in 0..<4 { #expect(keys[2 * fetch] == keys[2 * fetch + 1]) }
        #expect(store.count == 4)
    }

    @Test(
        "The standard policy is the store's for GET and HEAD, and networkOnly for other methods"
    )
    mutating func standardPolicy() async throws {
        transport.on(.get, "/search", .sequence([.json("[{\"id\": 1}]"), .json("[{\"id\": 2}]"), .status(503)]))
        #expect(try await ids(search(nil)) == [1])
        #expect(try await ids(search(nil)) == [1])
        client.persistence?.policy = .networkElseCache
        #expect(try await ids(search(nil)) == [2])
        let fallback = try await client.response(search(nil))
        #expect(fallback.value.map(\.id) == [2])
        #expect(fallback.fallbackReason is RequestError)
        client.persistence?.policy = .cacheOnly
        #expect(try await ids(search(nil)) == [2])
        // The standard policy in a client is the default policy.
        client.persistence?.policy = .standard
        await #expect(throws: RequestError.self) { _ = try await ids(search(nil)) }
        #expect(transport.requests.count == 4)

        client.persistence?.key = Persistence.keyWithBody
        client.persistence?.policy = .cacheElseNetwork
        transport.on(.post, "/search", .sequence([.json("[{\"id\": 3}]"), .json("[{\"id\": 4}]")]))
        #expect(try await ids(search(nil, .post)) == [3])
        #expect(try await ids(search(nil, .post)) == [4])
        #expect(try await ids(search(nil, .post), .cacheOnly) == [4])
        // HEAD has its own key here, and only the first request reaches the network.
        transport.on(.head, "/search", .json("", headers: ["X-Count": "7"]))
        for _ in 1...2 {
            let count = try await client.value(
                Endpoint<String?>(.head, "search", reading: { $0.headers["X-Count"] }))
            #expect(count == "7")
        }
        #expect(transport.requests.count { $0.method == .head } == 1)
    }

    @Test("The standard policy with a maximum age is the store's policy with that age")
    mutating func standardAge() async throws {
        let clock = WallClock()
        client.persistence?.now = { clock.date }
        client.persistence?.policy = .cacheElseNetwork.maxAge(.seconds(100))
        transport.on(
            .get, "/search", .sequence([.json("[{\"id\": 1}]"), .json("[{\"id\": 2}]"), .json("[{\"id\": 3}]")]))
        #expect(try await ids(search(nil)) == [1])
        clock.advance(50)
        #expect(try await ids(search(nil)) == [1])
        #expect(try await ids(search(nil), .standard.maxAge(.seconds(49))) == [2])
        clock.advance(101)
        #expect(try await ids(search(nil)) == [3])
    }

    @Test("Responses of accounts are stored separately, under keys that do not name the accounts")
    mutating func accounts() async throws {
        let account = Observed("alice")
        transport.on(.get, "/search") { _ in .json("[{\"id\": \(account.value == "alice" ? 1 : 2)}]") }
        client.transport = AccountTransport(base: transport, account: { .account(account.value) })
        #expect(try await ids(search(nil)) == [1])
        account.update { $0 = "bob" }
        await #expect(throws: FetchError.self) { _ = try await ids(search(nil), .cacheOnly) }
        #expect(try await ids(search(nil)) == [2])
        account.update { $0 = "alice" }
        #expect(try await ids(search(nil)) == [1])
        #expect(store.count == 2)
        #expect(transport.requests.count == 2)
        let request = try client.transportRequest(for: search(nil))
        let key = try #require(Persistence.defaultKey(for: request))
        #expect(store.response(for: "\(key) for \(digestOfAlice)")?.body == Data("[{\"id\": 1}]".utf8))
        #expect(store.response(for: key) == nil)
    }

    @Test("The client's account is joined with its transport's, and stands for an unknown one")
    mutating func accountOfClient() async throws {
        transport.on(
            .get, "/search", .sequence([.json("[{\"id\": 1}]"), .json("[{\"id\": 2}]"), .json("[{\"id\": 3}]")]))
        var (alice, bob) = (client, client)
        alice.account = "alice"
        bob.account = "bob"
        for _ in 1...2 {
            #expect(try await alice.value(search(nil)).map(\.id) == [1])
            #expect(try await bob.value(search(nil)).map(\.id) == [2])
            #expect(try await client.value(search(nil)).map(\.id) == [3])
        }
        for identity in [TransportIdentity.unknown, .account("alice")] {
            alice.transport = AccountTransport(base: transport, account: { identity })
            #expect(try await alice.value(search(nil)).map(\.id) == [1])
        }
        #expect(transport.requests.count == 3)
        alice.transport = AccountTransport(base: transport, account: { .account("device") })
        await #expect(throws: FetchError.self) { _ = try await alice.value(search(nil), policy: .cacheOnly) }
    }

    @Test("Removing an account's responses keeps the others, in memory and in files")
    mutating func removesAccount() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ModelMirror-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for stored in [client.persistence?.store, try FileStore(folder: folder)].compactMap(\.self) {
            transport.on(
                .get, "/search", .sequence([.json("[{\"id\": 1}]"), .json("[{\"id\": 2}]"), .json("[{\"id\": 3}]")]))
            client.persistence = Persistence.keeping(stored)
            var (alice, bob) = (client, client)
            alice.account = "alice"
            bob.account = "bob"
            for asking in [client, alice, bob] { _ = try await asking.value(search(nil)) }
            try await alice.persistence?.removeAll(for: "alice")
            await #expect(throws: FetchError.self) { _ = try await alice.value(search(nil), policy: .cacheOnly) }
            #expect(try await client.value(search(nil), policy: .cacheOnly).map(\.id) == [1])
            #expect(try await bob.value(search(nil), policy: .cacheOnly).map(\.id) == [3])
        }
    }

    @Test("Removing an account also removes responses stored for it together with another credential")
    mutating func removesJoinedAccounts() async throws {
        transport.on(.get, "/search", .json("[{\"id\": 1}]"))
        let accounts = ["alice", "alicee", "bob"].flatMap { [$0, "\($0)\ndevice", "device\n\($0)"] }
        for account in accounts {
            client.transport = AccountTransport(base: transport, account: { .account(account) })
            _ = try await client.value(search(nil))
        }
        #expect(store.count == 9)
        try await client.persistence?.removeAll(for: "alice")
        #expect(store.count == 6)
        try await client.persistence?.removeAll(for: "device\nbob")
        #expect(store.count == 5)
        try await client.persistence?.removeAll(for: "device")
        #expect(store.count == 2)
    }

    @Test("Responses of an unknown account are neither stored nor looked up, which is reported")
    mutating func unknownAccount() async throws {
        let log = WordLog()
        client.persistence?.report = { incident, request in
            if case .unknownIdentity = incident {
                log.add("\(request.method) \(request.url)")
            } else {
                log.add("\(incident)")
            }
        }
        transport.on(.get, "/search", .sequence([.json("[{\"id\": 1}]"), .json("[{\"id\": 2}]")]))
        #expect(try await ids(search(nil)) == [1])
        #expect(log.words == [])
        client.transport = SilentTransport(base: transport)
        #expect(try await ids(search(nil)) == [2])
        #expect(log.words == ["GET https://example.com/search"])
        #expect(store.count == 1)
        await expectError(
            "The request for https://example.com/search is not stored: it has no key, or its account is unknown; choose a policy that "
                + "uses the network."
        ) { _ = try await ids(search(nil), .cacheOnly) }
        // A request without a key is not stored, and nothing is reported.
        transport.on(.post, "/search", .json("[{\"id\": 3}]"))
        #expect(try await ids(search(nil, .post)) == [3])
        #expect(log.words.count == 2)
        #expect(store.count == 1)
    }

    @Test("Keys distinguish requests whose responses may differ, and contain no credentials")
    func defaultKeys() throws {
        func key(_ url: String, _ headers: HTTPHeaders = [:], _ method: HTTPMethod = .get) throws -> String? {
            Persistence.defaultKey(for: TransportRequest(method, try #require(URL(string: url)), headers: headers))
        }
        let plain = try #require(try key("https://example.com/a?b=1"))
        #expect(
            plain
                == "GET https://example.com/a?b=1 01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b")
        let others = [
            try key("https://example.com/a?b=2"), try key("http://example.com/a?b=1"),
            try key("https://example.com/a?b=1", [.authorization: "Bearer s3cret"]),
            try key("https://example.com/a?b=1", [.authorization: "Bearer s3cret2"]),
            try key("https://example.com/a?b=1", [.acceptLanguage: "de"]),
            try key("https://user:s3cret@example.com/a?b=1"), try key("https://user:s3cret2@example.com/a?b=1"),
            try key("https://s3cret@example.com/a?b=1"),
        ]
        #expect(Set(others + [plain]).count == others.count + 1)
        #expect(others.allSatisfy { $0?.contains("s3cret") == false })
        #expect(try key("https://example.com/a?b=1#c") == plain)
        #expect(
            try key("https://example.com/", ["A": "1", "B": "2"]) == key("https://example.com/", ["b": "2", "a": "1"]))
        #expect(try key("https://example.com/", [:], .post) == nil)
        #expect(try key("https://example.com/", [:], .head) == nil)
    }

    @Test("keyWithBody distinguishes methods and bodies without containing their text")
    func keysWithBody() throws {
        func key(_ method: HTTPMethod, _ body: HTTPBody?, _ headers: HTTPHeaders = [:]) throws -> String? {
            let url = try #require(URL(string: "https://example.com/a"))
            return Persistence.keyWithBody(for: TransportRequest(method, url, headers: headers, body: body))
        }
        let url = try #require(URL(string: "https://example.com/a"))
        let fields = "01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b"
        #expect(try key(.get, nil) == Persistence.defaultKey(for: TransportRequest(.get, url)))
        for (body, expected) in [
            (nil, "POST https://example.com/a \(fields)"),
            (
                .data(Data("abc".utf8)),
                "POST https://example.com/a \(fields) ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            ),
            (.file(url), nil), (.chunks { { nil } }, nil),
        ] as [(HTTPBody?, String?)] {
            #expect(try key(.post, body) == expected)
        }
        #expect(try key(.post, .data(Data("abd".utf8))) != key(.post, .data(Data("abc".utf8))))
        #expect(try key(.put, .data(Data("abc".utf8))) != key(.post, .data(Data("abc".utf8))))
        #expect(try key(.post, .data(Data()), [.contentType: "a/b"]) != key(.post, .data(Data())))
        #expect(Persistence.defaultKey(for: TransportRequest(.get, url, body: .data(Data()))) == nil)
    }

    private func search(_ parameters: RequestParameters?, _ method: HTTPMethod = .get) -> Endpoint<[Gist]> {
        Endpoint(method, "search", parameters: parameters)
    }

    private func ids(_ endpoint: Endpoint<[Gist]>, _ policy: FetchPolicy = .standard) async throws -> [Int] {
        try await client.value(endpoint, policy: policy).map(\.id)
    }
}

/// The digest of `alice`.
private let digestOfAlice = "2bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90"

private final class Gist: AbstractModel { var id = 0 }

private enum GistRoute: Route {
    case list(user: String, page: Int)
    case failing

    struct Refused: Error {}

    var path: URLReference { if case .list(let user, _) = self { "users/\(user)/gists" } else { "gists" } }
    var query: ParameterList { if case .list(_, let page) = self { ["page": page] } else { [:] } }
    var headers: HTTPHeaders { ["X-Kind": "gist"] }
    func prepare(_ request: inout TransportRequest) throws { if case .failing = self { throw Refused() } }
}

/// Numbers its requests.
private final class NumberedRoute: Route {
    private let made = Mutex(0)

    var count: Int { made.withLock { $0 } }
    var path: URLReference { "numbered" }
    func prepare(_ request: inout TransportRequest) {
        request.headers["X-Number"] = made.withLock { made in
            made += 1
            return "\(made)"
        }
    }
}

/// A transport with a given identity.
private struct AccountTransport: Transport {
    let base: MockTransport
    let account: @Sendable () -> TransportIdentity

    func response(to request: TransportRequest) async throws -> TransportResponse {
        try await base.response(to: request)
    }

    func identity(for request: TransportRequest) -> TransportIdentity { account() }
}
