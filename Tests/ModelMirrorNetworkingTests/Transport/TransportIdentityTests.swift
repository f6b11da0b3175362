import Foundation
import ModelMirrorTesting
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

    @Test("A client's account stands for what is unknown, beside the names that layers give")
    func accountBesideUnknown() throws {
        let named = InterceptingTransport(
            SilentTransport(base: mock), account: .account("bob"), adapting: { _ in })
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
            let base = StubTransport(identity: identity) { TransportResponse(status: 200, url: $0.url) }
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
        let user = Observed("alice")
        let adapting = Gate()
        let transport = InterceptingTransport(mock, account: .account(user.value)) { request in
            try await adapting.enter()
            try request.headers.setBearerAuthorization(user.value)
        }
        let task = Task { try await transport.response(to: TransportRequest(.post, url)) }
        try await adapting.arrivals()
        user.update { $0 = "bob" }
        adapting.open()
        await expectAccountChanged(task)
        #expect(mock.requests.isEmpty)
        #expect(try await transport.response(to: TransportRequest(.post, url)).status == 200)
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Bearer bob"])
    }
}
