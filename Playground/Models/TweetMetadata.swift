import ModelMirror

/// How a tweet got into the results.
final class TweetMetadata: TwitterObject {
    /// Any raw value that is not listed becomes `unknown`.
    enum ResultType: String, UnknownCase {
        case recent, popular, mixed, unknown
        static var unknownCase: ResultType { .unknown }
    }

    var resultType = ResultType.unknown
    var isoLanguageCode = ""
}
