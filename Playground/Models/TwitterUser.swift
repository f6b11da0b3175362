import Foundation
import ModelMirror

/// Who tweets.
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
