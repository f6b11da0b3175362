import Dispatch
import Foundation
import ModelMirror
@testable import ModelMirrorNetworking
import Synchronization
import Testing

@Suite("Request lifecycle and cancellation", .timeLimit(.hung), .network)
struct RequestLifeTests {
    private let url: URLReference = "https://example.com/x"

    /// Opens `sent` when it is asked and `noticed` when its task is cancelled, and responds when `gate` is open.
    private func hanging(at gate: StubGate, sent: StubGate, noticed: StubGate) -> StubTransport {
        StubTransport { request in
            sent.open()
            await withTaskCancellationHandler {
                await gate.wait()
            } onCancel: {
                noticed.open()
            }
            return .stub("1", url: request.url)
        }
    }

    @Test("Cancelling a request that waits for its response ends it and its task at once")
    func whileWaiting() async {
        let gate = StubGate()
        let sent = StubGate()
        let noticed = StubGate()
        let client = APIClient(transport: hanging(at: gate, sent: sent, noticed: noticed))
        let log = WordLog()
        let request = client.request(Endpoint<Int>.get(url)) { get in
            do { log.add("\(try get())") } catch { log.add("closure: \(error)") }
        }
        .success { log.add("success \($0)") }.fail { log.add("fail: \($0)") }.finished { log.add("finished") }
        await sent.wait()
        request.cancel()
        request.cancel()
        await ended(request)
        let expected = ["closure: The request was cancelled.", "fail: The request was cancelled.", "finished"]
        #expect(log.words == expected)
        guard case .cancelled = request.state else { return #expect(Bool(false), "\(request.state)") }
        await noticed.wait()
        gate.open()
        await #expect(throws: RequestError.self) { _ = try await request.value() }
        #expect(log.words == expected)
    }

    @Test("Cancelling a request while it reads the body stops the reading")
    func whileReading() async {
        let slot = Slot()
        let ready = StubGate()
        let chunks = WordLog()
        let client = APIClient(
            transport: StubTransport { head in
                await ready.wait()
                let body = ResponseBody {
                    try Task.checkCancellation()
                    chunks.add("chunk")
                    if chunks.words.count == 3 { slot.request.withLock { $0 }?.cancel() }
                    return Data(" ".utf8)
                }
                return TransportResponse(status: 200, url: head.url, body: body)
            })
        let running = client.request(Endpoint<Int>.get(url))
        slot.request.withLock { $0 = running }
        ready.open()
        await expectError("The request was cancelled.") { _ = try await running.value() }
        #expect(chunks.words.count == 3)
        slot.request.withLock { $0 = nil }
    }

    @Test("Cancelling a finished request changes nothing")
    func afterTheEnd() async throws {
        let client = APIClient(transport: StubTransport("1"))
        let log = WordLog()
        let request = client.request(Endpoint<Int>.get(url)) { _ in log.add("closure") }
        await ended(request)
        request.cancel()
        request.fail { log.add("\($0)") }
        await ended(request)
        #expect(log.words == ["closure"])
        #expect(try await request.value() == 1)
    }

    @Test("Cancelling the task that awaits a value cancels the request")
    func awaitingTask() async {
        let sent = StubGate()
        let noticed = StubGate()
        let gate = StubGate()
        let client = APIClient(transport: hanging(at: gate, sent: sent, noticed: noticed))
        let task = Task { try await client.value(Endpoint<Int>.get("https://example.com")) }
        await sent.wait()
        task.cancel()
        await noticed.wait()
        // The request is a part of the task: it ends when its transport does.
        gate.open()
        await expectError("The request was cancelled.") { _ = try await task.value }
    }

    @Test("A request in a task that is already cancelled sends nothing")
    func cancelledTask() async {
        let transport = StubTransport("1")
        let start = StubGate()
        let task = Task {
            await start.wait()
            return try await APIClient(transport: transport)
                .value(Endpoint<Int>.get("https://example.com"))
        }
        task.cancel()
        start.open()
        await expectError("The request was cancelled.") { _ = try await task.value }
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "A transport's RequestError.cancelled or CancellationError ends the request as cancelled",
        arguments: [true, false])
    func cancelledTransport(isOwn: Bool) async {
        let client = APIClient(
            transport: StubTransport { _ in throw isOwn ? RequestError.cancelled : CancellationError() as any Error })
        let request = client.request(Endpoint<Void>.get(url))
        await expectError("The request was cancelled.") { try await request.value() }
        guard case .cancelled = request.state else { return #expect(Bool(false), "\(request.state)") }
    }

    @Test("A thousand requests, each cancelled by two tasks at once, end exactly once each")
    func races() async {
        let transport = StubTransport { request in
            for _ in 0..<Int.random(in: 0...6) { await Task.yield() }
            return .stub("[1, 2, 3]", url: request.url)
        }
        let ledger = Ledger()
        let queue = DispatchQueue(label: "ends")
        await withTaskGroup { group in
            for number in 0..<1000 {
                group.addTask {
                    let client = APIClient(transport: transport)
                    let request = client.request(Endpoint<[Int]>.get("https://example.com"), on: queue) {
                        get in
                        do { ledger.note(number, "got \(try get().count)") } catch { ledger.note(number, "cancelled") }
                    }
                    request.success(on: queue) { _ in ledger.note(number, "success") }
                        .fail(on: queue) { _ in ledger.note(number, "fail") }
                        .finished(on: queue) { ledger.note(number, "finished") }
                    await withTaskGroup { sides in
                        for _ in 0..<2 {
                            sides.addTask {
                                for _ in 0..<Int.random(in: 0...8) { await Task.yield() }
                                request.cancel()
                            }
                        }
                    }
                    await withCheckedContinuation { continuation in
                        request.finished(on: queue) { continuation.resume() }
                    }
                }
            }
        }
        let all = ledger.all
        #expect(all.count == 1000)
        let good = ["got 3", "success", "finished"]
        let bad = ["cancelled", "fail", "finished"]
        #expect(all.values.filter { $0 != good && $0 != bad } == [])
        #expect(all.values.contains(bad))
    }

    @Test("A request that is cancelled a thousand times while it finishes ends once", arguments: 1...20)
    func manyCancels(round: Int) async {
        let gate = StubGate()
        let log = WordLog()
        let queue = DispatchQueue(label: "ends")
        let request = APIClient(transport: StubTransport("1", at: gate))
            .request(Endpoint<Int>.get(url), on: queue) { get in
                do { log.add("got \(try get())") } catch { log.add("cancelled") }
            }
            .success(on: queue) { _ in log.add("success") }.fail(on: queue) { _ in log.add("fail") }
            .finished(on: queue) { log.add("finished") }
        await withTaskGroup { group in
            for number in 0..<1000 {
                if number == round * 40 { gate.open() }
                group.addTask { request.cancel() }
            }
        }
        gate.open()
        await withCheckedContinuation { continuation in request.finished(on: queue) { continuation.resume() } }
        #expect([["got 1", "success", "finished"], ["cancelled", "fail", "finished"]].contains(log.words))
    }

    @Test("A request that is cancelled before it begins never begins")
    func beforeTheTask() async {
        let request = Request<Int>()
        let log = WordLog()
        request.complete { get in log.add((try? get()) == nil ? "cancelled" : "got") }
        request.cancel()
        request.begin { _ in
            log.add("begun")
            return RequestProduct(1) { 1 }
        }
        await ended(request)
        #expect(log.words == ["cancelled"])
    }

    @Test("A request that is cancelled as it begins sends nothing, or sends in a cancelled task")
    func asItBegins() async {
        let log = WordLog()
        let transport = StubTransport { request in
            while !Task.isCancelled { await Task.yield() }
            log.add("noticed")
            throw CancellationError()
        }
        for _ in 0..<200 {
            let request = APIClient(transport: transport).request(Endpoint<Void>.get(url))
            request.cancel()
            await expectError("The request was cancelled.") { try await request.value() }
        }
        while log.words.count < transport.requests.count { await Task.yield() }
        #expect(transport.requests.count <= 200)
    }
}

/// The events noted for each request, by its number.
private final class Ledger: Sendable {
    private let entries = Mutex<[Int: [String]]>([:])

    var all: [Int: [String]] { entries.withLock { $0 } }

    func note(_ number: Int, _ word: String) { entries.withLock { $0[number, default: []].append(word) } }
}

private final class Slot: Sendable {
    let request = Mutex<Request<Int>?>(nil)
}
