//: # ModelMirror in a minute
//: The steps of `swift run Playground` as a playground. Open the package's folder in Xcode, choose the scheme
//: ModelMirror-Package and My Mac, then this file. `Tests/Playground/check.py --write` makes it from `Playground/Tour`.
import Foundation
import ModelMirror
import ModelMirrorExploring
import ModelMirrorNetworking
import ModelMirrorTesting

//: ## 1. A class is its own schema
//: Subclass AbstractModel and declare vars: they are filled from JSON by name. The overrides at the end say
//: where names differ and what is required; a class without such rules needs none.
/// A gist, as GitHub writes it.
final class Gist: AbstractModel {
    var id = ""
    var isPublic = true
    var createdAt: Date!
    var comments = 0
    var description: String?
    var owner: User?
    var files: [String: GistFile] = [:]

    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var propertyKeys: [String: PropertyKey] { ["isPublic": "public"] }
    override class var requiredProperties: Set<String> { ["id", "createdAt"] }
}

//: ## 2. One line fills it
//: The results are typed objects: dates, numbers, optionals, and objects within objects.
do {
    print("\n2. One line fills it")
    let document = try SampleDocument.gists.read()
    let gists = try [Gist](json: document)
    show(gists)
}

//: ## 3. A value that does not fit is tolerated, and reported
//: The property keeps its default, and nothing is dropped in silence: the report lists every deviation.
do {
    print("\n3. A value that does not fit is tolerated, and reported")
    let document = """
        {
          "id": "e8c55a3ea8df7d14e8c4", "created_at": "2015-10-21T07:28:00Z",
          "public": null, "comments": "7",
          "files": { "hello.txt": 13 }, "stars": 12
        }
        """
    let (gist, report) = try Gist.mapReporting(json: document)
    show("isPublic \(gist.isPublic), comments \(gist.comments), \(gist.files.count) files")
    show(report)
}

//: ## 4. A missing required value is an error
//: All failures of a call are collected; each is one sentence: where, what was expected, what was found.
//: The document is Playground/Resources/broken-gists.json.
do {
    print("\n4. A missing required value is an error")
    let broken = try SampleDocument.brokenGists.read()
    do { show(try [Gist](json: broken)) } catch { show(error) }
}

//: ## 5. Strict mapping tolerates nothing
//: The same document; now every value must have the type of its property.
do {
    print("\n5. Strict mapping tolerates nothing")
    let broken = try SampleDocument.brokenGists.read()
    do { show(try [Gist](json: broken, options: .strict)) } catch { show(error) }
}

//: ## 6. A repository fetches them
//: One method per request; the closure gets a function that returns the objects or throws. A server on 127.0.0.1
//: answers here, over real HTTP.
/// Fetches gists from a server that speaks GitHub's format.
class GistsRepository: AbstractRepository<String> {
    @discardableResult
    func requestGists(
        of user: String, completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
    ) -> Request<[Gist]> {
        request(.get("users/\(user)/gists"), completion: completion)
    }
}

do {
    print("\n6. A repository fetches them")
    try await GistsServer.run { server in
        await withCheckedContinuation { shown in
            GistsRepository(baseURL: server.url).requestGists(of: "octocat") { getGists in
                do { show(try getGists()) } catch { show(error) }
                shown.resume()
            }
        }
    }
}

//: ## 7. A failing status is an error
//: It keeps the head and the first bytes of the body, for a program to act on.
do {
    print("\n7. A failing status is an error")
    try await GistsServer.run { server in
        await withCheckedContinuation { shown in
            GistsRepository(baseURL: server.url).requestGists(of: "nobody") { getGists in
                do { show(try getGists()) } catch { show(error) }
                shown.resume()
            }
        }
    }
}

//: ## 8. A body that does not fit is an error, too
//: The broken document again, now over HTTP: the same sentences.
do {
    print("\n8. A body that does not fit is an error, too")
    try await GistsServer.run { server in
        await withCheckedContinuation { shown in
            GistsRepository(baseURL: server.url).requestGists(of: "broken") { getGists in
                do { show(try getGists()) } catch { show(error) }
                shown.resume()
            }
        }
    }
}

//: ## 9. An API is an enum, and a request can wait to be observed
//: The questions of Stack Exchange; the environment says where that is, here on 127.0.0.1. The signal is cold:
//: nothing is sent before somebody observes it, and each observation is a request of its own.
/// The server of Stack Exchange: the live one, or any that answers its paths.
struct StackExchangeServer: APIEnvironment {
    var scheme = "https"
    var host = "api.stackexchange.com"
    var port: Int?
    var basePath: URLReference = "2.3"

    static let live = StackExchangeServer()
}

/// The requests of Stack Exchange; a raw value is a path.
enum StackExchange: String, Route {
    typealias Environment = StackExchangeServer
    case questions

    var query: ParameterList { ["order": "desc", "sort": "activity", "site": "stackoverflow"] }
}

/// Fetches questions from a server that speaks Stack Exchange's format.
class QuestionsRepository: AbstractRepository<String> {
    override class var defaultConfiguration: Configuration { Configuration(objectsKey: "items") }

    nonisolated(nonsending) func questions() async throws -> sending [Question] {
        try await value(.route(StackExchange.questions))
    }
}

do {
    print("\n9. An API is an enum, and a request can wait to be observed")
    try await TourServer.run { server in
        let local = StackExchangeServer(scheme: "http", host: "127.0.0.1", port: server.port)
        let repository = try QuestionsRepository(environment: local)
        let signal = RequestSignal { @MainActor in try await repository.questions() }
        show("requests before it is observed: \(server.requestCount)")
        for try await questions in signal { show(questions) }
        let list: QuestionList = try await repository.value(.route(StackExchange.questions))
        show("\(list.items.count) questions, has more \(list.hasMore), quota remaining \(list.quotaRemaining)")
        show("the live URL is \(try StackExchange.questions.url(for: .live))")
        show(server.log)
    }
}

//: ## 10. Lists come page by page
//: The server names the next page in the Link header field. A loop asks for pages as it needs them. A Paginator
//: is the same list for a screen: an element that slipped onto the next page meanwhile is listed once.
do {
    print("\n10. Lists come page by page")
    try await TourServer.run { server in
        let client = APIClient(baseURL: server.url)
        let repositories = Endpoint<[CodeRepository]>.get("search/repositories", at: "items")
        let pages = client.pages(repositories, by: LinkPagination())
        for try await repository in pages.matching("json").elements {
            show("\(repository.name), \(repository.stars) stars")
        }

        let list = Paginator(pages, identifiedBy: \.id)
        await list.search("json").value
        show("the list has \(list.elements.count) elements, has next \(list.hasNext)")
        if list.hasNext { await list.loadNext().value }
        show("the list has \(list.elements.count) elements, has next \(list.hasNext)")
        show(server.log)
    }
}

//: ## 11. The second run is served from the store
//: Responses are kept in files, and a policy says who is asked first: by default the store, then the network. A
//: server that is asked again may answer 304: nothing has changed, the store serves.
do {
    print("\n11. The second run is served from the store")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ModelMirrorTour-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await TourServer.run { server in
        let gists = Endpoint<[Gist]>.get("users/octocat/gists")
        for (run, policy) in zip(1..., [FetchPolicy.cacheElseNetwork, .cacheElseNetwork, .networkOnly]) {
            // A new client each time, as a new run of the program has.
            let persistence = Persistence(try FileStore(folder: folder))
            let client = APIClient(baseURL: server.url, persistence: persistence)
            let count = try await client.value(gists, policy: policy).count
            show("run \(run): \(count) gists, requests so far: \(server.requestCount)")
        }
        show(server.log)
    }
}

//: ## 12. A document tells its classes, and what changed
//: ModelMirrorExploring examines documents, in code as here and on the command line: infer writes the classes of
//: a document, drift compares two, query finds values, stats and report count what is in them.
do {
    print("\n12. A document tells its classes, and what changed")
    let recorded =
        #"[{"id": 1, "state": "open", "owner": {"login": "mona"}}, {"id": 2, "state": "open", "owner": null}]"#
    show(try ClassInference.source(documents: [Array(recorded.utf8)], name: "Ticket"))

    let today: JSONValue = [["id": "T-3", "state": "closed", "owner": ["login": "hubot"]]]
    for change in DocumentDrift(from: try JSONValue(json: recorded), to: today).changes { show(change) }
    show("logins: \(try JSONQuery("$..login").values(in: recorded))")
}

//: ## The other classes, and the helpers of the steps

/// One file of a gist.
final class GistFile: AbstractModel {
    var filename = ""
    var language: String?
    var size = 0
}

/// The owner of a gist, as GitHub writes it.
final class User: AbstractModel {
    var id = 0
    var login = ""
    var siteAdmin = false

    override class var keyStrategy: KeyStrategy { .snakeCase }
}

/// A repository of source code, as GitHub's search finds it.
final class CodeRepository: AbstractModel {
    var id = 0
    var name = ""
    var stars = 0

    override class var propertyKeys: [String: PropertyKey] { ["stars": "stargazers_count"] }
    override class var requiredProperties: Set<String> { ["id"] }
}

/// A question, as Stack Exchange writes it.
final class Question: AbstractModel {
    var questionId = 0
    var title = ""
    var tags: [String] = []
    var isAnswered = false
    var creationDate: Date?
    var owner: Owner?

    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var propertyConverters: [String: any Converter] { ["creationDate": .secondsSince1970] }
    override class var requiredProperties: Set<String> { ["questionId", "title"] }
}

/// The author of a question, as Stack Exchange writes it.
final class Owner: AbstractModel {
    var userId: Int?
    var displayName = ""
    var reputation = 0

    override class var keyStrategy: KeyStrategy { .snakeCase }
}

/// The root of a response of Stack Exchange.
final class QuestionList: AbstractModel {
    var items: [Question] = []
    var hasMore = false
    /// The requests allowed in a day, and those left.
    var quotaMax = 0
    var quotaRemaining = 0

    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var requiredProperties: Set<String> { ["items"] }
}

/// Prints a value of a step.
func show(_ value: Any) { print("\(value)".indented(by: 3)) }

/// Prints gists, one a line.
func show(_ gists: [Gist]) { show(Listing.gists(gists)) }

/// Prints questions, one a line.
func show(_ questions: [Question]) { show(Listing.questions(questions)) }

/// Prints an error, without the port of the server, which differs from run to run.
func show(_ error: any Error) {
    show("\(error)".replacing(#/127\.0\.0\.1:\d+/#, with: "127.0.0.1:…"))
}

/// A JSON document that comes with the program, from the folder `Resources`.
enum SampleDocument: String {
    case gists
    case brokenGists = "broken-gists"
    case questions
    case repositories1 = "repositories-1"
    case repositories2 = "repositories-2"

    /// All of its bytes.
    func read() throws -> Data {
        guard let url = Bundle.main.url(forResource: rawValue, withExtension: "json") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try Data(contentsOf: url)
    }
}

/// A server on 127.0.0.1 for the steps about routes, pages and stores.
///
/// | Path | Answers |
/// |---|---|
/// | `/2.3/questions` | as Stack Exchange does: the questions in `items` |
/// | `/search/repositories` | as GitHub does: two pages, joined by the `Link` field |
/// | `/users/octocat/gists` | gists with an ETag; 304 if the ETag matches |
struct TourServer {
    private let server: LoopbackServer

    /// Starts it.
    init() throws {
        server = try LoopbackServer()
        server.on(.get, "/2.3/questions", .json(try SampleDocument.questions.read()))
        let pages = [try SampleDocument.repositories1.read(), try SampleDocument.repositories2.read()]
        server.on(.get, "/search/repositories") { request in
            if request.queryItems.contains(where: { $0.name == "page" }) { return .json(pages[1]) }
            return .json(pages[0], headers: [.link: #"<\#(request.target)&page=2>; rel="next""#])
        }
        let gists = try SampleDocument.gists.read()
        server.on(.get, "/users/octocat/gists") { request in
            let headers: HTTPHeaders = ["ETag": "\"v1\""]
            return request.headers["If-None-Match"] == "\"v1\""
                ? .status(304, headers: headers) : .json(gists, headers: headers)
        }
    }

    /// The base URL.
    var url: URL { server.url }

    /// Its port.
    var port: Int { Int(server.port) }

    /// The requests so far and their status, a line each: `GET /questions: 200`.
    var log: String {
        server.exchanges.map { exchange in
            let request = exchange.request
            let condition = request.headers["If-None-Match"].map { ", If-None-Match \($0)" } ?? ""
            return "\(request.method) \(request.target)\(condition): \(exchange.status.map(String.init) ?? "nothing")"
        }.joined(separator: "\n")
    }

    /// The number of requests so far.
    var requestCount: Int { server.requestCount }

    /// Runs `body` with a server that is stopped afterwards.
    @MainActor
    static func run<Result>(_ body: @MainActor (TourServer) async throws -> Result) async throws -> Result {
        let server = try TourServer()
        defer { server.server.stop() }
        return try await body(server)
    }
}

/// A server on 127.0.0.1 that answers like GitHub: a user with gists, an unknown user, and one whose gists are broken.
struct GistsServer {
    private let server: LoopbackServer

    /// Starts it.
    init() throws {
        server = try LoopbackServer()
        server.on(.get, "/users/octocat/gists", .json(try SampleDocument.gists.read()))
        server.on(.get, "/users/nobody/gists", .json(#"{"message": "Not Found"}"#, status: 404))
        server.on(.get, "/users/broken/gists", .json(try SampleDocument.brokenGists.read()))
    }

    /// The base URL.
    var url: URL { server.url }

    /// Runs `body` with a server that is stopped afterwards.
    @MainActor
    static func run<Result>(_ body: @MainActor (GistsServer) async throws -> Result) async throws -> Result {
        let server = try GistsServer()
        defer { server.server.stop() }
        return try await body(server)
    }
}

/// Rows of cells, printed as columns that stand under one another.
///
/// ```text
/// created     comments  description
/// 2024-03-18         4  Retry with backoff
/// ```
///
/// The last column is never padded: text of any script and width belongs there. All others should be plain ASCII.
struct Listing: CustomStringConvertible {
    /// Where a cell stands in its column.
    enum Alignment {
        case left, right
    }

    private let columns: [Alignment]
    private let rows: [[String]]

    /// - Parameters:
    ///   - columns: One alignment for each column.
    ///   - rows: As many cells in each as there are columns.
    init(_ columns: Alignment..., rows: [[String]]) {
        self.columns = columns
        self.rows = rows.map { $0.map(\.withoutControls) }
    }

    var description: String {
        let widths = columns.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            columns.indices.map { column in
                let cell = row[column]
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return switch columns[column] {
                case .right: padding + cell
                case .left: column == columns.count - 1 ? cell : cell + padding
                }
            }
            .joined(separator: "  ")
        }
        .joined(separator: "\n")
    }
}

extension Listing {
    /// Gists, one a line.
    static func gists(_ gists: [Gist]) -> String {
        Listing(
            .left, .left, .left, .right, .right, .right, .left,
            rows: [["createdAt", "owner", "isPublic", "comments", "files", "bytes", "description"]]
                + gists.map { gist in
                    [
                        gist.createdAt.day, gist.owner?.login ?? "nil", "\(gist.isPublic)", "\(gist.comments)",
                        "\(gist.files.count)", "\(gist.files.values.map(\.size).reduce(0, +))",
                        gist.description.map { "“\($0.onOneLine(upTo: 50))”" } ?? "nil",
                    ]
                }
        ).description
    }
}

extension Listing {
    /// Questions, one a line.
    static func questions(_ questions: [Question]) -> String {
        Listing(
            .left, .left, .left, .left,
            rows: [["created", "owner", "isAnswered", "title"]]
                + questions.map { question in
                    [
                        question.creationDate?.day ?? "nil", question.owner?.displayName ?? "nil",
                        "\(question.isAnswered)", question.title,
                    ]
                }
        ).description
    }
}

extension String {
    /// The text with each line moved to the right; empty lines stay empty.
    func indented(by spaces: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : String(repeating: " ", count: spaces) + $0 }
            .joined(separator: "\n")
    }

    /// The text with spaces for control characters, which a terminal would obey.
    var withoutControls: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }

    /// The text on one line, white space of any kind and length made one space, cut after so many characters.
    func onOneLine(upTo limit: Int) -> String {
        let line = split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count > limit ? line.prefix(limit - 1) + "…" : line
    }
}

extension Date {
    /// `2024-03-18`, in UTC.
    var day: String { formatted(.iso8601.year().month().day()) }

    /// `2024-03-18 09:41`, in UTC.
    var dayAndTime: String {
        formatted(.iso8601.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false))
    }
}
