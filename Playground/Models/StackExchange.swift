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

// tour: routes
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
// tour: end
