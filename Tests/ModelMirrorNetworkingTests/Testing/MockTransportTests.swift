import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

private class Note: AbstractModel {
    var title = "a"
}

@Suite("MockTransport", .timeLimit(.hung), .network)
struct MockTransportTests {
    private let transport = MockTransport()

    private func request(_ method: HTTPMethod = .get, _ url: String, body: HTTPBody? = nil) throws -> TransportRequest {
        TransportRequest(method, try #require(URL(string: url)), body: body)
    }

    private func fetch(
        _ method: HTTPMethod = .get, _ url: String, headers: HTTPHeaders = [:], body: HTTPBody? = nil
    ) async throws -> (response: TransportResponse, text: String) {
        var request = try request(method, url, body: body)
        request.headers = headers
        let response = try await transport.response(to: request)
        return (response, String(decoding: try await response.body.collect(limit: 1 << 20), as: UTF8.self))
    }

    /// The reason why a request is rejected.
    private func reason(of request: TransportRequest, by other: MockTransport? = nil) async throws -> String? {
        do {
            _ = try await (other ?? transport).response(to: request)
        } catch RequestError.invalidRequest(let reason) {
            return reason
        }
        return nil
    }

    @Test(
        "A pattern that can match nothing fails every request with a description, and is no silent zero when it is counted",
        arguments: [
            (
                "https://x.example/a/*/c",
                "has a * that is not its last segment, where it matches nothing; use :name for one segment"
            ),
            ("a/:id", "does not begin with a slash, so that it matches nothing"),
            ("", "does not begin with a slash, so that it matches nothing"),
        ])
    func unusablePattern(pattern: String, fault: String) async throws {
        transport.on(.get, "/b", .status(204))
        transport.on(nil, pattern, .status(200))
        let reason = "the route any method \(pattern) \(fault)"
        #expect(try await self.reason(of: request(.get, "https://x.example/b")) == reason)
        #expect(transport.unmatched == [reason])
        #expect(transport.requestCount(.get, pattern) == 0)
        #expect(transport.unmatched == [reason, "the route GET \(pattern) \(fault)"])
    }

    @Test(
        "The origin of a pattern may have the port of its scheme, an IPv6 address or letters beyond ASCII",
        arguments: [
            ("http://[::1]:8080/a", "http://[::1]:8080/a"), ("http://[2001:DB8::1]/a", "http://[2001:db8::1]:80/a"),
            ("https://y.example:443/a", "https://Y.example/a"), ("https://y.example/a", "https://y.example:443/a"),
            ("https://b\u{FC}cher.example/a", "https://xn--bcher-kva.example/a"),
        ])
    func origins(pattern: String, url: String) async throws {
        transport.on(.get, pattern, .status(204))
        #expect(try await transport.response(to: request(.get, url)).status == 204)
        #expect(transport.requestCount(.get, pattern) == 1)
    }

    @Test("Status and header fields that are set for a decided response replace the decided ones")
    func decidedChanges() async throws {
        let request = try request(.get, "https://x.example/a")
        var response = MockResponse.sequence([.json("[]", headers: ["X-A": "1", "X-B": "1"]), .status(404)])
        response.headers["X-A"] = "2"
        transport.on(.get, "/a", response)
        let first = try await transport.response(to: request)
        #expect(first.status == 200)
        #expect(
            first.headers == [
                "X-B": "1", .contentType: "application/json", "X-A": "2", "Content-Length": "2",
            ])
        #expect(try await transport.response(to: request).status == 404)
        response.status = 503
        transport.on(.get, "/a", response)
        let last = try await transport.response(to: request)
        #expect(last.status == 503)
        #expect(last.headers["X-A"] == "2")
        let server = try LoopbackServer()
        defer { server.stop() }
        var served = LoopbackResponse.chosen { _ in .json("[]") }
        served.status = 201
        served.headers["X-A"] = "2"
        server.on(.get, "/a", served)
        let live = try await SystemTransport.shared.response(to: TransportRequest(.get, server.url("/a")))
        #expect(live.status == 201)
        #expect(live.headers["X-A"] == "2")
    }

    @Test("A request after its deadline times out")
    func deadline() async throws {
        transport.on(.get, "/a", .text("a"))
        var request = try request(.get, "https://x.example/a")
        request.deadline = .now - .seconds(1)
        let error = await #expect(throws: RequestError.self) { _ = try await transport.response(to: request) }
        #expect(error?.failureKind == .timedOut)
    }

    @Test("Requests match by method and path on any host, and are recorded")
    func answers() async throws {
        transport.on(.get, "/users/:name/gists", .json("[]", headers: [.eTag: "\"1\""]))
        let (response, text) = try await fetch(
            .get, "https://u:p@api.example.com/users/a%20b/gists?page=2&x=1%2B1", headers: ["X-A": "1"])
        #expect(response.status == 200)
        #expect(response.headers[.eTag] == "\"1\"")
        #expect(response.headers[.contentType] == "application/json")
        #expect(response.expectedLength == 2)
        #expect(response.url.absoluteString == "https://api.example.com/users/a%20b/gists?page=2&x=1%2B1")
        #expect(text == "[]")
        let asked = transport.requests[0]
        #expect(asked.method == .get && asked.path == "/users/a b/gists")
        #expect(asked.headers["x-a"] == "1")
        #expect(asked.queryItems == [URLQueryItem(name: "page", value: "2"), URLQueryItem(name: "x", value: "1+1")])
        #expect(asked.queryValue("page") == "2")
    }

    @Test("A closure receives the request with its body and parameters")
    func closure() async throws {
        transport.on(.post, "/notes/:id") { request in
            .data(request.body + Data((request.parameters["id"] ?? "").utf8), status: 201)
        }
        let chunks = HTTPBody.chunks {
            var rest = ["a", "", "b"][...]
            return { rest.popFirst().map { Data($0.utf8) } }
        }
        for (body, text) in [(HTTPBody.data(Data("x".utf8)), "x1"), (chunks, "ab1")] {
            let (response, answer) = try await fetch(.post, "http://a/notes/1", body: body)
            #expect(response.status == 201)
            #expect(answer == text)
        }
    }

    @Test("The last matching route wins, by a pattern with or without an origin or by a condition")
    func routes() async throws {
        transport.on(.get, "/a", .text("any"))
        transport.on(.get, "https://Other.example:8080/a", .text("other"))
        transport.on("page 2", where: { $0.queryValue("page") == "2" }, .text("second"))
        transport.on(nil, "https://root.example", .text("root"))
        for (method, url, text) in [
            (.get, "https://x/a", "any"), (.get, "https://other.example:8080/a", "other"),
            (.get, "https://other.example/a", "any"), (.put, "https://x/b?page=2", "second"),
            (.delete, "https://root.example", "root"),
        ] as [(HTTPMethod, String, String)] {
            #expect(try await fetch(method, url).text == text, "\(url)")
        }
        #expect(transport.requestCount(.get, "/a") == 3)
        #expect(transport.requestCount(nil, "/b") == 1)
        #expect(transport.requestCount(.put, "/a") == 0)
    }

    @Test("A request without a route fails with a list of the routes, is reported and recorded")
    func unmatched() async throws {
        let heard = Mutex<[String]>([])
        let transport = MockTransport(reportUnmatched: { text in heard.withLock { $0.append(text) } })
        let request = try request(.post, "https://user:secret@x/a?b=1")
        for (expected, prepare) in [
            ("it knows no route", {}),
            (
                "it knows only GET /a, any method https://x/b, page 2",
                {
                    transport.on(.get, "/a", .status(200))
                    transport.on(.get, "/a", .status(404))
                    transport.on(nil, "https://x/b", .status(200))
                    transport.on("page 2", where: { _ in false }, .status(200))
                }
            ),
        ] {
            prepare()
            let sentence = "the mock has no answer to POST https://x/a?b=1; \(expected)"
            #expect(try await reason(of: request, by: transport) == sentence)
            #expect(transport.unmatched.last == sentence)
            let last = heard.withLock { $0.last }
            #expect(last == sentence)
        }
        #expect(transport.requests.count == 2)
    }

    @Test(
        "A route that lacks the path of a base URL is named",
        arguments: [
            ("https://x/api/v2/users/7", "; GET /users/:name lacks the path /api/v2"),
            ("https://x/api/gists/1?page=2", "; GET /gists/1 lacks the path /api"), ("https://x/users/7/gists", nil),
            // The name of a condition is no path.
            ("https://x/api/gists/2", nil),
        ])
    func missingStart(url: String, advice: String?) async throws {
        transport.on(Endpoint<Void>.get("gists/1"), .status(200))
        transport.on(.get, "/users/:name", .status(200))
        transport.on(.get, "/:any", .status(200))
        transport.on("/gists/2", where: { _ in false }, .status(200))
        _ = try? await fetch(.get, url)
        let routes = "GET /gists/1, GET /users/:name, GET /:any, /gists/2"
        let sentence = advice.map { "\($0): add it to the pattern, or pass relativeTo: with the base URL" } ?? ""
        #expect(transport.unmatched == ["the mock has no answer to GET \(url); it knows only \(routes)\(sentence)"])
    }

    @Test("Bodies are made from text, bytes, a JSON value, a model and a file")
    func bodies() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("mock-\(UUID().uuidString).json")
        try Data("{\"f\":1}".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        transport.on(.get, "/text", .text("é"))
        transport.on(.get, "/data", .data(Data("d".utf8)))
        transport.on(.get, "/value", try .json(value: ["a": [1, true]]))
        transport.on(.get, "/model", try .json(model: Note()))
        transport.on(.get, "/file", .file(file))
        transport.on(.get, "/gone", .file(URL(fileURLWithPath: "/nowhere/gone.json")))
        for (path, text, type) in [
            ("/text", "é", "text/plain; charset=utf-8"), ("/data", "d", "application/octet-stream"),
            ("/value", "{\"a\":[1,true]}", "application/json"), ("/model", "{\"title\":\"a\"}", "application/json"),
            ("/file", "{\"f\":1}", "application/json"),
        ] {
            let (response, body) = try await fetch(.get, "http://a\(path)")
            #expect(body == text)
            #expect(response.headers[.contentType] == type)
        }
        let reason = try await reason(of: try request(.get, "http://a/gone"))
        #expect(reason == "its response cannot be read from /nowhere/gone.json: No such file or directory")
    }

    @Test("Responses to HEAD, 204 and 304 have no body, as over HTTP")
    func noBody() async throws {
        transport.on(.get, "/a", .text("abc"))
        transport.on(.get, "/204", .text("abc", status: 204))
        transport.on(.get, "/304", .text("abc", status: 304))
        let (head, text) = try await fetch(.head, "http://a/a")
        #expect(head.headers[.contentLength] == "3" && text == "")
        for status in [204, 304] {
            let (response, text) = try await fetch(.get, "http://a/\(status)")
            #expect(response.status == status && response.headers[.contentLength] == nil && text == "")
        }
    }

    @Test("A sequence continues after failures and stays at its last response")
    func sequence() async throws {
        transport.on(
            .get, "/a", .sequence([.failure(.connectionLost), .failure(.noConnectivity), .status(503), .text("done")]))
        let request = try request(.get, "http://u:p@a/a")
        let lost = await #expect(throws: RequestError.self) { try await transport.response(to: request) }
        #expect(lost?.failureKind == .connectionLost)
        #expect(lost?.connectionFailure?.url.absoluteString == "http://a/a")
        await #expect(throws: RequestError.self) { try await transport.response(to: request) }
        for status in [503, 200, 200] { #expect(try await transport.response(to: request).status == status) }
    }

    @Test("A 401 is sent until the token is fresh, a 429 has Retry-After and a redirect Location")
    func statuses() async throws {
        transport.on(.get, "/me", .unauthorizedUntil(token: "t", then: .text("me")))
        transport.on(.get, "/busy", .tooManyRequests(retryAfter: 7))
        transport.on(.get, "/moved", .redirect(to: "/new", status: 308))
        #expect(try await fetch(.get, "http://a/me").response.status == 401)
        #expect(try await fetch(.get, "http://a/me", headers: [.authorization: "Bearer t"]).text == "me")
        #expect(try await fetch(.get, "http://a/busy").response.headers[.retryAfter] == "7")
        #expect(try await fetch(.get, "http://a/moved").response.headers[.location] == "/new")
    }

    @Test("Each chunk waits at the gate, and the body can end with a failure")
    func chunks() async throws {
        let gate = Gate()
        let pieces = ["ab", "c"].map { Data($0.utf8) }
        transport.on(.get, "/a", .chunks(pieces, at: gate, failure: .connectionLost))
        let response = try await transport.response(to: try request(.get, "http://a/a"))
        #expect(response.expectedLength == nil)
        var iterator = response.body.makeAsyncIterator()
        gate.pass(2)
        #expect(try await iterator.next() == pieces[0])
        #expect(try await iterator.next() == pieces[1])
        let error = await #expect(throws: RequestError.self) { _ = try await iterator.next() }
        #expect(error?.failureKind == .connectionLost)
        #expect(try await iterator.next() == nil)
    }

    @Test("Bodies are cut into chunks of the given size")
    func chunkSize() async throws {
        let transport = MockTransport(chunkSize: 2)
        transport.on(.get, "/a", .text("abcde"))
        var texts: [String] = []
        for try await chunk in try await transport.response(to: try request(.get, "http://a/a")).body {
            texts.append(String(decoding: chunk, as: UTF8.self))
        }
        #expect(texts == ["ab", "cd", "e"])
    }

    @Test("A delay uses the transport's clock")
    func delay() async throws {
        let clock = ManualClock()
        let transport = MockTransport(clock: clock)
        transport.on(.get, "/a", .text("a").delayed(by: .seconds(30)))
        let request = try request(.get, "http://a/a")
        let hasAnswer = Mutex(false)
        async let status = {
            let status = try await transport.response(to: request).status
            hasAnswer.withLock { $0 = true }
            return status
        }()
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(29))
        #expect(!hasAnswer.withLock { $0 })
        clock.advance(by: .seconds(1))
        #expect(try await status == 200)
        #expect(clock.sleeps == [.seconds(30)])
    }

    @Test(
        "A delay or a gate beyond the timeout fails as timed out",
        arguments: [MockResponse.text("a").delayed(by: .seconds(30)), .hanging()])
    func timeout(response: MockResponse) async throws {
        let clock = ManualClock()
        let transport = MockTransport(clock: clock)
        transport.on(.get, "/a", response)
        var request = try request(.get, "http://a/a")
        request.timeout = .seconds(10)
        let task = Task { [request] in try await transport.response(to: request).status }
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(10))
        let error = await #expect(throws: RequestError.self) { _ = try await task.value }
        #expect(error?.failureKind == .timedOut)
    }

    @Test("A gate that opens before the timeout lets the response through")
    func gateInTime() async throws {
        let gate = Gate()
        transport.on(.get, "/a", .text("a").held(at: gate))
        var request = try request(.get, "http://a/a")
        request.timeout = .seconds(1000)
        let task = Task { [request] in try await transport.response(to: request).status }
        try await gate.arrivals()
        gate.pass()
        #expect(try await task.value == 200)
    }

    @Test(
        "Cancelling ends every wait with RequestError.cancelled",
        arguments: ["/before", "/delayed", "/hanging", "/body"])
    func cancelling(path: String) async throws {
        let clock = ManualClock()
        let transport = MockTransport(clock: clock)
        let gate = Gate()
        transport.on(.get, "/before", .text("a"))
        transport.on(.get, "/delayed", .text("a").delayed(by: .seconds(1)))
        transport.on(.get, "/hanging", .hanging(until: gate))
        transport.on(.get, "/body", .chunks([Data("a".utf8)], at: gate))
        let request = try request(.get, "http://a\(path)")
        let task = Task {
            if path == "/before" { try? await Gate().enter() }
            return try await transport.response(to: request).body.collect(limit: 10)
        }
        switch path {
        case "/delayed": try await clock.sleepers(atLeast: 1)
        case "/hanging", "/body": try await gate.arrivals()
        default: break
        }
        task.cancel()
        do {
            _ = try await task.value
            Issue.record("The request succeeds.")
        } catch RequestError.cancelled {
            #expect(transport.requests.count == (path == "/before" ? 0 : 1))
        }
    }

    @Test("A test can wait for requests")
    func waiting() async throws {
        transport.on(nil, "/*", .status(200))
        let waiter = Task { [transport] in try await transport.requests(atLeast: 2).map(\.path) }
        _ = try await fetch(.get, "http://a/1")
        _ = try await fetch(.get, "http://a/2")
        #expect(try await waiter.value == ["/1", "/2"])
    }

    @Test("A request that a live transport rejects is rejected and not recorded")
    func validation() async throws {
        transport.on(nil, "/*", .status(200))
        var request = try request(.get, "http://a/a")
        request.headers["X-A"] = "1\r\nX-B: 2"
        #expect(try await reason(of: request) == "the value of the header \"X-A\" contains a line break")
        let relative = try #require(URL(string: "/a"))
        #expect(
            try await reason(of: TransportRequest(.get, relative))
                == "the URL /a is not an absolute http or https URL with a host")
        #expect(transport.requests.isEmpty)
    }

    @Test("A response that no server can send is refused")
    func responsesThatCannotBeSent() async throws {
        let responses: [(MockResponse, reason: String)] = [
            (.status(103), "the status 103 of the response is not within 200–599"),
            (.text("a", status: 600), "the status 600 of the response is not within 200–599"),
            (.sequence([.status(99)]), "the status 99 of the response is not within 200–599"),
            (
                .json("[]", headers: ["X-A": "1\r\nX-B: 2"]),
                "the value of the response's header \"X-A\" contains a line break or a zero byte"
            ),
            (.chunks([], headers: ["X A": "1"]), "the header name \"X A\" of the response is not a token"),
        ]
        for (response, reason) in responses {
            transport.on(.get, "/a", response)
            #expect(try await self.reason(of: request(.get, "http://a/a")) == "the mock cannot answer it: \(reason)")
        }
    }

    @Test("A body that cannot be produced or read, or has another length than declared, fails the request")
    func brokenBody() async throws {
        struct Broken: Error {}
        transport.on(.post, "/a", .status(200))
        func abc(declaring length: Int) -> HTTPBody {
            .chunks(length: length) {
                var rest: Data? = Data("abc".utf8)
                return {
                    defer { rest = nil }
                    return rest
                }
            }
        }
        for (body, expected) in [
            (.chunks { throw Broken() }, "the body cannot be made: Broken()"),
            (.chunks { { throw Broken() } }, "the body cannot be made: Broken()"),
            (
                .file(URL(fileURLWithPath: "/nowhere/a")),
                "the file \"/nowhere/a\" cannot be read as a body: No such file or directory"
            ),
            (abc(declaring: 2), "the body declares 2 bytes and produces at least 3"),
            (abc(declaring: 4), "the body declares 4 bytes and produces 3"),
        ] as [(HTTPBody, String)] {
            #expect(try await reason(of: request(.post, "http://a/a", body: body)) == expected)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("Upload progress is reported")
    func progress() async throws {
        transport.on(.post, "/a", .status(200))
        let told = Mutex<[String]>([])
        for body in [HTTPBody.data(Data("abc".utf8)), .chunks { { nil } }] {
            var request = try request(.post, "http://a/a", body: body)
            request.uploadProgress = { sent, total in told.withLock { $0.append("\(sent) of \(total ?? -1)") } }
            _ = try await transport.response(to: request)
        }
        #expect(told.withLock { $0 } == ["3 of 3"])
    }
}
