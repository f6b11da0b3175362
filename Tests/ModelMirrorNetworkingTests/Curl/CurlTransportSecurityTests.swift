#if os(Linux)
import Foundation
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

/// TLS and HTTP/2, against an nginx with its own authority.
@Suite(.serialized, .timeLimit(.hung), .network, .enabled(if: SecureServer.isAvailable, "needs nginx and openssl"))
struct CurlTransportSecurityTests {
    private let server: SecureServer
    private let trusting: CurlTransport.Options

    init() async throws {
        server = try await SecureServer()
        trusting = server.trusting
    }

    @Test func trustsTheGivenAuthority() async throws {
        let response = try await CurlTransport(trusting).response(to: TransportRequest(.get, server.url("/")))
        #expect(try await response.body.collect(limit: 10) == Data("secure".utf8))
        let metrics = try #require(response.metrics)
        #expect(metrics.httpVersion == "2")
        #expect(try #require(metrics.connect) < #require(metrics.secureConnect))
    }

    /// Of an authority that is not trusted, of another name, and expired.
    @Test func rejectsOtherCertificates() async throws {
        let sentence = "the certificate of the server is not trusted"
        var options = CurlTransport.Options()
        options.proxy = .none
        try await expectFailure(sentence, options)
        options.tls.certificateAuthorities = server.file("none.pem")
        try await expectFailure("the file of certificate authorities cannot be read", options)
        try await expectFailure(sentence, trusting, server.url("/", host: "127.0.0.1"))
        try await expectFailure(sentence, trusting, server.url("/", .expired))
    }

    @Test func pinsPublicKeys() async throws {
        var options = trusting
        options.tls.pinnedPublicKeys = [String(repeating: "A", count: 43) + "="]
        try await expectFailure("the public key of the server is none of those that are pinned", options)
        options.tls.pinnedPublicKeys.append(try server.publicKeyHash())
        #expect(try await CurlTransport(options).text(server.url("/")) == "secure")
        // The certificate is still checked against the authorities.
        options.tls.certificateAuthorities = nil
        try await expectFailure("the certificate of the server is not trusted", options)
    }

    /// libcurl accepts texts of at most 8 MB, and would pin nothing if the keys were longer.
    @Test func failsIfThePinnedKeysCannotBeSet() async throws {
        var options = trusting
        options.tls.pinnedPublicKeys = Array(repeating: try server.publicKeyHash(), count: 200_000)
        try await expectFailure("libcurl does not accept the option pinnedPublicKey: ", options)
    }

    @Test func presentsAClientCertificate() async throws {
        let url = try server.url("/", .strict)
        #expect(try await CurlTransport(trusting).response(to: TransportRequest(.get, url)).status == 400)
        var options = trusting
        options.tls.clientCertificate = .pem(certificate: server.file("client.pem"), key: server.file("client.key"))
        let transport = CurlTransport(options)
        #expect(try await transport.text(url) == "CN=client")
        #expect(transport.identity(for: TransportRequest(.get, url)) == .unknown)
        options.tls.clientCertificate = .pem(certificate: server.file("client.pem"), key: server.file("server.key"))
        try await expectFailure("the client certificate cannot be used", options, url)
    }

    @Test("A redirect to another origin presents no client certificate, even where a connection with it is open")
    func redirectsWithoutTheCertificate() async throws {
        var options = trusting
        options.tls.clientCertificate = .pem(certificate: server.file("client.pem"), key: server.file("client.key"))
        let transport = CurlTransport(options)
        #expect(try await transport.text(server.url("/again", .strict)) == "CN=client")
        let response = try await transport.response(to: TransportRequest(.get, server.url("/strict")))
        #expect(try response.url == server.url("/", .strict))
        #expect(response.status == 400)
    }

    @Test func presentsAClientCertificateOfPKCS12() async throws {
        let url = try server.url("/", .strict)
        var options = trusting
        options.tls.clientCertificate = .pkcs12(server.file("client.p12"), password: "secret")
        #expect(try await CurlTransport(options).text(url) == "CN=client")
        options.tls.clientCertificate = .pkcs12(server.file("client.p12"), password: "wrong")
        try await expectFailure("the client certificate cannot be used", options, url)
    }

    @Test("An encrypted key is used with its password, and without it the terminal is not read")
    func locksKeys() async throws {
        let url = try server.url("/", .strict)
        let (certificate, key) = (server.file("client.pem"), server.file("locked.key"))
        var options = trusting
        options.tls.clientCertificate = .pem(certificate: certificate, key: key, password: "secret")
        #expect(try await CurlTransport(options).text(url) == "CN=client")
        // In a child process without a terminal, where OpenSSL would read the password from standard input.
        let authorities = server.file("ca.pem")
        await #expect(processExitsWith: .success) {
            [url = url as URL, certificate = certificate as URL, key = key as URL, authorities = authorities as URL] in
            _ = setsid()
            let input = Pipe()
            try input.fileHandleForWriting.write(contentsOf: Data("secret\n".utf8))
            dup2(input.fileHandleForReading.fileDescriptor, STDIN_FILENO)
            var options = CurlTransport.Options()
            options.proxy = .none
            options.tls.certificateAuthorities = authorities
            options.tls.clientCertificate = .pem(certificate: certificate, key: key)
            let error = await #expect(throws: RequestError.self) { try await CurlTransport(options).text(url) }
            #expect(error?.failureKind == .notSecure)
        }
    }

    @Test("Each TLS library accepts a key without a password", arguments: ["libcurl.so.4", "libcurl-gnutls.so.4"])
    func plainKeys(library: String) async throws {
        guard let library = CurlLibrary(named: [library]) else { return }
        var options = trusting
        options.tls.clientCertificate = .pem(certificate: server.file("client.pem"), key: server.file("client.key"))
        #expect(try await CurlTransport(options, over: library).text(server.url("/", .strict)) == "CN=client")
    }

    @Test(
        "With a client certificate, a system transport has the given account or an unknown identity"
    )
    func systemTransport() async throws {
        var tls = trusting.tls
        tls.pinnedPublicKeys = [try server.publicKeyHash()]
        let request = TransportRequest(.get, try server.url("/", .strict))
        #expect(SystemTransport.make(tls: tls).identity(for: request) == .none)
        tls.clientCertificate = .pkcs12(server.file("client.p12"), password: "secret")
        let transport = SystemTransport.make(tls: tls, account: "alice")
        #expect(try await transport.text(request.url) == "CN=client")
        #expect(transport.identity(for: request) == .account("alice"))
        #expect(SystemTransport.make(tls: tls).identity(for: request) == .unknown)
    }

    @Test("publicKeyHash of a certificate equals the hash from OpenSSL")
    func publicKeyHash() throws {
        let text = try String(contentsOf: server.file("server.pem"), encoding: .utf8)
        let certificates = try #require(CertificateBytes.certificates(inPEM: text))
        #expect(certificates.map(CertificateBytes.publicKeyHash) == [try server.publicKeyHash()])
    }

    // MARK: HTTP/2

    @Test("CurlTransport passes the HTTP/2 conformance check, and a violation is reported")
    func conformsOverHTTP2() async throws {
        let files = try server.files()
        let none = try await TransportConformance.failure(overHTTP2: files) { [trusting] in CurlTransport(trusting) }
        #expect(none == nil)
        let closed = Observed(0)
        let failure = try await TransportConformance.failure(
            overHTTP2: files, close: { _ in closed.update { $0 += 1 } }
        ) { [trusting] in
            let transport = CurlTransport(trusting)
            let sent = Observed(0)
            return ClosureTransport { request in
                var request = request
                // All concurrent requests get the body of the same file.
                sent.update { $0 += 1 }
                if sent.value > files.count { request.url = files[1] }
                return try await transport.response(to: request)
            }
        }
        let sentence = "is another than the first time, when nothing else was under way"
        #expect(failure?.hasSuffix(sentence) == true, "\(failure ?? "")")
        #expect(closed.value == 1)
        let plain = try LoopbackServer()
        plain.on(.get, "/", .json("[]"))
        let older = try await TransportConformance.failure(overHTTP2: [plain.url]) { [trusting] in
            CurlTransport(trusting)
        }
        #expect(older == "the version of HTTP in the metrics of \(plain.url) is 1.1, expected 2")
    }

    @Test func ignoresTrailers() async throws {
        #expect(try await CurlTransport(trusting).text(server.url("/trailers")) == "trailed")
    }

    /// The server closes each connection after 50 requests while others are in flight.
    @Test func survivesClosedConnections() async throws {
        let transport = CurlTransport(trusting)
        let url = try server.url("/")
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<2000 {
                if number >= 32 { #expect(try await group.next() == "secure") }
                group.addTask { try await transport.text(url) }
            }
            for try await text in group { #expect(text == "secure") }
        }
    }

    /// The same with a method that must not be repeated: each request arrives once, however often nginx refused it.
    @Test(
        .enabled("libcurl before 7.88 does not report refused streams") {
            CurlLibrary.shared?.versionNumber ?? 0 >= 0x07_58_00
        })
    func repeatsRefusedRequests() async throws {
        let transport = CurlTransport(trusting)
        let answered = Observed<Set<String>>([])
        let reasons = Observed<Set<TransportMetrics.ResendReason?>>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                if number >= 32 { try await group.next() }
                var request = TransportRequest(.post, try server.url("/logged?\(number)"))
                if number % 2 == 0 { request.body = .data(Data("\(number)".utf8)) }
                group.addTask { [request] in
                    let response = try await transport.response(to: request)
                    _ = try await response.body.collect(limit: 10)
                    answered.update { _ = $0.insert("\(number)") }
                    reasons.update { _ = $0.insert(response.metrics?.resendReason) }
                }
            }
            try await group.waitForAll()
        }
        #expect(answered.value.count == 1000)
        let arrived = try String(contentsOf: server.file("logged.log"), encoding: .utf8).split(separator: "\n").map(
            String.init)
        #expect(Set(arrived).count == arrived.count)
        #expect(answered.value.isSubset(of: arrived))
        #expect(reasons.value.isSubset(of: [nil, .refused, .unsent]))
    }

    private struct ClosureTransport: Transport {
        let answer: @Sendable (TransportRequest) async throws -> TransportResponse

        func response(to request: TransportRequest) async throws -> TransportResponse { try await answer(request) }
    }

    private func expectFailure(_ reason: String, _ options: CurlTransport.Options, _ url: URL? = nil) async throws {
        let error = await #expect(throws: RequestError.self) {
            try await CurlTransport(options).response(to: TransportRequest(.get, url ?? server.url("/")))
        }
        #expect(error?.failureKind == .notSecure)
        #expect(error?.failureReason?.hasPrefix(reason) == true, "\(error?.failureReason ?? "")")
    }
}
#endif
