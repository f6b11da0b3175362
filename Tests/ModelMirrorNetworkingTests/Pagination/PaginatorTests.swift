import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Observation
import Synchronization
import Testing

@Suite("Paginator", .timeLimit(.hung), .network)
@MainActor
struct PaginatorTests {
    private let mock = MockTransport()

    private func paginator(_ pagination: any Pagination = LinkPagination()) -> Paginator<Gist> {
        Paginator(pages(pagination), identifiedBy: \.id)
    }

    private func pages(_ pagination: any Pagination = LinkPagination()) -> Pages<Gist> {
        client.pages(.route(API.gists), by: pagination)
    }

    private var client: APIClient { APIClient(transport: mock, baseURL: URL(string: "https://a.example")) }

    /// A client with a store, which may have another policy than by default.
    private func storing(_ policy: FetchPolicy? = nil) -> APIClient {
        var client = client
        client.persistence = Persistence(MemoryStore())
        if let policy { client.persistence?.policy = policy }
        return client
    }

    private func paginator(over client: APIClient) -> Paginator<Gist> {
        Paginator(client.pages(.route(API.gists), by: LinkPagination()), identifiedBy: \.id)
    }

    /// Stores the first page.
    private func storeFirstPage(_ client: APIClient) async throws {
        _ = try await client.value(client.pages(Endpoint<[Gist]>.route(API.gists), by: LinkPagination()).endpoint)
    }

    private func answer(_ response: MockResponse) { mock.on(.get, "/gists", response) }

    /// Gists with the given identifiers, with a link to the page after them.
    private func page(_ ids: String, next: String? = nil) -> MockResponse {
        let gists = ids.split(separator: " ").map { #"{"id": "\#($0)"}"# }.joined(separator: ", ")
        return .json("[\(gists)]", headers: next.map { [.link: "<?page=\($0)>; rel=next"] } ?? [:])
    }

    private var queries: [String] { mock.requests.map { $0.url.query() ?? "" } }

    private func state(_ paginator: Paginator<Gist>) -> String {
        var words = [paginator.elements.map(\.id).joined(separator: " ")]
        if paginator.isLoading { words.append("loading") }
        if paginator.isLoadingFirstPage { words.append("first") }
        if paginator.hasNext { words.append("next") }
        if paginator.isEmpty { words.append("empty") }
        if paginator.error != nil { words.append("error") }
        return words.joined(separator: ",")
    }

    @Test("With cacheThenNetwork, the stored first page is shown while the new one loads")
    func stored() async throws {
        let client = storing(.cacheThenNetwork)
        answer(page("1 2", next: "2"))
        try await storeFirstPage(client)
        let gate = Gate()
        answer(page("3").held(at: gate))
        let paginator = paginator(over: client)
        let task = paginator.load()
        while paginator.elements.isEmpty { await Task.yield() }
        #expect(state(paginator) == "1 2,loading,first,next")
        gate.open()
        await task.value
        #expect(state(paginator) == "3")
        answer(.failure(.offline))
        await paginator.refresh().value
        #expect(state(paginator) == "3,error")
    }

    @Test("Loading asks the network again while a stored page is shown in place of its own", arguments: [true, false])
    func loadingOverStored(isCancelled: Bool) async throws {
        let client = storing(.cacheThenNetwork)
        answer(page("1 2"))
        try await storeFirstPage(client)
        let gate = Gate()
        answer(isCancelled ? page("3").held(at: gate) : .failure(.offline))
        let paginator = paginator(over: client)
        let task = paginator.load()
        if isCancelled {
            while paginator.elements.isEmpty { await Task.yield() }
            paginator.cancel()
            gate.open()
        }
        await task.value
        #expect(state(paginator) == (isCancelled ? "1 2" : "1 2,error"))
        answer(page("3"))
        await paginator.load().value
        #expect(state(paginator) == "3")
        answer(.failure(.offline))
        await paginator.load().value
        #expect(state(paginator) == "3")
    }

    @Test("With cacheThenNetwork, a refresh that fails keeps all pages, and a search shows its stored page")
    func refreshingAllPages() async {
        mock.on(.get, "/gists") { request in
            let page = request.queryValue("page") ?? ""
            return .json("[{\"id\": \"\(request.queryValue("q") ?? "")\(page)\"}]")
        }
        let pages = storing().pages(
            Endpoint<[Gist]>.route(API.gists), by: PageNumberPagination(), policy: .cacheThenNetwork)
        let list = Paginator(pages, identifiedBy: \.id)
        await list.search("x").value
        await list.search(nil).value
        await list.loadNext().value
        answer(.failure(.offline))
        await list.refresh().value
        #expect(state(list) == "1 2,next,error")
        await list.retry().value
        #expect(state(list) == "1 2,next,error")
        await list.search("x").value
        #expect(state(list) == "x1,next,error")
    }

    @Test("Refreshing asks the server, also after a failure", arguments: [FetchPolicy.cacheElseNetwork, .cacheControl])
    func refreshingStored(policy: FetchPolicy) async {
        let answers = ["1", "2"].map {
            MockResponse.json(#"[{"id": "\#($0)"}]"#, headers: [.cacheControl: "max-age=60", .eTag: "\"\($0)\""])
        }
        answer(.sequence([answers[0], .failure(.offline), answers[1]]))
        let list = paginator(over: storing(policy))
        await list.load().value
        await list.refresh().value
        #expect(state(list) == "1,error")
        await list.retry().value
        #expect(state(list) == "2")
        #expect(mock.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"1\"", "\"1\""])
    }

    @Test("Pages are loaded in order to the last one, and loadNext appends")
    func loading() async throws {
        let gate = Gate()
        answer(page("1 2", next: "2").held(at: gate))
        let list = paginator()
        #expect(state(list) == "")
        #expect(queries == [])
        let task = list.load()
        #expect(state(list) == ",loading,first")
        list.load()
        list.loadNext()
        gate.pass()
        await task.value
        #expect(state(list) == "1 2,next")
        list.load()
        answer(page("2 3", next: "3").held(at: gate))
        list.loadNext()
        #expect(state(list) == "1 2,loading,next")
        let second = list.loadNext()
        gate.pass()
        await second.value
        #expect(state(list) == "1 2 3,next")
        gate.open()
        answer(page(""))
        await list.loadNext().value
        #expect(state(list) == "1 2 3")
        await list.loadNext().value
        #expect(queries == ["", "page=2", "page=3"])
    }

    @Test("A list without elements is empty only after it has loaded")
    func empty() async {
        let gate = Gate()
        answer(page("").held(at: gate))
        let list = paginator()
        list.load()
        #expect(state(list) == ",loading,first")
        gate.open()
        await list.load().value
        #expect(state(list) == ",empty")
        #expect(list.hasLoaded)
        answer(.status(500))
        await list.refresh().value
        #expect(state(list) == ",error")
    }

    @Test("A page without new elements is not the last one")
    func nothingNew() async {
        answer(page("", next: "2"))
        let list = paginator()
        await list.load().value
        #expect(state(list) == ",next")
        answer(page("1", next: "3"))
        await list.loadNext().value
        answer(page("1 1", next: "4"))
        await list.loadNext().value
        #expect(state(list) == "1,next")
        answer(page("2"))
        await list.loadNext().value
        #expect(state(list) == "1 2")
        #expect(queries == ["", "page=2", "page=3", "page=4"])
    }

    @Test("Refreshing cancels the running request and keeps the elements until the new ones arrive")
    func refreshing() async throws {
        answer(page("1", next: "2"))
        let list = paginator()
        await list.load().value
        let gate = Gate()
        answer(page("2").held(at: gate))
        let stale = list.loadNext()
        try await gate.arrivals()
        answer(page("9", next: "2").held(at: gate))
        let fresh = list.refresh()
        #expect(state(list) == "1,loading,first,next")
        await stale.value
        #expect(state(list) == "1,loading,first,next")
        try await gate.arrivals(atLeast: 2)
        gate.open()
        await fresh.value
        #expect(state(list) == "9,next")
        #expect(queries == ["", "page=2", ""])
    }

    @Test("A stale response changes nothing, even if the transport ignores cancellation")
    func stale() async throws {
        let transport = DeafTransport()
        let client = APIClient(transport: transport, baseURL: URL(string: "https://a.example"))
        let list = Paginator(client.pages(Endpoint<[Gist]>.route(API.gists)))
        let first = list.search("a")
        try await transport.gate.arrivals()
        let second = list.search("b")
        try await transport.gate.arrivals(atLeast: 2)
        transport.gate.open()
        await first.value
        await second.value
        #expect(list.elements.map(\.id) == ["b"])
        #expect(list.pages.query == "b")
        #expect(list.error == nil)
    }

    @Test("A first or later page that failed can be retried")
    func retrying() async throws {
        answer(.status(503))
        let list = paginator()
        await list.load().value
        #expect(state(list) == ",error")
        guard case .unacceptableStatus(let response)? = list.error as? RequestError else {
            Issue.record("\(String(describing: list.error))")
            return
        }
        #expect(response.status == 503)
        answer(page("1", next: "2"))
        await list.retry().value
        #expect(state(list) == "1,next")
        await list.retry().value
        answer(.failure(.connectionLost))
        await list.loadNext().value
        #expect(state(list) == "1,next,error")
        await list.loadNext().value
        #expect(state(list) == "1,next,error")
        answer(page("2"))
        let retry = list.retry()
        #expect(state(list) == "1,loading,next")
        await retry.value
        #expect(state(list) == "1 2")
        #expect(queries == ["", "", "page=2", "page=2", "page=2"])
    }

    @Test("A failed refresh keeps the list and is retried from the first page")
    func failedRefresh() async {
        answer(page("1", next: "2"))
        let list = paginator()
        await list.load().value
        answer(.status(500))
        await list.refresh().value
        #expect(state(list) == "1,next,error")
        answer(page("7"))
        await list.loadNext().value
        #expect(state(list) == "7")
        #expect(queries == ["", "", ""])
    }

    @Test("Searching and filtering load a new list from its first page")
    func searching() async {
        answer(page("1", next: "2"))
        let list = paginator(PageNumberPagination(size: 1))
        await list.load().value
        await list.loadNext().value
        answer(page("2"))
        await list.search("x y").value
        await list.search("x y", filter: ["lang": "swift"]).value
        await list.search("").value
        await list.search(nil, filter: [:]).value
        #expect(
            queries == [
                "page=1", "page=2", "q=x%20y&page=1", "q=x%20y&lang=swift&page=1", "lang=swift&page=1", "page=1",
            ])
        #expect(list.elements.map(\.id) == ["2"])
    }

    @Test("A list that starts at a middle page loads in both directions")
    func previous() async throws {
        mock.on(.get, "/gists") { request in
            let page = request.queryValue("page") ?? ""
            return .json("[{\"id\": \"\(page)\"}, {\"id\": \"x\"}]")
        }
        let list = Paginator(pages(PageNumberPagination()).starting(at: .number(3)), identifiedBy: \.id)
        #expect(!list.hasPrevious)
        await list.loadPrevious().value
        #expect(queries == [])
        await list.load().value
        #expect(state(list) == "3 x,next")
        #expect(list.hasPrevious)
        let task = list.loadPrevious()
        #expect(list.isLoading && !list.isLoadingFirstPage)
        await task.value
        #expect(state(list) == "2 3 x,next")
        await list.loadNext().value
        #expect(state(list) == "2 3 x 4,next")
        #expect(list.hasPrevious)
        await list.loadPrevious().value
        #expect(state(list) == "1 2 3 x 4,next")
        #expect(!list.hasPrevious)
        await list.loadPrevious().value
        #expect(queries == ["page=3", "page=2", "page=4", "page=1"])
        await list.refresh().value
        #expect(state(list) == "3 x,next")
        #expect(list.hasPrevious)
    }

    @Test("A previous page that failed is retried, and loadNext is not affected")
    func previousFails() async throws {
        answer(page("3", next: "4"))
        let list = paginator(PageNumberPagination())
        let middle = Paginator(list.pages.starting(at: .number(3)), identifiedBy: \.id)
        await middle.load().value
        answer(.status(500))
        await middle.loadPrevious().value
        #expect(state(middle) == "3,next,error")
        #expect(middle.hasPrevious)
        answer(page("4"))
        await middle.loadNext().value
        #expect(state(middle) == "3 4,next")
        answer(.status(500))
        await middle.loadPrevious().value
        answer(page("2"))
        await middle.retry().value
        #expect(state(middle) == "2 3 4,next")
        #expect(queries == ["page=3", "page=2", "page=4", "page=2", "page=2"])
    }

    @Test("Cancelling keeps the loaded elements and sets no error")
    func cancelling() async throws {
        answer(page("1", next: "2"))
        let list = paginator()
        await list.load().value
        let gate = Gate()
        answer(page("2").held(at: gate))
        let task = list.loadNext()
        try await gate.arrivals()
        list.cancel()
        #expect(state(list) == "1,next")
        await task.value
        #expect(state(list) == "1,next")
        list.search("x")
        try await gate.arrivals(atLeast: 2)
        list.cancel()
        #expect(state(list) == "1")
        await list.loadNext().value
        gate.open()
        await list.load().value
        #expect(state(list) == "2")
        #expect(queries == ["", "page=2", "q=x", "q=x"])
    }

    @Test("Cancelling the task returned by a load does not cancel the load")
    func cancellingTask() async throws {
        let gate = Gate()
        answer(page("1", next: "2").held(at: gate))
        let list = paginator()
        let task = list.load()
        try await gate.arrivals()
        task.cancel()
        #expect(state(list) == ",loading,first")
        gate.open()
        await task.value
        #expect(state(list) == "1,next")
        answer(page("2"))
        let next = list.loadNext()
        next.cancel()
        await next.value
        #expect(state(list) == "1 2")
        #expect(queries == ["", "page=2"])
    }

    @Test("Duplicates are dropped within and across pages only if elements are identified")
    func duplicates() async {
        answer(page("1 2 1", next: "2"))
        let list = paginator()
        let other = Paginator(pages())
        await list.load().value
        await other.load().value
        answer(page("2 3"))
        await list.loadNext().value
        await other.loadNext().value
        #expect(list.elements.map(\.id) == ["1", "2", "3"])
        #expect(other.elements.map(\.id) == ["1", "2", "1", "2", "3"])
        await list.refresh().value
        #expect(list.elements.map(\.id) == ["2", "3"])
    }

    @Test("A page whose next page is itself ends the list with an error and keeps its elements")
    func loop() async {
        mock.on(.get, "/gists", .json(#"{"items": [{"id": "1"}], "next": "a"}"#))
        let list = Paginator(
            client.pages(Endpoint<[Gist]>.route(API.gists, at: "items"), by: CursorPagination(nextPath: "next")))
        await list.load().value
        await list.loadNext().value
        #expect(state(list) == "1 1,error")
        await list.loadNext().value
        await list.retry().value
        #expect(mock.requests.count == 2)
    }

    @Test("Loading a previous page keeps the error of the refused next page")
    func loopAndPrevious() async {
        mock.on(.get, "/gists") { request in
            let page = Int(request.queryValue("page") ?? "") ?? 0
            return .json(
                "[{\"id\": \"\(page)\"}]",
                headers: [.link: "<?page=\(page)>; rel=next, <?page=\(page - 1)>; rel=prev"])
        }
        let start = URL(string: "https://a.example/gists?page=5").map { PagePosition.url($0) }
        let list = Paginator(pages().starting(at: start), identifiedBy: \.id)
        await list.load().value
        #expect(state(list) == "5,error")
        await list.loadPrevious().value
        #expect(state(list) == "4 5,error")
        answer(page("1"))
        await list.refresh().value
        #expect(state(list) == "1")
    }

    @Test("Releasing the paginator cancels its request")
    func dropping() async throws {
        let gate = Gate()
        answer(.hanging(until: gate))
        var list: Paginator<Gist>? = paginator()
        weak let dropped = list
        let task = list?.load()
        try await gate.arrivals()
        list = nil
        #expect(dropped == nil)
        await task?.value
    }

    @Test("Changes of the elements are observable")
    func observing() async {
        answer(page("1"))
        let list = paginator()
        let changes = Mutex(0)
        withObservationTracking {
            _ = list.elements.count
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        await list.load().value
        #expect(changes.withLock { $0 } == 1)
    }
}

private final class Gist: AbstractModel { var id = "" }

private enum API: String, Route { case gists }

/// Responds to each search with its query when the gate opens, and ignores cancellation.
private final class DeafTransport: Transport {
    let gate = Gate()

    func response(to request: TransportRequest) async throws -> TransportResponse {
        await Task { [gate] in try? await gate.enter() }.value
        let query = request.url.query() ?? ""
        let id = query.contains("q=a") ? "a" : "b"
        return TransportResponse(status: 200, url: request.url, body: ResponseBody(Data(#"[{"id": "\#(id)"}]"#.utf8)))
    }
}
