import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("LoopbackServer", .timeLimit(.minutes(1)))
struct LoopbackServerTests {
    @Test("A response is status line, fields, empty line and body")
    func wholeResponse() throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on(.get, "/gists", .json("[]", headers: ["X-A": "1"]))
        let client = try RawClient(server)
        try client.send("GET /gists HTTP/1.1\r\nHost: a\r\n\r\n")
        let expected =
            "HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]"
        #expect(try client.read(count: expected.utf8.count) == expected)
    }

    @Test("URLSession understands it")
    func session() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on(.post, "/echo") { request in .data(request.body) }
        var request = URLRequest(url: server.url("/echo"))
        request.httpMethod = "POST"
        request.httpBody = Data("hello".utf8)
        let (data, response) = try await URLSession.shared.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "hello")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(server.requests.map(\.path) == ["/echo"])
    }
}
