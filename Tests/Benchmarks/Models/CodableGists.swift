import Foundation

/// The classes of the gists for JSONDecoder.
final class CodableAccount: Codable {
    var login = ""
    var id = 0
    var nodeId = ""
    var avatarUrl = ""
    var url = ""
    var htmlUrl = ""
    var gistsUrl: String?
    var type = ""
    var siteAdmin = false
    enum CodingKeys: String, CodingKey {
        case login, id, url, type
        case nodeId = "node_id"
        case avatarUrl = "avatar_url"
        case htmlUrl = "html_url"
        case gistsUrl = "gists_url"
        case siteAdmin = "site_admin"
    }
}

final class CodableGist: Codable {
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
    var user: CodableAccount?
    var commentsUrl = ""
    var owner: CodableAccount?
    var truncated = false
    enum CodingKeys: String, CodingKey {
        case url, id, `public`, description, comments, user, owner, truncated
        case forksUrl = "forks_url"
        case nodeId = "node_id"
        case htmlUrl = "html_url"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case commentsUrl = "comments_url"
    }
}

final class CodableTypedGist: Codable {
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
    var user: CodableAccount?
    var commentsUrl: URL?
    var owner: CodableAccount?
    var truncated = false
    enum CodingKeys: String, CodingKey {
        case url, id, `public`, description, comments, user, owner, truncated
        case forksUrl = "forks_url"
        case nodeId = "node_id"
        case htmlUrl = "html_url"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case commentsUrl = "comments_url"
    }
}

final class CodableSmallAccount: Codable {
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
    enum CodingKeys: String, CodingKey {
        case login, id, url, type, score
        case nodeId = "node_id"
        case avatarUrl = "avatar_url"
        case gravatarId = "gravatar_id"
        case htmlUrl = "html_url"
        case followersUrl = "followers_url"
        case gistsUrl = "gists_url"
        case reposUrl = "repos_url"
        case siteAdmin = "site_admin"
    }
}
