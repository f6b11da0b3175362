public import Foundation

/// One page of a list.
public struct Page<Element> {
    /// The elements, in the order of the server.
    public let elements: [Element]
    /// Which page it is.
    public let position: PagePosition
    /// The page after it; nil for the last one.
    public let next: PagePosition?
    /// The page before it; nil for the first one, and if the server does not say.
    public let previous: PagePosition?
    /// Where it came from.
    public let url: URL
    /// The header fields it came with.
    public let headers: HTTPHeaders

    /// A page.
    public init(
        elements: [Element], position: PagePosition, next: PagePosition? = nil, previous: PagePosition? = nil, url: URL,
        headers: HTTPHeaders = [:]
    ) {
        self.elements = elements
        self.position = position
        self.next = next
        self.previous = previous
        self.url = url
        self.headers = headers
    }
}

extension Page: Sendable where Element: Sendable {}
