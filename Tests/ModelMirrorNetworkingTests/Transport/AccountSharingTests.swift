import Foundation
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

private let api = URL(string: "https://api.example.com")!

/// Who gets the response of a transfer that several requests may share.
@Suite("Shared transfers of accounts", .timeLimit(.hung), .network)
struct AccountSharingTests {
    private let mock = MockTransport()
    private let clock = ManualClock()
    private let executor = StepExecutor()

    @Test("Requests of one account share a transfer, those of two accounts do not")
    func sharing() async throws {
        let gate = Gate()
        mock.echo(at: gate)
        let signedIn = try AuthenticatingTransport(mock, origins: [api], token: "alice-1", account: user)
        let transport = CoalescingTransport(signedIn)
        let url = api.appending(path: "me")
        func start() -> Task<String, any Error> { Task(executorPreference: executor) { try await transport.text(url) } }
        let first = start()
        try await gate.arrivals()
        signedIn.credential = "alice-2"
        let second = start()
        await executor.settle()
        signedIn.credential = "bob-1"
        let third = start()
        try await gate.arrivals(atLeast: 2)
        gate.open()
        #expect(try await first.value == "\"Bearer alice-1\"")
        #expect(try await second.value == "\"Bearer alice-1\"")
        #expect(try await third.value == "\"Bearer bob-1\"")
        #expect(mock.requests.count == 2)
    }

    @Test("Requests of an unknown account are not shared, which is reported")
    func unshared() async throws {
        let gate = Gate()
        mock.on(.get, "/me", .status(200).held(at: gate))
        let url = api.appending(path: "me")
        let told = Observed<[URL]>([])
        let transport = CoalescingTransport(SilentTransport(base: mock)) { request in
            told.update { $0.append(request.url) }
        }
        let tasks = (1...2).map { _ in Task { try await transport.response(to: TransportRequest(.get, url)) } }
        try await gate.arrivals(atLeast: 2)
        gate.open()
        for task in tasks { #expect(try await task.value.status == 200) }
        #expect(told.value == [url, url])
    }

    @Test("Requests of two sign-ins are not shared, even if the client names one account for both")
    func sharingOfSignIns() async throws {
        let gate = Gate()
        mock.echo(at: gate)
        let signedIn = try AuthenticatingTransport(mock, origins: [api], token: "alice-1")
        var client = APIClient(transport: CoalescingTransport(signedIn), baseURL: api)
        client.account = "tenant"
        let first = [try executor.start(client), try executor.start(client)]
        try await gate.arrivals()
        await executor.settle()
        signedIn.credential = "bob-1"
        let second = try executor.start(client)
        try await gate.arrivals(atLeast: 2)
        gate.open()
        for task in first { #expect(try await task.value == "\"Bearer alice-1\"") }
        #expect(try await second.value == "\"Bearer bob-1\"")
        #expect(mock.authorizations == ["Bearer alice-1", "Bearer bob-1"])
    }

    @Test("Requests of two sign-ins behind a transport without an identity, which are noted on sending, are not shared")
    func sharingOfHiddenSignIns() async throws {
        let gate = Gate()
        mock.echo(at: gate)
        let signedIn = try AuthenticatingTransport(mock, origins: [api], token: "alice-1")
        var client = APIClient(transport: CoalescingTransport(SilentTransport(base: signedIn)), baseURL: api)
        client.account = "tenant"
        let first = try executor.start(client)
        try await gate.arrivals()
        signedIn.credential = "bob-1"
        let second = try executor.start(client)
        await executor.settle()
        gate.open()
        #expect(try await first.value == "\"Bearer alice-1\"")
        #expect(try await second.value == "\"Bearer bob-1\"")
        #expect(mock.authorizations == ["Bearer alice-1", "Bearer bob-1"])
    }

    @Test("The response that a signed-out request got under a renewal is not shared")
    func renewalIsNotShared() async throws {
        let gate = Gate()
        let signedIn = try mock.renewing(nil, at: gate)
        let unshared = Observed(0)
        var client = APIClient(
            transport: CoalescingTransport(signedIn) { _ in unshared.update { $0 += 1 } }, baseURL: api)
        client.account = "alice"
        let first = try executor.start(client)
        try await gate.arrivals()
        let second = try executor.start(client)
        await executor.settle()
        gate.open()
        #expect(try await first.value == "\"Bearer alice-2\"")
        #expect(try await second.value == "\"Bearer alice-2\"")
        // The second sends its own, as it began.
        #expect(mock.authorizations == ["-", "Bearer alice-2", "-", "Bearer alice-2"])
        #expect(unshared.value == 1)
    }

    @Test("A coalescing transport inside does not share the responses of requests that waited for one renewal")
    func renewalIsNotSharedInside() async throws {
        let (gate, held) = (Gate(), Gate())
        let unshared = Observed(0)
        let inside = CoalescingTransport(mock) { _ in unshared.update { $0 += 1 } }
        var client = APIClient(transport: try mock.renewing(nil, at: gate, over: inside), baseURL: api)
        client.account = "alice"
        mock.on(.get, "/me") { request in
            request.headers[.authorization] == nil ? .status(401) : .chunks([Data("\"ok\"".utf8)], at: held)
        }
        let first = try executor.start(client)
        try await gate.arrivals()
        let second = try executor.start(client)
        await executor.settle()
        gate.open()
        try await held.arrivals(atLeast: 2)
        held.open()
        #expect(try await [first.value, second.value] == ["\"ok\"", "\"ok\""])
        #expect(unshared.value == 2)
    }

    @Test("Pages after a shared transfer are bound to the sign-ins that it was sent under")
    func pagesAfterASharedTransfer() async throws {
        mock.on(.get, "/gists", .json("[1]", headers: [.link: "<?page=2>; rel=\"next\""]))
        let signedIn = try AuthenticatingTransport(mock, origins: [api], token: nil, account: user)
        // Not known when the request is bound, since the transport around it does not ask it.
        var client = APIClient(transport: CoalescingTransport(SilentTransport(base: signedIn)), baseURL: api)
        client.account = "alice"
        var pages = client.pages(Endpoint<[Int]>.get("gists"), by: LinkPagination()).makeAsyncIterator()
        #expect(try await pages.next()?.elements == [1])
        signedIn.credential = "bob-1"
        await expectAccountChanged { _ = try await pages.next() }
        #expect(mock.authorizations == ["-"])
    }

    // MARK: Signing out

    @Test("A shared transfer ends for who signs out, goes on for others, and is not joined by later requests")
    func sharedTransfer() async throws {
        let gate = Gate()
        mock.on(.get, "/me", .json("\"ok\"").held(at: gate))
        let coalescing = CoalescingTransport(mock)
        var client = APIClient(transport: coalescing, baseURL: api, persistence: Persistence.keeping(MemoryStore()))
        client.account = "alice"
        var other = APIClient(transport: coalescing, baseURL: api, persistence: Persistence.keeping(MemoryStore()))
        other.account = "alice"
        let asking = client
        let first = Task { try await asking.value(seen) }
        try await gate.arrivals()
        let request = try other.transportRequest(for: seen)
        let second = Task(executorPreference: executor) { try await coalescing.response(to: request).status }
        await executor.settle()
        #expect(mock.requests.count == 1)
        try await client.signOut(account: "alice")
        await expectAccountChanged(first)
        let third = Task { try await asking.value(seen) }
        try await gate.arrivals(atLeast: 2)
        gate.open()
        #expect(try await second.value == 200)
        #expect(try await third.value == "ok")
        #expect(try await client.stored() == "ok")
        withExtendedLifetime(other) {}
    }

    @Test("A shared transfer is for its account, also once its first caller is gone")
    func sharedWithoutFirst() async throws {
        let (user, clock) = (Observed("alice"), ManualClock())
        mock.on(.get, "/me") { $0.headers["X-Key"] == "alice" ? .status(503) : .json("\"bob\"") }
        let own = StampingTransport(mock, declares: true, account: { .account(user.value) }, value: { user.value })
        let coalescing = CoalescingTransport(RetryTransport(own, clock: clock, random: { 1 }))
        let first = Task { try await APIClient(transport: coalescing, baseURL: api).value(seen) }
        try await clock.sleepers(atLeast: 1)
        let other = APIClient(transport: coalescing, baseURL: api)
        let request = try other.transportRequest(for: seen)
        let second = Task(executorPreference: executor) { try await coalescing.response(to: request).status }
        await executor.settle()
        first.cancel()
        _ = await first.result
        user.update { $0 = "bob" }
        clock.advance(by: .seconds(1))
        await expectAccountChanged(second)
        #expect(mock.requests.map { $0.headers["X-Key"] } == ["alice"])
        withExtendedLifetime(other) {}
    }

    @Test("A shared transfer that goes on under a renewal is not sent again once the renewal's account has signed out")
    func signOutOfSharedRenewal() async throws {
        let gate = Gate()
        let signedIn = try mock.renewing(nil, at: gate)
        mock.on(.get, "/me", .sequence([.status(401), .status(503), .json("\"ok\"")]))
        let retrying = RetryTransport(signedIn, clock: clock, random: { 1 })
        var client = APIClient(transport: CoalescingTransport(retrying), baseURL: api)
        client.account = "tenant"
        let first = try executor.start(client)
        try await gate.arrivals()
        let second = try executor.start(client)
        await executor.settle()
        gate.open()
        try await clock.sleepers(atLeast: 1)
        try await client.signOut(account: "alice")
        clock.advance(by: .seconds(60))
        await expectAccountChanged(first)
        await expectAccountChanged(second)
        #expect(mock.authorizations == ["-", "Bearer alice-2"])
    }
}
