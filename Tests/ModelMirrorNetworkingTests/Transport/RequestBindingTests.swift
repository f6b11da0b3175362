import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("RequestBinding", .timeLimit(.hung), .network)
struct RequestBindingTests {
    private let api = URL(string: "https://api.example.com")!
    private let mock = MockTransport()

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

    @Test(
        "A page is for one user also where a transport without an identity hides the layer that signs in",
        arguments: [true, false])
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
}
