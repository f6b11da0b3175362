import Foundation
public import ModelMirror

/// Pages by a cursor that the server gives in the body: `?cursor=dXNlcjpX`.
///
/// ```swift
/// // {"members": […], "response_metadata": {"next_cursor": "dXNlcjpX"}}
/// CursorPagination(nextPath: ["response_metadata", "next_cursor"])
/// ```
///
/// The page after which there is none has no cursor, `null`, `false` or an empty text.
public struct CursorPagination: Pagination {
    /// The query item with the cursor; `cursor`. The first page is asked for without.
    public var parameter: String
    /// Leads to the cursor of the next page, a string or a number.
    public var nextPath: JSONPath
    /// Leads to the cursor of the page before; nil: the server gives none.
    public var previousPath: JSONPath?
    /// The query item with the count of elements on a page; nil: it is not sent.
    public var sizeParameter: String?
    /// How many elements are asked for; nil: that is not sent.
    public var size: Int?

    /// Pages by cursor.
    public init(
        parameter: String = "cursor", nextPath: JSONPath, previousPath: JSONPath? = nil,
        sizeParameter: String? = nil, size: Int? = nil
    ) {
        self.parameter = parameter
        self.nextPath = nextPath
        self.previousPath = previousPath
        self.sizeParameter = sizeParameter
        self.size = size
    }

    /// Sets cursor and size in the query.
    public func prepare(_ request: inout TransportRequest, for position: PagePosition) throws {
        var items: ParameterList = [:]
        switch position {
        case .first: break
        case .cursor(let cursor): items.append(cursor, named: parameter)
        case .number, .url: throw unsupportedPosition(position)
        }
        if let sizeParameter, let size { items.append(size, named: sizeParameter) }
        request.url = try request.url.settingQuery(items)
    }

    /// The page at the cursor in the body.
    public func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        try cursor(at: nextPath, in: response)
    }

    /// The page at the other cursor in the body.
    public func previous(before position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        try previousPath.flatMap { try cursor(at: $0, in: response) }
    }

    private func cursor(at path: JSONPath, in response: PageResponse) throws -> PagePosition? {
        switch try response.value(at: path, as: JSONValue.self) {
        case nil, .null, .bool(false), .string(""): return nil
        case .string(let text): return .cursor(text)
        case .number(let number): return .cursor(number.description)
        case .bool(true), .array, .object:
            // Neither: the mapper's own words say so.
            return .cursor(try response.value(at: path, as: String.self) ?? "")
        }
    }
}
