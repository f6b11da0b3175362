import Foundation

/// A picture, which is a link, too.
final class Media: Link {
    var id = 0
    var idStr = ""
    var type = ""
    var mediaUrl: URL!
    var mediaUrlHttps: URL!
    /// `thumb`, `small`, `medium`, `large`.
    var sizes: [String: MediaSize] = [:]
    var sourceStatusId: Int?
    var sourceStatusIdStr: String?
}
