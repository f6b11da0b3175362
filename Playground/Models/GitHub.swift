import Foundation
import ModelMirror
import ModelMirrorNetworking

// tour: class
/// A gist, as GitHub writes it.
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
// tour: end

/// One file of a gist.
final class GistFile: AbstractModel {
    var filename = ""
    var language: String?
    var size = 0
}

/// The owner of a gist, as GitHub writes it.
final class User: AbstractModel {
    var id = 0
    var login = ""
    var siteAdmin = false

    override class var keyStrategy: KeyStrategy { .snakeCase }
}

/// A repository of source code, as GitHub's search finds it.
final class CodeRepository: AbstractModel {
    var id = 0
    var name = ""
    var stars = 0

    override class var propertyKeys: [String: PropertyKey] { ["stars": "stargazers_count"] }
    override class var requiredProperties: Set<String> { ["id"] }
}

// tour: repository
/// Fetches gists from a server that speaks GitHub's format.
class GistsRepository: AbstractRepository<String> {
    @discardableResult
    func requestGists(
        of user: String, completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
    ) -> Request<[Gist]> {
        request(.get("users/\(user)/gists"), completion: completion)
    }
}
// tour: end
