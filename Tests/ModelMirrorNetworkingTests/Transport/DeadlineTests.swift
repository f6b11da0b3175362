import Foundation
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

@Suite("Deadlines", .timeLimit(.hung), .network)
struct DeadlineTests {
    private let url = URL(string: "https://api.example.com/gists")!
    private let mock = MockTransport()
    private let late = "the deadline passed before the response was complete"

    private func request(_ time: Duration?) -> TransportRequest {
        var request = TransportRequest(.get, url)
        request.deadline = time.map { .now + $0 }
        return request
    }

    @Test("A client's deadline applies to requests but not to streams, and prepare overrides it")
    func client() throws {
        var client = APIClient(transport: mock)
        var endpoint = Endpoint<Void>.get(.url(url))
        #expect(try client.transportRequest(for: endpoint).deadline == nil)
        client.configuration.deadline = .seconds(30)
        let before = ContinuousClock.now
        let deadline = try #require(try client.transportRequest(for: endpoint).deadline)
        #expect((before + .seconds(30)...ContinuousClock.now + .seconds(30)).contains(deadline))
        let stream = try client.transportRequest(for: endpoint, isStream: true)
        #expect(stream.isStream && stream.deadline == nil)
        // A deadline beyond the clock's range is cut.
        client.configuration.deadline = .seconds(Int64.max)
        #expect(try client.transportRequest(for: endpoint).deadline != nil)
        endpoint.prepare = { $0.deadline = before }
        #expect(try client.transportRequest(for: endpoint).deadline == before)
        #expect(try client.transportRequest(for: endpoint, isStream: true).deadline == before)
    }

    @Test("A passed deadline is named as such where a query item is hidden, too")
    func redacted() {
        let request = TransportRequest(.get, URL(string: "https://api.example.com/gists?key=abc")!)
        #expect(
            "\(Redaction(queryItems: ["key"]).redacted(request.deadlinePassed))"
                == "No response from https://api.example.com/gists?…: \(late); raise it if the server needs longer."
        )
    }

    @Test("A retry whose delay would pass the deadline is not made, and the last response is returned")
    func retry() async throws {
        mock.on(.get, "/gists", .text("busy", status: 503, headers: [.retryAfter: "3000"]))
        var policy = RetryPolicy()
        policy.firstDelay = .seconds(3000)
        policy.longestDelay = .seconds(3000)
        policy.longestRetryAfter = .seconds(3000)
        let retrying = RetryTransport(mock, policy: policy, clock: ManualClock(), random: { 1 })
        let response = try await retrying.response(to: request(.seconds(2000)))
        #expect(response.status == 503)
        #expect(try await response.body.collect(limit: 10) == Data("busy".utf8))
        #expect(mock.requests.count == 1)
        mock.on(.get, "/gists", .failure(.connectionLost))
        let error = await #expect(throws: RequestError.self) {
            try await retrying.response(to: request(.seconds(2000)))
        }
        #expect(error?.failureKind == .connectionLost)
        #expect(mock.requests.count == 2)
    }

    @Test("A retry whose delay ends before the deadline is made")
    func retryInTime() async throws {
        mock.on(.get, "/gists", .sequence([.status(503, headers: [.retryAfter: "30"]), .status(204)]))
        let clock = ManualClock()
        let task = Task {
            try await RetryTransport(mock, clock: clock).response(to: request(.seconds(4000)))
        }
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(30))
        #expect(try await task.value.status == 204)
    }

    @Test("A request does not wait for a token refresh beyond its deadline")
    func renewal() async throws {
        mock.on(.get, "/gists", .unauthorizedUntil(token: "new", then: .status(204)))
        let gate = Gate()
        let transport = try AuthenticatingTransport(mock, origins: [url], token: "old") { _, _ in
            try await gate.enter()
            return "new"
        }
        let error = await #expect(throws: RequestError.self) {
            try await transport.response(to: request(.milliseconds(100)))
        }
        #expect(error?.failureReason == late)
        gate.open()
        #expect(try await transport.response(to: request(nil)).status == 204)
    }

    @Test("Requests that share a transfer have their own deadlines")
    func sharing() async throws {
        let gate = Gate()
        mock.on(.get, "/gists", .text("a").held(at: gate))
        let transport = CoalescingTransport(mock)
        let first = Task { try await transport.response(to: request(.seconds(2))) }
        try await gate.arrivals()
        let second = Task { try await transport.response(to: request(.seconds(2000))) }
        let error = await #expect(throws: RequestError.self) { try await first.value }
        #expect(error?.failureReason == late)
        // Without one, the deadline is that of the transport below.
        let third = Task { try await transport.response(to: request(nil)) }
        try await gate.arrivals(atLeast: 2)
        gate.open()
        #expect(try await second.value.body.collect(limit: 10) == Data("a".utf8))
        #expect(try await third.value.body.collect(limit: 10) == Data("a".utf8))
        #expect(mock.requests.count == 2)
    }

    @Test("A shared transfer with a deadline does not get its transport's", arguments: TransportUnderTest.allCases)
    func sharedDeadline(_ kind: TransportUnderTest) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on(.get, "/gists", .text("a"))
        let transport = CoalescingTransport(kind.make { $0.deadline = .zero })
        let error = await #expect(throws: RequestError.self) {
            try await transport.response(to: TransportRequest(.get, server.url("/gists")))
        }
        #expect(error?.failureReason == late)
        var request = TransportRequest(.get, server.url("/gists"))
        request.deadline = .now + .seconds(2000)
        #expect(try await transport.response(to: request).status == 200)
    }

    @Test("A request that passes its transport's deadline is not repeated", arguments: TransportUnderTest.allCases)
    func retryOfTransport(_ kind: TransportUnderTest) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on(.get, "/gists", .hanging())
        let retrying = RetryTransport(kind.make { $0.deadline = .milliseconds(300) }, random: { 0 })
        let error = await #expect(throws: RequestError.self) {
            try await retrying.response(to: TransportRequest(.get, server.url("/gists")))
        }
        let failure = try #require(error?.connectionFailure)
        #expect(failure.attempts == 1)
        #expect(failure.reason == late)
    }

    @Test("A retry of a shared transfer that would pass the latest deadline is not made")
    func sharedRetry() async throws {
        mock.on(.get, "/gists", .status(503, headers: [.retryAfter: "30"]))
        let clock = ManualClock()
        let transport = CoalescingTransport(RetryTransport(mock, clock: clock))
        #expect(try await transport.response(to: request(.seconds(5))).status == 503)
        #expect(clock.sleeps.isEmpty)
        #expect(mock.requests.count == 1)
    }

    @Test("A transfer keeps its latest deadline when a change ends its sharing")
    func sharedRetryAfterChange() async throws {
        let gate = Gate()
        mock.on(.get, "/gists", .status(503, headers: [.retryAfter: "30"]).held(at: gate))
        mock.on(.post, "/gists", .status(204))
        let clock = ManualClock()
        let transport = CoalescingTransport(RetryTransport(mock, clock: clock))
        let first = Task { try await transport.response(to: request(.seconds(20))) }
        try await gate.arrivals()
        var change = request(nil)
        change.method = .post
        #expect(try await transport.response(to: change).status == 204)
        gate.open()
        #expect(try await first.value.status == 503)
        #expect(clock.sleeps.isEmpty)
    }

    @Test("A request does not wait for a network beyond its deadline")
    func reachability() async throws {
        let transport = ReachabilityTransport(
            mock, isConnected: { false }, waitingUpTo: .seconds(60), clock: ManualClock())
        let error = await #expect(throws: RequestError.self) {
            try await transport.response(to: request(.milliseconds(100)))
        }
        #expect(error?.failureReason == late)
        #expect(mock.requests.isEmpty)
    }

    @Test("The deadline includes the body, and cancelling before it throws RequestError.cancelled")
    func body() async throws {
        let gate = Gate(passes: 1)
        let request = request(.seconds(2))
        let response = try await request.beforeDeadline {
            TransportResponse(
                status: 200, url: url,
                body: ResponseBody {
                    try await gate.enter()
                    return Data("a".utf8)
                })
        }
        var chunks = response.body.makeAsyncIterator()
        #expect(try await chunks.next() == Data("a".utf8))
        let error = await #expect(throws: RequestError.self) { try await chunks.next() }
        #expect(error?.failureReason == late)

        let patient = self.request(.seconds(5000))
        let task = Task {
            try await patient.beforeDeadline {
                do { try await gate.enter() } catch { throw RequestError.cancelled }
                return TransportResponse(status: 200, url: url)
            }
        }
        try await gate.arrivals(atLeast: 3)
        task.cancel()
        await expectCancelled(task)
    }
}
