import Foundation
import ModelMirror

/// The gists as models: 14 of the gist's keys, 9 of the user's.
final class Account: AbstractModel {
    var login = ""
    var id = 0
    var nodeId = ""
    var avatarUrl = ""
    var url = ""
    var htmlUrl = ""
    var gistsUrl: String?
    var type = ""
    var siteAdmin = false
    override class var keyStrategy: KeyStrategy { .snakeCase }
}

final class Gist: AbstractModel {
    var url = ""
    var forksUrl = ""
    var id = ""
    var nodeId = ""
    var htmlUrl = ""
    var `public` = true
    var createdAt = ""
    var updatedAt = ""
    var description: String?
    var comments = 0
    var user: Account?
    var commentsUrl = ""
    var owner: Account?
    var truncated = false
    override class var keyStrategy: KeyStrategy { .snakeCase }
}

/// The gists with properties of the values' own types.
final class TypedGist: AbstractModel {
    var url: URL!
    var forksUrl: URL?
    var id = ""
    var nodeId = ""
    var htmlUrl: URL?
    var `public` = true
    var createdAt: Date!
    var updatedAt: Date!
    var description: String?
    var comments = 0
    var user: Account?
    var commentsUrl: URL?
    var owner: Account?
    var truncated = false
    override class var keyStrategy: KeyStrategy { .snakeCase }
}

/// The small object.
class SmallAccount: AbstractModel {
    var login = ""
    var id = 0
    var nodeId = ""
    var avatarUrl = ""
    var gravatarId = ""
    var url = ""
    var htmlUrl = ""
    var followersUrl = ""
    var gistsUrl: String?
    var reposUrl = ""
    var type = ""
    var siteAdmin = false
    var score = 0.0
    override class var keyStrategy: KeyStrategy { .snakeCase }
}

/// The small object through its explicit table.
final class ListedAccount: SmallAccount {
    override class var keyPathTable: KeyPathTable? {
        [
            "login": \ListedAccount.login, "id": \ListedAccount.id, "node_id": \ListedAccount.nodeId,
            "avatar_url": \ListedAccount.avatarUrl, "gravatar_id": \ListedAccount.gravatarId, "url": \ListedAccount.url,
            "html_url": \ListedAccount.htmlUrl, "followers_url": \ListedAccount.followersUrl,
            "gists_url": \ListedAccount.gistsUrl, "repos_url": \ListedAccount.reposUrl, "type": \ListedAccount.type,
            "site_admin": \ListedAccount.siteAdmin, "score": \ListedAccount.score,
        ]
    }
}
