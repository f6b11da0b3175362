import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import Testing

@Suite("Groups of requests", .timeLimit(.minutes(1)))
struct RequestGroupTests {
    private func repository(_ gate: StubGate? = nil) -> AbstractRepository<String> {
        AbstractRepository<String>(
            transport: StubTransport { request in
                if request.url.path.hasPrefix("/late") { await gate?.wait() }
                let status = Int(request.url.lastPathComponent) ?? 200
                return .stub("\"\(request.url.lastPathComponent)\"", status: status, url: request.url)
            }, baseURL: URL(string: "https://example.com"))
    }

    @Test("All succeed: the group does, after the closures of its requests")
    func success() async {
        let repository = repository()
        let log = WordLog()
        let group = RequestGroup(
            repository.requestValue(url: "a", as: String.self) { get in log.add((try? get()) ?? "failed") },
            repository.requestSuccess(url: "b") { _ in log.add("b") }
        )
        .success { log.add("success") }.fail { log.add("\($0)") }.finished { log.add("finished") }
        await ended(group)
        #expect(Set(log.words.prefix(2)) == ["a", "b"])
        #expect(log.words.dropFirst(2) == ["success", "finished"])
        guard case .succeeded = group.state else { return #expect(Bool(false), "\(group.state)") }
        group.success { log.add("late") }
        await ended(group)
        #expect(log.words.last == "late")
    }

    @Test("Some fail: the group does when all have ended, with their errors in the order of the requests")
    func failure() async throws {
        let gate = StubGate()
        let repository = repository(gate)
        let log = WordLog()
        let slow = repository.requestSuccess(url: "late/503")
        let good = repository.requestSuccess(url: "a")
        let fast = repository.requestSuccess(url: "404")
        let group = RequestGroup(slow, good, fast)
        group.success { log.add("success") }
            .fail { errors in
                for error in errors { log.add("\((error as? RequestError)?.response?.status ?? 0)") }
            }.finished { log.add("finished") }
        await ended(fast)
        await ended(good)
        #expect(log.words.isEmpty)
        #expect(!group.state.isFinished)
        gate.open()
        await ended(group)
        #expect(log.words == ["503", "404", "finished"])
        guard case .failed(let error as RequestGroup.Failure) = group.state else {
            return #expect(Bool(false), "\(group.state)")
        }
        #expect(error.errors.count == 2)
        #expect(
            "\(error)" == """
                GET https://example.com/late/503 was answered with 503 (Service Unavailable), a status that is not accepted; \
                its body is ""503"".
                GET https://example.com/404 was answered with 404 (Not Found), a status that is not accepted; its body is \
                ""404"".
                """)
    }

    @Test("A group can be awaited; its failure is thrown")
    func awaited() async throws {
        let repository = repository()
        try await RequestGroup(repository.requestSuccess(url: "a"), repository.requestSuccess(url: "b")).ended()
        let failing = RequestGroup(repository.requestSuccess(url: "a"), repository.requestSuccess(url: "404"))
        let error = await #expect(throws: RequestGroup.Failure.self) { try await failing.ended() }
        #expect(error?.errors.count == 1)
        #expect((error?.errors.first as? RequestError)?.response?.status == 404)
    }

    @Test("Cancelling the task that awaits a group cancels its requests")
    func cancelledWhileAwaited() async throws {
        let gate = StubGate()
        defer { gate.open() }
        let late = repository(gate).requestSuccess(url: "late/1")
        let group = RequestGroup(late)
        let waiting = Task { try await group.ended() }
        waiting.cancel()
        let error = await #expect(throws: RequestGroup.Failure.self) { try await waiting.value }
        guard case RequestError.cancelled? = error?.errors.first as? RequestError, case .cancelled = late.state else {
            return #expect(Bool(false), "\(String(describing: error)), \(late.state)")
        }
    }

    @Test("Cancelling a group cancels those that run")
    func cancel() async throws {
        let gate = StubGate()
        let repository = repository(gate)
        let good = repository.requestValue(url: "a", as: String.self)
        await ended(good)
        let slow = (1...3).map { repository.requestValue(url: "late/\($0)", as: String.self) }
        let group = RequestGroup { members in
            members.add(good)
            for request in slow { members.add(request) }
        }
        let log = WordLog()
        let queue = DispatchQueue(label: "group")
        group.success(on: queue) { log.add("success") }.fail(on: queue) { log.add("\($0.count) failed") }
        group.cancel()
        await withCheckedContinuation { continuation in group.finished(on: queue) { continuation.resume() } }
        #expect(log.words == ["3 failed"])
        #expect(try await good.value() == "a")
        for request in slow {
            guard case .cancelled = request.state else { return #expect(Bool(false), "\(request.state)") }
        }
        gate.open()
    }

    @Test("A group of none has succeeded")
    func empty() async {
        let log = WordLog()
        let group = RequestGroup { _ in }.success { log.add("success") }
        await ended(group)
        #expect(log.words == ["success"])
    }

    @Test("A group is let go when it has ended, and its requests with it")
    func release() async {
        weak var weakGroup: RequestGroup?
        weak var weakRequest: Request<Void>?
        do {
            let request = repository().requestSuccess(url: "a")
            let group = RequestGroup(request)
            (weakGroup, weakRequest) = (group, request)
            await ended(group)
        }
        for _ in 1...100_000 where weakGroup != nil || weakRequest != nil { await Task.yield() }
        #expect(weakGroup == nil)
        #expect(weakRequest == nil)
    }
}
