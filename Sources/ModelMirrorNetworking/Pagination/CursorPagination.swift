public import ModelMirror

/// Pages by a cursor from the body: `?cursor=dXNlcjpX`.
///
/// ```swift
/// // {"members": […], "response_metadata": {"next_cursor": "dXNlcjpX"}}
/// CursorPagination(nextPath: ["response_metadata", "next_cursor"])
/// ```
///
/// The last page has no cursor, `null`, `false` or an empty string.
public struct CursorPagination: Pagination, CursorPositions {
    let parameter: String
    private let nextPath: JSONPath
    private let previousPath: JSONPath?
    private let requiresNextPath: Bool
    let size: PageSize

    /// Creates a pagination by cursors.
    ///
    /// - Parameters:
    ///   - parameter: The query item with the cursor. Defaults to `cursor`; the first page is requested without it.
    ///   - nextPath: The path of the next page's cursor, a string or a number.
    ///   - previousPath: The path of the previous page's cursor; nil if the server has none. Defaults to nil.
    ///   - requiresNextPath: Whether the first page must have a value or `null` at `nextPath`: a misspelled path fails then, instead
    ///     of ending the list. Defaults to false, for servers that leave the cursor out on the last page.
    ///   - sizeParameter: The query item with the page size; nil, the default, to send none.
    ///   - size: The number of elements per page; nil, the default, to send none. A size needs a `sizeParameter`.
    public init(
        parameter: String = "cursor", nextPath: JSONPath, previousPath: JSONPath? = nil, requiresNextPath: Bool = false,
        sizeParameter: String? = nil, size: Int? = nil
    ) {
        self.parameter = parameter
        self.nextPath = nextPath
        self.previousPath = previousPath
        self.requiresNextPath = requiresNextPath
        self.size = (size, sizeParameter)
    }

    /// The page at the cursor under `nextPath`.
    public func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        if requiresNextPath, position == first, (try? JSONValue(json: response.body))?[nextPath] == nil {
            throw RequestError.invalidRequest(
                "the next page is unknown, since the first one has nothing at \(nextPath), where CursorPagination expects a cursor "
                    + "or null; correct nextPath, or leave requiresNextPath false if the last page has no cursor")
        }
        return try cursor(at: nextPath, "next", in: response)
    }

    /// The page at the cursor under `previousPath`.
    public func previous(before position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        try previousPath.flatMap { try cursor(at: $0, "previous", in: response) }
    }

    private func cursor(at path: JSONPath, _ name: String, in response: PageResponse) throws -> PagePosition? {
        switch try response.value(at: path, as: JSONValue.self) {
        case nil, .null, .bool(false), .string(""): return nil
        case let value?:
            if let cursor = value.cursor { return cursor }
            throw RequestError.invalidRequest(
                "the \(name) page is unknown, since the value at \(path) is not a string or number, which CursorPagination sends "
                    + "as a cursor; set \(name)Path to the server's cursor")
        }
    }
}
