import Foundation
import ModelMirrorTesting
import Synchronization
import Testing

@testable import ModelMirrorNetworking

private let url = URL(string: "https://example.com/gists")!

@Suite("CoalescingTransport", .timeLimit(.hung), .network)
struct CoalescingTransportTests {
    private let executor = StepExecutor()
    private let mock = MockTransport()
    private let sharing: CoalescingTransport

    init() { sharing = CoalescingTransport(mock) }

    @Test("Equal concurrent requests are sent once, and each caller gets its own body")
    func equalRequests() async throws {
        let gate = Gate()
        let mock = MockTransport(chunkSize: 2)
        mock.on(.get, "/gists", .text("shared", status: 203, headers: ["X-A": "1"]).held(at: gate))
        let sharing = CoalescingTransport(mock)
        let tasks = (0..<50).map { _ in start(TransportRequest(.get, url, headers: [.accept: "*/*"]), over: sharing) }
        try await gate.arrivals()
        await executor.settle()
        gate.open()
        for task in tasks {
            let response = try await task.value
            #expect(response.status == 203)
            #expect(response.headers["x-a"] == "1")
            #expect(response.url == url)
            #expect(try await response.body.collect(limit: 100) == Data("shared".utf8))
        }
        #expect(mock.requests.count == 1)
    }

    @Test("Requests that differ are sent separately", arguments: Difference.all)
    private func differing(difference: Difference) async throws {
        let gate = Gate()
        mock.on(nil, "/*", .status(200).held(at: gate))
        let one = TransportRequest(.get, url, headers: [.accept: "\u{E1}"])
        var other = one
        difference.apply(&other)
        let tasks = [start(one), start(other)]
        try await gate.arrivals(atLeast: 2)
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(mock.requests.count == 2)
    }

    @Test(
        "Methods other than GET, and streams, are never shared",
        arguments: [(HTTPMethod.head, false), (.post, false), (.put, false), (.delete, false), (.get, true)])
    func unsharedRequests(method: HTTPMethod, isStream: Bool) async throws {
        let gate = Gate()
        mock.on(nil, "/*", .status(200).held(at: gate))
        var request = TransportRequest(method, url)
        request.isStream = isStream
        let tasks = [start(request), start(request)]
        try await gate.arrivals(atLeast: 2)
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(mock.requests.count == 2)
    }

    @Test("The body of an unshared request is not collected", arguments: [(HTTPMethod.post, false), (.get, true)])
    func streaming(method: HTTPMethod, isStream: Bool) async throws {
        mock.on(method, "/gists", .chunks([Data("abc".utf8), Data("def".utf8)]))
        var request = TransportRequest(method, url)
        request.isStream = isStream
        let response = try await CoalescingTransport(mock, limit: 1).response(to: request)
        #expect(try await response.body.collect(limit: 100) == Data("abcdef".utf8))
    }

    @Test("Requests after the end of a transfer are not shared")
    func afterTheEnd() async throws {
        mock.on(.get, "/gists", .sequence([.text("1"), .failure(.connectionLost), .text("3")]))
        let first = try await sharing.response(to: TransportRequest(.get, url))
        await #expect(throws: RequestError.self) { _ = try await sharing.response(to: TransportRequest(.get, url)) }
        let third = try await sharing.response(to: TransportRequest(.get, url))
        #expect(try await first.body.collect(limit: 1) == Data("1".utf8))
        #expect(try await third.body.collect(limit: 1) == Data("3".utf8))
        #expect(mock.requests.count == 3)
    }

    @Test("A request made while the body arrives shares the transfer")
    func joiningInBody() async throws {
        let gate = Gate(passes: 1)
        mock.on(.get, "/gists", .chunks([Data("ab".utf8), Data("cd".utf8)], at: gate))
        let first = start()
        try await gate.arrivals(atLeast: 2)
        let second = start()
        await executor.settle()
        gate.open()
        #expect(try await second.value.body.collect(limit: 4) == Data("abcd".utf8))
        #expect(try await first.value.body.collect(limit: 4) == Data("abcd".utf8))
        #expect(mock.requests.count == 1)
    }

    @Test(
        "A request from after an unsafe one does not share a transfer from before it",
        arguments: [
            (HTTPMethod.post, ["old", "old", "new"]), (.delete, ["old", "old", "new"]), (.head, ["old", "old", "old"]),
        ])
    func changes(method: HTTPMethod, texts: [String]) async throws {
        let gate = Gate()
        mock.on(.get, "/gists", .sequence([.text("old").held(at: gate), .text("new")]))
        mock.on(method, "/gists", .status(500))
        var tasks = [start()]
        try await gate.arrivals()
        tasks.append(start())
        await executor.settle()
        #expect(try await sharing.response(to: TransportRequest(method, url)).status == 500)
        tasks.append(start())
        await executor.settle()
        gate.open()
        for (task, text) in zip(tasks, texts) {
            #expect(try await task.value.body.collect(limit: 3) == Data(text.utf8))
        }
    }

    // MARK: Errors

    @Test("An error is thrown to all callers", arguments: [true, false])
    func errors(isInBody: Bool) async throws {
        let gate = Gate()
        mock.on(
            .get, "/gists",
            isInBody
                ? .chunks([Data("ab".utf8)], at: gate, failure: .connectionLost)
                : .failure(.connectionLost).held(at: gate))
        let tasks = (0..<10).map { _ in start() }
        try await gate.arrivals()
        await executor.settle()
        gate.open()
        for task in tasks {
            let error = await #expect(throws: RequestError.self) { _ = try await task.value }
            #expect(error?.failureKind == .connectionLost)
        }
        #expect(mock.requests.count == 1)
    }

    @Test("A body of the limit's size is delivered", arguments: [true, false])
    func withinLimit(isAnnounced: Bool) async throws {
        mock.on(.get, "/gists", isAnnounced ? .text("1234") : .chunks([Data("12".utf8), Data("34".utf8)]))
        let response = try await CoalescingTransport(mock, limit: 4).response(to: TransportRequest(.get, url))
        #expect(try await response.body.collect(limit: 4) == Data("1234".utf8))
    }

    @Test("A body beyond the limit is an error", arguments: [true, false])
    func beyondLimit(isAnnounced: Bool) async throws {
        mock.on(.get, "/gists", isAnnounced ? .text("12345") : .chunks([Data("123".utf8), Data("45".utf8)]))
        let error = await #expect(throws: RequestError.self) {
            _ = try await CoalescingTransport(mock, limit: 4).response(to: TransportRequest(.get, url))
        }
        #expect(error?.exceededBodyLimit == 4)
    }

    @Test("A body announced beyond the limit is not read, and the length of a 304 is ignored")
    func announcements() async throws {
        let gate = Gate()
        mock.on(.get, "/large", .chunks([Data("1".utf8)], at: gate, headers: [.contentLength: "5"]))
        mock.on(.get, "/gists", .status(304, headers: [.contentLength: "5"]))
        let sharing = CoalescingTransport(mock, limit: 4)
        await #expect(throws: RequestError.self) {
            _ = try await sharing.response(to: TransportRequest(.get, URL(string: "https://example.com/large")!))
        }
        #expect(gate.arrivalCount == 0)
        #expect(try await sharing.response(to: TransportRequest(.get, url)).status == 304)
    }

    // MARK: Cancellation

    @Test("Cancelling one caller leaves the others waiting", arguments: [0, 1, 2])
    func cancellingOne(index: Int) async throws {
        let gate = Gate()
        mock.on(.get, "/gists", .text("shared").held(at: gate))
        var tasks = (0..<3).map { _ in start() }
        try await gate.arrivals()
        await executor.settle()
        let cancelled = tasks.remove(at: index)
        cancelled.cancel()
        // The gate is closed: this does not wait for the transfer.
        await expectCancelled(cancelled)
        gate.open()
        for task in tasks { #expect(try await task.value.body.collect(limit: 6) == Data("shared".utf8)) }
        #expect(mock.requests.count == 1)
    }

    @Test("Cancelling the last caller cancels the transfer, and the next request starts another")
    func cancellingAll() async throws {
        let transfers = Transfers()
        let base = StubTransport(identity: .none) { request in
            guard transfers.begin() == 1 else { return TransportResponse(status: 204, url: request.url) }
            let never = Gate()
            do { try await never.enter() } catch { transfers.cancel() }
            // Ends later: no caller may receive this response.
            await transfers.mayEnd()
            return TransportResponse(status: 200, url: request.url)
        }
        let sharing = CoalescingTransport(base)
        let tasks = (0..<3).map { _ in start(over: sharing) }
        await executor.settle()
        await transfers.begun()
        for task in tasks.dropLast() {
            task.cancel()
            await expectCancelled(task)
        }
        #expect(!transfers.isCancelled)
        tasks[2].cancel()
        await expectCancelled(tasks[2])
        await transfers.cancelled()
        #expect(try await sharing.response(to: TransportRequest(.get, url)).status == 204)
        transfers.end()
    }

    @Test("Cancelling the last caller cancels the transfer of the body")
    func cancellingInBody() async throws {
        let gate = Gate(passes: 1)
        mock.on(.get, "/gists", .chunks([Data("ab".utf8), Data("cd".utf8)], at: gate))
        let task = start()
        try await gate.arrivals(atLeast: 2)
        task.cancel()
        await expectCancelled(task)
        gate.open()
        #expect(try await sharing.response(to: TransportRequest(.get, url)).status == 200)
        #expect(mock.requests.count == 2)
    }

    @Test("A caller that is already cancelled sends nothing")
    func cancelledBefore() async throws {
        mock.on(.get, "/gists", .status(200))
        let gate = Gate()
        let task = Task {
            do { try await gate.enter() } catch {}
            return try await sharing.response(to: TransportRequest(.get, url))
        }
        task.cancel()
        await expectCancelled(task)
        #expect(mock.requests.count == 0)
    }

    @Test("A caller whose deadline has passed sends nothing and retains no transfer")
    func deadlinePassed() async throws {
        let transfers = Transfers()
        let base = StubTransport(identity: .none) { request in
            _ = transfers.begin()
            do { try await Gate().enter() } catch { transfers.cancel() }
            throw RequestError.cancelled
        }
        let sharing = CoalescingTransport(base)
        var late = TransportRequest(.get, url)
        late.deadline = .now
        let error = await #expect(throws: RequestError.self) { _ = try await sharing.response(to: late) }
        #expect(error?.failureKind == .timedOut)
        let task = start(over: sharing)
        await transfers.begun()
        task.cancel()
        await expectCancelled(task)
        // It was the only caller.
        await transfers.cancelled()
        #expect(transfers.begin() == 2)
    }

    @Test("Callers that come and go in any order end with the body or with their own cancellation")
    func comingAndGoing() async throws {
        let mock = MockTransport(chunkSize: 1)
        mock.on(.get, "/gists", .text("shared"))
        let sharing = CoalescingTransport(mock)
        let outcomes = await withTaskGroup(of: Bool?.self) { group in
            for round in 0..<2_000 {
                group.addTask {
                    let task = Task {
                        try await sharing.response(to: TransportRequest(.get, url)).body.collect(limit: 6)
                    }
                    if round % 3 == 0 { task.cancel() }
                    do {
                        return try await task.value == Data("shared".utf8)
                    } catch RequestError.cancelled {
                        // Only callers that cancelled are cancelled.
                        return round % 3 == 0 ? nil : false
                    } catch {
                        return false
                    }
                }
            }
            return await group.reduce(into: (good: 0, bad: 0)) { counts, outcome in
                if outcome == true { counts.good += 1 }
                if outcome == false { counts.bad += 1 }
            }
        }
        #expect(outcomes.bad == 0)
        #expect(outcomes.good >= 1_333)
    }

    // MARK: Shared by the tests

    private func start(
        _ request: TransportRequest = TransportRequest(.get, url), over transport: CoalescingTransport? = nil
    ) -> Task<TransportResponse, any Error> {
        Task(executorPreference: executor) { try await (transport ?? sharing).response(to: request) }
    }
}

private struct Difference: CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (inout TransportRequest) -> Void

    static let all = [
        Difference(testDescription: "path") { $0.url = URL(string: "https://example.com/gists/1")! },
        Difference(testDescription: "query") { $0.url = URL(string: "https://example.com/gists?page=2")! },
        Difference(testDescription: "host") { $0.url = URL(string: "https://example.org/gists")! },
        Difference(testDescription: "value") { $0.headers[.accept] = "b" },
        Difference(testDescription: "field") { $0.headers[.authorization] = "Bearer 1" },
        Difference(testDescription: "Unicode form") { $0.headers[.accept] = "a\u{301}" },
        Difference(testDescription: "timeout") { $0.timeout = .seconds(3_600) },
        Difference(testDescription: "redirects") { $0.redirects = .stop },
        Difference(testDescription: "network") { $0.allowsExpensiveNetwork = false },
        Difference(testDescription: "validators of another origin") {
            $0 = $0.adding(validators: [.ifNoneMatch: "\"1\""], of: URL(string: "https://example.org/gists")!)
        },
    ]
}

/// The progress of transfers.
private final class Transfers: Sendable {
    private let count = Mutex(0)
    private let beginning = Gate()
    private let cancelling = Gate()
    private let ending = Gate()

    func begin() -> Int {
        beginning.open()
        return count.withLock {
            $0 += 1
            return $0
        }
    }

    var isCancelled: Bool { isSet.withLock(\.self) }
    private let isSet = Mutex(false)

    func cancel() {
        isSet.withLock { $0 = true }
        cancelling.open()
    }

    func begun() async { try? await beginning.enter() }

    func cancelled() async { try? await cancelling.enter() }

    func end() { ending.open() }

    /// Waits for the end, even in a cancelled task.
    func mayEnd() async {
        let ending = ending
        await Task.detached { try? await ending.enter() }.value
    }
}
