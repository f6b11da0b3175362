import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// The examples of Reactor's README, written for ModelMirror.
@Suite("Coming from Reactor", .timeLimit(.hung), .network)
final class ReactorTests {
    private let mock = MockTransport()
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("reactor-\(UUID())")
    private let reactor: AbstractRepository<String>

    init() throws {
        reactor = AbstractRepository(
            transport: mock, baseURL: URL(string: "https://myApi.com"), store: try FileStore(folder: folder))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("Mappable: a model reads and writes itself without further code")
    func mappable() throws {
        let author = try Author(json: #"{"name": "Ada"}"#)
        #expect(author.name == "Ada")
        #expect(try author.jsonString() == #"{"name":"Ada"}"#)
        let error = #expect(throws: ModelError.self) { try Author(json: #"{"name": ["Ada"]}"#) }
        #expect(error?.description == "Author.name at $.name (line 1, column 10): expected a string, found an array.")
    }

    @Test("The flow, first branch: a valid persisted value is used")
    func persisted() async throws {
        mock.on(.get, "/author", .json(#"{"name": "Ada"}"#))
        #expect(try await reactor.value(author).name == "Ada")
        #expect(try await reactor.value(author).name == "Ada")
        #expect(mock.requests.count == 1)
    }

    @Test("The flow, second branch: an expired value is fetched again, parsed and persisted")
    func expired() async throws {
        mock.on(.get, "/author", .sequence([.json(#"{"name": "Ada"}"#), .json(#"{"name": "Grace"}"#)]))
        #expect(try await reactor.value(author).name == "Ada")
        #expect(try await reactor.value(author, policy: .cacheElseNetwork.maxAge(.zero)).name == "Grace")
        #expect(try await reactor.value(author, policy: .cacheOnly).name == "Grace")
    }

    @Test("The flow, third branch: a failed request and a missing network throw their errors")
    func failing() async throws {
        mock.on(.get, "/author", .status(500))
        let refused = await #expect(throws: RequestError.self) { try await self.reactor.value(self.author) }
        #expect(refused?.response?.status == 500)
        reactor.client.transport = ReachabilityTransport(mock, isConnected: { false })
        let offline = await #expect(throws: FetchError.self) { try await self.reactor.value(self.author) }
        #expect(
            offline?.description
                == "There is no network connection, and nothing is stored for https://myApi.com/author; "
                + "try again when there is one.")
        #expect(mock.requests.count == 1)
    }

    @Test("fetchFromNetwork asks the network despite a persisted value")
    func fetchFromNetwork() async throws {
        mock.on(.get, "/author", .sequence([.json(#"{"name": "Ada"}"#), .json(#"{"name": "Grace"}"#)]))
        #expect(try await reactor.value(author).name == "Ada")
        #expect(try await reactor.value(author, policy: .networkOnly).name == "Grace")
    }

    @Test("A resource is an endpoint with path, query, body, header fields and method")
    func resource() async throws {
        mock.on(.put, "/author", .json(#"{"name": "Ada"}"#))
        let endpoint = Endpoint<Author>.put(
            "author?draft=1", parameters: ["name": "Ada"], headers: ["X-Client": "reactor"])
        _ = try await reactor.value(endpoint)
        let request = try #require(mock.requests.first)
        #expect(request.url.absoluteString == "https://myApi.com/author?draft=1")
        #expect(request.text == #"{"name":"Ada"}"#)
        #expect(request.headers["X-Client"] == "reactor")
    }

    private var author: Endpoint<Author> { .get("author") }
}

private final class Author: AbstractModel {
    var name = ""

    override class var requiredProperties: Set<String> { ["name"] }
}
