import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("PageReader", .timeLimit(.hung), .network)
struct PageReaderTests {
    private let mock = MockTransport()
    private let gate = Gate()
    private let pages: Pages<Gist>
    private let reader: PageReader<Gist>

    init() {
        let client = APIClient(transport: mock, baseURL: URL(string: "https://a.example"))
        pages = client.pages(.route(API.gists, at: "items"), by: PageNumberPagination(hasNextPath: "more"))
        reader = pages.reader()
        mock.on(.get, "/gists") { [gate] request in
            let page = request.queryValue("page") ?? ""
            return MockResponse.json(#"{"items": [{"id": "\#(page)"}], "more": \#(page != "3")}"#).held(at: gate)
        }
    }

    private var asked: [String] { mock.requests.map { $0.queryValue("page") ?? "" } }

    @MainActor
    private func nextIDs() async -> String {
        await withCheckedContinuation { continuation in
            reader.nextPage { getGists in
                continuation.resume(
                    returning: (try? getGists().map(\.id).joined(separator: " ") + " \(reader.hasNext)") ?? "failed")
            }
        }
    }

    @Test("Pages are read in order, and nothing is sent after the last one")
    func reading() async throws {
        gate.open()
        #expect(reader.hasNext)
        #expect(await nextIDs() == "1 true")
        #expect(await nextIDs() == "2 true")
        #expect(await nextIDs() == "3 false")
        #expect(await nextIDs() == " false")
        #expect(try await reader.nextPage().isEmpty)
        #expect(asked == ["1", "2", "3"])
        reader.restart()
        #expect(reader.hasNext)
        #expect(try await reader.nextPage().map(\.id) == ["1"])
    }

    @Test("A page that is being loaded is requested once, and each closure gets its own elements")
    func sharing() async throws {
        let first = reader.nextPage { _ in }
        let second = reader.nextPage { _ in }
        #expect(first == second)
        let objects = WordLog()
        let queue = DispatchQueue(label: "answers")
        reader.nextPage(on: queue) { getGists in objects.add("queue \((try? getGists().map(\.id)) ?? [])") }
        first.success { gists in objects.add("success \(gists.map(\.id))") }
        try await gate.arrivals()
        gate.open()
        #expect(try await first.value().map(\.id) == ["1"])
        #expect(try await second.value().map(\.id) == ["1"])
        await ended(first)
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(objects.words.sorted() == [#"queue ["1"]"#, #"success ["1"]"#])
        #expect(asked == ["1"])
    }

    @Test("A page that failed or was cancelled is requested again as the next one")
    func failing() async throws {
        gate.pass()
        #expect(await nextIDs() == "1 true")
        let cancelled = reader.nextPage { _ in }
        try await gate.arrivals(atLeast: 2)
        cancelled.cancel()
        await #expect(throws: RequestError.self) { _ = try await cancelled.value() }
        #expect(reader.hasNext)
        gate.open()
        mock.on(.get, "/gists", .sequence([.status(500), .json(#"{"items": [{"id": "x"}], "more": false}"#)]))
        await #expect(throws: RequestError.self) { _ = try await reader.nextPage() }
        #expect(try await reader.nextPage().map(\.id) == ["x"])
        #expect(!reader.hasNext)
        #expect(asked == ["1", "2", "2", "2"])
    }

    @Test("Restarting cancels the running request, whose response is ignored")
    func restarting() async throws {
        gate.pass()
        #expect(await nextIDs() == "1 true")
        let stale = reader.nextPage { _ in }
        try await gate.arrivals(atLeast: 2)
        reader.restart()
        await #expect(throws: RequestError.self) { _ = try await stale.value() }
        gate.open()
        #expect(await nextIDs() == "1 true")
        #expect(asked == ["1", "2", "1"])
    }

    @Test("A reader goes back from a middle page to the first, and forward again")
    @MainActor
    func backwards() async throws {
        gate.open()
        let reader = pages.starting(at: .number(2)).reader()
        #expect(reader.hasNext)
        #expect(!reader.hasPrevious)
        #expect(try await reader.previousPage().isEmpty)
        #expect(asked == [])
        #expect(try await reader.nextPage().map(\.id) == ["2"])
        #expect(reader.hasNext && reader.hasPrevious)
        let first: [String] = await withCheckedContinuation { continuation in
            reader.previousPage { getGists in
                MainActor.assertIsolated()
                continuation.resume(returning: (try? getGists().map(\.id)) ?? ["failed"])
            }
        }
        #expect(first == ["1"])
        #expect(reader.hasNext && !reader.hasPrevious)
        #expect(try await reader.previousPage().isEmpty)
        #expect(try await reader.nextPage().map(\.id) == ["2"])
        #expect(try await reader.nextPage().map(\.id) == ["3"])
        #expect(!reader.hasNext && reader.hasPrevious)
        #expect(try await reader.nextPage().isEmpty)
        #expect(try await reader.previousPage().map(\.id) == ["2"])
        #expect(asked == ["2", "1", "2", "3", "2"])
        reader.restart()
        #expect(!reader.hasPrevious)
        #expect(try await reader.nextPage().map(\.id) == ["2"])
    }

    @Test("A pagination without previous positions has no previous page")
    func noPrevious() async throws {
        gate.open()
        let reader = APIClient(transport: mock, baseURL: URL(string: "https://a.example"))
            .pages(Endpoint<[Gist]>.route(API.gists, at: "items"), by: MaximumIDPagination()).reader()
        _ = try await reader.nextPage()
        #expect(reader.hasNext && !reader.hasPrevious)
    }

    @Test("Reading in the other direction fails while a page is loading, which goes on")
    func directions() async throws {
        gate.pass()
        let reader = pages.starting(at: .number(2)).reader()
        _ = try await reader.nextPage()
        let next = reader.nextPage { _ in }
        try await gate.arrivals(atLeast: 2)
        await expectError(
            "The request cannot be sent: the reader is loading a page in the other direction; wait for it."
        ) { _ = try await reader.previousPage() }
        gate.open()
        #expect(try await next.value().map(\.id) == ["3"])
        #expect(try await reader.previousPage().map(\.id) == ["2"])
        #expect(asked == ["2", "3", "2"])
    }

    @Test("A previous page that failed can be requested again")
    func failingBackwards() async throws {
        gate.open()
        let reader = pages.starting(at: .number(2)).reader()
        _ = try await reader.nextPage()
        mock.on(.get, "/gists", .sequence([.status(500), .json(#"{"items": [{"id": "x"}], "more": true}"#)]))
        await #expect(throws: RequestError.self) { _ = try await reader.previousPage() }
        #expect(reader.hasPrevious)
        #expect(try await reader.previousPage().map(\.id) == ["x"])
        #expect(asked == ["2", "1", "1"])
    }
}

private final class Gist: AbstractModel { var id = "" }

private enum API: String, Route { case gists }
