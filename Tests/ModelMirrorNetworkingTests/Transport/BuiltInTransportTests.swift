import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// Behavior that the contract of transports leaves open, and that all built-in ones share.
@Suite(.timeLimit(.hung), .network)
struct BuiltInTransportTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    // MARK: Connections

    @Test(arguments: TransportUnderTest.allCases)
    func reusesItsConnectionAndClosesIt(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/:number") { .text($0.parameters["number"] ?? "") }
        do {
            let transport = kind.make()
            for number in 0..<200 { #expect(try await transport.text(server.url("/\(number)")) == "\(number)") }
            #expect(server.connectionCount == 1)
        }
        try await server.connectionsEnded()
    }

    @Test(arguments: TransportUnderTest.allCases)
    func readsABodyAfterTheTransportIsReleased(_ kind: TransportUnderTest) async throws {
        let gate = Gate()
        server.on(.get, "/", .slow(["a", "b"], at: gate))
        let body = try await kind.make().response(to: TransportRequest(.get, server.url("/"))).body
        gate.open()
        #expect(try await body.collect(limit: 10) == Data("ab".utf8))
        try await server.connectionsEnded()
    }

    @Test(arguments: TransportUnderTest.allCases)
    func limitsRequestsPerHost(_ kind: TransportUnderTest) async throws {
        let gate = Gate()
        server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
        let transport = kind.make { $0.requestsPerHost = 3 }
        let url = server.url("/")
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<12 { group.addTask { try await transport.text(url) } }
            try await gate.arrivals(atLeast: 3)
            #expect(server.connectionCount == 3)
            gate.open()
            for try await text in group { #expect(text == "a") }
        }
        #expect(server.connectionCount == 3)
        #expect(server.requestCount == 12)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func handlesManyRequestsAtOnce(_ kind: TransportUnderTest) async throws {
        server.on(.post, "/echo") { .data($0.body) }
        let transport = kind.make()
        let server = server
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<512 {
                if number >= 64 { #expect(try await group.next() == true) }
                group.addTask {
                    let data = Data("\(number)".utf8)
                    let response = try await transport.response(
                        to: TransportRequest(.post, server.url("/echo"), body: .data(data)))
                    return try await response.body.collect(limit: 100) == data
                }
            }
            for try await isEqual in group { #expect(isEqual) }
        }
        #expect(server.requestCount == 512)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func endsTheTransferOfABodyThatIsTooLarge(_ kind: TransportUnderTest) async throws {
        server.on(
            .get, "/",
            .streaming { writer in
                for start in stride(from: 0, to: 1 << 20, by: 1 << 16) {
                    try writer.write(LoopbackResponse.pattern(start..<start + 1 << 16))
                }
                try writer.wait(at: Gate())
            })
        do {
            let response = try await kind.make().response(to: TransportRequest(.get, server.url("/")))
            let error = await #expect(throws: RequestError.self) { try await response.body.collect(limit: 1000) }
            #expect(error?.exceededBodyLimit == 1000)
        }
        #expect(try await server.exchanges(atLeast: 1)[0].ended() == .clientLeft)
    }

    // MARK: Deadlines

    /// One request has a trickling body, the other waits in the queue.
    @Test(arguments: TransportUnderTest.allCases)
    func endsSlowAndWaitingRequestsAtTheDeadline(_ kind: TransportUnderTest) async throws {
        server.on(
            .get, "/",
            .streaming { writer in
                while true {
                    try writer.write("a")
                    try writer.pause(for: .milliseconds(20))
                }
            })
        let transport = kind.make {
            $0.deadline = .milliseconds(400)
            $0.requestsPerHost = 1
        }
        let url = server.url("/")
        try await withThrowingTaskGroup(of: RequestError?.self) { group in
            for _ in 0..<2 {
                group.addTask { await #expect(throws: RequestError.self) { try await transport.text(url) } }
            }
            for try await error in group {
                #expect(error?.failureKind == .timedOut)
                #expect(error?.failureReason == "the deadline passed before the response was complete")
            }
        }
        for exchange in server.exchanges { #expect(try await exchange.ended() == .clientLeft) }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func endsAtTheDeadlineOfARequest(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/", .hanging())
        server.on(.get, "/good", .text("good"))
        let transport = kind.make()
        var request = TransportRequest(.get, server.url("/"))
        request.deadline = .now + .seconds(3)
        let error = await #expect(throws: RequestError.self) { try await transport.response(to: request) }
        #expect(error?.failureKind == .timedOut)
        #expect(try await server.exchanges(atLeast: 1)[0].ended() == .clientLeft)
        // Nothing is sent after the deadline.
        request.deadline = .now - .seconds(1)
        let late = await #expect(throws: RequestError.self) { try await transport.response(to: request) }
        #expect(late?.failureReason == "the deadline passed before the response was complete")
        #expect(server.requestCount == 1)
        request.url = server.url("/good")
        request.deadline = .now + .seconds(5000)
        #expect(try await transport.response(to: request).body.collect(limit: 10) == Data("good".utf8))
    }

    // MARK: Sent requests

    @Test(arguments: TransportUnderTest.allCases)
    func sendsContentTypesOfBodies(_ kind: TransportUnderTest) async throws {
        server.on(.post, "/", .status(204))
        let transport = kind.make()
        for (headers, type): (HTTPHeaders, String) in [
            ([:], "application/octet-stream"), ([.contentType: "text/csv"], "text/csv"),
        ] {
            let request = TransportRequest(.post, server.url("/"), headers: headers, body: .data(Data("a,b".utf8)))
            _ = try await transport.response(to: request)
            #expect(server.requests.last?.headers.values(for: .contentType) == [type])
            #expect(server.requests.last?.headers.values(for: .contentLength) == ["3"])
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func rejectsFilesThatCannotBeRead(_ kind: TransportUnderTest) async throws {
        let folder = FileManager.default.temporaryDirectory
        for file in [folder.appendingPathComponent("none-\(UUID())"), folder, URL(string: "https://example.com/a")!] {
            let error = await #expect(throws: RequestError.self) {
                try await kind.make().response(to: TransportRequest(.post, server.url("/"), body: .file(file)))
            }
            let reason = try #require(error?.invalidRequestReason)
            #expect(reason.hasPrefix("the file \"\(file.path)\" cannot be read as a body: "))
        }
        #expect(server.requestCount == 0)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func reportsUploadProgress(_ kind: TransportUnderTest) async throws {
        server.on(.post, "/", .status(204))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID())")
        let bytes = LoopbackResponse.pattern(0..<3_000_000)
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for body in [HTTPBody.data(bytes), .file(file)] {
            let told = Observed<[(Int64, Int64?)]>([])
            var request = TransportRequest(.post, server.url("/"), body: body)
            request.uploadProgress = { sent, total in told.update { $0.append((sent, total)) } }
            _ = try await kind.make().response(to: request)
            let values = try await told.wait { $0.last?.0 == 3_000_000 }
            #expect(values.map(\.0) == values.map(\.0).sorted())
            #expect(values.allSatisfy { $0.1 == 3_000_000 })
            #expect(server.requests.last?.body == bytes)
        }
    }

    /// The body is produced from the server's response to another request.
    @Test(arguments: TransportUnderTest.allCases)
    func sendsTheBodyOfAnotherResponse(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/", .oversized(5 << 20))
        server.on(.post, "/") { .text("\($0.body == LoopbackResponse.pattern(0..<5 << 20))") }
        let transport = kind.make()
        let source = try await transport.response(to: TransportRequest(.get, server.url("/"))).body
        let body = HTTPBody.chunks {
            var iterator = source.makeAsyncIterator()
            return { try await iterator.next() }
        }
        let response = try await transport.response(to: TransportRequest(.post, server.url("/"), body: body))
        #expect(try await response.body.collect(limit: 10) == Data("true".utf8))
    }

    @Test(arguments: TransportUnderTest.allCases)
    func failsWhenTheBodyFails(_ kind: TransportUnderTest) async throws {
        server.on(.post, "/", .status(204))
        let body = HTTPBody.chunks { { throw CocoaError(.fileReadUnknown) } }
        let error = await #expect(throws: RequestError.self) {
            try await kind.make().response(to: TransportRequest(.post, server.url("/"), body: body))
        }
        let reason = try #require(error?.invalidRequestReason)
        #expect(reason.hasPrefix("the body cannot be made: "))
    }

    // MARK: Metrics

    @Test("Metrics are measured, redirects included", arguments: TransportUnderTest.allCases)
    func metrics(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/moved", .redirect(to: "/metrics"))
        server.on(.get, "/metrics", .json("[1, 2]"))
        let before = Date()
        let response = try await kind.make().response(to: TransportRequest(.get, server.url("/moved")))
        #expect(try await response.body.collect(limit: 100).count == 6)
        let metrics = try #require(response.metrics)
        let start = try #require(metrics.start)
        #expect(before <= start && start <= Date())
        let (firstByte, total) = (try #require(metrics.firstByte), try #require(metrics.total))
        #expect(.zero < firstByte && firstByte <= total)
        #expect(metrics.receivedBytes == 6)
    }

    // MARK: Credentials and cookies

    @Test(arguments: TransportUnderTest.allCases)
    func sendsTheUserOfTheURLAsAField(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/", .status(204))
        let transport = kind.make()
        let url = try #require(URL(string: "http://ada:s%3Aecret@127.0.0.1:\(server.port)/"))
        let response = try await transport.response(to: TransportRequest(.get, url))
        #expect(server.requests.last?.headers[.authorization] == "Basic YWRhOnM6ZWNyZXQ=")
        #expect(response.url == server.url("/"))
        _ = try await transport.response(to: TransportRequest(.get, url, headers: [.authorization: "Bearer a"]))
        #expect(server.requests.last?.headers[.authorization] == "Bearer a")
    }

    /// FoundationNetworking asks for credentials, and waits forever if it gets none.
    @Test(
        arguments: TransportUnderTest.allCases,
        [
            "Basic realm=\"a\"", "Basic", "Bearer", "Digest realm=\"a\", nonce=\"b\"", "Negotiate", "NTLM",
            "Basic realm=\"",
        ])
    func returnsUnauthorizedResponses(_ kind: TransportUnderTest, _ challenge: String) async throws {
        server.on(.get, "/", .json("[1]", status: 401, headers: [.wwwAuthenticate: challenge]))
        server.on(.get, "/after", .json("[2]"))
        let transport = kind.make()
        for _ in 0..<3 {
            let response = try await transport.response(to: TransportRequest(.get, server.url("/")))
            #expect(response.status == 401)
            #expect(response.headers[.wwwAuthenticate] == challenge)
            #expect(try await response.body.collect(limit: 10) == Data("[1]".utf8))
        }
        #expect(try await transport.text(server.url("/after")) == "[2]")
        #expect(server.requestCount == 4)
    }

    @Test(arguments: TransportUnderTest.allCases, [CookiePolicy.none, .session, .shared])
    func keepsCookies(_ kind: TransportUnderTest, _ policy: CookiePolicy) async throws {
        let name = "\(kind)-\(policy)"
        server.on(.get, "/set", .redirect(to: "/get", headers: [.setCookie: "\(name)=1; Path=/"]))
        server.on(.get, "/get", .status(204))
        let transport = kind.make { $0.cookies = policy }
        let kept: String? = policy == .none ? nil : "\(name)=1"
        _ = try await transport.response(to: TransportRequest(.get, server.url("/set")))
        #expect(server.requests.last?.path == "/get")
        #expect(cookies(name) == kept)
        let own = TransportRequest(.get, server.url("/get"), headers: [.cookie: "own=1", "cookie": "more=2"])
        _ = try await transport.response(to: own)
        #expect(cookies(name, "own", "more") == (kept.map { "\($0); " } ?? "") + "own=1; more=2")
        #expect(server.requests.last?.headers.values(for: .cookie).count == 1)
        let other = kind.make { $0.cookies = policy }
        _ = try await other.response(to: TransportRequest(.get, server.url("/get")))
        #expect(cookies(name) == (policy == .shared ? kept : nil))
    }

    /// The cookies of the last request with these names; a storage that is shared has those of other tests too.
    private func cookies(_ names: String...) -> String? {
        let all = server.requests.last?.headers[.cookie]?.components(separatedBy: "; ") ?? []
        let found = all.filter { cookie in names.contains { cookie.hasPrefix("\($0)=") } }
        return found.isEmpty ? nil : found.joined(separator: "; ")
    }

    @Test(arguments: TransportUnderTest.allCases)
    func sendsCookiesThatMatchThePath(_ kind: TransportUnderTest) async throws {
        var cookies = HTTPHeaders()
        for cookie in ["here=1", "all=2; Path=/"] { cookies.append(cookie, for: .setCookie) }
        server.on(.get, "/*", .status(204))
        server.on(.get, "/a/set", .status(204, headers: cookies))
        server.on(.get, "/a/unset", .status(204, headers: [.setCookie: "all=; Path=/; Max-Age=0"]))
        let transport = kind.make { $0.cookies = .session }
        for (path, cookies) in [
            ("/a/set", nil), ("/a/b", "here=1; all=2"), ("/b", "all=2"), ("/a/unset", "here=1; all=2"),
            ("/a/b", "here=1"), ("/b", nil),
        ] {
            _ = try await transport.response(to: TransportRequest(.get, server.url(path)))
            #expect(server.requests.last?.headers[.cookie] == cookies, "\(path)")
        }
    }

    @Test("An expired session cookie is no longer sent", arguments: TransportUnderTest.allCases)
    func expiredCookie(_ kind: TransportUnderTest) async throws {
        for (number, end) in ["a=; Max-Age=0", "a=2; Max-Age=-1", "a=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]
            .enumerated()
        {
            server.on(.get, "/\(number)/in", .status(204, headers: [.setCookie: "a=1; Path=/"]))
            server.on(.get, "/\(number)/out", .status(204, headers: [.setCookie: "\(end); Path=/"]))
            server.on(.get, "/\(number)/me", .status(204))
            let transport = kind.make { $0.cookies = .session }
            for (path, cookie) in [("in", nil), ("me", "a=1"), ("out", "a=1"), ("me", nil)] {
                _ = try await transport.response(to: TransportRequest(.get, server.url("/\(number)/\(path)")))
                #expect(server.requests.last?.headers[.cookie] == cookie, "\(end), \(path)")
            }
        }
    }

    // MARK: Responses

    @Test(arguments: TransportUnderTest.allCases)
    func doesNotCacheResponses(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/", .text("a", headers: [.cacheControl: "max-age=3600", .eTag: "\"1\""]))
        let transport = kind.make()
        for _ in 0..<3 { #expect(try await transport.text(server.url("/")) == "a") }
        #expect(server.requestCount == 3)
        #expect(server.requests.allSatisfy { $0.headers[.ifNoneMatch] == nil })
    }

    @Test(arguments: TransportUnderTest.allCases)
    func returnsRedirectsWithoutLocation(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/", .status(302, headers: ["X-A": "1"]))
        let response = try await kind.make().response(to: TransportRequest(.get, server.url("/")))
        #expect(response.status == 302)
        #expect(response.headers["X-A"] == "1")
        #expect(try await response.body.collect(limit: 10).isEmpty)
    }
}
