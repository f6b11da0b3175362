import ModelMirror
import ModelMirrorNetworking

extension TourStep {
    static let repository = TourStep(
        "A repository fetches them",
        explanation: """
            One method per request; the closure gets a function that gives the objects or throws. A server on 127.0.0.1
            answers here, over real HTTP.
            """,
        code: GistsRepository.declaration + """


            GistsRepository(baseURL: server).requestGists(of: "octocat") { getGists in
                do { show(try getGists()) } catch { print(error) }
            }
            """
    ) { try await fetch("octocat") }

    static let failingStatus = TourStep(
        "A status that is no success is an error",
        explanation: "It keeps the head and the first bytes of the body, for a program to act on.",
        code: #"GistsRepository(baseURL: server).requestGists(of: "nobody") { … }"#
    ) { try await fetch("nobody") }

    static let brokenBody = TourStep(
        "So is a body that does not fit",
        explanation: "The broken document again, now over HTTP: the same sentences.",
        code: #"GistsRepository(baseURL: server).requestGists(of: "broken") { … }"#
    ) { try await fetch("broken") }

    /// What comes of a request to a server of our own.
    @MainActor
    private static func fetch(_ user: String) async throws -> String {
        try await GistsServer.run { server in
            await GistsRepository(baseURL: server.url).outcome(of: user) { Listing.gists($0) }
                .replacing("\(server.url)", with: "http://127.0.0.1:…")
        }
    }
}
