#if os(Linux)
import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

/// Behaviour that only ``CurlTransport`` has.
@Suite(.timeLimit(.minutes(1)))
struct CurlTransportTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    // MARK: Connections

    /// The connection is kept after the first response and closed by the server when the second request arrives.
    @Test(arguments: [("GET", nil, 3), ("DELETE", nil, 3), ("PUT", "a", 3), ("POST", nil, 2), ("POST", "a", 2)])
    func repeatsIdempotentRequestsOnABrokenConnection(_ method: String, _ body: String?, _ count: Int) async throws {
        server.on(.get, "/first", .text("first"))
        server.on(nil, "/second", .sequence([.closed(), .text("second")]))
        let transport = CurlTransport()
        #expect(try await transport.text(server.url("/first")) == "first")
        let request = TransportRequest(
            HTTPMethod(method), server.url("/second"), body: body.map { .data(Data($0.utf8)) })
        if count == 3 {
            let response = try await transport.response(to: request)
            #expect(try await response.body.collect(limit: 10) == Data("second".utf8))
        } else {
            let error = await #expect(throws: RequestError.self) { try await transport.response(to: request) }
            #expect(error?.failureKind == .connectionLost)
        }
        #expect(server.requestCount == count)
    }

    // MARK: The queue

    @Test func timeInTheQueueDoesNotCountForTheTimeout() async throws {
        server.on(.get, "/", .slow(["a", "b", "c", "d"], every: .milliseconds(150)))
        var options = CurlTransport.Options()
        options.maximumRequestsPerHost = 1
        options.timeout = .milliseconds(500)
        let transport = CurlTransport(options)
        // The third request waits for more than a second.
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<3 { group.addTask { try await transport.text(server.url("/")) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == ["abcd", "abcd", "abcd"])
    }

    @Test func removesCancelledRequestsFromTheQueue() async throws {
        let gate = Gate()
        server.on(.get, "/held", LoopbackResponse.text("a").held(at: gate))
        server.on(.get, "/waiting", .text("b"))
        var options = CurlTransport.Options()
        options.maximumRequestsPerHost = 1
        let transport = CurlTransport(options)
        let first = Task { try await transport.text(server.url("/held")) }
        try await gate.arrivals(atLeast: 1)
        let waiting = (0..<100).map { _ in Task { try await transport.text(server.url("/waiting")) } }
        for task in waiting { task.cancel() }
        for task in waiting {
            let error = await #expect(throws: RequestError.self) { try await task.value }
            guard case .cancelled? = error else {
                Issue.record("\(error as Any)")
                continue
            }
        }
        gate.open()
        #expect(try await first.value == "a")
        #expect(try await transport.text(server.url("/waiting")) == "b")
        #expect(server.requestCount == 2)
    }

    @Test("Streams and downloads do not occupy the places of other requests")
    func streamsHaveTheirOwnPlaces() async throws {
        let gate = Gate()
        server.on(.get, "/held/:kind") { request in
            LoopbackResponse.text("", headers: [.contentType: request.headers[.accept] ?? "text/plain"]).held(at: gate)
        }
        server.on(.get, "/", .json("1"))
        var options = CurlTransport.Options()
        options.maximumRequestsPerHost = 1
        let client = APIClient(transport: CurlTransport(options), baseURL: server.url)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("stream-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for try await _ in client.events(.get("held/events")) {} }
            group.addTask { for try await _ in client.lines(Endpoint<[Item]>.get("held/lines")) {} }
            group.addTask {
                // An empty body is not an array.
                await #expect(throws: (any Error).self) {
                    for try await _ in client.elements(Endpoint<[Item]>.get("held/elements")) {}
                }
            }
            group.addTask { try await client.download(Endpoint<Data>.get("held/download"), to: file) }
            try await gate.arrivals(atLeast: 4)
            #expect(try await client.value(Endpoint<Int>.get("/")) == 1)
            gate.open()
            try await group.waitForAll()
        }
        #expect(server.requestCount == 5)
    }

    // MARK: Sent requests

    @Test func sendsContentTypeAndLengthOfBodies() async throws {
        server.on(.post, "/", .status(204))
        let transport = CurlTransport()
        for (headers, type): (HTTPHeaders, String) in [
            ([:], "application/octet-stream"), ([.contentType: "text/csv"], "text/csv"),
        ] {
            let request = TransportRequest(.post, server.url("/"), headers: headers, body: .data(Data("a,b".utf8)))
            _ = try await transport.response(to: request)
            #expect(server.requests.last?.headers.values(for: .contentType) == [type])
            #expect(server.requests.last?.headers.values(for: .contentLength) == ["3"])
        }
        _ = try await transport.response(to: TransportRequest(.post, server.url("/")))
        #expect(server.requests.last?.headers.values(for: .contentType) == [])
        #expect(server.requests.last?.headers.values(for: .contentLength) == ["0"])
        let chunks = HTTPBody.chunks { { nil } }
        _ = try await transport.response(to: TransportRequest(.post, server.url("/"), body: chunks))
        #expect(server.requests.last?.headers["Transfer-Encoding"] == "chunked")
        #expect(server.requests.last?.headers["Expect"] == nil)
    }

    @Test func sendsEmptyFields() async throws {
        server.on(.get, "/", .status(204))
        _ = try await CurlTransport().response(
            to: TransportRequest(.get, server.url("/"), headers: ["X-Empty": "", "X-Blank": "  ", "X-A": "é"]))
        let headers = server.requests.last?.headers
        #expect(headers?["X-Empty"] == "")
        #expect(headers?["X-Blank"] == "")
        #expect(headers?["X-A"] == "é")
        #expect(headers?["Accept-Encoding"] == "gzip, deflate")
    }

    /// The first chunks have the declared length, and one more follows.
    @Test func failsWithABodyLongerThanDeclared() async throws {
        server.on(.post, "/", .status(204))
        let body = HTTPBody.chunks(length: 2) {
            var rest = ["a", "b", "c"][...]
            return { rest.popFirst().map { Data($0.utf8) } }
        }
        let error = await #expect(throws: RequestError.self) {
            try await CurlTransport().response(to: TransportRequest(.post, server.url("/"), body: body))
        }
        guard case .invalidRequest("the body declares 2 bytes and produces at least 3")? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(server.requestCount == 0)
    }

    // MARK: Errors and metrics

    @Test func reportsTheTimeout() async throws {
        server.on(.get, "/", .hanging())
        var request = TransportRequest(.get, server.url("/"))
        request.timeout = .milliseconds(200)
        let error = await #expect(throws: RequestError.self) { try await CurlTransport().response(to: request) }
        guard case .connection(let failure)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(failure.kind == .timedOut)
        #expect(failure.reason == "nothing came for 0.2 s")
    }

    @Test func measuresRequests() async throws {
        server.on(.post, "/", .text("answer"))
        let transport = CurlTransport()
        for isReused in [false, true] {
            let before = Date()
            let response = try await transport.response(
                to: TransportRequest(.post, server.url("/"), body: .data(Data("question".utf8))))
            _ = try await response.body.collect(limit: 10)
            let metrics = try #require(response.metrics())
            #expect(metrics.sentBytes == 8)
            #expect(metrics.receivedBytes == 6)
            #expect(metrics.isReusedConnection == isReused)
            #expect(metrics.httpVersion == "1.1")
            #expect((metrics.connect == nil) == isReused)
            #expect(metrics.secureConnect == nil)
            #expect(try #require(metrics.firstByte) <= #require(metrics.total))
            #expect(try #require(metrics.start) >= before)
        }
    }
}

private class Item: AbstractModel {
    var id = 0
}
#endif
