/// What stands in a tweet's text besides words.
final class Entities: TwitterObject {
    var hashtags: [Hashtag] = []
    /// `$TWTR`, written like hashtags.
    var symbols: [Hashtag] = []
    var urls: [Link] = []
    var userMentions: [Mention] = []
    var media: [Media] = []

    /// How many there are of all kinds.
    var count: Int { hashtags.count + symbols.count + urls.count + userMentions.count + media.count }
}
