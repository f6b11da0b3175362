import ModelMirrorFoundation
import ModelMirrorNetworking

/// Checks of response bodies.
extension ConformanceProbe {
    func emptyBodies() async throws {
        server.on(.get, "/204", .status(204))
        server.on(.get, "/304", .status(304, headers: [.eTag: "\"1\""]))
        server.on(.get, "/200", .json(""))
        server.on(.get, "/full", .json("12345"))
        for status in [204, 304, 200] {
            let (response, body) = try await fetch(request(.get, "/\(status)"))
            try expect(response.status, equals: status, "the status")
            try expect(body.count, equals: 0, "the count of bytes with \(status)")
        }
        let (response, body) = try await fetch(request(.head, "/full"))
        try expect(response.headers[.contentLength], equals: "5", "the Content-Length of the answer to HEAD")
        try expect(body.count, equals: 0, "the count of bytes in the answer to HEAD")
        let (_, full) = try await fetch(request(.get, "/full"))
        try expect(String(decoding: full, as: UTF8.self), equals: "12345", "the body after them")
    }

    func largeBodies() async throws {
        let length = 8 << 20 + 13
        server.on(.get, "/", .oversized(length))
        begin("the head of a large body was awaited")
        let response = try await transport.response(to: request(.get, "/"))
        try expect(response.expectedLength, equals: Int64(length), "the expected length")
        begin("a large body was read")
        try expect(try await readPattern(response.body), equals: length, "the count of bytes")
    }

    /// Reads a body of the server's pattern to its end and returns the offset there.
    private func readPattern(_ body: ResponseBody, from start: Int = 0) async throws -> Int {
        var offset = start
        for try await chunk in body {
            progress()
            try expect(!chunk.isEmpty, "a chunk is empty")
            try expect(
                chunk == LoopbackResponse.pattern(offset..<offset + chunk.count),
                "the bytes from \(offset) to \(offset + chunk.count) are not those that were sent")
            offset += chunk.count
        }
        return offset
    }

    func chunkedBodies() async throws {
        let pieces = ["[", "1,", String(repeating: " ", count: 70_000), "2", "]"]
        server.on(.get, "/", .chunked(pieces.map { Data($0.utf8) }))
        begin("the head of a chunked body was awaited")
        let response = try await transport.response(to: request(.get, "/"))
        try expect(response.expectedLength, equals: nil, "the expected length of a chunked body")
        begin("a chunked body was read")
        var body = Data()
        for try await chunk in response.body {
            try expect(!chunk.isEmpty, "a chunk is empty")
            body.append(chunk)
        }
        try expect(body == Data(pieces.joined().utf8), "the chunks are not those that were sent")
        var iterator = response.body.makeAsyncIterator()
        try expect(try await iterator.next(), equals: nil, "the chunk after the end of the body")

        server.on(
            .get, "/closing",
            .raw {
                try $0.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n[1, 2]")
            })
        let (_, closed) = try await fetch(request(.get, "/closing"))
        try expect(String(decoding: closed, as: UTF8.self), equals: "[1, 2]", "a body that ends with the connection")
    }

    func backPressure() async throws {
        let length = 48 << 20
        server.on(.get, "/", .oversized(length))
        begin("the head of a large body was awaited")
        let response = try await transport.response(to: request(.get, "/"))
        var iterator = response.body.makeAsyncIterator()
        begin("the first chunk of a large body was read")
        guard let first = try await iterator.next() else { throw Unmet("a body of \(length) bytes has no chunk") }
        begin("the server waited for the client to stop reading")
        let exchange = try await server.exchanges(atLeast: 1)[0]
        try await exchange.stalled()
        let written = exchange.bytesWritten
        try expect(written < length / 2, "of \(length) bytes, the transport takes \(written) while nobody reads")
        begin("the rest of a large body was read")
        try expect(try await readPattern(response.body, from: first.count), equals: length, "the count of bytes")
    }

    func droppedBody() async throws {
        server.on(
            .get, "/",
            .streaming { writer in
                while true { try writer.write(LoopbackResponse.pattern(0..<1 << 16)) }
            })
        begin("the head of an endless body was awaited")
        do {
            let response = try await transport.response(to: request(.get, "/"))
            var iterator = response.body.makeAsyncIterator()
            try expect(try await iterator.next() != nil, "an endless body has no chunk")
        }
        try await expectEndOfConnection("its body was dropped")
    }
}
