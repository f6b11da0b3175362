import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

private let api = URL(string: "https://api.example.com")!

/// When a sign-in of an `AuthenticatingTransport` begins and ends, and what a request that waited may still do.
@Suite("Sign-ins", .timeLimit(.hung), .network)
struct SignInTests {
    private let mock = MockTransport()
    private let clock = ManualClock()
    private let executor = StepExecutor()

    /// A client whose retries wait for the clock.
    private func retrying(_ base: any Transport) -> APIClient {
        APIClient(transport: RetryTransport(base, clock: clock, random: { 1 }), baseURL: api)
    }

    /// Tokens that are set one after the other while a request waits, and the token of its retry.
    struct Change: Sendable, CustomTestStringConvertible {
        let from: String?
        let to: [String?]
        /// The second request's field; nil if there is none, since the account changed.
        let retried: String?

        init(_ from: String?, _ to: String?..., retried: String?) {
            self.from = from
            self.to = to
            self.retried = retried
        }

        var testDescription: String { ([from] + to).map { $0 ?? "nil" }.joined(separator: ", ") }

        static let named = [
            Change(nil, "alice-1", retried: nil),
            Change("alice-1", nil, retried: nil),
            Change("alice-1", "bob-1", retried: nil),
            Change("alice-1", "alice-2", retried: "Bearer alice-2"),
            Change("alice-1", "alice-2", "alice-3", retried: "Bearer alice-3"),
            Change("alice-1", "bob-1", "alice-2", retried: nil),
            Change("alice-1", nil, "alice-1", retried: nil),
            Change(nil, "alice-1", nil, retried: nil),
            Change(nil, nil, retried: "-"),
            Change("alice-1", retried: "Bearer alice-1"),
        ]
        static let nameless = [
            Change(nil, "alice-1", retried: nil),
            Change("alice-1", nil, retried: nil),
            Change("alice-1", "bob-1", retried: nil),
            Change("alice-1", "alice-2", retried: nil),
            Change("alice-1", "alice-1", retried: nil),
            Change("alice-1", nil, "alice-1", retried: nil),
            Change(nil, nil, retried: "-"),
            Change("alice-1", retried: "Bearer alice-1"),
        ]
    }

    @Test(
        "With accounts, another account or nil begins a sign-in, and the same account continues it",
        arguments: Change.named, [true, false])
    func named(_ change: Change, canRenew: Bool) async throws {
        try await expect(change, canRenew: canRenew) { user(ofToken: $0) }
    }

    @Test(
        "Without accounts, or if the closure knows none, each credential that is set begins a sign-in",
        arguments: Change.nameless, [(true, false), (false, false), (false, true)])
    func nameless(_ change: Change, layer: (canRenew: Bool, hasClosure: Bool)) async throws {
        let account: AuthenticatingTransport<String>.Account? = if layer.hasClosure { { _ in nil } } else { nil }
        try await expect(change, canRenew: layer.canRenew, account: account)
    }

    private func expect(
        _ change: Change, canRenew: Bool, account: AuthenticatingTransport<String>.Account?
    ) async throws {
        mock.on(.get, "/me", .sequence([.status(503), .json("\"ok\"")]))
        let refresh: AuthenticatingTransport<String>.Refresh = { _, _ in throw RequestError.cancelled }
        let signedIn = try AuthenticatingTransport(
            mock, origins: [api], token: change.from, refresh: canRenew ? refresh : nil, account: account)
        let client = retrying(signedIn)
        let value = Task { try await client.value(seen) }
        try await clock.sleepers(atLeast: 1)
        for token in change.to { signedIn.credential = token }
        try await expect(value, after: change)
    }

    /// Lets the retry that waits begin, and expects it to be sent, or the request to end.
    private func expect(_ value: Task<String, any Error>, after change: Change) async throws {
        clock.advance(by: .seconds(60))
        let first = change.from.map { "Bearer \($0)" } ?? "-"
        if let retried = change.retried {
            #expect(try await value.value == "ok")
            #expect(mock.authorizations == [first, retried])
        } else {
            await expectAccountChanged(value)
            #expect(mock.authorizations == [first])
        }
    }

    // MARK: Renewal

    @Test("The layer's own renewal continues the sign-in, with accounts and without", arguments: [true, false])
    func ownRenewal(named: Bool) async throws {
        let signedIn = try mock.renewing("alice-1", named: named)
        let attempts = Atomic(0)
        mock.on(.get, "/other") { request in
            attempts.wrappingAdd(1, ordering: .relaxed).newValue == 1
                ? .status(503) : .json("\"\(request.headers[.authorization] ?? "-")\"")
        }
        let client = retrying(signedIn)
        let waiting = Task { try await client.value(Endpoint<String>.get("other")) }
        try await clock.sleepers(atLeast: 1)
        #expect(try await client.value(seen) == "Bearer alice-2")
        clock.advance(by: .seconds(60))
        #expect(try await waiting.value == "Bearer alice-2")
    }

    @Test("A renewal that returns another account's credential begins a sign-in")
    func renewalForAnother() async throws {
        let signedIn = try mock.renewing("alice-1", to: "bob-1")
        let client = APIClient(transport: signedIn, baseURL: api)
        await expectAccountChanged { _ = try await client.value(seen) }
        #expect(mock.authorizations == ["Bearer alice-1"])
        #expect(try await client.value(seen) == "Bearer bob-1")
    }

    @Test(
        "A request that started signed out goes on under the renewal that it waited for, and is not stored",
        arguments: [true, false])
    func renewalFromSignedOut(clientNames: Bool) async throws {
        let signedIn = try mock.renewing(nil)
        var client = APIClient(transport: signedIn, baseURL: api, persistence: Persistence.keeping(MemoryStore()))
        client.persistence?.report = { _, _ in }
        // Otherwise the request's account is unknown, and it is not stored anyway.
        if clientNames { client.account = "alice" }
        #expect(try await client.value(seen) == "Bearer alice-2")
        #expect(mock.authorizations == ["-", "Bearer alice-2"])
        #expect(try await client.stored() == nil)
        #expect(try await client.value(seen) == "Bearer alice-2")
        #expect(try await client.stored() == "Bearer alice-2")
    }

    @Test(
        "A retry under the renewal of a signed-out request is not stored, also after a shared transfer failed",
        arguments: [false, true])
    func retryUnderRenewal(isShared: Bool) async throws {
        let signedIn = try mock.renewing(nil)
        mock.on(.get, "/me", .sequence([.status(401), .failure(.connectionLost), .json("\"ok\"")]))
        let base: any Transport = isShared ? CoalescingTransport(signedIn) : signedIn
        var client = retrying(base)
        client.persistence = Persistence.keeping(MemoryStore())
        client.persistence?.report = { _, _ in }
        client.account = "tenant"
        let asking = client
        let value = Task { try await asking.value(seen) }
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(60))
        #expect(try await value.value == "ok")
        #expect(mock.authorizations == ["-", "Bearer alice-2", "Bearer alice-2"])
        signedIn.credential = nil
        #expect(try await client.stored() == nil)
    }

    @Test("A request that starts during the first renewal waits for it and goes on under it")
    func startedDuringRenewal() async throws {
        let gate = Gate()
        let client = APIClient(transport: try mock.renewing(nil, at: gate), baseURL: api)
        let first = try executor.start(client)
        try await gate.arrivals()
        let second = try executor.start(client)
        await executor.settle()
        gate.open()
        #expect(try await first.value == "\"Bearer alice-2\"")
        #expect(try await second.value == "\"Bearer alice-2\"")
        #expect(mock.authorizations == ["-", "Bearer alice-2", "Bearer alice-2"])
    }

    @Test("A signed-out request whose retry did not wait for the renewal sends none of it before its own 401")
    func retryWithoutWaiting() async throws {
        let signedIn = try mock.renewing(nil)
        let attempts = Atomic(0)
        mock.on(.get, "/other") { request in
            let field = request.headers[.authorization]
            if attempts.wrappingAdd(1, ordering: .relaxed).newValue == 1 { return .status(503) }
            return field.map { .json("\"\($0)\"") } ?? .status(401)
        }
        let client = retrying(signedIn)
        let waiting = Task { try await client.value(Endpoint<String>.get("other")) }
        try await clock.sleepers(atLeast: 1)
        #expect(try await client.value(seen) == "Bearer alice-2")
        clock.advance(by: .seconds(60))
        #expect(try await waiting.value == "Bearer alice-2")
        #expect(
            mock.requests.filter { $0.path == "/other" }.map { $0.headers[.authorization] ?? "-" } == [
                "-", "-", "Bearer alice-2",
            ])
    }

    @Test("A signed-out request whose renewal is replaced by a sign-in is not sent for that user")
    func signInDuringRenewal() async throws {
        let gate = Gate()
        let signedIn = try mock.renewing(nil, at: gate)
        let client = APIClient(transport: signedIn, baseURL: api)
        let value = Task { try await client.value(seen) }
        try await gate.arrivals()
        signedIn.credential = "bob-1"
        await expectAccountChanged(value)
        #expect(mock.authorizations == ["-"])
    }

    /// Alice's request, which the server or the clock holds back, and Bob's, whose renewal fails at a gate.
    private func failingRenewal(
        _ answer: @escaping @Sendable () -> MockResponse, at gate: Gate
    ) throws -> (APIClient, AuthenticatingTransport<String>) {
        mock.on(.get, "/me") { $0.headers[.authorization] == "Bearer alice-1" ? answer() : .status(401) }
        let signedIn = try AuthenticatingTransport(
            mock, origins: [api], token: "alice-1",
            refresh: { _, _ in
                try await gate.enter()
                throw RequestError.invalidRequest("bob may not renew")
            }, account: user)
        return (retrying(signedIn), signedIn)
    }

    @Test(
        "A late 401 does not wait for the next user's renewal, nor is it returned with the error of that",
        arguments: [false, true])
    func renewalOfNextUser(hasFailed: Bool) async throws {
        let (late, renewal) = (Gate(), Gate())
        let (client, signedIn) = try failingRenewal({ .status(401).held(at: late) }, at: renewal)
        let alices = Task { try await client.value(seen) }
        try await late.arrivals()
        signedIn.credential = "bob-1"
        let bobs = Task { try await client.value(seen) }
        try await renewal.arrivals()
        if hasFailed {
            renewal.open()
            _ = await bobs.result
        }
        late.open()
        await expectAccountChanged(alices)
        renewal.open()
        let error = await #expect(throws: RequestError.self) { try await bobs.value }
        #expect(error?.response?.renewalError as? RequestError != nil)
        #expect(mock.authorizations == ["Bearer alice-1", "Bearer bob-1"])
    }

    @Test("A retry does not wait for the next user's renewal")
    func retryDuringRenewalOfNextUser() async throws {
        let renewal = Gate()
        let (client, signedIn) = try failingRenewal({ .status(503) }, at: renewal)
        let alices = Task { try await client.value(seen) }
        try await clock.sleepers(atLeast: 1)
        signedIn.credential = "bob-1"
        let bobs = Task { try await client.value(seen) }
        try await renewal.arrivals()
        clock.advance(by: .seconds(60))
        await expectAccountChanged(alices)
        renewal.open()
        _ = await bobs.result
        #expect(mock.authorizations == ["Bearer alice-1", "Bearer bob-1"])
    }

    // MARK: Several layers

    @Test("Each layer compares its own sign-in alone: a switch of another origin's layer concerns no one else")
    func otherOrigin() async throws {
        let other = URL(string: "https://other.example.com")!
        mock.on(.get, "/me", .sequence([.status(503), .json("\"ok\"")]))
        let inner = try AuthenticatingTransport(mock, origins: [other], token: "carol-1")
        let outer = try AuthenticatingTransport(inner, origins: [api], token: "alice-1")
        let client = retrying(outer)
        let value = Task { try await client.value(seen) }
        try await clock.sleepers(atLeast: 1)
        inner.credential = "dave-1"
        clock.advance(by: .seconds(60))
        #expect(try await value.value == "ok")
        #expect(mock.authorizations == ["Bearer alice-1", "Bearer alice-1"])
    }

    @Test("A layer that first takes part on a later page, at another origin, is noted then")
    func laterOrigin() async throws {
        let other = URL(string: "https://other.example.com")!
        mock.on(nil, "/*") { request in
            .json(
                "[\"\(request.headers[.authorization] ?? "-")\"]",
                headers: [.link: "<https://other.example.com\(request.path)/1>; rel=\"next\""])
        }
        let inner = try AuthenticatingTransport(mock, origins: [other], token: "carol-1", account: user)
        let outer = try AuthenticatingTransport(inner, origins: [api], token: "alice-1", account: user)
        let client = APIClient(transport: outer, baseURL: api)
        var pages = client.pages(Endpoint<[String]>.get("me"), by: LinkPagination(allowsOtherOrigins: true))
            .makeAsyncIterator()
        #expect(try await pages.next()?.elements == ["Bearer alice-1"])
        inner.credential = "dave-1"
        #expect(try await pages.next()?.elements == ["Bearer dave-1"])
        inner.credential = "dave-2"
        #expect(try await pages.next()?.elements == ["Bearer dave-2"])
        inner.credential = "erin-1"
        await expectAccountChanged { _ = try await pages.next() }
        #expect(mock.authorizations == ["Bearer alice-1", "Bearer dave-1", "Bearer dave-2"])
    }

    @Test("A program's own transport does not continue a list at another origin for another user")
    func ownTransportAtOtherOrigin() async throws {
        let next = ["api.example.com": "b.example.com", "b.example.com": "c.example.com"]
        mock.on(nil, "/*") { request in
            let link = next[request.url.host ?? ""].map { "<https://\($0)/me?of=alice>; rel=\"next\"" }
            return .json("[\"\(request.headers[.authorization] ?? "-")\"]", headers: link.map { [.link: $0] } ?? [:])
        }
        let name = Observed("alice")
        let own = StampingTransport(mock, .authorization, declares: true, account: { .account(name.value) }) {
            name.value
        }
        let client = APIClient(transport: own, baseURL: api)
        let pages = client.pages(Endpoint<[String]>.get("me"), by: LinkPagination(allowsOtherOrigins: true))
        let reader = pages.reader()
        #expect(try await [reader.nextPage(), reader.nextPage()] == [["alice"], ["alice"]])
        name.update { $0 = "bob" }
        await expectAccountChanged { _ = try await reader.nextPage() }
        name.update { $0 = "alice" }
        #expect(try await reader.nextPage() == ["alice"])
        #expect(mock.authorizations == ["alice", "alice", "alice"])
    }

    @Test(
        "An account that a program's own transport or an interceptor names is compared before a retry is sent",
        arguments: [false, true])
    func ownAccount(isIntercepted: Bool) async throws {
        mock.on(.get, "/me", .sequence([.status(503), .json("\"ok\"")]))
        let name = Observed("alice")
        let own: any Transport =
            if isIntercepted {
                InterceptingTransport(mock, account: .account(name.value)) {
                    try $0.headers.setBearerAuthorization(name.value)
                }
            } else {
                StampingTransport(mock, .authorization, account: { .account(name.value) }) { name.value }
            }
        let client = retrying(own)
        let value = Task { try await client.value(seen) }
        try await clock.sleepers(atLeast: 1)
        name.update { $0 = "bob" }
        clock.advance(by: .seconds(60))
        await expectAccountChanged(value)
        // The mock received the second request without answering it, or not at all.
        #expect(mock.authorizations == [isIntercepted ? "Bearer alice" : "alice"])
    }

    @Test(
        "A layer inside sends a request again under the same sign-in alone",
        arguments: [
            Change("alice-1", nil, retried: nil), Change("alice-1", "bob-1", retried: nil),
            Change(nil, "alice-1", retried: nil), Change("alice-1", "alice-2", retried: "Bearer alice-1"),
        ], [true, false])
    func retryInside(_ change: Change, isInterceptor: Bool) async throws {
        mock.on(.get, "/me", .sequence([.status(503), .json("\"ok\"")]))
        let token = Observed(change.from)
        let inside = RetryTransport(mock, clock: clock, random: { 1 })
        let signedIn = try AuthenticatingTransport(inside, origins: [api], token: change.from, account: user)
        let intercepting = InterceptingTransport(
            inside, account: token.value.flatMap(user).map { .account($0) } ?? .none
        ) { request in
            if let token = token.value { try request.headers.setBearerAuthorization(token) }
        }
        let client = APIClient(transport: isInterceptor ? intercepting : signedIn, baseURL: api)
        let value = Task { try await client.value(seen) }
        try await clock.sleepers(atLeast: 1)
        for other in change.to {
            token.update { $0 = other }
            signedIn.credential = other
        }
        try await expect(value, after: change)
    }

    @Test(
        "A layer inside sends a signed-out request again, without the credential of a renewal that it did not wait for")
    func retryInsideAfterRenewal() async throws {
        let signedIn = try mock.renewing(nil, over: RetryTransport(mock, clock: clock, random: { 1 }))
        mock.on(.get, "/other", .sequence([.status(503), .json("\"ok\"")]))
        let client = APIClient(transport: signedIn, baseURL: api)
        let waiting = Task { try await client.value(Endpoint<String>.get("other")) }
        try await clock.sleepers(atLeast: 1)
        #expect(try await client.value(seen) == "Bearer alice-2")
        clock.advance(by: .seconds(60))
        #expect(try await waiting.value == "ok")
        #expect(mock.authorizations == ["-", "-", "Bearer alice-2", "-"])
    }

    // MARK: A switch alone

    @Test("A switch revokes nothing: the late response of the first user is delivered and stored for that user")
    func switchAlone() async throws {
        let gate = Gate()
        mock.echo(at: gate)
        let signedIn = try AuthenticatingTransport(mock, origins: [api], token: "alice-1", account: user)
        let client = APIClient(transport: signedIn, baseURL: api, persistence: Persistence.keeping(MemoryStore()))
        let value = Task { try await client.value(seen) }
        try await gate.arrivals()
        signedIn.credential = "bob-1"
        gate.open()
        #expect(try await value.value == "Bearer alice-1")
        #expect(try await client.stored() == nil)
        signedIn.credential = "alice-2"
        #expect(try await client.stored() == "Bearer alice-1")
    }
}
