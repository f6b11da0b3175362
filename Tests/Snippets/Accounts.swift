import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting

let base = URL(string: "https://example.com")!

/// Gives out tokens that begin with the user's id, and writes into each note for whom the request was.
let server: MockTransport = {
    let server = MockTransport()
    @Sendable func user(of request: MockRequest) -> String {
        guard let token = request.headers[.authorization]?.split(separator: " ").last else { return "nobody" }
        return String(token.prefix { $0 != "-" })
    }
    @Sendable func note(for request: MockRequest, headers: HTTPHeaders = [:]) -> MockResponse {
        .json(#"[{"owner": "\#(user(of: request))"}]"#, headers: headers)
    }
    server.on(.post, "/token") { request in
        .json(#"{"token": "\#(try request.json()["name"]?.string ?? "")-1"}"#)
    }
    server.on(.get, "/me") { request in .json(#"{"id": "\#(user(of: request))"}"#) }
    server.on(.get, "/notes") { request in
        request.queryValue("page") == nil
            ? note(for: request, headers: [.link: #"</notes?page=2>; rel="next""#]) : note(for: request)
    }
    server.on(.get, "/notes/today") { request in note(for: request, headers: [.cacheControl: "max-age=60"]) }
    return server
}()
