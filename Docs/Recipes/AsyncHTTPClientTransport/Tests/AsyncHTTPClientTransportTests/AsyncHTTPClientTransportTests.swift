import AsyncHTTPClientTransport
import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct AsyncHTTPClientTransportTests {
    @Test("The transport keeps the contract", arguments: TransportConformance.Check.allCases)
    func conforms(_ check: TransportConformance.Check) async throws {
        let failures = try await TransportConformance.failures(
            of: [check],
            close: { transport in
                try await (transport as? AsyncHTTPClientTransport)?.shutdown()
            }
        ) { _ in AsyncHTTPClientTransport() }
        #expect(failures == [])
    }

    @Test("What a transfer took is told")
    func metrics() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on(.post, "/", .json("[1, 2]"))
        let transport = AsyncHTTPClientTransport()
        let request = TransportRequest(.post, server.url("/"), body: .data(Data("four".utf8)))
        let response = try await transport.response(to: request)
        #expect(try await response.body.collect(limit: 100).count == 6)
        let metrics = try #require(response.metrics)
        #expect(metrics.sentBytes == 4)
        #expect(metrics.receivedBytes == 6)
        #expect(metrics.httpVersion == "1.1")
        #expect(try #require(metrics.firstByte) <= #require(metrics.total))
        #expect(transport.identity(for: request) == .none)
        try await transport.shutdown()
    }

    @Test("The account is the one that is named")
    func account() async throws {
        let transport = AsyncHTTPClientTransport(account: "device-7")
        let request = TransportRequest(.get, try #require(URL(string: "https://example.com")))
        #expect(transport.identity(for: request) == .account("device-7"))
        try await transport.shutdown()
    }
}
