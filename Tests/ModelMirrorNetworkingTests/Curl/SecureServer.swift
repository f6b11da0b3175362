#if os(Linux)
import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// An nginx with a certificate of its own authority, if nginx and openssl are installed: HTTP/2, and connections that
/// are closed after a few requests.
final class SecureServer {
    /// Whether nginx and openssl are installed.
    static let isAvailable = [nginx, openssl].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    private static let nginx = "/usr/sbin/nginx"
    private static let openssl = "/usr/bin/openssl"

    /// The virtual servers, each on its own port.
    enum Kind: Int, CaseIterable {
        case plain
        /// Clients must present a certificate.
        case strict
        /// The certificate has expired.
        case expired
    }

    private let folder: URL
    private var ports: [UInt16] = []
    private var process = Process()

    /// Starts nginx and waits until it listens.
    init() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("secure-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try makeCertificates()
        // nginx exits if another process has taken a port first; then other ports are tried.
        for _ in 0..<10 {
            if try await starts() { return }
        }
        throw CocoaError(.executableNotLoadable)
    }

    /// Starts nginx on new ports; true if it responds.
    private func starts() async throws -> Bool {
        ports = SecureServer.randomPorts()
        try configuration.write(to: file("nginx.conf"), atomically: true, encoding: .utf8)
        process = Process()
        process.executableURL = URL(fileURLWithPath: SecureServer.nginx)
        process.arguments = ["-p", folder.path, "-e", "error.log", "-c", "nginx.conf"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        let transport = CurlTransport(trusting)
        while process.isRunning {
            if (try? await transport.response(to: TransportRequest(.get, url("/")))) != nil { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    deinit {
        if process.isRunning {
            process.terminate()
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Options that trust the authority.
    var trusting: CurlTransport.Options {
        var options = CurlTransport.Options()
        options.tls.certificateAuthorities = file("ca.pem")
        options.proxy = .none
        return options
    }

    func url(_ path: String, _ kind: Kind = .plain, host: String = "localhost") throws -> URL {
        try #require(URL(string: "https://\(host):\(ports[kind.rawValue])\(path)"))
    }

    /// URLs of files that differ in size and content, for the check of HTTP/2.
    func files() throws -> [URL] {
        let folder = file("files")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try [0, 1, 70_000, 3_000_000].map { size in
            let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 / 7 &* 31 &+ size) })
            try bytes.write(to: folder.appendingPathComponent("\(size)"))
            return try url("/files/\(size)")
        }
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
        try authority.write(to: file("ca.conf"), atomically: true, encoding: .utf8)
        _ = try shell(
            """
            openssl req -x509 \(key) -keyout ca.key -out ca.pem -days 2 -subj /CN=authority 2>&1
            echo subjectAltName=DNS:localhost > names
            touch index
            sign="openssl ca -batch -config ca.conf -cert ca.pem -keyfile ca.key -extfile names -notext"
            for name in server client; do
            openssl req \(key) -keyout $name.key -out $name.csr -subj /CN=$name 2>&1
            $sign -in $name.csr -out $name.pem -days 2 2>&1
            done
            openssl pkey -aes256 -passout pass:secret -in client.key -out locked.key
            openssl pkcs12 -export -in client.pem -inkey client.key -passout pass:secret -out client.p12
            $sign -in server.csr -out expired.pem -startdate 200101000000Z -enddate 200201000000Z 2>&1
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

    /// Ports below the system's ephemeral ports.
    private static func randomPorts() -> [UInt16] {
        Array(Set((0..<100).map { _ in UInt16.random(in: 20_000..<32_000) }).prefix(Kind.allCases.count))
    }

    private let authority = """
        [ca]
        default_ca = authority
        [authority]
        database = index
        new_certs_dir = .
        default_md = sha256
        policy = policy
        unique_subject = no
        rand_serial = yes
        [policy]
        commonName = supplied
        """

    private var configuration: String {
        """
        daemon off; worker_processes 1; pid nginx.pid; error_log error.log;
        events { worker_connections 512; }
        http {
          access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
          uwsgi_temp_path uwsgi; scgi_temp_path scgi; log_format query "$args";
          ssl_certificate server.pem; ssl_certificate_key server.key; ssl_client_certificate ca.pem;
          keepalive_requests 50;
          server {
            listen 127.0.0.1:\(ports[0]) ssl http2; location / { return 200 "secure"; }
            location /logged { access_log logged.log query; return 200 "secure"; }
            location /files/ { root .; }
            location /strict { return 302 https://localhost:\(ports[1])/; }
            location /trailers { add_trailer A b; return 200 "trailed"; }
          }
          server {
            listen 127.0.0.1:\(ports[1]) ssl http2; ssl_verify_client on; location / { return 200 "$ssl_client_s_dn"; }
            location /again { return 302 https://localhost:\(ports[1])/; }
          }
          server { listen 127.0.0.1:\(ports[2]) ssl http2; ssl_certificate expired.pem; location / { return 200 "late"; } }
        }
        """
    }
}
#endif
