import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// The examples of ReactiveAPI's README, written for ModelMirror.
@Suite("Coming from ReactiveAPI", .timeLimit(.hung), .network)
struct ReactiveAPITests {
    private let mock = MockTransport()

    @Test("API.questions().observe delivers the titles of the last questions")
    @MainActor
    func questions() async {
        mock.on(StackExchange.questions, .json(Self.page))
        let api = API(transport: mock)
        #expect(mock.requests.isEmpty)
        let titles: [String] = await withCheckedContinuation { continuation in
            api.questions().observe { result in
                switch result {
                case .success(let items): continuation.resume(returning: items.map(\.title))
                case .failure(let error): continuation.resume(returning: ["\(error)"])
                }
            }
        }
        #expect(titles == ["How do I map JSON?", "What is a cold signal?"])
        #expect(
            mock.requests.map(\.url.absoluteString) == [
                "https://api.stackexchange.com/2.2/questions?order=desc&sort=activity&site=stackoverflow"
            ])
    }

    @Test("A signal is cold: each observation is a request, and without one nothing is sent")
    func cold() async throws {
        mock.on(StackExchange.questions, .json(Self.page))
        let signal = API(transport: mock).questions()
        #expect(mock.requests.isEmpty)
        for _ in 1...2 { #expect(try await signal.value().count == 2) }
        #expect(mock.requests.count == 2)
    }

    @Test("Parser: one method maps any class, and an invalid body is an error")
    func parser() throws {
        func parse<Model: AbstractModel>(_ data: Data, toClass: Model.Type) throws -> Model { try Model(json: data) }
        let question = try parse(Data(Self.page.utf8), toClass: Question.self)
        #expect(question.hasMore == true)
        #expect(question.items.map(\.owner?.displayName) == ["ada", nil])
        #expect(question.items[0].lastActivityDate == Date(timeIntervalSince1970: 1_454_284_800))
        let error = #expect(throws: ModelError.self) { try parse(Data("{".utf8), toClass: Question.self) }
        #expect(
            error?.description
                == "Invalid JSON at line 1, column 2 (byte 1): expected a key in double quotes or '}', found the end of the document."
        )
    }

    @Test("Network: after two retries the error is thrown")
    func network() async throws {
        mock.on(StackExchange.questions, .sequence([.status(502), .failure(.connectionLost), .json(Self.page)]))
        #expect(try await API(transport: mock).questions().retry(2).value().count == 2)
        mock.on(StackExchange.questions, .status(502))
        let error = await #expect(throws: RequestError.self) {
            _ = try await API(transport: mock).questions().retry(2).value()
        }
        #expect(error?.response?.status == 502)
        #expect(mock.requests.count == 6)
    }

    private static let page = #"""
        {
            "items": [
                {
                    "title": "How do I map JSON?", "question_id": 1, "tags": ["swift", "json"], "is_answered": true,
                    "last_activity_date": 1454284800, "owner": {"display_name": "ada", "reputation": 101}
                },
                {"title": "What is a cold signal?", "question_id": 2, "tags": [], "is_answered": false}
            ],
            "has_more": true, "quota_max": 300, "quota_remaining": 299
        }
        """#
}

/// Builds the signals.
private struct API: Requesting {
    let client: APIClient

    init(transport: any Transport) { client = APIClient(transport: transport) }

    func questions() -> RequestSignal<[Item]> { signal(.route(StackExchange.questions, at: "items")) }
}

/// The server of the API, and its routes.
private enum StackExchange: String, Route {
    case questions

    struct Server: APIEnvironment {
        var host: String { "api.stackexchange.com" }
        var basePath: URLReference { "2.2" }
    }

    var environment: Server? { Server() }
    var query: ParameterList { ["order": "desc", "sort": "activity", "site": "stackoverflow"] }
}

private class StackExchangeModel: AbstractModel {
    override class var keyStrategy: KeyStrategy { .snakeCase }
}

private final class Question: StackExchangeModel {
    var items: [Item] = []
    var hasMore: Bool?
    var quotaMax: Int?
    var quotaRemaining: Int?
}

private final class Item: StackExchangeModel {
    var title = ""
    var questionId = 0
    var tags: [String] = []
    var isAnswered = false
    var lastActivityDate: Date?
    var owner: Owner?

    override class var propertyConverters: [String: any Converter] { ["lastActivityDate": .secondsSince1970] }
}

private final class Owner: StackExchangeModel {
    var displayName: String?
    var reputation = 0
}
