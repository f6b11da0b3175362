import ModelMirror

/// Two members.
final class TinyObject: AbstractModel {
    var id = 0
    var ok = false
}

final class CodableTinyObject: Codable {
    var id = 0
    var ok = false
}

/// Most of its members are absent in the document.
final class PartialAccount: AbstractModel {
    var login = ""
    var id = 0
    var type = ""
    var nodeId: String?
    var avatarUrl: String?
    var gravatarId: String?
    var url: String?
    var htmlUrl: String?
    var followersUrl: String?
    var gistsUrl: String?
    var reposUrl: String?
    var eventsUrl: String?
    var name: String?
    var company: String?
    var blog: String?
    var location: String?
    var email: String?
}

final class CodablePartialAccount: Codable {
    var login = ""
    var id = 0
    var type = ""
    var nodeId: String?
    var avatarUrl: String?
    var gravatarId: String?
    var url: String?
    var htmlUrl: String?
    var followersUrl: String?
    var gistsUrl: String?
    var reposUrl: String?
    var eventsUrl: String?
    var name: String?
    var company: String?
    var blog: String?
    var location: String?
    var email: String?
}

/// Most of its members are null in the document.
final class Blank: AbstractModel {
    var id = 0
    var name: String?
    var parent: Int?
    var ratio: Double?
    var flag: Bool?
    var title = ""
}

final class CodableBlank: Codable {
    var id = 0
    var name: String?
    var parent: Int?
    var ratio: Double?
    var flag: Bool?
    var title = ""
}
