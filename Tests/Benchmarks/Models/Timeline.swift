// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The properties are named like the document's keys, so that neither mapper has to translate them.

import ModelMirror

/// `twitter.json`: the response of a search, with tweets inside tweets.
final class Timeline: AbstractModel {
    var statuses: [Status] = []
}

final class Status: AbstractModel {
    var id = 0
    var text = ""
    var created_at = ""
    var source = ""
    var truncated = false
    var in_reply_to_status_id: Int?
    var user: Member?
    var retweeted_status: Status?
    var retweet_count = 0
    var favorite_count = 0
    var entities: Entities?
    var favorited = false
    var lang = ""
}

final class Member: AbstractModel {
    var id = 0
    var name = ""
    var screen_name = ""
    var location = ""
    var description = ""
    var url: String?
    var followers_count = 0
    var friends_count = 0
    var verified = false
    var profile_image_url = ""
}

final class Entities: AbstractModel {
    var hashtags: [Hashtag] = []
    var user_mentions: [Mention] = []
}

final class Hashtag: AbstractModel {
    var text = ""
    var indices: [Int] = []
}

final class Mention: AbstractModel {
    var screen_name = ""
    var id = 0
    var indices: [Int] = []
}

final class CodableTimeline: Codable {
    var statuses: [CodableStatus] = []
}

final class CodableStatus: Codable {
    var id = 0
    var text = ""
    var created_at = ""
    var source = ""
    var truncated = false
    var in_reply_to_status_id: Int?
    var user: CodableMember?
    var retweeted_status: CodableStatus?
    var retweet_count = 0
    var favorite_count = 0
    var entities: CodableEntities?
    var favorited = false
    var lang = ""
}

final class CodableMember: Codable {
    var id = 0
    var name = ""
    var screen_name = ""
    var location = ""
    var description = ""
    var url: String?
    var followers_count = 0
    var friends_count = 0
    var verified = false
    var profile_image_url = ""
}

final class CodableEntities: Codable {
    var hashtags: [CodableHashtag] = []
    var user_mentions: [CodableMention] = []
}

final class CodableHashtag: Codable {
    var text = ""
    var indices: [Int] = []
}

final class CodableMention: Codable {
    var screen_name = ""
    var id = 0
    var indices: [Int] = []
}
