import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// Which bytes a server accepts as a request.
@Suite("Request parsing of LoopbackServer", .timeLimit(.hung), .network)
struct RequestReaderTests {
    private let server: LoopbackServer

    init() throws { server = try Self.server() }

    /// A server that answers with the method, the path and the length of the body.
    private static func server(headBytes: Int = 1 << 16, bodyBytes: Int = 1 << 20) throws -> LoopbackServer {
        var limits = LoopbackServer.Limits()
        limits.headBytes = headBytes
        limits.bodyBytes = bodyBytes
        let server = try LoopbackServer(limits: limits)
        server.on(nil, "/*") { request in .text("<\(request.method) \(request.path) \(request.body.count)>") }
        return server
    }

    @Test("Pipelined requests are answered in order, with bodies and empty lines between them")
    func pipelining() throws {
        let client = try RawClient(server)
        try client.send(
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nGET \r\n\r\n"
                + "PUT /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
                + "DELETE /4 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let answers = try client.readToEnd().split(separator: "\r\n").filter { $0.hasPrefix("<") }
            .map { $0.prefix { $0 != ">" } }
        #expect(answers == ["<GET /1 0", "<POST /2 4", "<PUT /3 3", "<DELETE /4 0"])
        #expect(server.requests.map(\.connection) == [1, 1, 1, 1])
    }

    @Test("A request can arrive byte by byte")
    func bytewise() throws {
        let client = try RawClient(server)
        let text =
            "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4;name=value\r\nabcd\r\nA\r\n0123456789\r\n"
            + "0\r\nTrailer: 1\r\n\r\n"
        for byte in text.utf8 { try client.send([byte]) }
        #expect(try client.read(through: ">").hasSuffix("<POST /x 14>"))
        #expect(server.requests[0].text == "abcd0123456789")
    }

    @Test("A client that expects 100 Continue gets it before it sends the body")
    func continuing() throws {
        let client = try RawClient(server)
        try client.send("POST /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        try client.send("ab")
        #expect(try client.read(through: ">").hasSuffix("<POST /x 2>"))
    }

    @Test("An HTTP/1.0 connection gets one response unless it is kept alive, and no chunked encoding")
    func oldVersion() throws {
        server.on(.get, "/chunks", .chunked([Data("ab".utf8), Data("c".utf8)]))
        let keeping = try RawClient(server)
        try keeping.send("GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /2 HTTP/1.0\r\n\r\n")
        #expect(try keeping.readToEnd().components(separatedBy: "HTTP/1.1 200").count == 3)
        let client = try RawClient(server)
        try client.send("GET /chunks HTTP/1.0\r\n\r\n")
        let text = try client.readToEnd()
        #expect(text.hasSuffix("Connection: close\r\n\r\nabc"))
        #expect(!text.contains("chunked"))
    }

    @Test("An absolute target is reduced to its path and query")
    func absoluteTarget() throws {
        let client = try RawClient(server)
        try client.send("GET http://example.com/a?b=1 HTTP/1.1\r\nHost: example.com\r\n\r\n")
        #expect(try client.read(through: ">").hasSuffix("<GET /a 0>"))
        #expect(server.requests[0].query == "b=1")
    }

    @Test("A combining mark after a separator belongs to the following text")
    func combiningMarks() throws {
        let client = try RawClient(server)
        try client.send("GET /a?\u{301}b HTTP/1.1\r\nHost: a\r\nX:\u{301}c \r\nY: \u{301}d\r\n\r\n")
        #expect(try client.read(through: ">").hasSuffix("<GET /a 0>"))
        let request = server.requests[0]
        #expect(request.query.map { Array($0.utf8) } == Array("\u{301}b".utf8))
        #expect(Array((request.headers["X"] ?? "").utf8) == Array("\u{301}c".utf8))
        #expect(Array((request.headers["Y"] ?? "").utf8) == Array("\u{301}d".utf8))
    }

    @Test(
        "A request that is not valid HTTP/1.1 is rejected with the reason",
        arguments: [
            ("GET /\r\n\r\n", "400", "The request line \"GET /\" is not a method, a target and a version."),
            (
                "G T / HTTP/1.1\r\n\r\n", "400",
                "The request line \"G T / HTTP/1.1\" is not a method, a target and a version."
            ),
            (
                "\u{16}\u{3}\u{1}", "400",
                "This is a TLS handshake, but this server speaks plain HTTP: use http URLs."
            ),
            ("GET / HTTP/2.0\r\n\r\n", "505", "The version \"HTTP/2.0\" is not HTTP/1.1 or HTTP/1.0."),
            ("GET / HTTP/1.1\r\n\r\n", "400", "An HTTP/1.1 request has one Host field, this has 0."),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "400",
                "An HTTP/1.1 request has one Host field, this has 2."
            ),
            ("GET a HTTP/1.1\r\nHost: a\r\n\r\n", "400", "The target \"a\" does not begin with a slash."),
            ("GET /#a HTTP/1.1\r\nHost: a\r\n\r\n", "400", "The target \"/#a\" contains a fragment."),
            ("GET http://a#b?c HTTP/1.1\r\nHost: a\r\n\r\n", "400", "The target \"http://a#b?c\" contains a fragment."),
            ("GET /#\u{301} HTTP/1.1\r\nHost: a\r\n\r\n", "400", "The target \"/#\u{301}\" contains a fragment."),
            ("GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", "400", "The percent-encoding of the path \"/%zz\" is broken."),
            ("GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", "400", "The percent-encoding of the path \"/%ff\" is broken."),
            (
                "GET / HTTP/1.1\nHost: a\n\n", "400",
                "A line of the head does not end in carriage return and line feed."
            ),
            (
                "GET / HTTP/1.1\nHost: a\r\n\r\n", "400",
                "A line of the head does not end in carriage return and line feed."
            ),
            (
                "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", "400",
                "A header field is folded over two lines, which RFC 9112 section 5.2 forbids."
            ),
            (
                "GET / HTTP/1.1\r\nHost : a\r\n\r\n", "400",
                "The header line \"Host : a\" is not a name, a colon and a value."
            ),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "400",
                "The Content-Length \"-1\" is not one number."
            ),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400",
                "The Content-Length \"1, 2\" is not one number."
            ),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "400",
                "The request has both Transfer-Encoding and Content-Length."
            ),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", "501",
                "The Transfer-Encoding \"gzip\" is not chunked."
            ),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "400",
                "The chunk size \"x\" is not a hexadecimal number."
            ),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", "400",
                "A chunk of the body is longer than its size says."
            ),
        ])
    func refusals(text: String, status: String, reason: String) throws {
        let client = try RawClient(server)
        try client.send(text)
        let response = try client.readToEnd()
        #expect(response.hasPrefix("HTTP/1.1 \(status) "))
        #expect(response.hasSuffix("Connection: close\r\n\r\n\(reason)"))
        #expect(server.refusals == ["\(status): \(reason)"])
        #expect(server.requests.isEmpty)
    }

    @Test("A head above the limit is rejected, even before its end")
    func largeHead() throws {
        let server = try Self.server(headBytes: 200)
        defer { server.stop() }
        let fitting = "GET / HTTP/1.1\r\nHost: a\r\nX: "
        for (length, status) in [(200, "200"), (201, "431")] {
            let client = try RawClient(server)
            try client.send(fitting + String(repeating: "x", count: length - fitting.utf8.count) + "\r\n\r\n")
            #expect(try client.read(through: "\r\n").hasPrefix("HTTP/1.1 \(status) "))
        }
        let endless = try RawClient(server)
        try endless.send(fitting + String(repeating: "x", count: 500))
        #expect(try endless.readToEnd().hasSuffix("The head of the request is larger than 200 bytes."))
    }

    @Test(
        "A body above the limit is rejected before it is read",
        arguments: ["Content-Length: 11\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n6\r\n"])
    func largeBody(rest: String) throws {
        let server = try Self.server(bodyBytes: 10)
        defer { server.stop() }
        let client = try RawClient(server)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\n" + rest)
        #expect(try client.readToEnd().hasSuffix("The body of the request is larger than 10 bytes."))
        #expect(server.refusals == ["413: The body of the request is larger than 10 bytes."])
    }

    @Test("A rejection reaches a client that is still sending")
    func refusalWhileSending() throws {
        let server = try Self.server(bodyBytes: 10)
        defer { server.stop() }
        let client = try RawClient(server)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n")
        // Larger than the system's buffers, so sending fails if the server does not read.
        try client.send(Array(repeating: 0x20, count: 10_000_000))
        #expect(try client.readToEnd().hasSuffix("The body of the request is larger than 10 bytes."))
    }

    @Test("A request that breaks off is rejected and recorded with the reason")
    func brokenOff() throws {
        for (text, refusal) in [
            ("G", "400: The request ends within its first line."),
            ("GET / HTTP/1.1\r\nHo", "400: The request ends within its head."),
            (
                "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab",
                "400: The request PUT /a ends within its body."
            ),
        ] {
            let client = try RawClient(server)
            try client.send(text)
            client.finishSending()
            #expect(try client.readToEnd().hasSuffix(refusal.dropFirst(5)))
            #expect(server.refusals.last == refusal)
        }
    }
}
