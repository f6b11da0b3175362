import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

@Suite("Streaming calls of a client", .timeLimit(.hung), .network)
struct RequestingStreamingTests {
    private let url: URLReference = "https://example.com/x"
    private let transport = MockTransport()
    private var client: APIClient { APIClient(transport: transport, baseURL: URL(string: "https://example.com")) }

    @Test("Each iteration sends a request of its own, not before its first element is read")
    func cold() async throws {
        transport.on(.get, "/x", .json("[{\"id\":1},{\"id\":2}]"))
        let stream = client.elements(Endpoint<[Item]>.get(url, headers: ["X-A": "1"]))
        #expect(transport.requests.isEmpty)
        for count in 1...2 {
            var ids: [Int] = []
            for try await item in stream { ids.append(item.id) }
            #expect(ids == [1, 2])
            #expect(transport.requests.count == count)
        }
        #expect(transport.requests.map { $0.headers["X-A"] } == ["1", "1"])
        #expect(transport.requests.map { $0.headers[.accept] } == ["application/json", "application/json"])
    }

    @Test("Streams of lines and events accept their own content types")
    func types() async throws {
        let line = MockResponse.text("{\"id\":1}\n", headers: [.contentType: "application/x-ndjson; charset=utf-8"])
        transport.on(.get, "/lines", line)
        transport.on(.get, "/events", .text("data: {\"id\":2}\n\n", headers: [.contentType: "Text/Event-Stream"]))
        for try await item in client.lines(Endpoint<[Item]>.get("lines")) { #expect(item.id == 1) }
        for try await event in client.events(.get("events")) { #expect(try event.value(Item.self).id == 2) }
        for try await item in client.events(.get("events")).values(Item.self) { #expect(item.id == 2) }
        #expect(
            transport.requests.map { $0.headers[.accept] } == [
                "application/x-ndjson", "text/event-stream", "text/event-stream",
            ])
        for try await _ in client.events(.get("events", headers: [.accept: "a/b"])) {}
        #expect(transport.requests.last?.headers[.accept] == "a/b")
        #expect(transport.requests.last?.headers[.cacheControl] == "no-store")
    }

    @Test(
        "One line of a type of JSON documents is checked for an envelope, after its object",
        arguments: [
            ("{\"id\":1,\"status\":\"FAIL\",\"message\":\"closed\"}", "application/json", 1, true),
            ("\n{\"id\":1,\"status\":\"FAIL\",\"message\":\"closed\"}\n\n", nil, 1, true),
            ("{\"id\":1,\"status\":\"FAIL\"}\n", "Application/X-NDJSON; charset=utf-8", 1, false),
            ("{\"id\":1,\"status\":\"FAIL\"}\n{\"id\":2}\n", "application/json", 2, false),
            ("{\"id\":1,\"status\":\"OK\"}\n", "application/json", 1, false),
            ("{\"id\":1}\n", "application/json", 1, false), ("", "application/json", 0, false),
        ] as [(String, String?, Int, Bool)])
    func envelopeOfALine(_ text: String, _ type: String?, _ count: Int, _ isFailure: Bool) async throws {
        let client = APIClient(
            transport: StubTransport(text, headers: type.map { [.contentType: $0] } ?? [:]),
            configuration: .init(
                envelope: Envelope(statusKey: "status", success: "OK"), errorDescriptionKey: "message"))
        var ids: [Int] = []
        var failure = ""
        do {
            for try await item in client.lines(Endpoint<[Item]>.get(url)) { ids.append(item.id) }
        } catch {
            failure = "\(error)"
        }
        #expect(ids == Array(1..<(count + 1)))
        #expect(
            failure
                == (isFailure
                    ? "GET https://example.com/x was answered with 200 and the envelope's status \"FAIL\": closed."
                    : ""))
    }

    @Test("Streams have structures, scalars and enums")
    func streams() async throws {
        transport.on(.get, "/a", .json(#"[{"name": "x"}, {"name": "y"}]"#))
        var names: [String] = []
        for try await item in client.elements(Endpoint<[Named]>.get("a")) { names.append(item.name) }
        #expect(names == ["x", "y"])
        transport.on(.get, "/n", .text("1\n null\n3\n", headers: [.contentType: "application/x-ndjson"]))
        var numbers: [Int?] = []
        for try await number in client.lines(Endpoint<[Int?]>.get("n")) { numbers.append(number) }
        #expect(numbers == [1, nil, 3])
        transport.on(.get, "/e", .text("data: \"up\"\n\n", headers: [.contentType: "text/event-stream"]))
        var moves: [Move] = []
        for try await move in client.events(.get("e")).values(Move.self) { moves.append(move) }
        #expect(moves == [.up])
        transport.on(.get, "/bad", .json(#"[1, "x"]"#))
        let error = await #expect(throws: ModelError.self) {
            for try await _ in client.elements(Endpoint<[Named]>.get("bad")) {}
        }
        #expect(error?.description.contains("$[0]") == true)
    }

    @Test("Each iteration sends the parameters in the query or the body")
    func parameters() async throws {
        let line = MockResponse.text("{\"id\":1}\n", headers: [.contentType: "application/x-ndjson"])
        let event = MockResponse.text("data: {\"id\":1}\n\n", headers: [.contentType: "text/event-stream"])
        for method in [HTTPMethod.get, .post] {
            transport.on(method, "/objects", .json("[{\"id\":1}]"))
            transport.on(method, "/lines", line)
            transport.on(method, "/events", event)
        }
        let sent: RequestParameters = ["q": "a b", "n": 2]
        for method in [HTTPMethod.get, .post] {
            let objects = client.elements(
                Endpoint<[Item]>(method, "objects", parameters: sent, at: .root))
            for _ in 1...2 { for try await item in objects { #expect(item.id == 1) } }
            for try await item in client.lines(Endpoint<[Item]>(method, "lines", parameters: sent)) {
                #expect(item.id == 1)
            }
            for try await event in client.events(Endpoint(method, "events", parameters: sent)) {
                #expect(try event.value(Item.self).id == 1)
            }
        }
        let paths = ["objects", "objects", "lines", "events"]
        #expect(
            transport.requests.map(\.url.absoluteString)
                == paths.map { "https://example.com/\($0)?q=a%20b&n=2" } + paths.map { "https://example.com/\($0)" })
        let body = "{\"q\":\"a b\",\"n\":2}"
        #expect(
            transport.requests.map(\.text)
                == Array(repeating: "", count: 4) + Array(repeating: body, count: 4))
        #expect(transport.requests[7].headers[.contentType] == "application/json")
        #expect(transport.requests[7].headers[.accept] == "text/event-stream")
    }

    @Test("Streams take routes, whose header fields override the stream's own, which override an environment's")
    func routes() async throws {
        transport.on(.post, "/a b/objects", .json("{\"all\":[{\"id\":1},{\"id\":2}]}"))
        transport.on(.post, "/a b/lines", .text("{\"id\":3}\n", headers: [.contentType: "application/x-ndjson"]))
        transport.on(.post, "/a b/events", .text("data: {\"id\":4}\n\n", headers: [.contentType: "text/event-stream"]))
        var ids: [Int] = []
        for try await item in client.elements(Endpoint<[Item]>.route(StreamRoute("objects"), at: "all")) {
            ids.append(item.id)
        }
        for try await item in client.lines(Endpoint<[Item]>.route(StreamRoute("lines"))) { ids.append(item.id) }
        for try await item in client.events(.route(StreamRoute("events"))).values(Item.self) { ids.append(item.id) }
        var route = StreamRoute("events")
        route.headers[.accept] = "a/b"
        for try await _ in client.events(.route(route)) { ids.append(5) }
        #expect(ids == [1, 2, 3, 4, 5])
        #expect(
            transport.requests.map(\.url.absoluteString)
                == ["objects", "lines", "events", "events"].map { "https://example.com/a%20b/\($0)?page=2" })
        #expect(transport.requests.allSatisfy { $0.text == "{\"q\":\"x\"}" && $0.headers["X-A"] == "1" })
        #expect(
            transport.requests.map { $0.headers[.accept] } == [
                "application/json", "application/x-ndjson", "text/event-stream", "a/b",
            ])
        for try await _ in client.lines(Endpoint<[Item]>.route(StreamRoute("lines").in(JSONServer.main))) {}
        for try await _ in client.events(.route(StreamRoute("events").in(JSONServer.main))) {}
        let last = transport.requests.dropFirst(4).map { $0.headers[.accept] }
        #expect(last == ["application/x-ndjson", "text/event-stream"])
        await #expect(throws: RequestError.self) {
            let homeless = APIClient(transport: transport)
            for try await _ in homeless.elements(Endpoint<[Item]>.route(StreamRoute("objects"))) {}
        }
        #expect(transport.requests.count == 6)
    }

    @Test("Status and content type are checked as for other calls, before the first element")
    func judged() async throws {
        transport.on(.get, "/x", .json("{\"message\": \"No\", \"code\": 7}", status: 403))
        var client = client
        client.configuration.errorDescriptionKey = "message"
        client.configuration.errorCodeKey = "code"
        let sentence = "GET https://example.com/x was answered with 403 (Forbidden), code 7: No."
        await expectError(sentence) { for try await _ in client.elements(Endpoint<[Item]>.get(url)) {} }
        await expectError(sentence) { for try await _ in client.lines(Endpoint<[Item]>.get(url)) {} }
        await expectError(sentence) { for try await _ in client.events(.get(url)) {} }
        transport.on(.get, "/x", .text("[]"))
        let type =
            "GET https://example.com/x was answered with 200 and the content type \"text/plain; charset=utf-8\", expected "
        await expectError(
            type + "JSON; add it to acceptedContentTypes if the body is JSON, or request Data; its body is \"[]\"."
        ) {
            for try await _ in client.elements(Endpoint<[Item]>.get(url)) {}
        }
        await expectError(
            type + "JSON; add it to acceptedContentTypes if the body is JSON, or request Data; its body is \"[]\"."
        ) {
            for try await _ in client.lines(Endpoint<[Item]>.get(url)) {}
        }
        await expectError(type + "text/event-stream; its body is \"[]\".") {
            for try await _ in client.events(.get(url)) {}
        }
        client.configuration.acceptedContentTypes = nil
        for try await _ in client.elements(Endpoint<[Item]>.get(url)) {}
        for try await _ in client.events(.get(url)) {}
        client.transport = ReachabilityTransport(transport, isConnected: { false })
        await #expect(throws: RequestError.self) {
            for try await _ in client.elements(Endpoint<[Item]>.get(url)) {}
        }
    }

    @Test("The array is read at objectsKey, and its envelope is checked at the end")
    func envelope() async throws {
        let transport = MockTransport(chunkSize: 3)
        var client = APIClient(
            transport: transport,
            configuration: .init(
                objectsKey: ["data", "items"], envelope: Envelope(statusKey: "status", success: "OK"),
                errorDescriptionKey: "message"))
        func ids(_ json: String, at key: JSONPath? = nil) async throws -> [Int] {
            transport.on(.get, "/x", .json(json))
            var ids: [Int] = []
            for try await item in client.elements(Endpoint<[Item]>.get(url, at: key)) { ids.append(item.id) }
            return ids
        }
        #expect(try await ids("{\"data\": {\"items\": [{\"id\": 1}, {\"id\": 2}]}, \"status\": \"OK\"}") == [1, 2])
        #expect(try await ids("{\"status\": \"OK\", \"other\": [{\"id\": 1}]}", at: "other") == [1])
        #expect(try await ids("[{\"id\": 1}]", at: .root) == [1])
        // Where the array is the whole body, the status is checked if there is an object in its place.
        await expectError(
            "GET https://example.com/x was answered with 200 and the envelope's status \"FAIL\": Sorry!"
        ) { _ = try await ids("{\"status\": \"FAIL\", \"message\": \"Sorry!\"}", at: .root) }
        await #expect(throws: ModelError.self) { _ = try await ids("{\"message\": \"Sorry!\"}", at: .root) }
        await expectError(
            "GET https://example.com/x was answered with 200 and the envelope's status \"FAIL\": Sorry!"
        ) { _ = try await ids("{\"data\": {\"items\": [{\"id\": 1}]}, \"status\": \"FAIL\", \"message\": \"Sorry!\"}") }
        // The status is reported before the missing array.
        await expectError(
            "GET https://example.com/x was answered with 200 and the envelope's status \"FAIL\": Sorry!"
        ) { _ = try await ids("{\"data\": null, \"status\": \"FAIL\", \"message\": \"Sorry!\"}") }
        await expectError(
            "GET https://example.com/x: Item at $.data (line 1, column 28): expected a value, found null."
        ) { _ = try await ids("{\"status\": \"OK\", \"data\":   null}") }
        await #expect(throws: ModelError.self) { _ = try await ids("{\"data\": {\"items\": []}}") }
        // The envelope is kept without the elements, and its size is bounded.
        client.configuration.objectsKey = "items"
        transport.on(.get, "/x", .json("{\"status\":\"OK\",\"items\":[{\"id\":1}, {\"id\":2}]}"))
        let size = "{\"status\":\"OK\",\"items\":[]}".utf8.count
        for try await _ in client.elements(Endpoint<[Item]>.get(url), elementLimit: size) {}
        await expectError(
            "The envelope at $ (line 1, byte 0) is larger than the limit of \(size - 1) bytes; raise the limit if such sizes are "
                + "expected."
        ) { for try await _ in client.elements(Endpoint<[Item]>.get(url), elementLimit: size - 1) {} }
    }

    @Test("Streaming an endpoint with a reading closure fails before anything is sent")
    func reading() async {
        let transport = StubTransport("[]")
        let client = APIClient(transport: transport)
        let sentence =
            "The request cannot be sent: a stream reads the body itself; leave out the endpoint's reading:."
        await expectError(sentence) {
            for try await _ in client.elements(Endpoint<[Item]>.get(url, reading: { _ in [] })) {}
        }
        await expectError(sentence) {
            for try await _ in client.lines(Endpoint<[Item]>.get(url, reading: { _ in [] })) {}
        }
        await expectError(sentence) { for try await _ in client.events(.get(url, reading: { _ in [] })) {} }
        #expect(transport.requests.isEmpty)
    }

    @Test("Streaming lines or events at a path below their root fails before anything is sent")
    func unusedPath() async throws {
        let transport = StubTransport("")
        let client = APIClient(transport: transport)
        let sentence = "The request cannot be sent: a line or an event is read whole; leave out the endpoint's at:."
        await expectError(sentence) { for try await _ in client.lines(Endpoint<[Item]>.get(url, at: "item")) {} }
        await expectError(sentence) { for try await _ in client.events(.get(url, at: "item")) {} }
        #expect(transport.requests.isEmpty)
        for try await _ in client.lines(Endpoint<[Item]>.get(url, at: .root)) {}
        #expect(transport.requests.count == 1)
    }

    @Test("A stream uses the endpoint's accepted statuses, and a 204 has no lines or events")
    func accepting() async throws {
        transport.on(.get, "/x", .json("[{\"id\":1}]", status: 404))
        for try await item in client.elements(Endpoint<[Item]>.get(url, accepting: [404])) { #expect(item.id == 1) }
        await #expect(throws: RequestError.self) {
            for try await _ in client.elements(Endpoint<[Item]>.get(url, accepting: [200])) {}
        }
        transport.on(.get, "/x", .status(204))
        await expectError(
            "GET https://example.com/x was answered with 204 and an empty body, expected JSON; if the body may be empty, use "
                + "an Optional or send."
        ) { for try await _ in client.elements(Endpoint<[Item]>.get(url)) {} }
        for try await _ in client.lines(Endpoint<[Item]>.get(url)) { Issue.record("There are no lines.") }
        for try await _ in client.events(.get(url)) { Issue.record("There are no events.") }
    }

    @Test("Leaving the loop and cancelling its task both end the transfer")
    func ends() async throws {
        final class Source: ResponseBody.Source {
            let gone: WordLog
            let gate: Gate
            let sent = Mutex(false)

            init(_ gone: WordLog, _ gate: Gate) {
                self.gone = gone
                self.gate = gate
            }

            deinit { gone.add("gone") }

            func nextChunk() async throws -> Data? {
                if sent.withLock({ sent in
                    defer { sent = true }
                    return !sent
                }) {
                    return Data("[{\"id\":1},{\"id\":2},".utf8)
                }
                try await gate.enter()
                return nil
            }
        }
        let gone = WordLog()
        let gate = Gate()
        let transport = StubTransport { request in
            TransportResponse(status: 200, url: request.url, body: ResponseBody(Source(gone, gate)))
        }
        let stream = APIClient(transport: transport).elements(Endpoint<[Item]>.get(url))
        for try await item in stream {
            #expect(item.id == 1)
            break
        }
        #expect(gone.words == ["gone"])
        let task = Task { () -> String in
            do {
                for try await _ in stream {}
                return "ended"
            } catch {
                return "\(error)"
            }
        }
        try await gate.arrivals()
        task.cancel()
        #expect(await task.value == "The request was cancelled.")
        #expect(gone.words == ["gone", "gone"])
    }

    @Test("Objects of a stream are mapped off the main thread and can be used on it")
    @MainActor
    func mainActor() async throws {
        let transport = StubTransport("[{\"id\":1}]")
        let client = APIClient(transport: transport)
        var items: [Item] = []
        for try await item in client.elements(Endpoint<[Item]>.get(url)) { items.append(item) }
        #expect(items.map(\.wasMain) == [false])
    }

    @Test(
        "Ten thousand elements arrive in order over HTTP, beyond the limit of whole bodies",
        arguments: TransportUnderTest.allCases)
    func loopback(_ kind: TransportUnderTest) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let json = "[" + (0..<10_000).map { "{\"id\":\($0),\"name\":\"number \($0)\"}" }.joined(separator: ",\n") + "]"
        server.on(.get, "/x", .json(json))
        var client = APIClient(transport: kind.make(), baseURL: server.url)
        client.configuration.bodyLimit = 100
        var next = 0
        for try await item in client.elements(Endpoint<[Item]>.get("x"), elementLimit: 100) {
            guard item.id == next, item.name == "number \(next)" else {
                Issue.record("\(item.id) in place of \(next)")
                break
            }
            next += 1
        }
        #expect(next == 10_000)
    }
}

private class Item: AbstractModel {
    var id = 0
    var name = ""
    private(set) var wasMain = true

    override class var ignoredProperties: Set<String> { ["wasMain"] }

    override func didMap() { wasMain = Thread.isMainThread }
}

private struct Named: Decodable { var name: String }

private enum Move: String { case up, down }

private struct StreamRoute: Route {
    let last: String
    var headers: HTTPHeaders = ["X-A": "1"]

    init(_ last: String) { self.last = last }

    var method: HTTPMethod { .post }
    var path: URLReference { "a b/\(last)" }
    var query: ParameterList { ["page": 2] }
    var parameters: RequestParameters? { ["q": "x"] }
    var environment: JSONServer? { nil }
}

private enum JSONServer: String, APIEnvironment {
    case main = "example.com"
    var headers: HTTPHeaders { [.accept: "application/json"] }
}
