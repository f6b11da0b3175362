#if os(Linux)
import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

/// What the contract of all transports leaves open.
@Suite(.timeLimit(.minutes(1)))
struct CurlTransportTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    // MARK: Connections

    @Test func keepsItsConnectionAndClosesIt() async throws {
        server.on(.get, "/:number") { .text($0.parameters["number"] ?? "") }
        do {
            let transport = CurlTransport()
            for number in 0..<200 { #expect(try await text(transport, "/\(number)") == "\(number)") }
            #expect(server.connectionCount == 1)
        }
        try await eventually { server.openConnectionCount == 0 }
    }

    @Test func readsABodyOnAfterTheTransportIsGone() async throws {
        let gate = Gate()
        server.on(.get, "/", .slow(["a", "b"], at: gate))
        let body = try await CurlTransport().response(to: TransportRequest(.get, server.url("/"))).body
        gate.open()
        #expect(try await body.collect(limit: 10) == Data("ab".utf8))
        try await eventually { server.openConnectionCount == 0 }
    }

    /// The connection is kept after the first answer and closed by the server when the second request comes.
    @Test(arguments: [("GET", nil, 3), ("DELETE", nil, 3), ("PUT", "a", 3), ("POST", nil, 2), ("POST", "a", 2)])
    func repeatsWhatIsIdempotent(_ method: String, _ body: String?, _ count: Int) async throws {
        server.on(.get, "/first", .text("first"))
        server.on(nil, "/second", .sequence([.closed(), .text("second")]))
        let transport = CurlTransport()
        #expect(try await text(transport, "/first") == "first")
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

    @Test func limitsRequests() async throws {
        let gate = Gate()
        server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
        var options = CurlTransport.Options()
        options.maximumRequestsPerHost = 3
        let transport = CurlTransport(options)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<12 { group.addTask { try await text(transport, "/") } }
            try await gate.arrivals(atLeast: 3)
            #expect(server.connectionCount == 3)
            gate.open()
            for try await text in group { #expect(text == "a") }
        }
        #expect(server.connectionCount == 3)
        #expect(server.requestCount == 12)
    }

    @Test func countsNoTimeInTheQueue() async throws {
        server.on(.get, "/", .slow(["a", "b", "c", "d"], every: .milliseconds(150)))
        var options = CurlTransport.Options()
        options.maximumRequestsPerHost = 1
        options.timeout = .milliseconds(500)
        let transport = CurlTransport(options)
        // The third waits for more than a second.
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<3 { group.addTask { try await text(transport, "/") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == ["abcd", "abcd", "abcd"])
    }

    @Test func forgetsThoseThatAreCancelledInTheQueue() async throws {
        let gate = Gate()
        server.on(.get, "/held", LoopbackResponse.text("a").held(at: gate))
        server.on(.get, "/waiting", .text("b"))
        var options = CurlTransport.Options()
        options.maximumRequestsPerHost = 1
        let transport = CurlTransport(options)
        let first = Task { try await text(transport, "/held") }
        try await gate.arrivals(atLeast: 1)
        let waiting = (0..<100).map { _ in Task { try await text(transport, "/waiting") } }
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
        #expect(try await text(transport, "/waiting") == "b")
        #expect(server.requestCount == 2)
    }

    @Test func givesStreamsTheirOwnPlaces() async throws {
        let gate = Gate()
        server.on(.get, "/events", .slow(["data: 1\n\n", "data: 2\n\n"], at: gate))
        server.on(.get, "/", .text("a"))
        var options = CurlTransport.Options()
        options.maximumRequestsPerHost = 1
        options.maximumRequests = 1
        let transport = CurlTransport(options)
        let stream = try await transport.response(
            to: TransportRequest(.get, server.url("/events"), headers: [.accept: "text/event-stream"]))
        #expect(try await text(transport, "/") == "a")
        gate.open()
        #expect(try await stream.body.collect(limit: 100) == Data("data: 1\n\ndata: 2\n\n".utf8))
    }

    // MARK: What is sent

    @Test func sendsTypesAndLengthsOfBodies() async throws {
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

    @Test func sendsFieldsWithoutValue() async throws {
        server.on(.get, "/", .status(204))
        _ = try await CurlTransport().response(
            to: TransportRequest(.get, server.url("/"), headers: ["X-Empty": "", "X-Blank": "  ", "X-A": "é"]))
        let headers = server.requests.last?.headers
        #expect(headers?["X-Empty"] == "")
        #expect(headers?["X-Blank"] == "")
        #expect(headers?["X-A"] == "é")
        #expect(headers?["Accept-Encoding"] == "gzip, deflate")
    }

    @Test func tellsWhatWentOut() async throws {
        server.on(.post, "/", .status(204))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID())")
        let bytes = LoopbackResponse.pattern(0..<3_000_000)
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for body in [HTTPBody.data(bytes), .file(file)] {
            let told = Observed<[(Int64, Int64?)]>([])
            var request = TransportRequest(.post, server.url("/"), body: body)
            request.uploadProgress = { sent, total in told.update { $0.append((sent, total)) } }
            _ = try await CurlTransport().response(to: request)
            let values = try await told.wait { $0.last?.0 == 3_000_000 }
            #expect(values.map(\.0) == values.map(\.0).sorted())
            #expect(values.allSatisfy { $0.1 == 3_000_000 })
            #expect(server.requests.last?.body == bytes)
        }
    }

    /// The producer of the body is the server's own answer to another request.
    @Test func sendsABodyThatArrives() async throws {
        server.on(.get, "/", .oversized(5 << 20))
        server.on(.post, "/") { .text("\($0.body == LoopbackResponse.pattern(0..<5 << 20))") }
        let transport = CurlTransport()
        let source = try await transport.response(to: TransportRequest(.get, server.url("/"))).body
        let body = HTTPBody.chunks {
            var iterator = source.makeAsyncIterator()
            return { try await iterator.next() }
        }
        let response = try await transport.response(to: TransportRequest(.post, server.url("/"), body: body))
        #expect(try await response.body.collect(limit: 10) == Data("true".utf8))
    }

    @Test func failsWithTheBody() async throws {
        server.on(.post, "/", .status(204))
        let body = HTTPBody.chunks { { throw CocoaError(.fileReadUnknown) } }
        let error = await #expect(throws: RequestError.self) {
            try await CurlTransport().response(to: TransportRequest(.post, server.url("/"), body: body))
        }
        guard case .invalidRequest(let reason)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(reason.hasPrefix("the body cannot be made: "))
    }

    /// The chunks are of the length that is said, and one more follows.
    @Test func failsWithABodyThatGoesOn() async throws {
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

    // MARK: Credentials and cookies

    @Test func sendsCredentialsOfTheURLAsAField() async throws {
        server.on(.get, "/", .status(204))
        let url = try #require(URL(string: "http://ada:s%3Aecret@127.0.0.1:\(server.port)/"))
        let response = try await CurlTransport().response(to: TransportRequest(.get, url))
        #expect(server.requests.last?.headers[.authorization] == "Basic YWRhOnM6ZWNyZXQ=")
        #expect(response.url == server.url("/"))
    }

    @Test(arguments: [
        "Basic realm=\"a\"", "Bearer", "Digest realm=\"a\", nonce=\"b\"", "Negotiate", "NTLM", "Basic realm=\"",
    ])
    func handsUnauthorizedOn(_ challenge: String) async throws {
        server.on(.get, "/", .json("[1]", status: 401, headers: [.wwwAuthenticate: challenge]))
        let transport = CurlTransport()
        for _ in 0..<2 {
            let response = try await transport.response(to: TransportRequest(.get, server.url("/")))
            #expect(response.status == 401)
            #expect(response.headers[.wwwAuthenticate] == challenge)
            #expect(try await response.body.collect(limit: 10) == Data("[1]".utf8))
        }
        #expect(server.requestCount == 2)
    }

    @Test(arguments: [CurlTransport.CookiePolicy.none, .session, .shared])
    func keepsCookies(_ policy: CurlTransport.CookiePolicy) async throws {
        let name = "\(policy)"
        server.on(.get, "/set", .redirect(to: "/get", headers: [.setCookie: "\(name)=1; Path=/"]))
        server.on(.get, "/get", .status(204))
        var options = CurlTransport.Options()
        options.cookies = policy
        let transport = CurlTransport(options)
        let kept: String? = policy == .none ? nil : "\(name)=1"
        _ = try await transport.response(to: TransportRequest(.get, server.url("/set")))
        #expect(server.requests.last?.path == "/get")
        #expect(server.requests.last?.headers[.cookie] == kept)
        let own = TransportRequest(.get, server.url("/get"), headers: [.cookie: "own=1"])
        _ = try await transport.response(to: own)
        #expect(server.requests.last?.headers.values(for: .cookie) == [kept.map { "\($0); own=1" } ?? "own=1"])
        _ = try await CurlTransport(options).response(to: TransportRequest(.get, server.url("/get")))
        #expect(server.requests.last?.headers[.cookie] == (policy == .shared ? kept : nil))
    }

    @Test func saysForWhomItAsks() {
        let request = TransportRequest(.get, server.url("/"))
        var options = CurlTransport.Options()
        #expect(CurlTransport(options).identity(for: request) == .none)
        options.cookies = .session
        #expect(CurlTransport(options).identity(for: request) == .unknown)
        options.account = "ada"
        #expect(CurlTransport(options).identity(for: request) == .account("ada"))
    }

    // MARK: Errors and metrics

    @Test func saysHowLongItWaited() async throws {
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

    /// One whose body trickles, and one that waits for its turn.
    @Test func boundsTheWhole() async throws {
        server.on(
            .get, "/",
            .streaming { writer in
                while true {
                    try writer.write("a")
                    try writer.pause(for: .milliseconds(20))
                }
            })
        var options = CurlTransport.Options()
        options.deadline = .milliseconds(400)
        options.maximumRequestsPerHost = 1
        let transport = CurlTransport(options)
        let results = try await withThrowingTaskGroup(of: RequestError?.self) { group in
            for _ in 0..<2 {
                group.addTask { await #expect(throws: RequestError.self) { try await text(transport, "/") } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for result in results {
            guard case .connection(let failure)? = result else {
                Issue.record("\(result as Any)")
                continue
            }
            #expect(failure.kind == .timedOut)
            #expect(failure.reason == "the deadline passed before the response was whole")
        }
    }

    @Test func measures() async throws {
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

    private func text(_ transport: CurlTransport, _ path: String) async throws -> String {
        let response = try await transport.response(to: TransportRequest(.get, server.url(path)))
        return String(decoding: try await response.body.collect(limit: 1 << 20), as: UTF8.self)
    }

    /// Waits for what the system does when it gets around to it.
    private func eventually(_ condition: () -> Bool) async throws {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: .seconds(5))
        while !condition(), clock.now < end { try await clock.sleep(for: .milliseconds(2)) }
        #expect(condition())
    }
}

extension RequestError {
    fileprivate var failureKind: ConnectionFailure.Kind? {
        guard case .connection(let failure) = self else { return nil }
        return failure.kind
    }
}
#endif
