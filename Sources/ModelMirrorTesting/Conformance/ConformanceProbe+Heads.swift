import ModelMirrorFoundation
import ModelMirrorNetworking

/// Checks of request and response heads.
extension ConformanceProbe {
    func statusIsNotJudged() async throws {
        for status in [200, 201, 299, 400, 401, 404, 418, 429, 500, 503, 599] {
            server.on(.get, "/\(status)", .json("{\"status\":\(status)}", status: status))
            let (response, body) = try await fetch(request(.get, "/\(status)"))
            try expect(response.status, equals: status, "the status")
            try expect(String(decoding: body, as: UTF8.self), equals: "{\"status\":\(status)}", "the body of \(status)")
        }
    }

    func headBeforeBody() async throws {
        let gate = Gate()
        // JSON, because platforms delay the head of a body whose type they want to guess.
        server.on(
            .get, "/",
            .streaming(headers: [.contentType: "application/json", "X-A": "1"]) { writer in
                try writer.wait(at: gate)
                try writer.write("[]")
            })
        begin("the head was awaited, with the body held back by the server")
        let response = try await transport.response(to: request(.get, "/"))
        try expect(response.headers["X-A"], equals: "1", "the field X-A")
        gate.open()
        begin("the body was read")
        let body = try await response.body.collect(limit: 100)
        try expect(String(decoding: body, as: UTF8.self), equals: "[]", "the body")
    }

    func responseFields() async throws {
        let cookies = ["a=1; Expires=Wed, 21 Oct 2065 07:28:00 GMT; Path=/", "b=2"]
        var headers: HTTPHeaders = ["X-MiXeD": "Value", "X-List": "1"]
        headers.append("2", for: "X-List")
        for cookie in cookies { headers.append(cookie, for: .setCookie) }
        server.on(.get, "/", .json("[]", headers: headers))
        let (response, _) = try await fetch(request(.get, "/"))
        try expect(response.headers["x-mixed"], equals: "Value", "the field x-mixed")
        try expect(response.headers["X-LIST"], equals: "1, 2", "the repeated field X-LIST")
        try expect(response.headers.values(for: .setCookie), equals: cookies, "the list of Set-Cookie fields")
        try expect(response.url.absoluteString, equals: server.url("/").absoluteString, "the URL of the response")
        try expect(response.expectedLength, equals: 2, "the expected length")
    }

    func requestFields() async throws {
        server.on(.get, "/", .json("[]"))
        var headers: HTTPHeaders = [
            "X-One": "a b", .accept: "application/json", .userAgent: "conformance/1", .cookie: "a=1; b=2",
            .ifNoneMatch: "\"1\"", "x-list": "1",
        ]
        headers.append("2", for: "X-List")
        _ = try await fetch(request(.get, "/", headers: headers))
        let sent = server.requests[0].headers
        for name in ["x-one", .accept, .userAgent, .cookie, .ifNoneMatch] as [HeaderName] {
            try expect(sent[name], equals: headers[name], "the field \(name) of the request")
        }
        try expect(sent["X-List"], equals: "1, 2", "the repeated field X-List of the request")

        for (name, value) in [
            ("X-A", "1\r\nX-B: 2"), ("X-A", "1\n2"), ("X-A", "1\u{0}2"), ("X A", "1"), ("X:", "1"), ("", "1"),
            ("Host", "a"), ("content-length", "1"), ("Transfer-Encoding", "chunked"),
        ] {
            let refused = request(.get, "/", headers: [HeaderName(name): value])
            let what = "a request with the field \(name.debugDescription): \(value.debugDescription)"
            let error = try await error(of: what) { try await transport.response(to: refused) }
            guard case .invalidRequest = error else {
                throw Unmet("\(what) throws \"\(error)\", expected invalidRequest")
            }
        }
        try expect(server.requestCount, equals: 1, "the count of requests that arrived")
    }

    func requestTarget() async throws {
        server.on(nil, "/*", .json("[]"))
        let targets = [
            "/", "/a%20b/%C3%A9", "/a%2Fb", "/q?x=1%2B1&y=a+b&z=%26&empty=&bare", "/users/octocat/gists?page=2",
        ]
        for target in targets {
            _ = try await fetch(request(.get, target))
            try expect(server.requests.last?.target, equals: target, "the target")
        }
        _ = try await fetch(request(.get, "/fragment#here"))
        try expect(server.requests.last?.target, equals: "/fragment", "the target of a URL with a fragment")
        for method in [HTTPMethod.get, .post, .put, .patch, .delete, .options, "PROPFIND".method] {
            _ = try await fetch(request(method, "/method"))
            try expect(server.requests.last?.method, equals: method, "the method")
        }
    }

    func informationalResponses() async throws {
        server.on(
            .get, "/",
            .raw { writer in
                try writer.write("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n")
                try writer.write("HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]")
            })
        let (response, body) = try await fetch(request(.get, "/"))
        try expect(response.status, equals: 200, "the status after 103")
        try expect(response.headers["X-A"], equals: "1", "the field X-A")
        try expect(String(decoding: body, as: UTF8.self), equals: "[]", "the body")
    }
}

extension String {
    fileprivate var method: HTTPMethod { HTTPMethod(self) }
}
