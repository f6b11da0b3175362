/// What the search says about itself.
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
