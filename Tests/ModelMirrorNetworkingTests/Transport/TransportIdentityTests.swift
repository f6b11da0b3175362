import Foundation
import ModelMirrorTesting
import Synchronization
import Testing

@testable import ModelMirrorNetworking

@Suite("TransportIdentity", .timeLimit(.hung), .network)
struct TransportIdentityTests {
    private let url = URL(string: "https://api.example.com/gists")!
    private let mock = MockTransport()

    @Test("A request's own credentials are an account, named by a digest that never changes")
    func fields() throws {
        func identity(_ headers: HTTPHeaders, _ url: URL? = nil) -> TransportIdentity {
            var request = TransportRequest(.get, url ?? self.url, headers: headers)
            _ = request.bind(over: mock)
            return request.identity ?? .unknown
        }
        #expect(identity([:]) == .none)
        #expect(identity(["X-Client": "tour"]) == .none)
        let alice = identity([.authorization: "Bearer alice"])
        #expect(alice == .account("325a74b63d60b5a405c1e8e76c7a5ea8"))
        #expect(alice == identity(["authorization": "Bearer alice"]))
        let user = try #require(URL(string: "https://alice:secret@api.example.com/gists"))
        let all = [
            alice, identity([.authorization: "Bearer bob"]), identity([.cookie: "Bearer alice"]),
            identity([.authorization: "Bearer alice", .cookie: "a=1"]), identity([:], user),
        ]
        #expect(Set(all).count == 5)
        #expect(identity([.authorization: "Bearer alice"], user) == alice)
    }

    @Test("Joined identities: none changes nothing, unknown wins, accounts are concatenated")
    func joined() {
        for (first, second, both) in [
            (.none, .none, .none), (.account("alice"), .none, .account("alice")), (.none, .unknown, .unknown),
            (.account("alice"), .unknown, .unknown),
            (.account("alice"), .account("key"), .account("alice\nkey")),
            (.account("alice"), .account("alice"), .account("alice")),
            (.account("alice\nkey"), .account("key\nb"), .account("alice\nkey\nb")),
        ] as [(TransportIdentity, TransportIdentity, TransportIdentity)] {
            #expect(first.joined(with: second) == both, "\(first), \(second)")
        }
    }

    @Test("A name with a line break is one name, not those that were joined, wherever the program gives it")
    func lineBreaks() async throws {
        mock.on(.get, "/gists", .sequence([.text("ada's"), .text("eve's")]))
        let device = InterceptingTransport(mock, account: .account("device-7"), adapting: { _ in })
        var ada = APIClient(transport: device, persistence: .keeping(MemoryStore()))
        var eve = ada
        let request = TransportRequest(.get, url)
        (ada.account, eve.account) = ("ada", "ada\ndevice-7")
        let endpoint = Endpoint<Data>.get(.url(url))
        #expect(try ada.transportRequest(for: endpoint).identity == .account("ada\ndevice-7"))
        #expect(try eve.transportRequest(for: endpoint).identity == .account("ada\u{1}10.device-7\ndevice-7"))
        for _ in 1...2 {
            #expect(try await ada.value(endpoint) == Data("ada's".utf8))
            #expect(try await eve.value(endpoint) == Data("eve's".utf8))
        }
        let name = "a\r\n\0\u{1}\\b", escaped = TransportIdentity.account("a\r\u{1}10.\u{1}0.\u{1}1.\\b")
        let transports: [any Transport] = [
            InterceptingTransport(mock, account: .account(name), adapting: { _ in }),
            try AuthenticatingTransport(mock, origins: [url], token: "t", account: { _ in name }),
        ]
        for transport in transports + TransportUnderTest.allCases.map({ $0.make { $0.account = name } }) {
            #expect(transport.identity(for: request) == escaped)
        }
        #expect(TransportIdentity.account("a\r").joined(with: .account("b")).names == ["a\r", "b"])
        #expect(TransportIdentity.account("").joined(with: .account("b")) == .account("\u{1}\nb"))
    }

    @Test("Signing out does not end an account whose name continues on another line")
    func signOutOfFirstLine() async throws {
        mock.on(.get, "/gists", .sequence([.text("1"), .text("2")]))
        var client = APIClient(transport: mock, persistence: .keeping(MemoryStore()))
        let endpoint = Endpoint<Data>.get(.url(url))
        client.account = "ada\nzoe"
        _ = try await client.value(endpoint)
        try await client.signOut(account: "ada")
        #expect(try await client.value(endpoint) == Data("1".utf8))
        try await client.signOut(account: "ada\nzoe")
        #expect(try await client.value(endpoint) == Data("2".utf8))
    }

    @Test("Signing out removes responses whose key ends with a mark that combines with what follows")
    func signOutWithMark() async throws {
        mock.on(.get, "/gists", .sequence([.text("1"), .text("2")]))
        var client = APIClient(transport: mock, persistence: .keeping(MemoryStore()))
        client.persistence?.key = { "\($0.url)\u{600}" }
        client.account = "ada"
        let endpoint = Endpoint<Data>.get(.url(url))
        _ = try await client.value(endpoint)
        try await client.signOut(account: "ada")
        #expect(try await client.value(endpoint) == Data("2".utf8))
    }

    @Test("A client's account stands for what is unknown, beside the names that layers give")
    func accountBesideUnknown() throws {
        let named = InterceptingTransport(
            Named(base: mock, name: { .unknown }), account: .account("bob"), adapting: { _ in })
        var client = APIClient(transport: named)
        let endpoint = Endpoint<Data>.get(.url(url))
        #expect(try client.transportRequest(for: endpoint).identity == .unknown)
        client.account = "alice"
        #expect(try client.transportRequest(for: endpoint).identity == .account("alice\nbob"))
        client.account = "bob"
        #expect(try client.transportRequest(for: endpoint).identity == .account("bob"))
    }

    @Test("Wrapping transports have the identity of their base")
    func wrapping() throws {
        let request = TransportRequest(.get, url)
        for identity in [TransportIdentity.none, .account("alice"), .unknown] {
            let base = Named(base: mock, name: { identity })
            let wrapping: [any Transport] = [
                RetryTransport(base), LoggingTransport(base), CoalescingTransport(base), ReachabilityTransport(base),
                InterceptingTransport(base),
                InterceptingTransport(base, inspecting: { _, _ in }),
                InterceptingTransport(base, account: .none, adapting: { _ in }, inspecting: { _, _ in }),
            ]
            for transport in wrapping { #expect(transport.identity(for: request) == identity) }
        }
    }

    @Test(
        "Kept cookies make the identity unknown unless the transport has an account",
        arguments: TransportUnderTest.allCases)
    func cookies(_ kind: TransportUnderTest) {
        let request = TransportRequest(.get, url)
        #expect(kind.make().identity(for: request) == .none)
        #expect(kind.make { $0.cookies = .session }.identity(for: request) == .unknown)
        let named = kind.make {
            $0.cookies = .session
            $0.account = "alice"
        }
        #expect(named.identity(for: request) == .account("alice"))
    }

    // MARK: Interceptors

    @Test("An adapting interceptor has an unknown identity unless it names an account")
    func interceptors() {
        struct Stamping: Interceptor {
            func adapt(_ request: inout TransportRequest) async throws { request.headers["X-A"] = "1" }
        }
        struct Signing: Interceptor {
            let name: String
            func identity(for request: TransportRequest) -> TransportIdentity { .account(name) }
        }
        let request = TransportRequest(.get, url)
        func identity(_ interceptors: any Interceptor...) -> TransportIdentity {
            InterceptingTransport(mock, interceptors: interceptors).identity(for: request)
        }
        #expect(identity(Stamping()) == .unknown)
        #expect(InterceptingTransport(mock, adapting: { _ in }).identity(for: request) == .unknown)
        let named = InterceptingTransport(mock, account: .account("alice"), adapting: { _ in })
        #expect(named.identity(for: request) == .account("alice"))
        #expect(identity(Signing(name: "alice"), Stamping()) == .unknown)
        #expect(identity(Signing(name: "a"), Signing(name: "b")) == .account("a\nb"))
    }

    @Test("A request is not sent if another user signed in while it was adapted")
    func switchWhileAdapting() async throws {
        mock.on(.post, "/gists", .status(200))
        let session = Session()
        let adapting = Gate()
        let transport = InterceptingTransport(mock, account: .account(session.user)) { request in
            try await adapting.enter()
            try request.headers.setBearerAuthorization(session.user)
        }
        let task = Task { try await transport.response(to: TransportRequest(.post, url)) }
        try await adapting.arrivals()
        session.signIn("bob")
        adapting.open()
        await expectAccountChanged(task)
        #expect(mock.requests.isEmpty)
        #expect(try await transport.response(to: TransportRequest(.post, url)).status == 200)
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Bearer bob"])
    }

    // MARK: Sharing

    @Test("Requests of one account share a transfer, those of two accounts do not")
    func sharing() async throws {
        let gate = Gate()
        mock.on(.get, "/gists") { request in
            .text(request.headers[.authorization] ?? "-").held(at: gate)
        }
        let signedIn = try AuthenticatingTransport(
            mock, origins: [url], token: "alice-1", account: { String($0.prefix { $0 != "-" }) })
        let transport = CoalescingTransport(signedIn)
        let executor = StepExecutor()
        func start() -> Task<String, any Error> {
            Task(executorPreference: executor) {
                let response = try await transport.response(to: TransportRequest(.get, url))
                return String(decoding: try await response.body.collect(limit: 100), as: UTF8.self)
            }
        }
        let first = start()
        try await gate.arrivals()
        signedIn.credential = "alice-2"
        let second = start()
        await executor.settle()
        signedIn.credential = "bob-1"
        let third = start()
        try await gate.arrivals(atLeast: 2)
        gate.open()
        #expect(try await first.value == "Bearer alice-1")
        #expect(try await second.value == "Bearer alice-1")
        #expect(try await third.value == "Bearer bob-1")
        #expect(mock.requests.count == 2)
    }

    @Test("Pages after a shared transfer are bound to the sign-ins that it was sent under")
    func pagesAfterASharedTransfer() async throws {
        mock.on(.get, "/gists", .json("[1]", headers: [.link: "<?page=2>; rel=\"next\""]))
        let signedIn = try AuthenticatingTransport(
            mock, origins: [url], token: nil, account: { String($0.prefix { $0 != "-" }) })
        // Not known when the request is bound, since the transport around it does not ask it.
        var client = APIClient(transport: CoalescingTransport(SilentTransport(base: signedIn)))
        client.account = "alice"
        var pages = client.pages(Endpoint<[Int]>.get(.url(url)), by: LinkPagination()).makeAsyncIterator()
        #expect(try await pages.next()?.elements == [1])
        signedIn.credential = "bob-1"
        await expectAccountChanged { _ = try await pages.next() }
        #expect(mock.requests.map { $0.headers[.authorization] } == [nil])
    }

    @Test("A declared field that another layer replaces is not declared")
    func replacedField() async throws {
        mock.on(.get, "/gists", .json("[1]"))
        let replacing = Replacing(base: mock)
        let transport = try AuthenticatingTransport(replacing, origins: [url], token: "alice", account: { $0 })
        let incidents = Mutex<[String]>([])
        var persistence = Persistence.keeping(MemoryStore())
        persistence.report = { incident, _ in incidents.withLock { $0.append("\(incident)") } }
        let client = APIClient(transport: transport, persistence: persistence)
        #expect(try await client.value(Endpoint<[Int]>.get(.url(url))) == [1])
        await #expect(throws: FetchError.self) {
            _ = try await client.value(Endpoint<[Int]>.get(.url(url)), policy: .cacheOnly)
        }
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Bearer bob"])
        #expect(incidents.withLock { $0 } == ["\(Persistence.Incident.undeclared(["Authorization"]))"])
    }

    @Test("Requests of an unknown account are not shared, which is reported")
    func unshared() async throws {
        let gate = Gate()
        mock.on(.get, "/gists", .status(200).held(at: gate))
        let told = Mutex<[URL]>([])
        let transport = CoalescingTransport(Named(base: mock, name: { .unknown })) { request in
            told.withLock { $0.append(request.url) }
        }
        let tasks = (1...2).map { _ in Task { try await transport.response(to: TransportRequest(.get, url)) } }
        try await gate.arrivals(atLeast: 2)
        gate.open()
        for task in tasks { #expect(try await task.value.status == 200) }
        #expect(told.withLock(\.self) == [url, url])
    }
}

private struct Named: Transport {
    let base: any Transport
    let name: @Sendable () -> TransportIdentity

    func response(to request: TransportRequest) async throws -> TransportResponse {
        try await base.response(to: request)
    }

    func identity(for request: TransportRequest) -> TransportIdentity { name() }
}

/// Replaces the credential.
private struct Replacing: Transport {
    let base: any Transport

    func response(to request: TransportRequest) async throws -> TransportResponse {
        var request = request
        request.headers[.authorization] = "Bearer bob"
        return try await base.response(to: request)
    }

    func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }
}

private final class Session: Sendable {
    private let name = Mutex("alice")

    var user: String { name.withLock(\.self) }

    func signIn(_ user: String) { name.withLock { $0 = user } }
}
