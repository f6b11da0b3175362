public import ModelMirror

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a server pages a list: how a page is requested, and which page is next.
///
/// Built in are ``PageNumberPagination``, ``OffsetPagination``, ``CursorPagination`` and ``LinkPagination``. To implement one, use
/// a value type: it is called from any thread, and must return the same result for the same arguments.
///
/// ```swift
/// struct DayPagination: Pagination {
///     func prepare(_ request: inout TransportRequest, for position: PagePosition) throws {
///         if case .cursor(let day) = position {
///             request.url = try request.url.settingQuery(["day": day])
///         }
///     }
///     func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition? {
///         response.headers["X-Previous-Day"].map { .cursor($0) }
///     }
/// }
/// ```
public protocol Pagination: Sendable {
    /// The first page. Defaults to ``PagePosition/first``.
    var first: PagePosition { get }

    /// Changes the request of a list into that of a page.
    ///
    /// - Throws: ``RequestError`` for a position that this pagination does not use.
    func prepare(_ request: inout TransportRequest, for position: PagePosition) throws

    /// The page after a page.
    ///
    /// - Returns: nil after the last page.
    /// - Throws: Any error, such as the `ModelError` of a body without the expected value; the page's request fails with it.
    func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition?

    /// The page before a page. Defaults to nil.
    ///
    /// - Returns: nil for the first page, or if the server does not tell.
    func previous(before position: PagePosition, in response: PageResponse) throws -> PagePosition?
}

extension Pagination {
    /// ``PagePosition/first``.
    public var first: PagePosition { .first }

    /// Nil.
    public func previous(before position: PagePosition, in response: PageResponse) throws -> PagePosition? { nil }

    func unsupportedPosition(_ position: PagePosition) -> RequestError {
        .invalidRequest("\(position) is not a position of \(Self.self)")
    }
}

/// The response of a page, as a ``Pagination`` reads it.
public struct PageResponse: Sendable {
    /// The URL that answered.
    public let url: URL
    /// The header fields.
    public let headers: HTTPHeaders
    /// The body.
    public let body: Data
    private let path: JSONPath

    /// A response.
    ///
    /// - Parameters:
    ///   - url: The URL that answered.
    ///   - headers: The header fields.
    ///   - body: The body.
    ///   - path: The path of the elements in the body.
    public init(url: URL, headers: HTTPHeaders = [:], body: Data, elementsAt path: JSONPath = .root) {
        self.url = url
        self.headers = headers
        self.body = body
        self.path = path
    }

    /// A response whose elements were mapped from a path.
    init(_ response: Response<Data>, elementsAt path: JSONPath) {
        self.init(url: response.url, headers: response.headers, body: response.value, elementsAt: path)
    }

    /// The number of elements the server sent, including those the mapping skipped.
    ///
    /// Counted in the body on each access; pagination by cursors and links never does this.
    public var elementCount: Int {
        // The elements were mapped from this body and path, so reading cannot fail.
        (try? ValueReading.elementCount(in: body, at: path)) ?? 0
    }

    /// The JSON of the elements, read from the body on each access.
    ///
    /// For a server that pages by the last identifier, such as `max_id`:
    ///
    /// ```swift
    /// let next: PagePosition? = response.elements.last?["id"]?.string.map { .cursor($0) }
    /// ```
    public var elements: [JSONValue] {
        (try? JSONMapper.value([JSONValue].self, from: body, at: path)) ?? []
    }

    /// A value in the body.
    ///
    /// - Returns: nil if there is nothing or `null` at the path.
    /// - Throws: `ModelError` if the value at the path does not fit the type.
    public func value<Value>(at path: JSONPath, as type: Value.Type = Value.self) throws(ModelError) -> Value? {
        try JSONMapper.value(Value?.self, from: body, at: path)
    }
}
