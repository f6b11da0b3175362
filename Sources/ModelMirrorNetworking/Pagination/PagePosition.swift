public import Foundation

/// Which page of a list: where it stands in the counting of the server's ``Pagination``.
public enum PagePosition: Hashable, Sendable {
    /// The first page, if it is asked for without a position.
    case first
    /// A page's number, or the count of elements before it.
    case number(Int)
    /// A text that the server gave.
    case cursor(String)
    /// A URL that the server gave.
    case url(URL)
}

extension PagePosition: CustomStringConvertible {
    /// A few words: `the first page`, `page 3`, `the page at the cursor "abc"`. A URL's query is left out.
    public var description: String {
        switch self {
        case .first: "the first page"
        case .number(let number): "page \(number)"
        case .cursor(let text): "the page at the cursor \"\(text)\""
        case .url(let url): "the page at \(url.host() ?? "")\(url.path())"
        }
    }
}
