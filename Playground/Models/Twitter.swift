import Foundation
import ModelMirror

/// The rules of all of Twitter's classes, which inherit them.
class TwitterObject: AbstractModel {
    override class var keyStrategy: KeyStrategy { .snakeCase }

    /// `Sun Aug 31 00:29:15 +0000 2014`
    override class var dateFormats: [String] { ["EEE MMM dd HH:mm:ss Z yyyy"] }
}

/// The response to a search: the root of the document.
final class TweetSearch: TwitterObject {
    var statuses: [Tweet] = []
    var searchMetadata: SearchMetadata?

    /// Without this, any JSON object would be a search without results.
    override class var requiredProperties: Set<String> { ["statuses"] }
}

/// The metadata of a search.
final class SearchMetadata: TwitterObject {
    /// In seconds.
    var completedIn = 0.0
    var count = 0
    var maxId = 0
    var maxIdStr = ""
    var nextResults: String?
    /// Percent-encoded.
    var query = ""
    var refreshUrl: String?
    var sinceId = 0
    var sinceIdStr = ""
}

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

/// Why a tweet is in the results.
final class TweetMetadata: TwitterObject {
    /// Any raw value that is not listed becomes `unknown`.
    enum ResultType: String, UnknownCase {
        case recent, popular, mixed, unknown
        static var unknownCase: ResultType { .unknown }
    }

    var resultType = ResultType.unknown
    var isoLanguageCode = ""
}

/// The author of a tweet.
final class TwitterUser: TwitterObject {
    var id = 0
    var idStr = ""
    var name = ""
    var screenName = ""
    var location = ""
    var description = ""
    var url: URL?
    var createdAt: Date!
    var lang = ""
    /// In seconds.
    var utcOffset: Int?
    var timeZone: String?

    /// Links in the profile and in the description, from inside of an object that is of no other interest.
    var profileLinks: [Link] = []
    var descriptionLinks: [Link] = []

    var followersCount = 0
    var friendsCount = 0
    var listedCount = 0
    var favouritesCount = 0
    var statusesCount = 0

    var protected = false
    var verified = false
    var geoEnabled = false
    var contributorsEnabled = false
    var isTranslator = false
    var isTranslationEnabled = false
    var following = false
    var followRequestSent = false
    var notifications = false

    var defaultProfile = false
    var defaultProfileImage = false
    var profileImageUrl: URL?
    var profileImageUrlHttps: URL?
    var profileBannerUrl: URL?
    var profileBackgroundImageUrl: URL?
    var profileBackgroundImageUrlHttps: URL?
    var profileBackgroundTile = false
    var profileUseBackgroundImage = false
    var profileBackgroundColor: RGBAColor?
    var profileLinkColor: RGBAColor?
    var profileSidebarBorderColor: RGBAColor?
    var profileSidebarFillColor: RGBAColor?
    var profileTextColor: RGBAColor?

    override class var propertyKeys: [String: PropertyKey] {
        [
            "profileLinks": .path("entities", "url", "urls"),
            "descriptionLinks": .path("entities", "description", "urls"),
        ]
    }

    override class var requiredProperties: Set<String> { ["id", "screenName"] }
}

/// The links, hashtags, mentions and pictures in a tweet's text.
final class Entities: TwitterObject {
    var hashtags: [Hashtag] = []
    /// `$TWTR`, written like hashtags.
    var symbols: [Hashtag] = []
    var urls: [Link] = []
    var userMentions: [Mention] = []
    var media: [Media] = []

    /// The number of all kinds together.
    var count: Int { hashtags.count + symbols.count + urls.count + userMentions.count + media.count }
}

/// A part of a tweet's text.
class Entity: TwitterObject {
    /// The range, in characters from 0: begin and end.
    var indices: [Int] = []
}

/// `#word`
final class Hashtag: Entity {
    /// Without the `#`.
    var text = ""
}

/// `@name`
final class Mention: Entity {
    var id = 0
    var idStr = ""
    var name = ""
    /// Without the `@`.
    var screenName = ""
}

/// A link, shortened by Twitter.
class Link: Entity {
    /// As in the text.
    var url: URL!
    /// The target.
    var expandedUrl: URL?
    /// As displayed.
    var displayUrl = ""
}

/// A picture, which is a link, too.
final class Media: Link {
    var id = 0
    var idStr = ""
    var type = ""
    var mediaUrl: URL!
    var mediaUrlHttps: URL!
    /// `thumb`, `small`, `medium`, `large`.
    var sizes: [String: MediaSize] = [:]
    var sourceStatusId: Int?
    var sourceStatusIdStr: String?
}

/// One of the sizes in which a picture is kept.
final class MediaSize: TwitterObject {
    enum Resize: String {
        case fit, crop
    }

    var width = 0
    var height = 0
    var resize = Resize.fit

    override class var propertyKeys: [String: PropertyKey] { ["width": "w", "height": "h"] }
}
