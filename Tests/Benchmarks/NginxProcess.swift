#if os(Linux)
import Foundation
import ModelMirrorNetworking
import Synchronization

/// An nginx in a child process, with a certificate of its own authority, in front of a counting server.
final class NginxProcess: Sendable {
    /// The virtual servers, each on its own port.
    enum Kind: Int, CaseIterable {
        /// HTTP/2, with as many requests on a connection as nginx allows by default.
        case http2
        /// HTTP/2, with five requests on a connection.
        case brief
        /// HTTP/1.1.
        case http1
    }

    private let folder: URL
    private let ports: [UInt16]
    private let process: Process

    /// Whether nginx and openssl are installed.
    static let isInstalled = ["/usr/sbin/nginx", "/usr/bin/openssl"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Starts nginx, and waits until it answers.
    ///
    /// - Parameter upstream: The counting server, for paths below `/counted/`.
    init(upstream: URL) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("nginx-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Below the system's ephemeral ports.
        let first = UInt16.random(in: 20_000..<32_000)
        ports = Kind.allCases.indices.map { first + UInt16($0) }
        try Self.run(
            "/bin/sh",
            [
                "-ec",
                """
                cd \(folder.path)
                key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
                openssl req -x509 $key -keyout ca.key -out ca.pem -days 2 -subj /CN=authority 2>/dev/null
                openssl req $key -keyout server.key -out server.csr -subj /CN=server 2>/dev/null
                echo subjectAltName=DNS:localhost > names
                openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem 2>/dev/null
                """,
            ])
        try Self.configuration(ports, upstream).write(
            to: folder.appendingPathComponent("nginx.conf"), atomically: true, encoding: .utf8)
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
        process.arguments = ["-p", folder.path, "-e", "error.log", "-c", "nginx.conf"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        let transport = CurlTransport(options)
        while (try? await transport.response(to: TransportRequest(.get, url("/answered", .http2)))) == nil {
            guard process.isRunning else { throw CocoaError(.executableNotLoadable) }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The version, as nginx prints it.
    static func version() throws -> String {
        try run("/bin/sh", ["-c", "/usr/sbin/nginx -v 2>&1"]).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Options that trust the authority.
    var options: CurlTransport.Options {
        var options = CurlTransport.Options()
        options.tls.certificateAuthorities = authority
        options.proxy = .none
        return options
    }

    /// The file of the authority.
    var authority: URL { folder.appendingPathComponent("ca.pem") }

    func url(_ path: String, _ kind: Kind) -> URL {
        // Made of a number and constants.
        URL(string: "https://localhost:\(ports[kind.rawValue])\(path)").unsafelyUnwrapped
    }

    /// What a program prints.
    @discardableResult
    static func run(_ program: String, _ arguments: [String]) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    private static func configuration(_ ports: [UInt16], _ upstream: URL) -> String {
        let places = """
            location /counted/ { proxy_pass \(upstream.absoluteString); }
            location /limited { client_max_body_size 1k; proxy_pass \(upstream.absoluteString); }
            location /answered { return 200 "answered"; }
            """
        return """
            daemon off; worker_processes 1; pid nginx.pid; error_log error.log;
            events { worker_connections 4096; }
            http {
              access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
              uwsgi_temp_path uwsgi; scgi_temp_path scgi;
              ssl_certificate server.pem; ssl_certificate_key server.key;
              proxy_next_upstream off; proxy_http_version 1.1;
              server { listen 127.0.0.1:\(ports[0]) ssl http2; \(places) }
              server { listen 127.0.0.1:\(ports[1]) ssl http2; keepalive_requests 5; \(places) }
              server { listen 127.0.0.1:\(ports[2]) ssl; \(places) }
            }
            """
    }
}
#endif
