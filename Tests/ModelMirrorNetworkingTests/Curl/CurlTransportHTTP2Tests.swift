#if os(Linux)
import Foundation
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

/// Streams that a server refuses, or answers while a body is still being sent, against a server that does just that.
@Suite(
    .timeLimit(.hung), .network,
    .enabled("libcurl before 7.88 reads no stream numbers") { CurlLibrary.shared?.versionNumber ?? 0 >= 0x07_58_00 })
struct CurlTransportHTTP2Tests {
    private let transport: CurlTransport
    private let body = HTTPBody.data(Data("body".utf8))

    init() {
        var options = CurlTransport.Options()
        options.assumesHTTP2 = true
        options.proxy = .none
        transport = CurlTransport(options)
    }

    private func send(
        _ method: HTTPMethod, to server: HTTP2Server, _ body: HTTPBody? = nil
    ) async throws -> (status: Int, text: String, metrics: TransportMetrics) {
        let response = try await transport.response(to: TransportRequest(method, server.url, body: body))
        let text = String(decoding: try await response.body.collect(limit: 100), as: UTF8.self)
        return (response.status, text, try #require(response.metrics))
    }

    private func expectLostConnection(_ method: HTTPMethod, to server: HTTP2Server, _ body: HTTPBody? = nil) async {
        let error = await #expect(throws: RequestError.self) { try await send(method, to: server, body) }
        #expect(error?.failureKind == .connectionLost)
    }

    // MARK: Requests that the server did not process

    @Test(
        "A request whose stream is refused is sent again until it is processed, and its body arrives once",
        arguments: [HTTPMethod.post, .patch], ["none", "data", "chunks", "file"])
    func refused(method: HTTPMethod, kind: String) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("refused-\(UUID())")
        try Data(Self.large.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let bodies = [
            "data": HTTPBody.data(Data(Self.large.utf8)), "chunks": .chunks(Self.chunks), "file": .file(file),
        ]
        let body = bodies[kind]
        let server = try HTTP2Server { $0 < 5 ? .reset(.refusedStream) : .process }
        let response = try await send(method, to: server, body)
        #expect(response.text == "done")
        #expect(response.metrics.resendCount == 5)
        #expect(response.metrics.resendReason == .refused)
        #expect(response.metrics.httpVersion == "2")
        #expect(server.requests.count == 6)
        #expect(server.processedBodies == [body == nil ? Data() : Data(Self.large.utf8)])
    }

    private static let large = String(repeating: "0123456789", count: 20_000)

    private static let chunks: @Sendable () throws -> HTTPBody.ChunkProducer = {
        var count = 0
        return {
            count += 1
            return count <= 20 ? Data(String(repeating: "0123456789", count: 1000).utf8) : nil
        }
    }

    @Test(
        "A request that each connection refuses is sent again 16 times at most",
        arguments: [HTTPMethod.post, .get], [HTTP2Server.Reaction.reset(.refusedStream), .goAway])
    func limit(method: HTTPMethod, reaction: HTTP2Server.Reaction) async throws {
        let server = try HTTP2Server { _ in reaction }
        await expectLostConnection(method, to: server, method == .post ? body : nil)
        #expect(server.requests.count == 17)
        #expect(server.processedBodies == [])
    }

    @Test(
        "A request that is refused ends at its deadline",
        arguments: [HTTP2Server.Reaction.reset(.refusedStream), .goAway])
    func deadline(reaction: HTTP2Server.Reaction) async throws {
        // The fourth is never answered.
        let server = try HTTP2Server { $0 < 3 ? reaction : .answer(200, after: .max) }
        var late = TransportRequest(.post, server.url, body: body)
        late.deadline = .now + .seconds(2)
        let request = late
        let error = await #expect(throws: RequestError.self) { try await transport.response(to: request) }
        #expect(error?.failureReason == "the deadline passed before the response was complete")
        #expect(server.requests.count == 4)
        #expect(server.processedBodies == [])
    }

    /// libcurl before 8.19 does not report this, and libcurl 7.88 uses no connection without TLS a second time.
    @Test(
        .enabled("libcurl before 8.19 reports only a connection's first stream as refused") {
            CurlLibrary.shared?.versionNumber ?? 0 >= 0x08_13_00
        })
    func streamRefusedOnAUsedConnection() async throws {
        let server = try HTTP2Server { $0 == 1 ? .reset(.refusedStream) : .process }
        _ = try await send(.get, to: server)
        let metrics = try await send(.post, to: server, body).metrics
        #expect(metrics.resendCount == 1)
        #expect(metrics.resendReason == .refused)
        #expect(server.processedBodies == [Data(), Data("body".utf8)])
        #expect(server.requests.prefix(2).map(\.stream) == [1, 3])
    }

    @Test(
        "A stream above the last one of a GOAWAY is sent again on another connection",
        arguments: [HTTPMethod.post, .put])
    func goAway(method: HTTPMethod) async throws {
        let server = try HTTP2Server { $0 < 3 ? .goAway : .process }
        let metrics = try await send(method, to: server, body).metrics
        #expect(metrics.resendCount == 3)
        #expect(metrics.resendReason == .refused)
        #expect(server.processedBodies == [Data("body".utf8)])
        #expect(server.requests.map(\.connection) == [1, 2, 3, 4])
    }

    // MARK: Requests that may have been processed

    @Test(
        "A request that was read whole before its new connection closed is not sent again",
        arguments: [HTTPMethod.post, .patch, .put, .delete])
    func closed(method: HTTPMethod) async throws {
        let server = try HTTP2Server { _ in .close }
        await expectLostConnection(method, to: server, body)
        #expect(server.requests.map(\.body) == [Data("body".utf8)])
    }

    /// libcurl 7.88 uses no connection without TLS a second time.
    @Test(
        .enabled("libcurl before 8.14 may use another connection") {
            CurlLibrary.shared?.versionNumber ?? 0 >= 0x08_0E_00
        }, arguments: [HTTPMethod.post, .patch])
    func closedAfterUse(method: HTTPMethod) async throws {
        let server = try HTTP2Server { $0 == 0 ? .process : .close }
        _ = try await send(.get, to: server)
        await expectLostConnection(method, to: server, body)
        #expect(server.requests.map(\.body) == [Data(), Data("body".utf8)])
        #expect(server.connectionCount == 1)
    }

    /// HTTP_1_1_REQUIRED does not say that nothing was processed.
    @Test func downgrades() async throws {
        let server = try HTTP2Server { _ in .reset(.http11Required) }
        let response = try await send(.get, to: server)
        #expect(response.text == "done")
        #expect(response.metrics.httpVersion == "1.1")
        #expect(response.metrics.resendCount == 1)
        #expect(response.metrics.resendReason == .unanswered)
        #expect(server.requests.map(\.stream) == [1, 0])
        // With connections of its own: libcurl 8.14 waits for the first response of those without TLS before it uses them again.
        await CurlTransportHTTP2Tests().expectLostConnection(.post, to: server, body)
        #expect(server.requests.count == 3)
    }

    // MARK: Early answers

    @Test("An error status that comes before the rest of a body is made is delivered", arguments: [413, 401])
    func earlyAnswer(status: Int) async throws {
        let signal = DispatchSemaphore(value: 0)
        let server = try HTTP2Server { _ in .answerHead(status, after: 10_000, signal) }
        let body = HTTPBody.chunks(CurlTransportHTTP2Tests.stalled)
        let response = try await transport.response(to: TransportRequest(.post, server.url, body: body))
        #expect(response.status == status)
        signal.signal()
        #expect(try await response.body.collect(limit: 100) == Data("done".utf8))
        #expect(response.metrics?.resendCount == 0)
        #expect(server.requests.count == 1)
    }

    @Test("An error status is delivered whole although the rest of the request's body cannot be made")
    func earlyAnswerToABodyThatFails() async throws {
        let signal = DispatchSemaphore(value: 0)
        let server = try HTTP2Server { _ in .answerHead(413, after: 10_000, signal) }
        let (gate, failures) = (Gate(), Observed(0))
        let body = HTTPBody.chunks {
            var isFirst = true
            return {
                defer { isFirst = false }
                if isFirst { return Data(repeating: 0x61, count: 20_000) }
                try await gate.enter()
                failures.update { $0 += 1 }
                throw RequestError.invalidRequest("the body cannot be made")
            }
        }
        let response = try await transport.response(to: TransportRequest(.post, server.url, body: body))
        gate.open()
        _ = try await failures.wait { $0 == 1 }
        signal.signal()
        #expect(try await response.body.collect(limit: 100) == Data("done".utf8))
    }

    @Test("An error status whose body does not follow times out, although the rest of the request's body is not made")
    func stalledEarlyAnswer() async throws {
        let signal = DispatchSemaphore(value: 0)
        defer { signal.signal() }
        let server = try HTTP2Server { _ in .answerHead(413, after: 10_000, signal) }
        var request = TransportRequest(.post, server.url, body: .chunks(CurlTransportHTTP2Tests.stalled))
        request.timeout = .milliseconds(500)
        let response = try await transport.response(to: request)
        #expect(response.status == 413)
        let error = await #expect(throws: RequestError.self) { try await response.body.collect(limit: 100) }
        #expect(error?.failureKind == .timedOut)
    }

    /// libcurl before 8.19 may lose the answer, or its body, whose length the server does not announce. The request may have been
    /// processed, so it is not sent again.
    @Test("An error status that comes while a large body is being sent is delivered", arguments: [413, 401])
    func earlyAnswerToALargeBody(status: Int) async throws {
        let server = try HTTP2Server { _ in .answer(status, after: 10_000) }
        let body = HTTPBody.data(Data(repeating: 0x61, count: 1 << 20))
        let losesAnswers = CurlLibrary.shared?.versionNumber ?? 0 < 0x08_13_00
        for _ in 0..<20 {
            do {
                let response = try await CurlTransportHTTP2Tests().send(.post, to: server, body)
                #expect(response.status == status)
                #expect(response.text == "done" || losesAnswers && response.text == "")
                #expect(response.metrics.resendCount == 0)
            } catch let error as RequestError {
                #expect(error.failureKind == .connectionLost)
                #expect(losesAnswers, "\(error)")
            }
        }
        #expect(server.requests.count == 20)
    }

    @Test("Over HTTP/1.1 too, an error status that comes before the rest of a body is delivered")
    func earlyAnswerOverHTTP1() async throws {
        var limits = LoopbackServer.Limits()
        limits.bodyBytes = 10_000
        let server = try LoopbackServer(limits: limits)
        defer { server.stop() }
        server.on(.post, "/", .status(204))
        for _ in 0..<20 {
            let request = TransportRequest(.post, server.url("/"), body: .chunks(CurlTransportHTTP2Tests.stalled))
            let response = try await CurlTransport().response(to: request)
            #expect(response.status == 413)
            #expect(try await !response.body.collect(limit: 1000).isEmpty)
        }
        #expect(server.connectionCount == 20)
    }

    /// A body whose second chunk never comes.
    private static let stalled: @Sendable () throws -> HTTPBody.ChunkProducer = {
        var isFirst = true
        return {
            defer { isFirst = false }
            if !isFirst { try await Gate().enter() }
            return Data(repeating: 0x61, count: 20_000)
        }
    }
}
#endif
