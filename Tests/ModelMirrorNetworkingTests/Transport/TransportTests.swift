import Foundation
import ModelMirrorNetworking
import Testing

struct TransportTests {
    private struct Silent: Transport {
        func response(to request: TransportRequest) async throws -> TransportResponse {
            TransportResponse(status: 200, url: request.url)
        }
    }

    private let request = TransportRequest(.get, URL(string: "https://example.com/")!)

    @Test("a transport that says nothing of its identity is unknown, and measures nothing")
    func defaults() async throws {
        #expect(Silent().identity(for: request) == .unknown)
        let response = try await Silent().response(to: request)
        #expect(response.metrics() == nil)
    }

    @Test("times are cut to what platforms can count, wherever they come in")
    func boundedTimes() {
        var request = request
        request.timeout = .seconds(Int64.max)
        #expect(request.timeout == .seconds(1_000_000_000))
        request.timeout = .milliseconds(1)
        #expect(request.timeout == .milliseconds(1))
        #if !os(Linux) || FoundationNetworking
        var options = URLSessionTransport.Options()
        options.timeout = .seconds(9_223_372_036_854_775)
        #expect(options.timeout == .seconds(1_000_000_000))
        #endif
    }

    @Test("a method is a string literal")
    func literalMethod() {
        let method: HTTPMethod = "QUERY"
        #expect(method == HTTPMethod("QUERY"))
    }

    @Test("a request is ready to be sent: valid, its user a field, its file measured")
    func prepared() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("abc".utf8).write(to: file)
        let url = try #require(URL(string: "https://Aladdin:open%20sesame@example.com/a"))
        let prepared = try TransportRequest(.put, url, body: .file(file)).prepared()
        #expect(prepared.url.absoluteString == "https://example.com/a")
        #expect(prepared.headers == [.authorization: "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="])
        #expect(prepared.body?.length == 3)
        #expect(throws: RequestError.self) { try TransportRequest("a b", url).prepared() }
    }

    @Test("the sentence of an account that changed")
    func accountChanged() {
        #expect(
            "\(RequestError.accountChanged)"
                == "The request was started for one account and would now be sent for another, so it was not sent; start it "
                + "again.")
    }
}
