import Foundation

/// A link, shortened by Twitter.
class Link: Entity {
    /// As it stands in the text.
    var url: URL!
    /// Where it leads.
    var expandedUrl: URL?
    /// What is shown of it.
    var displayUrl = ""
}
