import Foundation
import ModelMirror
import ModelMirrorTesting
import Synchronization
import Testing

@testable import ModelMirrorNetworking

@Suite("Endpoint", .timeLimit(.hung), .network)
struct EndpointTests {
    private let mock = MockTransport()

    private var client: APIClient { APIClient(transport: mock, baseURL: URL(string: "https://example.com/v3")) }

    @Test("Each verb sets its method, query, parameters and header fields")
    func verbs() throws {
        let made: [Endpoint<Void>] = [
            .get("x", query: ["q": 1], parameters: ["p": 2], headers: ["X-A": "a"]),
            .head("x", query: ["q": 1], parameters: ["p": 2], headers: ["X-A": "a"]),
            .post("x", query: ["q": 1], parameters: ["p": 2], headers: ["X-A": "a"]),
            .put("x", query: ["q": 1], parameters: ["p": 2], headers: ["X-A": "a"]),
            .patch("x", query: ["q": 1], parameters: ["p": 2], headers: ["X-A": "a"]),
            .delete("x", query: ["q": 1], parameters: ["p": 2], headers: ["X-A": "a"]),
            Endpoint("QUERY", "x", query: ["q": 1], parameters: ["p": 2], headers: ["X-A": "a"]),
        ]
        let requests = try made.map { try client.transportRequest(for: $0) }
        #expect(
            requests.map { "\($0.method) \($0.url.absoluteString)" } == [
                "GET https://example.com/v3/x?q=1&p=2", "HEAD https://example.com/v3/x?q=1&p=2",
                "POST https://example.com/v3/x?q=1", "PUT https://example.com/v3/x?q=1",
                "PATCH https://example.com/v3/x?q=1", "DELETE https://example.com/v3/x?q=1&p=2",
                "QUERY https://example.com/v3/x?q=1&p=2",
            ])
        #expect(requests.allSatisfy { $0.headers["X-A"] == "a" })
        #expect(requests.map { $0.body == nil } == [true, true, false, false, false, true, true])
    }

    @Test(
        "Setting query items leaves all others as written, also empty ones",
        arguments: [
            ("", "page=2"), ("?", "page=2"), ("?#f", "page=2"), ("?x=1&&y=+%2b", "x=1&&y=+%2b&page=2"),
            ("?&x", "&x&page=2"), ("?x&", "x&page=2"), ("?page=1&&p%61ge=3&z", "&z&page=2"), ("?page", "page=2"),
        ])
    func settingQuery(query: String, expected: String) throws {
        let url = try #require(URL(string: "https://example.com/a" + query))
        #expect(try url.settingQuery(["page": 2]).query() == expected)
    }

    @Test("A request is built in order: address, query, headers, parameters, page, prepare steps")
    func order() throws {
        var endpoint = Endpoint<Int>.route(Shaping())
        endpoint.prepare = { request in
            request.headers["X-Seen-Last"] = request.headers["X-Route"]
            request.url = try request.url.settingQuery(["f": 6])
        }
        var client = client
        client.configuration.headers = ["X-Client": "client", "X-Route": "client"]
        endpoint.paging = { request in
            #expect(request.url.query() == "a=1&b=2&c=route%20client%20application%2Fjson")
            #expect(request.headers["X-Prepared"] == nil)
            request.url = try request.url.settingQuery(["d": 4])
        }
        let request = try client.transportRequest(for: endpoint)
        #expect(
            request.url.absoluteString
                == "https://example.com/v3/x?a=1&b=2&c=route%20client%20application%2Fjson&d=4&e=5&f=6")
        #expect(request.headers["X-Prepared"] == "a=1&b=2&c=route%20client%20application%2Fjson&d=4")
        #expect(request.headers["X-Seen-Last"] == "prepared")
        #expect(request.headers["X-Client"] == "client")
    }

    @Test("Changes by prepare are final: address, method, header fields and timeout")
    func prepareIsLast() throws {
        var endpoint = Endpoint<[Int]>.get("x", headers: [.accept: "a/b"])
        endpoint.prepare = { request in
            request.method = "SEARCH"
            request.headers = ["X-Only": "1"]
            request.url = try #require(URL(string: "https://other.example/"))
            request.timeout = .seconds(3)
        }
        var client = client
        client.configuration.timeout = .seconds(9)
        let request = try client.transportRequest(for: endpoint)
        #expect(request.method == "SEARCH")
        #expect(request.headers == ["X-Only": "1"])
        #expect(request.url.absoluteString == "https://other.example/")
        #expect(request.timeout == .seconds(3))
    }

    @Test("Members set on an endpoint override those of its route")
    func membersWin() throws {
        var endpoint = Endpoint<Int>.route(Shaping())
        #expect(endpoint.method == .get)
        #expect(endpoint.address.text == "x?a=1")
        endpoint.method = .post
        endpoint.address = "y"
        endpoint.query = ["q": "mine"]
        endpoint.parameters = ["p": 1]
        endpoint.headers["X-Route"] = "mine"
        let request = try client.transportRequest(for: endpoint)
        #expect(request.method == .post)
        #expect(request.url.absoluteString == "https://example.com/v3/y?q=mine&e=5")
        #expect(request.headers["X-Prepared"] == "q=mine")
        // The route's prepare still runs afterwards.
        #expect(request.headers["X-Route"] == "prepared")
        guard case .data(let body)? = request.body?.content else { return #expect(Bool(false)) }
        #expect(String(decoding: body, as: UTF8.self) == #"{"p":1}"#)
    }

    @Test("An error thrown by prepare fails the request, and nothing is sent")
    func throwing() async {
        var endpoint = Endpoint<Void>.get("x")
        endpoint.prepare = { _ in throw Refused() }
        await #expect(throws: Refused.self) { try await client.send(endpoint) }
        await #expect(throws: Refused.self) { try await client.request(endpoint).value() }
        #expect(mock.requests.isEmpty)
    }

    @Test(
        "A route's prepare runs once per call for any fetch policy",
        arguments: [
            .standard, .networkOnly, .networkElseCache, .cacheElseNetwork, .cacheThenNetwork,
        ] as [FetchPolicy])
    func nonce(policy: FetchPolicy) async throws {
        mock.on(.get, "/v3/x", .json("7", headers: ["ETag": "\"1\""]))
        let counter = Counter()
        let endpoint = Endpoint<Int>.route(Signing(counter: counter))
        #expect(try await client.value(endpoint) == 7)
        #expect(counter.value == 1)
        var client = client
        client.account = "me"
        var persistence = Persistence.keeping(MemoryStore())
        persistence.key = { $0.url.absoluteString }
        client.persistence = persistence
        for call in 2...4 {
            #expect(try await client.value(endpoint, policy: policy) == 7)
            #expect(counter.value == call)
        }
        for try await response in client.values(endpoint, policy: policy) { #expect(response.value == 7) }
        #expect(counter.value == 5)
        let nonces = mock.requests.compactMap { $0.headers["X-Nonce"] }
        #expect(nonces.count == mock.requests.count)
        #expect(Set(nonces).count == nonces.count)
    }

    @Test("transportRequest(for:) builds the request without sending it")
    func transportRequest() throws {
        let page = try client.transportRequest(
            for: .get(.root("login/oauth"), query: ["client_id": "a b"]) as Endpoint<Void>)
        #expect(page.url.absoluteString == "https://example.com/login/oauth?client_id=a%20b")
        #expect(page.headers == [:])
        var other = client
        other.account = "bob"
        #expect(try other.transportRequest(for: Endpoint<Void>.get("x")).identity == .account("bob"))
        #expect(mock.requests.isEmpty)
    }

    @Test("A custom static endpoint is inferred from the value's type")
    func ownEndpoints() async throws {
        mock.on("count", where: { $0.url.absoluteString.hasSuffix("/counts/a%2Fb") }, .json("3"))
        #expect(try await client.value(.count(of: "a/b")) == 3)
    }
}

extension Endpoint<Int> {
    fileprivate static func count(of name: String) -> Self { .get("counts/\(name)") }
}

private struct Refused: Error {}

/// Records in each step the results of the steps before it.
private struct Shaping: Route {
    var path: URLReference { "x?a=1" }
    var query: ParameterList { ["b": 2] }
    var headers: HTTPHeaders { ["X-Route": "route"] }

    func parameters(for request: TransportRequest) throws -> RequestParameters? {
        let seen = [request.headers["X-Route"], request.headers["X-Client"], request.headers[.accept]].compactMap { $0 }
        #expect(request.url.query() == "a=1&b=2")
        return .query(["c": seen.joined(separator: " ")])
    }

    func prepare(_ request: inout TransportRequest) throws {
        request.headers["X-Prepared"] = request.url.query()
        request.headers["X-Route"] = "prepared"
        request.url = try request.url.settingQuery(["e": 5])
    }
}

private struct Signing: Route {
    let counter: Counter
    var path: URLReference { "x" }

    func prepare(_ request: inout TransportRequest) { request.headers["X-Nonce"] = "\(counter.next())" }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
