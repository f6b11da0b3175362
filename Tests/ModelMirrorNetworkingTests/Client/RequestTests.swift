import Dispatch
import Foundation
import ModelMirror
@testable import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Requests", .timeLimit(.hung), .network)
struct RequestTests {
    private let url: URLReference = "https://example.com/x"

    // MARK: Handlers

    @Test("Each consumer of a request gets its own objects")
    func ownObjects() async throws {
        let gate = StubGate()
        let client = APIClient(transport: StubTransport(#"[{"name": "a"}]"#, at: gate))
        let seen = Seen()
        let request = client.request(Endpoint<[Thing]>.get(url)) { get in
            seen.add((try? get()) ?? [])
        }
        request.success { seen.add($0) }.success { seen.add($0) }.fail { Issue.record($0) }
        gate.open()
        let awaited = try await request.value()
        let again = try await request.value()
        await ended(request)
        await MainActor.run {
            seen.add(awaited)
            seen.add(again)
            #expect(seen.things.map(\.name) == ["a", "a", "a", "a", "a"])
            #expect(Set(seen.things.map(ObjectIdentifier.init)).count == 5)
        }
    }

    @Test("Completion, success and finished handlers run in this order, whenever they are added")
    func order() async {
        let gate = StubGate()
        let client = APIClient(transport: StubTransport("1", at: gate))
        let log = WordLog()
        let request = client.request(Endpoint<Int>.get(url)) { _ in log.add("closure") }
            .finished { log.add("finished 1") }
            .success { log.add("success \($0)") }
            .fail { log.add("fail \($0)") }
            .finished { log.add("finished 2") }
            .success { log.add("success again \($0)") }
        gate.open()
        await ended(request)
        #expect(log.words == ["closure", "success 1", "success again 1", "finished 1", "finished 2"])
    }

    @Test("A failure calls the completion, then the fail and finished handlers")
    func failureOrder() async {
        let client = APIClient(transport: StubTransport("no", status: 404))
        let log = WordLog()
        let request = client.request(Endpoint<Int>.get(url)) { get in
            for _ in 1...2 { do { _ = try get() } catch { log.add("closure \(error is RequestError)") } }
        }
        .finished { log.add("finished") }.success { log.add("success \($0)") }
        .fail { log.add("fail \(($0 as? RequestError)?.response?.status ?? 0)") }
        await ended(request)
        #expect(log.words == ["closure true", "closure true", "fail 404", "finished"])
    }

    @Test("Handlers added after the end are called on their queue")
    func lateHandlers() async throws {
        let client = APIClient(transport: StubTransport("[1, 2]"))
        let request = client.request(Endpoint<[Int]>.get(url))
        await ended(request)
        guard case .succeeded = request.state else { return #expect(Bool(false), "\(request.state)") }
        let log = WordLog()
        request.success { value in
            MainActor.assertIsolated()
            log.add("main \(value)")
        }
        await ended(request)
        let queue = DispatchQueue(label: "late")
        request.success(on: queue) { value in
            dispatchPrecondition(condition: .onQueue(queue))
            log.add("queue \(value)")
        }.fail(on: queue) { log.add("\($0)") }
        await withCheckedContinuation { continuation in request.finished(on: queue) { continuation.resume() } }
        #expect(log.words == ["main [1, 2]", "queue [1, 2]"])
        #expect(try await request.value() == [1, 2])
    }

    @Test("A mapping that fails on a later run is reported once to each fail handler and to awaiters")
    func changeOfMind() async {
        struct Moody: Error { let number: Int }
        let request = Request<Int>()
        let log = WordLog()
        let calls = Observed(0)
        for word in ["first", "second", "third"] { request.success { log.add("\(word) \($0)") } }
        request.fail { log.add("fail \($0)") }
        request.life.begin {
            RequestProduct(1) {
                calls.update { $0 += 1 }
                throw Moody(number: calls.value)
            }
        }
        await ended(request)
        #expect(log.words == ["first 1", "fail Moody(number: 1)"])
        await #expect(throws: Moody.self) { _ = try await request.value() }
        // Handlers added after the end, one at a time.
        request.success { log.add("late \($0)") }
        await ended(request)
        request.fail { log.add("late fail \($0)") }
        await ended(request)
        #expect(log.words == ["first 1", "fail Moody(number: 1)", "late fail Moody(number: 1)"])
        #expect(calls.value == 4)
    }

    @Test("Requests are equal if they are identical")
    func identity() {
        let client = APIClient(transport: StubTransport("1"))
        let one = client.request(Endpoint<Int>.get(url))
        let other = client.request(Endpoint<Int>.get(url))
        #expect(one == one)
        #expect(one != other)
        #expect(Set([one, other, one]).count == 2)
    }

    // MARK: Memory

    @Test("Request, closures and transport are released when the request ends")
    func release() async throws {
        final class Witness: Sendable {}
        weak var weakRequest: Request<Int>?
        weak var weakRepository: AbstractRepository<String>?
        weak var weakTransport: StubTransport?
        weak var inClosure: Witness?
        weak var inHandler: Witness?
        let gate = StubGate()
        let ended = StubGate()
        do {
            let transport = StubTransport("1", at: gate)
            let repository = AbstractRepository<String>(transport: transport)
            let witness = Witness()
            let other = Witness()
            let request = repository.request(Endpoint<Int>.get(url)) { _ in _ = witness }
            request.success { [request] _ in _ = (other, request) }.progress { _ in _ = other }
            request.finished { ended.open() }
            (weakRequest, weakRepository, inClosure, inHandler) = (request, repository, witness, other)
            weakTransport = transport
            #expect(weakRequest != nil)
        }
        #expect(weakRepository == nil)
        #expect(inClosure != nil)
        gate.open()
        await ended.wait()
        await untilNil { weakRequest }
        await untilNil { inClosure }
        await untilNil { inHandler }
        await untilNil { weakTransport }
    }

    @Test("A request that nothing retains still completes")
    func unkept() async {
        let gate = StubGate()
        let value: Int = await withCheckedContinuation { continuation in
            APIClient(transport: StubTransport("5", at: gate)).request(Endpoint<Int>.get(url)) { get in
                continuation.resume(returning: (try? get()) ?? -1)
            }
            gate.open()
        }
        #expect(value == 5)
    }
}

/// Waits until all handlers that were added to a request up to now have been called.
func ended<Value>(_ request: Request<Value>) async {
    await withCheckedContinuation { continuation in request.finished { continuation.resume() } }
}

/// Waits until an object is released, as long as the tasks that hold it need to end.
private func untilNil(
    sourceLocation: SourceLocation = #_sourceLocation, _ object: () -> AnyObject?
) async {
    for _ in 1...100_000 where object() != nil { await Task.yield() }
    #expect(object() == nil, sourceLocation: sourceLocation)
}

@MainActor
private final class Seen {
    private(set) var things: [Thing] = []

    nonisolated init() {}

    func add(_ more: [Thing]) { things += more }
}

private class Thing: AbstractModel {
    var name = ""
}
