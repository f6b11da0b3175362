import ModelMirror

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
