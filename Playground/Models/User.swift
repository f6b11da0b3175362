import ModelMirror

/// Who owns a gist, as GitHub writes it.
final class User: AbstractModel {
    var id = 0
    var login = ""
    var siteAdmin = false

    override class var keyStrategy: KeyStrategy { .snakeCase }
}
