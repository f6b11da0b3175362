import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization

/// What the server writes into each answer: the number of the request as it saw it.
private class Sight: AbstractModel {
    var seen = -1
}

/// A clock on which every sleep is over at once.
private struct InstantClock: Clock {
    struct Instant: InstantProtocol {
        func advanced(by duration: Duration) -> Instant { self }
        func duration(to other: Instant) -> Duration { .zero }
        static func < (left: Instant, right: Instant) -> Bool { false }
    }

    let now = Instant()
    let minimumResolution: Duration = .zero

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
    }
}

/// Executes a plan.
final class Run: Sendable {
    /// The program's request that a task works for.
    @TaskLocal static var request: Int?
    /// The number of the run, for the servers that all runs share.
    @TaskLocal static var number = 0

    private static let lastNumber = Atomic(0)

    private struct State {
        var clients: [APIClient] = []
        var persistence: Persistence?
        var tasks: [Task<Void, Never>] = []
        /// Whether the run is over: the request that an event comes with may have been cancelled, so that nobody waits for it.
        var hasEnded = false
    }

    let world: World
    private let server: Server
    private let stack: Stack
    private let folder: URL?
    private let number: Int
    private let state = Mutex(State())

    /// Executes a plan.
    ///
    /// - Returns: What happened, or the first broken rule.
    static func execute(_ plan: Plan) -> Result<World, Broken> {
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        let needsFolder =
            plan.store == .disk || plan.layers.contains(.recording)
            || plan.steps.contains { if case .request(let request) = $0 { request.kind == .download } else { false } }
            || plan.triggers.values.joined().contains {
                if case .start(let request) = $0 { request.kind == .download } else { false }
            }
        let folder = needsFolder ? Run.temporaryFolder.appendingPathComponent("run-\(number)") : nil
        defer { if let folder { try? FileManager.default.removeItem(at: folder) } }
        do {
            if let folder { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
            let run = try Run(plan, number, folder)
            defer { run.close() }
            guard run.start() else { throw Broken("lost: a request never ended") }
            try Rules(run.world).check()
            return .success(run.world)
        } catch let broken as Broken {
            return .failure(broken)
        } catch {
            return .failure(Broken("setup: \(error)"))
        }
    }

    private static let temporaryFolder: URL = {
        let memory = URL(fileURLWithPath: "/dev/shm")
        let parent =
            FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
        return parent.appendingPathComponent("AccountModel-\(ProcessInfo.processInfo.processIdentifier)")
    }()

    static func removeFolders() { try? FileManager.default.removeItem(at: temporaryFolder) }

    private init(_ plan: Plan, _ number: Int, _ folder: URL?) throws {
        self.number = number
        self.folder = folder
        world = World(plan, run: number)
        let last: any Transport
        switch plan.wire {
        case .memory:
            server = Server(world, ["https://a.test", "https://b.test"].compactMap { URL(string: $0) })
            last = MemoryWire(server: server)
        case .loopback(let cookies):
            let pair = try LoopbackPair.shared.get()
            server = Server(world, pair.origins)
            pair.register(server, number)
            #if os(Linux)
            var options = CurlTransport.Options()
            options.proxy = .none
            options.timeout = .seconds(20)
            options.cookies = cookies == .none ? .none : cookies == .session ? .session : .shared
            last = TaggingTransport(base: CurlTransport(options), server: server)
            #else
            var options = URLSessionTransport.Options()
            options.timeout = .seconds(20)
            options.cookies = cookies == .none ? .none : cookies == .session ? .session : .shared
            last = TaggingTransport(base: URLSessionTransport(options), server: server)
            #endif
        }
        stack = try Stack(world, over: last, server, folder: folder)
        try makeClients()
        server.onEvent { [weak self] event in self?.run(event) }
    }

    private func makeClients() throws {
        let persistence = try makePersistence()
        var clients: [APIClient] = []
        for plan in world.plan.clients {
            var client = plan.isCopy ? clients[0] : APIClient(transport: stack.outermost)
            client.account = plan.account
            client.persistence = plan.isStoring ? persistence : nil
            clients.append(client)
        }
        state.withLock { [clients] state in
            state.clients = clients
            state.persistence = persistence
        }
    }

    private func makePersistence() throws -> Persistence? {
        let store: any ResponseStore
        switch world.plan.store {
        case .none: return nil
        case .memory: store = MemoryStore()
        case .disk:
            guard let folder else { return nil }
            store = try FileStore(folder: folder.appendingPathComponent("store"))
        }
        var persistence = Persistence(store)
        persistence.report = { [world] incident, _ in world.note("\(incident)") }
        return persistence
    }

    /// Breaks the cycle of references.
    private func close() {
        server.onEvent(nil)
        world.credentials.withLock { $0 = [:] }
        if case .loopback = world.plan.wire, let pair = try? LoopbackPair.shared.get() { pair.register(nil, number) }
    }

    /// - Returns: Whether everything ended.
    private func start() -> Bool {
        let isSimulated: Bool
        if case .memory = world.plan.wire {
            isSimulated = world.plan.store != .disk && Simulation.isAvailable
        } else {
            isSimulated = false
        }
        let number = number
        let work: @Sendable () async -> Void = { [self] in
            await Run.$number.withValue(number) { await self.steps() }
        }
        if isSimulated { return Simulation(seed: world.plan.seed).run(work) }
        let ended = DispatchSemaphore(value: 0)
        Task.detached {
            await work()
            ended.signal()
        }
        return ended.wait(timeout: .now() + 60) == .success
    }

    private func steps() async {
        for step in world.plan.steps {
            switch step {
            case .event(.answer(let answer)): world.withState { $0.nextAnswers.append(answer) }
            case .event(let event): run(event)
            case .request(let plan): await run(plan)
            }
            await finish()
        }
        // Who can read what is stored?
        world.withState { $0.nextAnswers = [] }
        for user in Plan.users + [nil] {
            for holder in world.holders.indices { run(.set(holder, user)) }
            for client in world.plan.clients.indices where world.plan.clients[client].isStoring {
                for resource in 0..<2 where world.plan.store != .none {
                    await run(Plan.RequestPlan(kind: .value, client: client, resource: resource, policy: .cacheOnly))
                }
            }
        }
        await finish(isLast: true)
        collectFiles()
    }

    /// Waits for what events have started.
    private func finish(isLast: Bool = false) async {
        func next() -> Task<Void, Never>? {
            state.withLock { state in
                if state.tasks.isEmpty { state.hasEnded = isLast }
                return state.tasks.popLast()
            }
        }
        while let task = next() { await task.value }
    }

    // MARK: Events

    private func run(_ event: Plan.Event) {
        switch event {
        case .set(let holder, let user):
            guard holder < world.holders.count else { return }
            world.set(user, of: holder) { stack.setters[holder]?($0) }
        case .signOut(let client, let account): revoke(client, account, endsRequests: true)
        case .removeAll(let client, let account): revoke(client, account, endsRequests: false)
        case .cancel(let place): world.cancel(place)
        case .start(let plan): begin { await $0.run(plan) }
        case .answer: break
        case .restartStore:
            guard world.plan.store == .disk, let persistence = try? makePersistence() else { return }
            state.withLock { state in
                state.persistence = persistence
                for index in state.clients.indices where state.clients[index].persistence != nil {
                    state.clients[index].persistence = persistence
                }
            }
        }
    }

    private func begin(_ work: @escaping @Sendable (Run) async -> Void) {
        let number = number
        state.withLock { state in
            guard !state.hasEnded else { return }
            // Not in the context of the request that the server handles.
            state.tasks.append(Task.detached { [self] in await Run.$number.withValue(number) { await work(self) } })
        }
    }

    private func group(_ client: Int) -> Int { world.plan.clients[client].isCopy ? 0 : client }

    private func store(_ client: Int) -> Int? {
        world.plan.clients[client].isStoring && world.plan.store != .none ? 0 : nil
    }

    private func revoke(_ number: Int, _ account: String, endsRequests: Bool) {
        let client = state.withLock { $0.clients[number] }
        if !endsRequests, client.persistence == nil { return }
        let place = world.withState { [group = group(number), store = store(number)] state in
            state.revocations.append(
                World.Revocation(
                    account: account, group: group, store: store, endsRequests: endsRequests, started: state.time))
            return state.revocations.count - 1
        }
        begin { [world] _ in
            do {
                if endsRequests {
                    try await client.signOut(account: account)
                } else {
                    try await client.persistence?.removeAll(for: account)
                }
            } catch {
                world.broken("refused: a sign-out failed: \(error)")
            }
            world.withState { $0.revocations[place].returned = $0.time }
        }
    }

    // MARK: Requests

    func run(_ plan: Plan.RequestPlan) async {
        let client = state.withLock { $0.clients[plan.client] }
        let number = world.begin(plan, account: client.account, group: group(plan.client), store: store(plan.client))
        let task = Task { [self] in
            do {
                try await Run.$request.withValue(number) { try await self.send(plan, client, number) }
                world.end(number, nil)
            } catch {
                world.end(number, error)
            }
        }
        world.withState { if $0.requests[number].ended == nil { $0.tasks[number] = task } }
        await task.value
        world.withState { $0.tasks[number] = nil }
    }

    private func send(_ plan: Plan.RequestPlan, _ client: APIClient, _ number: Int) async throws {
        let kinds: [Plan.RequestPlan.Kind: String] = [
            .value: "r", .values: "r", .delete: "x", .elements: "a", .pages: "p", .events: "e", .download: "d",
        ]
        let url = server.origins[plan.origin].appendingPathComponent("\(kinds[plan.kind] ?? "")/\(plan.resource)")
        func note(_ response: Response<Sight>) {
            world.withState { $0.requests[number].urls.append(response.url) }
            world.answer(number, response.value.seen, isStored: response.origin != .network)
        }
        switch plan.kind {
        case .value:
            let policy = FetchPolicy(FetchPolicy.Order(rawValue: plan.policy.rawValue) ?? .standard)
            note(try await client.response(Endpoint<Sight>.get(.url(url)), policy: policy))
        case .values:
            for try await response in client.values(Endpoint<Sight>.get(.url(url))) { note(response) }
        case .delete: try await client.send(Endpoint<Void>.delete(.url(url)))
        case .elements:
            for try await sight in client.elements(Endpoint<[Sight]>.get(.url(url))) {
                world.answer(number, sight.seen, isStored: false)
            }
        case .pages:
            let pages = client.pages(
                Endpoint<[Sight]>.get(.url(url)), by: LinkPagination(allowsOtherOrigins: true))
            for try await page in pages {
                world.withState { $0.requests[number].urls.append(page.response.url) }
                for sight in page.elements { world.answer(number, sight.seen, isStored: false) }
            }
        case .events:
            let events = client.events(.get(.url(url))).reconnecting(after: .zero, clock: InstantClock())
            for try await event in events {
                world.answer(number, try event.value(Sight.self).seen, isStored: false)
            }
        case .download:
            guard let folder else { return }
            let file = folder.appendingPathComponent("file-\(plan.client)-\(plan.origin)-\(plan.resource)")
            try await client.download(Endpoint<Data>.get(.url(url)), to: file)
            world.withState { $0.requests[number].file = try? Data(contentsOf: file) }
        }
    }

    /// The texts of all files.
    private func collectFiles() {
        guard let folder, let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else {
            return
        }
        while let file = files.nextObject() as? URL {
            if let data = try? Data(contentsOf: file) { world.note(String(decoding: data, as: UTF8.self)) }
        }
    }
}

/// A rule that a run broke.
struct Broken: Error, CustomStringConvertible {
    /// The rule's name, a colon, and what happened.
    let description: String

    init(_ description: String) { self.description = description }

    var rule: Substring { description.prefix { $0 != ":" } }
}
