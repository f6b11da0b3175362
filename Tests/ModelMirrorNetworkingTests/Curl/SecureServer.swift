#if os(Linux)
import Foundation
import ModelMirrorTesting
import Testing

/// An nginx with a certificate of its own authority, where the machine has nginx and openssl: HTTP/2, and connections that
/// are closed after a few requests.
final class SecureServer {
    /// Whether there is what it needs.
    static let isAvailable = [nginx, openssl].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    private static let nginx = "/usr/sbin/nginx"
    private static let openssl = "/usr/bin/openssl"

    let port: UInt16
    /// The port where clients have to show a certificate.
    let strictPort: UInt16
    private let folder: URL
    private let process = Process()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("secure-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        port = try SecureServer.freePort()
        strictPort = try SecureServer.freePort()
        try makeCertificates()
        try configuration.write(to: folder.appendingPathComponent("nginx.conf"), atomically: true, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: SecureServer.nginx)
        process.arguments = ["-p", folder.path, "-e", "error.log", "-c", "nginx.conf"]
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    func url(_ path: String, strict: Bool = false) throws -> URL {
        try #require(URL(string: "https://localhost:\(strict ? strictPort : port)\(path)"))
    }

    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The SHA-256 of the public key of the server, in base64.
    func publicKeyHash() throws -> String {
        try shell(
            "openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | openssl base64"
        ).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func makeCertificates() throws {
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        _ = try shell(
            """
            openssl req -x509 \(key) -keyout ca.key -out ca.pem -days 2 -subj /CN=authority 2>&1
            for name in server client; do
            openssl req \(key) -keyout $name.key -out $name.csr -subj /CN=$name 2>&1
            echo subjectAltName=DNS:localhost > names
            openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out $name.pem 2>&1
            done
            """)
    }

    private func shell(_ script: String) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-ec", script]
        process.currentDirectoryURL = folder
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(text)")
        return text
    }

    private static func freePort() throws -> UInt16 {
        let server = try LoopbackServer()
        defer { server.stop() }
        return server.port
    }

    private var configuration: String {
        """
        daemon off; worker_processes 1; pid nginx.pid; error_log error.log;
        events { worker_connections 512; }
        http {
          access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
          uwsgi_temp_path uwsgi; scgi_temp_path scgi;
          ssl_certificate server.pem; ssl_certificate_key server.key; ssl_client_certificate ca.pem;
          keepalive_requests 20;
          server { listen 127.0.0.1:\(port) ssl http2; location / { return 200 "secure"; } }
          server { listen 127.0.0.1:\(strictPort) ssl http2; ssl_verify_client on; location / { return 200 "$ssl_client_s_dn"; } }
        }
        """
    }
}
#endif
