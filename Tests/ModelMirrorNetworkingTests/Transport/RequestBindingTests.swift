import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("RequestBinding", .timeLimit(.hung), .network)
struct RequestBindingTests {
    private let api = URL(string: "https://api.example.com")!
    private let clock = ManualClock()
    private let mock = MockTransport()

    @Test("A retry is not sent for a user who signed in meanwhile, even if nobody names accounts")
    func retry() async throws {
        mock.on(.delete, "/gists/1", .sequence([.status(503), .status(204)]))
        let signedIn = try AuthenticatingTransport(mock, origins: [api], token: "alice")
        let client = APIClient(transport: RetryTransport(signedIn, clock: clock, random: { 1 }), baseURL: api)
        let deletion = Task { try await client.send(.delete("gists/1")) }
        try await clock.sleepers(atLeast: 1)
        signedIn.credential = "bob"
        clock.advance(by: .seconds(60))
        await expectAccountChanged(deletion)
        #expect(mock.authorizations == ["Bearer alice"])
    }

    @Test(
        "The pages of one iteration are those of one user",
        arguments: [("alice", "bob"), ("jos\u{E9}", "jose\u{301}")])
    func pages(alice: String, bob: String) async throws {
        mock.on(.get, "/gists") { .json("[\"\($0.headers[.authorization] ?? "-")\"]") }
        let signedIn = try AuthenticatingTransport(mock, origins: [api], token: "\(alice)-1", account: user)
        let client = APIClient(transport: signedIn, baseURL: api)
        var pages = client.pages(Endpoint<[String]>.get("gists")).makeAsyncIterator()
        #expect(try await pages.next()?.elements == ["Bearer \(alice)-1"])
        #expect(try await pages.next()?.elements == ["Bearer \(alice)-1"])
        signedIn.credential = "\(bob)-1"
        await expectAccountChanged { _ = try await pages.next() }
        #expect(mock.authorizations == ["Bearer \(alice)-1", "Bearer \(alice)-1"])
    }

    @Test("A page is not requested through a client of another user, and is through another client of the same one")
    func pageThroughAnotherClient() async throws {
        mock.on(.get, "/gists") { .json("[\"\($0.headers[.authorization] ?? "-")\"]") }
        let clients = try ["alice-1", "bob-1", "alice-2", nil].map { token in
            let signedIn = try AuthenticatingTransport(mock, origins: [api], token: token, account: user)
            return APIClient(transport: signedIn, baseURL: api)
        }
        let first = try await clients[0].value(clients[0].pages(Endpoint<[String]>.get("gists")).endpoint)
        let next = try #require(first.next)
        await expectAccountChanged { _ = try await clients[1].value(next) }
        let second = try await clients[2].value(next)
        await expectAccountChanged { _ = try await clients[1].value(try #require(second.next)) }
        let anonymous = try await clients[3].value(next)
        await expectAccountChanged { _ = try await clients[1].value(try #require(anonymous.next)) }
        #expect(mock.authorizations == ["Bearer alice-1", "Bearer alice-2", "-"])
    }

    @Test("Nor is it where a transport without an identity hides the layer that signs in", arguments: [true, false])
    func pageThroughAnotherHiddenLayer(isInterceptor: Bool) async throws {
        mock.on(.get, "/gists") { .json("[\"\($0.headers[.authorization] ?? "-")\"]") }
        let clients = try ["alice-1", "bob-1", "alice-2"].map { token in
            let layer: any Transport =
                isInterceptor
                ? InterceptingTransport(mock, account: .account(user(ofToken: token) ?? "")) { request in
                    try request.headers.setBearerAuthorization(token)
                } : try AuthenticatingTransport(mock, origins: [api], token: token, account: user)
            return APIClient(transport: RetryTransport(SilentTransport(base: layer)), baseURL: api)
        }
        let first = try await clients[0].value(clients[0].pages(Endpoint<[String]>.get("gists")).endpoint)
        let next = try #require(first.next)
        await expectAccountChanged { _ = try await clients[1].value(next) }
        let second = try await clients[2].value(next)
        await expectAccountChanged { _ = try await clients[1].value(try #require(second.next)) }
        #expect(mock.authorizations == ["Bearer alice-1", "Bearer alice-2"])
    }

    @Test("A response in flight when the account's responses are removed is delivered and not stored")
    func removal() async throws {
        let gate = Gate()
        mock.echo(at: gate)
        let signedIn = try AuthenticatingTransport(mock, origins: [api], token: "alice-1", account: user)
        let client = APIClient(transport: signedIn, baseURL: api, persistence: Persistence.keeping(MemoryStore()))
        let value = Task { try await client.value(seen) }
        try await gate.arrivals()
        try await client.persistence?.removeAll(for: "alice")
        gate.open()
        #expect(try await value.value == "Bearer alice-1")
        #expect(try await client.stored() == nil)
        #expect(try await client.value(seen) == "Bearer alice-1")
        #expect(try await client.stored() == "Bearer alice-1")
    }

    @Test("A transport that stamps a key and has its base's identity does not share responses of two keys")
    func stamping() async throws {
        mock.echo("X-Key")
        let key = Observed("alice")
        var client = APIClient(
            transport: StampingTransport(mock) { key.value }, baseURL: api,
            persistence: Persistence.keeping(MemoryStore()))
        client.persistence?.report = { _, _ in }
        #expect(try await client.value(seen) == "alice")
        key.update { $0 = "bob" }
        #expect(try await client.value(seen) == "bob")
    }

    /// How a program's own layer has an account.
    enum OwnAccount: CaseIterable, Sendable {
        case named, namedWithToken, token
    }

    @Test(
        "A transport of the program's own may have an account over each built-in transport",
        arguments: TransportUnderTest.allCases, OwnAccount.allCases)
    func ownAccount(_ kind: TransportUnderTest, _ account: OwnAccount) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on(.get, "/me") { .json("\"\($0.headers[.authorization] ?? $0.headers["X-Key"] ?? "-")\"") }
        let layer =
            switch account {
            case .named: StampingTransport(kind.make(), account: { .account("alice") }) { "mine" }
            case .namedWithToken:
                StampingTransport(kind.make(), .authorization, account: { .account("alice") }) { "mine" }
            case .token: StampingTransport(kind.make(), .authorization) { "mine" }
            }
        #expect(try await APIClient(transport: layer, baseURL: server.url).value(seen) == "mine")
    }

    @Test("The client's account is joined with the transport's")
    func joining() async throws {
        mock.echo()
        let store = MemoryStore()
        for round in 1...2 {
            for name in ["alice", "bob"] {
                let signedIn = try AuthenticatingTransport(mock, origins: [api], token: "\(name)-1", account: user)
                var client = APIClient(transport: signedIn, baseURL: api, persistence: Persistence.keeping(store))
                client.account = "tenant"
                #expect(try await client.value(seen) == "Bearer \(name)-1", "round \(round)")
            }
        }
        #expect(mock.authorizations == ["Bearer alice-1", "Bearer bob-1"])
    }

    @Test(
        "Two accounts over one transport have cookies of their own",
        arguments: TransportUnderTest.allCases, [CookiePolicy.session, .shared])
    func cookies(_ kind: TransportUnderTest, _ policy: CookiePolicy) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on(.post, "/sign-in", .status(204, headers: [.setCookie: "binding=alice"]))
        server.on(.get, "/me") { .json("\"\($0.headers[.cookie] ?? "-")\"") }
        let transport = kind.make { $0.cookies = policy }
        var alice = APIClient(transport: transport, baseURL: server.url)
        alice.account = "alice"
        var bob = alice
        bob.account = "bob"
        try await alice.send(.post("sign-in"))
        #expect(try await bob.value(seen) == "-")
        #expect(try await alice.value(seen) == "binding=alice")
    }

    @Test(
        "Accounts whose names differ only in their Unicode form have cookies and sign-outs of their own",
        arguments: TransportUnderTest.allCases)
    func unicodeForms(_ kind: TransportUnderTest) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on(.post, "/sign-in", .status(204, headers: [.setCookie: "binding=one"]))
        server.on(.get, "/me") { .json("\"\($0.headers[.cookie] ?? "-")\"") }
        let transport = kind.make { $0.cookies = .session }
        var one = APIClient(transport: transport, baseURL: server.url)
        one.account = "jos\u{E9}"
        var other = one
        other.account = "jose\u{301}"
        try await one.send(.post("sign-in"))
        #expect(try await other.value(seen) == "-")
        try await other.signOut(account: "jose\u{301}")
        #expect(try await one.value(seen) == "binding=one")
    }

    @Test("A request that started signed out is not retried as the user who signed in meanwhile")
    func signedOut() async throws {
        mock.on(.get, "/me", .sequence([.status(503), .json("\"-\"")]))
        let signedIn = try AuthenticatingTransport(
            mock, origins: [api], token: nil, refresh: { _, _ in "carol-1" }, account: user)
        let client = APIClient(transport: RetryTransport(signedIn, clock: clock, random: { 1 }), baseURL: api)
        let value = Task { try await client.value(seen) }
        try await clock.sleepers(atLeast: 1)
        signedIn.credential = "bob-1"
        clock.advance(by: .seconds(60))
        await expectAccountChanged(value)
        #expect(mock.authorizations == ["-"])
    }

    @Test("A redirect is not followed for a user who has signed out", arguments: TransportUnderTest.allCases)
    func redirectAfterSigningOut(_ kind: TransportUnderTest) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let gate = Gate()
        server.on(.get, "/me", LoopbackResponse.redirect(to: "/moved").held(at: gate))
        server.on(.get, "/moved", .json("\"moved\""))
        let signedIn = try AuthenticatingTransport(kind.make(), origins: [server.url], token: "alice-1", account: user)
        let client = APIClient(transport: signedIn, baseURL: server.url)
        let value = Task { try await client.value(seen) }
        try await gate.arrivals()
        signedIn.credential = nil
        gate.open()
        await expectAccountChanged(value)
        #expect(server.requests.map(\.path) == ["/me"])
    }

    @Test("A redirect to another origin carries no field that adapt added", arguments: TransportUnderTest.allCases)
    func redirect(_ kind: TransportUnderTest) async throws {
        let (server, other) = (try LoopbackServer(), try LoopbackServer())
        defer {
            server.stop()
            other.stop()
        }
        server.on(.get, "/me", .redirect(to: other.url("/me").absoluteString))
        other.on(.get, "/me", .json("\"moved\""))
        let keyed = try AuthenticatingTransport(kind.make(), origins: [server.url], credential: "s3cret") {
            $0.headers["X-Key"] = $1
        }
        #expect(try await APIClient(transport: keyed, baseURL: server.url).value(seen) == "moved")
        #expect(server.requests.map { $0.headers["X-Key"] } == ["s3cret"])
        #expect(other.requests.map { $0.headers["X-Key"] } == [nil])
    }
}
