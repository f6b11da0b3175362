import ModelMirror

/// The answer to a search: the root of the document.
final class TweetSearch: TwitterObject {
    var statuses: [Tweet] = []
    var searchMetadata: SearchMetadata?

    /// Else any JSON object would pass for a search without results.
    override class var requiredProperties: Set<String> { ["statuses"] }
}
