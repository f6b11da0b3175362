import Foundation
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

private let api = URL(string: "https://api.example.com")!

/// Which responses signing out removes, and that none is stored again.
@Suite("Signing out and stored responses", .timeLimit(.hung), .network)
final class SignOutStoringTests: Sendable {
    private let mock = MockTransport()
    private let executor = StepExecutor()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "sign-out-\(UUID())")

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A client for `alice` with a store, and the layer that signs in.
    private func client(
        _ store: any ResponseStore, waits: Bool = true
    ) throws -> (APIClient, AuthenticatingTransport<String>) {
        let signedIn = try AuthenticatingTransport(mock, origins: [api], token: "alice-1", account: user)
        var client = APIClient(transport: signedIn, baseURL: api, persistence: Persistence.keeping(store))
        client.persistence?.waitsForSaving = waits
        return (client, signedIn)
    }

    /// Starts to sign out, and returns once the account is revoked, though the store may keep the task waiting.
    private func startSigningOut(_ client: APIClient) async throws -> Task<Void, any Error> {
        let canary = Gate()
        mock.on(.get, "/canary", .hanging(until: canary))
        let pending = Task { try await client.value(Endpoint<String>.get("canary")) }
        try await canary.arrivals()
        let signingOut = Task { try await client.signOut(account: "alice") }
        await expectAccountChanged(pending)
        return signingOut
    }

    @Test("Responses of the account with the empty name are stored as its own")
    func emptyName() throws {
        var client = APIClient(transport: mock, baseURL: api, persistence: Persistence(MemoryStore()))
        let endpoint = Endpoint<[Int]>.get("gists")
        let persistence = try #require(client.persistence)
        let keys = try [nil, "", "a"].map { account in
            client.account = account
            return try persistence.storageKey(of: client.transportRequest(for: endpoint))
        }
        #expect(keys[0] == Persistence.defaultKey(for: try client.transportRequest(for: endpoint)))
        #expect(Set(keys).count == 3)
    }

    @Test("No response bound before is saved after, and stored ones are removed", arguments: [true, false])
    func stored(waits: Bool) async throws {
        mock.echo()
        for store in [MemoryStore(), try FileStore(folder: folder)] as [any ResponseStore] {
            let (client, _) = try client(store, waits: waits)
            let gate = Gate()
            mock.on(.get, "/other", .json("\"late\"").held(at: gate))
            #expect(try await client.value(seen) == "Bearer alice-1")
            let task = Task { try await client.value(Endpoint<String>.get("other")) }
            try await gate.arrivals()
            try await client.signOut(account: "alice")
            gate.open()
            await expectAccountChanged(task)
            await client.persistence?.savingFinished()
            #expect(try await client.stored() == nil)
            #expect(try await client.stored(.get("other")) == nil)
        }
    }

    @Test(
        "Signing out waits for a response that is being saved, and removes it", arguments: [true, false], [true, false])
    func saving(waits: Bool, signsOut: Bool) async throws {
        mock.echo()
        let store = SlowStore()
        let (client, _) = try client(store, waits: waits)
        let value = Task { try await client.value(seen) }
        try await store.gate.arrivals()
        // What does not wait for saving has ended before the account signs out.
        if !waits { _ = try await value.value }
        let signingOut: Task<Void, any Error>
        if signsOut {
            signingOut = try await startSigningOut(client)
        } else {
            signingOut = Task(executorPreference: executor) { try await client.persistence?.removeAll(for: "alice") }
            await executor.settle()
        }
        #expect(store.steps.value == ["save"])
        store.gate.open()
        try await signingOut.value
        if waits, signsOut {
            await expectAccountChanged(value)
        } else {
            #expect(try await value.value == "Bearer alice-1")
        }
        #expect(store.steps.value == ["save", "saved", "remove"])
        #expect(try await client.stored() == nil)
    }

    @Test("A response that waits for its turn to be saved is not saved any more")
    func queued() async throws {
        mock.echo()
        mock.on(.get, "/other", .json("\"queued\""))
        let store = SlowStore()
        let (client, _) = try client(store, waits: false)
        #expect(try await client.value(seen) == "Bearer alice-1")
        try await store.gate.arrivals()
        #expect(try await client.value(Endpoint<String>.get("other")) == "queued")
        let signingOut = try await startSigningOut(client)
        store.gate.open()
        try await signingOut.value
        await client.persistence?.savingFinished()
        #expect(store.steps.value == ["save", "saved", "remove"])
        #expect(try await client.stored(.get("other")) == nil)
    }

    @Test("A request that starts meanwhile is delivered, and its response stays or is removed as a whole")
    func startedMeanwhile() async throws {
        mock.echo()
        mock.on(.get, "/other", .json("\"new\""))
        let store = SlowStore()
        let (client, signedIn) = try client(store, waits: false)
        _ = try await client.value(seen)
        try await store.gate.arrivals()
        let signingOut = try await startSigningOut(client)
        signedIn.credential = "alice-2"
        #expect(try await client.value(Endpoint<String>.get("other")) == "new")
        store.gate.open()
        try await signingOut.value
        await client.persistence?.savingFinished()
        #expect(try await client.stored() == nil)
        #expect(try await client.value(Endpoint<String>.get("other")) == "new")
    }

    @Test("Cancelling the task that signs out does not leave it half done")
    func cancelled() async throws {
        mock.echo()
        let store = SlowStore()
        let (client, _) = try client(store, waits: false)
        _ = try await client.value(seen)
        try await store.gate.arrivals()
        let signingOut = try await startSigningOut(client)
        signingOut.cancel()
        store.gate.open()
        try await signingOut.value
        #expect(try await client.stored() == nil)
    }

    @Test("While stored responses are removed, the server is not asked to confirm one, which would be stored again")
    func confirming() async throws {
        let tagged = Endpoint<String>.get("tagged")
        mock.on(.get, "/tagged") { request in
            request.headers[.ifNoneMatch] == nil
                ? .json("\"new\"", headers: ["ETag": "\"1\""]) : .status(304)
        }
        let store = SlowStore(holdsRemoval: true)
        store.gate.open()
        let (client, _) = try client(store)
        _ = try await client.value(tagged)
        #expect(try await client.response(tagged, policy: .networkOnly).origin == .confirmedStore)
        let signingOut = Task { try await client.signOut(account: "alice") }
        try await store.removal.arrivals()
        #expect(try await client.response(tagged, policy: .networkOnly).origin == .network)
        await #expect(throws: FetchError.self) { try await client.value(tagged, policy: .cacheOnly) }
        store.removal.open()
        try await signingOut.value
        #expect(mock.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"1\"", nil])
        #expect(try await client.stored(tagged) == nil)
        // Afterwards all is as before.
        _ = try await client.value(tagged)
        #expect(try await client.response(tagged, policy: .networkOnly).origin == .confirmedStore)
    }

    @Test("While stored responses are removed, HEAD does not store one again")
    func updating() async throws {
        let count = Endpoint<Int>.get("count")
        mock.on(.get, "/count", .json("1", headers: [.cacheControl: "max-age=60"]))
        mock.on(.head, "/count", .status(200, headers: [.contentLength: "1"]))
        let store = SlowStore(holdsRemoval: true)
        store.gate.open()
        let (client, _) = try client(store)
        _ = try await client.value(count)
        let signingOut = Task { try await client.signOut(account: "alice") }
        try await store.removal.arrivals()
        try await client.send(.head("count", headers: [.accept: "application/json"]))
        #expect(store.steps.value == ["save", "saved", "remove"])
        store.removal.open()
        try await signingOut.value
    }

    @Test("An account whose name continues on another line keeps its responses")
    func firstLine() async throws {
        mock.on(.get, "/gists", .sequence([.text("1"), .text("2")]))
        var client = APIClient(transport: mock, baseURL: api, persistence: .keeping(MemoryStore()))
        let endpoint = Endpoint<Data>.get("gists")
        client.account = "ada\nzoe"
        _ = try await client.value(endpoint)
        try await client.signOut(account: "ada")
        #expect(try await client.value(endpoint) == Data("1".utf8))
        try await client.signOut(account: "ada\nzoe")
        #expect(try await client.value(endpoint) == Data("2".utf8))
    }

    @Test("Responses whose key ends with a mark that combines with what follows are removed")
    func mark() async throws {
        mock.on(.get, "/gists", .sequence([.text("1"), .text("2")]))
        var client = APIClient(transport: mock, baseURL: api, persistence: .keeping(MemoryStore()))
        client.persistence?.key = { "\($0.url)\u{600}" }
        client.account = "ada"
        let endpoint = Endpoint<Data>.get("gists")
        _ = try await client.value(endpoint)
        try await client.signOut(account: "ada")
        #expect(try await client.value(endpoint) == Data("2".utf8))
    }

    @Test("A response that cannot be removed is an error that says which, and all else is done")
    func unremovable() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let gate = Gate()
        server.on(.get, "/*", .json("\"ok\"", headers: [.setCookie: "a=1"]))
        server.on(.get, "/held", .hanging(until: gate))
        let store = try FileStore(folder: folder)
        var alice = APIClient(
            transport: TransportUnderTest.allCases[0].make { $0.cookies = .session }, baseURL: server.url,
            persistence: Persistence.keeping(store))
        alice.account = "alice"
        var bob = alice
        bob.account = "bob"
        let asking = alice
        for client in [alice, bob] {
            #expect(try await client.value(seen) == "ok")
            #expect(try await client.value(Endpoint<String>.get("other")) == "ok")
        }
        let request = try alice.transportRequest(for: seen)
        let key = try #require(alice.persistence?.storageKey(of: request))
        let file = store.file(for: key)
        try FileManager.default.removeItem(at: file)
        // A folder with content cannot be removed as a file.
        try FileManager.default.createDirectory(at: file.appending(path: "x"), withIntermediateDirectories: true)
        let held = Task { try await asking.value(Endpoint<String>.get("held")) }
        try await gate.arrivals()
        let error = await #expect(throws: FetchError.self) { try await alice.signOut(account: "alice") }
        guard case .removalFailed(let keys, let cause)? = error else {
            Issue.record("expected removalFailed, found \(error as Any)")
            return
        }
        #expect(keys == [file.lastPathComponent])
        #expect(error?.description == "1 stored response could not be removed: \(cause)")
        await expectAccountChanged(held)
        #expect(try await alice.stored(.get("other")) == nil)
        #expect(try await bob.stored() == "ok")
        #expect(try await bob.stored(.get("other")) == "ok")
        server.forgetExchanges()
        try FileManager.default.removeItem(at: file)
        #expect(try await alice.value(seen) == "ok")
        #expect(server.requests.map { $0.headers[.cookie] } == [nil])
    }
}

/// A store whose saves wait at a gate, even if their task is cancelled, and whose removal of an account's responses may wait at another.
private final class SlowStore: ResponseStore {
    let gate = Gate()
    let removal = Gate()
    let steps = Observed<[String]>([])
    private let store = MemoryStore()

    init(holdsRemoval: Bool = false) {
        if !holdsRemoval { removal.open() }
    }

    func response(for key: String) -> StoredResponse? { store.response(for: key) }

    func save(_ response: StoredResponse, for key: String) async throws {
        steps.update { $0.append("save") }
        try await Task { [gate] in try await gate.enter() }.value
        store.save(response, for: key)
        steps.update { $0.append("saved") }
    }

    func remove(for key: String) { store.remove(for: key) }
    func removeAll() { store.removeAll() }

    func removeAll(where matches: @escaping @Sendable (String) -> Bool) async throws {
        steps.update { $0.append("remove") }
        try await removal.enter()
        await store.removeAll(where: matches)
    }
}
