import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("LoopbackServer", .timeLimit(.hung), .network)
struct LoopbackServerTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    /// The whole response to a request on a connection of its own.
    private func answer(to path: String, method: String = "GET") throws -> String {
        let client = try RawClient(server)
        try client.send("\(method) \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        return try client.readToEnd()
    }

    @Test("A response consists of status line, fields, empty line and body")
    func wholeResponse() throws {
        server.on(.get, "/gists", .json("[]", headers: ["X-A": "1"]))
        let client = try RawClient(server)
        try client.send(get("/gists"))
        let expected =
            "HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]"
        #expect(try client.read(count: expected.utf8.count) == expected)
    }

    @Test("URLSession receives the response of a handler")
    func session() async throws {
        server.on(.post, "/echo") { request in .data(request.body) }
        var request = URLRequest(url: server.url("/echo"))
        request.httpMethod = "POST"
        request.httpBody = Data("hello".utf8)
        let (data, response) = try await URLSession.shared.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "hello")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(server.requests.map(\.path) == ["/echo"])
        #expect(try await server.exchanges[0].ended() == .sent)
    }

    @Test("All parts of a request are recorded")
    func recorded() throws {
        server.on(.put, "/users/:name/*", .status(204))
        let client = try RawClient(server)
        try client.send(
            "PUT /users/a%20b%2Fc%C3%A9/x?q=1%2B1&r=a+b&&flag HTTP/1.1\r\nHOST: a\r\nx-MIXED:  v \t\r\nX-Two: 1\r\n"
                + "x-two: 2\r\nContent-Length: 7\r\n\r\n{\"a\":1}")
        #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 204 No Content\r\n\r\n")
        let request = server.requests[0]
        #expect(request.method == .put)
        #expect(request.target == "/users/a%20b%2Fc%C3%A9/x?q=1%2B1&r=a+b&&flag")
        #expect(request.path == "/users/a b/cé/x")
        #expect(request.query == "q=1%2B1&r=a+b&&flag")
        #expect(
            request.queryItems == [
                URLQueryItem(name: "q", value: "1+1"), URLQueryItem(name: "r", value: "a+b"),
                URLQueryItem(name: "flag", value: nil),
            ])
        #expect(request.queryValue("q") == "1+1")
        #expect(request.headers["X-Mixed"] == "v")
        #expect(request.headers.values(for: "X-Two") == ["1", "2"])
        #expect(request.text == "{\"a\":1}")
        #expect(try request.json() == ["a": 1])
        #expect(request.connection == 1)
    }

    @Test(
        "A pattern takes its parameters from the path's segments",
        arguments: [
            ("/a", "/a", [:]), ("/:x", "/1", ["x": "1"]), ("/:x/b/:y", "/1/b/2", ["x": "1", "y": "2"]),
            ("/a/*", "/a/b/c", [:]), ("/a/*", "/a", [:]), ("/*", "/", [:]), ("/a", "/a/", nil), ("/a", "/A", nil),
            ("/:x", "/", nil), ("/a/:x", "/a", nil), ("/a/:x", "/a/1/2", nil),
        ] as [(String, String, [String: String]?)])
    func patterns(pattern: String, path: String, expected: [String: String]?) throws {
        server.on(.get, pattern) { request in
            .text(request.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ","))
        }
        let response = try answer(to: path)
        if let expected {
            let text = expected.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
            #expect(response.hasPrefix("HTTP/1.1 200 ") && response.hasSuffix("\r\n\r\n\(text)"))
        } else {
            #expect(response.hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test(
        "A pattern that matches nothing makes every response a 500 with a description",
        arguments: [
            ("/a/*/c", star), ("/a*", star), ("/*.json", star),
            ("a", "does not begin with a slash, so that it matches nothing."),
        ])
    func unusablePattern(pattern: String, fault: String) throws {
        server.on(.get, "/b", .text("b"))
        server.on(.get, pattern, .text("a"))
        for path in ["/a", "/b"] {
            let response = try answer(to: path)
            #expect(response.hasPrefix("HTTP/1.1 500 "))
            #expect(response.hasSuffix("The request cannot be sent: the route GET \(pattern) \(fault)"))
        }
    }

    private static let star =
        "has a * that is not its last segment, where it matches nothing; use :name for one segment."

    @Test("The last matching route responds, GET also to HEAD, and a route without method to any")
    func routes() throws {
        server.on(.get, "/a", .text("old"))
        server.on(.get, "/a", .text("new"))
        server.on(nil, "/any", .text("any"))
        let client = try RawClient(server)
        try client.send(get("/a"))
        #expect(try client.read(through: "\r\n\r\nnew").hasSuffix("Content-Length: 3\r\n\r\nnew"))
        try client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\nBREW /any HTTP/1.1\r\nHost: a\r\n\r\n")
        let both = try client.read(through: "any")
        #expect(both.components(separatedBy: "HTTP/1.1 200 OK").count == 3)
        #expect(both.contains("Content-Length: 3\r\n\r\nHTTP/1.1"))
    }

    @Test("A request without a route gets a 404 that lists the routes")
    func unmatched() throws {
        server.on(.get, "/a", .text("a"))
        server.on(nil, "/b/:c", .text("b"))
        let body = "No route for POST /a. Routes: GET /a, any method /b/:c."
        #expect(
            try answer(to: "/a", method: "POST")
                == "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain; charset=utf-8\r\n"
                + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
    }

    @Test("A handler that throws causes a 500 with its error, and the connection is kept")
    func throwingHandler() async throws {
        struct Broken: Error {}
        server.on(.get, "/throws") { _ in throw Broken() }
        server.on(.get, "/injected", .json("[]", headers: ["X-A": "1\r\nX-B: 2"]))
        server.on(.get, "/fine", .text("fine"))
        let client = try RawClient(server)
        try client.send(get("/throws") + get("/injected") + get("/fine"))
        let text = try client.read(through: "\r\n\r\nfine")
        #expect(text.contains("The handler of GET /throws failed: Broken()"))
        #expect(text.contains("the value of the response's header \"X-A\" contains a line break or a zero byte"))
        #expect(text.components(separatedBy: "HTTP/1.1 500 Internal Server Error").count == 3)
        #expect(try await server.exchanges[0].ended() == .failed("Broken()"))
    }

    @Test("An exchange has its status once the client has received it, and none for raw bytes")
    func statuses() throws {
        struct Broken: Error {}
        server.on(.get, "/kept", .status(304))
        server.on(.get, "/streamed", .chunked([Data("a".utf8)]))
        server.on(.get, "/throws") { _ in throw Broken() }
        server.on(.get, "/raw", .garbage("HTTP/1.1 299 Own\r\nContent-Length: 0\r\n\r\n"))
        let client = try RawClient(server)
        let ends = [
            ("/kept", "\r\n\r\n"), ("/streamed", "\r\n0\r\n\r\n"), ("/throws", "failed: Broken()"),
            ("/missing", "404 Not Found"),
        ]
        for (path, end) in ends {
            try client.send(get(path))
            _ = try client.read(through: end)
        }
        #expect(server.exchanges.map(\.status) == [304, 200, 500, 404])
        let other = try RawClient(server)
        try other.send(get("/raw"))
        #expect(try other.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 299"))
        #expect(server.exchanges.last?.status == nil)
    }

    @Test("A stopped server refuses connections, closes all, and can be stopped again")
    func stopping() async throws {
        server.on(.get, "/hang", .hanging())
        let idle = try RawClient(server)
        let hanging = try RawClient(server)
        try hanging.send(get("/hang"))
        try idle.send(get("/"))
        _ = try idle.read(through: "Routes: GET /hang.")
        _ = try await server.exchanges(atLeast: 2)
        server.stop()
        server.stop()
        #expect(server.openConnectionCount == 0)
        #expect(try idle.readToEnd() == "")
        #expect(try hanging.readToEnd() == "")
        // The server of another test may get a freed port, but not each time.
        let servers = [server] + (try (0..<4).map { _ in try LoopbackServer() })
        for server in servers { server.stop() }
        #expect(
            servers.contains { server in
                do {
                    _ = try StreamSocket.connected(to: server.port)
                    return false
                } catch {
                    return (error as? SocketFailure)?.isRefusal == true
                }
            })
    }

    @Test("A handler can stop its own server")
    func stoppingItself() throws {
        let server = server
        server.on(.get, "/stop") { _ in
            server.stop()
            return .text("late")
        }
        let client = try RawClient(server)
        try client.send(get("/stop"))
        #expect(try client.readToEnd() == "")
        server.stop()
    }

    @Test("A port can be reused at once, and a taken port is an error that names the call")
    func ports() throws {
        let port = server.port
        #expect(server.url.absoluteString == "http://127.0.0.1:\(port)")
        let client = try RawClient(server)
        try client.send(get("/"))
        _ = try client.read(through: "Routes: none.")
        do {
            _ = try LoopbackServer(port: port)
            Issue.record("A port is bound twice.")
        } catch {
            #expect(String(describing: error).hasPrefix("bind on 127.0.0.1 failed with errno "))
        }
        server.stop()
        try LoopbackServer(port: port).stop()
    }

    @Test("A refusing port refuses connections while it is held")
    func refusing() throws {
        let port = try RefusingPort()
        let number = try #require(port.url.port)
        do {
            _ = try StreamSocket.connected(to: UInt16(number))
            Issue.record("The port accepts a connection.")
        } catch let failure as SocketFailure {
            #expect(failure.isRefusal)
        }
        withExtendedLifetime(port) {}
    }

    /// The number of the process's sockets that are bound to a port: the listening one and those accepted there.
    /// Other suites run meanwhile, so only this server's own are counted.
    private func sockets(of port: UInt16) -> Int {
        (0..<Int32(4096)).count { descriptor in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            return result == 0 && address.sin_family == sa_family_t(AF_INET)
                && UInt16(bigEndian: address.sin_port) == port
        }
    }

    @Test("A stopped server leaves no sockets")
    func noSocketLeft() async throws {
        let gate = Gate()
        server.on(.get, "/hang", .hanging(until: gate))
        let clients = try (0..<8).map { _ in try RawClient(server) }
        for client in clients { try client.send(get("/hang")) }
        try await gate.arrivals(atLeast: 8)
        // Optimized code releases clients after their last use, which would close their connections.
        withExtendedLifetime(clients) { #expect(sockets(of: server.port) == 9) }
        server.stop()
        #expect(sockets(of: server.port) == 0)
    }

    @Test("5,000 requests over 64 connections each get their own response")
    func load() async throws {
        server.on(.get, "/item/:number") { request in .text("<\(request.parameters["number"] ?? "")>") }
        let server = server
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Few tasks, as each blocks its thread; each has 16 connections under way at once.
            for lane in 0..<4 {
                group.addTask {
                    let clients = try (0..<16).map { _ in try RawClient(server) }
                    for round in 0..<79 {
                        for (index, client) in clients.enumerated() {
                            try client.send("GET /item/\(lane).\(index).\(round) HTTP/1.1\r\nHost: a\r\n\r\n")
                        }
                        for (index, client) in clients.enumerated() {
                            let text = try client.read(through: ">")
                            guard text.hasSuffix("<\(lane).\(index).\(round)>") else {
                                Issue.record("Connection \(lane).\(index) got \(text) in round \(round).")
                                return
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requestCount == 64 * 79)
        #expect(server.connectionCount == 64)
    }

    @Test("Only the most recent exchanges are kept")
    func forgetting() throws {
        var limits = LoopbackServer.Limits()
        limits.recordedExchanges = 3
        let small = try LoopbackServer(limits: limits)
        defer { small.stop() }
        small.on(.get, "/*", .text("!"))
        let client = try RawClient(small)
        for number in 0..<8 {
            try client.send(get("/\(number)"))
            _ = try client.read(through: "!")
        }
        #expect(small.requestCount == 8)
        #expect(small.requests.map(\.path) == ["/4", "/5", "/6", "/7"])
        small.forgetExchanges()
        #expect(small.requests.isEmpty && small.requestCount == 0)
    }
}
