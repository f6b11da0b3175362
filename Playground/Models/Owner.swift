import ModelMirror

/// Who asked a question, as Stack Exchange writes it.
final class Owner: AbstractModel {
    var userId: Int?
    var displayName = ""
    var reputation = 0

    override class var keyStrategy: KeyStrategy { .snakeCase }
}
