import Foundation
import ModelMirrorTesting

/// A server on 127.0.0.1 that answers as GitHub would: a user with gists, one who is not there, one whose gists are broken.
struct GistsServer {
    private let server: LoopbackServer

    /// Starts it.
    init() throws {
        server = try LoopbackServer()
        server.on(.get, "/users/octocat/gists", .json(try SampleDocument.gists.read()))
        server.on(.get, "/users/nobody/gists", .json(#"{"message": "Not Found"}"#, status: 404))
        server.on(.get, "/users/broken/gists", .json(try SampleDocument.brokenGists.read()))
    }

    /// Where it is to be found.
    var url: URL { server.url }

    /// Runs `body` with a server that is stopped afterwards.
    @MainActor
    static func run<Result>(_ body: @MainActor (GistsServer) async throws -> Result) async throws -> Result {
        let server = try GistsServer()
        defer { server.server.stop() }
        return try await body(server)
    }
}
