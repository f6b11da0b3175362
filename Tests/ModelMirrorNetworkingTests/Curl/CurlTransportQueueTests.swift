#if os(Linux)
import Foundation
import ModelMirror
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

/// Requests and streams that wait for a place, and those that do not.
@Suite(.timeLimit(.hung), .network)
struct CurlTransportQueueTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test func removesCancelledRequestsFromTheQueue() async throws {
        let gate = Gate()
        server.on(.get, "/held", LoopbackResponse.text("a").held(at: gate))
        server.on(.get, "/waiting", .text("b"))
        var options = CurlTransport.Options()
        options.maximumRequestsPerHost = 1
        let transport = CurlTransport(options)
        let first = Task { try await transport.text(server.url("/held")) }
        try await gate.arrivals(atLeast: 1)
        let waiting = (0..<100).map { _ in Task { try await transport.text(server.url("/waiting")) } }
        for task in waiting { task.cancel() }
        for task in waiting {
            let error = await #expect(throws: RequestError.self) { try await task.value }
            guard case .cancelled? = error else {
                Issue.record("\(error as Any)")
                continue
            }
        }
        gate.open()
        #expect(try await first.value == "a")
        #expect(try await transport.text(server.url("/waiting")) == "b")
        #expect(server.requestCount == 2)
    }

    @Test("A request that waits for a place is not sent once its user has signed out")
    func waitsForItsUser() async throws {
        let (gate, waits) = (Gate(), Observed(0))
        server.on(.get, "/held", LoopbackResponse.text("a").held(at: gate))
        server.on(.post, "/waiting", .text("b"))
        var options = CurlTransport.Options()
        options.maximumRequestsPerHost = 1
        options.reportDelay = .milliseconds(1)
        options.report = { _ in waits.update { $0 += 1 } }
        let signedIn = try AuthenticatingTransport(
            CurlTransport(options), origins: [server.url], token: "alice-1", account: user)
        let first = Task { try await signedIn.text(server.url("/held")) }
        try await gate.arrivals(atLeast: 1)
        let waiting = Task { try await signedIn.response(to: TransportRequest(.post, server.url("/waiting"))) }
        _ = try await waits.wait { $0 == 1 }
        signedIn.credential = nil
        gate.open()
        await expectAccountChanged { _ = try await waiting.value }
        #expect(try await first.value == "a")
        #expect(server.requests.map(\.path) == ["/held"])
    }

    @Test("Cancelling many waiting requests takes no longer once their wait was reported")
    func cancelsReportedRequests() async throws {
        /// The time from cancelling the requests to the response of the one that they wait for.
        func seconds(isReported: Bool) async throws -> Double {
            let (gate, begun, reports) = (Gate(), Observed(0), Observed(0))
            server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
            var options = CurlTransport.Options()
            options.maximumRequestsPerHost = 1
            options.reportDelay = isReported ? .milliseconds(1) : .seconds(3600)
            options.report = { _ in reports.update { $0 += 1 } }
            let transport = CurlTransport(options)
            let first = Task { try await transport.text(server.url("/")) }
            try await gate.arrivals(atLeast: 1)
            let waiting = (0..<5000).map { _ in
                Task {
                    begun.update { $0 += 1 }
                    return try await transport.text(server.url("/"))
                }
            }
            _ = try await begun.wait { $0 == 5000 }
            if isReported { _ = try await reports.wait { $0 == 1 } }
            let start = ContinuousClock.now
            for task in waiting { task.cancel() }
            for task in waiting { _ = await task.result }
            gate.open()
            #expect(try await first.value == "a")
            return (ContinuousClock.now - start) / .seconds(1)
        }
        var (reported, unreported) = (Double.infinity, Double.infinity)
        // The least times of up to five turns, since other work on the machine adds to them.
        for _ in 0..<5 where reported >= unreported * 3 {
            unreported = min(unreported, try await seconds(isReported: false))
            reported = min(reported, try await seconds(isReported: true))
        }
        #expect(reported < unreported * 3, "\(reported) s, and \(unreported) s")
    }

    @Test("A stream that gets no place fails after its timeout, naming the option, and the wait is reported once")
    func streamsSpeak() async throws {
        let gate = Gate()
        server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
        let incidents = Observed<[CurlTransport.Incident]>([])
        var options = CurlTransport.Options()
        options.maximumStreamsPerHost = 1
        options.reportDelay = .milliseconds(1)
        options.report = { incident in incidents.update { $0.append(incident) } }
        let transport = CurlTransport(options)
        var request = TransportRequest(.get, server.url("/"))
        request.isStream = true
        var short = request
        short.timeout = .milliseconds(200)
        let late = short
        let first = Task { [request] in try await transport.response(to: request).body.collect(limit: 10) }
        try await gate.arrivals(atLeast: 1)
        for _ in 0..<2 {
            let error = await #expect(throws: RequestError.self) { try await transport.response(to: late) }
            #expect(error?.failureKind == .timedOut)
            #expect(
                error?.failureReason
                    == "no place was free for 0.2 s; raise the option maximumStreamsPerHost, which is 1")
        }
        gate.open()
        #expect(try await first.value == Data("a".utf8))
        let found = try await incidents.wait { $0.count == 2 }
        let origin = "http://127.0.0.1:\(server.port)"
        #expect(
            found[0].description
                == "1 stream waits for a place for \(origin), since the option maximumStreamsPerHost is 1.")
        #expect(server.requestCount == 1)
    }

    @Test("Each of two waiting requests ends at its own timeout, behind one that has none", arguments: [true, false])
    func waitingRequestsEnd(isStream: Bool) async throws {
        let gate = Gate()
        server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
        let waits = Observed(0)
        var options = CurlTransport.Options()
        (options.maximumStreamsPerHost, options.maximumRequestsPerHost) = (1, 1)
        options.reportDelay = .milliseconds(1)
        options.report = { _ in waits.update { $0 += 1 } }
        let transport = CurlTransport(options)
        var request = TransportRequest(.get, server.url("/"))
        request.isStream = isStream
        request.timeout = .seconds(Int64.max)
        let first = Task { [request] in try await transport.response(to: request).body.collect(limit: 10) }
        try await gate.arrivals(atLeast: 1)
        func late(_ time: Duration) -> Task<RequestError?, Never> {
            var late = request
            if isStream { late.timeout = time } else { late.deadline = .now + time }
            return Task { [late] in
                await #expect(throws: RequestError.self) { try await transport.response(to: late) }
            }
        }
        let later = late(.milliseconds(700))
        _ = try await waits.wait { $0 == 1 }
        let earlier = late(.milliseconds(200))
        let reasons = [await earlier.value?.failureReason, await later.value?.failureReason]
        let option = "raise the option maximumStreamsPerHost, which is 1"
        #expect(
            reasons
                == (isStream
                    ? ["no place was free for 0.2 s; \(option)", "no place was free for 0.7 s; \(option)"]
                    : Array(repeating: "the deadline passed before the response was complete", count: 2)))
        gate.open()
        #expect(try await first.value == Data("a".utf8))
        #expect(server.requestCount == 1)
    }

    @Test func runsMoreStreamsThanRequestsToOneHost() async throws {
        let gate = Gate()
        server.on(.get, "/stream", LoopbackResponse.text("a").held(at: gate))
        server.on(.get, "/", .text("b"))
        let transport = CurlTransport()
        var request = TransportRequest(.get, server.url("/stream"))
        request.isStream = true
        try await withThrowingTaskGroup(of: Data.self) { [request] group in
            for _ in 0..<40 {
                group.addTask { try await transport.response(to: request).body.collect(limit: 10) }
            }
            try await gate.arrivals(atLeast: 40)
            #expect(try await transport.text(server.url("/")) == "b")
            gate.open()
            for try await data in group { #expect(data == Data("a".utf8)) }
        }
    }

    @Test("Streams and downloads do not occupy the places of other requests")
    func streamsHaveTheirOwnPlaces() async throws {
        let gate = Gate()
        server.on(.get, "/held/:kind") { request in
            LoopbackResponse.text("", headers: [.contentType: request.headers[.accept] ?? "text/plain"]).held(at: gate)
        }
        server.on(.get, "/", .json("1"))
        var options = CurlTransport.Options()
        options.maximumRequestsPerHost = 1
        let client = APIClient(transport: CurlTransport(options), baseURL: server.url)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("stream-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for try await _ in client.events(.get("held/events")) {} }
            group.addTask { for try await _ in client.lines(Endpoint<[Item]>.get("held/lines")) {} }
            group.addTask {
                // An empty body is not an array.
                await #expect(throws: (any Error).self) {
                    for try await _ in client.elements(Endpoint<[Item]>.get("held/elements")) {}
                }
            }
            group.addTask { try await client.download(Endpoint<Data>.get("held/download"), to: file) }
            try await gate.arrivals(atLeast: 4)
            #expect(try await client.value(Endpoint<Int>.get("/")) == 1)
            gate.open()
            try await group.waitForAll()
        }
        #expect(server.requestCount == 5)
    }
}

private class Item: AbstractModel {
    var id = 0
}
#endif
