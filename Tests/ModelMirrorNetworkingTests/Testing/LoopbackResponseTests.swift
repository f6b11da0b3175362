import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

private class Note: AbstractModel {
    var title = "a"
}

/// The bytes that a server sends, for valid and invalid responses.
@Suite("LoopbackResponse", .timeLimit(.hung), .network)
struct LoopbackResponseTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func ask(_ path: String = "/", headers: String = "") throws -> RawClient {
        let client = try RawClient(server)
        try client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\(headers)\r\n")
        return client
    }

    private func everything(_ response: LoopbackResponse) throws -> String {
        server.on(.get, "/", response)
        return try ask(headers: "Connection: close\r\n").readToEnd()
    }

    @Test("A status, texts, a model, a redirect and a 429 are sent as documented")
    func wellBehaved() throws {
        #expect(
            try everything(.status(503))
                == "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        for (response, end) in try [
            (.text("é"), "charset=utf-8\r\nContent-Length: 2\r\nConnection: close\r\n\r\né"),
            (.json(value: ["a": [1]]), "\r\n\r\n{\"a\":[1]}"), (.json(model: Note()), "\r\n\r\n{\"title\":\"a\"}"),
            (.data(Data("ab".utf8), status: 304), "octet-stream\r\nConnection: close\r\n\r\n"),
        ] as [(LoopbackResponse, String)] {
            #expect(try everything(response).hasSuffix(end))
        }
        for (response, part) in [
            (.json("x", headers: ["content-type": "a/b"]), "OK\r\ncontent-type: a/b\r\nContent-L"),
            (.redirect(to: "/b", status: 307), "307 Temporary Redirect\r\nLocation: /b\r\n"),
            (.tooManyRequests(retryAfter: 3), "429 Too Many Requests\r\nRetry-After: 3\r\n"),
        ] as [(LoopbackResponse, String)] {
            #expect(try everything(response).contains(part))
        }
    }

    @Test("A connection ends after a response that closes it, has a coding of its own or is shorter than announced")
    func lastResponses() throws {
        for (response, end) in [
            (.sequence([.text("a")]).closing(), "Content-Length: 1\r\nConnection: close\r\n\r\na"),
            (.text("a", headers: ["Transfer-Encoding": "x"]), "charset=utf-8\r\nConnection: close\r\n\r\na"),
            (.streaming(length: 5) { try $0.write("abc") }, "Content-Length: 5\r\n\r\nabc"),
        ] as [(LoopbackResponse, String)] {
            server.on(.get, "/", response)
            #expect(try ask().readToEnd().hasSuffix(end))
        }
    }

    @Test("Each non-empty chunk is framed separately")
    func chunks() throws {
        let large = String(repeating: "x", count: 20_000)
        let text = try everything(.chunked([Data("ab".utf8), Data(), Data(large.utf8), Data("c".utf8)]))
        #expect(
            text == "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n"
                + "Connection: close\r\n\r\n2\r\nab\r\n4e20\r\n\(large)\r\n1\r\nc\r\n0\r\n\r\n")
        #expect(server.exchanges[0].bytesWritten == 20_003)
    }

    @Test("Each piece of a slow body waits for its pass")
    func slow() async throws {
        let gate = Gate()
        server.on(.get, "/", .slow(["[1,", "2]"], at: gate))
        let client = try ask()
        #expect(try client.read(through: "\r\n\r\n").hasSuffix("Transfer-Encoding: chunked\r\n\r\n"))
        try await gate.arrivals(atLeast: 1)
        #expect(server.exchanges[0].bytesWritten == 0)
        gate.pass()
        #expect(try client.read(count: 8) == "3\r\n[1,\r\n")
        try await gate.arrivals(atLeast: 2)
        #expect(server.exchanges[0].bytesWritten == 3)
        #expect(server.exchanges[0].outcome == nil)
        gate.open()
        #expect(try client.read(count: 12) == "2\r\n2]\r\n0\r\n\r\n")
        #expect(try await server.exchanges[0].ended() == .sent)
    }

    @Test("A held response sends nothing before its gate opens")
    func held() async throws {
        let gate = Gate()
        server.on(.get, "/", .text("!").held(at: gate).delayed(by: .milliseconds(1)))
        let client = try ask()
        try await gate.arrivals()
        #expect(server.exchanges[0].outcome == nil)
        gate.open()
        #expect(try client.read(through: "!").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test("A response that breaks off is sent to its last byte, then the connection ends")
    func truncated() throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        #expect(try everything(.truncated("[1,2]", after: 3)) == head + "Content-Length: 5\r\n\r\n[1,")
        // Half of a character.
        let half = head + "Content-Length: 3\r\n\r\na"
        #expect(try everything(.truncated("aé", after: 2)) == half + "\u{FFFD}")
        #expect(server.exchanges.last?.bytesWritten == half.utf8.count + 1)
        for (response, text) in [
            (.wrongContentLength(1, body: "[1,2]"), head + "Content-Length: 1\r\n\r\n[1,2]"),
            (.truncatedChunks(["[1,"]), head + "Transfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n"),
            (.garbage(), "NOT HTTP AT ALL\r\n\r\n"), (.closed(), ""),
        ] as [(LoopbackResponse, String)] {
            #expect(try everything(response) == text)
        }
        #expect(
            try everything(.streaming(length: 5) { try $0.write("abc") }).hasSuffix(
                "Length: 5\r\nConnection: close\r\n\r\nabc"))
    }

    @Test("A reset reaches the client as RST, after the bytes sent before")
    func reset() async throws {
        let gate = Gate()
        server.on(.get, "/", .reset())
        server.on(.get, "/later", .reset(after: "HTTP/1.1 200 OK\r\n", at: gate))
        let client = try ask()
        let failure = #expect(throws: SocketFailure.self) { try client.readToEnd() }
        #expect(failure?.call == "recv" && failure?.isDisconnect == true)
        let later = try ask("/later")
        #expect(try later.read(through: "\r\n") == "HTTP/1.1 200 OK\r\n")
        gate.open()
        #expect(throws: SocketFailure.self) { try later.readToEnd() }
        #expect(try await server.exchanges[1].ended() == .sent)
    }

    @Test("A hanging response ends when its client leaves with FIN or RST, or when its gate opens")
    func hanging() async throws {
        let gate = Gate()
        server.on(.get, "/", .hanging(until: gate))
        for reset in [false, true] {
            let client = try ask()
            try await gate.arrivals(atLeast: server.requestCount)
            let exchange = try await server.exchanges(atLeast: reset ? 2 : 1)[reset ? 1 : 0]
            client.close(reset: reset)
            #expect(try await exchange.ended() == .clientLeft)
        }
        let client = try ask()
        try await gate.arrivals(atLeast: 3)
        gate.open()
        #expect(try client.readToEnd() == "")
        #expect(try await server.exchanges[2].ended() == .sent)
    }

    @Test("Stopping the server ends hanging responses")
    func stopped() async throws {
        let gate = Gate()
        server.on(.get, "/", .hanging(until: gate))
        let client = try ask()
        try await gate.arrivals()
        let exchange = server.exchanges[0]
        server.stop()
        #expect(exchange.outcome == .stopped)
        #expect(try client.readToEnd() == "")
    }

    @Test("A client that does not read stalls the writer, and the bytes written are known")
    func backPressure() async throws {
        var limits = LoopbackServer.Limits()
        limits.sendBuffer = 1 << 16
        limits.stallTime = .milliseconds(10)
        let server = try LoopbackServer(limits: limits)
        defer { server.stop() }
        let length = 32 << 20
        server.on(.get, "/", .oversized(length))
        let client = try RawClient(server)
        try client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let exchange = try await server.exchanges(atLeast: 1)[0]
        try await exchange.stalled()
        #expect(exchange.outcome == nil)
        #expect((1..<length).contains(exchange.bytesWritten))
        let head = try client.read(through: "\r\n\r\n")
        #expect(head.contains("Content-Length: \(length)\r\n"))
        #expect(try client.dropToEnd() == length)
        #expect(try await exchange.ended() == .sent)
        #expect(exchange.bytesWritten == length)
    }

    @Test("A response to HEAD does not start its stream")
    func head() throws {
        server.on(.get, "/", .streaming { writer in while true { try writer.write("0123456789") } })
        let client = try RawClient(server)
        try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(
            try client.readToEnd().hasPrefix(
                "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "HTTP/1.1 404 Not Found\r\n"))
    }

    @Test("A writer ends when its client has left")
    func leaving() async throws {
        server.on(.get, "/", .streaming { writer in while true { try writer.write("0123456789") } })
        let client = try ask()
        _ = try client.read(through: "0123456789")
        client.close()
        #expect(try await server.exchanges[0].ended() == .clientLeft)
    }

    @Test("Each byte of an oversized body is determined by its offset")
    func pattern() {
        let bytes = LoopbackResponse.pattern(65_000..<132_000)
        #expect(bytes.count == 67_000)
        for (index, byte) in bytes.enumerated() {
            let offset = (index + 65_000) % 65_521
            if byte != UInt8(truncatingIfNeeded: offset ^ (offset >> 8)) {
                Issue.record("The byte at \(index + 65_000) is \(byte).")
                return
            }
        }
    }

    @Test("A 401 is sent until the token is fresh, and a sequence stays at its last response")
    func sequences() throws {
        server.on(.get, "/me", .unauthorizedUntil(token: "fresh", then: .text("me")))
        server.on(.get, "/flaky", .sequence([.status(503), .tooManyRequests(retryAfter: 1), .text("done")]))
        for (headers, status) in [
            ("", "401"), ("Authorization: Bearer stale\r\n", "401"), ("Authorization: Bearer fresh\r\n", "200"),
        ] {
            let text = try ask("/me", headers: headers).read(through: "\r\n\r\n")
            #expect(text.hasPrefix("HTTP/1.1 \(status) "))
            #expect(text.contains("WWW-Authenticate: Bearer realm=\"test\"\r\n") == (status == "401"))
        }
        for status in ["503", "429", "200", "200"] {
            #expect(try ask("/flaky").read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 \(status) "))
        }
    }
}
