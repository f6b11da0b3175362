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
    private let mock = MockTransport()

    // MARK: One request

    @Test("A request gets the bearer token")
    func token() async throws {
        mock.on(.get, "/gists", .unauthorizedUntil(token: "a", then: .text("yes")))
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "a") { _, _ in throw UnexpectedCall() }
        let response = try await transport.response(to: TransportRequest(.get, url))
        #expect(try await response.body.collect(limit: 10) == Data("yes".utf8))
        #expect(mock.requests.map(\.headers) == [[.authorization: "Bearer a"]])
    }

    @Test("A rejected token is refreshed through the inner transport, and the request is sent again")
    func refresh() async throws {
        let mock = MockTransport.issuing()
        let transport = try AuthenticatingTransport.renewing(over: mock)
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
        let mock = MockTransport.issuing()
        let transport = try AuthenticatingTransport.renewing(over: mock, token: nil)
        #expect(try await transport.response(to: TransportRequest(.get, url)).status == 200)
        #expect(
            mock.requests.map(\.summary) == ["GET /gists - ", "POST /token - nil", "GET /gists Bearer new "])
    }

    @Test("A second 401 is returned")
    func secondRefusal() async throws {
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
        mock.on(.get, "/gists", .status(status))
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "a") { _, _ in throw UnexpectedCall() }
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
        mock.on(.get, "/gists", .status(401))
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "a") { _, _ in throw UnexpectedCall() }
        let request = TransportRequest(.get, url, headers: [.authorization: "Basic eA=="])
        #expect(try await transport.response(to: request).status == 401)
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Basic eA=="])
    }

    @Test("The adapting closure receives each attempt without earlier adaptations")
    func adapting() async throws {
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
        let transport = try AuthenticatingTransport(mock, origins: [api], credential: 1) { _, _ in
            throw UnexpectedCall()
        } refresh: { _, _ in
            2
        }
        await #expect(throws: UnexpectedCall.self) { _ = try await transport.response(to: TransportRequest(.get, url)) }
        #expect(mock.requests.count == 0)
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
            MockTransport(), origins: [api], token: "alice-1", refresh: { _, _ in "alice-2" },
            account: { $0 == "?" ? nil : user(ofToken: $0) })
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
        mock.on(.get, "/gists") { $0.headers[.authorization] == "Bearer alice-1" ? .status(401) : .status(200) }
        let begun = Gate()
        let cancelled = Gate()
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "alice-1") { _, _ in
            do { try await begun.enter() } catch { cancelled.open() }
            return "alice-too-late"
        } account: {
            user(ofToken: $0)
        }
        let first = executor.start(transport)
        try await begun.arrivals()
        let second = executor.start(transport)
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
        let mock = MockTransport.issuing()
        let begun = Gate()
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "old") { _, _ in
            try await begun.enter()
            return "too late"
        }
        let first = executor.start(transport)
        try await begun.arrivals()
        let second = executor.start(transport)
        await executor.settle()
        transport.credential = credential
        await expectAccountChanged(first)
        await expectAccountChanged(second)
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Bearer old"])
    }

    @Test("A POST in flight is not sent again after another user signed in", arguments: [true, false])
    func switchInFlight(namesAccounts: Bool) async throws {
        let refusals = Gate()
        mock.on(.post, "/gists", .status(401).held(at: refusals))
        let naming: AuthenticatingTransport<String>.Account? = if namesAccounts { user } else { nil }
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
        mock.on(.get, "/gists", .status(401))
        let transport = try AuthenticatingTransport(
            mock, origins: [api], token: "alice-1", refresh: { _, _ in "bob-1" }, account: user)
        await expectAccountChanged(executor.start(transport))
        #expect(mock.requests.count == 1)
    }

    @Test("A bound request is sent under the sign-in that it was bound under")
    func bound() async throws {
        mock.on(.post, "/gists", .status(200))
        let transport = try AuthenticatingTransport(mock, origins: [api], token: "alice-1", account: user)
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
        mock.on(.get, "/gists", .status(503))
        let inner = try AuthenticatingTransport(mock, origins: [api], token: "alice-1", account: user)
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
        mock.on(.get, "/gists", .status(200))
        let inner = try AuthenticatingTransport(
            mock, origins: [api], credential: "key-1", adapt: { request, key in request.headers["X-Key"] = key },
            account: user)
        let transport = try AuthenticatingTransport(inner, origins: [api], token: "alice-1", account: user)
        var request = TransportRequest(.get, url)
        #expect(transport.identity(for: request) == .account("alice\nkey"))
        let bound = request.bind(over: transport)
        defer { withExtendedLifetime(bound) {} }
        #expect(try await transport.response(to: request).status == 200)
        inner.credential = "other-1"
        await expectAccountChanged(Task { [request] in try await transport.response(to: request) })
    }
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
