import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

@Suite("RequestSignal", .timeLimit(.hung), .network)
struct RequestSignalTests {
    private let mock = MockTransport()

    /// A signal of the gists that the mock has.
    private var gists: RequestSignal<[Gist]> {
        APIClient(transport: mock).signal(.get("https://x/gists"))
    }

    private func answer(_ responses: MockResponse...) { mock.on(.get, "/gists", .sequence(responses)) }

    @Test("A signal is cold, and each observation is a request with its own objects")
    func cold() async throws {
        answer(.json(#"[{"id": "1"}]"#), .json(#"[{"id": "2"}, {"id": "3"}]"#))
        let signal = gists
        let mapped = signal.map(\.count).retry(3)
        var iterator = signal.makeAsyncIterator()
        #expect(mock.requests.isEmpty)
        let first = try await iterator.next()
        #expect(first?.map(\.id) == ["1"])
        #expect(mock.requests.count == 1)
        #expect(try await mapped.value() == 2)
        #expect(mock.requests.count == 2)
    }

    @Test("A signal uses its policy, and the client as it was when the signal was made")
    func policy() async throws {
        answer(.json(#"[{"id": "1"}]"#))
        var client = APIClient(transport: mock, persistence: Persistence.keeping(MemoryStore()))
        client.account = "me"
        let endpoint = Endpoint<[Gist]>.get("https://x/gists")
        let stored = client.signal(endpoint, policy: .cacheOnly)
        let network = client.signal(endpoint, policy: .networkOnly)
        client.transport = MockTransport()
        await #expect(throws: FetchError.self) { _ = try await stored.value() }
        #expect(try await network.value().map(\.id) == ["1"])
        #expect(try await stored.value().map(\.id) == ["1"])
        #expect(mock.requests.count == 1)
    }

    @Test("A signal as a sequence yields one value or throws one error, then ends")
    func sequence() async throws {
        answer(.json(#"[{"id": "1"}]"#), .status(404))
        var ids: [[String]] = []
        for try await gists in gists { ids.append(gists.map(\.id)) }
        #expect(ids == [["1"]])
        var failing = gists.makeAsyncIterator()
        let error = await #expect(throws: RequestError.self) { _ = try await failing.next() }
        #expect(error?.response?.status == 404)
        #expect(try await failing.next() == nil)
        #expect(mock.requests.count == 2)
    }

    @Test("Cancelling the task cancels the request without a retry")
    func cancelledTask() async throws {
        let gate = Gate()
        mock.on(.get, "/gists", .hanging(until: gate))
        let signal = gists.retry(5).flatMapError { [gists] _ in gists }
        let task = Task {
            do {
                for try await _ in signal {}
                return "ended"
            } catch {
                return "\(error)"
            }
        }
        try await gate.arrivals()
        task.cancel()
        #expect(await task.value == "The request was cancelled.")
        #expect(mock.requests.count == 1)
    }

    @Test("A signal in a cancelled task neither begins nor recovers")
    func cancelledBefore() async throws {
        let log = WordLog()
        let gate = Gate()
        let never = RequestSignal {
            log.add("begun")
            return 1
        }
        let last = RequestSignal<Int> {
            // When it is cancelled, it fails with an error of another kind.
            try? await gate.enter()
            throw Empty()
        }
        let signal = last.flatMapError { _ in
            log.add("recovered")
            return never
        }
        let begun = Task { try await signal.value() }
        try await gate.arrivals()
        begun.cancel()
        await #expect(throws: Empty.self) { try await begun.value }
        let late = Task {
            // Waits for its own cancellation.
            try? await Gate().enter()
            return try await never.value()
        }
        late.cancel()
        let error = await #expect(throws: RequestError.self) { try await late.value }
        guard case .cancelled? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(log.words == [])
    }

    @Test("A CancellationError is reported as RequestError.cancelled without a retry")
    func cancellationError() async {
        let log = WordLog()
        let signal = RequestSignal<Int> {
            log.add("begun")
            throw CancellationError()
        }
        let error = await #expect(throws: RequestError.self) { _ = try await signal.retry(3).value() }
        guard case .cancelled? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(log.words == ["begun"])
    }

    @Test("An observer on the main actor receives the result there once")
    @MainActor
    func observedOnMain() async throws {
        answer(.json(#"[{"id": "1"}]"#), .status(500))
        let outcomes = WordLog()
        for _ in 1...2 {
            await withCheckedContinuation { continuation in
                gists.observe { result in
                    MainActor.assertIsolated()
                    outcomes.add(outcome(of: result))
                    continuation.resume()
                }
            }
        }
        #expect(outcomes.words == ["1", "500"])
    }

    @Test("An observer on a queue receives the result there")
    func observedOnQueue() async throws {
        answer(.json(#"[{"id": "1"}]"#))
        let queue = DispatchQueue(label: "answers")
        let key = DispatchSpecificKey<Int>()
        queue.setSpecific(key: key, value: 7)
        let told: String = await withCheckedContinuation { continuation in
            gists.observe(on: queue) { result in
                #expect(DispatchQueue.getSpecific(key: key) == 7)
                continuation.resume(returning: outcome(of: result))
            }
        }
        #expect(told == "1")
    }

    @Test("A cancelled observation receives RequestError.cancelled at once, and its request ends")
    func cancelledObservation() async throws {
        let gate = Gate()
        let ended = Gate(passes: 1)
        let signal = RequestSignal<Int> {
            do { try await gate.enter() } catch { try? await ended.enter() }
            return 1
        }
        let queue = DispatchQueue(label: "answers")
        let log = WordLog()
        let told = Gate()
        let observation = signal.observe(on: queue) { result in
            log.add("\(result)")
            told.open()
        }
        try await gate.arrivals()
        observation.cancel()
        observation.cancel()
        try await told.enter()
        try await ended.arrivals()
        queue.sync {}
        #expect(log.words == ["failure(\(RequestError.cancelled))"])
    }

    @Test("An observation receives exactly one result, whenever it is cancelled", arguments: [0, 1, 2, 3])
    func cancelRace(yields: Int) async throws {
        let queue = DispatchQueue(label: "answers")
        let count = Mutex(0)
        let signal = RequestSignal<Int> {
            await Task.yield()
            return 1
        }
        for _ in 1...200 {
            await withCheckedContinuation { continuation in
                let observation = signal.observe(on: queue) { result in
                    count.withLock { $0 += 1 }
                    continuation.resume()
                }
                Task {
                    for _ in 0..<yields { await Task.yield() }
                    observation.cancel()
                }
            }
        }
        queue.sync {}
        #expect(count.withLock { $0 } == 200)
    }

    @Test("An observation runs without being retained, and releases its closure at the end")
    func unkept() async throws {
        let gate = Gate()
        let freed = Gate(passes: 2)
        let log = WordLog()
        let signal = RequestSignal {
            try await gate.enter()
            return 7
        }
        func observe() -> Task<Void, Never> {
            let witness = Witness(freed)
            return signal.observe(on: DispatchQueue(label: "answers")) { result in
                witness.hold()
                log.add("\(result)")
            }
        }
        _ = observe()
        let kept = observe()
        gate.open()
        try await freed.arrivals(atLeast: 2)
        #expect(log.words == ["success(7)", "success(7)"])
        kept.cancel()
        #expect(log.words.count == 2)
    }

    @Test(
        "retry repeats at most the given number of times and fails with the last error",
        arguments: [(0, [500]), (-1, [500]), (1, [500, 501]), (2, [500, 501, 200]), (9, [500, 501, 200])])
    func retry(count: Int, statuses: [Int]) async throws {
        answer(.status(500), .status(501), .json("[]"))
        let error: RequestError?
        do {
            _ = try await gists.retry(count).value()
            error = nil
        } catch let caught as RequestError {
            error = caught
        }
        #expect(mock.requests.count == statuses.count)
        #expect(error?.response?.status ?? 200 == statuses.last)
    }

    @Test("retry does not repeat after an error that its condition rejects")
    func retryWhere() async throws {
        answer(.status(500), .status(404), .json("[]"))
        let signal = gists.retry(5) { ($0 as? RequestError)?.response?.status == 500 }
        let error = await #expect(throws: RequestError.self) { _ = try await signal.value() }
        #expect(error?.response?.status == 404)
        #expect(mock.requests.count == 2)
    }

    @Test("map passes on its own errors and those of the signal")
    func map() async throws {
        answer(.json(#"[{"id": "1"}, {"id": "2"}]"#), .json("[]"), .status(404))
        let first = gists.map { gists in
            guard let first = gists.first else { throw Empty() }
            return first.id
        }
        #expect(try await first.value() == "1")
        await #expect(throws: Empty.self) { _ = try await first.value() }
        let error = await #expect(throws: RequestError.self) { _ = try await first.value() }
        #expect(error?.response?.status == 404)
    }

    @Test("map can return the mapped objects themselves")
    func mapObjects() async throws {
        answer(.json(#"[{"id": "1"}, {"id": "2"}]"#))
        let last: RequestSignal<Gist?> = gists.map { $0.last }
        let gist = try await last.value()
        gist?.id = "mine"
        #expect(gist?.id == "mine")
    }

    @Test("flatMapError continues with another signal or throws another error")
    func flatMapError() async throws {
        answer(.status(503), .status(404), .json(#"[{"id": "1"}]"#))
        let other = gists.map(\.count)
        let signal = other.flatMapError { error in
            guard (error as? RequestError)?.response?.status == 503 else { throw Empty() }
            return other.flatMapError { _ in other }
        }
        #expect(try await signal.value() == 1)
        #expect(mock.requests.count == 3)
        mock.on(.get, "/gists", .status(500))
        await #expect(throws: Empty.self) { _ = try await signal.value() }
    }

    @Test("A repository on the main actor is used in a signal")
    @MainActor
    func mainActorRepository() async throws {
        answer(.json(#"[{"id": "1"}]"#))
        let model = ViewModel(transport: mock)
        #expect(try await model.gists.value().map(\.id) == ["1"])
        #expect(try await model.requested.map(\.count).value() == 1)
    }
}

private func outcome(of result: Result<[Gist], any Error>) -> String {
    switch result {
    case .success(let gists): gists.map(\.id).joined(separator: " ")
    case .failure(let error): (error as? RequestError)?.response.map { "\($0.status)" } ?? "\(error)"
    }
}

private struct Empty: Error {}

private final class Gist: AbstractModel {
    var id = ""
}

private final class GistsRepository: AbstractRepository<String> {}

@MainActor
private final class ViewModel {
    private let repository: GistsRepository

    init(transport: any Transport) { repository = GistsRepository(transport: transport) }

    var gists: RequestSignal<[Gist]> {
        RequestSignal { @MainActor in try await self.repository.value(.get("https://x/gists")) }
    }

    var requested: RequestSignal<[Gist]> {
        RequestSignal { @MainActor in try await self.repository.request(.get("https://x/gists")).value() }
    }
}

/// Arrives at a gate when it is released.
private final class Witness: Sendable {
    private let gate: Gate

    init(_ gate: Gate) { self.gate = gate }

    deinit {
        let gate = gate
        Task { try await gate.enter() }
    }

    func hold() {}
}
