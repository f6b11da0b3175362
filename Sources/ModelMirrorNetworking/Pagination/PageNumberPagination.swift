public import ModelMirror

/// Pages by number: `?page=2`.
///
/// By default an empty page is the last one, and so is one with fewer than `size` elements if that is set. If the server tells
/// whether there are more pages, `hasNextPath` or `pageCountPath` saves the request for an empty page.
///
/// ```swift
/// // {"items": […], "has_more": true}
/// PageNumberPagination(sizeParameter: "pagesize", size: 50, hasNextPath: "has_more")
/// ```
public struct PageNumberPagination: Pagination, NumberPositions {
    let parameter: String
    let firstNumber: Int
    let size: PageSize
    private let hasNextPath: JSONPath?
    private let pageCountPath: JSONPath?

    /// Creates a pagination by page numbers.
    ///
    /// - Parameters:
    ///   - parameter: The query item with the number. Defaults to `page`.
    ///   - firstNumber: The number of the first page. Defaults to 1.
    ///   - sizeParameter: The query item with the page size; nil, the default, to send none.
    ///   - size: The number of elements on each page but the last; nil, the default, if unknown.
    ///   - hasNextPath: The path of a Boolean in the body: whether there is a next page. Without a value there, the number of elements
    ///     decides.
    ///   - pageCountPath: The path of the number of pages in the body. Without a value there, the number of elements decides.
    public init(
        parameter: String = "page", firstNumber: Int = 1, sizeParameter: String? = nil, size: Int? = nil,
        hasNextPath: JSONPath? = nil, pageCountPath: JSONPath? = nil
    ) {
        self.parameter = parameter
        self.firstNumber = firstNumber
        self.size = (size, sizeParameter)
        self.hasNextPath = hasNextPath
        self.pageCountPath = pageCountPath
    }

    /// The next number.
    public func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        let number = try number(of: position)
        let (next, isTooLarge) = number.addingReportingOverflow(1)
        return try !isTooLarge && hasNext(after: number, in: response) ? .number(next) : nil
    }

    /// The previous number; nil at `firstNumber`.
    public func previous(before position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        let number = try number(of: position)
        return number > firstNumber ? .number(number - 1) : nil
    }

    private func hasNext(after number: Int, in response: PageResponse) throws -> Bool {
        if let hasNextPath, let hasNext = try response.value(at: hasNextPath, as: Bool.self) { return hasNext }
        if let pageCountPath, let count = try response.value(at: pageCountPath, as: Int.self) {
            // Compare indices, since a server may send any number as the page count.
            let (next, isTooLarge) = number.subtractingReportingOverflow(firstNumber).partialValue
                .addingReportingOverflow(1)
            return !isTooLarge && next < count
        }
        return response.elementCount >= max(size.count ?? 0, 1)
    }
}
