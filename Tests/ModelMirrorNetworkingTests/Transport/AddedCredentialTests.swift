import Foundation
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

private let secret = "s3cret"

/// What `adapt` adds stays at its origin and is shown nowhere, whatever its name.
@Suite("Credentials that adapt adds", .timeLimit(.hung), .network)
final class AddedCredentialTests: Sendable {
    private let server: LoopbackServer
    private let other: LoopbackServer
    private let folder = FileManager.default.temporaryDirectory.appending(path: "added-\(UUID())")

    init() throws {
        server = try LoopbackServer()
        other = try LoopbackServer()
        other.on(nil, "/*", .json("\"moved\""))
    }

    deinit {
        server.stop()
        other.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A layer that adds the secret as a field and as a query item.
    private func keyed(
        _ base: any Transport, _ origin: URL? = nil, isNamed: Bool = true
    ) throws -> AuthenticatingTransport<String> {
        let account: AuthenticatingTransport<String>.Account? = if isNamed { { _ in "alice" } } else { nil }
        return try AuthenticatingTransport(
            base, origins: [origin ?? server.url], credential: secret,
            adapt: { request, secret in
                request.headers["X-Key"] = secret
                request.url = request.url.appending(queryItems: [URLQueryItem(name: "sig key", value: secret)])
            }, account: account)
    }

    // MARK: Redirects

    @Test(
        "A redirect to another origin drops fields and query items, also if its Location repeats them",
        arguments: TransportUnderTest.allCases,
        [
            ("?a=1", true), ("?a=1", false), ("?a=1&sig%20key=s3cret", true), ("?sig+key=s3cret&a=1", true),
            ("?%73ig%20key=s3cret&a=1#f", true),
        ])
    func redirect(_ kind: TransportUnderTest, example: (query: String, isNamed: Bool)) async throws {
        server.on(.get, "/me", .redirect(to: other.url("/me").absoluteString + example.query))
        let client = APIClient(transport: try keyed(kind.make(), isNamed: example.isNamed), baseURL: server.url)
        #expect(try await client.value(seen) == "moved")
        #expect(server.requests.map { $0.headers["X-Key"] } == [secret])
        #expect(server.requests.map { $0.queryValue("sig key") } == [secret])
        #expect(other.requests.map(\.target) == ["/me?a=1"])
        #expect(other.requests.map { $0.headers["X-Key"] } == [nil])
    }

    @Test(
        "A redirect within the origin keeps fields, and what its Location repeats",
        arguments: TransportUnderTest.allCases)
    func sameOrigin(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/me", .redirect(to: "/you?sig%20key=s3cret"))
        server.on(.get, "/you", .json("\"here\""))
        let client = APIClient(transport: try keyed(kind.make()), baseURL: server.url)
        #expect(try await client.value(seen) == "here")
        #expect(server.requests.map { $0.headers["X-Key"] } == [secret, secret])
        #expect(server.requests.map { $0.queryValue("sig key") } == [secret, secret])
    }

    @Test("A redirect to another origin and back does not restore them", arguments: TransportUnderTest.allCases)
    func thereAndBack(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/me", .redirect(to: other.url("/me").absoluteString))
        server.on(.get, "/back", .json("\"back\""))
        other.on(.get, "/me", .redirect(to: server.url("/back").absoluteString))
        let client = APIClient(transport: try keyed(kind.make()), baseURL: server.url)
        #expect(try await client.value(seen) == "back")
        #expect(server.requests.map { $0.headers["X-Key"] } == [secret, nil])
    }

    @Test(
        "What an interceptor adds for an account, or for an unknown one, is dropped too; what it adds for none is kept",
        arguments: TransportUnderTest.allCases, [TransportIdentity.none, .account("alice"), .unknown])
    func interceptor(_ kind: TransportUnderTest, _ account: TransportIdentity) async throws {
        server.on(.get, "/me", .redirect(to: other.url("/me").absoluteString))
        let layer = InterceptingTransport(kind.make(), account: account) {
            $0.headers["X-Key"] = secret
            $0.headers["X-Request-ID"] = "7"
        }
        #expect(try await APIClient(transport: layer, baseURL: server.url).value(seen) == "moved")
        #expect(server.requests.map { $0.headers["X-Key"] } == [secret])
        #expect(other.requests.map { $0.headers["X-Key"] } == [account == .none ? secret : nil])
        #expect(other.requests.map { $0.headers["X-Request-ID"] } == [account == .account("alice") ? nil : "7"])
    }

    @Test(
        "A redirect to another origin drops an API key of the client, and keeps a declared field",
        arguments: TransportUnderTest.allCases)
    func ofTheClient(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/me", .redirect(to: other.url("/me").absoluteString))
        var client = APIClient(transport: kind.make(), baseURL: server.url)
        client.configuration.headers = ["X-API-Key": secret, "X-Client": "tour", "X-Sort-Key": "name"]
        var seen = seen
        seen.prepare = { $0.declaredFields.insert("X-Sort-Key") }
        #expect(try await client.value(seen) == "moved")
        #expect(server.requests.map { $0.headers["X-API-Key"] } == [secret])
        #expect(other.requests.map { $0.headers["X-API-Key"] } == [nil])
        #expect(other.requests.map { $0.headers["X-Client"] } == ["tour"])
        #expect(other.requests.map { $0.headers["X-Sort-Key"] } == ["name"])
    }

    @Test(
        "A key of the client or of an interceptor without an account is not shown, a field that never names a user is",
        arguments: [true, false])
    func unknownAccount(isOfTheClient: Bool) async throws {
        let fields: HTTPHeaders = ["X-Key": secret, "X-Request-ID": "7"]
        let mock = MockTransport()
        mock.on(.get, "/me", .json("\"ok\""))
        let log = StoringLog()
        let logging = LoggingTransport(mock, level: .curl, clock: ManualClock()) { log.add("\($0)") }
        let recording = try RecordingTransport(logging, folder: folder)
        let layer = InterceptingTransport(recording) { $0.headers = $0.headers.merging(fields) }
        var client = APIClient(transport: isOfTheClient ? recording : layer, baseURL: server.url)
        if isOfTheClient { client.configuration.headers = fields }
        #expect(try await client.value(seen) == "ok")
        let text = log.words.joined(separator: "\n")
        #expect(!text.contains(secret), "\(text)")
        #expect(text.contains("X-Key: REDACTED"))
        #expect(text.contains("X-Request-ID: 7"))
        try expectNoSecret(in: folder)
    }

    @Test("The credentials of two layers are dropped, and other query items stay as written")
    func two() throws {
        let url = try #require(URL(string: "https://api.example.com/me?a=%7B1%7D&key=1&b"))
        var request = TransportRequest(.get, url, headers: ["X-A": "1", "X-B": "2", "X-C": "3"])
        request.credentials = Redaction(headers: ["X-A"], queryItems: ["key"]).merging(Redaction(headers: ["x-b"]))
        let next = try request.redirected(
            status: 307, headers: [.location: "https://other.example.com/?a=%7B1%7D&KEY=2&key=1&&b"],
            policy: .follow(limit: 1), count: 0)
        #expect(next?.url.absoluteString == "https://other.example.com/?a=%7B1%7D&KEY=2&&b")
        #expect(next?.headers == ["X-C": "3"])
    }

    // MARK: Shown nowhere

    @Test(
        "Logs show REDACTED in their place, at every level",
        arguments: [LoggingTransport.Level.summary, .curl, .bodies(max: 100)])
    func logging(_ level: LoggingTransport.Level) async throws {
        let mock = MockTransport()
        let link = "</me?page=2&sig%20key=s3cret>; rel=\"next\""
        mock.on(.get, "/me", .json("\"ok\"", headers: ["X-Key": secret, .link: link]))
        mock.on(.get, "/lost", .failure(.connectionLost))
        let type: HTTPHeaders = [.contentType: "application/json"]
        mock.on(.get, "/cut", .chunks([Data("\"".utf8)], failure: .timedOut, headers: type))
        let log = StoringLog()
        let base = LoggingTransport(mock, level: level, clock: ManualClock()) { entry in
            log.add("\(entry) \(entry.url) \(entry.error.map { "\($0)" } ?? "")")
            if case RequestError.connection(let failure)? = entry.error { log.add(failure.url.absoluteString) }
        }
        let client = APIClient(transport: try keyed(base), baseURL: server.url)
        _ = try await client.value(seen)
        for path in ["lost", "cut"] {
            await #expect(throws: RequestError.self) { _ = try await client.value(Endpoint<String>.get("\(path)")) }
        }
        let text = log.words.joined(separator: "\n")
        #expect(!text.contains(secret), "\(text)")
        #expect(text.contains("sig%20key=REDACTED"))
        #expect(text.contains("X-Key: REDACTED") == (level != .summary))
    }

    @Test("Recordings have REDACTED in their place, and are replayed")
    func recording() async throws {
        let mock = MockTransport()
        let link = "</me?page=2&sig%20key=s3cret>; rel=\"next\""
        mock.on(.get, "/me", .json("\"ok\"", headers: ["X-Key": secret, .link: link]))
        mock.on(.get, "/lost", .failure(.connectionLost))
        let recording = try keyed(try RecordingTransport(mock, folder: folder))
        let client = APIClient(transport: recording, baseURL: server.url)
        #expect(try await client.value(seen) == "ok")
        await #expect(throws: RequestError.self) { _ = try await client.value(Endpoint<String>.get("lost")) }
        try expectNoSecret(in: folder)
        let replay = try keyed(try ReplayTransport(folder: folder))
        #expect(try await APIClient(transport: replay, baseURL: server.url).value(seen) == "ok")
    }

    @Test("Errors and response URLs have REDACTED in their place", arguments: TransportUnderTest.allCases)
    func errors(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/me", .json("\"ok\""))
        server.on(.get, "/closed", .closed())
        server.on(.post, "/cut", .truncated("\"whole\"", after: 2))
        server.on(.get, "/refused", .json("no", status: 403))
        let client = APIClient(transport: try keyed(kind.make()), baseURL: server.url)
        let response = try await client.response(seen)
        #expect(response.url.absoluteString == server.url("/me?sig%20key=REDACTED").absoluteString)
        for endpoint in [Endpoint<String>.get("closed"), .post("cut")] {
            let error = await #expect(throws: RequestError.self) { _ = try await client.value(endpoint) }
            let failure = try #require(error?.connectionFailure)
            #expect(failure.url.query(percentEncoded: false) == "sig key=REDACTED")
            #expect(!"\(failure)\(failure.reason)".contains(secret))
        }
        let endpoint = Endpoint<String>.get("refused")
        let refused = await #expect(throws: RequestError.self) { _ = try await client.value(endpoint) }
        #expect(refused?.response?.url.query(percentEncoded: false) == "sig key=REDACTED")
        let port = try RefusingPort()
        let unreachable = APIClient(transport: try keyed(kind.make(), port.url), baseURL: port.url)
        let error = await #expect(throws: RequestError.self) { _ = try await unreachable.value(seen) }
        let failure = try #require(error?.connectionFailure)
        #expect(failure.url.query(percentEncoded: false) == "sig key=REDACTED")
    }

    @Test("A layer between authentication and a built-in transport sees what it sends, and callers do not")
    func deadline() async throws {
        let gate = Gate()
        defer { gate.open() }
        server.on(.get, "/me", .hanging(until: gate))
        var client = APIClient(transport: try keyed(TransportUnderTest.allCases[0].make()), baseURL: server.url)
        client.configuration.deadline = .milliseconds(100)
        let error = await #expect(throws: RequestError.self) { _ = try await client.value(seen) }
        let failure = try #require(error?.connectionFailure)
        #expect(!failure.url.absoluteString.contains(secret))
    }

    @Test("The links of a response leave them out, so that the next page carries only what adapt adds")
    func links() async throws {
        let moved = other.url("/moved").absoluteString
        server.on(.get, "/list") { request in
            if request.queryValue("page") == "2" { return .redirect(to: moved) }
            let links = "</list?sig%20key=s3cret&page=2>; rel=\"next\", <:>; rel=\"self\", </?sig+key=1>; rel=\"up\""
            return .json("[1]", headers: [.link: links, "Content-Location": "/list?a&sig%20key=s3cret#f"])
        }
        let client = APIClient(
            transport: try keyed(TransportUnderTest.allCases[0].make()), baseURL: server.url)
        var pages = client.pages(Endpoint<[Int]>.get("list"), by: LinkPagination()).makeAsyncIterator()
        let page = try #require(try await pages.next())
        #expect(page.response.headers[.link] == "</list?page=2>; rel=\"next\", <:>; rel=\"self\", </>; rel=\"up\"")
        #expect(page.response.headers["Content-Location"] == "/list?a#f")
        #expect(page.nextPosition == .url(server.url("/list?page=2").absoluteURL))
        _ = try? await pages.next()
        #expect(server.requests.map(\.target) == ["/list?sig%20key=s3cret", "/list?page=2&sig%20key=s3cret"])
        #expect(other.requests.map(\.target) == ["/moved"])
    }

    @Test("Stored files and keys do not contain them")
    func storing() async throws {
        server.on(.get, "/me", .json("\"ok\"", headers: [.link: "</me?page=2&sig%20key=s3cret>; rel=\"next\""]))
        let keys = StoringLog()
        var client = APIClient(
            transport: try keyed(TransportUnderTest.allCases[0].make()), baseURL: server.url,
            persistence: Persistence.keeping(try FileStore(folder: folder)))
        client.persistence?.key = { request in
            let key = Persistence.defaultKey(for: request)
            keys.add(key ?? "-")
            return key
        }
        #expect(try await client.value(seen) == "ok")
        #expect(try await client.stored() == "ok")
        #expect(keys.words.count == 2)
        #expect(!keys.words.joined().contains(secret))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
        try expectNoSecret(in: folder)
    }

    private func expectNoSecret(in folder: URL, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            guard let data = FileManager.default.contents(atPath: folder.appending(path: name).path) else { continue }
            #expect(data.range(of: Data(secret.utf8)) == nil, "\(name)", sourceLocation: sourceLocation)
        }
    }
}
