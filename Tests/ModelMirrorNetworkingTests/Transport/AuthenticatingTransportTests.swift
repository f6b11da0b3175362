import Foundation
@testable import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

private let api = URL(string: "https://api.example.com")!
private let url = URL(string: "https://api.example.com/gists")!

@Suite("AuthenticatingTransport", .timeLimit(.hung), .network)
struct AuthenticatingTransportTests {
    private let executor = StepExecutor()

    // MARK: One request

    @Test("A request gets the bearer token")
    func token() async throws {
        let mock = MockTransport()
        mock.on(.get, "/gists", .unauthorizedUntil(token: "a", then: .text("yes")))
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "a") { _, _ in throw Unexpected() }
        let response = try await transport.response(to: TransportRequest(.get, url))
        #expect(try await response.body.collect(limit: 10) == Data("yes".utf8))
        #expect(mock.requests.map(\.headers) == [[.authorization: "Bearer a"]])
    }

    @Test("A rejected token is refreshed through the inner transport, and the request is sent again")
    func refresh() async throws {
        let mock = renewingMock()
        let transport = try renewing(mock)
        let request = TransportRequest(.post, url, body: .data(Data("body".utf8)))
        #expect(try await transport.response(to: request).status == 200)
        #expect(
            mock.requests.map(\.summary) == [
                "POST /gists Bearer old body", "POST /token - old", "POST /gists Bearer new body",
            ])
        #expect(transport.credential == "new")
        #expect(try await transport.response(to: TransportRequest(.get, url)).status == 200)
        #expect(mock.requestCount(.post, "/token") == 1)
    }

    @Test("Without a token, the first 401 obtains one")
    func noToken() async throws {
        let mock = renewingMock()
        let transport = try renewing(mock, token: nil)
        #expect(try await transport.response(to: TransportRequest(.get, url)).status == 200)
        #expect(
            mock.requests.map(\.summary) == ["GET /gists - ", "POST /token - nil", "GET /gists Bearer new "])
    }

    @Test("A second 401 is returned")
    func secondRefusal() async throws {
        let mock = MockTransport()
        mock.on(.get, "/gists", .text("no", status: 401))
        let count = Mutex(0)
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "a") { _, _ in
            count.withLock {
                $0 += 1
                return "b\($0)"
            }
        }
        let response = try await transport.response(to: TransportRequest(.get, url))
        #expect(response.status == 401)
        #expect(try await response.body.collect(limit: 10) == Data("no".utf8))
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Bearer a", "Bearer b1"])
    }

    @Test("Other statuses are returned without a refresh", arguments: [200, 400, 403, 407, 419, 500])
    func otherStatuses(status: Int) async throws {
        let mock = MockTransport()
        mock.on(.get, "/gists", .status(status))
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "a") { _, _ in throw Unexpected() }
        #expect(try await transport.response(to: TransportRequest(.get, url)).status == status)
        #expect(mock.requests.count == 1)
    }

    @Test("The body of the 401 is released before the refresh")
    func droppedBody() async throws {
        let ended = Gate()
        let base = StubTransport { request in
            guard request.headers[.authorization] == "Bearer old" else {
                return TransportResponse(status: 200, url: url)
            }
            return TransportResponse(status: 401, url: url, body: .endless { ended.open() })
        }
        let transport = try AuthenticatingTransport(base, origins: [api], token: "old") { _, _ in
            // Would otherwise wait forever.
            try await ended.enter()
            return "new"
        }
        #expect(try await transport.response(to: TransportRequest(.get, url)).status == 200)
    }

    // MARK: Origins

    @Test("Only the given origins receive the credential", arguments: OriginCase.all)
    private func origins(example: OriginCase) async throws {
        let mock = MockTransport()
        mock.on(nil, "/*", .status(401))
        let bases = ["https://api.example.com/v1?a#b", "http://LOCALHOST:8080", "https://[::1]:443"]
        let transport = try AuthenticatingTransport(mock, origins: bases.map { URL(string: $0)! }, token: "a") { _, _ in
            "b"
        }
        let requested = try #require(URL(string: example.url))
        #expect(try await transport.response(to: TransportRequest(.get, requested)).status == 401)
        let sent: [String?] = example.isTrusted ? ["Bearer a", "Bearer b"] : [nil]
        #expect(mock.requests.map { $0.headers[.authorization] } == sent)
    }

    @Test(
        "An origin without an http scheme or a host is rejected",
        arguments: ["api.example.com", "/path", "file:///tmp", "wss://api.example.com"])
    func badOrigin(text: String) throws {
        let url = try #require(URL(string: text))
        let error = #expect(throws: RequestError.self) {
            _ = try AuthenticatingTransport(MockTransport(), origins: [api, url], token: "a") { _, _ in "b" }
        }
        guard case .invalidURL(text) = error else { throw error ?? .cancelled }
    }

    @Test("A transport without origins is rejected, since its credential would be sent nowhere")
    func noOrigins() {
        let error = #expect(throws: RequestError.self) {
            _ = try AuthenticatingTransport(MockTransport(), origins: [], token: "a")
        }
        #expect(
            error?.description
                == "The request cannot be sent: an AuthenticatingTransport without origins sends its credential nowhere; "
                + "add the server's URL.")
    }

    @Test(
        "A 401 from another origin after a redirect is returned, even if the origin is listed",
        arguments: [true, false])
    func redirected(isListed: Bool) async throws {
        let other = try #require(URL(string: "https://cdn.example.com/gists"))
        // The redirect dropped the token.
        let base = StubTransport { _ in TransportResponse(status: 401, url: other) }
        let origins = isListed ? [api, other] : [api]
        let transport = try AuthenticatingTransport(base, origins: origins, token: "a") { _, _ in
            Issue.record("The credential was refreshed.")
            return "b"
        }
        #expect(try await transport.response(to: TransportRequest(.get, url)).status == 401)
    }

    @Test("A request with its own Authorization field is sent unchanged")
    func ownAuthorization() async throws {
        let mock = MockTransport()
        mock.on(.get, "/gists", .status(401))
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "a") { _, _ in throw Unexpected() }
        let request = TransportRequest(.get, url, headers: [.authorization: "Basic eA=="])
        #expect(try await transport.response(to: request).status == 401)
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Basic eA=="])
    }

    @Test("The adapting closure receives each attempt without earlier adaptations")
    func adapting() async throws {
        let mock = MockTransport()
        mock.on(.get, "/gists", .sequence([.status(401), .status(200)]))
        let transport = try AuthenticatingTransport(mock, origins: [api], credential: 1) { request, key in
            request.headers.append("\(key)", for: "X-Key")
        } refresh: { refused, _ in
            (refused ?? 0) + 1
        }
        let request = TransportRequest(.get, url, headers: [.authorization: "Basic eA=="])
        #expect(try await transport.response(to: request).status == 200)
        #expect(mock.requests.map { $0.headers["X-Key"] } == ["1", "2"])
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Basic eA==", "Basic eA=="])
    }

    @Test("An error of the adapting closure fails the request")
    func adaptingFails() async throws {
        let mock = MockTransport()
        let transport = try AuthenticatingTransport(mock, origins: [api], credential: 1) { _, _ in
            throw Unexpected()
        } refresh: { _, _ in
            2
        }
        await #expect(throws: Unexpected.self) { _ = try await transport.response(to: TransportRequest(.get, url)) }
        #expect(mock.requests.count == 0)
    }

    // MARK: Many requests

    @Test("A hundred concurrent 401s cause one refresh, and all requests succeed", arguments: [true, false])
    func hundred(isRefreshSlow: Bool) async throws {
        let refusals = Gate()
        let refreshes = Gate()
        let mock = renewingMock(refusals: refusals, refreshes: refreshes)
        let transport = try renewing(mock)
        if !isRefreshSlow { refreshes.open() }
        let tasks = (0..<100).map { _ in start(transport) }
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
        let mock = renewingMock(refreshes: refreshes)
        let transport = try renewing(mock)
        let first = start(transport)
        try await refreshes.arrivals()
        let others = (0..<5).map { _ in start(transport) }
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
        let mock = renewingMock(refusals: refusals)
        let transport = try renewing(mock)
        let tasks = [start(transport), start(transport)]
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
        let mock = renewingMock()
        let transport = try renewing(mock)
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
        let mock = renewingMock(refusals: refusals)
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "old") { refused, _ in
            try await refreshes.enter()
            if refused == "old" { throw Refused(number: 1) }
            return "new"
        } refused: { credential, error in
            told.withLock { $0.append("\(credential ?? "-") \(error.map { "\($0)" } ?? "-")") }
        }
        var tasks = (0..<100).map { _ in start(transport) }
        try await refusals.arrivals(atLeast: 100)
        refusals.pass(60)
        try await refreshes.arrivals()
        tasks += (0..<20).map { _ in start(transport) }
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
        let mock = MockTransport()
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
        let mock = renewingMock()
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
        let mock = MockTransport()
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
        let mock = MockTransport()
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
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "a") { _, _ in throw Unexpected() }
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
        let mock = renewingMock()
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
        let mock = renewingMock(refusals: refusals)
        let transport = try renewing(mock)
        let task = start(transport)
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
        let task = start(transport)
        try await arrived.arrivals()
        task.cancel()
        await expectCancelled(task)
        // It would wait for a refresh.
        let next = start(transport)
        try await arrived.arrivals(atLeast: 2)
        next.cancel()
        await expectCancelled(next)
    }

    @Test("Cancelling a waiting request leaves the refresh and the other requests running", arguments: [0, 1, 2])
    func cancelledInRefresh(index: Int) async throws {
        let refreshes = Gate()
        let mock = renewingMock(refreshes: refreshes)
        let transport = try renewing(mock)
        // The first begins the refresh, the others wait for it.
        var tasks = [start(transport)]
        try await refreshes.arrivals()
        tasks += [start(transport), start(transport)]
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
        let mock = renewingMock(refreshes: refreshes)
        let transport = try renewing(mock)
        var tasks = [start(transport)]
        try await refreshes.arrivals()
        tasks += [start(transport)]
        await executor.settle()
        for task in tasks {
            task.cancel()
            await expectCancelled(task)
        }
        let next = start(transport)
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
        let mock = MockTransport()
        mock.on(.get, "/gists", .sequence([.status(401), .status(200).held(at: gate)]))
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "a") { _, _ in "b" }
        let task = start(transport)
        try await gate.arrivals()
        task.cancel()
        await expectCancelled(task)
        #expect(mock.requests.count == 2)
        #expect(transport.credential == "b")
    }

    // MARK: Accounts

    @Test("The identity follows the credential: its account, or unknown if none is named")
    func identity() throws {
        let request = TransportRequest(.get, url)
        let foreign = TransportRequest(.get, try #require(URL(string: "https://example.org/")))
        let own = TransportRequest(.get, url, headers: [.authorization: "Basic eA=="])
        let silent = try AuthenticatingTransport(MockTransport(), origins: [api], token: "alice-1")
        #expect([request, foreign, own].map { silent.identity(for: $0) } == [.unknown, .none, .none])
        silent.credential = nil
        #expect(silent.identity(for: request) == .none)
        let telling = try AuthenticatingTransport(
            MockTransport(), origins: [api], token: "alice-1", refresh: { _, _ in "alice-2" }, account: account)
        #expect(telling.identity(for: request) == .account("alice"))
        for (credential, identity) in [("bob-1", .account("bob")), ("?", .unknown), (nil, .unknown)]
            as [(String?, TransportIdentity)]
        {
            telling.credential = credential
            #expect(telling.identity(for: request) == identity, "\(credential ?? "nil")")
        }
    }

    @Test(
        "Setting a credential cancels the refresh and resends waiting requests of its account",
        arguments: [true, false])
    func signingIn(isSameAccount: Bool) async throws {
        let mock = MockTransport()
        mock.on(.get, "/gists") { $0.headers[.authorization] == "Bearer alice-1" ? .status(401) : .status(200) }
        let begun = Gate()
        let cancelled = Gate()
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "alice-1") { _, _ in
            do { try await begun.enter() } catch { cancelled.open() }
            return "alice-too-late"
        } account: {
            account($0)
        }
        let first = start(transport)
        try await begun.arrivals()
        let second = start(transport)
        await executor.settle()
        transport.credential = isSameAccount ? "alice-2" : "bob-1"
        for task in [first, second] {
            if isSameAccount {
                #expect(try await task.value.status == 200)
            } else {
                await expectAccountChanged(task)
            }
        }
        try await cancelled.enter()
        #expect(
            mock.requests.map(\.summary)
                == ["GET /gists Bearer alice-1 "]
                + (isSameAccount ? ["GET /gists Bearer alice-2 ", "GET /gists Bearer alice-2 "] : []))
        #expect(try await transport.response(to: TransportRequest(.get, url)).status == 200)
        #expect(transport.credential == (isSameAccount ? "alice-2" : "bob-1"))
    }

    @Test(
        "Setting any credential, or nil, counts as another account if accounts are not named", arguments: ["new", nil])
    func signingOut(credential: String?) async throws {
        let mock = renewingMock()
        let begun = Gate()
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "old") { _, _ in
            try await begun.enter()
            return "too late"
        }
        let first = start(transport)
        try await begun.arrivals()
        let second = start(transport)
        await executor.settle()
        transport.credential = credential
        await expectAccountChanged(first)
        await expectAccountChanged(second)
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Bearer old"])
    }

    @Test("A POST in flight is not sent again after another user signed in", arguments: [true, false])
    func switchInFlight(namesAccounts: Bool) async throws {
        let refusals = Gate()
        let mock = MockTransport()
        mock.on(.post, "/gists", .status(401).held(at: refusals))
        let naming: AuthenticatingTransport<String>.Account? = if namesAccounts { account } else { nil }
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "alice-1", account: naming)
        let task = Task { try await transport.response(to: TransportRequest(.post, url)) }
        try await refusals.arrivals()
        transport.credential = "bob-1"
        refusals.open()
        await expectAccountChanged(task)
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Bearer alice-1"])
    }

    @Test("A refresh that returns another user's token fails the request")
    func renewedAsAnother() async throws {
        let mock = MockTransport()
        mock.on(.get, "/gists", .status(401))
        let transport = try AuthenticatingTransport(
            mock, origins: [api], token: "alice-1", refresh: { _, _ in "bob-1" }, account: account)
        await expectAccountChanged(start(transport))
        #expect(mock.requests.count == 1)
    }

    @Test("A bound request is sent under the sign-in that it was bound under")
    func bound() async throws {
        let mock = MockTransport()
        mock.on(.post, "/gists", .status(200))
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "alice-1", account: account)
        var request = TransportRequest(.post, url)
        let bound = request.bind(over: transport)
        defer { withExtendedLifetime(bound) {} }
        for (credential, isSent) in [("alice-2", true), ("bob-1", false), ("alice-3", false)] {
            transport.credential = credential
            let task = Task { [request] in try await transport.response(to: request) }
            if isSent { #expect(try await task.value.status == 200) } else { await expectAccountChanged(task) }
        }
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Bearer alice-2"])
    }

    @Test("A retry is not sent after another user signed in during its delay")
    func switchBetweenAttempts() async throws {
        let mock = MockTransport()
        mock.on(.get, "/gists", .status(503))
        let inner = try AuthenticatingTransport(mock, origins: [api], token: "alice-1", account: account)
        let clock = ManualClock()
        let transport = RetryTransport(inner, clock: clock, random: { 1 })
        let task = Task { try await transport.response(to: TransportRequest(.get, url)) }
        try await clock.sleepers(atLeast: 1)
        inner.credential = "bob-1"
        clock.advance(by: .seconds(1))
        await expectAccountChanged(task)
        #expect(mock.requests.count == 1)
    }

    @Test("The identities of two authenticating layers are joined and both checked")
    func layers() async throws {
        let mock = MockTransport()
        mock.on(.get, "/gists", .status(200))
        let inner = try AuthenticatingTransport(
            mock, origins: [api], credential: "key-1", adapt: { request, key in request.headers["X-Key"] = key },
            account: account)
        let transport = try AuthenticatingTransport(inner, origins: [api], token: "alice-1", account: account)
        var request = TransportRequest(.get, url)
        #expect(transport.identity(for: request) == .account("alice\nkey"))
        let bound = request.bind(over: transport)
        defer { withExtendedLifetime(bound) {} }
        #expect(try await transport.response(to: request).status == 200)
        inner.credential = "other-1"
        await expectAccountChanged(Task { [request] in try await transport.response(to: request) })
    }

    // MARK: Shared by the tests

    /// Accepts the token `new` at `/gists`, and issues it at `/token`.
    private func renewingMock(refusals: Gate? = nil, refreshes: Gate? = nil) -> MockTransport {
        let mock = MockTransport()
        mock.on(nil, "/gists") { request in
            if request.headers[.authorization] == "Bearer new" { return .status(200) }
            return refusals.map { MockResponse.status(401).held(at: $0) } ?? .status(401)
        }
        mock.on(.post, "/token") { _ in
            refreshes.map { MockResponse.text("new").held(at: $0) } ?? .text("new")
        }
        return mock
    }

    private func renewing(
        _ mock: MockTransport, token: String? = "old"
    ) throws -> AuthenticatingTransport<String> {
        try AuthenticatingTransport(mock, origins: [api], token: token) { refused, transport in
            let request = TransportRequest(
                .post, api.appending(path: "token"), body: .data(Data((refused ?? "nil").utf8)))
            let body = try await transport.response(to: request).body.collect(limit: 100)
            return String(decoding: body, as: UTF8.self)
        }
    }

    private func start(_ transport: AuthenticatingTransport<String>) -> Task<TransportResponse, any Error> {
        Task(executorPreference: executor) { try await transport.response(to: TransportRequest(.get, url)) }
    }
}

/// `alice` for `alice-1`; nil for a token without a number.
@Sendable private func account(_ token: String) -> String? {
    token.split(separator: "-").count > 1 ? String(token.prefix { $0 != "-" }) : nil
}

private struct Unexpected: Error {}

private struct Refused: Error, Equatable {
    let number: Int
}

extension MockRequest {
    /// `GET /gists Bearer new BODY`
    fileprivate var summary: String { "\(method) \(path) \(headers[.authorization] ?? "-") \(text ?? "?")" }
}

private struct OriginCase: CustomTestStringConvertible {
    let url: String
    let isTrusted: Bool
    var testDescription: String { url }

    static let all =
        [
            "https://api.example.com", "https://api.example.com/gists?a=b", "https://api.example.com:443/gists",
            "HTTPS://API.Example.COM/gists", "http://localhost:8080/", "https://[::1]/",
        ].map { OriginCase(url: $0, isTrusted: true) }
        + [
            "http://api.example.com/gists", "https://api.example.com:8443/", "https://example.com/",
            "https://evil.api.example.com/", "https://api.example.com.evil.org/", "https://api.example.com@evil.org/",
            "https://evil.org/api.example.com", "http://localhost/", "https://localhost:8080/", "https://[::2]/",
        ].map { OriginCase(url: $0, isTrusted: false) }
}
