import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("ReachabilityTransport", .timeLimit(.hung), .network)
struct ReachabilityTransportTests {
    private let mock = MockTransport()

    private let noNetwork = "There is no network connection, so the request was not sent; try again when there is one."

    private func send(over transport: ReachabilityTransport) async throws {
        _ = try await transport.response(to: TransportRequest(.get, try #require(URL(string: "https://x/"))))
    }

    @Test("Without a network nothing is sent, and the reachability is read for each request")
    func asked() async throws {
        mock.on(.get, "/", .status(204))
        let reachability = FixedReachability(false)
        let transport = ReachabilityTransport(mock, isConnected: reachability.isConnected)
        await expectRequestError(noNetwork) { try await send(over: transport) }
        #expect(mock.requests.isEmpty)
        reachability.set(true)
        try await send(over: transport)
        #expect(mock.requests.count == 1)
        reachability.set(false)
        await expectRequestError(noNetwork) { try await send(over: transport) }
        #expect(mock.requests.count == 1)
    }

    @Test("A request waits for a network, checked every half second, up to the limit", arguments: [true, false])
    func waits(comesBack: Bool) async throws {
        mock.on(.get, "/", .status(204))
        let clock = ManualClock()
        let reachability = FixedReachability(false)
        let transport = ReachabilityTransport(
            mock, isConnected: reachability.isConnected, waitingUpTo: .milliseconds(1_200), clock: clock)
        let task = Task { try await send(over: transport) }
        for (index, step) in [500, 500, 200].enumerated() {
            try await clock.sleeps(atLeast: index + 1)
            try await clock.sleepers(atLeast: 1)
            #expect(mock.requests.isEmpty)
            if index == 2, comesBack { reachability.set(true) }
            clock.advance(by: .milliseconds(step))
        }
        if comesBack {
            try await task.value
        } else {
            await expectRequestError(noNetwork) { try await task.value }
        }
        #expect(clock.sleeps == [500, 500, 200].map { .milliseconds($0) })
        #expect(mock.requests.count == (comesBack ? 1 : 0))
    }

    @Test("Cancelling ends the wait for a network")
    func cancelledWait() async throws {
        let clock = ManualClock()
        let transport = ReachabilityTransport(
            mock, isConnected: { false }, waitingUpTo: .seconds(10), clock: clock)
        let task = Task { try await send(over: transport) }
        try await clock.sleepers(atLeast: 1)
        task.cancel()
        await expectCancelled(task)
    }

    @Test(
        "Cancelling during a reachability check throws RequestError.cancelled for any result",
        arguments: [true, false])
    func cancelled(answer: Bool) async throws {
        let gate = StubGate()
        let asked = Gate(passes: 1)
        let transport = ReachabilityTransport(
            mock,
            // Returns when the gate is opened, even in a cancelled task.
            isConnected: {
                try? await asked.enter()
                await gate.wait()
                return answer
            })
        let task = Task { try await send(over: transport) }
        try await asked.arrivals()
        task.cancel()
        gate.open()
        await expectCancelled(task)
        #expect(mock.requests.isEmpty)
    }
}
