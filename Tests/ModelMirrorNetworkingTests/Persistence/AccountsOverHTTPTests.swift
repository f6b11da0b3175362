import Foundation
import ModelMirror
import ModelMirrorTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import ModelMirrorNetworking

/// No account is served another's responses: over a real connection, in both orders of the layers, with both stores.
@Suite("Accounts over HTTP", .timeLimit(.hung), .network)
final class AccountsOverHTTPTests: Sendable {
    /// The order of the layers inside the client.
    enum Order: CaseIterable, Sendable {
        case coalescingOutside, authenticatingOutside
    }

    private let server: LoopbackServer
    private let folder = FileManager.default.temporaryDirectory.appending(path: "accounts-\(UUID())")
    /// The Authorization fields to which the server responds 401.
    private let expired = Observed<Set<String>>([])
    private let gate = Gate()
    private let me = Endpoint<[StoredGist]>.get("me")

    init() throws {
        server = try LoopbackServer()
        for method in [HTTPMethod.get, .post] {
            server.on(method, "/me") { [expired] request in
                let token = request.headers[.authorization] ?? ""
                if expired.value.contains(token) { return .status(401) }
                return .json("[{\"id\": \(AccountsOverHTTPTests.id(of: token))}]")
            }
            server.on(method, "/held") { [gate] request in
                let token = request.headers[.authorization] ?? ""
                return .json("[{\"id\": \(AccountsOverHTTPTests.id(of: token))}]").held(at: gate)
            }
        }
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func id(of token: String) -> Int {
        token.hasPrefix("Bearer alice") ? 1 : token.hasPrefix("Bearer bob") ? 2 : token.isEmpty ? 0 : 3
    }

    private func signedIn(
        _ token: String?, _ base: any Transport = SystemTransport.shared,
        refresh: AuthenticatingTransport<String>.Refresh? = nil
    ) throws -> AuthenticatingTransport<String> {
        try AuthenticatingTransport(
            base, origins: [server.url], token: token, refresh: refresh, account: user)
    }

    /// A client over both layers in the given order, and its authenticating layer.
    private func layers(
        _ order: Order, _ token: String?, _ store: (any ResponseStore)? = nil,
        refresh: AuthenticatingTransport<String>.Refresh? = nil
    ) throws -> (client: APIClient, signedIn: AuthenticatingTransport<String>) {
        let signedIn: AuthenticatingTransport<String>
        let transport: any Transport
        switch order {
        case .coalescingOutside:
            signedIn = try self.signedIn(token, refresh: refresh)
            transport = CoalescingTransport(RetryTransport(signedIn))
        case .authenticatingOutside:
            signedIn = try self.signedIn(token, CoalescingTransport(RetryTransport()), refresh: refresh)
            transport = signedIn
        }
        let client = APIClient(
            transport: transport, baseURL: server.url, persistence: store.map { Persistence.keeping($0) })
        return (client, signedIn)
    }

    private func stores() throws -> [any ResponseStore] { [MemoryStore(), try FileStore(folder: folder)] }

    private func ids(_ client: APIClient, _ policy: FetchPolicy = .standard, _ path: URLReference = "me") async throws
        -> [Int]
    {
        try await client.value(Endpoint<[StoredGist]>.get(path), policy: policy).map(\.id)
    }

    private func expectNothingStored(_ client: APIClient, _ path: URLReference = "me") async {
        await #expect(throws: FetchError.self) { _ = try await ids(client, .cacheOnly, path) }
    }

    // MARK: One store

    @Test("Two repositories with one store get their own responses", arguments: Order.allCases)
    func twoRepositories(order: Order) async throws {
        for store in try stores() {
            server.forgetExchanges()
            let alice = AbstractRepository<String>(
                transport: try layers(order, "alice-1").client.transport, baseURL: server.url, store: store)
            let bob = AbstractRepository<String>(
                transport: try layers(order, "bob-1").client.transport, baseURL: server.url, store: store)
            for _ in 1...2 {
                #expect(try await alice.value(me).map(\.id) == [1])
                #expect(try await bob.value(me).map(\.id) == [2])
            }
            #expect(server.requestCount == 2)
        }
    }

    @Test(
        "Signing in as another user hides the previous user's responses until that user is back",
        arguments: Order.allCases)
    func switching(order: Order) async throws {
        for store in try stores() {
            server.forgetExchanges()
            let (client, signedIn) = try layers(order, "alice-1", store)
            #expect(try await ids(client) == [1])
            signedIn.credential = "bob-1"
            await expectNothingStored(client)
            #expect(try await ids(client) == [2])
            signedIn.credential = nil
            await expectNothingStored(client)
            #expect(try await ids(client) == [0])
            signedIn.credential = "alice-2"
            #expect(try await ids(client) == [1])
            #expect(server.requestCount == 3)
        }
    }

    @Test(
        "A request in flight is not shared with another user, and responses are stored separately",
        arguments: Order.allCases)
    func midFlight(order: Order) async throws {
        let (client, signedIn) = try layers(order, "alice-1", MemoryStore())
        async let first = ids(client, .standard, "held")
        _ = try await server.exchanges(atLeast: 1)
        signedIn.credential = "bob-1"
        async let second = ids(client, .standard, "held")
        _ = try await server.exchanges(atLeast: 2)
        gate.open()
        #expect(try await first == [1])
        #expect(try await second == [2])
        #expect(try await ids(client, .cacheOnly, "held") == [2])
        signedIn.credential = "alice-1"
        #expect(try await ids(client, .cacheOnly, "held") == [1])
        #expect(server.requestCount == 2)
    }

    @Test(
        "A 401 after another user signed in is not retried as that user, and nothing is stored",
        arguments: Order.allCases)
    func refusedInFlight(order: Order) async throws {
        for method in [HTTPMethod.get, .post] {
            server.forgetExchanges()
            let refusing = Gate()
            server.on(method, "/me") { request in
                request.headers[.authorization] == "Bearer alice-1"
                    ? .status(401).held(at: refusing) : .json("[{\"id\": 2}]")
            }
            let (client, signedIn) = try layers(order, "alice-1", MemoryStore()) { _, _ in "alice-2" }
            var asking = client
            asking.persistence?.key = Persistence.keyWithBody
            let task = Task { [asking, me] in
                var endpoint = me
                endpoint.method = method
                return try await asking.value(endpoint, policy: .cacheElseNetwork).map(\.id)
            }
            _ = try await server.exchanges(atLeast: 1)
            signedIn.credential = "bob-1"
            refusing.open()
            await expectAccountChanged { _ = try await task.value }
            #expect(server.requests.map { $0.headers[.authorization] } == ["Bearer alice-1"])
            await expectNothingStored(client)
            signedIn.credential = "alice-1"
            await expectNothingStored(client)
        }
    }

    @Test(
        "A request fails if another user signs in during its token refresh, and nothing is stored",
        arguments: Order.allCases)
    func switchDuringRenewal(order: Order) async throws {
        for method in [HTTPMethod.get, .post] {
            server.forgetExchanges()
            expired.update { $0 = ["Bearer alice-1"] }
            let renewing = Gate()
            let (client, signedIn) = try layers(order, "alice-1", MemoryStore()) { _, _ in
                // Ends when signing in cancels the refresh.
                try await renewing.enter()
                return "alice-2"
            }
            let task = Task { [me] in
                var endpoint = me
                endpoint.method = method
                return try await client.value(endpoint).map(\.id)
            }
            try await renewing.arrivals()
            signedIn.credential = "bob-1"
            await expectAccountChanged { _ = try await task.value }
            #expect(server.requests.map { $0.headers[.authorization] } == ["Bearer alice-1"])
            await expectNothingStored(client)
            #expect(try await ids(client) == [2])
            signedIn.credential = "alice-3"
            await expectNothingStored(client)
        }
    }

    @Test("After a token refresh the account's stored responses are still used", arguments: Order.allCases)
    func renewal(order: Order) async throws {
        for store in try stores() {
            server.forgetExchanges()
            expired.update { $0 = [] }
            let (client, signedIn) = try layers(order, "alice-1", store) { _, _ in "alice-2" }
            #expect(try await ids(client) == [1])
            expired.update { $0 = ["Bearer alice-1"] }
            #expect(try await client.value(.post("me") as Endpoint<[StoredGist]>).map(\.id) == [1])
            #expect(signedIn.credential == "alice-2")
            #expect(try await ids(client) == [1])
            #expect(
                server.requests.map { $0.headers[.authorization] } == [
                    "Bearer alice-1", "Bearer alice-1", "Bearer alice-2",
                ])
        }
    }

    // MARK: Ways around the layers

    @Test("A request's own Authorization field counts as an account", arguments: Order.allCases)
    func ownAuthorization(order: Order) async throws {
        let (client, _) = try layers(order, "alice-1", try FileStore(folder: folder))
        var carol = me
        carol.headers[.authorization] = "Bearer carol"
        var bob = me
        bob.headers[.authorization] = "Bearer bob"
        for _ in 1...2 {
            #expect(try await client.value(carol).map(\.id) == [3])
            #expect(try await client.value(bob).map(\.id) == [2])
            #expect(try await ids(client) == [1])
        }
        #expect(server.requestCount == 3)
    }

    @Test(
        "Responses to requests that an interceptor adapts are stored only if it names the account",
        arguments: [true, false])
    func interceptor(namesAccount: Bool) async throws {
        let user = Observed("alice")
        let name: @Sendable () -> String = { user.value }
        let adapt: @Sendable (inout TransportRequest) async throws -> Void = {
            try $0.headers.setBearerAuthorization(name())
        }
        let layer = InterceptingTransport(account: namesAccount ? .account(name()) : .unknown, adapting: adapt)
        var client = APIClient(
            transport: CoalescingTransport(layer), baseURL: server.url,
            persistence: Persistence.keeping(MemoryStore()))
        let unknown = countUnknown(&client)
        for _ in 1...2 {
            user.update { $0 = "alice" }
            #expect(try await ids(client) == [1])
            user.update { $0 = "bob" }
            #expect(try await ids(client) == [2])
        }
        #expect(server.requestCount == (namesAccount ? 2 : 4))
        #expect(unknown.value == (namesAccount ? 0 : 4))
    }

    @Test(
        "Responses that depend on cookies are stored only if the transport names the account",
        arguments: TransportUnderTest.allCases, [nil, "alice"])
    func cookies(_ kind: TransportUnderTest, account: String?) async throws {
        server.on(.post, "/sign-in", .status(204, headers: [.setCookie: "user=alice"]))
        server.on(.get, "/me") { .json("[{\"id\": \($0.headers[.cookie] == "user=alice" ? 1 : 0)}]") }
        let transport = kind.make {
            $0.cookies = .session
            $0.account = account
        }
        var client = APIClient(
            transport: transport, baseURL: server.url, persistence: Persistence.keeping(MemoryStore()))
        let unknown = countUnknown(&client)
        try await client.send(.post("sign-in"))
        for _ in 1...2 { #expect(try await ids(client) == [1]) }
        #expect(server.requestCount == (account == nil ? 3 : 2))
        #expect(unknown.value == (account == nil ? 2 : 0))
    }

    #if !os(Linux) || FoundationNetworking
    /// Credentials that a `URLSessionConfiguration` adds to requests.
    enum Addition: CaseIterable, Sendable {
        case authorization, cookieField, cookie

        func configuration(_ user: String, _ url: URL) -> URLSessionConfiguration {
            let configuration = URLSessionConfiguration.ephemeral
            switch self {
            case .authorization: configuration.httpAdditionalHeaders = ["Authorization": "Bearer \(user)"]
            case .cookieField: configuration.httpAdditionalHeaders = ["cookie": "user=\(user)"]
            case .cookie:
                let cookie = HTTPCookie(properties: [.name: "user", .value: user, .domain: url.host ?? "", .path: "/"])
                if let cookie { configuration.httpCookieStorage?.setCookie(cookie) }
            }
            return configuration
        }
    }

    @Test(
        "With credentials in a URLSessionConfiguration, only a named account stores and shares",
        arguments: Addition.allCases, [true, false])
    func configuration(_ addition: Addition, namesAccount: Bool) async throws {
        server.on(.get, "/me") { request in
            let sent = "\(request.headers[.authorization] ?? "") \(request.headers[.cookie] ?? "")"
            return .json("[{\"id\": \(sent.contains("alice") ? 1 : sent.contains("bob") ? 2 : 0)}]")
        }
        let unknown = Observed(0)
        let unshared = Observed(0)
        for store in try stores() {
            server.forgetExchanges()
            var clients: [APIClient] = []
            for user in ["alice", "bob"] {
                var options = URLSessionTransport.Options()
                if namesAccount { options.account = { .account(user) } }
                let transport = URLSessionTransport(
                    configuration: addition.configuration(user, server.url), options: options)
                var persistence = Persistence.keeping(store)
                persistence.report = { incident, _ in
                    if case .unknownIdentity = incident { unknown.update { $0 += 1 } }
                }
                clients.append(
                    APIClient(
                        transport: CoalescingTransport(transport) { _ in unshared.update { $0 += 1 } },
                        baseURL: server.url, persistence: persistence))
            }
            // A client without credentials, with the same store.
            let nobody = APIClient(
                transport: URLSessionTransport(), baseURL: server.url, persistence: Persistence.keeping(store))
            for _ in 1...2 {
                #expect(try await ids(clients[0]) == [1])
                #expect(try await ids(clients[1]) == [2])
                #expect(try await ids(nobody) == [0])
            }
            #expect(server.requestCount == (namesAccount ? 3 : 5))
        }
        #expect(unknown.value == (namesAccount ? 0 : 8))
        #expect(unshared.value == (namesAccount ? 0 : 8))
    }
    #endif

    @Test("Responses of a transport of unknown identity are not stored or shared")
    func silent() async throws {
        struct Silent: Transport {
            let user: @Sendable () -> String

            func response(to request: TransportRequest) async throws -> TransportResponse {
                var request = request
                request.headers[.authorization] = "Bearer \(user())"
                return try await SystemTransport.shared.response(to: request)
            }
        }
        let user = Observed("alice")
        let transport = CoalescingTransport(Silent { user.value })
        var counted = APIClient(
            transport: transport, baseURL: server.url, persistence: Persistence.keeping(MemoryStore()))
        let unknown = countUnknown(&counted)
        let client = counted
        async let first = ids(client, .standard, "held")
        _ = try await server.exchanges(atLeast: 1)
        user.update { $0 = "bob" }
        async let second = ids(client, .standard, "held")
        _ = try await server.exchanges(atLeast: 2)
        gate.open()
        #expect(try await first == [1])
        #expect(try await second == [2])
        #expect(unknown.value == 2)
        // The account of a client is trusted.
        counted.account = "bob"
        for _ in 1...2 { #expect(try await ids(counted) == [2]) }
        #expect(server.requestCount == 3)
    }

    // MARK: Signing out

    @Test("Signing out removes the files of that account and keeps those of others", arguments: Order.allCases)
    func signOut(order: Order) async throws {
        let (client, signedIn) = try layers(order, "alice-1", try FileStore(folder: folder))
        #expect(try await ids(client) == [1])
        signedIn.credential = "bob-1"
        #expect(try await ids(client) == [2])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        // A new store of the folder, as after the next launch.
        try await Persistence.keeping(try FileStore(folder: folder)).removeAll(for: "alice")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
        #expect(try await ids(client, .cacheOnly) == [2])
        signedIn.credential = "alice-1"
        await expectNothingStored(client)
    }

    /// Counts the responses that were not stored because their account is unknown.
    private func countUnknown(_ client: inout APIClient) -> Observed<Int> {
        let count = Observed(0)
        client.persistence?.report = { incident, _ in
            if case .unknownIdentity = incident { count.update { $0 += 1 } }
        }
        return count
    }
}
