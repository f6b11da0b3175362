import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

private let api = URL(string: "https://api.example.com")!
private let url = URL(string: "https://api.example.com/gists")!

/// When an `AuthenticatingTransport` renews its credential, who waits for that, and what a failed renewal means.
@Suite("Renewals of a credential", .timeLimit(.hung), .network)
struct RenewalTests {
    private let executor = StepExecutor()
    private let mock = MockTransport()

    // MARK: Many requests

    @Test("A hundred concurrent 401s cause one refresh, and all requests succeed", arguments: [true, false])
    func hundred(isRefreshSlow: Bool) async throws {
        let refusals = Gate()
        let refreshes = Gate()
        let mock = MockTransport.issuing(refusals: refusals, refreshes: refreshes)
        let transport = try AuthenticatingTransport.renewing(over: mock)
        if !isRefreshSlow { refreshes.open() }
        let tasks = (0..<100).map { _ in executor.start(transport) }
        try await refusals.arrivals(atLeast: 100)
        refusals.open()
        try await refreshes.arrivals()
        if isRefreshSlow {
            await executor.settle()
            refreshes.open()
        }
        for task in tasks { #expect(try await task.value.status == 200) }
        #expect(mock.requestCount(.post, "/token") == 1)
        let tokens = mock.requests.filter { $0.path == "/gists" }.map { $0.headers[.authorization] ?? "-" }
        #expect(tokens.sorted() == ["Bearer new", "Bearer old"].flatMap { Array(repeating: $0, count: 100) })
    }

    @Test("Requests made during a refresh are sent when it has ended")
    func waitingBeforeSending() async throws {
        let refreshes = Gate()
        let mock = MockTransport.issuing(refreshes: refreshes)
        let transport = try AuthenticatingTransport.renewing(over: mock)
        let first = executor.start(transport)
        try await refreshes.arrivals()
        let others = (0..<5).map { _ in executor.start(transport) }
        await executor.settle()
        #expect(mock.requests.count == 2)
        refreshes.open()
        for task in [first] + others { #expect(try await task.value.status == 200) }
        #expect(mock.requests.dropFirst(2).allSatisfy { $0.headers[.authorization] == "Bearer new" })
        #expect(mock.requests.count == 8)
    }

    @Test("A late 401 for an older token is retried without a refresh")
    func lateRefusal() async throws {
        let refusals = Gate()
        let mock = MockTransport.issuing(refusals: refusals)
        let transport = try AuthenticatingTransport.renewing(over: mock)
        let tasks = [executor.start(transport), executor.start(transport)]
        try await refusals.arrivals(atLeast: 2)
        refusals.pass()
        // One request has the new token, the other still waits for its 401.
        _ = try await mock.requests(atLeast: 4)
        #expect(transport.credential == "new")
        refusals.open()
        for task in tasks { #expect(try await task.value.status == 200) }
        #expect(mock.requestCount(.post, "/token") == 1)
        #expect(mock.requests.count == 5)
    }

    @Test("Each request with a rejected token refreshes it once")
    func oneAfterTheOther() async throws {
        let mock = MockTransport.issuing()
        let transport = try AuthenticatingTransport.renewing(over: mock)
        for round in 1...3 {
            transport.credential = "old"
            #expect(try await transport.response(to: TransportRequest(.get, url)).status == 200)
            #expect(mock.requestCount(.post, "/token") == round)
        }
    }

    // MARK: A refresh that fails

    @Test(
        "After a failed refresh, requests get the 401 with its error until the credential is set"
    )
    func failingRefresh() async throws {
        let refusals = Gate()
        let refreshes = Gate()
        let told = Mutex<[String]>([])
        let mock = MockTransport.issuing(refusals: refusals)
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "old") { refused, _ in
            try await refreshes.enter()
            if refused == "old" { throw Refused(number: 1) }
            return "new"
        } refused: { credential, error in
            told.withLock { $0.append("\(credential ?? "-") \(error.map { "\($0)" } ?? "-")") }
        }
        var tasks = (0..<100).map { _ in executor.start(transport) }
        try await refusals.arrivals(atLeast: 100)
        refusals.pass(60)
        try await refreshes.arrivals()
        tasks += (0..<20).map { _ in executor.start(transport) }
        await executor.settle()
        #expect(mock.requests.count == 100)
        refreshes.pass()
        // The waiting requests are now sent with the old token; the last 40 get their 401 after the failed refresh.
        try await refusals.arrivals(atLeast: 120)
        refusals.open()
        for task in tasks {
            let response = try await task.value
            #expect(response.status == 401)
            #expect(response.renewalError as? Refused == Refused(number: 1))
        }
        #expect(refreshes.arrivalCount == 1)
        #expect(mock.requests.count == 120)
        #expect(transport.credential == "old")
        let later = try await transport.response(to: TransportRequest(.get, url))
        #expect(later.renewalError as? Refused == Refused(number: 1))
        #expect(refreshes.arrivalCount == 1)
        #expect(told.withLock(\.self) == ["old Refused(number: 1)"])

        refreshes.open()
        transport.credential = "older"
        #expect(try await transport.response(to: TransportRequest(.get, url)).status == 200)
        #expect(refreshes.arrivalCount == 2)
        #expect(told.withLock(\.self).count == 1)
    }

    @Test("A client's error for the 401 contains and describes the refresh error")
    func renewalErrorOfClient() async throws {
        mock.on(.get, "/gists", .json(#"{"message": "Bad credentials"}"#, status: 401))
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "old") { _, _ in
            throw RequestError.noConnectivity
        }
        do {
            try await APIClient(transport: transport).send(.get(.url(url)))
            Issue.record("A 401 was accepted.")
        } catch let error as RequestError {
            #expect("\(try #require(error.response?.renewalError))" == RequestError.noConnectivity.description)
            #expect(
                error.description == """
                    GET https://api.example.com/gists was answered with 401 (Unauthorized), a status that is not accepted; its \
                    body is "{"message": "Bad credentials"}"; renewing the credential failed: There is no network connection, \
                    so the request was not sent; try again when there is one.
                    """)
        }
    }

    @Test("A refresh that failed without a connection is tried again")
    func transientFailure() async throws {
        let count = Mutex(0)
        let mock = MockTransport.issuing()
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "old") { _, _ in
            let number = count.withLock {
                $0 += 1
                return $0
            }
            if number == 1 { throw RequestError.noConnectivity }
            return "new"
        } refused: { _, _ in
            Issue.record("A refusal was reported.")
        }
        let first = try await transport.response(to: TransportRequest(.get, url))
        #expect(first.status == 401)
        #expect("\(try #require(first.renewalError))" == RequestError.noConnectivity.description)
        #expect(try await transport.response(to: TransportRequest(.get, url)).status == 200)
    }

    @Test("A refresh that failed without a connection through a client with a store is tried again")
    func transientFailureOfStore() async throws {
        mock.on(.get, "/gists", .unauthorizedUntil(token: "new", then: .status(204)))
        mock.on(.get, "/token", .sequence([.failure(RequestError.noConnectivity), .json("\"new\"")]))
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "old") { _, inner in
            let client = APIClient(transport: inner, baseURL: api, persistence: Persistence(MemoryStore()))
            return try await client.value(Endpoint<String>.get("token"))
        } refused: { _, _ in
            Issue.record("A refusal was reported.")
        }
        let first = try await transport.response(to: TransportRequest(.get, url))
        #expect(first.status == 401)
        guard case FetchError.noConnectivity? = first.renewalError else {
            Issue.record("\(first.renewalError as Any)")
            return
        }
        #expect(try await transport.response(to: TransportRequest(.get, url)).status == 204)
    }

    @Test("Without a refresh the 401 is returned, and the refusal is reported once per credential")
    func noRenewal() async throws {
        let told = Mutex<[String?]>([])
        mock.on(.get, "/gists", .json(#"{"message": "Bad credentials"}"#, status: 401))
        let transport = try AuthenticatingTransport(
            mock, origins: [api], token: "a",
            refused: { credential, error in
                #expect(error == nil)
                told.withLock { $0.append(credential) }
            })
        for _ in 1...2 {
            let response = try await transport.response(to: TransportRequest(.get, url))
            #expect(response.status == 401)
            #expect(response.renewalError == nil)
            #expect(try await response.body.collect(limit: 100) == Data(#"{"message": "Bad credentials"}"#.utf8))
        }
        #expect(told.withLock(\.self) == ["a"])
        transport.credential = "b"
        _ = try await transport.response(to: TransportRequest(.get, url))
        #expect(told.withLock(\.self) == ["a", "b"])
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Bearer a", "Bearer a", "Bearer b"])
    }

    @Test("The body of the 401 is kept during a failing refresh, up to 64 KiB", arguments: [65_536, 65_537])
    func keptBody(count: Int) async throws {
        let mock = MockTransport(chunkSize: 1 << 15)
        mock.on(.get, "/gists", .data(Data(repeating: 7, count: count), status: 401))
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "a") { _, _ in throw UnexpectedCall() }
        let response = try await transport.response(to: TransportRequest(.get, url))
        #expect(response.status == 401)
        var received = 0
        do {
            for try await chunk in response.body { received += chunk.count }
            #expect(count == 65_536)
        } catch RequestError.bodyTooLarge(limit: 65_536) {
            #expect(count == 65_537)
        }
        #expect(received == 65_536)
    }

    @Test(
        "A refresh through the authenticating transport itself fails instead of waiting, also if requests are shared",
        arguments: [false, true])
    func refreshThroughItself(isShared: Bool) async throws {
        let mock = MockTransport.issuing()
        let outer = Mutex<(any Transport)?>(nil)
        let authenticating = try AuthenticatingTransport(
            mock, origins: [api], token: "old",
            refresh: { _, _ in
                let outer = outer.withLock(\.self)
                let request = TransportRequest(isShared ? .get : .post, isShared ? url : api.appending(path: "token"))
                _ = try await outer?.response(to: request)
                return "new"
            }, account: { _ in "alice" })
        let transport: any Transport = isShared ? CoalescingTransport(authenticating) : authenticating
        outer.withLock { $0 = transport }
        defer { outer.withLock { $0 = nil } }
        let response = try await transport.response(to: TransportRequest(.get, url))
        #expect(response.status == 401)
        #expect(
            "\(try #require(response.renewalError))"
                == "The request cannot be sent: the renewal of a credential was sent through the transport that waits for "
                + "it; use the transport passed to the closure.")
    }

    // MARK: Cancellation

    @Test("Cancelling during the first attempt causes no refresh")
    func cancelledInFirst() async throws {
        let refusals = Gate()
        let mock = MockTransport.issuing(refusals: refusals)
        let transport = try AuthenticatingTransport.renewing(over: mock)
        let task = executor.start(transport)
        try await refusals.arrivals()
        task.cancel()
        await expectCancelled(task)
        #expect(mock.requests.count == 1)
        #expect(transport.credential == "old")
    }

    @Test("A 401 that arrives after the cancellation causes no refresh")
    func refusedAfterCancellation() async throws {
        let arrived = Gate()
        let never = Gate()
        let base = StubTransport { _ in
            do { try await arrived.enter() } catch {}
            return TransportResponse(status: 401, url: url)
        }
        let transport = try AuthenticatingTransport(base, origins: [api], token: "a") { _, _ in
            try await never.enter()
            return "b"
        }
        let task = executor.start(transport)
        try await arrived.arrivals()
        task.cancel()
        await expectCancelled(task)
        // It would wait for a refresh.
        let next = executor.start(transport)
        try await arrived.arrivals(atLeast: 2)
        next.cancel()
        await expectCancelled(next)
    }

    @Test("Cancelling a waiting request leaves the refresh and the other requests running", arguments: [0, 1, 2])
    func cancelledInRefresh(index: Int) async throws {
        let refreshes = Gate()
        let mock = MockTransport.issuing(refreshes: refreshes)
        let transport = try AuthenticatingTransport.renewing(over: mock)
        // The first begins the refresh, the others wait for it.
        var tasks = [executor.start(transport)]
        try await refreshes.arrivals()
        tasks += [executor.start(transport), executor.start(transport)]
        await executor.settle()
        let cancelled = tasks.remove(at: index)
        cancelled.cancel()
        // The refresh is still held at the gate.
        await expectCancelled(cancelled)
        refreshes.open()
        for task in tasks { #expect(try await task.value.status == 200) }
        #expect(mock.requestCount(.post, "/token") == 1)
    }

    @Test("When all requests are cancelled, the refresh goes on and the next request uses its token")
    func allCancelledInRefresh() async throws {
        let refreshes = Gate()
        let mock = MockTransport.issuing(refreshes: refreshes)
        let transport = try AuthenticatingTransport.renewing(over: mock)
        var tasks = [executor.start(transport)]
        try await refreshes.arrivals()
        tasks += [executor.start(transport)]
        await executor.settle()
        for task in tasks {
            task.cancel()
            await expectCancelled(task)
        }
        let next = executor.start(transport)
        await executor.settle()
        #expect(mock.requests.count == 2)
        refreshes.open()
        #expect(try await next.value.status == 200)
        #expect(mock.requests.map(\.summary).last == "GET /gists Bearer new ")
        #expect(mock.requests.count == 3)
    }

    @Test("Cancelling during the second attempt ends the request")
    func cancelledInSecond() async throws {
        let gate = Gate()
        mock.on(.get, "/gists", .sequence([.status(401), .status(200).held(at: gate)]))
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "a") { _, _ in "b" }
        let task = executor.start(transport)
        try await gate.arrivals()
        task.cancel()
        await expectCancelled(task)
        #expect(mock.requests.count == 2)
        #expect(transport.credential == "b")
    }
}

private struct Refused: Error, Equatable {
    let number: Int
}
