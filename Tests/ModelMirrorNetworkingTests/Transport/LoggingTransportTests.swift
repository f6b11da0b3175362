import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

@Suite("LoggingTransport", .timeLimit(.hung), .network)
struct LoggingTransportTests {
    private let clock = ManualClock()
    private let mock = MockTransport()
    private let log = WordLog()

    private func transport(
        _ base: any Transport, _ level: LoggingTransport.Level = .summary, _ redaction: Redaction = Redaction()
    ) -> LoggingTransport {
        LoggingTransport(base, level: level, redaction: redaction, clock: clock) { [log] in log.add($0.text) }
    }

    /// Responds 200 with chunks, and advances the clock before the head and before each chunk.
    private func stub(
        _ chunks: [String], head: Duration = .milliseconds(120), step: Duration = .zero, then error: (any Error)? = nil,
        status: Int = 200, headers: HTTPHeaders = [:], url: String? = nil
    ) -> StubTransport {
        StubTransport { [clock] request in
            clock.advance(by: head)
            let body = ResponseBody.chunks(chunks.map { Data($0.utf8) }, then: error)
            return TransportResponse(
                status: status, headers: headers, url: url.flatMap { URL(string: $0) } ?? request.url,
                body: ResponseBody {
                    clock.advance(by: step)
                    var iterator = body.makeAsyncIterator()
                    return try await iterator.next()
                })
        }
    }

    private func request(_ method: HTTPMethod = .get, _ url: String = "https://x/", _ body: String? = nil) throws
        -> TransportRequest
    {
        TransportRequest(method, try #require(URL(string: url)), body: body.map { .data(Data($0.utf8)) })
    }

    private func text(_ response: TransportResponse) async throws -> String {
        String(decoding: try await response.body.collect(limit: 1 << 20), as: UTF8.self)
    }

    @Test("Request and outcome are logged with number, sizes and times, and the body is unchanged")
    func summary() async throws {
        let transport = transport(stub(["{\"a\"", ":1}"], step: .milliseconds(1500)))
        let response = try await transport.response(to: try request(.post, "https://x/gists", "0123456789"))
        #expect(log.words == ["[1] POST https://x/gists, 10 bytes"])
        #expect(try await text(response) == "{\"a\":1}")
        let second = try await transport.response(to: try request())
        #expect(try await text(second) == "{\"a\":1}")
        #expect(
            log.words == [
                "[1] POST https://x/gists, 10 bytes", "[1] 200 in 0.120 s, 7 bytes in 4.620 s",
                "[2] GET https://x/", "[2] 200 in 0.120 s, 7 bytes in 4.620 s",
            ])
    }

    @Test("Chunks are passed on as they arrive, and the outcome is logged at the end")
    func streaming() async throws {
        let gate = Gate()
        mock.on(.get, "/", .chunks([Data("one".utf8), Data("two".utf8)], at: gate))
        let response = try await transport(mock, .bodies(max: 100)).response(to: try request())
        var iterator = response.body.makeAsyncIterator()
        gate.pass()
        #expect(try await iterator.next() == Data("one".utf8))
        #expect(log.words.count == 1)
        gate.pass()
        #expect(try await iterator.next() == Data("two".utf8))
        #expect(log.words.count == 1)
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(
            log.words == [
                "[1] GET https://x/",
                "[1] 200 in 0.000 s, 6 bytes in 0.000 s\nContent-Type: application/octet-stream\n\nonetwo",
            ])
    }

    @Test("A dropped body is logged once, with the bytes received")
    func dropped() async throws {
        let transport = transport(stub(["one", "two"], status: 503))
        _ = try await transport.response(to: try request())
        do {
            let response = try await transport.response(to: try request())
            var iterator = response.body.makeAsyncIterator()
            #expect(try await iterator.next() == Data("one".utf8))
        }
        #expect(
            log.words == [
                "[1] GET https://x/", "[1] 503 in 0.120 s, dropped after 0 bytes in 0.120 s",
                "[2] GET https://x/", "[2] 503 in 0.120 s, dropped after 3 bytes in 0.120 s",
            ])
    }

    @Test("A broken body and a failed request are logged with their error, which is thrown")
    func failures() async throws {
        let url = try #require(URL(string: "https://me:s3cret@x/?token=s3cret"))
        let lost = RequestError.connection(.init(.connectionLost, url: url, reason: "gone\u{1B}[31m"))
        let broken = transport(stub(["x"], then: lost))
        let response = try await broken.response(to: try request())
        await #expect(throws: RequestError.self) { try await text(response) }
        let refused = transport(StubTransport { _ in throw lost })
        await #expect(throws: RequestError.self) { _ = try await refused.response(to: try request()) }
        let sentence = "\(lost)".replacing("\u{1B}", with: "\\u{1B}")
        #expect(
            log.words == [
                "[1] GET https://x/", "[1] 200 in 0.120 s, failed after 1 byte in 0.120 s: \(sentence)",
                "[1] GET https://x/", "[1] failed in 0.000 s: \(sentence)",
            ])
        #expect(!log.words.joined().contains("s3cret"))
    }

    @Test("A cancelled request is logged with its outcome")
    func cancelled() async throws {
        let gate = Gate()
        mock.on(.get, "/", .hanging(until: gate))
        let transport = transport(mock)
        let request = try request()
        let task = Task { _ = try await transport.response(to: request) }
        try await gate.arrivals()
        task.cancel()
        await #expect(throws: RequestError.self) { try await task.value }
        #expect(log.words == ["[1] GET https://x/", "[1] failed in 0.000 s: The request was cancelled."])
    }

    @Test(
        "A response that cannot have a body is logged with its head",
        arguments: [
            (HTTPMethod.head, 200, [:]), (.get, 204, [:]), (.get, 304, [:]), (.get, 200, [.contentLength: "0"]),
        ]
            as [(HTTPMethod, Int, HTTPHeaders)])
    func noBody(method: HTTPMethod, status: Int, headers: HTTPHeaders) async throws {
        let transport = transport(stub([], status: status, headers: headers))
        let response = try await transport.response(to: try request(method))
        #expect(log.words == ["[1] \(method) https://x/", "[1] \(status) in 0.120 s, no body"])
        #expect(try await text(response) == "")
        #expect(log.words.count == 2)
    }

    @Test("The final URL is logged after a redirect only")
    func redirected() async throws {
        let moved = transport(
            stub([], url: "https://me:s3cret@y/?token=s3cret"), .summary, Redaction(queryItems: ["token"]))
        _ = try await text(try await moved.response(to: try request()))
        let same = transport(stub([], url: "https://x/"))
        _ = try await text(try await same.response(to: try request(.get, "https://u:p@x")))
        #expect(
            log.words == [
                "[1] GET https://x/", "[1] 200 from https://y/?token=REDACTED in 0.120 s, 0 bytes in 0.120 s",
                "[1] GET https://x", "[1] 200 in 0.120 s, 0 bytes in 0.120 s",
            ])
    }

    @Test("Bodies are logged with header fields, and secrets are redacted")
    func bodies() async throws {
        var answer: HTTPHeaders = [
            .link: "<https://x/?page=2&token=s3cret>; rel=\"next\", <?token=s3cret>; rel=\"last\""
        ]
        answer.append("session=s3cret", for: .setCookie)
        answer.append("user=s3cret", for: .setCookie)
        answer[.location] = "https://me:s3cret@y/?token=s3cret&b"
        let redaction = Redaction(headers: ["X-Api-Key"], queryItems: ["token", "client secret"])
        let transport = transport(stub(["{\n\t\"a\": 1\n}"], headers: answer), .bodies(max: 1000), redaction)
        var request = try request(
            .put, "https://me:s3cret@x/a?token=s3cret&&q=1#part",
            "grant=1&client+secret=s3cret&client%20secret=s3cret&b"
        )
        request.headers = [
            .authorization: "Bearer s3cret", .proxyAuthorization: "s3cret", .cookie: "s3cret", "x-API-key": "s3cret",
            .contentType: "application/x-www-form-urlencoded; charset=utf-8", "Referer": "https://z/?token=s3cret",
            "X-Open": "1",
        ]
        _ = try await text(try await transport.response(to: request))
        #expect(
            log.words == [
                """
                [1] PUT https://x/a?token=REDACTED&&q=1, 53 bytes
                Authorization: REDACTED
                Proxy-Authorization: REDACTED
                Cookie: REDACTED
                x-API-key: REDACTED
                Content-Type: application/x-www-form-urlencoded; charset=utf-8
                Referer: https://z/?token=REDACTED
                X-Open: 1

                grant=1&client+secret=REDACTED&client%20secret=REDACTED&b
                """,
                """
                [1] 200 in 0.120 s, 11 bytes in 0.120 s
                Link: <https://x/?page=2&token=REDACTED>; rel="next", <?token=REDACTED>; rel="last"
                Set-Cookie: REDACTED
                Set-Cookie: REDACTED
                Location: https://y/?token=REDACTED&b

                {
                \t"a": 1
                }
                """,
            ])
    }

    @Test("Secrets are redacted beside marks that make another character of what separates them")
    func combiningMarks() async throws {
        let answer: HTTPHeaders = [.link: "\u{600}<https://x/?token=s3cret>\u{301}, <?token=s3cret>\u{301}"]
        let transport = transport(
            stub([], headers: answer), .bodies(max: 1000), Redaction(queryItems: ["token", "a \u{301}b"]))
        var request = try request(
            .put, "https://x/", "token=\u{301}s3cret&a=\u{600}&token=s3cret&a+\u{301}b=s3cret")
        request.headers[.contentType] = "application/x-www-form-urlencoded;\u{301}"
        _ = try await text(try await transport.response(to: request))
        #expect(
            log.words == [
                """
                [1] PUT https://x/, 45 bytes
                Content-Type: application/x-www-form-urlencoded;\u{301}

                token=REDACTED&a=\u{600}&token=REDACTED&a+\u{301}b=REDACTED
                """,
                """
                [1] 200 in 0.120 s, 0 bytes in 0.120 s
                Link: \u{600}<https://x/?token=REDACTED>\u{301}, <?token=REDACTED>\u{301}
                """,
            ])
    }

    @Test(
        "A body is logged up to the limit, with whole characters and escaped control characters",
        arguments: [
            (["abc", "def"], 6, "\n\nabcdef"), (["abc", "def"], 4, "\n\nabcd\n(the first 4 of 6 bytes)"),
            (["aé", "é"], 4, "\n\naé\n(the first 4 of 5 bytes)"), (["𝄞𝄞"], 7, "\n\n𝄞\n(the first 7 of 8 bytes)"),
            (["a𝄞"], 2, "\n\na\n(the first 2 of 5 bytes)"), (["€€"], 3, "\n\n€\n(the first 3 of 6 bytes)"),
            (["ab"], 0, ""), ([], 10, ""),
            (["a\u{1B}[31m\r\n\0"], 10, "\n\na\\u{1B}[31m\\u{D}\n\\u{0}"), (["ab"], -1, ""),
        ] as [([String], Int, String)])
    func bounded(chunks: [String], limit: Int, shown: String) async throws {
        let response = try await transport(stub(chunks), .bodies(max: limit)).response(to: try request())
        #expect(try await text(response) == chunks.joined())
        let count = chunks.joined().utf8.count
        #expect(log.words.last == "[1] 200 in 0.120 s, \(count) bytes in 0.120 s\(shown)")
    }

    @Test("Bodies that are not UTF-8 text are logged as their length", arguments: [3, 100])
    func binary(limit: Int) async throws {
        let bytes = Data([0xFF, 0xD8, 0xFF, 0xE0, 0x80])
        mock.on(.post, "/", .data(bytes))
        var request = try request(.post)
        request.body = .data(bytes)
        let response = try await transport(mock, .bodies(max: limit)).response(to: request)
        #expect(try await response.body.collect(limit: 10) == bytes)
        #expect(
            log.words == [
                "[1] POST https://x/, 5 bytes\n\n(5 bytes, not UTF-8 text)",
                "[1] 200 in 0.000 s, 5 bytes in 0.000 s\nContent-Type: application/octet-stream\nContent-Length: 5\n\n"
                    + "(5 bytes, not UTF-8 text)",
            ])
    }

    @Test(
        "Bodies from files and chunks are described without reading them",
        arguments: [.summary, .bodies(max: 100)] as [LoggingTransport.Level])
    func otherBodies(level: LoggingTransport.Level) async throws {
        let transport = transport(stub([]), level)
        let bodies: [HTTPBody] = [
            .file(URL(fileURLWithPath: "/tmp/a b.bin")),
            .chunks(length: 1) {
                Issue.record("The body was begun.")
                return { nil }
            },
            .chunks {
                Issue.record("The body was begun.")
                return { nil }
            },
        ]
        for body in bodies {
            var request = try request(.post)
            request.body = body
            _ = try await text(try await transport.response(to: request))
        }
        #expect(
            log.words.filter { $0.contains("POST") } == [
                "[1] POST https://x/, the file /tmp/a b.bin", "[2] POST https://x/, 1 byte, made on demand",
                "[3] POST https://x/, an unknown number of bytes, made on demand",
            ])
    }

    @Test("A request with line breaks in method or fields cannot forge a log entry")
    func forged() async throws {
        var request = try request(HTTPMethod("GET\n[2] 200"))
        request.headers["X-A"] = "1\r\n[2] 200 in 0.001 s"
        _ = try await transport(stub([], status: 204), .bodies(max: 1)).response(to: request)
        #expect(
            log.words.first == "[1] GET\\u{A}[2] 200 https://x/\nX-A: 1\\u{D}\\u{A}[2] 200 in 0.001 s")
    }

    @Test("Entries have method, URL, attempt, status, sizes, times and error as values")
    func values() async throws {
        let entries = Mutex<[LoggingTransport.Entry]>([])
        mock.on(.post, "/a", .sequence([.failure(.connectionLost), .text("abc", status: 503), .text("abcd")]))
        let logging = LoggingTransport(mock, redaction: Redaction(queryItems: ["token"]), clock: clock) { entry in
            entries.withLock { $0.append(entry) }
        }
        var policy = RetryPolicy()
        policy.isRepeatable = { _ in true }
        let retrying = RetryTransport(logging, policy: policy, random: { 0 })
        let response = try await retrying.response(to: try request(.post, "https://u:p@x/a?token=1", "12"))
        #expect(try await text(response) == "abcd")
        let found = entries.withLock(\.self)
        #expect(found.map(\.number) == [1, 1, 2, 2, 3, 3])
        #expect(found.map(\.attempt) == [1, 1, 2, 2, 3, 3])
        #expect(Set(found.map(\.url)) == ["https://x/a?token=REDACTED"])
        #expect(found.allSatisfy { $0.method == .post && $0.requestBytes == 2 })
        #expect(found.map(\.status) == [nil, nil, nil, 503, nil, 200])
        #expect(found.map(\.responseBytes) == [nil, nil, nil, 0, nil, 4])
        #expect(found.map(\.headTime) == [nil, nil, nil, .zero, nil, .zero])
        #expect(found.map(\.totalTime) == [nil, .zero, nil, .zero, nil, .zero])
        #expect(found.map { ($0.error as? RequestError)?.failureKind } == [nil, .connectionLost, nil, nil, nil, nil])
        #expect(found.map(\.description) == found.map(\.text))
        #expect(found[3].text == "[2] 503 in 0.000 s, dropped after 0 bytes in 0.000 s")
    }

    @Test("Concurrent requests have their own numbers and two entries each")
    func concurrent() async throws {
        mock.on(.get, "/", .text("x"))
        let transport = transport(mock)
        let request = try request()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...100 {
                group.addTask { _ = try await transport.response(to: request).body.collect(limit: 10) }
            }
            try await group.waitForAll()
        }
        let expected = (1...100).flatMap { ["[\($0)] GET https://x/", "[\($0)] 200 in 0.000 s, 1 byte in 0.000 s"] }
        #expect(log.words.sorted() == expected.sorted())
    }
}
