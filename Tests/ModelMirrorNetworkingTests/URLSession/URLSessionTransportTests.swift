#if !os(Linux) || FoundationNetworking
import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Behavior that only ``URLSessionTransport`` has.
@Suite(.timeLimit(.hung), .network)
struct URLSessionTransportTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test("A given configuration is used without its cache and with bounded timeouts")
    func takesAConfiguration() async throws {
        server.on(.get, "/a") { _ in .text("a", headers: [.cacheControl: "max-age=3600"]) }
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-Client": "tour"]
        configuration.requestCachePolicy = .returnCacheDataElseLoad
        configuration.timeoutIntervalForRequest = .infinity
        configuration.timeoutIntervalForResource = .greatestFiniteMagnitude
        let transport = URLSessionTransport(configuration: configuration)
        for _ in 1...2 { #expect(try await transport.text(server.url("/a")) == "a") }
        #expect(server.requests.map { $0.headers["X-Client"] } == ["tour", "tour"])
        let request = TransportRequest(.get, server.url("/a"))
        #expect(transport.identity(for: request) == .unknown)
        var options = URLSessionTransport.Options()
        options.account = { .account("alice") }
        let named = URLSessionTransport(configuration: configuration, options: options)
        #expect(named.identity(for: request) == .account("alice"))
    }

    @Test(
        "Fields of a configuration fill in for the request's, and credentials stay at their origin"
    )
    func configuredFields() async throws {
        let other = try LoopbackServer()
        defer { other.stop() }
        server.on(.get, "/away", .redirect(to: other.url("/").absoluteString))
        server.on(.get, "/near", .redirect(to: "/here"))
        server.on(.get, "/here", .text("a"))
        other.on(.get, "/", .text("a"))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = [
            "Authorization": "Bearer alice", "Cookie": "user=alice", "X-Client": "tour", "X-Number": 1,
        ]
        let transport = URLSessionTransport(configuration: configuration)
        for path in ["/near", "/away"] { _ = try await transport.text(server.url(path)) }
        for request in server.requests {
            #expect(request.headers.values(for: .authorization) == ["Bearer alice"])
            #expect(request.headers.values(for: .cookie) == ["user=alice"])
            #expect(request.headers["X-Number"] == "1")
        }
        let away = try #require(other.requests.last?.headers)
        #expect(away["X-Client"] == "tour")
        #expect(away[.authorization] == nil)
        #expect(away[.cookie] == nil)
        var own = TransportRequest(.get, server.url("/here"), headers: ["authorization": "Bearer bob"])
        _ = try await transport.response(to: own)
        #expect(server.requests.last?.headers.values(for: .authorization) == ["Bearer bob"])
        own = TransportRequest(
            .get, try #require(URL(string: "http://bob:b@\(server.url("/here").absoluteString.dropFirst(7))")))
        _ = try await transport.response(to: own)
        #expect(server.requests.last?.headers.values(for: .authorization) == ["Basic Ym9iOmI="])
        configuration.httpAdditionalHeaders = ["X-A": "1\r\nX-B: 2"]
        await #expect(throws: RequestError.self) {
            try await URLSessionTransport(configuration: configuration).text(server.url("/here"))
        }
        #expect(server.requests.last?.headers["X-B"] == nil)
    }

    // MARK: The delegate

    @Test("A delegate receives sent bytes, the end of each task and the end of the session")
    func delegate() async throws {
        server.on(.post, "/", .text("a"))
        server.on(.get, "/private", .status(401, headers: [.wwwAuthenticate: "Basic realm=\"a\""]))
        server.on(.get, "/cut", .truncated("abcdef", after: 2))
        let listener = Listener()
        var transport: URLSessionTransport? = URLSessionTransport(configuration: .ephemeral, delegate: listener)
        let upload = TransportRequest(.post, server.url("/"), body: .data(Data("four".utf8)))
        let response = try await transport?.response(to: upload)
        #expect(try await response?.body.collect(limit: 10) == Data("a".utf8))
        #expect(response?.metrics?.sentBytes == 4)
        _ = try await listener.words.wait { $0 == ["sent 4", "ended"] }
        let refused = try await transport?.response(to: TransportRequest(.get, server.url("/private")))
        #expect(refused?.status == 401)
        _ = try await refused?.body.collect(limit: 10)
        _ = try await listener.words.wait { $0 == ["sent 4", "ended", "ended"] }
        await #expect(throws: RequestError.self) { try await transport?.text(server.url("/cut")) }
        _ = try await listener.words.wait { $0.count == 4 }
        transport = nil
        let words = try await listener.words.wait { $0.count == 5 }
        #expect(words == ["sent 4", "ended", "ended", "failed", "invalid"])
    }

    #if os(Linux)
    @Test("TLS options are rejected before anything is sent")
    func refusesTLSOptions() async throws {
        var options = URLSessionTransport.Options()
        options.tls.pinnedPublicKeys = ["a"]
        let error = await #expect(throws: RequestError.self) {
            try await URLSessionTransport(options).text(server.url("/"))
        }
        #expect(
            error?.description
                == "The request cannot be sent: URLSession on Linux has no TLS options; leave "
                + "URLSessionTransport.Options.tls as it is, or use CurlTransport.")
        #expect(server.requestCount == 0)
    }

    /// Runs in a child process, since the memory of concurrent tests would count, too.
    @Test func holdsLargeBodiesOutsideOfMemory() async throws {
        await #expect(processExitsWith: .success) {
            let length = 50 << 20
            let server = try LoopbackServer()
            server.on(.get, "/", .oversized(length))
            let response = try await URLSessionTransport().response(to: TransportRequest(.get, server.url("/")))
            let before = try residentBytes()
            // Nothing is read until the server has sent all that it can.
            let exchange = try await server.exchanges(atLeast: 1)[0]
            try await exchange.stalled()
            var offset = 0
            var largest = try residentBytes()
            for try await chunk in response.body {
                #expect(chunk == LoopbackResponse.pattern(offset..<offset + chunk.count))
                offset += chunk.count
                if offset % (1 << 20) < chunk.count { largest = max(largest, try residentBytes()) }
            }
            #expect(offset == length)
            #expect(largest - before < 32 << 20, "\(before) → \(largest)")
        }
    }
    #endif

    @Test func limitsTheSpooledBytes() async throws {
        server.on(.get, "/", unending(after: 8 << 20))
        var options = URLSessionTransport.Options()
        options.bodyBufferSize = 1 << 16
        options.bodySpoolLimit = 1 << 20
        let response = try await URLSessionTransport(options).response(to: TransportRequest(.get, server.url("/")))
        let exchange = try await server.exchanges(atLeast: 1)[0]
        #if canImport(FoundationNetworking)
        #expect(try await exchange.ended() == .clientLeft)
        let error = await #expect(throws: RequestError.self) { try await response.body.collect(limit: .max) }
        guard case .bodyTooLarge(limit: 1_048_576)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #else
        try await exchange.stalled()
        #expect(exchange.outcome == nil)
        #endif
    }

    @Test func sharesCookiesWithTheProgram() async throws {
        let name = "shared-\(UUID())"
        let storage = HTTPCookieStorage.shared
        defer { for cookie in storage.cookies ?? [] where cookie.name == name { storage.deleteCookie(cookie) } }
        server.on(.get, "/set", .redirect(to: "/get", headers: [.setCookie: "\(name)=1; Path=/"]))
        server.on(.get, "/get", .status(204))
        var options = URLSessionTransport.Options()
        options.cookies = .shared
        _ = try await URLSessionTransport(options).response(to: TransportRequest(.get, server.url("/set")))
        #expect(server.requests.last?.headers[.cookie]?.contains("\(name)=1") == true)
        #expect(storage.cookies?.filter { $0.name == name }.map(\.value) == ["1"])
        _ = try await URLSessionTransport(options).response(to: TransportRequest(.get, server.url("/get")))
        #expect(server.requests.last?.headers[.cookie]?.contains("\(name)=1") == true)
        _ = try await URLSessionTransport().response(to: TransportRequest(.get, server.url("/get")))
        #expect(server.requests.last?.headers[.cookie] == nil)
    }

    /// A body that stops without ending. It is not sent without a pause: FoundationNetworking does not cancel a task
    /// as long as it never has to wait for bytes.
    private func unending(after count: Int) -> LoopbackResponse {
        .streaming { writer in
            for start in stride(from: 0, to: count, by: 1 << 16) {
                try writer.write(LoopbackResponse.pattern(start..<start + 1 << 16))
            }
            try writer.wait(at: Gate())
        }
    }
}

/// Records the delegate's calls, one word each.
private final class Listener: NSObject, URLSessionTaskDelegate {
    let words = Observed<[String]>([])

    private func add(_ word: String) { words.update { $0.append(word) } }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        add("sent \(totalBytesSent)")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        add(error == nil ? "ended" : "failed")
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { add("invalid") }
}

#if os(Linux)
/// The resident memory of the process.
private func residentBytes() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return try #require(Int(fields[1])) * Int(sysconf(Int32(_SC_PAGESIZE)))
}
#endif
#endif
