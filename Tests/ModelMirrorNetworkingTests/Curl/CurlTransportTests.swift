#if os(Linux)
import Foundation
import ModelMirror
import ModelMirrorTesting
import Synchronization
import Testing

@testable import ModelMirrorNetworking

/// Behavior that only ``CurlTransport`` has.
@Suite(.timeLimit(.hung), .network)
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
            #expect(response.metrics?.resendCount == 1)
            #expect(response.metrics?.resendReason == .unanswered)
        } else {
            let error = await #expect(throws: RequestError.self) { try await transport.response(to: request) }
            #expect(error?.failureKind == .connectionLost)
        }
        #expect(server.requestCount == count)
    }

    @Test(
        "A request that breaks every kept connection is sent again twice at most",
        .enabled("libcurl before 7.80 does not say when a connection is ready") {
            CurlLibrary.shared?.versionNumber ?? 0 >= 0x07_50_00
        })
    func breaksEveryKeptConnection() async throws {
        let gate = Gate()
        server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
        server.on(.delete, "/", .closed())
        let transport = CurlTransport()
        try await withThrowingTaskGroup(of: String.self) { [server] group in
            for _ in 0..<5 { group.addTask { try await transport.text(server.url("/")) } }
            try await gate.arrivals(atLeast: 5)
            gate.open()
            for try await text in group { #expect(text == "a") }
        }
        let error = await #expect(throws: RequestError.self) {
            try await transport.response(to: TransportRequest(.delete, server.url("/")))
        }
        #expect(error?.failureKind == .connectionLost)
        #expect(server.requestCount - 5 <= 3)
    }

    /// The server resets the kept connection after libcurl has chosen it, and before the first byte of the request leaves.
    @Test(
        .enabled("libcurl before 7.80 does not say when a connection is ready") {
            CurlLibrary.shared?.versionNumber ?? 0 >= 0x07_50_00
        })
    func repeatsARequestOfWhichNothingWasSent() async throws {
        let reset = Gate()
        server.on(.get, "/first", .reset(after: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst", at: reset))
        server.on(.post, "/second", .text("second"))
        var options = CurlTransport.Options()
        options.proxy = .none
        let port = server.port
        let count = Atomic(0)
        options.willSend = {
            guard count.add(1, ordering: .relaxed).newValue == 2 else { return }
            reset.open()
            awaitFailure(ofConnectionsTo: port)
        }
        let transport = CurlTransport(options)
        #expect(try await transport.text(server.url("/first")) == "first")
        let response = try await transport.response(
            to: TransportRequest(.post, server.url("/second"), body: .data(Data("body".utf8))))
        #expect(try await response.body.collect(limit: 10) == Data("second".utf8))
        #expect(response.metrics?.resendCount == 1)
        #expect(response.metrics?.resendReason == .unsent)
        #expect(server.requests.map(\.body) == [Data(), Data("body".utf8)])
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
            to: TransportRequest(
                .get, server.url("/"),
                headers: ["X-Empty": "", "X-Blank": "  ", "X-Tab": "\u{0B}", "X-Feed": "\t \u{0C}", "X-A": "é"]))
        let headers = try #require(server.requests.last?.headers)
        for name in ["X-Empty", "X-Tab", "X-Feed", "X-Blank"] as [HeaderName] {
            #expect(headers[name] == "", "\(name)")
        }
        #expect(headers["X-A"] == "é")
        #expect(headers["Accept-Encoding"] == "gzip, deflate")
    }

    @Test func requestsNoCompressedPart() async throws {
        server.on(.get, "/", .data(Data("b".utf8), status: 206, headers: [.contentRange: "bytes 1-1/2"]))
        let request = TransportRequest(.get, server.url("/"), headers: [.range: "bytes=1-"])
        #expect(try await CurlTransport().response(to: request).status == 206)
        #expect(server.requests.map { $0.headers["Accept-Encoding"] } == [nil])
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

    /// libcurl asks for no byte of a body without any, so that the transport does.
    @Test func failsWithABodyDeclaredEmpty() async throws {
        server.on(.post, "/", .status(204))
        let starts = Observed(0)
        func body(_ chunks: [String]) -> HTTPBody {
            .chunks(length: 0) {
                starts.update { $0 += 1 }
                var rest = chunks[...]
                return { rest.popFirst().map { Data($0.utf8) } }
            }
        }
        let error = await #expect(throws: RequestError.self) {
            try await CurlTransport().response(to: TransportRequest(.post, server.url("/"), body: body(["", "abc"])))
        }
        #expect(
            "\(try #require(error))"
                == "The request cannot be sent: the body declares 0 bytes and produces at least 3.")
        #expect(server.requestCount == 0)
        let request = TransportRequest(.post, server.url("/"), body: body(["", ""]))
        #expect(try await CurlTransport().response(to: request).status == 204)
        #expect(server.requests.map { $0.headers["Content-Length"] } == ["0"])
        #expect(starts.value == 2)
    }

    /// As a response that does not end.
    @Test func endsAnEmptyBodyAtTheDeadline() async throws {
        let gate = Gate()
        let body = HTTPBody.chunks(length: 0) {
            {
                try await gate.enter()
                return nil
            }
        }
        var late = TransportRequest(.post, server.url("/"), body: body)
        late.deadline = .now.advanced(by: .milliseconds(20))
        let request = late
        let error = await #expect(throws: RequestError.self) { try await CurlTransport().response(to: request) }
        #expect(error?.failureKind == .timedOut)
        #expect(server.requestCount == 0)
    }

    @Test func sendsAUserAgent() async throws {
        server.on(.get, "/", .status(204))
        var options = CurlTransport.Options()
        func sent(_ headers: HTTPHeaders = [:]) async throws -> [String]? {
            _ = try await CurlTransport(options).response(to: TransportRequest(.get, server.url("/"), headers: headers))
            return server.requests.last?.headers.values(for: .userAgent)
        }
        #expect(try await sent() == ["ModelMirror/\(PackageVersion.current) (Linux)"])
        #expect(try await sent([.userAgent: "own"]) == ["own"])
        options.userAgent = "tour/2"
        #expect(try await sent() == ["tour/2"])
        options.userAgent = nil
        #expect(try await sent() == [])
        options.userAgent = "a\r\nX-A: b"
        await #expect(throws: RequestError.self) { try await sent() }
    }

    // MARK: Errors and metrics

    @Test func refusesALibraryThatWouldBlock() async throws {
        var library = try #require(CurlLibrary.shared)
        library.resolvesAsynchronously = false
        let transport = CurlTransport(CurlTransport.Options(), over: library)
        let error = await #expect(throws: RequestError.self) {
            try await transport.response(to: TransportRequest(.get, server.url("/")))
        }
        guard case .invalidRequest(let reason)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(
            reason
                == "the installed libcurl resolves names synchronously, so that one request would hold up all others; install a libcurl with its threaded resolver or c-ares, or pass another transport"
        )
    }

    @Test func reportsTheTimeout() async throws {
        server.on(.get, "/", .hanging())
        var request = TransportRequest(.get, server.url("/"))
        request.timeout = .milliseconds(200)
        let error = await #expect(throws: RequestError.self) { try await CurlTransport().response(to: request) }
        #expect(error?.failureKind == .timedOut)
        #expect(error?.failureReason == "no data arrived for 0.2 s")
    }

    @Test func measuresRequests() async throws {
        server.on(.post, "/", .text("answer"))
        let transport = CurlTransport()
        for isReused in [false, true] {
            let before = Date()
            let response = try await transport.response(
                to: TransportRequest(.post, server.url("/"), body: .data(Data("question".utf8))))
            _ = try await response.body.collect(limit: 10)
            let metrics = try #require(response.metrics)
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

/// Waits until the connections of this process to a port of 127.0.0.1 have failed, or some other event.
func awaitFailure(or events: Int32 = 0, ofConnectionsTo port: UInt16) {
    for descriptor in 3..<Int32(getdtablesize()) {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
        }
        guard result == 0, address.sin_family == sa_family_t(AF_INET), address.sin_port == port.bigEndian else {
            continue
        }
        // POLLERR and POLLHUP are always waited for.
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        poll(&entry, 1, -1)
    }
}
#endif
