import Foundation
import ModelMirror

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
