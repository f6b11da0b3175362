import Foundation
import ModelMirror
import ModelMirrorNetworking

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

extension Gist {
    /// The class above, for the tour to show. A change up there belongs here, too.
    static let declaration = """
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
        """
}

/// One file of a gist.
final class GistFile: AbstractModel {
    var filename = ""
    var language: String?
    var size = 0
}

/// Who owns a gist, as GitHub writes it.
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

/// Fetches gists from a server that speaks GitHub's format.
class GistsRepository: AbstractRepository<String> {
    @discardableResult
    func requestGists(
        of user: String, completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
    ) -> Request<[Gist]> {
        request(.get("users/\(user)/gists"), completion: completion)
    }
}

extension GistsRepository {
    /// The class above, for the tour to show. A change up there belongs here, too.
    static let declaration = """
        class GistsRepository: AbstractRepository<String> {
            @discardableResult
            func requestGists(
                of user: String, completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
            ) -> Request<[Gist]> {
                request(.get("users/\\(user)/gists"), completion: completion)
            }
        }
        """

    /// Requests a user's gists and waits until the closure was called.
    ///
    /// - Returns: what `text` makes of the gists, or the error's own words.
    @MainActor
    func outcome(of user: String, _ text: @escaping @MainActor ([Gist]) -> String) async -> String {
        await withCheckedContinuation { continuation in
            requestGists(of: user) { getGists in
                do {
                    continuation.resume(returning: text(try getGists()))
                } catch {
                    continuation.resume(returning: "\(error)")
                }
            }
        }
    }
}
