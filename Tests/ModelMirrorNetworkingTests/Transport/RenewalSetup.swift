import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting

private let api = URL(string: "https://api.example.com")!

/// Thrown by a closure that must not be called.
struct UnexpectedCall: Error {}

extension MockTransport {
    /// A server that accepts the token `new` at `/gists`, and issues it at `/token`.
    static func issuing(refusals: Gate? = nil, refreshes: Gate? = nil) -> MockTransport {
        let mock = MockTransport()
        mock.on(nil, "/gists") { request in
            if request.headers[.authorization] == "Bearer new" { return .status(200) }
            return refusals.map { MockResponse.status(401).held(at: $0) } ?? .status(401)
        }
        mock.on(.post, "/token") { _ in
            refreshes.map { MockResponse.text("new").held(at: $0) } ?? .text("new")
        }
        return mock
    }
}

extension AuthenticatingTransport<String> {
    /// A layer that renews its token at `/token`, with the rejected token as the body.
    static func renewing(
        over mock: MockTransport, token: String? = "old"
    ) throws -> AuthenticatingTransport<String> {
        try AuthenticatingTransport(mock, origins: [api], token: token) { refused, transport in
            let request = TransportRequest(
                .post, api.appending(path: "token"), body: .data(Data((refused ?? "nil").utf8)))
            let body = try await transport.response(to: request).body.collect(limit: 100)
            return String(decoding: body, as: UTF8.self)
        }
    }
}

extension StepExecutor {
    /// Starts `GET /gists`.
    func start(_ transport: AuthenticatingTransport<String>) -> Task<TransportResponse, any Error> {
        let request = TransportRequest(.get, api.appending(path: "gists"))
        return Task(executorPreference: self) { try await transport.response(to: request) }
    }
}

extension MockRequest {
    /// `GET /gists Bearer new BODY`
    var summary: String { "\(method) \(path) \(headers[.authorization] ?? "-") \(text ?? "?")" }
}
