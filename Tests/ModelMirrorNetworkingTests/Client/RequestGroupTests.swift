import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import Testing

@Suite("Request groups", .timeLimit(.hung), .network)
struct RequestGroupTests {
    private func client(_ gate: StubGate? = nil) -> APIClient {
        APIClient(
            transport: StubTransport { request in
                if request.url.path.hasPrefix("/late") { await gate?.wait() }
                let status = Int(request.url.lastPathComponent) ?? 200
                return .stub("\"\(request.url.lastPathComponent)\"", status: status, url: request.url)
            }, baseURL: URL(string: "https://example.com"))
    }

    @Test("A group succeeds when all requests have succeeded, after their closures have run")
    func success() async {
        let client = client()
        let log = WordLog()
        let group = Request.all(
            client.request(Endpoint<String>.get("a")) { get in log.add((try? get()) ?? "failed") },
            client.request(Endpoint<Void>.get("b")) { _ in log.add("b") }
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

    @Test("A group with failures fails when all requests have ended, with the errors in request order")
    func failure() async throws {
        let gate = StubGate()
        let client = client(gate)
        let log = WordLog()
        let slow = client.request(Endpoint<Void>.get("late/503"))
        let good = client.request(Endpoint<Void>.get("a"))
        let fast = client.request(Endpoint<Void>.get("404"))
        let group = Request.all(slow, good, fast)
        group.success { log.add("success") }
            .fail { error in
                for error in (error as? RequestGroupError)?.errors ?? [] {
                    log.add("\((error as? RequestError)?.response?.status ?? 0)")
                }
            }.finished { log.add("finished") }
        await ended(fast)
        await ended(good)
        #expect(log.words.isEmpty)
        #expect(!group.state.isFinished)
        gate.open()
        await ended(group)
        #expect(log.words == ["503", "404", "finished"])
        guard case .failed(let error as RequestGroupError) = group.state else {
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

    @Test("Awaiting a group throws its failure")
    func awaited() async throws {
        let client = client()
        try await Request.all(client.request(Endpoint<Void>.get("a")), client.request(Endpoint<Void>.get("b"))).value()
        let failing = Request.all(client.request(Endpoint<Void>.get("a")), client.request(Endpoint<Void>.get("404")))
        let error = await #expect(throws: RequestGroupError.self) { try await failing.value() }
        #expect(try #require(error).localizedDescription == "\(try #require(error))")
        #expect(error?.errors.count == 1)
        #expect((error?.errors.first as? RequestError)?.response?.status == 404)
    }

    @Test("Cancelling the task that awaits a group cancels the group and its requests")
    func cancelledWhileAwaited() async throws {
        let gate = StubGate()
        defer { gate.open() }
        let late = client(gate).request(Endpoint<Void>.get("late/1"))
        let group = Request.all(late)
        let waiting = Task { try await group.value() }
        waiting.cancel()
        await expectError("The request was cancelled.") { try await waiting.value }
        await expectError("The request was cancelled.") { try await late.value() }
        guard case .cancelled = group.state, case .cancelled = late.state else {
            return #expect(Bool(false), "\(group.state), \(late.state)")
        }
    }

    @Test("Cancelling a group cancels its running requests and leaves finished ones")
    func cancel() async throws {
        for begins in [false, true] {
            let gate = StubGate()
            defer { gate.open() }
            let client = client(gate)
            let good = client.request(Endpoint<String>.get("a"))
            await ended(good)
            let slow = (1...3).map { client.request(Endpoint<String>.get("late/\($0)")) }
            let group = Request.all { members in
                members.add(good)
                for request in slow { members.add(request) }
            }
            if begins { for _ in 1...1000 { await Task.yield() } }
            let log = WordLog()
            let queue = DispatchQueue(label: "group")
            group.success(on: queue) { log.add("success") }.fail(on: queue) { log.add("\($0)") }
            group.cancel()
            await withCheckedContinuation { continuation in group.finished(on: queue) { continuation.resume() } }
            #expect(log.words == ["The request was cancelled."])
            #expect(try await good.value() == "a")
            for request in slow {
                for _ in 1...100_000 where !request.state.isFinished { await Task.yield() }
                guard case .cancelled = request.state else { return #expect(Bool(false), "\(request.state)") }
            }
        }
    }

    @Test("Cancelling a member fails the group and leaves its other members running")
    func cancelledMember() async throws {
        let gate = StubGate()
        let client = client(gate)
        let one = client.request(Endpoint<Void>.get("late/a"))
        let other = client.request(Endpoint<Void>.get("late/b"))
        let group = Request.all(one, other)
        one.cancel()
        await ended(one)
        #expect(!group.state.isFinished && !other.state.isFinished)
        gate.open()
        let error = await #expect(throws: RequestGroupError.self) { try await group.value() }
        #expect(error?.errors.map { "\($0)" } == ["The request was cancelled."])
        try await other.value()
    }

    @Test("An empty group succeeds")
    func empty() async {
        let log = WordLog()
        let group = Request.all { _ in }.success { log.add("success") }
        await ended(group)
        #expect(log.words == ["success"])
    }

    @Test("A group and its requests are released when the group has ended")
    func release() async {
        weak var weakGroup: Request<Void>?
        weak var weakRequest: Request<Void>?
        do {
            let request = client().request(Endpoint<Void>.get("a"))
            let group = Request.all(request)
            (weakGroup, weakRequest) = (group, request)
            await ended(group)
        }
        for _ in 1...100_000 where weakGroup != nil || weakRequest != nil { await Task.yield() }
        #expect(weakGroup == nil)
        #expect(weakRequest == nil)
    }
}
