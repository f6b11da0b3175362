import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("ReachabilityTransport", .timeLimit(.hung), .network)
struct ReachabilityTransportTests {
    private let mock = MockTransport()

    private func failure(_ transport: ReachabilityTransport) async throws -> RequestError? {
        let request = TransportRequest(.get, try #require(URL(string: "https://x/")))
        do {
            _ = try await transport.response(to: request)
            return nil
        } catch let error as RequestError {
            return error
        }
    }

    @Test("Without a network nothing is sent, and the reachability is read for each request")
    func asked() async throws {
        mock.on(.get, "/", .status(204))
        let reachability = FixedReachability(false)
        let transport = ReachabilityTransport(mock, isConnected: reachability.isConnected)
        guard case .noConnectivity? = try await failure(transport) else { return #expect(Bool(false)) }
        #expect(mock.requests.isEmpty)
        reachability.set(true)
        #expect(try await failure(transport) == nil)
        #expect(mock.requests.count == 1)
        reachability.set(false)
        guard case .noConnectivity? = try await failure(transport) else { return #expect(Bool(false)) }
        #expect(mock.requests.count == 1)
    }

    @Test("A request waits for a network, checked every half second, up to the limit", arguments: [true, false])
    func waits(comesBack: Bool) async throws {
        mock.on(.get, "/", .status(204))
        let clock = ManualClock()
        let reachability = FixedReachability(false)
        let transport = ReachabilityTransport(
            mock, isConnected: reachability.isConnected, waitingUpTo: .milliseconds(1_200), clock: clock)
        let task = Task { try await failure(transport) }
        for (index, step) in [500, 500, 200].enumerated() {
            try await clock.sleeps(atLeast: index + 1)
            try await clock.sleepers(atLeast: 1)
            #expect(mock.requests.isEmpty)
            if index == 2, comesBack { reachability.set(true) }
            clock.advance(by: .milliseconds(step))
        }
        let error = try await task.value
        #expect(clock.sleeps == [500, 500, 200].map { .milliseconds($0) })
        #expect(mock.requests.count == (comesBack ? 1 : 0))
        switch error {
        case nil: #expect(comesBack)
        case .noConnectivity?: #expect(!comesBack)
        case let error?: Issue.record("\(error)")
        }
    }

    @Test("Cancelling ends the wait for a network")
    func cancelledWait() async throws {
        let clock = ManualClock()
        let transport = ReachabilityTransport(
            mock, isConnected: { false }, waitingUpTo: .seconds(10), clock: clock)
        let task = Task { try await failure(transport) }
        try await clock.sleepers(atLeast: 1)
        task.cancel()
        guard case .cancelled? = try await task.value else { return #expect(Bool(false)) }
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
        let task = Task { try await failure(transport) }
        try await asked.arrivals()
        task.cancel()
        gate.open()
        let error = try await task.value
        guard case .cancelled? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(mock.requests.isEmpty)
    }
}
