import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Calls of a client", .timeLimit(.hung), .network)
struct RequestingCallsTests {
    private let url: URLReference = "https://example.com/x"
    private let gists = #"[{"id": "1"}, {"id": "2"}]"#

    // MARK: Awaiting

    @Test("Objects are mapped off the main thread and can be used on it")
    @MainActor
    func offMain() async throws {
        let client = APIClient(transport: StubTransport(#"{"id": "1"}"#))
        let probe: ThreadProbe = try await client.value(.get(url))
        #expect(!probe.wasMain)
        probe.id = "2"
        let response = try await client.response(Endpoint<ThreadProbe>.get(url))
        #expect(!response.value.wasMain)
    }

    @Test("A response has the value, status, header fields, URL, method, origin and metrics")
    func response() async throws {
        let final = try #require(URL(string: "https://other.example/y"))
        let client = APIClient(
            transport: StubTransport { _ in
                .stub("[1, 2]", status: 201, headers: [.contentType: "application/json", "X-A": "1"], url: final)
            })
        let response = try await client.response(Endpoint<[Int]>.post(url, parameters: ["a": 1]))
        #expect(response.value == [1, 2])
        #expect((response.status, response.method, response.url) == (201, .post, final))
        #expect(response.headers == [.contentType: "application/json", "X-A": "1"])
        #expect(response.origin == .network)
        #expect(response.fallbackReason == nil)
        #expect(response.metrics == nil)
        let bare = try await client.response(Endpoint<Void>.delete(url))
        #expect(bare.status == 201 && bare.method == .delete)
    }

    @Test("send ignores the body for any value type of the endpoint")
    func send() async throws {
        let transport = StubTransport("<html>", headers: [.contentType: "text/html"])
        let client = APIClient(transport: transport)
        try await client.send(.delete(url))
        try await client.send(Endpoint<[Gist]>.get(url, at: "nowhere"))
        try await client.send(
            Endpoint<Int>.get(
                url,
                reading: { _ in
                    Issue.record("The closure was called.")
                    return 1
                }))
        #expect(transport.requests.map(\.method) == [.delete, .get, .get])
        #expect(transport.requests.map { $0.headers[.accept] } == [nil, nil, nil])
    }

    @Test("send uses the endpoint's route, query, parameters, accepted statuses and prepare closure")
    func sendKeeps() async throws {
        let transport = StubTransport("", status: 404)
        let client = APIClient(transport: transport, baseURL: URL(string: "https://example.com"))
        var endpoint = Endpoint<[Gist]>.route(Marked())
        endpoint.acceptedStatus = [404]
        endpoint.query = ["q": 1]
        endpoint.parameters = ["a": 1]
        endpoint.prepare = { $0.headers["X-Last"] = $0.headers["X-Route"] }
        try await client.send(endpoint)
        let request = try #require(transport.requests.first)
        #expect((request.method, request.url.absoluteString) == (.post, "https://example.com/marked?q=1"))
        #expect(request.body != nil)
        #expect(request.headers["X-Last"] == "1")
        endpoint.acceptedStatus = nil
        await #expect(throws: RequestError.self) { try await client.send(endpoint) }
    }

    @Test("An awaited call reports its progress")
    func progress() async throws {
        let log = WordLog()
        let client = APIClient(transport: StubTransport("[1]"))
        #expect(try await client.value(Endpoint<[Int]>.get(url)) { log.add("\($0.download.bytes)") } == [1])
        #expect(log.words.last == "3")
        let count = log.words.count
        try await client.send(Endpoint<Void>.get(url)) { log.add("\($0.download.bytes)") }
        #expect(log.words.count > count)
    }

    @Test("A conforming structure, a repository and a client have the same calls")
    func conforming() async throws {
        let client = APIClient(transport: StubTransport(gists))
        let own = Own(client: client)
        let repository = AbstractRepository<String>(client: client)
        #expect(try await own.gists().count == 2)
        let some: [any Requesting] = [client, own, repository]
        for requesting in some {
            let gists: [Gist] = try await requesting.value(.get(url))
            #expect(gists.map(\.id) == ["1", "2"])
            let request: Request<[Gist]> = requesting.request(.get(url))
            #expect(try await request.value().count == 2)
            #expect(try await requesting.signal(Endpoint<[Gist]>.get(url)).value().count == 2)
        }
    }

    // MARK: Closures

    @Test("A completion with a queue runs on that queue")
    func queue() async throws {
        let client = APIClient(transport: StubTransport(gists))
        let queue = DispatchQueue(label: "answers")
        let key = DispatchSpecificKey<Int>()
        queue.setSpecific(key: key, value: 7)
        let ids: [String] = try await withCheckedThrowingContinuation { continuation in
            client.request(Endpoint<[Gist]>.get(url), on: queue) { getGists in
                #expect(DispatchQueue.getSpecific(key: key) == 7)
                continuation.resume(with: Result { try getGists().map(\.id) })
            }
        }
        #expect(ids == ["1", "2"])
    }

    @Test(
        "Every completion and handler is called exactly once, however the request ends",
        arguments: [
            ("ok", "7"), ("404", "failed"), ("nothing", "failed"), ("html", "failed"), ("../refused", "failed"),
            ("hanging", "cancelled"),
        ])
    func exactlyOnce(path: String, end: String) async throws {
        let client = client(store: nil)
        let endpoint = Endpoint<Int>.get(URLReference(verbatim: path))
        let queue = DispatchQueue(label: "answers")
        let log = WordLog()
        let requests = [
            client.request(endpoint) { get in log.add("main \(outcome(get))") },
            client.request(endpoint, policy: .networkOnly) { get in log.add("policy \(outcome(get))") },
            client.request(endpoint, stored: { _ in log.add("stored") }) { get in log.add("both \(outcome(get))") },
            client.request(endpoint, on: queue) { get in log.add("queue \(outcome(get))") },
            client.request(endpoint, on: queue, policy: .cacheThenNetwork, stored: { _ in log.add("stored") }) { get in
                log.add("both on queue \(outcome(get))")
            },
            client.request(endpoint),
        ]
        if path == "hanging" { for request in requests { request.cancel() } }
        for request in requests {
            request.success { log.add("success \($0)") }.fail { log.add("fail \(name(of: $0))") }
            request.finished { log.add("finished") }
        }
        for request in requests { await ended(request) }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        let handlers = end == "7" ? "success 7" : "fail \(end)"
        let expected =
            ["main", "policy", "both", "queue", "both on queue"].map { "\($0) \(end)" }
            + Array(repeating: handlers, count: 6) + Array(repeating: "finished", count: 6)
        #expect(log.words.sorted() == expected.sorted())
    }

    @Test("With a store, the stored and the network's value are delivered once each, in this order")
    func storedOnce() async throws {
        let client = client(store: MemoryStore())
        let endpoint = Endpoint<Int>.get("ok")
        #expect(try await client.value(endpoint) == 7)
        let queue = DispatchQueue(label: "answers")
        for _ in 1...2 {
            let log = WordLog()
            await ended(
                client.request(endpoint, stored: { get in log.add("stored \(outcome(get))") }) { get in
                    log.add("network \(outcome(get))")
                })
            #expect(log.words == ["stored 7", "network 7"])
            let request = client.request(
                endpoint, on: queue, policy: .cacheThenNetwork,
                stored: { get in log.add("stored on queue \(outcome(get))") }
            ) { get in log.add("network on queue \(outcome(get))") }
            await withCheckedContinuation { continuation in request.finished(on: queue) { continuation.resume() } }
            #expect(log.words.dropFirst(2) == ["stored on queue 7", "network on queue 7"])
        }
        let log = WordLog()
        await ended(
            client.request(endpoint, policy: .cacheOnly, stored: { _ in log.add("stored") }) { get in
                log.add("completion \(outcome(get))")
            })
        #expect(log.words == ["completion 7"])
    }

    /// A client of a mock with paths for a value, a 404, an empty response, an HTML page, and a hanging response.
    private func client(store: MemoryStore?) -> APIClient {
        let mock = MockTransport()
        mock.on(.get, "/ok", .json("7"))
        mock.on(.get, "/404", .status(404))
        mock.on(.get, "/nothing", .status(204))
        mock.on(.get, "/html", .text("<html>"))
        mock.on(.get, "/hanging", .hanging())
        var client = APIClient(
            transport: mock, baseURL: URL(string: "https://example.com"),
            persistence: store.map { Persistence.keeping($0) })
        client.account = "me"
        return client
    }
}

private func outcome(_ get: () throws -> sending Int) -> String {
    do { return "\(try get())" } catch { return name(of: error) }
}

private func name(of error: any Error) -> String {
    if case RequestError.cancelled = error { "cancelled" } else { "failed" }
}

private struct Own: Requesting {
    let client: APIClient

    func gists() async throws -> sending [Gist] { try await value(.get("https://example.com/x")) }
}

private struct Marked: Route {
    var method: HTTPMethod { .post }
    var path: URLReference { "marked" }
    func prepare(_ request: inout TransportRequest) { request.headers["X-Route"] = "1" }
}

private class Gist: AbstractModel {
    var id = ""
}

private class ThreadProbe: AbstractModel {
    var id = ""
    private(set) var wasMain = true

    override class var ignoredProperties: Set<String> { ["wasMain"] }

    override func didMap() throws { wasMain = Thread.isMainThread }
}
