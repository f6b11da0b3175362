public import Foundation
public import ModelMirror

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
    /// The response that it came with: status, header fields, URL and the bytes of the body.
    public let response: Response<Data>

    /// A page.
    public init(
        elements: [Element], position: PagePosition, next: PagePosition? = nil, previous: PagePosition? = nil,
        response: Response<Data>
    ) {
        self.elements = elements
        self.position = position
        self.next = next
        self.previous = previous
        self.response = response
    }

    /// A value beside the elements: `let total: Int? = try page.value(at: ["total_count"])`.
    ///
    /// - Returns: nil if the path leads to nothing or `null`.
    /// - Throws: `ModelError` if there is something, and it does not fit.
    public func value<Value>(at path: JSONPath, as type: Value.Type = Value.self) throws(ModelError) -> Value? {
        try ValueReading.value(Value?.self, from: response.value, at: path)
    }
}

extension Page: Sendable where Element: Sendable {}

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
