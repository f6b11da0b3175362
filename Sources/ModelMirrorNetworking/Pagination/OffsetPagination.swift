public import ModelMirror

/// Pages by the number of elements before them: `?offset=40&limit=20`.
///
/// An empty page is the last one. So is one with fewer than `limit` elements, unless `totalPath` finds the total in the
/// body. The next offset counts the elements received, so none is lost when the server sends fewer than requested.
///
/// A previous page begins `limit` elements earlier and has `limit` elements: near `firstOffset` it repeats some, and if the server
/// sends fewer than requested, it lacks the last ones before the page.
public struct OffsetPagination: Pagination, NumberPositions {
    let parameter: String
    let size: PageSize
    let firstNumber: Int
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
        size = (limit, limitParameter)
        firstNumber = firstOffset
        self.totalPath = totalPath
    }

    /// The offset after the elements of the page; nil after the last page.
    public func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        let count = response.elementCount
        let (next, isTooLarge) = try number(of: position).addingReportingOverflow(count)
        guard count > 0, !isTooLarge else { return nil }
        if let totalPath, let total = try response.value(at: totalPath, as: Int.self) {
            return next.subtractingReportingOverflow(firstNumber).partialValue < total ? .number(next) : nil
        }
        return count >= size.count ?? 0 ? .number(next) : nil
    }

    /// The offset less `limit`, but at least `firstOffset`; nil for the first page, without a limit, or if the server sent fewer
    /// elements than that although there are more: the earlier page would also be too short.
    public func previous(before position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        let offset = try number(of: position)
        guard let limit = size.count, limit > 0, offset > firstNumber else { return nil }
        if totalPath != nil, response.elementCount < limit, try next(after: position, in: response) != nil {
            return nil
        }
        return .number(max(offset.subtractingReportingOverflow(limit).partialValue, firstNumber))
    }
}
