import ModelMirror

/// The rules that all of Twitter's classes share; a subclass inherits them as it inherits anything else.
class TwitterObject: AbstractModel {
    override class var keyStrategy: KeyStrategy { .snakeCase }

    /// `Sun Aug 31 00:29:15 +0000 2014`
    override class var dateFormats: [String] { ["EEE MMM dd HH:mm:ss Z yyyy"] }
}
