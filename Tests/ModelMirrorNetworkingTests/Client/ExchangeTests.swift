import Foundation
import ModelMirror
import ModelMirrorNetworking
import Testing

@Suite("Acceptance of responses", .timeLimit(.hung), .network)
struct ExchangeTests {
    private let url: URLReference = "https://example.com/x"

    @Test(
        "A status that is not accepted throws the response, with its body cut at errorBodyLimit",
        arguments: [199, 300, 404, 500])
    func statuses(status: Int) async throws {
        var client = APIClient(transport: StubTransport("1234567890", status: status))
        client.configuration.errorBodyLimit = 4
        let response = try #require(await refused { try await client.send(.get(url)) })
        #expect((response.status, response.method, response.url.absoluteString) == (status, .get, url.text))
        #expect(response.headers[.contentType] == "application/json")
        #expect((response.body, response.isBodyCut) == (Data("1234".utf8), true))
        client.configuration.errorBodyLimit = 10
        let whole = try #require(await refused { try await client.send(.get(url)) })
        #expect((whole.body.count, whole.isBodyCut) == (10, false))
        client.configuration.acceptedStatus = [status]
        try await client.send(.get(url))
    }

    @Test(
        "JSON content types, and a missing one, are accepted",
        arguments: [
            "application/json", "APPLICATION/JSON; charset=utf-8", "text/json", "application/vnd.github+json",
            "application/problem+JSON ;a=b", nil,
        ])
    func accepted(type: String?) async throws {
        let headers: HTTPHeaders = type.map { [.contentType: $0] } ?? [:]
        let client = APIClient(transport: StubTransport("7", headers: headers))
        #expect(try await client.value(Endpoint<Int>.get(url)) == 7)
    }

    @Test(
        "Other content types are rejected unless acceptedContentTypes is nil",
        arguments: ["text/css", "application/jsonp", "json", "", "text/css;+json"])
    func refusedTypes(type: String) async throws {
        var client = APIClient(transport: StubTransport("7", headers: [.contentType: type]))
        await expectError(
            "GET https://example.com/x was answered with 200 and the content type \"\(type)\", expected JSON; add it to "
                + "acceptedContentTypes if the body is JSON, or request Data; its body is \"7\"."
        ) { _ = try await client.value(Endpoint<Int>.get(url)) }
        client.configuration.acceptedContentTypes = nil
        #expect(try await client.value(Endpoint<Int>.get(url)) == 7)
    }

    @Test("An empty body may have any content type")
    func emptyBody() async throws {
        let client = APIClient(transport: StubTransport("", headers: [.contentType: "text/html"]))
        try await client.send(.get(url))
        #expect(try await client.value(Endpoint<Int?>.get(url)) == nil)
    }

    @Test("The status is checked before the content type, and the content type before the envelope")
    func order() async {
        let page = StubTransport(#"{"status": "FAIL"}"#, status: 500, headers: [.contentType: "text/html"])
        var client = APIClient(transport: page)
        client.configuration.envelope = Envelope(statusKey: "status", success: "OK")
        await #expect { _ = try await client.value(Endpoint<Int>.get(url)) } throws: { error in
            if case RequestError.unacceptableStatus = error { true } else { false }
        }
        client.configuration.acceptedStatus = [500]
        await #expect { _ = try await client.value(Endpoint<Int>.get(url)) } throws: { error in
            if case RequestError.unacceptableContentType = error { true } else { false }
        }
        client.configuration.acceptedContentTypes = nil
        await #expect { _ = try await client.value(Endpoint<Int>.get(url)) } throws: { error in
            if case RequestError.statusFailure = error { true } else { false }
        }
    }

    @Test("A body of bodyLimit bytes is read; one byte more fails and stops the reading")
    func bodyLimit() async throws {
        let asked = WordLog()
        let transport = StubTransport { request in
            let body = ResponseBody {
                asked.add("chunk")
                return asked.words.count > 1000 ? nil : Data("  ".utf8)
            }
            return TransportResponse(status: 200, url: request.url, body: body)
        }
        var client = APIClient(transport: transport)
        client.configuration.bodyLimit = 7
        await expectError(
            "The body of the response is larger than the limit of 7 bytes; if such bodies are expected, raise the client's "
                + "bodyLimit, or the limit of the download, the transport or collect."
        ) { try await client.send(.get(url)) }
        #expect(asked.words.count == 4)

        var exact = APIClient(transport: StubTransport("1234567"))
        exact.configuration.bodyLimit = 7
        #expect(try await exact.value(Endpoint<Int>.get(url)) == 1_234_567)
    }

    @Test("A body whose Content-Length exceeds the limit is not read")
    func announcedLimit() async {
        let transport = StubTransport { request in
            let body = ResponseBody {
                Issue.record("The body was read.")
                return nil
            }
            return TransportResponse(status: 200, headers: [.contentLength: "8"], url: request.url, body: body)
        }
        var client = APIClient(transport: transport)
        client.configuration.bodyLimit = 7
        await #expect(throws: RequestError.self) { try await client.send(.get(url)) }
    }

    @Test("Content-Length and Content-Type of a response to HEAD are ignored, and Content-Length of a 304")
    func noBody() async throws {
        let transport = StubTransport("", headers: [.contentLength: "8", .contentType: "text/html"])
        var client = APIClient(transport: transport)
        client.configuration.bodyLimit = 7
        try await client.send(.head(url))
        #expect(transport.requests.map(\.method) == [.head])
        client.transport = StubTransport("", status: 304, headers: [.contentLength: "8"])
        #expect(try await client.value(Endpoint<Data>.get(url, accepting: [304])).isEmpty)
    }

    @Test(
        "An incorrect Content-Length does not prevent reading the body",
        arguments: ["-5", "9223372036854775807", "1", "x"])
    func lies(length: String) async throws {
        let transport = StubTransport { request in
            TransportResponse(
                status: 200, headers: [.contentLength: length], url: request.url,
                body: .chunks([Data("12".utf8), Data("34".utf8)]))
        }
        var client = APIClient(transport: transport)
        client.configuration.bodyLimit = .max
        #expect(try await client.value(Endpoint<Int>.get(url)) == 1234)
    }

    @Test("An error body that breaks off still reports the status")
    func brokenErrorBody() async throws {
        let transport = StubTransport { request in
            let failure = RequestError.ConnectionFailure(.connectionLost, url: request.url, reason: "reset")
            return TransportResponse(
                status: 503, url: request.url, body: .chunks([Data("par".utf8)], then: RequestError.connection(failure))
            )
        }
        let client = APIClient(transport: transport)
        let response = try #require(await refused { try await client.send(.get(url)) })
        #expect(String(decoding: response.body, as: UTF8.self) == "par")
        #expect(response.isBodyCut)
    }

    @Test("A connection failure is thrown unchanged, before the response and while reading its body")
    func connection() async {
        let error = RequestError.ConnectionFailure(.timedOut, url: URL(filePath: "/"), reason: "")
        let late = APIClient(transport: StubTransport { _ in throw RequestError.connection(error) })
        let broken = APIClient(
            transport: StubTransport { request in
                TransportResponse(
                    status: 200, url: request.url, body: ResponseBody { throw RequestError.connection(error) })
            })
        for client in [late, broken] {
            await #expect { try await client.send(.get(url)) } throws: { error in
                if case RequestError.connection(let failure) = error { failure.kind == .timedOut } else { false }
            }
        }
    }

    @Test("A body that arrives in chunks of one byte is read whole")
    func smallChunks() async throws {
        let text = #"{"name": "Zoë"}"#
        let transport = StubTransport { request in
            TransportResponse(status: 200, url: request.url, body: .chunks(text.utf8.map { Data([$0]) }))
        }
        let client = APIClient(transport: transport)
        #expect(try await client.value(Endpoint<String>.get(url, at: "name")) == "Zoë")
    }
}

/// The response of the error for an unacceptable status.
private func refused(_ body: () async throws -> Void) async -> RequestError.FailedResponse? {
    do { try await body() } catch RequestError.unacceptableStatus(let response) { return response } catch {}
    return nil
}
