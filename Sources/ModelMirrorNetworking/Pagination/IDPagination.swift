public import ModelMirror

/// Pages by the identifier of the last element: `?max_id=103`, as Mastodon does.
///
/// ```swift
/// let statuses = client.pages(timeline, by: IDPagination(parameter: "max_id", sizeParameter: "limit", size: 40))
/// ```
///
/// Identifiers are strings or numbers. An empty page is the last one: a server may filter a page after counting it.
public struct IDPagination: Pagination, CursorPositions {
    let parameter: String
    private let idPath: JSONPath
    let size: PageSize

    /// Creates a pagination by identifiers.
    ///
    /// - Parameters:
    ///   - parameter: The query item with the identifier; the first page is requested without it. Defaults to `max_id`.
    ///   - idPath: The path of the identifier in an element. Defaults to `id`.
    ///   - sizeParameter: The query item with the page size; nil, the default, to send none.
    ///   - size: The number of elements per page; nil, the default, to send none. A size needs a `sizeParameter`.
    public init(parameter: String = "max_id", idPath: JSONPath = "id", sizeParameter: String? = nil, size: Int? = nil) {
        self.parameter = parameter
        self.idPath = idPath
        self.size = (size, sizeParameter)
    }

    /// The page after the identifier of the last element; nil after an empty page.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` if the last element has no string or number at `idPath`.
    public func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        guard let last = response.elements.last else { return nil }
        if let cursor = last[idPath]?.cursor { return cursor }
        throw RequestError.invalidRequest(
            "the next page is unknown, since the last element of \(position) has no string or number at \(idPath), which "
                + "IDPagination sends; set idPath to the element's identifier")
    }
}
