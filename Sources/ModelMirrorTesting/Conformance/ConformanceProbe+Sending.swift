import ModelMirrorFoundation
import ModelMirrorNetworking

/// Checks of request bodies and redirects.
extension ConformanceProbe {
    func requestBodies() async throws {
        server.on(.post, "/", .json("[]"))
        try await withBodies { name, body, expected in
            _ = try await fetch(request(.post, "/", body: body))
            try expectArrival(of: expected, name)
        }
        _ = try await fetch(request(.post, "/"))
        try expect(server.requests.last?.body, equals: Data(), "the body that arrived for a request without one")

        for length in [4, 6] {
            let body = HTTPBody.chunks(length: length) { producer(["12345"]) }
            _ = try await error(of: "a body of 5 bytes that says \(length)") {
                try await fetch(request(.post, "/", body: body))
            }
        }
    }

    func bodiesAfterRedirect() async throws {
        for status in [307, 308] {
            server.on(.post, "/from", .redirect(to: "/to", status: status))
            server.on(.post, "/to", .json("[]"))
            try await withBodies { name, body, expected in
                _ = try await fetch(request(.post, "/from", body: body))
                try expectArrival(of: expected, "after \(status), \(name)")
                try expect(server.requests.last?.path, equals: "/to", "the path after \(status)")
                try expect(server.requests.last?.method, equals: .post, "the method after \(status)")
            }
        }
        server.on(.get, "/other", .json("[]"))
        for status in [301, 302, 303] {
            server.on(.post, "/see", .redirect(to: "/other", status: status))
            _ = try await fetch(request(.post, "/see", body: .data(Data("a".utf8))))
            try expect(server.requests.last?.method, equals: .get, "the method after \(status)")
            try expect(server.requests.last?.body, equals: Data(), "the body after \(status)")
        }
    }

    func redirectPolicy() async throws {
        server.on(.get, "/step/:left") { request in
            let left = Int(request.parameters["left"] ?? "") ?? 0
            return left == 0 ? .json("[]") : .redirect(to: "/step/\(left - 1)")
        }
        server.on(.get, "/loop", .redirect(to: "/loop", status: 301))

        var stopped = request(.get, "/step/2")
        stopped.redirects = .stop
        let (redirect, _) = try await fetch(stopped)
        try expect(redirect.status, equals: 302, "the status with the policy stop")
        try expect(redirect.headers[.location], equals: "/step/1", "the Location with the policy stop")
        try expect(redirect.url.path, equals: "/step/2", "the path of the response with the policy stop")

        var followed = request(.get, "/step/3")
        followed.redirects = .follow(limit: 3)
        let (end, _) = try await fetch(followed)
        try expect(end.status, equals: 200, "the status after 3 redirects")
        try expect(end.url.path, equals: "/step/0", "the path of the response after 3 redirects")

        for (path, limit) in [("/step/4", 3), ("/loop", 5), ("/step/1", 0)] {
            var limited = request(.get, path)
            limited.redirects = .follow(limit: limit)
            let what = "\(path) with \(limit) redirects allowed"
            let error = try await error(of: what) { [limited] in try await fetch(limited) }
            guard case .tooManyRedirects(limit) = error else {
                throw Unmet("\(what) throws \"\(error)\", expected tooManyRedirects(limit: \(limit))")
            }
        }
    }

    func redirectCredentials() async throws {
        let other = try LoopbackServer()
        defer { other.stop() }
        other.on(.get, "/", .json("[]"))
        server.on(.get, "/away", .redirect(to: other.url("/").absoluteString, status: 307))
        server.on(.get, "/near", .redirect(to: "/here", status: 307))
        server.on(.get, "/here", .json("[]"))
        let headers: HTTPHeaders = [
            .authorization: "Bearer secret", .cookie: "session=secret", .proxyAuthorization: "Basic c2VjcmV0",
            "X-Kept": "1",
        ]
        _ = try await fetch(request(.get, "/near", headers: headers))
        let near = server.requests.last?.headers
        try expect(near?[.authorization], equals: "Bearer secret", "the field Authorization at the same origin")
        try expect(near?["X-Kept"], equals: "1", "the field X-Kept at the same origin")

        _ = try await fetch(request(.get, "/away", headers: headers))
        guard let away = other.requests.last?.headers else {
            throw Unmet("the redirect to another origin is not followed")
        }
        try expect(away["X-Kept"], equals: "1", "the field X-Kept at another origin")
        for name in [HeaderName.authorization, .cookie, .proxyAuthorization] {
            try expect(away[name], equals: nil, "the field \(name) at another origin")
        }

        // Only `redirected(status:headers:policy:count:)` knows which field a layer added.
        let signedIn = try AuthenticatingTransport(transport, origins: [server.url], credential: "secret") {
            $0.headers["X-Conformance"] = $1
        }
        begin("GET /away was under way with the credential of an AuthenticatingTransport")
        _ = try await signedIn.response(to: request(.get, "/away")).body.collect(limit: 100)
        try expect(
            server.requests.last?.headers["X-Conformance"], equals: "secret",
            "the field of an AuthenticatingTransport at its own origin")
        try expect(
            other.requests.last?.headers["X-Conformance"], equals: nil,
            "the field of an AuthenticatingTransport at another origin")
    }

    private func withBodies(_ use: (String, HTTPBody, Data) async throws -> Void) async throws {
        let small = Data("{\"a\":1}".utf8)
        let large = LoopbackResponse.pattern(0..<(1 << 20) + 7)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("conformance-\(UUID().uuidString)")
        try large.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let pieces = ["one", "", "two", String(repeating: "3", count: 100_000)]
        let joined = Data(pieces.joined().utf8)
        try await use("a body in memory", .data(small), small)
        try await use("an empty body in memory", .data(Data()), Data())
        try await use("a large body in memory", .data(large), large)
        try await use("a file", .file(file), large)
        try await use("a body in chunks of a known length", .chunks(length: joined.count) { producer(pieces) }, joined)
        try await use("a body in chunks of unknown length", .chunks { producer(pieces) }, joined)
        try await use("a body of no chunks", .chunks { producer([]) }, Data())
    }
}

/// Produces texts one after the other.
private func producer(_ texts: [String]) -> HTTPBody.ChunkProducer {
    var rest = texts[...]
    return { rest.popFirst().map { Data($0.utf8) } }
}
