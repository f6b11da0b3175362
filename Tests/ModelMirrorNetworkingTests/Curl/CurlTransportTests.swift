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

    // MARK: The queue

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

    @Test("A request that waits for a place is not sent once its user has signed out")
    func waitsForItsUser() async throws {
        let (gate, waits) = (Gate(), Observed(0))
        server.on(.get, "/held", LoopbackResponse.text("a").held(at: gate))
        server.on(.post, "/waiting", .text("b"))
        var options = CurlTransport.Options()
        options.maximumRequestsPerHost = 1
        options.reportDelay = .milliseconds(1)
        options.report = { _ in waits.update { $0 += 1 } }
        let signedIn = try AuthenticatingTransport(
            CurlTransport(options), origins: [server.url], token: "alice-1", account: user)
        let first = Task { try await signedIn.text(server.url("/held")) }
        try await gate.arrivals(atLeast: 1)
        let waiting = Task { try await signedIn.response(to: TransportRequest(.post, server.url("/waiting"))) }
        _ = try await waits.wait { $0 == 1 }
        signedIn.credential = nil
        gate.open()
        await expectAccountChanged { _ = try await waiting.value }
        #expect(try await first.value == "a")
        #expect(server.requests.map(\.path) == ["/held"])
    }

    @Test("Cancelling many waiting requests takes no longer once their wait was reported")
    func cancelsReportedRequests() async throws {
        /// The time from cancelling the requests to the response of the one that they wait for.
        func seconds(isReported: Bool) async throws -> Double {
            let (gate, begun, reports) = (Gate(), Observed(0), Observed(0))
            server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
            var options = CurlTransport.Options()
            options.maximumRequestsPerHost = 1
            options.reportDelay = isReported ? .milliseconds(1) : .seconds(3600)
            options.report = { _ in reports.update { $0 += 1 } }
            let transport = CurlTransport(options)
            let first = Task { try await transport.text(server.url("/")) }
            try await gate.arrivals(atLeast: 1)
            let waiting = (0..<5000).map { _ in
                Task {
                    begun.update { $0 += 1 }
                    return try await transport.text(server.url("/"))
                }
            }
            _ = try await begun.wait { $0 == 5000 }
            if isReported { _ = try await reports.wait { $0 == 1 } }
            let start = ContinuousClock.now
            for task in waiting { task.cancel() }
            for task in waiting { _ = await task.result }
            gate.open()
            #expect(try await first.value == "a")
            return (ContinuousClock.now - start) / .seconds(1)
        }
        var (reported, unreported) = (Double.infinity, Double.infinity)
        // The least times of up to five turns, since other work on the machine adds to them.
        for _ in 0..<5 where reported >= unreported * 3 {
            unreported = min(unreported, try await seconds(isReported: false))
            reported = min(reported, try await seconds(isReported: true))
        }
        #expect(reported < unreported * 3, "\(reported) s, and \(unreported) s")
    }

    @Test("A stream that gets no place fails after its timeout, naming the option, and the wait is reported once")
    func streamsSpeak() async throws {
        let gate = Gate()
        server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
        let incidents = Observed<[CurlTransport.Incident]>([])
        var options = CurlTransport.Options()
        options.maximumStreamsPerHost = 1
        options.reportDelay = .milliseconds(1)
        options.report = { incident in incidents.update { $0.append(incident) } }
        let transport = CurlTransport(options)
        var request = TransportRequest(.get, server.url("/"))
        request.isStream = true
        var short = request
        short.timeout = .milliseconds(200)
        let late = short
        let first = Task { [request] in try await transport.response(to: request).body.collect(limit: 10) }
        try await gate.arrivals(atLeast: 1)
        for _ in 0..<2 {
            let error = await #expect(throws: RequestError.self) { try await transport.response(to: late) }
            #expect(error?.failureKind == .timedOut)
            #expect(
                error?.failureReason
                    == "no place was free for 0.2 s; raise the option maximumStreamsPerHost, which is 1")
        }
        gate.open()
        #expect(try await first.value == Data("a".utf8))
        let found = try await incidents.wait { $0.count == 2 }
        let origin = "http://127.0.0.1:\(server.port)"
        #expect(
            found[0].description
                == "1 stream waits for a place for \(origin), since the option maximumStreamsPerHost is 1.")
        #expect(server.requestCount == 1)
    }

    @Test("Each of two waiting requests ends at its own timeout, behind one that has none", arguments: [true, false])
    func waitingRequestsEnd(isStream: Bool) async throws {
        let gate = Gate()
        server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
        let waits = Observed(0)
        var options = CurlTransport.Options()
        (options.maximumStreamsPerHost, options.maximumRequestsPerHost) = (1, 1)
        options.reportDelay = .milliseconds(1)
        options.report = { _ in waits.update { $0 += 1 } }
        let transport = CurlTransport(options)
        var request = TransportRequest(.get, server.url("/"))
        request.isStream = isStream
        request.timeout = .seconds(Int64.max)
        let first = Task { [request] in try await transport.response(to: request).body.collect(limit: 10) }
        try await gate.arrivals(atLeast: 1)
        func late(_ time: Duration) -> Task<RequestError?, Never> {
            var late = request
            if isStream { late.timeout = time } else { late.deadline = .now + time }
            return Task { [late] in
                await #expect(throws: RequestError.self) { try await transport.response(to: late) }
            }
        }
        let later = late(.milliseconds(700))
        _ = try await waits.wait { $0 == 1 }
        let earlier = late(.milliseconds(200))
        let reasons = [await earlier.value?.failureReason, await later.value?.failureReason]
        let option = "raise the option maximumStreamsPerHost, which is 1"
        #expect(
            reasons
                == (isStream
                    ? ["no place was free for 0.2 s; \(option)", "no place was free for 0.7 s; \(option)"]
                    : Array(repeating: "the deadline passed before the response was complete", count: 2)))
        gate.open()
        #expect(try await first.value == Data("a".utf8))
        #expect(server.requestCount == 1)
    }

    @Test func runsMoreStreamsThanRequestsToOneHost() async throws {
        let gate = Gate()
        server.on(.get, "/stream", LoopbackResponse.text("a").held(at: gate))
        server.on(.get, "/", .text("b"))
        let transport = CurlTransport()
        var request = TransportRequest(.get, server.url("/stream"))
        request.isStream = true
        try await withThrowingTaskGroup(of: Data.self) { [request] group in
            for _ in 0..<40 {
                group.addTask { try await transport.response(to: request).body.collect(limit: 10) }
            }
            try await gate.arrivals(atLeast: 40)
            #expect(try await transport.text(server.url("/")) == "b")
            gate.open()
            for try await data in group { #expect(data == Data("a".utf8)) }
        }
    }

    // MARK: The process

    @Test(
        "A process that exits while requests are under way ends by itself, and its children have no connections of it")
    func exits() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            let server = try LoopbackServer()
            let gate = Gate()
            server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
            let transport = CurlTransport()
            for _ in 0..<4 {
                Task { _ = try await transport.response(to: TransportRequest(.get, server.url("/"))) }
            }
            try await gate.arrivals(atLeast: 4)
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [
                "-c",
                "ls -l /proc/$$/fd | sed -n 's/.*socket:.\\([0-9]*\\).*/\\1/p' | while read s; do grep -w $s /proc/net/tcp; done; echo end",
            ]
            process.standardOutput = output
            try process.run()
            process.waitUntilExit()
            let count = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            if count != "end\n" { exit(8) }
            exit(7)
        }
    }

    @Test func aForkedChildJoinsNoThread() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer()
            let gate = Gate()
            server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
            let transport = CurlTransport()
            Task { _ = try await transport.response(to: TransportRequest(.get, server.url("/"))) }
            try await gate.arrivals(atLeast: 1)
            // Not declared for Swift, since little is allowed in the child.
            let fork = try #require(dlsym(nil, "fork").map { unsafeBitCast($0, to: (@convention(c) () -> pid_t).self) })
            let child = fork()
            if child == 0 { _exit(Int32(CurlEngine.endAll())) }
            var status: Int32 = -1
            #expect(waitpid(child, &status, 0) == child)
            #expect(status == 0)
            #expect(CurlEngine.endAll() == 1)
        }
    }

    @Test func aForkedChildRunsAnotherProgram() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let server = try LoopbackServer()
            let gate = Gate()
            server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
            let transport = CurlTransport()
            let held = Task { try await transport.text(server.url("/")) }
            try await gate.arrivals(atLeast: 1)
            let fork = try #require(dlsym(nil, "fork").map { unsafeBitCast($0, to: (@convention(c) () -> pid_t).self) })
            // Made before, since the child may not allocate.
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup("exit 3"), nil]
            let child = fork()
            if child == 0 {
                execv("/bin/sh", &arguments)
                _exit(127)
            }
            var status: Int32 = -1
            #expect(waitpid(child, &status, 0) == child)
            #expect(status == 3 << 8)
            gate.open()
            #expect(try await held.value == "a")
            exit(7)
        }
    }

    @Test func aProcessWithoutARequestEnds() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let transport = CurlTransport()
            withExtendedLifetime(transport) { exit(7) }
        }
    }

    /// Otherwise a fault there would end the process without its handler. Other signals are for the program's threads.
    @Test func leavesFaultsOfItsThreadUnblocked() async throws {
        server.on(.get, "/", .text("a"))
        let blocked = Mutex<[Int32]>([])
        var options = CurlTransport.Options()
        options.willSend = {
            var signals = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &signals)
            blocked.withLock { $0 = (1..<32).filter { sigismember(&signals, $0) == 1 } }
        }
        #expect(try await CurlTransport(options).text(server.url("/")) == "a")
        let unblocked = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGSTOP, SIGSYS]
        #expect(blocked.withLock(\.self) == (1..<32).filter { !unblocked.contains($0) })
    }

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
            to: TransportRequest(
                .get, server.url("/"),
                headers: ["X-Empty": "", "X-Blank": "  ", "X-Tab": "\u{0B}", "X-Feed": "\t \u{0C}", "X-A": "é"]))
        let headers = server.requests.last?.headers
        #expect(headers?["X-Empty"] == "")
        #expect(headers?["X-Tab"] == "")
        #expect(headers?["X-Feed"] == "")
        #expect(headers?["X-Blank"] == "")
        #expect(headers?["X-A"] == "é")
        #expect(headers?["Accept-Encoding"] == "gzip, deflate")
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
        guard case .connection(let failure)? = error, failure.kind == .timedOut else {
            Issue.record("\(error as Any)")
            return
        }
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

    @Test("The version is the newest of the change log, once there is one")
    func version() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../../CHANGELOG.md")
        let versions = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap {
            $0.wholeMatch(of: /## \[?(\d+\.\d+\.\d+)\]?.*/)?.1
        }
        #expect(versions.first.map(String.init) ?? PackageVersion.current == PackageVersion.current)
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
        #expect(failure.reason == "no data arrived for 0.2 s")
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

private class Item: AbstractModel {
    var id = 0
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
