public import ModelMirror
public import ModelMirrorFoundation

/// How a server pages a list: how a page is requested, and which page is next.
///
/// Built in are ``PageNumberPagination``, ``OffsetPagination``, ``CursorPagination``, ``IDPagination`` and ``LinkPagination``. To
/// implement one, use a value type: it is called from any thread, and must return the same result for the same arguments.
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

    /// Sets the query item of the page size.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` for a size without a name, which the server would never see.
    func setSize(_ page: PageSize, in request: inout TransportRequest) throws(RequestError) {
        guard let size = page.count else { return }
        guard let name = page.parameter else {
            throw .invalidRequest(
                "\(Self.self) has a size of \(size) and no sizeParameter; name the server's query item, as in "
                    + "\(Self.self)(…, sizeParameter: \"limit\", size: \(size))")
        }
        request.url = try request.url.settingQuery([name: size])
    }
}

/// A pagination whose pages after the first have a cursor in a query item.
protocol CursorPositions: Pagination {
    var parameter: String { get }
    var size: PageSize { get }
}

extension CursorPositions {
    /// Sets cursor and size in the query; the first page has no cursor.
    public func prepare(_ request: inout TransportRequest, for position: PagePosition) throws {
        switch position {
        case .first: break
        case .cursor(let cursor): request.url = try request.url.settingQuery([parameter: cursor])
        case .number, .url: throw unsupportedPosition(position)
        }
        try setSize(size, in: &request)
    }
}

/// A pagination whose pages have a number in a query item.
protocol NumberPositions: Pagination {
    var parameter: String { get }
    var size: PageSize { get }
    var firstNumber: Int { get }
}

extension NumberPositions {
    /// The page with the first number.
    public var first: PagePosition { .number(firstNumber) }

    /// Sets number and size in the query.
    public func prepare(_ request: inout TransportRequest, for position: PagePosition) throws {
        var items = [parameter: try number(of: position)] as ParameterList
        if let name = size.parameter, let count = size.count { items.append(count, named: name) }
        request.url = try request.url.settingQuery(items)
    }

    func number(of position: PagePosition) throws(RequestError) -> Int {
        guard case .number(let number) = position else { throw unsupportedPosition(position) }
        return number
    }
}

/// The number of elements per page, and the query item that requests it.
typealias PageSize = (count: Int?, parameter: String?)

extension JSONValue {
    /// The position at a string or a number; nil for anything else.
    var cursor: PagePosition? { (string ?? number?.description).map { .cursor($0) } }
}

/// The response of a page, as a ``Pagination`` reads it: the members of a ``ResponseHead``, the body and its elements.
@dynamicMemberLookup public struct PageResponse: Sendable {
    private let response: Response<Data>
    private let path: JSONPath
    /// The number of elements that were made.
    var madeCount = 0

    /// A response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - path: The path of the elements in the body.
    public init(_ response: Response<Data>, elementsAt path: JSONPath = .root) {
        self.response = response
        self.path = path
    }

    /// A member of the head: `url`, `headers`, `status`, `links`.
    public subscript<Member>(dynamicMember path: KeyPath<ResponseHead, Member>) -> Member { head[keyPath: path] }

    var head: ResponseHead { response.head }

    /// The body.
    public var body: Data { response.value }

    /// The number of elements the server sent, including those the mapping skipped. For a body without a JSON array at the path, which an
    /// endpoint with `reading:` may have, the number of elements made from it.
    ///
    /// Counted in the body on each access; pagination by cursors and links never does this.
    public var elementCount: Int {
        let sentCount = (try? ValueReading.elementCount(in: body, at: path)) ?? 0
        return sentCount > 0 ? sentCount : madeCount
    }

    /// The JSON of the elements, read from the body on each access.
    ///
    /// ```swift
    /// let next: PagePosition? = response.elements.last?["day"]?.string.map { .cursor($0) }
    /// ```
    public var elements: [JSONValue] { (try? JSONMapper.value([JSONValue].self, from: body, at: path)) ?? [] }

    /// A value in the body.
    ///
    /// - Returns: nil if there is nothing or `null` at the path.
    /// - Throws: `ModelError` if the value at the path does not fit the type.
    public func value<Value>(at path: JSONPath, as type: Value.Type = Value.self) throws(ModelError) -> Value? {
        try JSONMapper.value(Value?.self, from: body, at: path)
    }
}
