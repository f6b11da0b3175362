import Foundation
public import ModelMirror

/// Pages by the count of elements before them: `?offset=40&limit=20`.
///
/// A page with no elements is the last one; so is one with fewer than ``limit``, unless the server says with ``totalPath``
/// how many there are in all. The next offset is counted from the elements that came, so a server that gives fewer than were
/// asked for loses none.
public struct OffsetPagination: Pagination {
    /// The query item with the count of elements before the page; `offset`.
    public var parameter: String
    /// The query item with the most elements on a page; nil: it is not sent.
    public var limitParameter: String?
    /// The most elements on a page; nil: not known, and not sent.
    public var limit: Int?
    /// The offset of the first page; 0.
    public var firstOffset: Int
    /// Leads to the count of all elements in the body. If it leads to nothing, the elements decide.
    public var totalPath: JSONPath?

    /// Pages by offset.
    public init(
        parameter: String = "offset", limitParameter: String? = "limit", limit: Int? = nil, firstOffset: Int = 0,
        totalPath: JSONPath? = nil
    ) {
        self.parameter = parameter
        self.limitParameter = limitParameter
        self.limit = limit
        self.firstOffset = firstOffset
        self.totalPath = totalPath
    }

    /// The page at ``firstOffset``.
    public var first: PagePosition { .number(firstOffset) }

    /// Sets offset and limit in the query.
    public func prepare(_ request: inout TransportRequest, for position: PagePosition) throws {
        guard case .number(let offset) = position else { throw unsupportedPosition(position) }
        var items = [parameter: offset] as ParameterList
        if let limitParameter, let limit { items.append(limit, named: limitParameter) }
        request.url = try request.url.settingQuery(items)
    }

    /// The offset after the elements of the page.
    public func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        guard case .number(let offset) = position else { throw unsupportedPosition(position) }
        let (next, isTooLarge) = offset.addingReportingOverflow(response.elementCount)
        guard response.elementCount > 0, !isTooLarge else { return nil }
        if let totalPath, let total = try response.value(at: totalPath, as: Int.self) {
            return next.subtractingReportingOverflow(firstOffset).partialValue < total ? .number(next) : nil
        }
        return response.elementCount >= limit ?? 0 ? .number(next) : nil
    }

    /// The offset ``limit`` before, not before the first.
    public func previous(before position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        guard case .number(let offset) = position else { throw unsupportedPosition(position) }
        guard let limit, limit > 0, offset > firstOffset else { return nil }
        return .number(max(offset.subtractingReportingOverflow(limit).partialValue, firstOffset))
    }
}
