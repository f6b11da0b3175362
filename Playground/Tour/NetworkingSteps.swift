import Foundation
import ModelMirror
import ModelMirrorNetworking

extension TourStep {
    static let repository = TourStep(
        "repository", "A repository fetches them",
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
        "status", "A status that is no success is an error",
        explanation: "It keeps the head and the first bytes of the body, for a program to act on.",
        code: #"GistsRepository(baseURL: server).requestGists(of: "nobody") { … }"#
    ) { try await fetch("nobody") }

    static let brokenBody = TourStep(
        "body", "So is a body that does not fit",
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

extension TourStep {
    static let routes = TourStep(
        "routes", "An API is an enum, and a request can wait to be observed",
        explanation: """
            The questions of Stack Exchange; the environment says where that is, here on 127.0.0.1. The signal is cold:
            nothing is sent before somebody observes it, and each observation is a request of its own.
            """,
        code: [StackExchangeServer.declaration, StackExchange.declaration, QuestionsRepository.declaration, usage]
            .joined(separator: "\n\n")
    ) {
        try await TourServer.run { server in
            let local = StackExchangeServer(scheme: "http", host: "127.0.0.1", port: server.port)
            let repository = try QuestionsRepository(environment: local)
            let signal = RequestSignal { @MainActor in try await repository.questions() }
            var lines = ["requests before it is observed: \(server.requestCount)"]
            for try await questions in signal { lines.append(Listing.questions(questions)) }
            let list: QuestionList = try await repository.value(.route(StackExchange.questions))
            lines.append(
                "\(list.items.count) questions, has more \(list.hasMore), quota remaining \(list.quotaRemaining)")
            let live = try StackExchange.questions.url(for: .live)
            return (lines + [server.log, "live it is \(live)"]).joined(separator: "\n")
        }
    }

    private static let usage = """
        let local = StackExchangeServer(scheme: "http", host: "127.0.0.1", port: server.port)
        let repository = try QuestionsRepository(environment: local)
        let signal = RequestSignal { @MainActor in try await repository.questions() }
        for try await questions in signal { show(questions) }
        let list: QuestionList = try await repository.value(.route(StackExchange.questions))
        try StackExchange.questions.url(for: .live)
        """
}

extension TourStep {
    static let pages = TourStep(
        "pages", "Lists come page by page",
        explanation: """
            The server names the next page in the Link header field. A loop asks for pages as it needs them. A Paginator
            is the same list for a screen: what slipped onto the next page meanwhile is listed once.
            """,
        code: """
            let repositories = Endpoint<[CodeRepository]>.get("search/repositories", at: "items")
            let pages = client.pages(repositories, by: LinkPagination())
            for try await repository in pages.matching("json").elements { show(repository) }

            let list = Paginator(pages, identifiedBy: \\.id)
            await list.search("json").value
            if list.hasNext { await list.loadNext().value }
            """
    ) {
        try await TourServer.run { server in
            let client = APIClient(baseURL: server.url)
            let repositories = Endpoint<[CodeRepository]>.get("search/repositories", at: "items")
            let pages = client.pages(repositories, by: LinkPagination())
            var lines: [String] = []
            for try await repository in pages.matching("json").elements {
                lines.append("\(repository.name), \(repository.stars) stars")
            }
            let list = Paginator(pages, identifiedBy: \.id)
            await list.search("json").value
            lines.append("the list has \(list.elements.count) elements, has next \(list.hasNext)")
            if list.hasNext { await list.loadNext().value }
            lines.append("the list has \(list.elements.count) elements, has next \(list.hasNext)")
            return (lines + [server.log]).joined(separator: "\n")
        }
    }
}

extension TourStep {
    static let store = TourStep(
        "store", "The second run is served from the store",
        explanation: """
            What was fetched is kept in files, and a policy says who is asked first: if nothing is said, the store, else
            the network. A server that is asked again may answer 304: nothing has changed, the store serves.
            """,
        code: """
            let client = APIClient(baseURL: server, persistence: Persistence(try FileStore(folder: folder)))
            let gists = Endpoint<[Gist]>.get("users/octocat/gists")
            try await client.value(gists)                           // the network
            try await client.value(gists)                           // the store
            try await client.value(gists, policy: .networkOnly)     // 304, and the store
            """
    ) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ModelMirrorTour-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await TourServer.run { server in
            let gists = Endpoint<[Gist]>.get("users/octocat/gists")
            var lines: [String] = []
            for policy in [FetchPolicy.cacheElseNetwork, .cacheElseNetwork, .networkOnly] {
                // A new client each time, as a new run of the program has.
                let client = APIClient(
                    baseURL: server.url, persistence: Persistence(try FileStore(folder: folder)))
                let count = try await client.value(gists, policy: policy).count
                lines.append("\(policy.order): \(count) gists, requests up to now: \(server.requestCount)")
            }
            return (lines + [server.log]).joined(separator: "\n")
        }
    }
}
