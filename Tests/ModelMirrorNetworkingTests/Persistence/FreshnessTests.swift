import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

/// What the cases of cache-tests leave open; they are in `CacheConformanceTests`.
@Suite("Freshness of stored responses", .timeLimit(.hung), .network)
struct FreshnessTests {
    private func freshness(
        _ fields: HTTPHeaders, status: Int = 200, asked: HTTPHeaders = [:], after seconds: Double = 0
    ) throws -> Freshness {
        let url = try #require(URL(string: "https://example.com/gists"))
        let date = Date(timeIntervalSince1970: 784_111_777)
        return Freshness(
            of: StoredResponse(status: status, url: url, headers: fields, body: Data(), date: date),
            for: TransportRequest(.get, url, headers: asked), .cacheControl, at: date + seconds)
    }

    @Test(
        "The lifetime is that of max-age, Expires or a tenth of the time since the last change",
        arguments: [
            ([:], 0), ([.cacheControl: "max-age=60"], 60), ([.cacheControl: "MAX-AGE=\"60\", max-age=70"], 60),
            ([.cacheControl: "max-age =0", .lastModified: "Sun, 06 Nov 1994 08:48:37 GMT"], 0),
            ([.cacheControl: "max-age = \"60\""], 60),
            ([.cacheControl: "max-age='60'"], 0), ([.cacheControl: "max-age"], 0), ([.cacheControl: "s-maxage=60"], 0),
            ([.cacheControl: "x=\"a, max-age=9\\\", max-age=8\", max-age=7"], 7),
            ([.cacheControl: "max-age=\(String(repeating: "9", count: 400))"], 2_147_483_648),
            (["Expires": "Sun, 06 Nov 1994 08:50:37 GMT"], 60), (["Expires": "0"], 0),
            (["Expires": "Sun, 06 Nov 1994 08:50:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:07 GMT"], 90),
            (["Expires": "Sun, 06 Nov 1994 08:50:37 GMT", .cacheControl: "max-age=5"], 5),
            ([.lastModified: "Sun, 06 Nov 1994 08:48:37 GMT"], 6),
            ([.lastModified: "Sun, 06 Nov 1904 08:48:37 GMT"], 86_400), ([.lastModified: "yesterday"], 0),
        ] as [(HTTPHeaders, Double)])
    func lifetimes(fields: HTTPHeaders, lifetime: Double) throws {
        #expect(try freshness(fields).lifetime == lifetime)
    }

    @Test("The age is that of Age or Date, and the time since the request")
    func ages() throws {
        for (fields, seconds, age) in [
            ([:], 5, 5), ([:], -60, 0), ([:], -60.1, 9e18), (["Age": "30"], 5, 35), (["Age": "30, 40"], 0, 30),
            (["Age": "-1"], 0, 0), (["Age": "1.5"], 0, 0),
            (["Age": "10", "Date": "Sun, 06 Nov 1994 08:48:37 GMT"], 5, 65),
            (["Date": "Sun, 06 Nov 1994 08:50:37 GMT"], 5, 5),
        ] as [(HTTPHeaders, Double, Double)] {
            #expect(try freshness(fields, after: seconds).age == age, "\(fields) after \(seconds) s")
        }
    }

    @Test("Directives of the request bound or extend the lifetime")
    func asked() throws {
        for (asked, control, seconds, isFresh) in [
            ("", "max-age=60", 59, true), ("", "max-age=60", 60, false), ("no-cache", "max-age=60", 0, false),
            ("max-age=10", "max-age=60", 9, true), ("max-age=10", "max-age=60", 10, false),
            ("max-age=10, max-stale=100", "max-age=60", 10, false),
            ("min-fresh=10", "max-age=60", 49, true), ("min-fresh=10", "max-age=60", 50, false),
            ("max-stale=10", "max-age=60", 69, true), ("max-stale=10", "max-age=60", 70, false),
            ("max-stale", "max-age=60", 1e9, true),
            ("max-stale", "max-age=60, must-revalidate", 60, false), ("max-stale", "max-age=60, no-cache", 0, false),
        ] as [(String, String, Double, Bool)] {
            let freshness = try freshness(
                [.cacheControl: control], asked: [.cacheControl: asked], after: seconds)
            #expect(freshness.isFresh == isFresh, "\(asked) of \(control) after \(seconds) s")
        }
    }

    @Test("A response that varies by a field added below the store is confirmed")
    func vary() throws {
        let fields: HTTPHeaders = [.cacheControl: "max-age=60", "Vary": "Accept, Accept-Language"]
        #expect(try !freshness(fields).isFresh)
        #expect(try !freshness(fields, asked: [.acceptLanguage: "de"]).isFresh)
        #expect(try freshness(fields, asked: [.acceptLanguage: "de", .accept: "*/*"]).isFresh)
        for (name, isFresh) in [
            ("cookie", false), ("X-Variant", false), ("Authorization", false), ("accept-encoding, User-Agent", true),
            ("Origin, Access-Control-Request-Method, Access-Control-Request-Headers", true),
        ] {
            #expect(try freshness([.cacheControl: "max-age=60", "Vary": name]).isFresh == isFresh, "\(name)")
        }
    }

    @Test("stale-if-error lets a stored response replace a failed one for its time")
    func staleIfError() async throws {
        let setup = try Setup([
            .json("1", headers: [.cacheControl: "max-age=60, stale-if-error=60"]), .status(503), .failure(.offline),
            .status(404), .status(500),
        ])
        #expect(try await setup.value() == 1)
        setup.clock.advance(100)
        let fallback = try await setup.client.response(setup.count)
        #expect(fallback.value == 1)
        #expect(fallback.headers["Age"] == "100")
        #expect((fallback.fallbackReason as? RequestError)?.response?.status == 503)
        #expect(try await setup.value() == 1)
        await #expect(throws: RequestError.self) { _ = try await setup.value() }
        setup.clock.advance(20)
        await #expect(throws: RequestError.self) { _ = try await setup.value() }
        #expect(setup.mock.requests.count == 5)
    }

    @Test("A confirmed response has the number of attempts")
    func attempts() async throws {
        var setup = try Setup([.json("1", headers: [.eTag: "\"a\""]), .status(503), .status(304)])
        setup.client.transport = RetryTransport(setup.mock, random: { 0 })
        #expect(try await setup.value() == 1)
        let confirmed = try await setup.client.response(setup.count)
        #expect(confirmed.origin == .confirmedStore)
        #expect(confirmed.attempts == 2)
    }

    @Test("A stored response keeps the coding that its request asked for")
    func ownCoding() async throws {
        let setup = try Setup([.json("1", headers: [.cacheControl: "max-age=60", "Content-Encoding": "br"])])
        let coding = Endpoint<String>.get("count", headers: ["Accept-Encoding": "br"]) {
            $0.headers["Content-Encoding"] ?? "-"
        }
        for _ in 1...2 { #expect(try await setup.client.value(coding) == "br") }
        #expect(setup.mock.requests.count == 1)
    }

    @Test("only-if-cached sends nothing")
    func onlyIfCached() async throws {
        let setup = try Setup([.json("1", headers: [.cacheControl: "max-age=60"])])
        let cached = Endpoint<Int>.get("count", headers: [.cacheControl: "only-if-cached"])
        await #expect(throws: FetchError.self) { _ = try await setup.client.value(cached) }
        #expect(try await setup.value() == 1)
        #expect(try await setup.client.value(cached) == 1)
        setup.clock.advance(60)
        await expectError(
            "The stored response for https://example.com/count is 60 s old, older than the 60 s allowed; choose a policy that uses "
                + "the network."
        ) { _ = try await setup.client.value(cached) }
        #expect(setup.mock.requests.count == 1)
    }

    @Test("A response to a request with no-store is not stored")
    func askedNoStore() async throws {
        let setup = try Setup([.json("1", headers: [.cacheControl: "max-age=60"]), .json("2")])
        let unstored = Endpoint<Int>.get("count", headers: [.cacheControl: "no-store"])
        #expect(try await setup.client.value(unstored) == 1)
        #expect(setup.store.count == 0)
        #expect(try await setup.value() == 2)
    }

    @Test(
        "A stored date that is not a number, or in the infinite past, makes a response old",
        arguments: [["Expires": "Sun, 06 Nov 2094 08:50:37 GMT"], [.lastModified: "Sun, 06 Nov 1994 08:48:37 GMT"]]
            as [HTTPHeaders], [Double.nan, -.infinity])
    func strangeDates(fields: HTTPHeaders, seconds: Double) async throws {
        let setup = try Setup([.json("2")])
        let request = try setup.client.transportRequest(for: setup.count)
        setup.store.save(
            StoredResponse(
                url: request.url, headers: fields, body: Data("1".utf8),
                date: Date(timeIntervalSinceReferenceDate: seconds)),
            for: try #require(Persistence.defaultKey(for: request)))
        #expect(try await setup.value() == 2)
    }

    @Test("An unsafe request makes responses stale that were requested before it ended, for its account")
    func invalidation() async throws {
        let young: HTTPHeaders = [.cacheControl: "max-age=60", .eTag: "\"a\""]
        let setup = try Setup([.json("1", headers: young), .status(304), .json("2", headers: young)])
        setup.mock.on(.post, "/count", .sequence([.status(201), .status(500), .status(204)]))
        var (alice, bob) = (setup.client, setup.client)
        (alice.account, bob.account) = ("alice", "bob")
        let post = Endpoint<Void>.post("count")
        #expect(try await alice.value(setup.count) == 1)
        setup.clock.advance(1)
        try await alice.send(post)
        setup.clock.advance(1)
        #expect(try await alice.response(setup.count).origin == .confirmedStore)
        await #expect(throws: RequestError.self) { try await alice.send(post) }
        #expect(try await alice.response(setup.count).origin == .store(setup.clock.date))
        setup.clock.advance(1)
        try await bob.send(post)
        #expect(try await alice.value(setup.count) == 1)
        #expect(try await bob.value(setup.count) == 2)
        #expect(setup.mock.requests.count { $0.method == .get } == 3)
        try await alice.signOut(account: "alice")
        try await bob.signOut(account: "bob")
        #expect(setup.store.count == 0)
    }

    @Test("A response requested before a change and received after it is confirmed")
    func overtaken() async throws {
        let gate = Gate()
        let young: HTTPHeaders = [.cacheControl: "max-age=60"]
        let setup = try Setup([.json("1", headers: young).held(at: gate), .json("2", headers: young)])
        setup.mock.on(.delete, "/count", .status(204))
        async let first = setup.client.value(setup.count)
        try await gate.arrivals(atLeast: 1)
        setup.clock.advance(1)
        try await setup.client.send(.delete("count"))
        gate.open()
        #expect(try await first == 1)
        setup.clock.advance(1)
        #expect(try await setup.value() == 2)
        #expect(try await setup.value() == 2)
    }

    @Test(
        "A response does not replace one that was requested later, unless the clock was set back",
        arguments: [(0.0, 2), (-5, 1)])
    func outOfOrder(seconds: Double, kept: Int) async throws {
        let gate = Gate()
        let setup = try Setup([.json("1").held(at: gate), .json("2")])
        async let first = setup.client.value(setup.count)
        try await gate.arrivals(atLeast: 1)
        setup.clock.advance(10)
        #expect(try await setup.value() == 2)
        setup.clock.advance(seconds)
        gate.open()
        #expect(try await first == 1)
        #expect(try await setup.client.value(setup.count, policy: .cacheOnly) == kept)
    }

    @Test("Locations on the same origin become stale, others do not")
    func locations() async throws {
        let young = MockResponse.json("1", headers: [.cacheControl: "max-age=60"])
        let setup = try Setup([young])
        for path in ["/a", "/b", "/c"] { setup.mock.on(.get, path, young) }
        setup.mock.on(
            .post, "/count",
            .status(201, headers: ["Location": "/a", "Content-Location": "https://example.com:444/b"]))
        for path in ["a", "b"] { _ = try await setup.client.value(Endpoint<Int>.get(URLReference(verbatim: path))) }
        setup.clock.advance(1)
        try await setup.client.send(.post("count"))
        #expect(try await setup.client.response(Endpoint<Int>.get("a")).origin == .network)
        #expect(try await setup.client.response(Endpoint<Int>.get("b")).origin != .network)
    }

    @Test(
        "A change concerns the URL in each of its spellings, and no other URL",
        arguments: [
            ("/a/~b", "HTTPS://Example.COM:443/a/%7eb", true), ("/%C3%A9/%2F", "/%c3%a9/%2f", true),
            ("/a?q=~", "/x/./../a?q=%7E", true), ("//a", "https://example.com/b/..//a", true),
            ("/", "https://example.com", true), ("/a", " /a ", true), ("/a/b", "/a%2Fb", false), ("/a", "/A", false),
            ("/a", "//a", false), ("/a", "/a/", false), ("/a?q=1&r", "/a?r&q=1", false), ("/a?q=/../b", "/b", false),
        ])
    func spellings(path: String, location: String, isChanged: Bool) async throws {
        let setup = try Setup([])
        setup.mock.on("GET", where: { $0.method == .get }, .json("1", headers: [.cacheControl: "max-age=60"]))
        setup.mock.on(.post, "/count", .status(201, headers: ["Location": location]))
        let url = try #require(URL(string: "https://example.com" + path))
        let get = Endpoint<Int>.get(.url(url))
        #expect(try await setup.client.value(get) == 1)
        setup.clock.advance(1)
        try await setup.client.send(.post("count"))
        #expect(try await (setup.client.response(get).origin == .network) == isChanged)
    }

    @Test("HEAD updates the stored response to GET that it describes, and makes another one stale")
    func head() async throws {
        let setup = try Setup([
            .json("1", headers: [.cacheControl: "max-age=60", .eTag: "\"a\""]), .json("2", headers: [.eTag: "\"b\""]),
        ])
        setup.mock.on(
            .head, "/count",
            .sequence([
                .status(
                    200, headers: [.eTag: "\"a\"", .cacheControl: "max-age=60", .contentLength: "1", "X-New": "1"]),
                .status(200, headers: [.eTag: "\"b\""]),
            ]))
        let head = Endpoint<Void>.head("count", headers: [.accept: "application/json"])
        #expect(try await setup.value() == 1)
        setup.clock.advance(50)
        try await setup.client.send(head)
        setup.clock.advance(50)
        #expect(try await setup.client.response(setup.count).headers["X-New"] == "1")
        try await setup.client.send(head)
        #expect(try await setup.value() == 2)
    }

    @Test(
        "HEAD with the length of another body makes the stored response to GET stale, also if HEAD has a key",
        arguments: [false, true])
    func headOfAnotherLength(hasKey: Bool) async throws {
        var setup = try Setup([.json("1", headers: [.cacheControl: "max-age=60"]), .json("2000")])
        if hasKey { setup.client.persistence?.key = Persistence.keyWithBody }
        setup.mock.on(.head, "/count", .status(200, headers: [.contentLength: "4", .cacheControl: "max-age=60"]))
        #expect(try await setup.value() == 1)
        setup.clock.advance(50)
        try await setup.client.send(.head("count", headers: [.accept: "application/json"]))
        #expect(try await setup.value() == 2000)
    }

    @Test("HEAD with another status than 200 does not renew the stored response")
    func headOfAbsent() async throws {
        let setup = try Setup([.json("1", headers: [.cacheControl: "max-age=60"]), .json("2")])
        setup.mock.on(.head, "/count", .status(404))
        #expect(try await setup.value() == 1)
        setup.clock.advance(50)
        let exists = Endpoint<Bool>.head("count", headers: [.accept: "application/json"], accepting: [200, 404]) {
            $0.status == 200
        }
        #expect(try await !setup.client.value(exists))
        setup.clock.advance(20)
        #expect(try await setup.value() == 2)
    }

    @Test("An older response than the policy allows replaces a failed one only with stale-if-error")
    func olderThanAllowed() async throws {
        let setup = try Setup([
            .json("1", headers: [.cacheControl: "max-age=3600"]), .failure(.offline), .status(503), .status(503),
        ])
        #expect(try await setup.value() == 1)
        setup.clock.advance(100)
        let policy = FetchPolicy.cacheControl.maxAge(.seconds(60))
        await #expect(throws: FetchError.self) { _ = try await setup.client.value(setup.count, policy: policy) }
        await #expect(throws: RequestError.self) { _ = try await setup.client.value(setup.count, policy: policy) }
        let again = Endpoint<Int>.get("count", headers: [.cacheControl: "no-cache"])
        await #expect(throws: RequestError.self) { _ = try await setup.client.value(again) }
        #expect(try await setup.value() == 1)
        #expect(setup.mock.requests.count == 4)
    }

    // MARK: Redirects

    private func client(over transport: StubTransport) -> APIClient {
        APIClient(
            transport: Anonymous(base: transport), baseURL: URL(string: "https://example.com"),
            persistence: Persistence(MemoryStore()))
    }

    /// A client whose server redirects `/latest` to other places, and gives each a tag "1".
    private func redirecting(to places: [String]) -> (APIClient, StubTransport) {
        let rest = Mutex(places[...])
        let transport = StubTransport { request in
            let request = try request.prepared()
            guard request.url.path == "/latest", let place = rest.withLock({ $0.popFirst() }) else {
                return .stub("0", status: 404, url: request.url)
            }
            let url = URL(string: place, relativeTo: request.url)?.absoluteURL ?? request.url
            // The second place has a representation with the tag of the first.
            if request.headers[.ifNoneMatch] != nil { return .stub("", status: 304, url: url) }
            let headers: HTTPHeaders = [
                .contentType: "application/json", .eTag: "\"1\"", .cacheControl: "max-age=31536000",
            ]
            return .stub(String(place.suffix(1)), headers: headers, url: url)
        }
        return (client(over: transport), transport)
    }

    @Test(
        "What a redirect led to is confirmed for its own URL alone, and never served as fresh",
        arguments: ["/v", "/v?id="])
    func redirected(place: String) async throws {
        // The third answers a 304 for another place than the stored one, so that the fourth is asked without a tag.
        let (client, transport) = redirecting(to: [1, 1, 2, 2].map { "\(place)\($0)" })
        let latest = Endpoint<Int>.get("latest")
        var values: [Int] = []
        for _ in 1...3 { values.append(try await client.value(latest)) }
        #expect(values == [1, 1, 2])
        #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"1\"", "\"1\"", nil])
    }

    @Test("What a redirect to another query led to is never served as fresh", arguments: TransportUnderTest.allCases)
    func redirectedByQuery(_ kind: TransportUnderTest) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let users = Mutex([1, 1, 2][...])
        server.on(.get, "/me") { request in
            guard let query = request.query else {
                return .status(302, headers: ["Location": "/me?\(users.withLock { $0.popFirst() } ?? 0)"])
            }
            let headers: HTTPHeaders = [.eTag: "\"\(query)\"", .cacheControl: "max-age=600"]
            let isCurrent = request.headers[.ifNoneMatch] == headers[.eTag]
            return isCurrent ? .status(304, headers: headers) : .json(query, headers: headers)
        }
        let client = APIClient(
            transport: kind.make(), baseURL: server.url, persistence: Persistence(MemoryStore()))
        let me = Endpoint<Int>.get("me")
        #expect(try await client.value(me) == 1)
        #expect(try await client.response(me).origin == .confirmedStore)
        #expect(try await client.value(me) == 2)
    }

    @Test(
        "A redirect takes a stored response's tag to the origin that gave it alone, also by way of another",
        arguments: TransportUnderTest.allCases)
    func redirectedAway(_ kind: TransportUnderTest) async throws {
        let (server, other) = (try LoopbackServer(), try LoopbackServer())
        defer {
            server.stop()
            other.stop()
        }
        func tagged(_ text: String) -> @Sendable (LoopbackRequest) -> LoopbackResponse {
            { $0.headers[.ifNoneMatch] == nil ? .json(text, headers: [.eTag: "\"1\""]) : .status(304) }
        }
        let moved = LoopbackResponse.redirect(to: other.url("/count").absoluteString)
        server.on(.get, "/count", .sequence([.json("1", headers: [.eTag: "\"1\""]), moved, moved]))
        other.on(.get, "/count", tagged("2"))
        server.on(.get, "/away", .redirect(to: other.url("/back").absoluteString))
        other.on(.get, "/back", .redirect(to: server.url("/latest").absoluteString))
        server.on(.get, "/latest", tagged("3"))
        let client = APIClient(
            transport: kind.make(), baseURL: server.url, persistence: Persistence(MemoryStore()))
        for (path, values) in [("count", [1, 2]), ("away", [3])] {
            for value in values { #expect(try await client.value(Endpoint<Int>.get("\(path)")) == value) }
            let confirmed = try await client.response(Endpoint<Int>.get("\(path)"))
            #expect(confirmed.value == values.last)
            #expect(confirmed.origin == .confirmedStore)
        }
        #expect(other.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"1\"", nil, nil])
        let ofServer = [nil, "\"1\"", nil, nil, nil, "\"1\"", "\"1\""]
        #expect(server.requests.map { $0.headers[.ifNoneMatch] } == ofServer)
    }

    @Test("HEAD that is redirected elsewhere does not renew the stored response", arguments: ["/other", "/count?id=2"])
    func redirectedHead(other: String) async throws {
        let answers = Mutex(["1", "2"][...])
        let transport = StubTransport { request in
            let request = try request.prepared()
            let place = request.method == .head ? other : "/count"
            let url = URL(string: place, relativeTo: request.url)?.absoluteURL ?? request.url
            let headers: HTTPHeaders = [.contentType: "application/json", .cacheControl: "max-age=60"]
            return .stub(
                answers.withLock { request.method == .head ? "" : $0.popFirst() ?? "3" }, headers: headers, url: url)
        }
        let clock = WallClock()
        var client = client(over: transport)
        client.persistence?.now = { clock.date }
        let get = Endpoint<Int>.get("count")
        #expect(try await client.value(get) == 1)
        clock.advance(50)
        try await client.send(.head("count", headers: [.accept: "application/json"]))
        clock.advance(20)
        #expect(try await client.value(get) == 2)
    }

    @Test(
        "An unsafe method changes the URL that it is redirected to, and those that were redirected there",
        arguments: [("/items/", "/items"), ("/items", "/items/")])
    func redirectedChange(asked: String, changed: String) async throws {
        // GET /items and POST /items are redirected to /items/.
        let answers = Mutex(["1", "2"][...])
        let transport = StubTransport { request in
            let request = try request.prepared()
            let url = URL(string: "/items/", relativeTo: request.url)?.absoluteURL ?? request.url
            if request.method == .post { return .stub("0", status: 201, url: url) }
            let headers: HTTPHeaders = [.contentType: "application/json", .cacheControl: "max-age=60"]
            return .stub(answers.withLock { $0.popFirst() } ?? "3", headers: headers, url: url)
        }
        let client = client(over: transport)
        let get = Endpoint<Int>.get(URLReference(verbatim: asked))
        #expect(try await client.value(get) == 1)
        _ = try await client.value(Endpoint<Int>.post(URLReference(verbatim: changed)))
        #expect(try await client.value(get) == 2)
    }

    @Test("A stored response contains no user of its URL")
    func userOfURL() async throws {
        let setup = try Setup([.json("1")])
        let url = try #require(URL(string: "https://alice:s3cret@example.com/count"))
        #expect(try await setup.client.value(Endpoint<Int>.get(.url(url))) == 1)
        let key = try #require(
            setup.client.persistence?.key(try setup.client.transportRequest(for: Endpoint<Int>.get(.url(url)))))
        #expect(!key.contains("alice"))
    }

    /// A client with the default policy, a clock, and `GET /count`.
    private struct Setup {
        let mock = MockTransport()
        let store = MemoryStore()
        let clock = WallClock()
        let count = Endpoint<Int>.get("count")
        var client: APIClient

        init(_ responses: [MockResponse]) throws {
            let base = try #require(URL(string: "https://example.com"))
            client = APIClient(transport: mock, baseURL: base, persistence: Persistence(store))
            client.persistence?.now = { [clock] in clock.date }
            mock.on(.get, "/count", .sequence(responses))
        }

        func value() async throws -> Int { try await client.value(count) }
    }
}

/// A transport that sends nothing of a user.
private struct Anonymous: Transport {
    let base: StubTransport

    func response(to request: TransportRequest) async throws -> TransportResponse {
        try await base.response(to: request)
    }

    func identity(for request: TransportRequest) -> TransportIdentity { .none }
}
