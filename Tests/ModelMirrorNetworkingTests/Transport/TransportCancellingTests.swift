import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

/// However cancelling races with the transfer, a request has one outcome and leaves nothing behind.
@Suite(.serialized, .timeLimit(.hung), .network)
struct TransportCancellingTests {
    private enum Outcome: Hashable {
        case whole
        case cancelled
        case other(String)
    }

    private let server: LoopbackServer

    init() throws {
        var limits = LoopbackServer.Limits()
        limits.recordedExchanges = 100
        server = try LoopbackServer(limits: limits)
    }

    /// Cancels after various numbers of yields and various times, so that all phases of a request are met.
    @Test(arguments: TransportUnderTest.allCases)
    func endsOnceWheneverItIsCancelled(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/", .chunked((0..<8).map { LoopbackResponse.pattern($0..<$0 + 4000) }))
        server.on(.get, "/from", .redirect(to: "/"))
        server.on(.post, "/") { .data($0.body) }
        let transport = kind.make()
        let (width, rounds) = (16, kind == .session ? 320 : 10_000)
        let counts = try await withThrowingTaskGroup(of: [Outcome: Int].self) { group in
            for seed in 0..<width {
                group.addTask { try await cancelled(rounds / width, SplitMix(state: UInt64(seed)), over: transport) }
            }
            return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
        #expect(Set(counts.keys).isSubset(of: [.whole, .cancelled]), "\(counts)")
        // How many requests end first depends on the machine, but those cancelled at once never do.
        #expect(counts[.cancelled, default: 0] > 0)
        #expect(counts.values.reduce(0, +) == rounds)
        try await isStillGood(transport)
    }

    private func cancelled(
        _ rounds: Int, _ random: SplitMix, over transport: any Transport
    ) async throws -> [Outcome: Int] {
        var (random, counts) = (random, [Outcome: Int]())
        for round in 0..<rounds {
            let bytes = LoopbackResponse.pattern(0..<Int(random.next() % 50_000))
            let body = HTTPBody.chunks {
                var rest = bytes
                return {
                    await Task.yield()
                    defer { rest = rest.dropFirst(5000) }
                    return rest.isEmpty ? nil : Data(rest.prefix(5000))
                }
            }
            let request =
                switch random.next() % 3 {
                case 0: TransportRequest(.post, server.url("/"), body: body)
                case 1: TransportRequest(.get, server.url("/from"))
                default: TransportRequest(.get, server.url("/"))
                }
            let task = Task { await outcome { try await transport.response(to: request) } }
            if !round.isMultiple(of: 5) {
                for _ in 0..<random.next() % 60 { await Task.yield() }
                if random.next() % 2 == 0 { try await Task.sleep(for: .microseconds(random.next() % 4000)) }
            }
            task.cancel()
            counts[await task.value, default: 0] += 1
        }
        return counts
    }

    @Test(arguments: TransportUnderTest.allCases)
    func cancelsRequestsThatWaitForAConnection(_ kind: TransportUnderTest) async throws {
        let gate = Gate()
        server.on(.get, "/held", LoopbackResponse.text("a").held(at: gate))
        let transport = kind.make { $0.requestsPerHost = 6 }
        let tasks = (0..<64).map { _ in
            Task { await outcome { try await transport.response(to: TransportRequest(.get, server.url("/held"))) } }
        }
        try await gate.arrivals(atLeast: 6)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == .cancelled) }
        gate.open()
        try await isStillGood(transport)
    }

    @Test(arguments: TransportUnderTest.allCases, [0, 1, 5, 20])
    func cancelsUploads(_ kind: TransportUnderTest, _ steps: Int) async throws {
        let transport = kind.make()
        // A body above the server's limit would get a 413 before it is cancelled.
        var limits = LoopbackServer.Limits()
        limits.bodyBytes = 1 << 31
        let server = try LoopbackServer(limits: limits)
        defer { server.stop() }
        server.on(.post, "/", .status(204))
        for length in [nil, 1 << 30] {
            let made = Atomic(0)
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
        try await isStillGood(transport)
    }

    /// The producer waits forever and is cancelled with the request.
    @Test(arguments: TransportUnderTest.allCases)
    func cancelsAProducerThatWaits(_ kind: TransportUnderTest) async throws {
        let transport = kind.make()
        server.on(.post, "/", .status(204))
        let (gate, cancelled) = (Gate(), Gate())
        let body = HTTPBody.chunks {
            {
                do { try await gate.enter() } catch { cancelled.open() }
                return nil
            }
        }
        let task = Task {
            await outcome { try await transport.response(to: TransportRequest(.post, server.url("/"), body: body)) }
        }
        try await gate.arrivals(atLeast: 1)
        task.cancel()
        #expect(await task.value == .cancelled)
        try await cancelled.enter()
        try await isStillGood(transport)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func dropsUnreadResponses(_ kind: TransportUnderTest) async throws {
        let transport = kind.make()
        server.on(.get, "/", .oversized(2 << 20))
        for _ in 0..<40 { _ = try await transport.response(to: TransportRequest(.get, server.url("/"))) }
        for exchange in try await server.exchanges(atLeast: 40) { _ = try await exchange.ended() }
        try await isStillGood(transport)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func cancelsBetweenRedirects(_ kind: TransportUnderTest) async throws {
        let transport = kind.make()
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

    private func isStillGood(_ transport: any Transport) async throws {
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
