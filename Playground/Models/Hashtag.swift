/// `#word`
final class Hashtag: Entity {
    /// Without the `#`.
    var text = ""
}
