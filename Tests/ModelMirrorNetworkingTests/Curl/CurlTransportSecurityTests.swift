#if os(Linux)
import Foundation
import ModelMirrorNetworking
import Testing

/// TLS and HTTP/2, against an nginx with its own authority.
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: SecureServer.isAvailable))
struct CurlTransportSecurityTests {
    private let server: SecureServer
    private let trusting: CurlTransport.Options

    init() async throws {
        server = try SecureServer()
        var options = CurlTransport.Options()
        options.certificateAuthorities = server.file("ca.pem")
        options.proxy = .none
        trusting = options
        // Until nginx listens.
        let transport = CurlTransport(options)
        for _ in 0..<500 {
            if (try? await transport.response(to: TransportRequest(.get, server.url("/")))) != nil { return }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test func trustsTheAuthority() async throws {
        let response = try await CurlTransport(trusting).response(to: TransportRequest(.get, server.url("/")))
        #expect(try await response.body.collect(limit: 10) == Data("secure".utf8))
        let metrics = try #require(response.metrics())
        #expect(metrics.httpVersion == "2")
        #expect(try #require(metrics.connect) < #require(metrics.secureConnect))
    }

    @Test func refusesOthers() async throws {
        var options = CurlTransport.Options()
        options.proxy = .none
        try await expectFailure(.notSecure, "the certificate of the server is not trusted", options)
        options.certificateAuthorities = server.file("none.pem")
        try await expectFailure(.notSecure, "the file of certificate authorities cannot be read", options)
        // For another name than that in the certificate.
        try await expectFailure(
            .notSecure, "the certificate of the server is not trusted", trusting,
            URL(string: "https://127.0.0.1:\(server.port)/"))
    }

    @Test func pinsPublicKeys() async throws {
        var options = trusting
        options.pinnedPublicKeys = [String(repeating: "A", count: 43) + "="]
        try await expectFailure(
            .notSecure, "the public key of the server is none of those that are pinned", options)
        options.pinnedPublicKeys.append(try server.publicKeyHash())
        #expect(try await CurlTransport(options).response(to: TransportRequest(.get, server.url("/"))).status == 200)
    }

    @Test func showsACertificate() async throws {
        let url = try server.url("/", strict: true)
        #expect(try await CurlTransport(trusting).response(to: TransportRequest(.get, url)).status == 400)
        var options = trusting
        options.clientCertificate = CurlTransport.ClientCertificate(
            certificate: server.file("client.pem"), key: server.file("client.key"))
        let transport = CurlTransport(options)
        let response = try await transport.response(to: TransportRequest(.get, url))
        #expect(try await response.body.collect(limit: 100) == Data("CN=client".utf8))
        #expect(transport.identity(for: TransportRequest(.get, url)) == .unknown)
        options.clientCertificate?.key = server.file("server.key")
        try await expectFailure(.notSecure, "the client certificate cannot be used", options, url)
    }

    /// The server closes each connection after 20 requests, with others under way.
    @Test func outlivesConnections() async throws {
        let transport = CurlTransport(trusting)
        let url = try server.url("/")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<2000 {
                if number >= 32 { #expect(try await group.next() == 6) }
                group.addTask {
                    let response = try await transport.response(to: TransportRequest(.get, url))
                    return try await response.body.collect(limit: 10).count
                }
            }
            for try await count in group { #expect(count == 6) }
        }
    }

    private func expectFailure(
        _ kind: RequestError.ConnectionFailure.Kind, _ reason: String, _ options: CurlTransport.Options,
        _ url: URL? = nil
    ) async throws {
        let error = await #expect(throws: RequestError.self) {
            try await CurlTransport(options).response(to: TransportRequest(.get, url ?? server.url("/")))
        }
        guard case .connection(let failure)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(failure.kind == kind)
        #expect(failure.reason.hasPrefix(reason), "\(failure.reason)")
    }
}
#endif
