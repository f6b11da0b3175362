import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

private enum Caller {
    @TaskLocal static var name = "nobody"
}

struct TransportTests {
    private let request = TransportRequest(.get, URL(string: "https://example.com/")!)

    @Test("By default a transport has an unknown identity and no metrics")
    func defaults() async throws {
        let transport = SilentTransport(base: StubTransport("1"))
        #expect(transport.identity(for: request) == .unknown)
        #expect(try await transport.response(to: request).metrics == nil)
    }

    @Test("Timeouts are cut to the range of platforms, in requests and options")
    func boundedTimes() {
        var request = request
        request.timeout = .seconds(Int64.max)
        #expect(request.timeout == .seconds(1_000_000_000))
        request.timeout = .milliseconds(1)
        #expect(request.timeout == .milliseconds(1))
        #if !os(Linux) || FoundationNetworking
        var options = URLSessionTransport.Options()
        options.timeout = .seconds(9_223_372_036_854_775)
        #expect(options.timeout == .seconds(1_000_000_000))
        #endif
    }

    @Test("The caller's task-local values reach the transport through the client and every layer")
    func taskLocals() async throws {
        let seen = WordLog()
        let stub = StubTransport { request in
            seen.add(Caller.name)
            return .stub("1", url: request.url)
        }
        let layers = LoggingTransport(InterceptingTransport(stub, inspecting: { _, _ in }), sink: { _ in })
        let signedIn = try AuthenticatingTransport(layers, origins: [request.url], token: "a", account: { $0 })
        let client = APIClient(
            transport: CoalescingTransport(
                RetryTransport(ReachabilityTransport(signedIn, isConnected: { true }))))
        var endpoint = Endpoint<Int>.get(.url(request.url))
        endpoint.prepare = { $0.deadline = .now + .seconds(5000) }
        try await Caller.$name.withValue("me") { () async throws -> Void in
            #expect(try await client.value(endpoint) == 1)
            #expect(try await client.request(endpoint).value() == 1)
        }
        #expect(seen.words == ["me", "me"])
    }

    @Test("The caller's task-local values reach the transport through every call of a client")
    func taskLocalsOfCalls() async throws {
        let seen = WordLog()
        let stub = StubTransport { request in
            seen.add(Caller.name)
            return .stub("[]", url: request.url)
        }
        let client = APIClient(transport: stub)
        let endpoint = Endpoint<[Int]>.get(.url(request.url))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("locals-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try await Caller.$name.withValue("me") { () async throws -> Void in
            try await client.send(endpoint)
            #expect(try await client.response(endpoint).status == 200)
            for try await _ in client.values(endpoint) {}
            for try await _ in client.signal(endpoint) {}
            for try await _ in client.pages(endpoint, by: PageNumberPagination()) {}
            for try await _ in client.elements(Endpoint<[StoredGist]>.get(.url(request.url))) {}
            _ = try await client.download(Endpoint<Data>.get(.url(request.url)), to: file)
            await withCheckedContinuation { continuation in
                client.request(endpoint) { _ in continuation.resume() }
            }
        }
        #expect(seen.words == Array(repeating: "me", count: 8))
    }

    @Test("A method can be a string literal")
    func literalMethod() {
        let method: HTTPMethod = "QUERY"
        #expect(method == HTTPMethod("QUERY"))
    }

    @Test("prepared() validates the request, turns its user into a field and measures its file")
    func prepared() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("abc".utf8).write(to: file)
        let url = try #require(URL(string: "https://Aladdin:open%20sesame@example.com/a"))
        let prepared = try TransportRequest(.put, url, body: .file(file)).prepared()
        #expect(prepared.url.absoluteString == "https://example.com/a")
        #expect(prepared.headers == [.authorization: "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="])
        #expect(prepared.body?.length == 3)
        #expect(throws: RequestError.self) { try TransportRequest("a b", url).prepared() }
    }

    @Test(
        "User and password of a URL are unescaped once, and fail the request if they are not UTF-8 then",
        arguments: [
            ("100%25:50%25off", "100%:50%off"), ("a%2540b:%2525", "a%40b:%25"), ("al%40ice", "al@ice:"),
            (":p%3A", ":p:"), ("%FF", nil), ("%FF:b", nil), ("a:%FF", nil),
        ] as [(String, String?)])
    func credentialsOfURL(escaped: String, credentials: String?) async throws {
        let request = TransportRequest(.get, try #require(URL(string: "https://\(escaped)@example.com/a")))
        guard let credentials else {
            await expectRequestError(
                "The request cannot be sent: user or password in the URL is not UTF-8 once unescaped."
            ) { _ = try request.prepared() }
            return
        }
        let prepared = try request.prepared()
        #expect(prepared.headers == [.authorization: "Basic \(Data(credentials.utf8).base64EncodedString())"])
        #expect(prepared.url.absoluteString == "https://example.com/a")
    }
}
