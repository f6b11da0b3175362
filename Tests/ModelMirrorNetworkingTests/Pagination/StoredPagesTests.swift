import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Stored pages", .timeLimit(.hung), .network)
struct StoredPagesTests {
    private let mock = MockTransport()
    private let client: APIClient
    private let list = Endpoint<[Gist]>.route(API.gists)

    init() {
        client = APIClient(
            transport: mock, baseURL: URL(string: "https://a.example"), persistence: Persistence(MemoryStore()))
    }

    /// The first page of a list.
    private func page(_ pages: Pages<Gist>) async throws -> Page<Gist> {
        var iterator = pages.makeAsyncIterator()
        return try #require(try await iterator.next())
    }

    @Test("Pages are stored, and shown without the network")
    func offline() async throws {
        mock.serveThreePages()
        func pages(_ policy: FetchPolicy) -> Pages<Gist> { client.pages(list, by: LinkPagination(), policy: policy) }
        var ids: [String] = []
        for try await gist in pages(.networkOnly).elements { ids.append(gist.id) }
        #expect(mock.requests.count == 3)
        for try await page in pages(.cacheOnly) {
            ids += page.elements.map(\.id)
            #expect(page.response.origin != .network)
        }
        #expect(ids == ["1", "2", "3", "1", "2", "3"])
        #expect(mock.requests.count == 3)
        await #expect(throws: FetchError.self) {
            _ = try await page(pages(.cacheOnly).matching("none"))
        }
    }

    @Test("With cacheThenNetwork, the stored list is followed by the network's, from the first page")
    func storedThenNetwork() async throws {
        mock.serveThreePages()
        var client = client
        func pages(_ policy: FetchPolicy) -> Pages<Gist> { client.pages(list, by: LinkPagination(), policy: policy) }
        // Two of the three pages are stored.
        var first = pages(.networkOnly).makeAsyncIterator()
        _ = try await first.next()
        _ = try await first.next()
        var origins: [Bool] = []
        var ids: [[String]] = []
        for try await page in pages(.cacheThenNetwork) {
            origins.append(page.response.origin == .network)
            ids.append(page.elements.map(\.id))
        }
        #expect(ids == [["1", "2"], [], ["1", "2"], [], ["3"]])
        #expect(origins == [false, false, true, true, true])
        client.persistence?.policy = .cacheThenNetwork
        var count = 0
        for try await _ in pages(.standard) { count += 1 }
        #expect(count == 6)
        // Elements and readers have one list.
        var elements: [String] = []
        for try await gist in pages(.standard).elements { elements.append(gist.id) }
        #expect(elements == ["1", "2", "3"])
    }

    @Test("With cacheThenNetwork, a refused link of a stored page does not keep the list from the network")
    func refusedStoredLink() async throws {
        mock.on(
            .get, "/gists",
            .sequence([
                .json(#"[{"id": "1"}]"#, headers: [.link: "<http://a.example/gists?page=2>; rel=next"]),
                .json(#"[{"id": "2"}]"#),
            ]))
        _ = try await page(client.pages(list, by: LinkPagination(), policy: .networkOnly))
        var ids: [String] = []
        for try await page in client.pages(list, by: LinkPagination(), policy: .cacheThenNetwork) {
            ids += page.elements.map(\.id)
        }
        #expect(ids == ["1", "2"])
    }

    @Test("A page whose elements are all pruned fails with their failures")
    func pruned() async throws {
        mock.on(.get, "/gists", .sequence([.json(#"[{"id": []}, {"id": "1"}]"#), .json(#"[{"id": []}]"#)]))
        var client = client
        client.configuration.mappingOptions = .strict
        client.persistence?.policy = .networkOnly
        client.persistence?.prunes = true
        let endpoint = client.pages(list, by: LinkPagination()).endpoint
        #expect(try await client.value(endpoint).elements.map(\.id) == ["1"])
        await #expect(throws: ModelError.self) { _ = try await client.value(endpoint) }
    }
}

private final class Gist: AbstractModel { var id = "" }

private enum API: String, Route { case gists }
