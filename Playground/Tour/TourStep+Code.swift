// Made from the marked lines of Playground/Models and Playground/Tour: Tests/Playground/check.py --write

extension TourStep {
    /// What each step shows, by its name.
    static let code: [String: String] = [
        "class": #"""
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
        """#,
        "fill": #"""
        let gists = try [Gist](json: document)
        show(gists)
        """#,
        "report": #"""
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
        """#,
        "errors": #"""
        do { show(try [Gist](json: broken)) } catch { show(error) }
        """#,
        "strict": #"""
        do { show(try [Gist](json: broken, options: .strict)) } catch { show(error) }
        """#,
        "repository": #"""
        class GistsRepository: AbstractRepository<String> {
            @discardableResult
            func requestGists(
                of user: String, completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
            ) -> Request<[Gist]> {
                request(.get("users/\(user)/gists"), completion: completion)
            }
        }

        GistsRepository(baseURL: server.url).requestGists(of: "octocat") { getGists in
            do { show(try getGists()) } catch { show(error) }
        }
        """#,
        "status": #"""
        GistsRepository(baseURL: server.url).requestGists(of: "nobody") { getGists in
            do { show(try getGists()) } catch { show(error) }
        }
        """#,
        "body": #"""
        GistsRepository(baseURL: server.url).requestGists(of: "broken") { getGists in
            do { show(try getGists()) } catch { show(error) }
        }
        """#,
        "routes": #"""
        struct StackExchangeServer: APIEnvironment {
            var scheme = "https"
            var host = "api.stackexchange.com"
            var port: Int?
            var basePath: URLReference = "2.3"

            static let live = StackExchangeServer()
        }

        enum StackExchange: String, Route {
            typealias Environment = StackExchangeServer
            case questions

            var query: ParameterList { ["order": "desc", "sort": "activity", "site": "stackoverflow"] }
        }

        class QuestionsRepository: AbstractRepository<String> {
            override class var defaultConfiguration: Configuration { Configuration(objectsKey: "items") }

            nonisolated(nonsending) func questions() async throws -> sending [Question] {
                try await value(.route(StackExchange.questions))
            }
        }

        let local = StackExchangeServer(scheme: "http", host: "127.0.0.1", port: server.port)
        let repository = try QuestionsRepository(environment: local)
        let signal = RequestSignal { @MainActor in try await repository.questions() }
        show("requests before it is observed: \(server.requestCount)")
        for try await questions in signal { show(questions) }
        let list: QuestionList = try await repository.value(.route(StackExchange.questions))
        show("\(list.items.count) questions, has more \(list.hasMore), quota remaining \(list.quotaRemaining)")
        show("the live URL is \(try StackExchange.questions.url(for: .live))")
        """#,
        "pages": #"""
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
        """#,
        "store": #"""
        let gists = Endpoint<[Gist]>.get("users/octocat/gists")
        for (run, policy) in zip(1..., [FetchPolicy.cacheElseNetwork, .cacheElseNetwork, .networkOnly]) {
            // A new client each time, as a new run of the program has.
            let persistence = Persistence(try FileStore(folder: folder))
            let client = APIClient(baseURL: server.url, persistence: persistence)
            let count = try await client.value(gists, policy: policy).count
            show("run \(run): \(count) gists, requests so far: \(server.requestCount)")
        }
        """#,
        "explore": #"""
        let recorded =
            #"[{"id": 1, "state": "open", "owner": {"login": "mona"}}, {"id": 2, "state": "open", "owner": null}]"#
        show(try ClassInference.source(documents: [Array(recorded.utf8)], name: "Ticket"))

        let today: JSONValue = [["id": "T-3", "state": "closed", "owner": ["login": "hubot"]]]
        for change in DocumentDrift(from: try JSONValue(json: recorded), to: today).changes { show(change) }
        show("logins: \(try JSONQuery("$..login").values(in: recorded))")
        """#,
    ]
}
