import Foundation
public import ModelMirror

/// What asks for a list page by page: a route or a URL, how the server cuts the list, and what is searched for in it.
///
/// ```swift
/// let search = PagedRequest<Repository>(GitHub.search, pagination: LinkPagination(), at: "items")
/// for try await repository in client.elements(search.withQuery("json")) { … }
/// ```
///
/// An element is whatever a property may be: a model, a `Decodable` structure, a `String`.
///
/// The order in the query is: what the route says, the text, the filter, the page; the later one of items with the same name
/// counts.
public struct PagedRequest<Element>: Sendable {
    /// How the server cuts the list.
    public var pagination: any Pagination
    /// Which page; nil: the first.
    public private(set) var position: PagePosition?
    /// The text that is searched for; nil or empty: none, and no item in the query.
    public private(set) var query: String?
    /// Parameters of the query that say which elements are asked for.
    public private(set) var filter: ParameterList = [:]
    /// The query item with the text; `q`.
    public var queryParameter = "q"
    /// Leads to the elements, in place of the configuration's objectsKey; `.root`: the whole body.
    public var key: JSONPath?
    /// Changes the request last of all, when the page is in it; nil: nothing does.
    public var prepare: (@Sendable (inout TransportRequest) throws -> Void)?

    private let source: RequestTarget
    /// Finds out servers that lead in a circle.
    private var trail = PageTrail()

    /// Asks by a route.
    ///
    /// - Parameters:
    ///   - route: Whom to ask and what to send.
    ///   - pagination: How the server cuts the list; pages by number.
    ///   - key: Leads to the elements, in place of the configuration's objectsKey.
    public init(
        _ route: some Route, pagination: any Pagination = PageNumberPagination(), at key: JSONPath? = nil
    ) {
        source = RequestTarget(route)
        self.pagination = pagination
        self.key = key
    }

    /// Asks by a URL.
    ///
    /// - Parameters:
    ///   - url: A `String` or a `URL`, absolute or relative to the repository's `baseURL`.
    ///   - pagination: How the server cuts the list; pages by number.
    ///   - headers: In place of the configuration's fields with the same names.
    ///   - key: Leads to the elements, in place of the configuration's objectsKey.
    public init(
        url: any URLConvertible, pagination: any Pagination = PageNumberPagination(), headers: HTTPHeaders = [:],
        at key: JSONPath? = nil
    ) {
        source = RequestTarget(method: .get, url: url, headers: headers)
        self.pagination = pagination
        self.key = key
    }

    /// The request for another page of the same list.
    public func withPage(_ position: PagePosition?) -> PagedRequest {
        var request = self
        request.position = position
        request.trail = PageTrail()
        return request
    }

    /// The request for the first page of what a search finds.
    public func withQuery(_ query: String?) -> PagedRequest {
        var request = withPage(nil)
        request.query = query
        return request
    }

    /// The request for the first page of what a filter lets through.
    public func withFilter(_ filter: ParameterList) -> PagedRequest {
        var request = withPage(nil)
        request.filter = filter
        return request
    }

    /// The request for the page after one; nil if that was the last.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` if the server names the page itself as the one after it, or leads in a circle
    ///   of pages, which would never end. A circle of many pages is found out in its second or third round.
    public func after(_ page: Page<Element>) throws(RequestError) -> PagedRequest? {
        guard let next = page.next else { return nil }
        guard next != page.position else {
            throw .invalidRequest("the server names \(next) as the one after itself, so the list would never end")
        }
        var request = withPage(next)
        request.trail = trail
        guard request.trail.follow(from: page.position, to: next) else {
            throw .invalidRequest("the server leads back to \(next), so the list would never end")
        }
        return request
    }
}

extension PagedRequest {
    /// What an exchange takes.
    var target: RequestTarget { RequestTarget { try request(base: $0, defaults: $1) } }

    private func request(base: URL?, defaults: HTTPHeaders) throws -> TransportRequest {
        var request = try source.request(base: base, defaults: defaults)
        if let query, !query.isEmpty {
            request.url = try request.url.settingQuery(
                ParameterList([.init(name: queryParameter, value: .string(query))]))
        }
        request.url = try request.url.settingQuery(filter)
        try pagination.prepare(&request, for: position ?? pagination.first)
        try prepare?(&request)
        return request
    }

    /// The page that a response has.
    func page(_ head: TransportResponse, _ body: Data, at path: JSONPath, _ options: MappingOptions) throws -> Page<
        Element
    > {
        let elements = try ValueReading.elements(Element.self, from: body, at: path, options: options)
        let response = PageResponse(head, body: body, elementsAt: path)
        let position = position ?? pagination.first
        return Page(
            elements: elements, position: position, next: try pagination.next(after: position, in: response),
            previous: try pagination.previous(before: position, in: response), url: head.url, headers: head.headers)
    }
}
