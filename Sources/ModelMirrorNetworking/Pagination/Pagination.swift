/// How a server cuts a list into pages: how a page is asked for, and which one is next.
///
/// ``PageNumberPagination``, ``OffsetPagination``, ``CursorPagination`` and ``LinkPagination`` are there. To write another
/// one, keep to values: it is asked from any thread, and must answer the same question with the same answer.
///
/// ```swift
/// struct DayPagination: Pagination {
///     func prepare(_ request: inout TransportRequest, for position: PagePosition) throws {
///         if case .cursor(let day) = position {
///             request.url = try request.url.settingQuery(["day": .string(day)])
///         }
///     }
///     func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition? {
///         response.headers["X-Previous-Day"].map { .cursor($0) }
///     }
/// }
/// ```
public protocol Pagination: Sendable {
    /// The first page; ``PagePosition/first`` by default.
    var first: PagePosition { get }

    /// Makes a request for a list one for a page of it.
    ///
    /// - Throws: ``RequestError`` if it does not count by such positions.
    func prepare(_ request: inout TransportRequest, for position: PagePosition) throws

    /// The page after one.
    ///
    /// - Returns: nil if that was the last one.
    /// - Throws: What the request for the page is to fail with, such as the `ModelError` of a body that does not say.
    func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition?

    /// The page before one.
    ///
    /// - Returns: nil if that was the first one, or if the server does not say; the default.
    func previous(before position: PagePosition, in response: PageResponse) throws -> PagePosition?
}

extension Pagination {
    /// The page that is asked for without a position.
    public var first: PagePosition { .first }

    /// nil.
    public func previous(before position: PagePosition, in response: PageResponse) throws -> PagePosition? { nil }

    /// The error for a position of another kind of counting.
    func foreign(_ position: PagePosition) -> RequestError {
        .invalidRequest("\(position) means nothing to \(Self.self), which it was given for")
    }
}
