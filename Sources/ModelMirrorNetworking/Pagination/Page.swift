public import ModelMirrorFoundation

/// One page of a list, and the endpoints of its neighbors, which can be sent at any time.
///
/// ```swift
/// let page = try await client.value(client.pages(gists, by: LinkPagination()).endpoint)
/// if let next = page.next { let more = try await client.value(next) }
/// ```
public struct Page<Element> {
    /// The elements, in the order of the server.
    public let elements: [Element]
    /// The position of the page.
    public let position: PagePosition
    /// The next page; nil for the last one. Its request is for the account of this page; once another user has signed in, it fails
    /// with ``RequestError/accountChanged``. A credential in the client's own header fields is not compared.
    public let next: Endpoint<Page>?
    /// The previous page; nil for the first one, or if the pagination cannot tell.
    public let previous: Endpoint<Page>?
    /// The position of the next page, for ``Pages/starting(at:)``.
    public let nextPosition: PagePosition?
    /// The position of the previous page.
    public let previousPosition: PagePosition?
    /// The response: status, header fields, URL and the bytes of the body. Its `origin` tells whether the store supplied the page;
    /// it has the values outside the elements: `let total: Int? = try page.response.value(at: "total_count")`.
    public let response: Response<Data>
    /// Why the next page would be refused: the list would never end.
    let nextProblem: RequestError?
}

extension Page: Sendable where Element: Sendable {}

/// The position of a page in its list, in the terms of the ``Pagination``.
public enum PagePosition: Hashable, Sendable {
    /// The first page, requested without a position.
    case first
    /// The number of a page, or the number of elements before it.
    case number(Int)
    /// A string from the server.
    case cursor(String)
    /// A URL from the server.
    case url(URL)
}

extension PagePosition: CustomStringConvertible {
    /// The position in words: `the first page`, `page 3`, `the page at the cursor "abc"`, which is cut. A URL's query is left out.
    public var description: String {
        switch self {
        case .first: "the first page"
        case .number(let number): "page \(number)"
        case .cursor(let text): "the page at the cursor \(text.quotation)"
        case .url(let url): "the page at \(url.host() ?? "")\(url.path())"
        }
    }
}
