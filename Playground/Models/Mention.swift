/// `@name`
final class Mention: Entity {
    var id = 0
    var idStr = ""
    var name = ""
    /// Without the `@`.
    var screenName = ""
}
