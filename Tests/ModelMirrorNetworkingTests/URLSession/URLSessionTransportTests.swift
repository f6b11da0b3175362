#if !os(Linux) || FoundationNetworking
import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the contract of all transports leaves open.
@Suite(.timeLimit(.minutes(1)))
struct URLSessionTransportTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test func keepsItsConnectionAndClosesIt() async throws {
        server.on(.get, "/:number") { .text($0.parameters["number"] ?? "") }
        do {
            let transport = URLSessionTransport()
            for number in 0..<200 {
                #expect(try await text(transport, .get, "/\(number)") == "\(number)")
            }
            #expect(server.connectionCount == 1)
        }
        try await eventually { server.openConnectionCount == 0 }
    }

    @Test("A configuration handed in is used, but caches nothing, and its times are bounded")
    func takesAConfiguration() async throws {
        server.on(.get, "/a") { _ in .text("a", headers: [.cacheControl: "max-age=3600"]) }
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-Client": "tour"]
        configuration.requestCachePolicy = .returnCacheDataElseLoad
        configuration.timeoutIntervalForRequest = .infinity
        configuration.timeoutIntervalForResource = .greatestFiniteMagnitude
        let transport = URLSessionTransport(configuration: configuration)
        for _ in 1...2 { #expect(try await text(transport, .get, "/a") == "a") }
        #expect(server.requests.map { $0.headers["X-Client"] } == ["tour", "tour"])
        let request = TransportRequest(.get, server.url("/a"))
        #expect(transport.identity(for: request) == .unknown)
        var options = URLSessionTransport.Options()
        options.account = { .account("alice") }
        let named = URLSessionTransport(configuration: configuration, options: options)
        #expect(named.identity(for: request) == .account("alice"))
    }

    @Test func limitsConnections() async throws {
        let gate = Gate()
        server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
        var options = URLSessionTransport.Options()
        options.maximumConnectionsPerHost = 3
        let transport = URLSessionTransport(options)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<12 { group.addTask { try await text(transport, .get, "/") } }
            try await gate.arrivals(atLeast: 3)
            #expect(server.connectionCount == 3)
            gate.open()
            for try await text in group { #expect(text == "a") }
        }
        #expect(server.connectionCount == 3)
        #expect(server.requestCount == 12)
    }

    @Test func answersManyAtOnce() async throws {
        server.on(.post, "/echo") { .data($0.body) }
        let transport = URLSessionTransport()
        let server = server
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<512 {
                if number >= 64 { #expect(try await group.next() == true) }
                group.addTask {
                    let data = Data("\(number)".utf8)
                    let response = try await transport.response(
                        to: TransportRequest(.post, server.url("/echo"), body: .data(data)))
                    return try await response.body.collect(limit: 100) == data
                }
            }
            for try await isEqual in group { #expect(isEqual) }
        }
        #expect(server.requestCount == 512)
    }

    @Test func readsABodyOnAfterTheTransportIsGone() async throws {
        let gate = Gate()
        server.on(.get, "/", .slow(["a", "b"], at: gate))
        let body = try await URLSessionTransport().response(to: TransportRequest(.get, server.url("/"))).body
        gate.open()
        #expect(try await body.collect(limit: 10) == Data("ab".utf8))
        try await eventually { server.openConnectionCount == 0 }
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

    @Test func endsABodyThatIsTooLarge() async throws {
        server.on(.get, "/", unending(after: 1 << 20))
        do {
            let response = try await URLSessionTransport().response(to: TransportRequest(.get, server.url("/")))
            let error = await #expect(throws: RequestError.self) { try await response.body.collect(limit: 1000) }
            guard case .bodyTooLarge(limit: 1000)? = error else {
                Issue.record("\(error as Any)")
                return
            }
        }
        #expect(try await server.exchanges(atLeast: 1)[0].ended() == .clientLeft)
    }

    @Test func sendsTypesOfBodies() async throws {
        server.on(.post, "/", .status(204))
        let transport = URLSessionTransport()
        for (headers, type): (HTTPHeaders, String) in [
            ([:], "application/octet-stream"), ([.contentType: "text/csv"], "text/csv"),
        ] {
            let request = TransportRequest(.post, server.url("/"), headers: headers, body: .data(Data("a,b".utf8)))
            _ = try await transport.response(to: request)
            #expect(server.requests.last?.headers.values(for: .contentType) == [type])
            #expect(server.requests.last?.headers.values(for: .contentLength) == ["3"])
        }
    }

    @Test func refusesFilesThatCannotBeRead() async throws {
        let folder = FileManager.default.temporaryDirectory
        for file in [folder.appendingPathComponent("none-\(UUID())"), folder, URL(string: "https://example.com/a")!] {
            let error = await #expect(throws: RequestError.self) {
                try await URLSessionTransport().response(
                    to: TransportRequest(.post, server.url("/"), body: .file(file)))
            }
            guard case .invalidRequest(let reason)? = error else {
                Issue.record("\(error as Any)")
                continue
            }
            #expect(reason.hasPrefix("the file \"\(file.path)\" cannot be read as a body: "))
        }
        #expect(server.requestCount == 0)
    }

    @Test func tellsWhatWentOut() async throws {
        server.on(.post, "/", .status(204))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID())")
        try LoopbackResponse.pattern(0..<3_000_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for body in [HTTPBody.data(LoopbackResponse.pattern(0..<3_000_000)), .file(file)] {
            let told = Observed<[(Int64, Int64?)]>([])
            var request = TransportRequest(.post, server.url("/"), body: body)
            request.uploadProgress = { sent, total in told.update { $0.append((sent, total)) } }
            _ = try await URLSessionTransport().response(to: request)
            let values = try await told.wait { $0.last?.0 == 3_000_000 }
            #expect(values.map(\.0) == values.map(\.0).sorted())
            #expect(values.allSatisfy { $0.1 == 3_000_000 })
        }
    }

    @Test func sendsCredentialsOfTheURLAsAField() async throws {
        server.on(.get, "/", .status(204))
        let transport = URLSessionTransport()
        let url = try #require(URL(string: "http://ada:s%3Aecret@127.0.0.1:\(server.port)/"))
        let response = try await transport.response(to: TransportRequest(.get, url))
        #expect(server.requests.last?.headers[.authorization] == "Basic YWRhOnM6ZWNyZXQ=")
        #expect(response.url == server.url("/"))
        _ = try await transport.response(to: TransportRequest(.get, url, headers: [.authorization: "Bearer a"]))
        #expect(server.requests.last?.headers[.authorization] == "Bearer a")
    }

    /// FoundationNetworking asks for credentials, and waits for ever if it gets none.
    @Test(arguments: [
        "Basic realm=\"a\"", "Basic", "Bearer", "Digest realm=\"a\", nonce=\"b\"", "Negotiate", "Basic realm=\"",
    ])
    func handsUnauthorizedOn(_ challenge: String) async throws {
        server.on(.get, "/", .json("[1]", status: 401, headers: [.wwwAuthenticate: challenge]))
        server.on(.get, "/after", .json("[2]"))
        let transport = URLSessionTransport()
        for _ in 0..<3 {
            let response = try await transport.response(to: TransportRequest(.get, server.url("/")))
            #expect(response.status == 401)
            #expect(response.headers[.wwwAuthenticate] == challenge)
            #expect(try await response.body.collect(limit: 10) == Data("[1]".utf8))
        }
        #expect(try await text(transport, .get, "/after") == "[2]")
        #expect(server.requestCount == 4)
    }

    @Test(arguments: [
        (URLSessionTransport.CookiePolicy.none, String?.none, "own=1"), (.session, "a=1", "own=1"),
    ])
    func keepsCookies(_ policy: URLSessionTransport.CookiePolicy, _ expected: String?, _ own: String) async throws {
        server.on(.get, "/set", .redirect(to: "/get", headers: [.setCookie: "a=1; Path=/"]))
        server.on(.get, "/get", .status(204))
        var options = URLSessionTransport.Options()
        options.cookies = policy
        let transport = URLSessionTransport(options)
        _ = try await transport.response(to: TransportRequest(.get, server.url("/set")))
        #expect(server.requests.last?.path == "/get")
        #expect(server.requests.last?.headers[.cookie] == expected)
        _ = try await transport.response(to: TransportRequest(.get, server.url("/get")))
        #expect(server.requests.last?.headers[.cookie] == expected)
        _ = try await URLSessionTransport(options).response(to: TransportRequest(.get, server.url("/get")))
        #expect(server.requests.last?.headers[.cookie] == nil, "another transport has its own cookies")
        if policy == .none {
            _ = try await transport.response(to: TransportRequest(.get, server.url("/get"), headers: [.cookie: own]))
            #expect(server.requests.last?.headers[.cookie] == own)
        }
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

    @Test func asksAgainEachTime() async throws {
        server.on(.get, "/", .text("a", headers: [.cacheControl: "max-age=3600", .eTag: "\"1\""]))
        let transport = URLSessionTransport()
        for _ in 0..<3 { _ = try await text(transport, .get, "/") }
        #expect(server.requestCount == 3)
        #expect(server.requests.allSatisfy { $0.headers[.ifNoneMatch] == nil })
    }

    @Test func handsRedirectsWithoutLocationOn() async throws {
        server.on(.get, "/", .status(302, headers: ["X-A": "1"]))
        let response = try await URLSessionTransport().response(to: TransportRequest(.get, server.url("/")))
        #expect(response.status == 302)
        #expect(response.headers["X-A"] == "1")
        #expect(try await response.body.collect(limit: 10).isEmpty)
    }

    private func text(_ transport: URLSessionTransport, _ method: HTTPMethod, _ path: String) async throws -> String {
        let response = try await transport.response(to: TransportRequest(method, server.url(path)))
        return String(decoding: try await response.body.collect(limit: 1 << 20), as: UTF8.self)
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

    /// Waits for what the system does when it gets around to it.
    private func eventually(_ condition: () -> Bool) async throws {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: .seconds(5))
        while !condition(), clock.now < end { try await clock.sleep(for: .milliseconds(2)) }
        #expect(condition())
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
