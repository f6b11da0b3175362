import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Pages", .timeLimit(.minutes(1)))
struct PagesTests {
    private let mock = MockTransport()

    /// Three pages of two, one and no gists, by links that know only `next`.
    private func linked() -> AbstractRepository<String> {
        mock.on(.get, "/gists") { request in
            let page = Int(request.queryValue("page") ?? "1") ?? 0
            let bodies = [#"[{"id": "1"}, {"id": "2"}]"#, "[]", #"[{"id": "3"}]"#]
            let link: HTTPHeaders = page < 3 ? [.link: "<?page=\(page + 1)&q=x>; rel=\"next\""] : [:]
            return .json(bodies[page - 1], headers: link)
        }
        return AbstractRepository(transport: mock, baseURL: URL(string: "https://a.example"))
    }

    private func gists(_ pagination: any Pagination = LinkPagination()) -> PagedRequest<Gist> {
        PagedRequest(API.gists, pagination: pagination)
    }

    private var urls: [String] {
        mock.requests.map { $0.url.absoluteString.replacing("https://a.example", with: "") }
    }

    @Test("A sequence of pages, each asked for when it is needed")
    func sequence() async throws {
        let pages = linked().pages(gists())
        var iterator = pages.makeAsyncIterator()
        #expect(urls == [])
        let first = try #require(try await iterator.next())
        #expect(first.elements.map(\.id) == ["1", "2"])
        #expect(first.position == .first)
        #expect(first.next == .url(try #require(URL(string: "https://a.example/gists?page=2&q=x"))))
        #expect(first.previous == nil)
        #expect(first.url.absoluteString == "https://a.example/gists")
        #expect(first.headers[.link] == "<?page=2&q=x>; rel=\"next\"")
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

    @Test("A sequence of elements on the main actor passes over pages without any")
    @MainActor
    func elements() async throws {
        var ids: [String] = []
        for try await gist in linked().elements(gists()) {
            MainActor.assertIsolated()
            ids.append(gist.id)
            if gist.id == "2" { #expect(urls == ["/gists"]) }
        }
        #expect(ids == ["1", "2", "3"])
    }

    @Test("A page that fails is asked for again")
    func retry() async throws {
        let repository = linked()
        var iterator = repository.elements(gists()).makeAsyncIterator()
        #expect(try await iterator.next()?.id == "1")
        #expect(try await iterator.next()?.id == "2")
        mock.on(.get, "/gists", .sequence([.status(503), .json(#"[{"id": "9"}]"#)]))
        await #expect(throws: RequestError.self) { _ = try await iterator.next() }
        #expect(try await iterator.next()?.id == "9")
        #expect(try await iterator.next() == nil)
        #expect(urls == ["/gists", "/gists?page=2&q=x", "/gists?page=2&q=x"])
    }

    @Test("A server that names a page as the one after itself is found out, after the page is given")
    func loop() async throws {
        mock.on(.get, "/gists", .json(#"{"items": [1], "next": "a"}"#))
        let repository = AbstractRepository<String>(transport: mock, baseURL: URL(string: "https://a.example"))
        let list = PagedRequest<Int>(API.gists, pagination: CursorPagination(nextPath: "next"), at: "items")
        var iterator = repository.pages(list).makeAsyncIterator()
        #expect(try await iterator.next()?.next == .cursor("a"))
        #expect(try await iterator.next()?.elements == [1])
        let error = await #expect(throws: RequestError.self) { _ = try await iterator.next() }
        #expect(
            error?.description
                == "The request cannot be sent: the server names the page at the cursor \"a\" as the one after itself, so the "
                + "list would never end.")
        #expect(urls == ["/gists", "/gists?cursor=a"])
    }

    @Test(
        "A server that leads in a circle is found out",
        arguments: [
            (["": "a", "a": "b", "b": "a"], "a", 3), (["": "a", "a": "b", "b": "c", "c": "a"], "c", 6),
            (["": "a", "a": "b", "b": "c", "c": "d", "d": "c"], "c", 5),
        ])
    func circle(next: [String: String], found: String, requests: Int) async throws {
        mock.on(.get, "/gists") { request in
            .json(#"{"items": [1], "next": "\#(next[request.queryValue("cursor") ?? ""] ?? "")"}"#)
        }
        let repository = AbstractRepository<String>(transport: mock, baseURL: URL(string: "https://a.example"))
        let list = PagedRequest<Int>(API.gists, pagination: CursorPagination(nextPath: "next"), at: "items")
        var count = 0
        let error = await #expect(throws: RequestError.self) {
            for try await _ in repository.elements(list) {
                count += 1
                if count == 100 { break }
            }
        }
        #expect(
            error?.description
                == "The request cannot be sent: the server leads back to the page at the cursor \"\(found)\", so the list would "
                + "never end.")
        #expect(count == requests)
    }

    @Test("Elements that are left out count where pages are counted")
    func skipped() async throws {
        mock.on(.get, "/gists") { request in
            request.queryValue("offset") == "0" ? .json(#"[{"id": "1"}, 2, {"id": "3"}]"#) : .json(#"[{"id": "4"}]"#)
        }
        var configuration = AbstractRepository<String>.Configuration()
        configuration.mappingOptions.skipsInvalidElements = true
        let repository = AbstractRepository<String>(
            transport: mock, baseURL: URL(string: "https://a.example"), configuration: configuration)
        var ids: [String] = []
        for try await gist in repository.elements(gists(OffsetPagination(limit: 3))) { ids.append(gist.id) }
        #expect(ids == ["1", "3", "4"])
        #expect(urls == ["/gists?offset=0&limit=3", "/gists?offset=3&limit=3"])
    }

    @Test("The options of the class of the elements count, as they do without pages")
    func classOptions() async throws {
        mock.on(.get, "/gists", .json(#"[{"id": "1"}, 2]"#))
        let repository = AbstractRepository<String>(transport: mock, baseURL: URL(string: "https://a.example"))
        let all: [PatientGist] = try await repository.objects(API.gists)
        let page = try await repository.page(PagedRequest<PatientGist>(API.gists))
        #expect(page.elements.map(\.id) == all.map(\.id))
        #expect(page.elements.map(\.id) == ["1"])
    }

    @Test("Cancelling the task that iterates cancels the request")
    func cancelling() async throws {
        let gate = Gate()
        mock.on(.get, "/gists", .hanging(until: gate))
        let repository = AbstractRepository<String>(transport: mock, baseURL: URL(string: "https://a.example"))
        let pages = repository.pages(gists())
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
            Issue.record("not cancelled")
            return
        }
    }

    @Test("Query and filter lead to the first page, a page keeps both")
    func requests() async throws {
        mock.on(.get, "/gists", .json("[]"))
        let repository = AbstractRepository<String>(transport: mock, baseURL: URL(string: "https://a.example"))
        var list = gists(PageNumberPagination(parameter: "p"))
        list.queryParameter = "text"
        let found = list.withQuery("a&b").withPage(.number(3))
        #expect(found.query == "a&b")
        #expect(found.position == .number(3))
        let filtered = found.withFilter(["lang": "swift"])
        #expect(filtered.position == nil)
        #expect(filtered.withPage(.number(2)).withQuery("c").position == nil)
        let page = try await repository.page(found)
        #expect(page.position == .number(3))
        #expect(page.previous == .number(2))
        _ = try await repository.page(filtered)
        _ = try await repository.page(filtered.withFilter([:]).withQuery(""))
        _ = try await repository.page(filtered.withFilter(["text": "over"]))
        _ = try await repository.page(PagedRequest<Gist>(url: "gists?p=9&z=1", headers: ["X-A": "b"]))
        var prepared = list
        prepared.prepare = { $0.headers["X-Page"] = $0.url.query() }
        _ = try await repository.page(prepared)
        #expect(
            urls == [
                "/gists?text=a%26b&p=3", "/gists?text=a%26b&lang=swift&p=1", "/gists?p=1", "/gists?text=over&p=1",
                "/gists?p=9&z=1&page=1", "/gists?p=1",
            ])
        #expect(mock.requests[4].headers["X-A"] == "b")
        #expect(mock.requests[5].headers["X-Page"] == "p=1")
    }

    @Test("Elements stand at the configuration's key or at the request's; bad ones fail the page")
    func keys() async throws {
        mock.on(.get, "/gists", .json(#"{"data": [{"id": "1"}], "names": ["a", 2]}"#))
        let repository = AbstractRepository<String>(
            transport: mock, baseURL: URL(string: "https://a.example"), configuration: .init(objectsKey: "data"))
        #expect(try await repository.page(gists()).elements.map(\.id) == ["1"])
        let error = await #expect(throws: ModelError.self) {
            _ = try await repository.page(PagedRequest<String>(API.gists, at: "names"))
        }
        #expect(
            error?.description == "JSON at $.names[1] (line 1, column 40): expected a string, found the number 2.")
        #expect(try await repository.page(PagedRequest<JSONValue>(API.gists, at: "names")).elements == ["a", 2])
    }

    @Test("Closures, on the main actor and on a queue")
    @MainActor
    func closures() async throws {
        let repository = linked()
        let queue = DispatchQueue(label: "answers")
        let onMain: [String] = await withCheckedContinuation { continuation in
            repository.requestPage(gists()) { getPage in
                MainActor.assertIsolated()
                continuation.resume(returning: (try? getPage().elements.map(\.id)) ?? ["failed"])
            }
        }
        #expect(onMain == ["1", "2"])
        let onQueue: Int = await withCheckedContinuation { continuation in
            repository.requestPage(gists().withPage(.first), on: queue) { getPage in
                dispatchPrecondition(condition: .onQueue(queue))
                continuation.resume(returning: (try? getPage().elements.count) ?? -1)
            }
        }
        #expect(onQueue == 2)
    }
}

private final class PatientGist: AbstractModel {
    var id = ""
    override class var mappingOptions: MappingOptions { MappingOptions(skipsInvalidElements: true) }
}

private final class Gist: AbstractModel { var id = "" }

private enum API: String, Route { case gists }
