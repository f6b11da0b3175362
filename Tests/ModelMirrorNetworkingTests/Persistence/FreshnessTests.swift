import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Freshness of stored responses", .timeLimit(.hung), .network)
struct FreshnessTests {
    private let mock = MockTransport()
    private let store = MemoryStore()
    private let clock = WallClock()
    private let told = StoringLog()
    private var client: APIClient
    private let item = Endpoint<Int>.get("item")

    init() {
        var persistence = Persistence(store)
        persistence.now = { [clock] in clock.date }
        persistence.report = { [told] incident, _ in told.add("\(incident)") }
        client = APIClient(
            transport: mock, baseURL: URL(string: "https://example.com/"), persistence: persistence)
    }

    /// The value and its source.
    private func word(_ policy: FetchPolicy = .standard, _ headers: HTTPHeaders = [:]) async throws -> String {
        var item = item
        item.headers = headers
        let response = try await client.response(item, policy: policy)
        let source =
            switch response.origin {
            case .network: "network"
            case .store: "store"
            case .confirmedStore: "confirmed"
            }
        return "\(response.value) \(source)"
    }

    private func answers(_ cacheControl: String, _ others: MockResponse...) {
        let first = MockResponse.json("1", headers: [.cacheControl: cacheControl, .eTag: "\"a\""])
        mock.on(.get, "/item", .sequence([first] + others))
    }

    @Test("A response is served with its age while it is fresh, and then confirmed")
    func fresh() async throws {
        answers("max-age=60", .status(304, headers: [.cacheControl: "max-age=10"]), .json("2"))
        #expect(try await word() == "1 network")
        clock.advance(59)
        let stored = try await client.response(item)
        #expect(stored.origin == .store(clock.date - 59))
        #expect(stored.headers["Age"] == "59")
        clock.advance(1)
        #expect(try await word() == "1 confirmed")
        clock.advance(9)
        #expect(try await word() == "1 store")
        clock.advance(1)
        #expect(try await word() == "2 network")
        #expect(mock.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"a\"", "\"a\""])
    }

    @Test(
        "A response is not fresh without a lifetime, with no-cache, or if its lifetime is malformed",
        arguments: ["private", "max-age=60, no-cache", "max-age=x", "max-age=-1", "max-age", "s-maxage=60"])
    func stale(cacheControl: String) async throws {
        answers(cacheControl, .json("2"))
        #expect(try await word() == "1 network")
        #expect(try await word() == "2 network")
    }

    @Test("After the clock was set back, the server is asked")
    func clockSetBack() async throws {
        answers("max-age=60", .json("2"))
        #expect(try await word() == "1 network")
        clock.advance(-1)
        #expect(try await word() == "2 network")
    }

    @Test("The directives of a request narrow and extend the lifetime")
    func requested() async throws {
        answers("max-age=60", .json("2", headers: [.cacheControl: "max-age=60"]), .json("3"))
        await expectError("Nothing is stored for https://example.com/item; use a policy that asks the network.") {
            _ = try await word(.standard, [.cacheControl: "only-if-cached"])
        }
        #expect(try await word() == "1 network")
        clock.advance(20)
        #expect(try await word(.standard, [.cacheControl: "max-age=21"]) == "1 store")
        #expect(try await word(.standard, [.cacheControl: "min-fresh=40"]) == "2 network")
        clock.advance(70)
        #expect(try await word(.standard, [.cacheControl: "max-stale=11"]) == "2 store")
        await expectError(
            "The stored response for https://example.com/item is 70 s old, older than the 60 s allowed; use a policy that asks the "
                + "network."
        ) { _ = try await word(.standard, [.cacheControl: "only-if-cached"]) }
        #expect(try await word(.standard, [.cacheControl: "no-store"]) == "3 network")
        #expect(try await word(.cacheOnly) == "2 store")
    }

    @Test(
        "A request that changes a resource makes its stored response stale, also by Location at the same origin",
        arguments: [
            ("item", [:], true), ("items", [.location: "/item"], true), ("items", ["Content-Location": "item"], true),
            ("items", [.location: "https://example.org/item"], false), ("items", [:], false),
        ] as [(String, HTTPHeaders, Bool)])
    func changed(path: String, headers: HTTPHeaders, isStale: Bool) async throws {
        answers("max-age=600", .json("2", headers: [.cacheControl: "max-age=600"]))
        #expect(try await word() == "1 network")
        mock.on(.post, "/\(path)", .status(201, headers: headers))
        clock.advance(1)
        try await client.send(Endpoint<Void>(.post, RoutePath(verbatim: path)))
        // Policies that do not go by freshness still have it.
        #expect(try await word(.cacheOnly) == "1 store")
        clock.advance(1)
        #expect(try await word() == (isStale ? "2 network" : "1 store"))
        #expect(try await word() == (isStale ? "2 store" : "1 store"))
    }

    @Test("A refused request and a safe one change nothing")
    func unchanged() async throws {
        answers("max-age=600", .json("2"))
        #expect(try await word() == "1 network")
        mock.on(.put, "/item", .status(404))
        await #expect(throws: RequestError.self) { try await client.send(Endpoint<Void>(.put, "item")) }
        mock.on("OPTIONS", "/item", .status(204))
        try await client.send(Endpoint<Void>("OPTIONS", "item"))
        #expect(try await word() == "1 store")
        #expect(store.count == 1)
    }

    @Test("A response to HEAD renews the stored response, or makes it stale if it is of another one")
    func head() async throws {
        answers("max-age=60", .json("2"))
        #expect(try await word() == "1 network")
        clock.advance(50)
        let head = Endpoint<Void>(.head, "item", headers: try client.transportRequest(for: item).headers)
        let key = try #require(Persistence.defaultKey(for: client.transportRequest(for: item)))
        mock.on(.head, "/item", .status(200, headers: [.eTag: "\"a\"", .contentLength: "1", "X-Left": "9"]))
        try await client.send(head)
        clock.advance(50)
        #expect(try await word() == "1 store")
        #expect(store.response(for: key)?.headers["X-Left"] == "9")
        mock.on(.head, "/item", .status(200, headers: [.eTag: "\"b\""]))
        try await client.send(head)
        #expect(try await word() == "2 network")
    }

    @Test("A stale response is served while the server is asked, within the time it allows")
    func staleWhileRevalidate() async throws {
        answers("max-age=10, stale-while-revalidate=5", .json("2"), .json("3"))
        let saves = Observed(0)
        let stepped = SteppedStore(
            store: store,
            save: { [store] response, key in
                store.save(response, for: key)
                saves.update { $0 += 1 }
            })
        var client = client
        client.persistence = Persistence(stepped)
        client.persistence?.now = { [clock] in clock.date }
        #expect(try await client.value(item) == 1)
        clock.advance(14)
        #expect(try await client.value(item) == 1)
        _ = try await saves.wait { $0 == 2 }
        #expect(try await client.value(item, policy: .cacheOnly) == 2)
        clock.advance(15)
        #expect(try await client.value(item) == 3)
    }

    @Test(
        "A stale response replaces a failure only within stale-if-error, and not with must-revalidate",
        arguments: [
            ("max-age=10, stale-if-error=5", true), ("max-age=10, stale-if-error=4", false), ("max-age=10", false),
            ("max-age=10, stale-if-error=5, must-revalidate", false),
        ])
    func staleIfError(cacheControl: String, isServed: Bool) async throws {
        for failure in [MockResponse.status(503), .failure(.connectionLost)] {
            answers(cacheControl, failure)
            #expect(try await word(.networkOnly) == "1 network")
            clock.advance(14)
            if isServed {
                let response = try await client.response(item)
                #expect(response.value == 1)
                #expect(response.fallbackReason is RequestError)
            } else {
                await #expect(throws: RequestError.self) { _ = try await word() }
            }
        }
    }

    @Test(
        "A response that varies by a field that a transport added is not stored, except by the account's",
        arguments: [("Accept-Language", 0), ("Authorization, accept-encoding", 1), ("X-Other", 1)])
    mutating func varies(by names: String, count: Int) async throws {
        mock.on(.get, "/item", .json("1", headers: ["Vary": names]))
        client.account = "mona"
        client.transport = SpeakingTransport(base: mock)
        #expect(try await word() == "1 network")
        #expect(store.count == count)
    }

    @Test("The files of a store contain no account's name")
    mutating func namesOnDisk() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ModelMirror-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        client.persistence = Persistence(try FileStore(folder: folder))
        client.account = "mona@example.org"
        answers("max-age=600")
        #expect(try await word() == "1 network")
        mock.on(.post, "/item", .status(204))
        try await client.send(Endpoint<Void>.post("item"))
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count == 2)
        for file in files {
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            #expect(text.contains("example.com"))
            #expect(!text.contains("mona"))
        }
    }
}

/// Adds a language, and a token of the client's account.
private struct SpeakingTransport: Transport {
    let base: MockTransport

    func identity(for request: TransportRequest) -> TransportIdentity { .unknown }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        var request = request
        request.headers[.acceptLanguage] = "de"
        request.headers[.authorization] = "Bearer token"
        return try await base.response(to: request)
    }
}
