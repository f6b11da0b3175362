#if os(Linux) && FoundationNetworking
import Foundation
import FoundationNetworking
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// Rows of the table in SECURITY.md: what a server can do to a program that uses `URLSession` on Linux. Each row that crashes a
/// process runs in a child process. A row that is fixed one day fails here, and is removed from the table.
@Suite("URLSession on Linux", .serialized, .timeLimit(.hung), .network)
struct URLSessionOnLinuxTests {
    // MARK: Crashes

    @Test(
        "Malformed responses crash URLSession",
        arguments: [
            "HTTP/1.1 200 OK\r\n", "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775296\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: //%00/\r\nContent-Length: 0\r\n\r\n",
        ])
    func endsTheProcess(_ bytes: String) async {
        await withKnownIssue {
            await #expect(processExitsWith: .success) { [bytes = bytes as String] in
                try await ask(URLSessionTransport(), bytes)
            }
        }
    }

    @Test("A cookie that crashes URLSession does not crash the transport")
    func cookies() async {
        let bytes = "HTTP/1.1 200 OK\r\nSet-Cookie: 😀=\r\nContent-Length: 0\r\n\r\n"
        await #expect(processExitsWith: .success) { [bytes = bytes as String] in
            var options = URLSessionTransport.Options()
            options.cookies = .session
            try await ask(URLSessionTransport(options), bytes)
            options.cookies = .shared
            try await ask(URLSessionTransport(options), bytes)
            try await ask(URLSessionTransport(configuration: .default), bytes)
        }
        await withKnownIssue {
            await #expect(processExitsWith: .success) { [bytes = bytes as String] in
                try await ask(BareSession(), bytes)
            }
        }
    }

    @Test("A timeout that crashes URLSession does not crash the transport")
    func timeouts() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer()
            server.on(.get, "/", .text("a"))
            var request = TransportRequest(.get, server.url("/"))
            request.timeout = .seconds(9_300_000_000_000_000)
            _ = try await URLSessionTransport().response(to: request)
            var options = URLSessionTransport.Options()
            options.timeout = .seconds(Int64.max)
            options.deadline = .seconds(Int64.max)
            let first = try await URLSessionTransport(options).text(server.url("/"))
            #expect(first == "a")
            let configuration = URLSessionConfiguration.default
            configuration.timeoutIntervalForRequest = 9.3e15
            configuration.timeoutIntervalForResource = .infinity
            let second = try await URLSessionTransport(configuration: configuration).text(server.url("/"))
            #expect(second == "a")
        }
        await withKnownIssue {
            await #expect(processExitsWith: .success) {
                try await ask(BareSession(timeout: 9.3e15), "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
    }

    /// Bare sessions crash within a few hundred rounds.
    @Test("A redirect during cancellation does not crash the transport")
    func redirectsWhileCancelled() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer()
            server.on(.get, "/", .redirect(to: "/to"))
            server.on(.get, "/to", .text("a"))
            let transport = URLSessionTransport()
            for round in 0..<400 {
                let task = Task { try await transport.text(server.url("/")) }
                for _ in 0..<round % 40 { await Task.yield() }
                task.cancel()
                _ = await task.result
            }
        }
    }

    // MARK: Wrong results

    @Test(
        "URLSession fails on heads that RFC 9112 lets clients accept",
        arguments: [
            "HTTP/1.1 200 OK\r\nX-A: caf\u{E9}\r\nContent-Length: 1\r\n\r\na",
            "HTTP/1.1 200 OK\nContent-Length: 1\n\na",
            "HTTP/1.1 200\r\nContent-Length: 1\r\n\r\na",
        ])
    func heads(_ text: String) async throws {
        let server = try LoopbackServer()
        // Latin-1: one byte per scalar.
        let bytes = Data(text.unicodeScalars.map { UInt8($0.value) })
        server.on(.get, "/", .raw { try $0.write(bytes) })
        for kind in TransportUnderTest.allCases {
            try await withKnownIssue {
                let text = try await kind.make().text(server.url("/"))
                #expect(text == "a")
            } when: {
                kind == .session
            }
        }
    }

    @Test("URLSession does not report a truncated compressed body")
    func cutBody() async throws {
        let server = try LoopbackServer()
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAAAAyvJV0jMS1FIK8rXUSgZAWwAYD7aNPAAAAA=")).prefix(20)
        let head = Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(gzip.count)\r\n\r\n".utf8)
        server.on(.get, "/", .raw { try $0.write(head + gzip) })
        for kind in TransportUnderTest.allCases {
            await withKnownIssue {
                let error = await #expect(throws: RequestError.self) { try await kind.make().text(server.url("/")) }
                #expect(error?.failureKind == .connectionLost)
            } when: {
                kind == .session
            }
        }
    }

    /// The first response takes longer than the timeout, but never pauses for that long.
    @Test("URLSession counts the wait for a connection towards the timeout")
    func queue() async throws {
        let server = try LoopbackServer()
        server.on(.get, "/", .slow(["a", "b", "c", "d", "e", "f"], every: .milliseconds(400)))
        for kind in TransportUnderTest.allCases {
            let transport = kind.make { $0.requestsPerHost = 1 }
            try await withKnownIssue {
                try await withThrowingTaskGroup(of: Data.self) { group in
                    for _ in 0..<2 {
                        group.addTask {
                            var request = TransportRequest(.get, server.url("/"))
                            request.timeout = .seconds(1)
                            return try await transport.response(to: request).body.collect(limit: 10)
                        }
                    }
                    for try await data in group { #expect(data == Data("abcdef".utf8)) }
                }
            } when: {
                kind == .session
            }
        }
    }

    // MARK: HTTP/2

    @Test("An HTTP/2 trailer crashes URLSession", .enabled(if: SecureServer.isAvailable, "needs nginx and openssl"))
    func trailers() async throws {
        let server = try await SecureServer()
        let url = try server.url("/trailers")
        let text = try await CurlTransport(server.trusting).text(url)
        #expect(text == "trailed")
        await withKnownIssue {
            await #expect(processExitsWith: .success) {
                [url = url as URL, authority = server.file("ca.pem").path as String] in
                setenv("URLSessionCertificateAuthorityInfoFile", authority, 1)
                let text = try await URLSessionTransport().text(url)
                #expect(text == "trailed")
            }
        }
    }

    /// The server closes each connection after some requests while others are in flight.
    @Test(
        "URLSession loses requests on closed HTTP/2 connections",
        .enabled(if: SecureServer.isAvailable, "needs nginx and openssl"))
    func closedConnections() async throws {
        let server = try await SecureServer()
        let url = try server.url("/")
        await withKnownIssue(isIntermittent: true) {
            await #expect(processExitsWith: .success) {
                [url = url as URL, authority = server.file("ca.pem").path as String] in
                setenv("URLSessionCertificateAuthorityInfoFile", authority, 1)
                let transport = RetryTransport(URLSessionTransport(), random: { 0 })
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<2000 {
                        if number >= 32 { try await group.next() }
                        group.addTask { _ = try await transport.text(url) }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }
}

/// Sends a request to a server that responds with these bytes. Any outcome is accepted, as long as there is one.
private func ask(_ transport: any Transport, _ bytes: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/", .raw { try $0.write(bytes) })
    _ = try? await transport.text(server.url("/"))
}

/// A bare `URLSession`.
private struct BareSession: Transport {
    var timeout = 60.0

    func response(to request: TransportRequest) async throws -> TransportResponse {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = timeout
        let (data, _) = try await URLSession(configuration: configuration).data(from: request.url)
        return TransportResponse(status: 200, url: request.url, body: ResponseBody(data))
    }
}
#endif
