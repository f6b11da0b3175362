import Foundation
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

private let api = URL(string: "https://api.example.com")!

/// What a layer adds without declaring it keeps a response out of stores and shared transfers.
@Suite("Declared fields", .timeLimit(.hung), .network)
struct DeclaredFieldsTests {
    private let mock = MockTransport()
    private let incidents = StoringLog()

    init() { mock.on(.get, "/*", .json("\"ok\"")) }

    private func client(over transport: any Transport) -> APIClient {
        var client = APIClient(transport: transport, baseURL: api, persistence: Persistence.keeping(MemoryStore()))
        client.persistence?.report = { [incidents] incident, _ in incidents.add("\(incident)") }
        return client
    }

    private static func sentence(_ names: String) -> String {
        "The response was not stored, because a transport added \(names) to the request and did not declare "
            + (names.contains("\" and \"") ? "them; insert the names" : "it; insert the name")
            + " into the request's declaredFields, and if it tells the user, return the account in identity(for:)."
    }

    /// Whether a response over a transport is stored.
    private func isStored(over transport: any Transport) async throws -> Bool {
        let client = client(over: transport)
        #expect(try await client.value(seen) == "ok")
        return try await client.stored() == "ok"
    }

    // MARK: Undeclared

    @Test("An undeclared field is reported with its name and the cure, each time")
    func field() async throws {
        let client = client(over: StampingTransport(mock) { "s3cret" })
        for count in 1...2 {
            #expect(try await client.value(seen) == "ok")
            #expect(try await client.stored() == nil)
            #expect(mock.requests.count == count)
        }
        #expect(incidents.words == Array(repeating: Self.sentence("\"X-Key\""), count: 2))
    }

    @Test("All undeclared names are reported")
    func fields() async throws {
        let layers = StampingTransport(StampingTransport(mock, "X-A") { "1" }, "X-B") { "2" }
        #expect(try await !isStored(over: layers))
        #expect(incidents.words == [Self.sentence("\"X-B\" and \"X-A\"")])
    }

    @Test("A declared field is stored, whatever its case")
    func declared() async throws {
        #expect(try await isStored(over: StampingTransport(mock, declares: true) { "1" }))
        let changing = ChangingTransport(mock) {
            $0.headers["X-Key"] = "1"
            $0.declaredFields.insert("x-key")
        }
        #expect(try await isStored(over: changing))
        #expect(incidents.words == [])
    }

    @Test("A key is declared and its account returned, or the response is not stored")
    func key() async throws {
        let account: @Sendable () -> TransportIdentity = { .account("alice") }
        #expect(try await !isStored(over: StampingTransport(mock, account: account) { "1" }))
        #expect(incidents.words == [Self.sentence("\"X-Key\"")])
        #expect(try await isStored(over: StampingTransport(mock, declares: true, account: account) { "1" }))
    }

    @Test("A changed value of a field that the request had is undeclared")
    func changed() async throws {
        var client = client(over: StampingTransport(mock) { "other" })
        client.configuration.headers["X-Key"] = "own"
        #expect(try await client.value(seen) == "ok")
        #expect(try await client.stored() == nil)
        #expect(incidents.words == [Self.sentence("\"X-Key\"")])
    }

    @Test("A declared field that another layer replaces is undeclared")
    func replaced() async throws {
        let replacing = ChangingTransport(mock) { $0.headers[.authorization] = "Bearer bob" }
        let layers = try AuthenticatingTransport(replacing, origins: [api], token: "alice", account: { $0 })
        #expect(try await !isStored(over: layers))
        #expect(mock.authorizations == ["Bearer bob"])
        #expect(incidents.words == [Self.sentence("\"Authorization\"")])
    }

    @Test("A request's own fields, query items and user are no one else's")
    func own() async throws {
        var client = client(over: RetryTransport(mock))
        client.configuration.headers["X-Key"] = "own"
        client.baseURL = URL(string: "https://user:pass@api.example.com?key=own")
        #expect(try await client.value(seen) == "ok")
        #expect(try await client.stored() == "ok")
        #expect(incidents.words == [])
    }

    @Test(
        "Undeclared query items and users of URLs are reported",
        arguments: [
            ("https://api.example.com/me?key=s3cret", "\"key\""),
            ("https://api.example.com/me?a%5Bb%5D=1&c", "\"a[b]\" and \"c\""),
            ("https://user@api.example.com/me", "\"the URL's user\""),
            ("https://user:pass@api.example.com/me", "\"the URL's user\""),
        ])
    func url(text: String, names: String) async throws {
        let url = try #require(URL(string: text))
        #expect(try await !isStored(over: ChangingTransport(mock) { $0.url = url }))
        #expect(incidents.words == [Self.sentence(names)])
        let declaring = ChangingTransport(mock) {
            $0.url = url
            $0.declaredFields.formUnion(["key", "a[b]", "C", .authorization])
        }
        #expect(try await isStored(over: declaring))
    }

    // MARK: Harmless

    @Test(
        "Fields that name no user need no declaration",
        arguments: [
            "User-Agent", "Accept", "Accept-Language", "accept-encoding", "Content-Type", "Content-Language",
            "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
            "Last-Event-ID", "Date", "Cache-Control", "Pragma", "Idempotency-Key", "traceparent", "tracestate",
            "X-Request-ID",
            "X-Correlation-ID", "b3", "X-B3-TraceId", "x-b3-sampled",
        ])
    func harmless(name: String) async throws {
        #expect(try await isStored(over: StampingTransport(mock, HeaderName(name)) { "1" }))
        #expect(incidents.words == [])
    }

    @Test(
        "Fields that may name a user need one",
        arguments: [
            "Authorization", "Cookie", "Proxy-Authorization", "From", "Forwarded", "X-Forwarded-For", "X-Api-Key",
            "X-User", "Referer", "Origin", "Accepted", "Contents", "Iffy", "X-B3", "baggage", "Signature",
        ])
    func harmful(name: String) async throws {
        #expect(try await !isStored(over: StampingTransport(mock, HeaderName(name)) { "1" }))
        #expect(incidents.words == [Self.sentence("\"\(name)\"")])
    }

    // MARK: Layers of the library

    @Test("Authentication declares what adapt adds, if it names the account")
    func authentication() async throws {
        let keyed = try AuthenticatingTransport(mock, origins: [api], credential: "s3cret") {
            $0.headers["X-Key"] = $1
            $0.url = $0.url.appending(queryItems: [URLQueryItem(name: "sig", value: $1)])
        } account: {
            $0
        }
        #expect(try await isStored(over: keyed))
        #expect(incidents.words == [])
    }

    @Test("Interceptors declare what they add, if they state an account or none")
    func interceptors() async throws {
        for account in [TransportIdentity.none, .account("alice")] {
            let layer = InterceptingTransport(mock, account: account) { $0.headers["X-Key"] = "1" }
            #expect(try await isStored(over: layer), "\(account)")
        }
        #expect(incidents.words == [])
        let silent = InterceptingTransport(mock) { $0.headers["X-Key"] = "1" }
        #expect(try await !isStored(over: silent))
        let sentence = "\(Persistence.Incident.unknownIdentity)"
        #expect(incidents.words == [sentence, sentence])
    }

    @Test("A client's account stands for what is unknown, undeclared fields included")
    func clientAccount() async throws {
        var client = client(over: StampingTransport(mock, account: { .unknown }) { "key" })
        #expect(try await client.value(seen) == "ok")
        #expect(try await client.stored() == nil)
        client.account = "alice"
        #expect(try await client.value(seen) == "ok")
        #expect(try await client.stored() == "ok")
    }

    // MARK: Not prepared

    @Test("A response over a transport that does not prepare its request is not stored")
    func unprepared() async throws {
        struct Bare: Transport {
            func response(to request: TransportRequest) -> TransportResponse {
                TransportResponse(status: 200, url: request.url, body: ResponseBody(Data("\"ok\"".utf8)))
            }
            func identity(for request: TransportRequest) -> TransportIdentity { .none }
        }
        #expect(try await !isStored(over: Bare()))
        #expect(
            incidents.words == [
                "The response was not stored, because the transport that sent its request did not call prepared(), which notices what "
                    + "other transports added; begin its response(to:) with that call."
            ])
    }

    @Test("The first incident of a store is printed if nobody set a report, without the URL's query")
    func printing() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let mock = MockTransport()
            mock.on(.get, "/*", .json("\"ok\""))
            let url = URL(string: "https://api.example.com")
            let store = MemoryStore()
            let clients = (1...2).map { _ in
                APIClient(
                    transport: StampingTransport(mock) { "s3cret" }, baseURL: url,
                    persistence: Persistence.keeping(store))
            }
            for client in clients + clients { _ = try await client.value(Endpoint<String>.get("me?q=s3cret")) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text == "ModelMirror: GET https://api.example.com/me?…: \(Self.sentence("\"X-Key\""))\n")
    }

    // MARK: Sharing

    @Test("Of equal requests with an undeclared field, the first alone gets the response; the others send their own")
    func sharing() async throws {
        let gate = Gate()
        let executor = StepExecutor()
        mock.on(.get, "/me") { .json("\"\($0.headers["X-Key"] ?? "-")\"").held(at: gate) }
        let keys = Observed(0)
        let unshared = Observed(0)
        let layers = CoalescingTransport(
            StampingTransport(mock) {
                keys.update { $0 += 1 }
                return "\(keys.value)"
            }
        ) { _ in unshared.update { $0 += 1 } }
        let url = api.appending(path: "me")
        func start() -> Task<String, any Error> { Task(executorPreference: executor) { try await layers.text(url) } }
        let first = start()
        try await gate.arrivals()
        let others = [start(), start()]
        await executor.settle()
        #expect(mock.requests.count == 1)
        gate.open()
        #expect(try await first.value == "\"1\"")
        #expect(Set([try await others[0].value, try await others[1].value]) == ["\"2\"", "\"3\""])
        #expect(unshared.value == 2)
    }

    @Test(
        "A request with an undeclared field does not join one that declares it, or that had it when it started",
        arguments: [false, true])
    func joining(isOwn: Bool) async throws {
        let gate = Gate()
        mock.on(.get, "/me", .json("\"ok\"").held(at: gate))
        let sharing = CoalescingTransport(mock)
        var first = client(over: isOwn ? sharing : StampingTransport(sharing, declares: true) { "1" })
        if isOwn { first.configuration.headers["X-Key"] = "1" }
        let second = client(over: StampingTransport(sharing) { "1" })
        let earlier = Task { [first] in try await first.value(seen) }
        try await gate.arrivals()
        let later = Task { try await second.value(seen) }
        try await gate.arrivals(atLeast: 2)
        gate.open()
        #expect(try await earlier.value == "ok")
        #expect(try await later.value == "ok")
        #expect(try await first.stored() == "ok")
        #expect(try await second.stored() == nil)
        #expect(incidents.words == [Self.sentence("\"X-Key\"")])
    }

    @Test("A shared response with an undeclared field is stored for nobody, a declared one for all")
    func sharedAndStored() async throws {
        for declares in [false, true] {
            let layers = CoalescingTransport(StampingTransport(mock, declares: declares) { "1" })
            #expect(try await isStored(over: layers) == declares)
        }
        #expect(incidents.words == [Self.sentence("\"X-Key\"")])
    }
}

/// A program's own layer that changes requests.
private struct ChangingTransport: Transport {
    let base: any Transport
    let change: @Sendable (inout TransportRequest) -> Void

    init(_ base: any Transport, _ change: @escaping @Sendable (inout TransportRequest) -> Void) {
        self.base = base
        self.change = change
    }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        var request = request
        change(&request)
        return try await base.response(to: request)
    }

    func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }
}
