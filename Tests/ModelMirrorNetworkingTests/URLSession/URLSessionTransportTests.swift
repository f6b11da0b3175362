#if !os(Linux) || FoundationNetworking
import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What ``URLSessionTransport`` alone has.
@Suite(.timeLimit(.minutes(1)))
struct URLSessionTransportTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test("A configuration handed in is used, but caches nothing, and its times are bounded")
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

    #if os(Linux)
    /// In a process of its own: what other tests hold at the same time counts, too.
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

    @Test func limitsWhatItSpools() async throws {
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

    /// A body that stops and does not end. It is not sent without a pause: FoundationNetworking does not come to cancel a
    /// task as long as it never has to wait for bytes.
    private func unending(after count: Int) -> LoopbackResponse {
        .streaming { writer in
            for start in stride(from: 0, to: count, by: 1 << 16) {
                try writer.write(LoopbackResponse.pattern(start..<start + 1 << 16))
            }
            try writer.wait(at: Gate())
        }
    }
}

#if os(Linux)
/// How much memory the process has.
private func residentBytes() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return try #require(Int(fields[1])) * Int(sysconf(Int32(_SC_PAGESIZE)))
}
#endif
#endif
