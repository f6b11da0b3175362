public import ModelMirror

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Pages by the number of elements before them: `?offset=40&limit=20`.
///
/// An empty page is the last one. So is one with fewer than `limit` elements, unless `totalPath` finds the total in the
/// body. The next offset counts the elements received, so none is lost when the server sends fewer than requested.
public struct OffsetPagination: Pagination {
    private let parameter: String
    private let limitParameter: String?
    private let limit: Int?
    private let firstOffset: Int
    private let totalPath: JSONPath?

    /// Creates a pagination by offsets.
    ///
    /// - Parameters:
    ///   - parameter: The query item with the number of elements before the page. Defaults to `offset`.
    ///   - limitParameter: The query item with the page size. Defaults to `limit`; nil to send none.
    ///   - limit: The number of elements per page; nil, the default, to send none.
    ///   - firstOffset: The offset of the first page. Defaults to 0.
    ///   - totalPath: The path of the total count in the body. Without a value there, the number of elements decides.
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

    /// The page at `firstOffset`.
    public var first: PagePosition { .number(firstOffset) }

    /// Sets offset and limit in the query.
    public func prepare(_ request: inout TransportRequest, for position: PagePosition) throws {
        guard case .number(let offset) = position else { throw unsupportedPosition(position) }
        var items = [parameter: offset] as ParameterList
        if let limitParameter, let limit { items.append(limit, named: limitParameter) }
        request.url = try request.url.settingQuery(items)
    }

    /// The offset after the elements of the page; nil after the last page.
    public func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        guard case .number(let offset) = position else { throw unsupportedPosition(position) }
        let (next, isTooLarge) = offset.addingReportingOverflow(response.elementCount)
        guard response.elementCount > 0, !isTooLarge else { return nil }
        if let totalPath, let total = try response.value(at: totalPath, as: Int.self) {
            return next.subtractingReportingOverflow(firstOffset).partialValue < total ? .number(next) : nil
        }
        return response.elementCount >= limit ?? 0 ? .number(next) : nil
    }

    /// The offset less `limit`, but at least `firstOffset`; nil for the first page, or without a limit.
    public func previous(before position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        guard case .number(let offset) = position else { throw unsupportedPosition(position) }
        guard let limit, limit > 0, offset > firstOffset else { return nil }
        return .number(max(offset.subtractingReportingOverflow(limit).partialValue, firstOffset))
    }
}
