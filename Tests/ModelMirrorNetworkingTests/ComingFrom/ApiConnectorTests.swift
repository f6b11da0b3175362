import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// The examples of ApiConnector's README, written for ModelMirror.
@Suite("Coming from ApiConnector", .timeLimit(.hung), .network)
struct ApiConnectorTests {
    private static let posts = #"[{"title": "One", "description": "First"}, {"title": "Two", "description": "Second"}]"#

    @Test("Router: an endpoint has its URL in an environment")
    func router() throws {
        let url = try Router.me.url(for: .test)
        #expect(url.absoluteString == "http://mytestserver.com:80/me")
        #expect(try Router.auth.url(for: .localhost).absoluteString == "http://localhost:80/auth")
        #expect(
            try Router.posts(for: day).url(for: .production).absoluteString
                == "http://myproductionserver.com:80/posts?date=2016-11-08")
        #expect(Router.auth.method == .post)
        #expect(Router.me.method == .get)
    }

    @Test("Router: an enum of strings needs no further members")
    func strings() throws {
        #expect(try Short.me.url(for: .test).absoluteString == "http://mytestserver.com:80/me")
    }

    @Test("API connection: a repository has an environment and a method per request")
    @MainActor
    func connection() async throws {
        let mock = MockTransport()
        mock.on(Router.posts(for: day).in(.test), .json(Self.posts))
        let connection = PostsRepository(transport: mock)
        let titles: [String] = await withCheckedContinuation { continuation in
            connection.requestAllPosts(for: day) { getPosts in
                do {
                    continuation.resume(returning: try getPosts().map(\.title))
                } catch {
                    continuation.resume(returning: ["\(error)"])
                }
            }
        }
        #expect(titles == ["One", "Two"])
        #expect(mock.requests.map(\.url.absoluteString) == ["http://mytestserver.com:80/posts?date=2016-11-08"])
    }

    @Test("Default network connector: a repository needs no class of its own")
    func defaultConnector() async throws {
        let mock = MockTransport()
        mock.on(Router.posts(for: day).in(.test), .json(Self.posts))
        let connector = try AbstractRepository<String>(transport: mock, environment: Environment.test)
        let posts: [Post] = try await connector.value(.route(Router.posts(for: day)))
        #expect(posts.map(\.description) == ["First", "Second"])
    }

    @Test("Mocking requests: a type supplies the response")
    func mockingByType() async throws {
        let connection = ApiConnection<PostsResponses>()
        #expect(try await connection.allPosts(for: day).map(\.title) == ["Mocked"])
    }

    @Test("Mocking requests: added mocks are checked as strictly as live responses")
    func mockingByValue() async throws {
        let mock = MockTransport()
        let repository = try AbstractRepository<String>(transport: mock, environment: Environment.test)
        mock.on(Router.me.in(.test), .status(404))
        await #expect(throws: RequestError.self) { let _: Post = try await repository.value(.route(Router.me)) }
        mock.on(Router.me.in(.test), .json("{}", headers: [.contentType: "text/html"]))
        await #expect(throws: RequestError.self) { let _: Post = try await repository.value(.route(Router.me)) }
        mock.on(Router.me.in(.test), .json(#"{"title": "Me"}"#))
        let post: Post = try await repository.value(.route(Router.me))
        #expect(post.title == "Me")
        await #expect(throws: RequestError.self) { let _: Post = try await repository.value(.route(Router.auth)) }
    }

    private let day = Date(timeIntervalSince1970: 1_478_563_200)
}

// MARK: Router

private enum Environment: String, APIEnvironment {
    case localhost
    case test = "mytestserver.com"
    case production = "myproductionserver.com"

    var scheme: String { "http" }
    var port: Int? { 80 }
}

private enum Router: Route {
    typealias Environment = ApiConnectorEnvironment

    case auth, me
    case posts(for: Date)

    var path: URLReference {
        switch self {
        case .auth: "/auth"
        case .me: "/me"
        case .posts: "/posts"
        }
    }

    var query: ParameterList {
        switch self {
        case .posts(for: let date):
            ["date": date.formatted(.iso8601.year().month().day())]
        default: [:]
        }
    }

    var method: HTTPMethod {
        switch self {
        case .auth: .post
        default: .get
        }
    }
}

/// Inside of the router, `Environment` is the router's.
private typealias ApiConnectorEnvironment = Environment

private enum Short: String, Route {
    typealias Environment = ApiConnectorEnvironment
    case auth, me
}

// MARK: API connection

private final class Post: AbstractModel {
    var title = ""
    var description = ""
}

private final class PostsRepository: AbstractRepository<String> {
    var environment = Environment.test

    @discardableResult
    func requestAllPosts(
        for date: Date, completion: @escaping @MainActor (_ getPosts: () throws -> sending [Post]) -> Void
    ) -> Request<[Post]> {
        request(.route(Router.posts(for: date).in(environment)), completion: completion)
    }
}

// MARK: Mocking

private final class ApiConnection<Responses: MockResponses> {
    private let client = APIClient(transport: MockTransport(answering: Responses.self))

    nonisolated(nonsending) func allPosts(for date: Date) async throws -> sending [Post] {
        try await client.value(.route(Router.posts(for: date).in(.test)))
    }
}

private enum PostsResponses: MockResponses {
    static func response(to request: MockRequest) throws -> MockResponse {
        try .json(value: [["title": "Mocked", "description": "Posts"]])
    }
}
