import ModelMirror
import ModelMirrorNetworking

extension TourStep {
    static let pages = TourStep(
        "Lists come page by page",
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
