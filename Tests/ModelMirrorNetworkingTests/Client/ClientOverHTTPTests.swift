import Foundation
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

/// What clients do over a real connection to a server on 127.0.0.1.
@Suite("Clients over HTTP", .timeLimit(.hung), .network)
struct ClientOverHTTPTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func client(_ kind: TransportUnderTest) -> APIClient {
        APIClient(transport: kind.make(), baseURL: server.url)
    }

    @Test(
        "A client with an account keeps its stored responses apart from those of other accounts",
        arguments: TransportUnderTest.allCases)
    func accounts(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/me") { request in .json("\"\(request.headers["X-Token"] ?? "")\"") }
        let authenticating: AuthenticatingTransport<String> = try AuthenticatingTransport(
            kind.make(), origins: [server.url], credential: "token", adapt: { $0.headers["X-Token"] = $1 })
        for transport in [kind.make(), authenticating] as [any Transport] {
            let store = MemoryStore()
            for account in ["alice", "bob", "alice"] {
                var client = APIClient(
                    transport: transport, baseURL: server.url, persistence: Persistence.keeping(store))
                client.account = account
                let token: String = try await client.value(.get("me"))
                #expect(token == (transport is AuthenticatingTransport<String> ? "token" : ""))
            }
            #expect(store.count == 2)
        }
        #expect(server.requestCount == 4)
    }

    @Test(
        "Upload progress is reported for a body in memory and for a multipart form with a file",
        arguments: TransportUnderTest.allCases)
    func upload(_ kind: TransportUnderTest) async throws {
        let client = client(kind)
        let length = 400_000
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID())")
        try LoopbackResponse.pattern(0..<length).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let bodies: [RequestParameters] = [
            .data(LoopbackResponse.pattern(0..<length), contentType: "application/octet-stream"),
            .multipart([FormPart(name: "file", file: file)]),
        ]
        for body in bodies {
            let gate = Gate()
            // The handler runs once the body has arrived; the response waits until that progress is reported.
            server.on(.post, "/upload") { request in .json("\(request.body.count)").held(at: gate) }
            let told = Observed<[RequestProgress.Transfer]>([])
            let request = client.request(Endpoint<Int64>.post("upload", parameters: body))
            request.progress { progress in told.update { $0.append(progress.upload) } }
            let transfers = try await told.wait { transfers in transfers.last?.fraction == 1 }
            gate.open()
            let received = try await request.value()
            #expect(received >= length)
            #expect(request.progress.upload == RequestProgress.Transfer(bytes: received, total: received))
            #expect(transfers.allSatisfy { $0.total == received })
            #expect(transfers.map(\.bytes) == transfers.map(\.bytes).sorted())
        }
    }

    @Test(
        "Download progress has a fraction only if the length is announced",
        arguments: TransportUnderTest.allCases, [true, false])
    func download(_ kind: TransportUnderTest, isAnnounced: Bool) async throws {
        let client = client(kind)
        let gate = Gate()
        server.on(
            .get, "/list",
            .streaming(length: isAnnounced ? 5 : nil, headers: [.contentType: "application/json"]) { writer in
                for piece in ["[1", ",2", "]"] {
                    try writer.write(piece)
                    try writer.wait(at: gate)
                }
            })
        let told = Observed<[RequestProgress.Transfer]>([])
        let request = client.request(Endpoint<[Int]>.get("list"))
        request.progress { progress in told.update { $0.append(progress.download) } }
        for bytes: Int64 in [2, 4] {
            let last = try await told.wait { transfers in transfers.last?.bytes == bytes }.last
            #expect(last == RequestProgress.Transfer(bytes: bytes, total: isAnnounced ? 5 : nil))
            #expect(last?.fraction == (isAnnounced ? Double(bytes) / 5 : nil))
            gate.pass(1)
        }
        gate.open()
        #expect(try await request.value() == [1, 2])
        #expect(request.progress.download == RequestProgress.Transfer(bytes: 5, total: 5))
    }

    @Test(
        "An https request to a server without TLS fails at once as notSecure",
        arguments: TransportUnderTest.allCases)
    func noTLS(_ kind: TransportUnderTest) async throws {
        let client = client(kind)
        let url = "https://127.0.0.1:\(server.port)/list"
        let error = await #expect(throws: RequestError.self) {
            try await client.send(.get(URLReference(verbatim: url)))
        }
        let failure = try #require(error?.connectionFailure)
        #expect(failure.kind == .notSecure)
        #expect(
            failure.description.hasPrefix(
                "No response from \(url): no secure connection could be made; check the certificate, and that this port speaks "
                    + "TLS ("))
        #expect(
            server.refusals.allSatisfy {
                $0 == "400: This is a TLS handshake, but this server speaks plain HTTP: use http URLs."
            })
        #expect(!server.refusals.isEmpty)
        #expect(server.requests.isEmpty)
    }

    @Test(
        "Twenty concurrent 401s cause one token refresh, and a 429 of the refresh is retried once",
        arguments: TransportUnderTest.allCases)
    func layers(_ kind: TransportUnderTest) async throws {
        let arrived = Gate()
        let first = LoopbackResponse.status(401).held(at: arrived)
        server.on(.get, "/number/:number") { request in
            request.headers[.authorization] == "Bearer new" ? .json(request.parameters["number"] ?? "") : first
        }
        server.on(
            .post, "/token",
            .sequence([.tooManyRequests(retryAfter: 0), .json(#"{"token": "new"}"#), .status(500)]))
        var policy = RetryPolicy()
        policy.isRepeatable = { _ in true }
        let base = RetryTransport(kind.make { $0.requestsPerHost = 20 }, policy: policy, random: { 0 })
        let url = server.url
        let transport = try AuthenticatingTransport(base, origins: [url], token: "old") { _, transport in
            try await APIClient(transport: transport, baseURL: url).value(.post("token", at: "token"))
        }
        let requests = (0..<20).map { number in
            APIClient(transport: transport, baseURL: url).request(Endpoint<Int>.get("number/\(number)"))
        }
        try await arrived.arrivals(atLeast: 20)
        arrived.open()
        for (number, request) in requests.enumerated() { #expect(try await request.value() == number) }
        #expect(server.requests.count { $0.path == "/token" } == 2)
        #expect(server.requestCount == 42)
    }

    @Test("A refused TLS connection fails with cannotConnect", arguments: TransportUnderTest.allCases)
    func refusedTLS(_ kind: TransportUnderTest) async throws {
        let port = try RefusingPort()
        let url = port.url.absoluteString.replacingOccurrences(of: "http:", with: "https:")
        let error = await #expect(throws: RequestError.self) {
            try await client(kind).send(.get(URLReference(verbatim: url)))
        }
        #expect(error?.failureKind == .cannotConnect)
    }
}
