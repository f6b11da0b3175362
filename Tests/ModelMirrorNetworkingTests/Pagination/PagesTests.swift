import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

@Suite("Pages", .timeLimit(.hung), .network)
struct PagesTests {
    private let mock = MockTransport()
    private var client: APIClient { APIClient(transport: mock, baseURL: URL(string: "https://a.example")) }

    private func linked() -> Pages<Gist> {
        mock.serveThreePages()
        return gists()
    }

    private func gists(_ pagination: any Pagination = LinkPagination()) -> Pages<Gist> {
        client.pages(.route(API.gists), by: pagination)
    }

    /// A list of numbers with the cursor of the next page.
    private func numbers(_ pagination: CursorPagination = CursorPagination(nextPath: "next")) -> Pages<Int> {
        client.pages(.route(API.gists, at: "items"), by: pagination)
    }

    /// The first page of a list.
    private func page<Element>(_ pages: Pages<Element>) async throws -> Page<Element> {
        var iterator = pages.makeAsyncIterator()
        return try #require(try await iterator.next())
    }

    private var urls: [String] {
        mock.requests.map { $0.url.absoluteString.replacing("https://a.example", with: "") }
    }

    @Test("A sequence of pages requests each page when it is needed")
    func sequence() async throws {
        let pages = linked()
        var iterator = pages.makeAsyncIterator()
        #expect(urls == [])
        let first = try #require(try await iterator.next())
        #expect(first.elements.map(\.id) == ["1", "2"])
        #expect(first.position == .first)
        #expect(first.nextPosition == .url(try #require(URL(string: "https://a.example/gists?page=2&q=x"))))
        let next = try #require(first.next)
        #expect(try client.transportRequest(for: next).url.absoluteString == "https://a.example/gists?page=2&q=x")
        #expect(first.previousPosition == nil)
        #expect(first.response.url.absoluteString == "https://a.example/gists")
        #expect(first.response.status == 200)
        #expect(first.response.headers[.link] == "<?page=2&q=x>; rel=\"next\"")
        #expect(urls == ["/gists"])
        #expect(try await iterator.next()?.elements.count == 0)
        #expect(try await iterator.next()?.elements.map(\.id) == ["3"])
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(urls == ["/gists", "/gists?page=2&q=x", "/gists?page=3&q=x"])
        var count = 0
        for try await _ in pages { count += 1 }
        #expect(count == 3)
    }

    @Test("A sequence of elements skips empty pages and stays on the main actor")
    @MainActor
    func elements() async throws {
        var ids: [String] = []
        for try await gist in linked().elements {
            MainActor.assertIsolated()
            ids.append(gist.id)
            if gist.id == "2" { #expect(urls == ["/gists"]) }
        }
        #expect(ids == ["1", "2", "3"])
    }

    @Test("A page that failed is requested again")
    func retry() async throws {
        var iterator = linked().elements.makeAsyncIterator()
        #expect(try await iterator.next()?.id == "1")
        #expect(try await iterator.next()?.id == "2")
        mock.on(.get, "/gists", .sequence([.status(503), .json(#"[{"id": "9"}]"#)]))
        await #expect(throws: RequestError.self) { _ = try await iterator.next() }
        #expect(try await iterator.next()?.id == "9")
        #expect(try await iterator.next() == nil)
        #expect(urls == ["/gists", "/gists?page=2&q=x", "/gists?page=2&q=x"])
    }

    @Test("A page whose next page is itself is delivered, then an error is thrown")
    func loop() async throws {
        mock.on(.get, "/gists", .json(#"{"items": [1], "next": "a"}"#))
        let list = numbers()
        var iterator = list.makeAsyncIterator()
        #expect(try await iterator.next()?.elements == [1])
        #expect(try await iterator.next()?.elements == [1])
        let error = await #expect(throws: RequestError.self) { _ = try await iterator.next() }
        #expect(
            error?.description
                == "The request cannot be sent: the server names the page at the cursor \"a\" as its own next page, so the "
                + "list would never end.")
        #expect(urls == ["/gists", "/gists?cursor=a"])
    }

    @Test("The server's cursor is cut in an error, and its control characters are escaped")
    func longCursor() async throws {
        mock.on(.get, "/gists", .json(#"{"items": [1], "next": "\n\#(String(repeating: "c", count: 100))"}"#))
        let list = numbers()
        let error = await #expect(throws: RequestError.self) { for try await _ in list {} }
        #expect(
            error?.description
                == #"The request cannot be sent: the server names the page at the cursor "\n"#
                + String(repeating: "c", count: 59) + #"…" as its own next page, so the list would never end."#)
    }

    @Test(
        "A cycle of page links is detected",
        arguments: [
            (["": "a", "a": "b", "b": "a"], "a", 3), (["": "a", "a": "b", "b": "c", "c": "a"], "c", 6),
            (["": "a", "a": "b", "b": "c", "c": "d", "d": "c"], "c", 5),
        ])
    func circle(next: [String: String], found: String, requests: Int) async throws {
        mock.on(.get, "/gists") { request in
            .json(#"{"items": [1], "next": "\#(next[request.queryValue("cursor") ?? ""] ?? "")"}"#)
        }
        let list = numbers()
        var count = 0
        let error = await #expect(throws: RequestError.self) {
            for try await _ in list.elements {
                count += 1
                if count == 100 { break }
            }
        }
        #expect(
            error?.description
                == "The request cannot be sent: the server's links return to the page at the cursor \"\(found)\", so the list "
                + "would never end.")
        #expect(count == requests)
    }

    @Test("Cursors that differ only in their spelling of a character are no cycle")
    func spellings() async throws {
        let next = ["": "\u{E9}", "%C3%A9": "e\u{301}", "e%CC%81": "a", "a": "\u{E9}"]
        mock.on(.get, "/gists") { request in
            let cursor = request.url.query()?.split(separator: "=").last.map(String.init) ?? ""
            return .json(#"{"items": [1], "next": "\#(next[cursor] ?? "")"}"#)
        }
        let list = numbers()
        var count = 0
        let error = await #expect(throws: RequestError.self) { for try await _ in list { count += 1 } }
        #expect(error?.description.contains("the server's links return to the page at the cursor") == true)
        #expect(count == 6)
    }

    @Test("Skipped invalid elements count for the offset of the next page")
    func skipped() async throws {
        mock.on(.get, "/gists") { request in
            request.queryValue("offset") == "0" ? .json(#"[{"id": "1"}, 2, {"id": "3"}]"#) : .json(#"[{"id": "4"}]"#)
        }
        var client = client
        client.configuration.mappingOptions.skipsInvalidElements = true
        let list = client.pages(Endpoint<[Gist]>.route(API.gists), by: OffsetPagination(limit: 3))
        var ids: [String] = []
        for try await gist in list.elements { ids.append(gist.id) }
        #expect(ids == ["1", "3", "4"])
        #expect(urls == ["/gists?offset=0&limit=3", "/gists?offset=3&limit=3"])
    }

    @Test(
        "Elements that an endpoint reads itself count",
        arguments: [PageNumberPagination(), OffsetPagination()] as [any Pagination])
    func ownReading(pagination: any Pagination) async throws {
        mock.on(.get, "/gists", .sequence([.text("a b"), .text("c"), .text("")]))
        let list = Endpoint<[String]>.get("gists") { response in
            String(decoding: response.value, as: UTF8.self).split(separator: " ").map(String.init)
        }
        var words: [String] = []
        for try await word in client.pages(list, by: pagination).elements { words.append(word) }
        #expect(words == ["a", "b", "c"])
        #expect(mock.requests.count == 3)
    }

    @Test("The mapping options of the elements' class apply to pages")
    func classOptions() async throws {
        mock.on(.get, "/gists", .json(#"[{"id": "1"}, 2]"#))
        let endpoint = Endpoint<[PatientGist]>.route(API.gists)
        let all = try await client.value(endpoint)
        let page = try await page(client.pages(endpoint))
        #expect(page.elements.map(\.id) == all.map(\.id))
        #expect(page.elements.map(\.id) == ["1"])
    }

    @Test("Cancelling the iterating task cancels the request")
    func cancelling() async throws {
        let gate = Gate()
        mock.on(.get, "/gists", .hanging(until: gate))
        let pages = gists()
        let task = Task { () -> RequestError? in
            do {
                for try await _ in pages {}
            } catch {
                return error as? RequestError
            }
            return nil
        }
        try await gate.arrivals()
        task.cancel()
        guard case .cancelled? = await task.value else {
            Issue.record("The request was not cancelled.")
            return
        }
    }

    @Test("matching(_:) starts at the first page, and starting(at:) keeps query and filter")
    func requests() async throws {
        mock.on(.get, "/gists", .json("[]"))
        let list = gists(PageNumberPagination(parameter: "p"))
        let found = list.starting(at: .number(7)).matching("a&b", parameter: "text")
        #expect(found.query == "a&b")
        #expect(found.queryParameter == "text")
        #expect(found.position == nil)
        let third = found.starting(at: .number(3))
        #expect(third.query == "a&b")
        #expect(third.position == .number(3))
        let page = try await page(third)
        #expect(page.position == .number(3))
        let previous = try #require(page.previous)
        #expect(
            try client.transportRequest(for: previous).url.absoluteString == "https://a.example/gists?text=a%26b&p=2")
        let filtered = third.matching("a&b", filter: ["lang": "swift"])
        #expect(filtered.position == nil)
        _ = try await self.page(filtered)
        _ = try await self.page(filtered.matching(nil))
        _ = try await self.page(filtered.matching(""))
        _ = try await self.page(filtered.matching("a&b", filter: ["text": "over"]))
        _ = try await self.page(client.pages(Endpoint<[Gist]>.get("gists?p=9&z=1", headers: ["X-A": "b"])))
        var endpoint = Endpoint<[Gist]>.get("gists", query: ["lang": "en", "z": 1])
        endpoint.prepare = { $0.headers["X-Page"] = $0.url.query() }
        _ = try await self.page(client.pages(endpoint).matching("c d", filter: ["lang": "swift"]))
        #expect(
            urls == [
                "/gists?text=a%26b&p=3", "/gists?text=a%26b&lang=swift&p=1", "/gists?p=1", "/gists?p=1",
                "/gists?text=over&p=1", "/gists?p=9&z=1&page=1", "/gists?z=1&q=c%20d&lang=swift&page=1",
            ])
        #expect(mock.requests[5].headers["X-A"] == "b")
        #expect(mock.requests[6].headers["X-Page"] == "z=1&q=c%20d&lang=swift&page=1")
    }

    @Test("Elements are read at objectsKey or the endpoint's path, and invalid ones fail the page")
    func keys() async throws {
        mock.on(.get, "/gists", .json(#"{"data": [{"id": "1"}], "names": ["a", 2], "total": 12}"#))
        var client = client
        client.configuration.objectsKey = "data"
        let gists = try await page(client.pages(Endpoint<[Gist]>.route(API.gists)))
        #expect(gists.elements.map(\.id) == ["1"])
        #expect(try gists.response.value(at: "total") == 12)
        #expect(try gists.response.value(at: ["data", 0, "id"]) == "1")
        #expect(try gists.response.value(Int.self, at: "none") == nil)
        #expect(throws: ModelError.self) { try gists.response.value(Int.self, at: "data") }
        let pages = client.pages(Endpoint<[String]>.route(API.gists, at: "names"))
        let error = await #expect(throws: ModelError.self) { _ = try await page(pages) }
        #expect(
            error?.description
                == "GET https://a.example/gists?…: JSON at $.names[1] (line 1, column 40): expected a string, found the number 2; the option stringsFromNumbers accepts it."
        )
        #expect(
            try await page(client.pages(Endpoint<[JSONValue]>.route(API.gists, at: "names"))).elements == ["a", 2])
    }

    @Test("A custom pagination can read the next position from the elements")
    func maximumIdentifier() async throws {
        mock.on(.get, "/gists") { request in
            let first = (request.queryValue("max_id").flatMap(Int.init) ?? 6) - 1
            let ids = stride(from: first, to: max(first - 2, 0), by: -1)
            return .json("[\(ids.map { "{\"id\": \"\($0)\"}" }.joined(separator: ", "))]")
        }
        var ids: [String] = []
        for try await gist in gists(MaximumIDPagination()).elements { ids.append(gist.id) }
        #expect(ids == ["5", "4", "3", "2", "1"])
        #expect(urls == ["/gists", "/gists?max_id=4", "/gists?max_id=2", "/gists?max_id=1"])
    }

    @Test("A page can be sent to another task, which sends the request of its next page")
    func sentPage() async throws {
        let pages = linked()
        let first = try await client.value(pages.endpoint)
        let next = try #require(first.next)
        let task = Task { [client] in SendingBox(try await client.value(next)) }
        let second = try await task.value.take()
        #expect(second.elements.isEmpty)
        #expect(try await client.value(try #require(second.next)).elements.map(\.id) == ["3"])
        #expect(urls == ["/gists", "/gists?page=2&q=x", "/gists?page=3&q=x"])
    }

    @Test("The endpoint of a page keeps its position when the body is ignored")
    func ignoredBody() async throws {
        let list = linked()
        let next = try #require(try await client.value(list.endpoint).next)
        try await client.send(next)
        #expect(urls == ["/gists", "/gists?page=2&q=x"])
    }

    @Test("A page of models can be passed to another actor, and continued there")
    func sent() async throws {
        let list = linked()
        let page = try await client.value(list.endpoint)
        let screen = Screen()
        #expect(try await screen.show(page, by: client) == ["1", "2", "3"])
    }

    @Test("Pages by identifiers read strings and numbers, and end at an empty page", arguments: ["\"%\"", "%"])
    func identifiers(form: String) async throws {
        mock.on(.get, "/gists") { request in
            let first = (request.queryValue("max_id").flatMap(Int.init) ?? 6) - 1
            let ids = stride(from: first, to: max(first - 2, 0), by: -1).map { form.replacing("%", with: "\($0)") }
            return .json("[\(ids.map { "{\"id\": \($0)}" }.joined(separator: ", "))]")
        }
        let list = client.pages(
            Endpoint<[JSONValue]>.route(API.gists), by: IDPagination(sizeParameter: "limit", size: 2))
        var count = 0
        for try await _ in list.elements { count += 1 }
        #expect(count == 5)
        #expect(
            urls == [
                "/gists?limit=2", "/gists?max_id=4&limit=2", "/gists?max_id=2&limit=2", "/gists?max_id=1&limit=2",
            ])
    }

    @Test(
        "A pagination that would end the list silently is an error that names the cure",
        arguments: [
            (
                IDPagination(idPath: "key") as any Pagination,
                "The request cannot be sent: the next page is unknown, since the last element of the first page has no string or "
                    + "number at $.key, which IDPagination sends; set idPath to the element's identifier."
            ),
            (
                CursorPagination(nextPath: "next", size: 20),
                "The request cannot be sent: CursorPagination has a size of 20 and no sizeParameter; name the server's query item, as "
                    + "in CursorPagination(…, sizeParameter: \"limit\", size: 20)."
            ),
            (
                LinkPagination(size: 20),
                "The request cannot be sent: LinkPagination has a size of 20 and no sizeParameter; name the server's query item, as in "
                    + "LinkPagination(…, sizeParameter: \"limit\", size: 20)."
            ),
        ])
    func cures(pagination: any Pagination, message: String) async {
        mock.on(.get, "/gists", .json(#"[{"id": "1"}]"#))
        let error = await #expect(throws: RequestError.self) { _ = try await page(gists(pagination)) }
        #expect(error?.description == message)
    }

    @Test("A first page without the cursor's key is an error where the pagination requires it")
    func requiredCursor() async throws {
        mock.on(.get, "/gists", .sequence([.json(#"{"items": [1]}"#), .json(#"{"items": [1], "next": null}"#)]))
        let cursors = CursorPagination(nextPath: "next", requiresNextPath: true)
        let list = numbers(cursors)
        let error = await #expect(throws: RequestError.self) { _ = try await page(list) }
        #expect(
            error?.description
                == "The request cannot be sent: the next page is unknown, since the first one has nothing at $.next, where "
                + "CursorPagination expects a cursor or null; correct nextPath, or leave requiresNextPath false if the last page has "
                + "no cursor."
        )
        #expect(try await page(list).nextPosition == nil)
    }

    @Test("A list that began without an account does not go on under one that a transport of the program's own names")
    func accountOfATransport() async throws {
        _ = linked()
        let session = Session()
        let client = APIClient(
            transport: SessionTransport(base: mock, session: session), baseURL: URL(string: "https://a.example"))
        var iterator = client.pages(Endpoint<[Gist]>.route(API.gists), by: LinkPagination()).makeAsyncIterator()
        #expect(try await iterator.next()?.elements.map(\.id) == ["1", "2"])
        session.identity.withLock { $0 = .account("bob") }
        await expectAccountChanged { _ = try await iterator.next() }
        #expect(urls == ["/gists"])
    }

    @Test("The next page of one account is not requested for another, as named by the client", arguments: ["bob", nil])
    func accountOfTheClient(other: String?) async throws {
        _ = linked()
        var client = client
        client.account = "ada"
        let first = try await page(client.pages(Endpoint<[Gist]>.route(API.gists), by: LinkPagination()))
        let next = try #require(first.next)
        client.account = other
        let asked = client
        await expectAccountChanged { _ = try await asked.value(next) }
        #expect(urls == ["/gists"])
        client.account = "ada"
        #expect(try await client.value(next).elements.isEmpty)
    }

    @Test("Links without a user are requested with the user of the list's URL")
    func userOfTheURL() async throws {
        let list = linked()
        var client = client
        client.baseURL = URL(string: "https://mona:s%40cret@a.example")
        for try await _ in client.pages(Endpoint<[Gist]>.route(API.gists), by: list.pagination) {}
        #expect(
            mock.requests.map(\.url.absoluteString)
                == ["gists", "gists?page=2&q=x", "gists?page=3&q=x"].map { "https://mona:s%40cret@a.example/\($0)" })
    }

    @Test("The error hooks of a repository's class apply to its pages")
    func hooks() async throws {
        mock.on(.get, "/gists", .json(#"{"code": 17}"#, status: 403))
        let repository = QuotaRepository(transport: mock, baseURL: URL(string: "https://a.example"))
        await #expect(throws: QuotaRepository.Exceeded.self) {
            _ = try await page(repository.pages(Endpoint<[Gist]>.route(API.gists)))
        }
    }
}

private final class Session: Sendable {
    let identity = Mutex(TransportIdentity.none)
}

private actor Screen {
    private var pages: [Page<Gist>] = []

    func show(_ page: sending Page<Gist>, by client: APIClient) async throws -> [String] {
        var next = page.next
        pages.append(page)
        while let endpoint = next {
            let page = try await client.value(endpoint)
            next = page.next
            pages.append(page)
        }
        return pages.flatMap { $0.elements.map(\.id) }
    }
}

private struct SessionTransport: Transport {
    let base: any Transport
    let session: Session

    func response(to request: TransportRequest) async throws -> TransportResponse {
        try await base.response(to: request)
    }

    func identity(for request: TransportRequest) -> TransportIdentity { session.identity.withLock { $0 } }
}

private final class QuotaRepository: AbstractRepository<String> {
    struct Exceeded: Error {}

    override class var defaultConfiguration: Configuration { Configuration(errorCodeKey: "code") }
    override class func error(forCode code: String?, message: String?) -> (any Error)? {
        code == "17" ? Exceeded() : nil
    }
}

private final class PatientGist: AbstractModel {
    var id = ""
    override class var mappingOptions: MappingOptions { MappingOptions(skipsInvalidElements: true) }
}

private final class Gist: AbstractModel { var id = "" }

private enum API: String, Route { case gists }

extension MockTransport {
    /// Answers `GET /gists` with three pages of two, no and one gist, with links to the next page only.
    func serveThreePages() {
        on(.get, "/gists") { request in
            let page = Int(request.queryValue("page") ?? "1") ?? 0
            let bodies = [#"[{"id": "1"}, {"id": "2"}]"#, "[]", #"[{"id": "3"}]"#]
            let link: HTTPHeaders = page < 3 ? [.link: "<?page=\(page + 1)&q=x>; rel=\"next\""] : [:]
            return .json(bodies[page - 1], headers: link)
        }
    }
}

/// Pages of the elements older than the last one, as in Mastodon's API.
struct MaximumIDPagination: Pagination {
    func prepare(_ request: inout TransportRequest, for position: PagePosition) throws {
        if case .cursor(let id) = position { request.url = try request.url.settingQuery(["max_id": id]) }
    }

    func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        response.elements.last?["id"]?.string.map { .cursor($0) }
    }
}
