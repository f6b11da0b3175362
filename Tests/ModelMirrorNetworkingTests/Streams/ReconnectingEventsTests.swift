import Foundation
import ModelMirror
import ModelMirrorTesting
import Synchronization
import Testing

@testable import ModelMirrorNetworking

@Suite("Reconnecting event streams", .timeLimit(.hung), .network)
struct ReconnectingEventsTests {
    private let clock = ManualClock()
    private let mock = MockTransport()
    private let type: HTTPHeaders = [.contentType: "text/event-stream"]

    private var events: EventStream {
        APIClient(transport: mock, baseURL: URL(string: "https://example.com")).events(.get("events"))
    }

    /// The data of all events, with the clock advanced at each sleep.
    private func data(_ stream: EventStream, sleeps: Int) async throws -> [String] {
        let task = Task {
            var data: [String] = []
            for try await event in stream { data.append("\(event.id):\(event.data)") }
            return data
        }
        for count in 1...max(sleeps, 1) where sleeps > 0 {
            try await clock.sleeps(atLeast: count)
            clock.advance(by: .seconds(1_000_000_000))
        }
        return try await task.value
    }

    private var lastIDs: [String?] { mock.requests.map { $0.headers["Last-Event-ID"] } }

    @Test(
        "The stream resumes with the last complete event's id after the server's retry time",
        arguments: TransportUnderTest.allCases)
    func resumes(_ kind: TransportUnderTest) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        func chunk(_ text: String) -> String { "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n" }
        // Breaks off in the third event, whose id and data are both ignored.
        let broken = head + chunk("retry: 1500\nid: 1\ndata: a\n\ndata: b\n\nid: 3\ndata: half")
        server.on(
            .get, "/events",
            .sequence([
                .raw { try $0.write(broken) }, .text("\u{FEFF}data: c\n\nid: 4\ndata: d\n\n", headers: type),
                .status(204),
            ]))
        let stream = APIClient(transport: kind.make(), baseURL: server.url).events(.get("events"))
            .reconnecting(clock: clock)
        #expect(try await data(stream, sleeps: 2) == ["1:a", "1:b", "1:c", "4:d"])
        #expect(server.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1", "4"])
        #expect(clock.sleeps == [.milliseconds(1500), .milliseconds(1500)])
    }

    @Test("Without a retry time the stream's own delay applies, and doubles while connections fail")
    func backoff() async throws {
        mock.on(
            .get, "/events",
            .sequence([
                .text("data: a\n\n", headers: type), .failure(.cannotConnect), .failure(.noConnectivity),
                .failure(.timedOut),
                .failure(.connectionLost), .failure(.offline), .text("data: b\n\n", headers: type), .status(204),
            ]))
        let stream = events.reconnecting(after: .seconds(3), clock: clock)
        #expect(try await data(stream, sleeps: 7) == [":a", ":b"])
        #expect(clock.sleeps == [3, 6, 12, 24, 48, 60, 3].map { .seconds($0) })
        #expect(lastIDs == Array(repeating: nil, count: 8))
    }

    @Test("After a connection without an event, the server's retry is at least a second, and delay as it is")
    func fruitless() async throws {
        let replies = ["retry: 0\n\n", "id: 1\n\n:\n\n", "data: a", "retry: 1500\n\n", "retry: 0\ndata: b\n\n"]
        mock.on(.get, "/events", .sequence(replies.map { .text($0, headers: type) } + [.status(204)]))
        #expect(try await data(events.reconnecting(clock: clock), sleeps: 4) == ["1:b"])
        #expect(clock.sleeps == [.seconds(1), .seconds(1), .seconds(1), .milliseconds(1500), .zero])
        mock.on(.get, "/events", .sequence([.text("", headers: type), .status(204)]))
        #expect(try await data(events.reconnecting(after: .zero, clock: clock), sleeps: 0) == [])
        #expect(clock.sleeps.last == .zero)
    }

    @Test("A server that is unavailable is waited out as long as it asks, up to the bound")
    func unavailable() async throws {
        mock.on(
            .get, "/events",
            .sequence([
                .text("id: 1\ndata: a\n\n", headers: type), .status(503, headers: ["Retry-After": "7"]), .status(502),
                .status(504, headers: ["Retry-After": "0"]), .text("data: b\n\n", headers: type), .status(204),
            ]))
        #expect(try await data(events.reconnecting(clock: clock), sleeps: 5) == ["1:a", "1:b"])
        #expect(clock.sleeps == [3, 7, 14, 1, 3].map { .seconds($0) })
        #expect(lastIDs == [nil, "1", "1", "1", "1", "1"])
    }

    @Test("A longer wait than the bound ends the stream", arguments: [Duration.seconds(6), nil])
    func tooLongUnavailable(bound: Duration?) async throws {
        mock.on(
            .get, "/events",
            .sequence([.text("data: a\n\n", headers: type), .status(503, headers: ["Retry-After": "7"])]))
        let error = await #expect(throws: RequestError.self) {
            _ = try await data(events.reconnecting(longestRetryAfter: bound, clock: clock), sleeps: 1)
        }
        #expect(error?.response?.status == 503)
    }

    @Test("A delay beyond the clock's range is cut, and a negative one is zero")
    func extremeWaits() async throws {
        mock.on(
            .get, "/events",
            .sequence([.text("retry: 99999999999999999999\ndata: a\n\n", headers: type), .status(204)]))
        #expect(try await data(events.reconnecting(clock: clock), sleeps: 1) == [":a"])
        mock.on(.get, "/events", .sequence([.text("data: a\n\n", headers: type), .status(204)]))
        #expect(try await data(events.reconnecting(after: .seconds(Int64.min), clock: clock), sleeps: 0) == [":a"])
        #expect(clock.sleeps == [.seconds(1_000_000_000), .zero])
    }

    @Test("An error status ends the stream, and so does a failing first connection")
    func refused() async throws {
        mock.on(.get, "/events", .sequence([.text("data: a\n\n", headers: type), .status(500)]))
        let error = await #expect(throws: RequestError.self) {
            _ = try await data(events.reconnecting(clock: clock), sleeps: 1)
        }
        #expect(error?.response?.status == 500)
        mock.on(.get, "/events", .failure(.cannotConnect))
        let first = await #expect(throws: RequestError.self) {
            _ = try await data(events.reconnecting(clock: clock), sleeps: 0)
        }
        #expect(first?.failureKind == .cannotConnect)
        #expect(mock.requests.count == 3)
    }

    @Test("A deadline that has passed before a further connection ends the stream")
    func fixedDeadline() async throws {
        mock.on(.get, "/events", .text("data: a\n\n", headers: type))
        let connections = Atomic(0)
        var endpoint = Endpoint<[ServerSentEvent]>.get("events")
        endpoint.prepare = { request in
            if connections.add(1, ordering: .relaxed).newValue > 1 { request.deadline = .now }
        }
        let client = APIClient(transport: mock, baseURL: URL(string: "https://example.com"))
        let stream = client.events(endpoint).reconnecting(clock: clock)
        let error = await #expect(throws: RequestError.self) { _ = try await data(stream, sleeps: 1) }
        let sentence =
            "The request cannot be sent: its deadline passed before the stream connected again; set one for each connection, in "
            + "prepare."
        #expect(error?.description == sentence)
        #expect(mock.requests.count == 1)
    }

    @Test("Cancelling during the delay ends the stream, and nothing more is sent")
    func cancelled() async throws {
        mock.on(.get, "/events", .text("data: a\n\n", headers: type))
        let stream = events.reconnecting(clock: clock)
        let task = Task { for try await _ in stream {} }
        try await clock.sleeps(atLeast: 1)
        task.cancel()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        guard case .cancelled? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(mock.requests.count == 1)
    }

    @Test("A stream of events' objects reconnects with the last id")
    func objects() async throws {
        mock.on(
            .get, "/events",
            .sequence([
                .text("id: 7\ndata: {\"id\": 1}\n\n", headers: type), .text("data: {\"id\": 2}\n\n", headers: type),
                .status(204),
            ]))
        let stream = events.reconnecting(after: .zero, clock: clock).values(StoredGist.self)
        var ids: [Int] = []
        for try await gist in stream { ids.append(gist.id) }
        #expect(ids == [1, 2])
        #expect(lastIDs == [nil, "7", "7"])
    }

    @Test("The caller's Last-Event-ID is sent again until the server sends an id, also an empty one")
    func callersID() async throws {
        mock.on(
            .get, "/events",
            .sequence([
                .text("data: a\n\n", headers: type), .text("id: 6\ndata: b\n\n", headers: type),
                .text("id\ndata: c\n\n", headers: type), .status(204),
            ]))
        let client = APIClient(transport: mock, baseURL: URL(string: "https://example.com"))
        let stream = client.events(.get("events", headers: ["Last-Event-ID": "5"])).reconnecting(clock: clock)
        #expect(try await data(stream, sleeps: 3) == [":a", "6:b", ":c"])
        #expect(lastIDs == ["5", "5", "6", nil])
    }

    @Test("A 204 ends the stream, also where the accepted statuses lack it")
    func unacceptedEnd() async throws {
        mock.on(.get, "/events", .sequence([.text("data: a\n\n", headers: type), .status(204)]))
        let client = APIClient(transport: mock, baseURL: URL(string: "https://example.com"))
        let stream = client.events(.get("events", accepting: [200])).reconnecting(clock: clock)
        #expect(try await data(stream, sleeps: 1) == [":a"])
        #expect(mock.requests.count == 2)
    }

    @Test("Without reconnecting, and for a body, the stream ends with the connection")
    func ends() async throws {
        mock.on(.get, "/events", .text("data: a\n\n", headers: type))
        #expect(try await data(events, sleeps: 0) == [":a"])
        let body = ResponseBody(Data("data: a\n\n".utf8)).events().reconnecting(clock: clock)
        #expect(try await data(body, sleeps: 0) == [":a"])
        #expect(mock.requests.count == 1)
        #expect(clock.sleeps == [])
    }
}
