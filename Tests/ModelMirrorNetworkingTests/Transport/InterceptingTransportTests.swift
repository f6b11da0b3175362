import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("InterceptingTransport", .timeLimit(.hung), .network)
struct InterceptingTransportTests {
    private let mock = MockTransport()

    private func request(_ path: String = "/") throws -> TransportRequest {
        TransportRequest(.get, try #require(URL(string: "https://example.com\(path)")))
    }

    @Test("Requests pass from the first to the last interceptor, responses from the last to the first")
    func order() async throws {
        mock.on(.get, "/", .status(200, headers: ["X-Trace": "server"]))
        let transport = InterceptingTransport(mock, interceptors: ["a", "b", "c"].map(Tracing.init))
        let response = try await transport.response(to: try request())
        #expect(mock.requests.map { $0.headers["X-Trace"] } == [" a b c"])
        #expect(response.headers["X-Trace"] == "server after a b c, c after a b c, b after a b c, a")
    }

    @Test("Closures adapt requests and inspect responses; an empty interceptor, or none, changes nothing")
    func closures() async throws {
        mock.on(.get, "/new", .text("old"))
        let unchanged = InterceptingTransport(
            InterceptingTransport(mock, interceptors: []), interceptors: [Idle()])
        let transport = InterceptingTransport(unchanged) {
            $0.url = $0.url.appendingPathComponent("new")
        } inspecting: { response, request in
            let body = try await response.body.collect(limit: 10)
            response.body = ResponseBody(body + Data(request.url.path.utf8))
            response.status = 203
        }
        let response = try await transport.response(to: try request())
        #expect(response.status == 203)
        #expect(try await response.body.collect(limit: 100) == Data("old/new".utf8))
    }

    @Test("An error of an adapter fails the request, and nothing after it runs or is sent")
    func adapterThrows() async throws {
        let log = WordLog()
        let transport = InterceptingTransport(
            mock,
            interceptors: [
                Logging(log: log, name: "first"), Logging(log: log), Logging(log: log, name: "third"),
            ])
        await #expect(throws: Refusal.self) { _ = try await transport.response(to: try request()) }
        #expect(log.words == ["first"])
        #expect(mock.requests.isEmpty)
    }

    @Test("An error of an inspector fails the request, skips the outer ones and ends the transfer")
    func inspectorThrows() async throws {
        let log = WordLog()
        let base = StubTransport { request in
            TransportResponse(
                status: 200, url: request.url, body: .endless { log.add("end of the transfer") })
        }
        let transport = InterceptingTransport(
            InterceptingTransport(
                InterceptingTransport(base, inspecting: { _, _ in log.add("inner") }),
                inspecting: { _, _ in throw Refusal() }),
            inspecting: { _, _ in log.add("outer") })
        await #expect(throws: Refusal.self) { _ = try await transport.response(to: try request()) }
        #expect(log.words == ["inner", "end of the transfer"])
    }

    @Test("An error of the transport is thrown without calling inspectors")
    func transportThrows() async throws {
        mock.on(.get, "/", .failure(.connectionLost))
        let log = WordLog()
        let transport = InterceptingTransport(mock, inspecting: { _, _ in log.add("response") })
        let error = await #expect(throws: RequestError.self) { _ = try await transport.response(to: try request()) }
        #expect(error?.failureKind == .connectionLost)
        #expect(log.words == [])
    }

    @Test(
        "Cancelling while an adapter waits sends nothing, whether or not the adapter throws",
        arguments: [true, false])
    func cancelled(throwing: Bool) async throws {
        let gate = Gate()
        let transport = InterceptingTransport(mock) { _ in
            do { try await gate.enter() } catch { if throwing { throw error } }
        }
        let request = try request()
        let task = Task { try await transport.response(to: request).status }
        try await gate.arrivals()
        task.cancel()
        await expectCancelled(task)
        #expect(mock.requests.isEmpty)
    }
}

private struct Refusal: Error {}

private struct Idle: Interceptor {}

/// Logs its name and the response, or rejects the request.
private struct Logging: Interceptor {
    let log: WordLog
    var name: String?

    func adapt(_ request: inout TransportRequest) async throws {
        guard let name else { throw Refusal() }
        log.add(name)
    }

    func inspect(_ response: inout TransportResponse, to request: TransportRequest) async throws { log.add("response") }
}

private struct Tracing: Interceptor {
    let name: String

    func adapt(_ request: inout TransportRequest) async throws {
        request.headers["X-Trace"] = (request.headers["X-Trace"] ?? "") + " \(name)"
    }

    func inspect(_ response: inout TransportResponse, to request: TransportRequest) async throws {
        let trace = request.headers["X-Trace"] ?? ""
        response.headers["X-Trace"] = "\(response.headers["X-Trace"] ?? "") after\(trace), \(name)"
    }
}
