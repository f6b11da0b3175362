import Foundation
import ModelMirror

/// A tweet; a retweet holds the tweet it repeats.
final class Tweet: TwitterObject {
    var id = 0
    var idStr = ""
    var createdAt: Date!
    var text = ""
    /// The program it was sent with, an HTML link.
    var source = ""
    var truncated = false
    var lang: String?
    var metadata: TweetMetadata?
    var user: TwitterUser!
    var entities: Entities?
    var retweetedStatus: Tweet?

    var inReplyToStatusId: Int?
    var inReplyToStatusIdStr: String?
    var inReplyToUserId: Int?
    var inReplyToUserIdStr: String?
    var inReplyToScreenName: String?

    var retweetCount = 0
    var favoriteCount = 0
    var retweeted = false
    var favorited = false
    var possiblySensitive: Bool?

    /// Of any form; a class for each is not worth it here.
    var geo: JSONValue?
    var coordinates: JSONValue?
    var place: JSONValue?
    var contributors: JSONValue?

    /// A `!` does not make a property required, this does.
    override class var requiredProperties: Set<String> { ["id", "createdAt", "user"] }
}
