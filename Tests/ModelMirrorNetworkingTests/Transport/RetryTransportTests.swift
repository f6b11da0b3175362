import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

private let url = URL(string: "https://example.com/gists")!

@Suite("RetryTransport", .timeLimit(.hung), .network)
struct RetryTransportTests {
    private let mock = MockTransport()
    private let clock = ManualClock()

    /// The response to `GET /gists` through a layer that does not wait before a retry.
    private func response(_ policy: RetryPolicy = RetryPolicy()) async throws -> TransportResponse {
        try await RetryTransport(mock, policy: policy, random: { 0 }).response(to: TransportRequest(.get, url))
    }

    // MARK: Retries

    @Test("Transient statuses are retried", arguments: [408, 429, 500, 502, 503, 504])
    func statuses(status: Int) async throws {
        mock.on(.get, "/gists", .sequence([.text("no", status: status), .text("no", status: status), .text("yes")]))
        let response = try await self.response()
        #expect(response.status == 200)
        #expect(try await response.body.collect(limit: 100) == Data("yes".utf8))
        #expect(mock.requests.count == 3)
    }

    @Test(
        "Other statuses are returned without a retry",
        arguments: [200, 204, 301, 304, 400, 401, 403, 404, 409, 425, 501, 505])
    func otherStatuses(status: Int) async throws {
        mock.on(.get, "/gists", .status(status, headers: [.retryAfter: "1"]))
        let response = try await self.response()
        #expect(response.status == status)
        #expect(mock.requests.count == 1)
    }

    @Test(
        "Transient connection failures are retried",
        arguments: [
            RequestError.ConnectionFailure.Kind.cannotConnect, .connectionLost, .timedOut, .hostNotFound,
        ])
    func failures(kind: RequestError.ConnectionFailure.Kind) async throws {
        mock.on(.get, "/gists", .sequence([.failure(kind), .failure(kind), .status(204)]))
        let response = try await self.response()
        #expect(response.status == 204)
        #expect(mock.requests.count == 3)
    }

    @Test("Other errors are thrown without a retry", arguments: Failing.all)
    private func otherFailures(failing: Failing) async throws {
        mock.on(.get, "/gists", .failure(failing.error))
        let error = await #expect(throws: RequestError.self) {
            _ = try await response()
        }
        #expect(error?.description == failing.error.description)
        #expect(mock.requests.count == 1)
    }

    @Test("Methods that are not idempotent are sent once", arguments: [HTTPMethod.post, .patch, HTTPMethod("LOCK")])
    func methods(method: HTTPMethod) async throws {
        mock.on(method, "/gists", .status(503))
        #expect(try await RetryTransport(mock, random: { 0 }).response(to: TransportRequest(method, url)).status == 503)
        #expect(mock.requests.count == 1)
    }

    @Test("The policy may allow other methods, and the body is sent whole each time")
    func allowed() async throws {
        mock.on(.post, "/gists", .sequence([.failure(.connectionLost), .status(500), .status(201)]))
        var policy = RetryPolicy()
        policy.isRepeatable = { $0.headers["Idempotency-Key"] == "7" }
        let retrying = RetryTransport(mock, policy: policy, random: { 0 })
        let body = HTTPBody.chunks {
            var pieces = [Data("[1,".utf8), Data("2]".utf8)][...]
            return { pieces.popFirst() }
        }
        let request = TransportRequest(.post, url, headers: ["Idempotency-Key": "7"], body: body)
        #expect(try await retrying.response(to: request).status == 201)
        #expect(mock.requests.map(\.text) == ["[1,2]", "[1,2]", "[1,2]"])
    }

    @Test("The policy sets the statuses and failures to retry")
    func policy() async throws {
        mock.on(.get, "/gists", .sequence([.status(404), .failure(.badResponse), .status(503)]))
        var policy = RetryPolicy()
        policy.statuses = [404]
        policy.failures = [.badResponse]
        #expect(try await response(policy).status == 503)
        #expect(mock.requests.count == 3)
    }

    @Test("A number of attempts below one counts as one", arguments: [1, 0, -3, .min])
    func oneAttempt(attempts: Int) async throws {
        mock.on(.get, "/gists", .status(503))
        var policy = RetryPolicy()
        policy.attempts = attempts
        #expect(try await response(policy).status == 503)
        #expect(mock.requests.count == 1)
    }

    @Test("A body that breaks off is not requested again")
    func brokenBody() async throws {
        mock.on(.get, "/gists", .chunks([Data("[1".utf8)], failure: .connectionLost))
        let response = try await self.response()
        await #expect(throws: RequestError.self) { _ = try await response.body.collect(limit: 100) }
        #expect(mock.requests.count == 1)
    }

    // MARK: Exhausted attempts

    @Test("The last response is returned with its body")
    func lastResponse() async throws {
        mock.on(.get, "/gists", .sequence([.failure(.timedOut), .text("a", status: 500), .text("b", status: 503)]))
        let response = try await self.response()
        #expect(response.status == 503)
        #expect(try await response.body.collect(limit: 100) == Data("b".utf8))
        #expect(mock.requests.count == 3)
    }

    @Test("The last error is thrown")
    func lastError() async throws {
        mock.on(.get, "/gists", .sequence([.status(500), .failure(.cannotConnect), .failure(.connectionLost)]))
        let error = await #expect(throws: RequestError.self) {
            _ = try await response()
        }
        #expect(error?.failureKind == .connectionLost)
        #expect(mock.requests.count == 3)
    }

    @Test("Responses and errors have the number of attempts")
    func attempts() async throws {
        let client = APIClient(transport: RetryTransport(mock, random: { 0 }))
        mock.on(.get, "/gists", .text("Busy", status: 503))
        let refused = await #expect(throws: RequestError.self) { try await client.send(Endpoint<Void>.get(.url(url))) }
        #expect(refused?.response?.attempts == 3)
        #expect(refused?.response?.body == Data("Busy".utf8))
        #expect(
            refused?.description
                == "GET https://example.com/gists was answered with 503 (Service Unavailable) after 3 attempts, a status that is "
                + "not accepted; its body is \"Busy\".")
        #expect(mock.requests.count == 3)
        mock.on(.get, "/gists", .failure(.cannotConnect))
        let failed = await #expect(throws: RequestError.self) { try await client.send(Endpoint<Void>.get(.url(url))) }
        let failure = try #require(failed?.connectionFailure)
        #expect(failure.attempts == 3)
        #expect(
            failure.description.hasPrefix(
                "No response from https://example.com/gists after 3 attempts: no server accepts"))
        mock.on(.post, "/gists", .status(503))
        let once = await #expect(throws: RequestError.self) { try await client.send(Endpoint<Void>.post(.url(url))) }
        #expect(once?.response?.attempts == 1)
        #expect(once?.description.contains("attempt") == false)
        func again() -> MockResponse { .sequence([.status(500), .status(204)]) }
        mock.on(.get, "/gists", again())
        let empty = await #expect(throws: RequestError.self) { try await client.value(Endpoint<Int>.get(.url(url))) }
        #expect(empty?.response?.attempts == 2)
        mock.on(.get, "/gists", again())
        let silent = await #expect(throws: RequestError.self) {
            for try await _ in client.elements(Endpoint<[Gist]>.get(.url(url))) {}
        }
        #expect(silent?.response?.attempts == 2)
        mock.on(.get, "/gists", .sequence([.status(500), .json(#"{"status": "FAIL"}"#)]))
        var enveloped = client
        enveloped.configuration.envelope = Envelope(statusKey: "status", success: "OK")
        let bad = await #expect(throws: RequestError.self) { try await enveloped.send(Endpoint<Void>.get(.url(url))) }
        #expect(
            bad?.description
                == "GET https://example.com/gists was answered with 200 after 2 attempts and the envelope's status \"FAIL\"."
        )
        mock.on(.get, "/gists", again())
        #expect(try await response().attempts == 2)
    }

    // MARK: Waiting

    @Test("The delay is a random part of a limit that doubles")
    func backoff() async throws {
        var policy = RetryPolicy()
        policy.attempts = 7
        policy.longestDelay = .seconds(3)
        let parts: [Double] = [1, 0.5, 1, 0.25, 1, 0.125]
        let sleeps = try await sleeps(
            before: Array(repeating: .status(503), count: 6), policy: policy, parts: parts)
        #expect(
            sleeps == [
                .milliseconds(500), .milliseconds(500), .seconds(2), .milliseconds(750), .seconds(3),
                .milliseconds(375),
            ])
    }

    @Test("A random part outside 0 to 1 is clamped, and NaN gives no delay")
    func clampedParts() async throws {
        let sleeps = try await sleeps(
            before: [.failure(.timedOut), .status(503), .status(503)], parts: [7, -1, .nan])
        #expect(sleeps == [.milliseconds(500), .seconds(2)])
    }

    @Test("Negative delays count as zero, and huge ones are cut to the longest time")
    func senselessDelays() async throws {
        var policy = RetryPolicy()
        policy.firstDelay = .seconds(-1)
        #expect(try await sleeps(before: [.status(503)], policy: policy, parts: [1]) == [])
        policy.firstDelay = .seconds(1)
        policy.longestDelay = .seconds(-1)
        #expect(try await sleeps(before: [.status(503)], policy: policy, parts: [1]) == [])
        policy.longestDelay = .seconds(Int64.max)
        policy.firstDelay = .seconds(Int64.max / 2 + 1)
        let long = try await sleeps(before: [.status(503), .status(503)], policy: policy, parts: [0, 1e-18])
        #expect(long.count == 1)
        policy.firstDelay = .seconds(Int64.max)
        #expect(
            try await sleeps(before: [.status(503)], policy: policy, parts: [1]) == [.seconds(1_000_000_000)])
    }

    @Test("Retry-After extends the delay", arguments: RetryAfterCase.all)
    private func retryAfter(example: RetryAfterCase) async throws {
        var headers = HTTPHeaders()
        for value in example.values { headers.append(value, for: .retryAfter) }
        let sleeps = try await sleeps(before: [.status(429, headers: headers)], parts: [1])
        #expect(sleeps == [example.delay])
    }

    @Test(
        "A Retry-After beyond the longest delay returns the response",
        arguments: [
            "61", "9223372036854775807", "9223372036854775808", "99999999999999999999999",
            "99999999999999999999999999999999", "Sun, 06 Nov 1994 08:50:38 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
        ])
    func tooLong(value: String) async throws {
        mock.on(.get, "/gists", .text("later", status: 503, headers: [.retryAfter: value]))
        let retrying = RetryTransport(mock, clock: clock, random: { 1 }, now: { now })
        let response = try await retrying.response(to: TransportRequest(.get, url))
        #expect(response.status == 503)
        #expect(try await response.body.collect(limit: 100) == Data("later".utf8))
        #expect(clock.sleeps == [])
        #expect(mock.requests.count == 1)
    }

    @Test("The body of a failed attempt is released before the delay")
    func droppedBody() async throws {
        let ended = Observed(0)
        let statuses = Observed([200, 503])
        let base = StubTransport { request in
            TransportResponse(
                status: statuses.update { $0.removeLast() }, url: request.url,
                body: .endless { ended.update { $0 += 1 } })
        }
        let task = Task {
            try await RetryTransport(base, clock: clock, random: { 1 }).response(to: TransportRequest(.get, url))
        }
        try await clock.sleepers(atLeast: 1)
        #expect(ended.value == 1)
        clock.advance(by: .milliseconds(500))
        let response = try await task.value
        #expect(response.status == 200)
        #expect(ended.value == 1)
    }

    // MARK: Cancellation

    @Test("Cancelling during the delay ends the request at once, and nothing more is sent")
    func cancelledInWait() async throws {
        mock.on(.get, "/gists", .status(503))
        let task = Task {
            try await RetryTransport(mock, clock: clock, random: { 1 }).response(to: TransportRequest(.get, url))
        }
        try await clock.sleepers(atLeast: 1)
        task.cancel()
        await expectCancelled(task)
        #expect(mock.requests.count == 1)
    }

    @Test("Cancelling during an attempt ends the request without a retry")
    func cancelledInAttempt() async throws {
        mock.on(.get, "/gists", .hanging())
        let task = Task { try await response() }
        _ = try await mock.requests(atLeast: 1)
        task.cancel()
        await expectCancelled(task)
        #expect(mock.requests.count == 1)
    }

    @Test("A failure caused by the cancellation is not retried", arguments: [true, false], [0.0, 1.0])
    func failureAfterCancellation(isResponse: Bool, part: Double) async throws {
        let arrived = Gate()
        let base = StubTransport { request in
            // Like transports that do not know why they failed.
            do { try await arrived.enter() } catch {}
            if isResponse { return TransportResponse(status: 503, url: request.url) }
            throw RequestError.connection(.init(.connectionLost, url: request.url, reason: ""))
        }
        let task = Task {
            try await RetryTransport(base, clock: clock, random: { part }).response(to: TransportRequest(.get, url))
        }
        try await arrived.arrivals()
        task.cancel()
        await expectCancelled(task)
        #expect(base.requests.count == 1)
        #expect(clock.sleeps == [])
    }

    // MARK: Shared by the tests

    /// The delays before a request succeeds that first gets these responses.
    private func sleeps(
        before responses: [MockResponse], policy: RetryPolicy? = nil, parts: [Double]
    ) async throws -> [Duration] {
        let clock = ManualClock()
        let mock = MockTransport()
        mock.on(.get, "/gists", .sequence(responses + [.status(204)]))
        var policy = policy ?? RetryPolicy()
        policy.attempts = responses.count + 1
        let remaining = Mutex(parts[...])
        let retrying = RetryTransport(
            mock, policy: policy, clock: clock, random: { remaining.withLock { $0.popFirst() } ?? .infinity },
            now: { now })
        let advancing = Task { await advance(clock) }
        defer { advancing.cancel() }
        let response = try await retrying.response(to: TransportRequest(.get, url))
        #expect(response.status == 204)
        let unused = remaining.withLock { Array($0) }
        #expect(unused == [])
        return clock.sleeps
    }

    /// Ends each sleep as soon as it has begun, until the task is cancelled.
    private func advance(_ clock: ManualClock) async {
        var count = 0
        while (try? await clock.sleeps(atLeast: count + 1)) != nil {
            clock.advance(by: clock.sleeps[count])
            count += 1
        }
    }
}

/// Sunday, 6 November 1994, 08:49:37 GMT.
private let now = Date(timeIntervalSince1970: 784_111_777)

private struct Failing: CustomTestStringConvertible {
    let error: RequestError
    var testDescription: String { error.description }

    static let all: [Failing] = [
        .noConnectivity, .invalidRequest("it is a test"), .tooManyRedirects(limit: 2), .cancelled,
        .connection(.init(.notSecure, url: url, reason: "a test")),
        .connection(.init(.offline, url: url, reason: "a test")),
        .connection(.init(.badResponse, url: url, reason: "a test")),
        .connection(.init(.other, url: url, reason: "a test")),
    ].map(Failing.init)
}

/// Values of `Retry-After`, and the resulting delay, which would be half a second without them.
private struct RetryAfterCase: CustomTestStringConvertible {
    let values: [String]
    let delay: Duration
    var testDescription: String { values.joined(separator: " | ") }

    init(_ values: String..., delay: Duration) {
        self.values = values
        self.delay = delay
    }

    static let all = [
        RetryAfterCase("7", delay: .seconds(7)),
        RetryAfterCase("007", delay: .seconds(7)),
        RetryAfterCase(" 60 ", delay: .seconds(60)),
        RetryAfterCase("Sun, 06 Nov 1994 08:49:46 GMT", delay: .seconds(9)),
        RetryAfterCase("Sunday, 06-Nov-94 08:50:37 GMT", delay: .seconds(60)),
        RetryAfterCase("Sun Nov  6 08:49:39 1994", delay: .seconds(2)),
        RetryAfterCase("3", "5", "4", delay: .seconds(5)),
        RetryAfterCase("later", "5", delay: .seconds(5)),
        // Shorter than the delay without it, or unreadable.
        RetryAfterCase("0", delay: .milliseconds(500)),
        RetryAfterCase("Sun, 06 Nov 1994 08:49:37 GMT", delay: .milliseconds(500)),
        RetryAfterCase("Thu, 01 Jan 1970 00:00:00 GMT", delay: .milliseconds(500)),
        RetryAfterCase("-5", delay: .milliseconds(500)),
        RetryAfterCase("+5", delay: .milliseconds(500)),
        RetryAfterCase("1.5", delay: .milliseconds(500)),
        RetryAfterCase("٥", delay: .milliseconds(500)),
        RetryAfterCase("", delay: .milliseconds(500)),
        RetryAfterCase("Sun, 31 Feb 1994 08:49:46 GMT", delay: .milliseconds(500)),
    ]
}

private final class Gist: AbstractModel {}
