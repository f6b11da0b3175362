public import Foundation
public import ModelMirror

/// How a server pages a list: how a page is requested, and which one is next.
///
/// ``PageNumberPagination``, ``OffsetPagination``, ``CursorPagination`` and ``LinkPagination`` are there. To write another
/// one, keep to values: it is asked from any thread, and must answer the same question with the same answer.
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

    /// The error for a position of another kind.
    func unsupportedPosition(_ position: PagePosition) -> RequestError {
        .invalidRequest("\(position) is no position of \(Self.self)")
    }
}

/// The response with a page, as a ``Pagination`` looks at it.
public struct PageResponse: Sendable {
    /// Where it came from.
    public let url: URL
    /// Its header fields.
    public let headers: HTTPHeaders
    /// Its body.
    public let body: Data
    private let path: JSONPath

    /// A response.
    ///
    /// - Parameter path: Leads to the elements in the body.
    public init(url: URL, headers: HTTPHeaders = [:], body: Data, elementsAt path: JSONPath = .root) {
        self.url = url
        self.headers = headers
        self.body = body
        self.path = path
    }

    /// A response whose elements, which were mapped, a path leads to.
    init(_ response: Response<Data>, elementsAt path: JSONPath) {
        self.init(url: response.url, headers: response.headers, body: response.value, elementsAt: path)
    }

    /// How many elements the server sent, those included that the mapping left out: they count where pages are counted.
    ///
    /// Read from the body when it is asked for, as pages by cursors and links never do.
    public var elementCount: Int {
        // What could be wrong with the body or the path was, when the elements were mapped.
        (try? ValueReading.elementCount(in: body, at: path)) ?? 0
    }

    /// The JSON of the elements, read from the body when it is asked for: a server that wants the last identifier as `max_id`.
    ///
    /// ```swift
    /// response.elements.last?["id"]?.string.map { .cursor($0) }
    /// ```
    public var elements: [JSONValue] {
        (try? ValueReading.value([JSONValue].self, from: body, at: path)) ?? []
    }

    /// A value of the body.
    ///
    /// - Returns: nil if the path leads to nothing or `null`.
    /// - Throws: `ModelError` if there is something, and it does not fit.
    public func value<Value>(at path: JSONPath, as type: Value.Type = Value.self) throws(ModelError) -> Value? {
        try ValueReading.value(Value?.self, from: body, at: path)
    }
}
