import ModelMirrorFoundation
import ModelMirrorNetworking

/// Checks of failing and of concurrent connections.
extension ConformanceProbe {
    func brokenResponses() async throws {
        server.on(.post, "/once", .reset())
        try await expectConnection(
            .connectionLost, "a POST that is reset", request(.post, "/once", body: .data(Data("[]".utf8))))
        try expect(server.requestCount, equals: 1, "the count of arrivals of a POST that is reset")

        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n[1,"
        let cases: [(String, LoopbackResponse)] = [
            ("closed", .closed()),
            ("reset", .reset()),
            ("closed-in-status", .raw { try $0.write("HTTP/1.1 20") }),
            ("truncated", .truncated("[1,2,3,4,5]", after: 3)),
            ("truncated-before-body", .wrongContentLength(5, body: "")),
            ("truncated-chunks", .truncatedChunks(["[1,", "2,"])),
            ("truncated-in-chunk", .raw { try $0.write(Self.cutChunk) }),
        ]
        for (name, response) in cases {
            server.on(.get, "/\(name)", response)
            try await expectConnection(.connectionLost, "a response that is \(name)", request(.get, "/\(name)"))
        }

        let gate = Gate()
        server.on(.get, "/reset-in-body", .reset(after: head, at: gate))
        begin("the head of a response that is reset later was awaited")
        let response = try await transport.response(to: request(.get, "/reset-in-body"))
        gate.open()
        let error = try await error(of: "a body that is reset") { try await response.body.collect(limit: 1000) }
        guard case .connection(let failure) = error, failure.kind == .connectionLost else {
            throw Unmet(
                "a body that is reset throws \"\(error)\", expected a connection failure of the kind connectionLost")
        }

        server.on(.get, "/good", .json("[]"))
        let (good, _) = try await fetch(request(.get, "/good"))
        try expect(good.status, equals: 200, "the status after the failures")
    }

    func brokenHeads() async throws {
        for (number, text) in ["HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\nX: 1\r\n"]
            .enumerated()
        {
            server.on(.get, "/\(number)", .raw { try $0.write(text) })
            let what = "a response that ends after \(text.debugDescription)"
            try await expectConnection(.connectionLost, what, request(.get, "/\(number)"))
        }
    }

    private static let cutChunk =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n[1,"

    func noHTTP() async throws {
        server.on(.get, "/garbage", .garbage())
        server.on(.get, "/binary", .raw { try $0.write(Data([0, 1, 2, 255, 254, 13, 10, 13, 10])) })
        for path in ["/garbage", "/binary"] {
            try await expectConnection(.badResponse, "the answer to \(path)", request(.get, path))
        }
    }

    func refusedConnection() async throws {
        let port = try RefusingPort()
        try await expectConnection(.cannotConnect, "a request to a port that refuses", TransportRequest(.get, port.url))
    }

    func timeout() async throws {
        // Long, and the pauses much shorter, since a busy machine makes them longer.
        let limit: Duration = .seconds(3)
        server.on(.get, "/silent", .hanging())
        server.on(.get, "/stuck", .slow(["[1,", "2]"], at: Gate(passes: 1)))
        server.on(.get, "/slow", .slow(["[1,", "2,", "3,", "4]"], every: .milliseconds(800)))
        func timed(_ path: String) -> TransportRequest {
            var request = request(.get, path)
            request.timeout = limit
            return request
        }
        async let slow = fetch(timed("/slow"))
        async let silent: Void = expectConnection(.timedOut, "a request without an answer", timed("/silent"))
        async let stuck: Void = expectConnection(.timedOut, "a body that stops", timed("/stuck"))
        try await silent
        try await stuck
        let (_, body) = try await slow
        try expect(
            String(decoding: body, as: UTF8.self), equals: "[1,2,3,4]",
            "a body with pauses shorter than the timeout, and longer in all,")
    }

    func concurrency() async throws {
        server.on(.post, "/echo/:number") { request in
            .data(
                request.body + Data((request.parameters["number"] ?? "").utf8),
                headers: ["X-Number": request.parameters["number"] ?? ""])
        }
        begin("128 requests were under way, 32 at a time")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<128 {
                if number >= 32 { try await group.next() }
                group.addTask {
                    let payload = Data(repeating: UInt8(number), count: 100 + number * 37)
                    let response = try await transport.response(
                        to: request(.post, "/echo/\(number)", body: .data(payload)))
                    let body = try await response.body.collect(limit: 1 << 20)
                    progress()
                    try expect(response.headers["X-Number"], equals: "\(number)", "the field X-Number")
                    try expect(
                        body == payload + Data("\(number)".utf8), "request \(number) got the body of another")
                }
            }
            try await group.waitForAll()
        }
        try expect(server.requestCount, equals: 128, "the count of requests that arrived")
    }
}
