#if os(Linux)
import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// The loopback server accepts absolute targets such as `http://example.com/a`, so it serves as the proxy.
@Suite(.timeLimit(.hung), .network)
struct CurlTransportProxyTests {
    private let proxy: LoopbackServer
    private let server: LoopbackServer

    init() throws {
        proxy = try LoopbackServer()
        proxy.on(.get, "/a", .text("over the proxy"))
        server = try LoopbackServer()
        server.on(.get, "/a", .text("straight"))
    }

    private func transport(_ proxy: CurlTransport.Proxy) -> CurlTransport {
        var options = CurlTransport.Options()
        options.proxy = proxy
        return CurlTransport(options)
    }

    @Test func sendsThroughTheProxy() async throws {
        let transport = transport(.url(proxy.url))
        // The proxy resolves the name.
        let url = try #require(URL(string: "http://nowhere.invalid/a?b=c"))
        #expect(try await transport.text(url) == "over the proxy")
        #expect(proxy.requests.map(\.target) == ["http://nowhere.invalid/a?b=c"])
        #expect(proxy.requests[0].headers["Host"] == "nowhere.invalid")
        #expect(proxy.requests[0].headers[.proxyAuthorization] == nil)
    }

    @Test func authenticatesAtTheProxy() async throws {
        let url = try #require(URL(string: "http://ada:s%3Aecret@127.0.0.1:\(proxy.port)"))
        #expect(try await transport(.url(url)).text(server.url("/a")) == "over the proxy")
        #expect(proxy.requests[0].headers[.proxyAuthorization] == "Basic YWRhOnM6ZWNyZXQ=")
        #expect(proxy.requests[0].headers[.authorization] == nil)
    }

    /// An exception includes its subdomains.
    @Test func bypassesTheProxyForExceptions() async throws {
        let transport = transport(.url(proxy.url, except: ["127.0.0.1", "localhost"]))
        #expect(try await transport.text(server.url("/a")) == "straight")
        let below = try #require(URL(string: "http://below.localhost:\(server.port)/a"))
        #expect(try await transport.text(below) == "straight")
        for host in ["localhost.invalid", "notlocalhost"] {
            #expect(try await transport.text(try #require(URL(string: "http://\(host)/a"))) == "over the proxy")
        }
        #expect(proxy.requestCount == 2)
    }

    /// libcurl knows no ports in exceptions.
    @Test func bypassesTheProxyForAPort() async throws {
        let (port, other) = (server.port, proxy.port)
        func texts(_ exceptions: [String], _ hosts: [String]) async throws -> [String] {
            let transport = transport(.url(proxy.url, except: exceptions))
            var texts: [String] = []
            for host in hosts {
                texts.append(try await transport.text(try #require(URL(string: "http://\(host):\(port)/a"))))
            }
            return texts
        }
        let hosts = ["127.0.0.1", "below.localhost"]
        #expect(try await texts(["127.0.0.1:\(port)", "localhost:\(port)"], hosts) == ["straight", "straight"])
        #expect(
            try await texts(["127.0.0.1:\(other)", "localhost:1\(port)"], hosts) == [
                "over the proxy", "over the proxy",
            ])
        #expect(
            try await texts(["localhost:\(other)", "[::1]:\(port)", "127.0.0.1"], hosts) == [
                "straight", "over the proxy",
            ])
    }

    /// Runs in child processes, since it changes the environment.
    @Test func readsTheProxyFromTheEnvironment() async {
        let (proxy, url) = (proxy.url.absoluteString, server.url("/a"))
        for name in ["http_proxy", "all_proxy"] {
            await #expect(processExitsWith: .success) {
                [name = name as String, proxy = proxy as String, url = url as URL] in
                setenv(name, proxy, 1)
                unsetenv("no_proxy")
                unsetenv("NO_PROXY")
                let over = try await CurlTransport().text(url)
                #expect(over == "over the proxy")
                var options = CurlTransport.Options()
                options.proxy = .none
                let straight = try await CurlTransport(options).text(url)
                #expect(straight == "straight")
                setenv("no_proxy", "127.0.0.1", 1)
                let excepted = try await CurlTransport().text(url)
                #expect(excepted == "straight")
            }
        }
    }

    /// The loopback server rejects CONNECT, as some proxies do.
    @Test func reportsTheStatusOfTheProxy() async throws {
        let transport = transport(.url(proxy.url))
        let url = try #require(URL(string: "https://nowhere.invalid/a"))
        let error = await #expect(throws: RequestError.self) { try await transport.text(url) }
        #expect(error?.failureKind == .cannotConnect)
        #expect(error?.failureReason == "the proxy answered the connection with 400")
        #expect(proxy.requests.isEmpty)
    }

    @Test(
        "Errors do not show a proxy's password",
        arguments: [
            "ftp://ada:secret@127.0.0.1", "http://ada:secret@127.0.0.1:99999",
            "ftp://ada:\(String(repeating: "secret", count: 60))@127.0.0.1",
        ])
    func hidesPasswords(_ text: String) async throws {
        let transport = transport(.url(try #require(URL(string: text))))
        let error = await #expect(throws: RequestError.self) { try await transport.text(server.url("/a")) }
        let reason = try #require(error?.failureReason)
        #expect(reason.contains("proxy") && !reason.contains("secret"), "\(reason)")
    }

    @Test func reportsAnUnreachableProxy() async throws {
        let port = try RefusingPort()
        let error = await #expect(throws: RequestError.self) {
            try await transport(.url(port.url)).text(server.url("/a"))
        }
        #expect(error?.failureKind == .cannotConnect)
        #expect(server.requestCount == 0)
    }

    @Test(
        "A proxy tunnels to a TLS server",
        .enabled(if: SecureServer.isAvailable && TunnelProxy.isAvailable, "needs nginx, openssl and python3"))
    func tunnels() async throws {
        let server = try await SecureServer()
        let tunnel = try TunnelProxy()
        var options = server.trusting
        options.proxy = .url(tunnel.url)
        let response = try await CurlTransport(options).response(to: TransportRequest(.get, server.url("/")))
        #expect(try await response.body.collect(limit: 10) == Data("secure".utf8))
        #expect(response.metrics?.httpVersion == "2")
        let port = try #require(server.url("/").port)
        let lines = try tunnel.stop().split(separator: "\n")
        #expect(lines == ["CONNECT localhost:\(port) HTTP/1.1"])
    }
}

/// A proxy that accepts CONNECT, in Python.
private final class TunnelProxy {
    static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    let url: URL
    private let process = Process()
    private let output = Pipe()

    init() throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", TunnelProxy.script]
        process.standardOutput = output
        try process.run()
        let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        url = try #require(URL(string: "http://127.0.0.1:\(port.trimmingCharacters(in: .whitespacesAndNewlines))"))
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    /// Stops the proxy and returns the request lines that it received.
    func stop() throws -> String {
        // Not SIGTERM, which a child of a thread that blocks signals never gets.
        kill(process.processIdentifier, SIGKILL)
        return String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }

    private static let script = """
        import asyncio

        async def relay(reader, writer):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
            writer.close()

        async def serve(reader, writer):
            head = (await reader.readuntil(b"\\r\\n\\r\\n")).decode().split("\\r\\n")
            print(head[0], flush=True)
            host, port = head[0].split()[1].split(":")
            far = await asyncio.open_connection(host, int(port))
            writer.write(b"HTTP/1.1 200 OK\\r\\n\\r\\n")
            await asyncio.gather(relay(reader, far[1]), relay(far[0], writer), return_exceptions=True)

        async def main():
            server = await asyncio.start_server(serve, "127.0.0.1", 0)
            print(server.sockets[0].getsockname()[1], flush=True)
            await server.serve_forever()

        asyncio.run(main())
        """
}
#endif
