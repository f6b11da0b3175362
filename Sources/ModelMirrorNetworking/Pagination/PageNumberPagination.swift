import Foundation
public import ModelMirror

/// Pages by number: `?page=2`.
///
/// By default a page without elements is the last one, and one with fewer than ``size``, if that is known. A server that says
/// whether there are more saves the request for the empty page: ``hasNextPath``, ``pageCountPath``.
///
/// ```swift
/// // {"items": […], "has_more": true}
/// PageNumberPagination(sizeParameter: "pagesize", size: 50, hasNextPath: "has_more")
/// ```
public struct PageNumberPagination: Pagination {
    /// The query item with the number; `page`.
    public var parameter: String
    /// The number of the first page; 1.
    public var firstNumber: Int
    /// The query item with the count of elements on a page; nil: it is not sent.
    public var sizeParameter: String?
    /// How many elements are on a page, except the last; nil: not known.
    public var size: Int?
    /// Leads to a Bool in the body: whether there is a page after this one. If it leads to nothing, the elements decide.
    public var hasNextPath: JSONPath?
    /// Leads to the count of pages in the body. If it leads to nothing, the elements decide.
    public var pageCountPath: JSONPath?

    /// Pages by number.
    public init(
        parameter: String = "page", firstNumber: Int = 1, sizeParameter: String? = nil, size: Int? = nil,
        hasNextPath: JSONPath? = nil, pageCountPath: JSONPath? = nil
    ) {
        self.parameter = parameter
        self.firstNumber = firstNumber
        self.sizeParameter = sizeParameter
        self.size = size
        self.hasNextPath = hasNextPath
        self.pageCountPath = pageCountPath
    }

    /// The page with ``firstNumber``.
    public var first: PagePosition { .number(firstNumber) }

    /// Sets number and size in the query.
    public func prepare(_ request: inout TransportRequest, for position: PagePosition) throws {
        guard case .number(let number) = position else { throw unsupportedPosition(position) }
        var items = [parameter: number] as ParameterList
        if let sizeParameter, let size { items.append(size, named: sizeParameter) }
        request.url = try request.url.settingQuery(items)
    }

    /// The number after.
    public func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        guard case .number(let number) = position else { throw unsupportedPosition(position) }
        let (next, isTooLarge) = number.addingReportingOverflow(1)
        return try !isTooLarge && hasNext(after: number, in: response) ? .number(next) : nil
    }

    /// The number before, down to the first.
    public func previous(before position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        guard case .number(let number) = position else { throw unsupportedPosition(position) }
        return number > firstNumber ? .number(number - 1) : nil
    }

    private func hasNext(after number: Int, in response: PageResponse) throws -> Bool {
        if let hasNextPath, let hasNext = try response.value(at: hasNextPath, as: Bool.self) { return hasNext }
        if let pageCountPath, let count = try response.value(at: pageCountPath, as: Int.self) {
            // The pages after this one begin with the index of the next: a server may send any number as their count.
            let (next, isTooLarge) = number.subtractingReportingOverflow(firstNumber).partialValue
                .addingReportingOverflow(1)
            return !isTooLarge && next < count
        }
        return response.elementCount > 0 && response.elementCount >= size ?? 0
    }
}
