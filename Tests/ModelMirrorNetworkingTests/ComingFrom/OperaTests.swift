import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// The examples of Opera's README, written for ModelMirror.
@Suite("Coming from Opera", .timeLimit(.hung), .network)
struct OperaTests {
    private let mock = MockTransport()
    private let client: APIClient

    init() {
        client = APIClient(transport: mock)
        mock.onSamples(of: [GithubAPI.Repository.GetInfo(owner: "xmartlabs", repository: "Opera")])
        mock.onSamples(of: [GithubAPI.Repository.Search()])
    }

    @Test("Routes are structures that share a protocol")
    func routes() throws {
        let search = try client.transportRequest(for: Endpoint<Void>.route(GithubAPI.Repository.Search()))
        #expect(search.method == .get)
        #expect(search.url.absoluteString == "https://api.github.com/search/repositories")
        let info = try client.transportRequest(
            for: Endpoint<Void>.route(GithubAPI.Repository.GetInfo(owner: "xmartlabs", repository: "Opera")))
        #expect(info.url.absoluteString == "https://api.github.com/repos/xmartlabs/Opera")
        #expect(info.headers.fields.map { "\($0.name): \($0.value)" } == ["X-GitHub-Api-Version: 2022-11-28"])
    }

    @Test("A collection and an object are requested by closure and by await")
    @MainActor
    func objects() async throws {
        let repositories: [Repository] = try await client.value(.route(GithubAPI.Repository.Search(), at: "items"))
        #expect(repositories.map(\.name) == ["Opera", "Eureka"])
        let name: String = await withCheckedContinuation { continuation in
            client.request(.route(GithubAPI.Repository.GetInfo(owner: "xmartlabs", repository: "Opera"))) {
                (getRepository: () throws -> sending Repository) in
                do {
                    let repository = try getRepository()
                    continuation.resume(returning: "\(repository.company ?? "") \(repository.name)")
                } catch {
                    continuation.resume(returning: "\(error)")
                }
            }
        }
        #expect(name == "xmartlabs Opera")
    }

    @Test("A JSONValue is read without a model")
    func anyObject() async throws {
        let json: JSONValue = try await client.value(.route(GithubAPI.Repository.Search()))
        #expect(json["items"]?[0]?["name"] == "Opera")
    }

    @Test("Errors have the server's message")
    func errors() async throws {
        let route = GithubAPI.Repository.GetInfo(owner: "xmartlabs", repository: "Nothing")
        mock.on(route, .json(#"{"message": "Not Found"}"#, status: 404))
        let error = await #expect(throws: RequestError.self) {
            let _: Repository = try await client.value(.route(route))
        }
        #expect(error?.response?.status == 404)
        #expect(try error?.response?.value(String.self, at: "message") == "Not Found")
    }

    @Test("Paginated requests are made by page, query and filter")
    func paginationRequest() async throws {
        let paginated = client.pages(Endpoint<[Repository]>.route(GithubAPI.Repository.Search(), at: "items"))
        let firstPage = paginated.starting(at: .number(1))
        let filteredFirstPage = firstPage.starting(at: .number(7)).matching("Eureka")
        let swift = filteredFirstPage.matching("Eureka", filter: ["language": "swift"])
        for pages in [firstPage, filteredFirstPage, swift] { _ = try await pages.reader().nextPage() }
        #expect(
            mock.requests.map { $0.url.query() } == ["page=1", "q=Eureka&page=1", "q=Eureka&language=swift&page=1"])
    }

    @Test("A page has the positions of the next and the previous page")
    func paginationResponse() async throws {
        mock.on(
            GithubAPI.Repository.Search(),
            .json(
                #"{"items": []}"#,
                headers: [
                    .link: #"<https://api.github.com/search/repositories?page=3>; rel="next", "#
                        + #"<https://api.github.com/search/repositories?page=1>; rel="prev""#
                ]))
        var pages = client.pages(
            Endpoint<[Repository]>.route(GithubAPI.Repository.Search(), at: "items"), by: LinkPagination()
        ).makeAsyncIterator()
        let page = try #require(try await pages.next())
        #expect(page.nextPosition == .url(URL(string: "https://api.github.com/search/repositories?page=3")!))
        #expect(page.previousPosition == .url(URL(string: "https://api.github.com/search/repositories?page=1")!))
        #expect(page.elements.isEmpty)
    }

    @Test("Values are decoded by JSONConvertible, Decodable and a closure")
    func decodable() async throws {
        let route = GithubAPI.Repository.GetInfo(owner: "xmartlabs", repository: "Opera")
        let plain: PlainRepository = try await client.value(.route(route))
        #expect(plain == PlainRepository(id: 1, name: "Opera", company: "xmartlabs"))
        let list: [PlainRepository] = try await client.value(.route(GithubAPI.Repository.Search(), at: "items"))
        #expect(list.map(\.id) == [1, 2])
        let owner: Owner = try await client.value(
            .route(route, at: "owner") { response in try JSONDecoder().decode(Owner.self, from: response.value) })
        #expect(owner == Owner(login: "xmartlabs"))
    }

    @Test("A paginator is the view model of a search screen")
    @MainActor
    func searchScreen() async throws {
        let paginator = Paginator(
            client.pages(
                Endpoint<[Repository]>.route(GithubAPI.Repository.Search(), at: "items"), by: LinkPagination()))
        let gate = Gate()
        mock.on(GithubAPI.Repository.Search()) { request in
            let isFirst = request.queryValue("page") == nil
            return MockResponse.json(
                #"{"items": [{"name": "\#(request.queryValue("q") ?? "") \#(isFirst ? 1 : 2)"}]}"#,
                headers: isFirst ? [.link: "<?q=Eureka&page=2>; rel=next"] : [:]
            ).held(at: gate)
        }
        #expect(!paginator.isEmpty)
        let search = paginator.search("Eureka")
        #expect(paginator.isLoadingFirstPage)
        gate.open()
        await search.value
        #expect(paginator.elements.map(\.name) == ["Eureka 1"])
        #expect(paginator.hasNext)
        let next = paginator.loadNext()
        #expect(paginator.isLoading && !paginator.isLoadingFirstPage)
        await next.value
        #expect(paginator.elements.map(\.name) == ["Eureka 1", "Eureka 2"])
        #expect(!paginator.hasNext)
        await paginator.refresh().value
        #expect(paginator.elements.map(\.name) == ["Eureka 1"])
    }

    @Test("An object, a collection and any value are read at a key path")
    func keyPaths() async throws {
        let url: URLReference = "https://api.github.com/search/repositories"
        let first: Repository = try await client.value(.get(url, at: ["items", 0]))
        #expect(first.name == "Opera")
        let all: [Repository] = try await client.value(.get(url, at: "items"))
        #expect(all.count == 2)
        #expect(try await client.value(Endpoint<JSONValue>.get(url, at: "total_count")) == 2)
    }

    @Test("prepare runs last for a route and for a paginated request")
    func setup() async throws {
        var paginated = Endpoint<[JSONValue]>.route(GithubAPI.Repository.Signed())
        paginated.prepare = { $0.headers["X-Page"] = $0.url.query() }
        mock.on(GithubAPI.Repository.Signed(), .json("[]"))
        _ = try await client.pages(paginated).reader().nextPage()
        #expect(mock.requests.last?.headers["X-Signature"] == "GET /signed")
        #expect(mock.requests.last?.headers["X-Page"] == "page=1")
    }

    @Test("Pagination has configurable query items and number of the first page")
    func settings() async throws {
        let paginated = client.pages(
            Endpoint<[Repository]>.route(GithubAPI.Repository.Search(), at: "items"),
            by: PageNumberPagination(parameter: "p", firstNumber: 0))
        _ = try await paginated.matching("Eureka", parameter: "text").reader().nextPage()
        #expect(mock.requests.last?.url.query() == "text=Eureka&p=0")
    }
}

// MARK: Routes

/// Just a hierarchy to organize routes.
private enum GithubAPI {
    enum Repository {}
}

private enum Github: APIEnvironment {
    case api

    var host: String { "api.github.com" }
    var headers: HTTPHeaders { ["X-GitHub-Api-Version": "2022-11-28"] }
}

/// What is common to all routes.
private protocol GithubRoute: Route where Environment == Github {}

extension GithubRoute {
    var environment: Github? { .api }
}

extension GithubAPI.Repository {
    struct Search: GithubRoute {
        var path: URLReference { "search/repositories" }
    }

    struct GetInfo: GithubRoute {
        let owner: String
        let repository: String

        var path: URLReference { "repos/\(owner)/\(repository)" }
    }

    struct Signed: GithubRoute {
        var path: URLReference { "signed" }

        func prepare(_ request: inout TransportRequest) {
            request.headers["X-Signature"] = "\(request.method) \(request.url.path())"
        }
    }
}

// MARK: Samples, beside the routes but outside of the app

extension GithubAPI.Repository.Search: SampledRoute {
    var sample: MockResponse {
        .json(
            #"{"total_count": 2, "items": [{"id": 1, "name": "Opera", "owner": {"login": "xmartlabs"}}, "#
                + #"{"id": 2, "name": "Eureka", "owner": {"login": "xmartlabs"}}]}"#)
    }
}

extension GithubAPI.Repository.GetInfo: SampledRoute {
    var sample: MockResponse { .json(#"{"id": 1, "name": "Opera", "owner": {"login": "xmartlabs"}}"#) }
}

// MARK: Models

private final class Repository: AbstractModel {
    var id = 0
    var name = ""
    var desc: String?
    var company: String?
    var language: String?
    var openIssues = 0
    var stargazersCount = 0
    var forksCount = 0
    var url: URL?
    var createdAt: Date?

    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var propertyKeys: [String: PropertyKey] {
        ["desc": "description", "company": .path("owner", "login"), "openIssues": "open_issues_count"]
    }
}

/// A type that creates itself from JSON, as with `OperaDecodable`.
private struct PlainRepository: JSONConvertible, Equatable {
    let id: Int
    let name: String
    let company: String?

    init(id: Int, name: String, company: String?) {
        self.id = id
        self.name = name
        self.company = company
    }

    init(json: JSONValue) throws {
        guard let id = json["id"]?.int, let name = json["name"]?.string else { throw Unreadable() }
        self.init(id: id, name: name, company: json["owner"]?["login"]?.string)
    }

    func json() throws -> JSONValue { ["id": .number(JSONNumber(id)), "name": .string(name)] }

    struct Unreadable: Error {}
}

private struct Owner: Decodable, Equatable { var login: String }
