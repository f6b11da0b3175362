import Foundation
import ModelMirror

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
