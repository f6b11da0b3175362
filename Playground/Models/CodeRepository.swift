import ModelMirror

/// A repository of source code, as GitHub's search finds it.
final class CodeRepository: AbstractModel {
    var id = 0
    var name = ""
    var stars = 0

    override class var propertyKeys: [String: PropertyKey] { ["stars": "stargazers_count"] }
    override class var requiredProperties: Set<String> { ["id"] }
}
