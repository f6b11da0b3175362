#if os(Linux)
import Foundation
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

/// Connections that are kept after a response, and bytes on them that no request asked for.
@Suite(
    .timeLimit(.hung), .network,
    .enabled("libcurl before 7.80 does not say when a connection is ready") {
        CurlLibrary.shared?.versionNumber ?? 0 >= 0x07_50_00
    })
struct CurlTransportReuseTests {
    private static let extra = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nextra"

    /// The bytes arrive while the connection is kept.
    @Test(
        arguments: [
            (.get, "200 OK\r\nContent-Length: 5\r\n\r\nfirst"), (.head, "200 OK\r\nContent-Length: 5\r\n\r\n"),
            (.get, "204 No Content\r\n\r\n"), (.get, "304 Not Modified\r\n\r\n"),
            (.get, "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n0\r\n\r\n"),
        ] as [(HTTPMethod, String)],
        [
            (extra, false), (extra, true), ("5\r\nextra\r\n", false), ("", true),
            ("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", true),
        ])
    func extraBytesAreNoResponse(first: (method: HTTPMethod, head: String), extra: (bytes: String, isLast: Bool))
        async throws
    {
        let server = try LoopbackServer()
        let gate = Gate()
        server.on(first.method, "/first") { _ in
            .raw { writer in
                try writer.write("HTTP/1.1 \(first.head)")
                try writer.wait(at: gate)
                try writer.write(extra.bytes)
                // Until the server stops.
                if !extra.isLast { try writer.wait(at: Gate()) }
            }
        }
        server.on(.post, "/second") { .data($0.body) }
        var options = CurlTransport.Options()
        options.proxy = .none
        let transport = CurlTransport(options)
        let answer = try await transport.response(to: TransportRequest(first.method, server.url("/first")))
        _ = try await answer.body.collect(limit: 10)
        gate.open()
        awaitFailure(or: POLLIN, ofConnectionsTo: server.port)
        let response = try await transport.response(
            to: TransportRequest(.post, server.url("/second"), body: .data(Data("second".utf8))))
        #expect(response.status == 200)
        #expect(try await response.body.collect(limit: 10) == Data("second".utf8))
        // Some versions of libcurl notice the bytes themselves.
        #expect(response.metrics?.resendReason != .unanswered)
        #expect(server.connectionCount == 2)
        #expect(server.requests.map(\.body) == [Data(), Data("second".utf8)])
    }

    /// A server that sent it before it had read the request may still answer that.
    @Test("A connection is not used again after a 408, whose request the server may still answer")
    func lateTimeout() async throws {
        let server = try LoopbackServer()
        server.on(.get, "/a", .text("a"))
        server.on(.get, "/late", .status(408))
        var options = CurlTransport.Options()
        options.proxy = .none
        let transport = CurlTransport(options)
        for path in ["/a", "/late", "/a", "/a"] {
            let response = try await transport.response(to: TransportRequest(.get, server.url(path)))
            _ = try await response.body.collect(limit: 10)
        }
        #expect(server.requests.map(\.connection) == [1, 1, 2, 2])
    }

    @Test(
        "Bytes that TLS has read with a body are no response",
        .enabled(if: ScriptedServer.isAvailable, "needs openssl"),
        arguments: ["libcurl.so.4", "libcurl-gnutls.so.4"])
    func extraBytesWithinTLS(library: String) async throws {
        guard let library = CurlLibrary(named: [library]) else { return }
        let server = try await ScriptedServer()
        let transport = CurlTransport(server.trusting, over: library)
        async let first = transport.response(to: TransportRequest(.get, server.url("/first")))
        try await server.request("GET /first")
        // libcurl then reads as many bytes as the body has, of a record that has more.
        try server.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
        let body = try await first.body
        try server.write("first" + Self.extra)
        #expect(try await body.collect(limit: 10) == Data("first".utf8))
        let request = TransportRequest(.post, try server.url("/second"), body: .data(Data("body".utf8)))
        async let second = transport.response(to: request)
        try await server.request("POST /second")
        try server.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond")
        #expect(try await second.body.collect(limit: 10) == Data("second".utf8))
        #expect(try await second.metrics?.resendReason == .unsent)
        #expect(server.connectionCount == 2)
    }

    @Test(
        "A connection over TLS is used again", .enabled(if: ScriptedServer.isAvailable, "needs openssl"),
        arguments: ["libcurl.so.4", "libcurl-gnutls.so.4"])
    func reusesTLS(library: String) async throws {
        guard let library = CurlLibrary(named: [library]) else { return }
        let server = try await ScriptedServer()
        let transport = CurlTransport(server.trusting, over: library)
        for number in 0..<20 {
            async let response = transport.response(to: TransportRequest(.get, server.url("/\(number)")))
            try await server.request("GET /\(number) ")
            try server.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n")
            let body = try await response.body
            try server.write("a")
            #expect(try await body.collect(limit: 10) == Data("a".utf8))
            #expect(try await response.metrics?.resendCount == 0)
        }
        #expect(server.connectionCount == 1)
    }
}

/// An `openssl s_server` with a certificate of its own. It serves one connection after another, and sends each text that a test writes
/// as one TLS record.
private final class ScriptedServer: Sendable {
    /// Whether openssl is installed.
    static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scripted-\(UUID())")
    private let output = Observed("")
    private let input = Pipe()
    private let process = Process()
    private let port: Int

    /// Starts a server and waits until it listens.
    init() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (received, output) = (Pipe(), output)
        received.fileHandleForReading.readabilityHandler = { handle in
            let text = String(decoding: handle.availableData, as: UTF8.self)
            if text.isEmpty { handle.readabilityHandler = nil }
            output.update { $0 += text }
        }
        let script = """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
                -addext subjectAltName=DNS:localhost -keyout key.pem -out ca.pem
            exec openssl s_server -accept 127.0.0.1:0 -cert ca.pem -key key.pem
            """
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-ec", script]
        process.currentDirectoryURL = folder
        process.standardInput = input
        process.standardOutput = received
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = /ACCEPT .*:([0-9]+)\n/
        let text = try await output.wait { $0.contains("ACCEPT") && $0.hasSuffix("\n") }
        port = try #require(try line.firstMatch(in: text).flatMap { Int($0.1) })
    }

    deinit {
        // It inherits the signals that the starting thread blocks.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Options that trust the server.
    var trusting: CurlTransport.Options {
        var options = CurlTransport.Options()
        options.tls.certificateAuthorities = folder.appendingPathComponent("ca.pem")
        options.proxy = .none
        return options
    }

    func url(_ path: String) throws -> URL { try #require(URL(string: "https://localhost:\(port)\(path)")) }

    /// Waits for the beginning of a request.
    func request(_ line: String) async throws { _ = try await output.wait { $0.contains(line) } }

    func write(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    /// The number of connections so far.
    var connectionCount: Int { output.value.components(separatedBy: "CIPHER is").count - 1 }
}
#endif
