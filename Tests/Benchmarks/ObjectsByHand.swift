import Foundation
import ModelMirror

// The same objects and strings created by hand, without a document: the lower limit for creating them.

extension String {
    /// A copy with its own buffer.
    fileprivate func madeByHand() -> String {
        var text = self
        return text.withUTF8 { String(decoding: $0, as: UTF8.self) }
    }
}

extension Account {
    func madeByHand() -> Account {
        let made = Account()
        made.login = login.madeByHand()
        made.id = id
        made.nodeId = nodeId.madeByHand()
        made.avatarUrl = avatarUrl.madeByHand()
        made.url = url.madeByHand()
        made.htmlUrl = htmlUrl.madeByHand()
        made.gistsUrl = gistsUrl?.madeByHand()
        made.type = type.madeByHand()
        made.siteAdmin = siteAdmin
        return made
    }
}

extension Gist {
    func madeByHand() -> Gist {
        let made = Gist()
        made.url = url.madeByHand()
        made.forksUrl = forksUrl.madeByHand()
        made.id = id.madeByHand()
        made.nodeId = nodeId.madeByHand()
        made.htmlUrl = htmlUrl.madeByHand()
        made.`public` = `public`
        made.createdAt = createdAt.madeByHand()
        made.updatedAt = updatedAt.madeByHand()
        made.description = description?.madeByHand()
        made.comments = comments
        made.user = user?.madeByHand()
        made.commentsUrl = commentsUrl.madeByHand()
        made.owner = owner?.madeByHand()
        made.truncated = truncated
        return made
    }
}

extension URL {
    /// The URL of the same text, parsed again.
    fileprivate func madeByHand() -> URL? { URL(string: absoluteString) }
}

extension TypedGist {
    func madeByHand() -> TypedGist {
        let made = TypedGist()
        made.url = url.madeByHand()
        made.forksUrl = forksUrl?.madeByHand()
        made.id = id.madeByHand()
        made.nodeId = nodeId.madeByHand()
        made.htmlUrl = htmlUrl?.madeByHand()
        made.`public` = `public`
        made.createdAt = createdAt
        made.updatedAt = updatedAt
        made.description = description?.madeByHand()
        made.comments = comments
        made.user = user?.madeByHand()
        made.commentsUrl = commentsUrl?.madeByHand()
        made.owner = owner?.madeByHand()
        made.truncated = truncated
        return made
    }
}

extension SmallAccount {
    func madeByHand() -> SmallAccount {
        let made = SmallAccount()
        made.login = login.madeByHand()
        made.id = id
        made.nodeId = nodeId.madeByHand()
        made.avatarUrl = avatarUrl.madeByHand()
        made.gravatarId = gravatarId.madeByHand()
        made.url = url.madeByHand()
        made.htmlUrl = htmlUrl.madeByHand()
        made.followersUrl = followersUrl.madeByHand()
        made.gistsUrl = gistsUrl?.madeByHand()
        made.reposUrl = reposUrl.madeByHand()
        made.type = type.madeByHand()
        made.siteAdmin = siteAdmin
        made.score = score
        return made
    }
}

extension TinyObject {
    func madeByHand() -> TinyObject {
        let made = TinyObject()
        made.id = id
        made.ok = ok
        return made
    }
}

extension PartialAccount {
    func madeByHand() -> PartialAccount {
        let made = PartialAccount()
        made.login = login.madeByHand()
        made.id = id
        made.type = type.madeByHand()
        return made
    }
}

extension Blank {
    func madeByHand() -> Blank {
        let made = Blank()
        made.id = id
        made.name = name?.madeByHand()
        made.parent = parent
        made.ratio = ratio
        made.flag = flag
        made.title = title.madeByHand()
        return made
    }
}

extension Timeline {
    func madeByHand() -> Timeline {
        let made = Timeline()
        made.statuses = statuses.map { $0.madeByHand() }
        return made
    }
}

extension Status {
    func madeByHand() -> Status {
        let made = Status()
        made.id = id
        made.text = text.madeByHand()
        made.created_at = created_at.madeByHand()
        made.source = source.madeByHand()
        made.truncated = truncated
        made.in_reply_to_status_id = in_reply_to_status_id
        made.user = user?.madeByHand()
        made.retweeted_status = retweeted_status?.madeByHand()
        made.retweet_count = retweet_count
        made.favorite_count = favorite_count
        made.entities = entities?.madeByHand()
        made.favorited = favorited
        made.lang = lang.madeByHand()
        return made
    }
}

extension Member {
    func madeByHand() -> Member {
        let made = Member()
        made.id = id
        made.name = name.madeByHand()
        made.screen_name = screen_name.madeByHand()
        made.location = location.madeByHand()
        made.description = description.madeByHand()
        made.url = url?.madeByHand()
        made.followers_count = followers_count
        made.friends_count = friends_count
        made.verified = verified
        made.profile_image_url = profile_image_url.madeByHand()
        return made
    }
}

extension Entities {
    func madeByHand() -> Entities {
        let made = Entities()
        made.hashtags = hashtags.map { $0.madeByHand() }
        made.user_mentions = user_mentions.map { $0.madeByHand() }
        return made
    }
}

extension Hashtag {
    func madeByHand() -> Hashtag {
        let made = Hashtag()
        made.text = text.madeByHand()
        made.indices = indices.map(\.self)
        return made
    }
}

extension Mention {
    func madeByHand() -> Mention {
        let made = Mention()
        made.screen_name = screen_name.madeByHand()
        made.id = id
        made.indices = indices.map(\.self)
        return made
    }
}

extension Catalog {
    func madeByHand() -> Catalog {
        let made = Catalog()
        made.areaNames = [String: String](uniqueKeysWithValues: areaNames.map { ($0.madeByHand(), $1.madeByHand()) })
        made.audienceSubCategoryNames = [String: String](
            uniqueKeysWithValues: audienceSubCategoryNames.map { ($0.madeByHand(), $1.madeByHand()) })
        made.events = Dictionary(uniqueKeysWithValues: events.map { ($0.madeByHand(), $1.madeByHand()) })
        made.performances = performances.map { $0.madeByHand() }
        made.seatCategoryNames = [String: String](
            uniqueKeysWithValues: seatCategoryNames.map { ($0.madeByHand(), $1.madeByHand()) })
        made.subTopicNames = [String: String](
            uniqueKeysWithValues: subTopicNames.map { ($0.madeByHand(), $1.madeByHand()) })
        made.topicNames = [String: String](uniqueKeysWithValues: topicNames.map { ($0.madeByHand(), $1.madeByHand()) })
        made.topicSubTopics = Dictionary(uniqueKeysWithValues: topicSubTopics.map { ($0.madeByHand(), $1.map(\.self)) })
        made.venueNames = [String: String](uniqueKeysWithValues: venueNames.map { ($0.madeByHand(), $1.madeByHand()) })
        return made
    }
}

extension Event {
    func madeByHand() -> Event {
        let made = Event()
        made.id = id
        made.description = description?.madeByHand()
        made.logo = logo?.madeByHand()
        made.name = name.madeByHand()
        made.subTopicIds = subTopicIds.map(\.self)
        made.subjectCode = subjectCode?.madeByHand()
        made.subtitle = subtitle?.madeByHand()
        made.topicIds = topicIds.map(\.self)
        return made
    }
}

extension Performance {
    func madeByHand() -> Performance {
        let made = Performance()
        made.eventId = eventId
        made.id = id
        made.logo = logo?.madeByHand()
        made.name = name?.madeByHand()
        made.prices = prices.map { $0.madeByHand() }
        made.seatCategories = seatCategories.map { $0.madeByHand() }
        made.seatMapImage = seatMapImage?.madeByHand()
        made.start = start
        made.venueCode = venueCode.madeByHand()
        return made
    }
}

extension Price {
    func madeByHand() -> Price {
        let made = Price()
        made.amount = amount
        made.audienceSubCategoryId = audienceSubCategoryId
        made.seatCategoryId = seatCategoryId
        return made
    }
}

extension SeatCategory {
    func madeByHand() -> SeatCategory {
        let made = SeatCategory()
        made.areas = areas.map { $0.madeByHand() }
        made.seatCategoryId = seatCategoryId
        return made
    }
}

extension Area {
    func madeByHand() -> Area {
        let made = Area()
        made.areaId = areaId
        made.blockIds = blockIds.map(\.self)
        return made
    }
}

extension Outline {
    func madeByHand() -> Outline {
        let made = Outline()
        made.type = type.madeByHand()
        made.features = features.map { $0.madeByHand() }
        return made
    }
}

extension Feature {
    func madeByHand() -> Feature {
        let made = Feature()
        made.type = type.madeByHand()
        made.properties = [String: String](uniqueKeysWithValues: properties.map { ($0.madeByHand(), $1.madeByHand()) })
        made.geometry = geometry?.madeByHand()
        return made
    }
}

extension Geometry {
    func madeByHand() -> Geometry {
        let made = Geometry()
        made.type = type.madeByHand()
        made.coordinates = coordinates.map { $0.map { $0.map(\.self) } }
        return made
    }
}
