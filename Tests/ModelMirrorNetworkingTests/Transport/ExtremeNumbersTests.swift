import Foundation
import ModelMirror
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

/// Numbers beyond the range of a platform never trap: each is cut to the range, or rejected with a description.
@Suite("Extreme numbers", .timeLimit(.hung), .network)
final class ExtremeNumbersTests: Sendable {
    private let server: LoopbackServer
    private let hugeTimes: [Duration] = [
        .seconds(Int64.max), .seconds(9_223_372_036_854_775), .seconds(1 << 33), .milliseconds(Int64.max),
    ]
    private let noTimes: [Duration] = [.zero, .nanoseconds(-1), .seconds(Int64.min)]

    init() throws {
        server = try LoopbackServer()
        server.on(nil, "/ok", .json("[{\"id\": 1}]"))
    }

    deinit { server.stop() }

    private func status(_ transport: any Transport, _ change: (inout TransportRequest) -> Void = { _ in }) async throws
        -> Int
    {
        var request = TransportRequest(.get, server.url("/ok"))
        change(&request)
        let response = try await transport.response(to: request)
        #expect(try await response.body.collect(limit: .max).count == 11)
        return response.status
    }

    // MARK: Times

    @Test("Extreme timeouts are cut, and those not above zero rejected", arguments: TransportUnderTest.allCases)
    func timeouts(_ kind: TransportUnderTest) async throws {
        for time in hugeTimes {
            #expect(try await status(kind.make()) { $0.timeout = time } == 200)
            #expect(try await status(kind.make { $0.timeout = time }) == 200)
        }
        for time in noTimes {
            let sentence = "The request cannot be sent: the timeout \(time) is not greater than zero."
            await expectRequestError(sentence) { _ = try await status(kind.make()) { $0.timeout = time } }
            await expectRequestError(sentence) { _ = try await status(kind.make { $0.timeout = time }) }
            #expect(try await status(kind.make { $0.timeout = time }) { $0.timeout = .seconds(900) } == 200)
        }
    }

    @Test(
        "Extreme deadlines are cut, and those not in the future fail as timed out",
        arguments: TransportUnderTest.allCases)
    func deadlines(_ kind: TransportUnderTest) async throws {
        let late =
            "No response from \(server.url("/ok")): the deadline passed before the response was complete; raise it if the server "
            + "needs longer."
        var client = APIClient(transport: kind.make(), baseURL: server.url)
        for time in hugeTimes {
            #expect(try await status(kind.make { $0.deadline = time }) == 200)
            client.configuration.deadline = time
            #expect(try await client.response(.get("ok") as Endpoint<Data>).status == 200)
        }
        for time in noTimes {
            await expectRequestError(late) { _ = try await status(kind.make { $0.deadline = time }) }
            client.configuration.deadline = time
            await expectRequestError(late) { try await client.send(.get("ok")) }
        }
        // Beyond the longest sleep of a clock.
        let far = ContinuousClock.now.advanced(by: .seconds(1 << 60))
        #expect(try await status(kind.make()) { $0.deadline = far } == 200)
        #expect(try await status(RetryTransport(CoalescingTransport(kind.make()))) { $0.deadline = far } == 200)
        let before = ContinuousClock.now.advanced(by: .seconds(-(1 << 60)))
        await expectRequestError(late) { _ = try await status(kind.make()) { $0.deadline = before } }
    }

    @Test("Extreme delays and a huge number of attempts do not trap")
    func waits() async throws {
        for time in hugeTimes + noTimes {
            var policy = RetryPolicy()
            policy.attempts = .max
            (policy.firstDelay, policy.longestDelay, policy.longestRetryAfter) = (time, time, time)
            server.on(.get, "/busy", .sequence([.status(503), .json("[]")]))
            let clock = ManualClock()
            let task = Task { [server] in
                try await RetryTransport(policy: policy, clock: clock, random: { 1 }).response(
                    to: TransportRequest(.get, server.url("/busy")))
            }
            if time > .zero {
                try await clock.sleepers(atLeast: 1)
                clock.advance(by: .seconds(1_000_000_000))
            }
            #expect(try await task.value.status == 200)
            let connected = ReachabilityTransport(isConnected: { true }, waitingUpTo: time)
            #expect(try await status(connected) == 200)
        }
    }

    // MARK: Counts and sizes

    @Test(
        "A transport works with any limits of requests and buffers", arguments: TransportUnderTest.allCases,
        [Int.max, Int(Int32.max) + 1, 1, 0, -1, .min])
    func limits(_ kind: TransportUnderTest, number: Int) async throws {
        let large = LoopbackResponse.pattern(0..<300_000)
        server.on(.get, "/large", .data(large))
        let transport = kind.make {
            $0.requestsPerHost = number
            $0.bufferSize = number
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask { [server] in
                    let response = try await transport.response(to: TransportRequest(.get, server.url("/large")))
                    return try await response.body.collect(limit: .max).count
                }
            }
            for try await count in group { #expect(count == 300_000) }
        }
    }

    @Test(
        "A buffer of less than 1 byte delays no body, in chunks or empty, in either direction",
        arguments: TransportUnderTest.allCases, [0, -1, -2, .min])
    func smallBuffers(_ kind: TransportUnderTest, number: Int) async throws {
        let pieces = [Data("a".utf8), Data("bc".utf8), LoopbackResponse.pattern(0..<300_000)]
        let whole = Data(pieces.joined())
        server.on(.get, "/chunks", .chunked(pieces))
        server.on(.get, "/no-chunks", .chunked([]))
        server.on(.get, "/empty", .data(Data()))
        server.on(.get, "/none", .status(204))
        server.on(.post, "/echo") { .data($0.body) }
        let transport = kind.make { $0.bufferSize = number }
        func answer(_ method: HTTPMethod, _ path: String, _ body: HTTPBody? = nil) async throws -> Data {
            var request = TransportRequest(method, server.url(path))
            request.body = body
            return try await transport.response(to: request).body.collect(limit: .max)
        }
        #expect(try await answer(.get, "/chunks") == whole)
        for path in ["/no-chunks", "/empty", "/none"] { #expect(try await answer(.get, path) == Data(), "\(path)") }
        for sent in [pieces, [Data()], []] {
            let chunks = HTTPBody.chunks {
                var rest = sent[...]
                return { rest.popFirst() }
            }
            #expect(try await answer(.post, "/echo", chunks) == Data(sent.joined()))
            #expect(try await answer(.post, "/echo", .data(Data(sent.joined()))) == Data(sent.joined()))
        }
    }

    @Test(
        "Limits of bodies, elements, lines, events and downloads can be any number", arguments: [Int.max, 0, -1, .min])
    func bodyLimits(number: Int) async throws {
        let isEnough = number > 0
        server.on(.get, "/events", .text("data: {\"id\": 1}\n\n", headers: [.contentType: "text/event-stream"]))
        server.on(.get, "/refused", .text("Busy", status: 400))
        var client = APIClient(transport: CoalescingTransport(limit: number), baseURL: server.url)
        (client.configuration.bodyLimit, client.configuration.errorBodyLimit) = (number, number)
        let items = Endpoint<[StoredGist]>.get("ok")
        func count(_ work: () async throws -> Int) async -> Int? { try? await work() }
        #expect(await count { try await client.value(items).count } == (isEnough ? 1 : nil))
        client.transport = SystemTransport.shared
        #expect(await count { try await client.value(items).count } == (isEnough ? 1 : nil))
        let refused = await #expect(throws: RequestError.self) { try await client.send(.get("refused")) }
        #expect(refused?.response?.body == Data((isEnough ? "Busy" : "").utf8))
        #expect(refused?.response?.isBodyCut == !isEnough)
        let streams = [
            await count { try await client.elements(items, elementLimit: number).reduce(0) { sum, _ in sum + 1 } },
            await count { try await client.events(.get("events"), eventLimit: number).reduce(0) { sum, _ in sum + 1 } },
        ]
        #expect(streams == (isEnough ? [1, 1] : [nil, nil]))
        server.on(.get, "/lines", .text("{\"id\": 1}\n", headers: [.contentType: "application/x-ndjson"]))
        let lines = Endpoint<[StoredGist]>.get("lines")
        #expect(
            await count { try await client.lines(lines, lineLimit: number).reduce(0) { sum, _ in sum + 1 } }
                == (isEnough ? 1 : nil))
        let target = FileManager.default.temporaryDirectory.appending(path: "extreme-\(UUID())")
        defer { try? FileManager.default.removeItem(at: target) }
        #expect(
            await count { try await client.download(Endpoint<Data>.get("ok"), to: target, limit: number).status }
                == (isEnough ? 200 : nil))
        #expect(!FileManager.default.fileExists(atPath: target.path + ".partial"))
    }

    @Test("Limits of stores can be any number", arguments: [Int.max, 0, -1, .min])
    func storeLimits(number: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "extreme-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for store in [MemoryStore(limit: number), try FileStore(folder: folder, limit: number)] as [any ResponseStore] {
            let client = APIClient(baseURL: server.url, persistence: Persistence.keeping(store))
            server.forgetExchanges()
            for _ in 1...2 {
                #expect(try await client.value(.get("ok") as Endpoint<[StoredGist]>).map(\.id) == [1])
            }
            #expect(server.requestCount == (number > 0 ? 1 : 2))
        }
    }

    @Test("Maximum ages can be any duration", arguments: [Duration.seconds(Int64.max), .zero, .seconds(Int64.min)])
    func ages(maxAge: Duration) async throws {
        let client = APIClient(baseURL: server.url, persistence: Persistence.keeping(MemoryStore()))
        let items = Endpoint<[StoredGist]>.get("ok")
        #expect(try await client.value(items).map(\.id) == [1])
        for now in [Date.distantFuture, .distantPast, Date(timeIntervalSince1970: .infinity)] {
            var asking = client
            asking.persistence?.now = { now }
            #expect(try await asking.value(items, policy: .networkElseCache.maxAge(maxAge)).map(\.id) == [1])
            _ = try? await asking.value(items, policy: .cacheOnly.maxAge(maxAge))
        }
    }

    @Test("Extreme redirect limits are respected, and negative ones rejected", arguments: TransportUnderTest.allCases)
    func redirects(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/moved", .redirect(to: "/ok"))
        for limit in [Int.max, 1] {
            let transport = kind.make { $0.redirects = .follow(limit: limit) }
            #expect(try await transport.text(server.url("/moved")) == "[{\"id\": 1}]")
        }
        await expectRequestError(
            "The server redirected more often than the limit of 0 allows; raise the limit or look for a loop."
        ) {
            _ = try await kind.make { $0.redirects = .follow(limit: 0) }.text(server.url("/moved"))
        }
        for limit in [-1, Int.min] {
            await expectRequestError("The request cannot be sent: the limit of \(limit) redirects is negative.") {
                _ = try await status(kind.make()) { $0.redirects = .follow(limit: limit) }
            }
        }
    }

    // MARK: Lengths

    @Test(
        "A body whose declared length is extreme or negative fails the request", arguments: TransportUnderTest.allCases)
    func bodyLengths(_ kind: TransportUnderTest) async throws {
        var limits = LoopbackServer.Limits()
        (limits.bodyBytes, limits.headBytes, limits.recordedExchanges) = (.max, .max, .max)
        limits.stallTime = .seconds(Int64.max)
        let server = try LoopbackServer(limits: limits)
        defer { server.stop() }
        for length in [Int.max, Int(UInt32.max), 2] {
            var request = TransportRequest(.post, server.url("/ok"))
            request.body = .chunks(length: length) {
                var chunks = ["a"][...]
                return { chunks.popFirst().map { Data($0.utf8) } }
            }
            await expectRequestError("The request cannot be sent: the body declares \(length) bytes and produces 1.") {
                [request] in
                _ = try await kind.make().response(to: request)
            }
        }
        for length in [-1, Int.min] {
            await expectRequestError("The request cannot be sent: the body declares \(length) bytes.") {
                _ = try await status(kind.make()) {
                    $0.method = .post
                    $0.body = .chunks(length: length) { { nil } }
                }
            }
        }
    }

    @Test(
        "A response with an extreme or negative Content-Length fails",
        arguments: [
            "9223372036854775807", "9223372036854775808", "99999999999999999999999", "-1", "-9223372036854775808",
        ])
    func contentLengths(length: String) async throws {
        server.on(
            .get, "/long",
            .raw {
                try $0.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(length)\r\n\r\n[]")
            })
        let client = APIClient(baseURL: server.url)
        await #expect(throws: RequestError.self) { _ = try await client.value(.get("long") as Endpoint<[StoredGist]>) }
        let target = FileManager.default.temporaryDirectory.appending(path: "extreme-\(UUID())")
        await #expect(throws: RequestError.self) {
            try await client.download(Endpoint<Data>.get("long"), to: target, limit: 100)
        }
        for suffix in [".partial", ".partial.from"] {
            try? FileManager.default.removeItem(atPath: target.path + suffix)
        }
    }

    @Test(
        "A resumed download with an impossible Content-Range fails",
        arguments: [
            "bytes 5-9223372036854775806/9223372036854775807", "bytes 9223372036854775807-9223372036854775807/*",
            "bytes 5-99999999999999999999/*", "bytes -1-9/10",
        ])
    func ranges(range: String) async throws {
        let target = FileManager.default.temporaryDirectory.appending(path: "extreme-\(UUID())")
        let partial = URL(filePath: target.path + ".partial")
        let source = URL(filePath: partial.path + ".from")
        defer { for url in [target, partial, source] { try? FileManager.default.removeItem(at: url) } }
        try Data("12345".utf8).write(to: partial)
        let digest = TransportRequest(.get, server.url("/file")).fieldDigest
        try Data("\(server.url("/file"))\n\"1\"\n\(digest)".utf8).write(to: source)
        server.on(.get, "/file", .text("67890", status: 206, headers: [.contentRange: range, .eTag: "\"1\""]))
        let client = APIClient(baseURL: server.url)
        await #expect(throws: RequestError.self) { try await client.download(Endpoint<Data>.get("file"), to: target) }
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test("The retry time of an event is cut to the longest time that can be counted")
    func eventRetry() async throws {
        server.on(
            .get, "/events",
            .text("retry: 99999999999999999999999\ndata: a\n\n", headers: [.contentType: "text/event-stream"]))
        let client = APIClient(baseURL: server.url)
        for try await event in client.events(.get("events")) { #expect(event.retry == .milliseconds(Int64.max)) }
    }

    // MARK: Ports

    @Test(
        "A request to a port that is invalid or out of range fails", arguments: TransportUnderTest.allCases,
        ["0", "65536", "99999", "4294967376", "99999999999999999999", "-1"])
    func ports(_ kind: TransportUnderTest, port: String) async throws {
        guard let url = URL(string: "http://127.0.0.1:\(port)/") else { return }
        await #expect(throws: RequestError.self) { _ = try await kind.make().response(to: TransportRequest(.get, url)) }
        await #expect(throws: RequestError.self) {
            _ = try await APIClient(transport: kind.make(), baseURL: url).value(.get("x") as Endpoint<[StoredGist]>)
        }
    }

    #if os(Linux)
    @Test("A request through a proxy with an invalid port fails", arguments: ["0", "65536", "99999999999999999999"])
    func proxyPorts(port: String) async throws {
        guard let url = URL(string: "http://127.0.0.1:\(port)/") else { return }
        var options = CurlTransport.Options()
        options.proxy = .url(url)
        (options.maximumRequests, options.maximumStreamsPerHost) = (.max, .min)
        await #expect(throws: RequestError.self) { _ = try await status(CurlTransport(options)) }
    }
    #endif
}
