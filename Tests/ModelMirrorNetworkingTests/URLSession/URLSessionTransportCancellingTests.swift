#if !os(Linux) || FoundationNetworking
import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

/// However cancelling races with the transfer, a request has one outcome, and nothing of it is left.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct URLSessionTransportCancellingTests {
    private enum Outcome: Hashable {
        case whole
        case cancelled
        case other(String)
    }

    private let server: LoopbackServer
    private let transport = URLSessionTransport()

    init() throws { server = try LoopbackServer() }

    /// Cancels after a number of steps of other tasks, so that all phases are met.
    @Test func endsOnceWheneverItIsCancelled() async throws {
        server.on(.get, "/", .chunked((0..<8).map { LoopbackResponse.pattern($0..<$0 + 4000) }))
        var counts: [Outcome: Int] = [:]
        for round in 0..<300 {
            let task = Task {
                await outcome { try await transport.response(to: TransportRequest(.get, server.url("/"))) }
            }
            for _ in 0..<round % 60 { await Task.yield() }
            if round % 3 == 0 { try await Task.sleep(for: .microseconds(round * 5)) }
            task.cancel()
            counts[await task.value, default: 0] += 1
        }
        #expect(Set(counts.keys).isSubset(of: [.whole, .cancelled]), "\(counts)")
        #expect(counts[.cancelled, default: 0] > 0)
        #expect(counts.values.reduce(0, +) == 300)
        try await isStillGood()
    }

    @Test func cancelsThoseThatWaitForAConnection() async throws {
        let gate = Gate()
        server.on(.get, "/held", LoopbackResponse.text("a").held(at: gate))
        let tasks = (0..<64).map { _ in
            Task { await outcome { try await transport.response(to: TransportRequest(.get, server.url("/held"))) } }
        }
        try await gate.arrivals(atLeast: 6)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == .cancelled) }
        gate.open()
        try await isStillGood()
    }

    @Test(arguments: [0, 1, 5, 20])
    func cancelsUploads(_ steps: Int) async throws {
        server.on(.post, "/", .status(204))
        let made = Atomic(0)
        for length in [nil, 1 << 30] {
            let body = HTTPBody.chunks(length: length) {
                {
                    made.add(1, ordering: .relaxed)
                    return Data(repeating: 0x20, count: 1 << 16)
                }
            }
            let task = Task {
                await outcome { try await transport.response(to: TransportRequest(.post, server.url("/"), body: body)) }
            }
            while made.load(ordering: .relaxed) < steps { await Task.yield() }
            task.cancel()
            #expect(await task.value == .cancelled)
        }
        try await isStillGood()
    }

    @Test func dropsResponsesAtOnce() async throws {
        server.on(.get, "/", .oversized(2 << 20))
        for _ in 0..<40 { _ = try await transport.response(to: TransportRequest(.get, server.url("/"))) }
        for exchange in try await server.exchanges(atLeast: 40) { _ = try await exchange.ended() }
        try await isStillGood()
    }

    @Test func cancelsBetweenRedirects() async throws {
        let gate = Gate()
        server.on(.get, "/from", .redirect(to: "/to"))
        server.on(.get, "/to", LoopbackResponse.text("a").held(at: gate))
        let task = Task {
            await outcome { try await transport.response(to: TransportRequest(.get, server.url("/from"))) }
        }
        try await gate.arrivals(atLeast: 1)
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(try await server.exchanges(atLeast: 2)[1].ended() == .clientLeft)
    }

    private func outcome(_ send: () async throws -> TransportResponse) async -> Outcome {
        do {
            _ = try await send().body.collect(limit: 1 << 20)
            return .whole
        } catch RequestError.cancelled {
            return .cancelled
        } catch {
            return .other("\(error)")
        }
    }

    private func isStillGood() async throws {
        server.on(.get, "/good", .text("good"))
        let response = try await transport.response(to: TransportRequest(.get, server.url("/good")))
        #expect(try await response.body.collect(limit: 10) == Data("good".utf8))
    }
}
#endif
