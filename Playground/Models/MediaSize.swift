import ModelMirror

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
