import Foundation
import ModelMirror
import ModelMirrorNetworking

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

/// Who asked a question, as Stack Exchange writes it.
final class Owner: AbstractModel {
    var userId: Int?
    var displayName = ""
    var reputation = 0

    override class var keyStrategy: KeyStrategy { .snakeCase }
}

/// An answer of Stack Exchange as a whole: the root of the document.
final class QuestionList: AbstractModel {
    var items: [Question] = []
    var hasMore = false
    /// How many requests may be sent in a day, and how many of them are left.
    var quotaMax = 0
    var quotaRemaining = 0

    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var requiredProperties: Set<String> { ["items"] }
}

/// Where Stack Exchange is: at home, or wherever its paths are answered.
struct StackExchangeServer: APIEnvironment {
    var scheme = "https"
    var host = "api.stackexchange.com"
    var port: Int?
    var basePath: RoutePath = "2.3"

    static let live = StackExchangeServer()
}

extension StackExchangeServer {
    /// The structure above, for the tour to show. A change up there belongs here, too.
    static let declaration = """
        struct StackExchangeServer: APIEnvironment {
            var scheme = "https"
            var host = "api.stackexchange.com"
            var port: Int?
            var basePath: RoutePath = "2.3"

            static let live = StackExchangeServer()
        }
        """
}

/// What Stack Exchange can be asked: the raw value is the path.
enum StackExchange: String, Route {
    typealias Environment = StackExchangeServer
    case questions

    var query: ParameterList { ["order": "desc", "sort": "activity", "site": "stackoverflow"] }
}

extension StackExchange {
    /// The enum above, for the tour to show. A change up there belongs here, too.
    static let declaration = """
        enum StackExchange: String, Route {
            typealias Environment = StackExchangeServer
            case questions

            var query: ParameterList { ["order": "desc", "sort": "activity", "site": "stackoverflow"] }
        }
        """
}

/// Fetches questions from a server that speaks Stack Exchange's format.
class QuestionsRepository: AbstractRepository<String> {
    override class var defaultConfiguration: Configuration { Configuration(objectsKey: "items") }

    nonisolated(nonsending) func questions() async throws -> sending [Question] {
        try await value(.route(StackExchange.questions))
    }
}

extension QuestionsRepository {
    /// The class above, for the tour to show. A change up there belongs here, too.
    static let declaration = """
        class QuestionsRepository: AbstractRepository<String> {
            override class var defaultConfiguration: Configuration { Configuration(objectsKey: "items") }

            nonisolated(nonsending) func questions() async throws -> sending [Question] {
                try await value(.route(StackExchange.questions))
            }
        }
        """
}
