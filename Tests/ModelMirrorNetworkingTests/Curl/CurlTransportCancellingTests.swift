#if os(Linux)
import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

/// However cancelling races with the transfer, a request has one outcome, and nothing of it is left.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct CurlTransportCancellingTests {
    private enum Outcome: Hashable {
        case whole
        case cancelled
        case other(String)
    }

    private let server: LoopbackServer
    private let transport = CurlTransport()

    init() throws {
        var limits = LoopbackServer.Limits()
        limits.recordedExchanges = 100
        server = try LoopbackServer(limits: limits)
    }

    /// Cancels after a number of steps of other tasks, so that all phases are met.
    @Test func endsOnceWheneverItIsCancelled() async throws {
        server.on(.get, "/", .chunked((0..<8).map { LoopbackResponse.pattern($0..<$0 + 4000) }))
        server.on(.post, "/") { .data($0.body) }
        var random = SplitMix(state: 1)
        var counts: [Outcome: Int] = [:]
        let rounds = ProcessInfo.processInfo.environment["CANCELLING_ROUNDS"].flatMap { Int($0) } ?? 1000
        for round in 0..<rounds {
            let bytes = LoopbackResponse.pattern(0..<Int(random.next() % 50_000))
            let body: HTTPBody? =
                round % 3 == 0
                ? .chunks {
                    var rest = bytes
                    return {
                        await Task.yield()
                        defer { rest = rest.dropFirst(5000) }
                        return rest.isEmpty ? nil : Data(rest.prefix(5000))
                    }
                } : nil
            let task = Task {
                await outcome {
                    try await transport.response(
                        to: TransportRequest(body == nil ? .get : .post, server.url("/"), body: body))
                }
            }
            for _ in 0..<random.next() % 60 { await Task.yield() }
            if round % 2 == 0 { try await Task.sleep(for: .microseconds(random.next() % 1500)) }
            task.cancel()
            counts[await task.value, default: 0] += 1
        }
        #expect(Set(counts.keys).isSubset(of: [.whole, .cancelled]), "\(counts)")
        #expect(counts[.cancelled, default: 0] > 0)
        #expect(counts.values.reduce(0, +) == rounds)
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

    /// The producer waits for what never comes; it is cancelled, too.
    @Test func cancelsAProducerThatWaits() async throws {
        server.on(.post, "/", .status(204))
        let gate = Gate()
        let body = HTTPBody.chunks {
            {
                try await gate.enter()
                return nil
            }
        }
        let task = Task {
            await outcome { try await transport.response(to: TransportRequest(.post, server.url("/"), body: body)) }
        }
        try await gate.arrivals(atLeast: 1)
        task.cancel()
        #expect(await task.value == .cancelled)
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

/// Random numbers, the same in each run.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
#endif
