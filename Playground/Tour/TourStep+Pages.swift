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
            let search = PagedRequest<CodeRepository>(
                url: "search/repositories", pagination: LinkPagination(), at: "items")
            for try await repository in client.elements(search.withQuery("json")) { show(repository) }

            let list = Paginator(client, search, identifiedBy: \\.id)
            await list.search("json").value
            if list.hasNext { await list.loadNext().value }
            """
    ) {
        try await TourServer.run { server in
            let client = AbstractRepository<String>(baseURL: server.url)
            let search = PagedRequest<CodeRepository>(
                url: "search/repositories", pagination: LinkPagination(), at: "items")
            var lines: [String] = []
            for try await repository in client.elements(search.withQuery("json")) {
                lines.append("\(repository.name), \(repository.stars) stars")
            }
            let list = Paginator(client, search, identifiedBy: \.id)
            await list.search("json").value
            lines.append("the list has \(list.elements.count) elements, has next \(list.hasNext)")
            if list.hasNext { await list.loadNext().value }
            lines.append("the list has \(list.elements.count) elements, has next \(list.hasNext)")
            return (lines + [server.log]).joined(separator: "\n")
        }
    }
}
