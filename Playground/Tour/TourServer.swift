import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting

/// A server on 127.0.0.1 for the steps about routes, pages and stores.
///
/// | Path | Answers |
/// |---|---|
/// | `/2.3/questions` | as Stack Exchange does: the questions in `items` |
/// | `/search/repositories` | as GitHub does: two pages, joined by the `Link` field |
/// | `/users/octocat/gists` | gists with an ETag; 304 if the ETag matches |
struct TourServer {
    private let server: LoopbackServer

    /// Starts it.
    init() throws {
        server = try LoopbackServer()
        server.on(.get, "/2.3/questions", .json(try SampleDocument.questions.read()))
        let pages = [try SampleDocument.repositories1.read(), try SampleDocument.repositories2.read()]
        server.on(.get, "/search/repositories") { request in
            if request.queryItems.contains(where: { $0.name == "page" }) { return .json(pages[1]) }
            return .json(pages[0], headers: [.link: #"<\#(request.target)&page=2>; rel="next""#])
        }
        let gists = try SampleDocument.gists.read()
        server.on(.get, "/users/octocat/gists") { request in
            let headers: HTTPHeaders = ["ETag": "\"v1\""]
            return request.headers["If-None-Match"] == "\"v1\""
                ? .status(304, headers: headers) : .json(gists, headers: headers)
        }
    }

    /// The base URL.
    var url: URL { server.url }

    /// Its port.
    var port: Int { Int(server.port) }

    /// The requests so far and their status, a line each: `GET /questions: 200`.
    var log: String {
        server.exchanges.map { exchange in
            let request = exchange.request
            let condition = request.headers["If-None-Match"].map { ", If-None-Match \($0)" } ?? ""
            return "\(request.method) \(request.target)\(condition): \(exchange.status.map(String.init) ?? "nothing")"
        }.joined(separator: "\n")
    }

    /// The number of requests so far.
    var requestCount: Int { server.requestCount }

    /// Runs `body` with a server that is stopped afterwards.
    @MainActor
    static func run<Result>(_ body: @MainActor (TourServer) async throws -> Result) async throws -> Result {
        let server = try TourServer()
        defer { server.server.stop() }
        return try await body(server)
    }
}

/// A server on 127.0.0.1 that answers like GitHub: a user with gists, an unknown user, and one whose gists are broken.
struct GistsServer {
    private let server: LoopbackServer

    /// Starts it.
    init() throws {
        server = try LoopbackServer()
        server.on(.get, "/users/octocat/gists", .json(try SampleDocument.gists.read()))
        server.on(.get, "/users/nobody/gists", .json(#"{"message": "Not Found"}"#, status: 404))
        server.on(.get, "/users/broken/gists", .json(try SampleDocument.brokenGists.read()))
    }

    /// The base URL.
    var url: URL { server.url }

    /// Runs `body` with a server that is stopped afterwards.
    @MainActor
    static func run<Result>(_ body: @MainActor (GistsServer) async throws -> Result) async throws -> Result {
        let server = try GistsServer()
        defer { server.server.stop() }
        return try await body(server)
    }
}
