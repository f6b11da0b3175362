import Dispatch
import Foundation
import ModelMirror
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

private let api = URL(string: "https://api.example.com")!

private class Entry: AbstractModel {
    var id = 0
}

@Suite("Signing out", .timeLimit(.hung), .network)
final class SignOutTests: Sendable {
    private let mock = MockTransport()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "sign-out-\(UUID())")
    private let entries = Endpoint<[Entry]>.get("held")

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func client(
        _ token: String? = "alice-1", _ store: (any ResponseStore)? = nil
    ) throws -> (APIClient, AuthenticatingTransport<String>) {
        let signedIn = try AuthenticatingTransport(mock, origins: [api], token: token, account: user)
        let client = APIClient(transport: signedIn, baseURL: api, persistence: store.map { Persistence.keeping($0) })
        return (client, signedIn)
    }

    // MARK: What it ends

    /// Everything that is under way for an account.
    enum Caller: String, CaseIterable, Sendable {
        case value, closure, send, elements, lines, events, reconnecting, pages, pageElements, reader, download, values

        var contentType: String {
            switch self {
            case .lines: "application/x-ndjson"
            case .events, .reconnecting: "text/event-stream"
            default: "application/json"
            }
        }
    }

    private func run(_ caller: Caller, _ client: APIClient) async throws {
        switch caller {
        case .value: _ = try await client.value(entries)
        case .closure:
            let count: Int = try await withCheckedThrowingContinuation { continuation in
                client.request(entries, on: DispatchQueue(label: "SignOutTests")) { getEntries in
                    do {
                        continuation.resume(returning: try getEntries().count)
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            }
            Issue.record("\(count) entries arrived.")
        case .send: try await client.send(.get("held") as Endpoint<Void>)
        case .elements: for try await _ in client.elements(entries) {}
        case .lines: for try await _ in client.lines(entries) {}
        case .events: for try await _ in client.events(.get("held")) {}
        case .reconnecting: for try await _ in client.events(.get("held")).reconnecting() {}
        case .pages: for try await _ in client.pages(entries) {}
        case .pageElements: for try await _ in client.pages(entries).elements {}
        case .reader: _ = try await client.pages(entries).reader().nextPage()
        case .download: try await client.download(entries, to: folder.appending(path: "file"))
        case .values: for try await _ in client.values(entries) {}
        }
    }

    @Test(
        "Whatever waits for a response, or reads its body, ends with accountChanged",
        arguments: Caller.allCases.map { ($0, false) } + Caller.allCases.filter { $0 != .send }.map { ($0, true) })
    func inFlight(_ caller: Caller, isInBody: Bool) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let gate = Gate()
        let body = MockResponse.chunks([Data("[".utf8)], at: gate, headers: [.contentType: caller.contentType])
        mock.on(.get, "/held", isInBody ? body : .hanging(until: gate))
        let (client, _) = try client()
        let task = Task { try await run(caller, client) }
        try await gate.arrivals()
        try await client.signOut(account: "alice")
        await expectAccountChanged(task)
    }

    @Test("A download whose account signs out during its last read leaves its target as it was")
    func downloadAtEnd() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (rest, signingOut) = (Observed([Data("all".utf8)]), Observed<APIClient?>(nil))
        let stub = StubTransport { request in
            TransportResponse(
                status: 200, url: request.url,
                body: ResponseBody {
                    if let chunk = rest.update({ $0.popLast() }) { return chunk }
                    try await signingOut.value?.signOut(account: "alice")
                    return nil
                })
        }
        var client = APIClient(transport: stub, baseURL: api)
        client.account = "alice"
        let downloading = client
        signingOut.update { $0 = downloading }
        await expectAccountChanged { try await self.run(.download, downloading) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file.partial"])
        signingOut.update { $0 = nil }
    }

    @Test("Pages, elements, lines, events and values that are between two steps end at the next one")
    func between() async throws {
        mock.on(.get, "/held", .json("[{\"id\": 1}, {\"id\": 2}]"))
        mock.on(.get, "/lines", .text("{\"id\": 1}\n{\"id\": 2}\n", headers: [.contentType: "application/x-ndjson"]))
        mock.on(.get, "/events", .text("data: 1\n\ndata: 2\n\n", headers: [.contentType: "text/event-stream"]))
        let (client, _) = try client("alice-1", MemoryStore())
        _ = try await client.value(entries)
        var pages = client.pages(entries).makeAsyncIterator()
        #expect(try await pages.next()?.elements.map(\.id) == [1, 2])
        var elements = client.elements(entries).makeAsyncIterator()
        #expect(try await elements.next()?.id == 1)
        var lines = client.lines(Endpoint<[Entry]>.get("lines")).makeAsyncIterator()
        #expect(try await lines.next()?.id == 1)
        var events = client.events(.get("events")).makeAsyncIterator()
        #expect(try await events.next()?.data == "1")
        var values = client.values(entries).makeAsyncIterator()
        #expect(try await values.next()?.value.map(\.id) == [1, 2])
        let count = mock.requests.count
        try await client.signOut(account: "alice")
        await expectAccountChanged("pages") { _ = try await pages.next() }
        await expectAccountChanged("elements") { _ = try await elements.next() }
        await expectAccountChanged("lines") { _ = try await lines.next() }
        await expectAccountChanged("events") { _ = try await events.next() }
        await expectAccountChanged("values") { _ = try await values.next() }
        #expect(mock.requests.count == count)
    }

    @Test("A stream that waits before it reconnects ends at once")
    func reconnecting() async throws {
        let clock = ManualClock()
        mock.on(.get, "/events", .text("data: 1\n\n", headers: [.contentType: "text/event-stream"]))
        let (client, _) = try client()
        let task = Task {
            for try await _ in client.events(.get("events")).reconnecting(clock: clock) {}
        }
        try await clock.sleepers(atLeast: 1)
        try await client.signOut(account: "alice")
        await expectAccountChanged(task)
        #expect(mock.requests.count == 1)
    }

    @Test("Requests of another account, and those without one, go on")
    func others() async throws {
        let gate = Gate()
        mock.echo(at: gate)
        let (alice, _) = try client()
        var bob = alice
        bob.transport = mock
        bob.account = "bob"
        var nobody = alice
        nobody.transport = mock
        let tasks = [alice, bob, nobody].map { client in Task { try await client.value(seen) } }
        try await gate.arrivals(atLeast: 3)
        try await alice.signOut(account: "alice")
        gate.open()
        await expectAccountChanged { _ = try await tasks[0].value }
        #expect(try await tasks[1].value == "-")
        #expect(try await tasks[2].value == "-")
    }

    @Test("A request for joined names ends when any of them signs out", arguments: ["alice", "tenant"])
    func joined(name: String) async throws {
        let gate = Gate()
        mock.on(.get, "/me", .hanging(until: gate))
        var (client, _) = try client("alice-1", MemoryStore())
        client.account = "tenant"
        let asking = client
        let task = Task { try await asking.value(seen) }
        try await gate.arrivals()
        try await client.signOut(account: name)
        await expectAccountChanged(task)
        mock.echo()
        #expect(try await client.value(seen) == "Bearer alice-1")
        #expect(try await client.stored() == "Bearer alice-1")
        try await client.signOut(account: name)
        #expect(try await client.stored() == nil)
    }

    @Test(
        "A request that began signed out ends when the account signs out under whose renewal it went on, and no other",
        arguments: ["alice", "bob"], [nil, "tenant"])
    func renewed(name: String, clientAccount: String?) async throws {
        for isShared in [false, true] {
            let gate = Gate()
            mock.on(.get, "/me") { request in
                request.headers[.authorization] == nil ? .status(401) : .json("\"ok\"").held(at: gate)
            }
            let signedIn = try AuthenticatingTransport(
                mock, origins: [api], token: nil, refresh: { _, _ in "alice-1" }, account: user)
            var client = APIClient(transport: isShared ? CoalescingTransport(signedIn) : signedIn, baseURL: api)
            client.account = clientAccount
            try await expectEnd(of: client, when: name, gate)
        }
    }

    @Test(
        "A request whose account a transport hides ends when that signs out, and no other", arguments: ["alice", "bob"])
    func hidden(name: String) async throws {
        let gate = Gate()
        mock.on(.get, "/me") { _ in .json("\"ok\"").held(at: gate) }
        let client = APIClient(transport: SilentTransport(base: try self.client().0.transport), baseURL: api)
        try await expectEnd(of: client, when: name, gate)
    }

    /// Expects that a request that is held at a gate ends if it is alice who signs out.
    private func expectEnd(of client: APIClient, when name: String, _ gate: Gate) async throws {
        let task = Task { try await client.value(seen) }
        try await gate.arrivals()
        try await client.signOut(account: name)
        gate.open()
        if name == "alice" {
            await expectAccountChanged(task)
        } else {
            #expect(try await task.value == "ok")
        }
    }

    @Test("Signing out reaches copies of the client, but no other client without its store")
    func copies() async throws {
        let gate = Gate()
        mock.on(.get, "/me", .json("\"ok\"").held(at: gate))
        let (client, signedIn) = try client("alice-1", MemoryStore())
        var copy = client
        copy.configuration.headers["X-Copy"] = "1"
        copy.transport = RetryTransport(signedIn)
        let other = APIClient(transport: signedIn, baseURL: api, persistence: Persistence.keeping(MemoryStore()))
        let asking = copy
        let (first, second) = (Task { try await asking.value(seen) }, Task { try await other.value(seen) })
        try await gate.arrivals(atLeast: 2)
        try await client.signOut(account: "alice")
        gate.open()
        await expectAccountChanged(first)
        #expect(try await second.value == "ok")
        #expect(try await other.stored() == "ok")
    }

    @Test("Signing out reaches other clients over the same store object or folder", arguments: [0, 1, 2])
    func sameStore(kind: Int) async throws {
        let memory = MemoryStore()
        let link = folder.appendingPathExtension("link")
        defer { try? FileManager.default.removeItem(at: link) }
        let stores: [any ResponseStore]
        switch kind {
        case 0: stores = [memory, memory]
        case 1:
            let detour = folder.appending(path: "../\(folder.lastPathComponent)/")
            stores = [try FileStore(folder: folder), try FileStore(folder: detour)]
        default:
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
            stores = [try FileStore(folder: folder), try FileStore(folder: link)]
        }
        let gate = Gate()
        mock.on(.get, "/me", .hanging(until: gate))
        let (first, _) = try client("alice-1", stores[0])
        let (second, _) = try client("alice-1", stores[1])
        let task = Task { try await second.value(seen) }
        try await gate.arrivals()
        try await first.signOut(account: "alice")
        await expectAccountChanged(task)
    }

    // MARK: Any order, any number

    @Test("An account may sign out twice, and by many tasks at once")
    func manyTimes() async throws {
        mock.echo()
        let (client, _) = try client("alice-1", try FileStore(folder: folder))
        _ = try await client.value(seen)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await client.signOut(account: "alice") } }
            try await group.waitForAll()
        }
        try await client.signOut(account: "alice")
        try await client.signOut(account: "nobody")
        #expect(try await client.stored() == nil)
        #expect(try await client.value(seen) == "Bearer alice-1")
        #expect(try await client.stored() == "Bearer alice-1")
    }

    /// When the credential is set.
    enum Order: CaseIterable, Sendable {
        case before, after, between, never
    }

    @Test(
        "The credential may be set before, after or between, to nil or another user's",
        arguments: Order.allCases, [nil, "bob-1"])
    func order(_ order: Order, _ token: String?) async throws {
        let gate = Gate()
        mock.echo()
        mock.on(.get, "/held", .hanging(until: gate))
        let (client, signedIn) = try client("alice-1", MemoryStore())
        _ = try await client.value(seen)
        let held = Task { try await client.value(Endpoint<String>.get("held")) }
        try await gate.arrivals()
        if order == .before { signedIn.credential = token }
        try await client.signOut(account: "alice")
        if order == .between {
            signedIn.credential = token
            try await client.signOut(account: "alice")
        }
        if order == .after { signedIn.credential = token }
        await expectAccountChanged(held)
        #expect(try await client.stored() == nil)
        let expected = order == .never ? "Bearer alice-1" : token.map { "Bearer \($0)" } ?? "-"
        #expect(try await client.value(seen) == expected)
        #expect(try await client.stored() == expected)
        signedIn.credential = "alice-9"
        #expect(try await client.stored() == (order == .never ? "Bearer alice-1" : nil))
    }

    @Test("A task that is cancelled before it signs out still signs out")
    func cancelledBefore() async throws {
        mock.echo()
        let (client, _) = try client("alice-1", MemoryStore())
        _ = try await client.value(seen)
        let gate = Gate()
        let task = Task {
            try? await gate.enter()
            try await client.signOut(account: "alice")
        }
        task.cancel()
        try await task.value
        #expect(try await client.stored() == nil)
    }

    // MARK: Who signs out

    private struct GistsAPI: Requesting {
        let client: APIClient
    }

    @Test("Repositories and structures over a client sign out")
    func requesting() async throws {
        mock.echo()
        let (client, _) = try client("alice-1", MemoryStore())
        let repository = AbstractRepository<String>(transport: mock)
        repository.client = client
        _ = try await client.value(seen)
        try await repository.signOut(account: "alice")
        #expect(try await client.stored() == nil)
        _ = try await client.value(seen)
        #expect(try await client.stored() != nil)
        try await GistsAPI(client: client).signOut(account: "alice")
        #expect(try await client.stored() == nil)
    }

    @Test("A client without a store and a base URL signs out")
    func bare() async throws {
        let gate = Gate()
        mock.on(.get, "/me", .hanging(until: gate))
        var client = APIClient(transport: mock)
        client.account = "alice"
        let asking = client
        let task = Task { try await asking.value(Endpoint<String>.get("https://api.example.com/me")) }
        try await gate.arrivals()
        try await client.signOut(account: "alice")
        await expectAccountChanged(task)
    }
}
