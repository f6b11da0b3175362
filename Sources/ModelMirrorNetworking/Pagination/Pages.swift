extension Requesting {
    /// A list that the server pages.
    ///
    /// ```swift
    /// let search = client.pages(Endpoint<[Repository]>.get("search", at: ["items"]), by: LinkPagination()).matching("json")
    /// for try await page in search { show(page.elements) }
    /// for try await repository in search.elements { show(repository) }
    /// ```
    ///
    /// Nothing is sent by this. Each page is asked of the network, when it is needed.
    ///
    /// - Parameters:
    ///   - endpoint: What is asked for: an array, at its path or at `objectsKey`.
    ///   - pagination: How the server pages the list. Defaults to page numbers.
    public func pages<Element>(
        _ endpoint: Endpoint<[Element]>, by pagination: any Pagination = PageNumberPagination()
    ) -> Pages<Element> {
        Pages(client: sender, endpoint: endpoint, pagination: pagination)
    }
}

/// A list that the server pages: an `AsyncSequence` of its pages, and of its ``elements``; made by
/// ``Requesting/pages(_:by:)``.
///
/// Nothing is sent before the first page is asked for; each iteration begins anew. A page is asked for when the one before has been
/// used, and cancelling the task that waits for it cancels its request. The sequence ends after the last page. After an error, an
/// iterator that is asked again tries the page that failed again.
///
/// ``PageReader`` gives pages to closures, forwards and backwards; ``Paginator`` is an observable list for screens.
public struct Pages<Item>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Page<Item>

    let client: APIClient
    let endpoint: Endpoint<[Item]>
    let pagination: any Pagination
    /// Which page is the first; nil for that of the pagination.
    public var position: PagePosition?
    /// The text that is searched for; nil or empty: none, and no item in the query.
    package private(set) var query: String?
    /// Items of the query that say which elements are asked for, in place of the endpoint's with the same names.
    package private(set) var filter: ParameterList = [:]
    /// The name of the query item with the text.
    package private(set) var queryParameter = "q"
    private var trail = PageTrail()

    init(client: APIClient, endpoint: Endpoint<[Item]>, pagination: any Pagination) {
        self.client = client
        self.endpoint = endpoint
        self.pagination = pagination
    }

    /// The same list, from another page on.
    public func starting(at position: PagePosition?) -> Pages {
        var pages = self
        pages.position = position
        pages.trail = PageTrail()
        return pages
    }

    /// The list of what a search finds, from its first page.
    ///
    /// - Parameters:
    ///   - query: The text; nil or empty for the whole list.
    ///   - filter: Items of the query that say which elements are asked for.
    ///   - parameter: The name of the query item with the text; nil leaves it as it is, `q` at first.
    public func matching(
        _ query: String?, filter: ParameterList = [:], parameter: String? = nil
    ) -> Pages {
        var pages = starting(at: nil)
        pages.query = query
        pages.filter = filter
        pages.queryParameter = parameter ?? queryParameter
        return pages
    }

    /// The list from the page after one; nil if that was the last.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` if the server names the page itself as the one after it, or leads in a cycle
    ///   of pages, which would never end. A cycle of many pages is detected in its second or third round.
    func following(_ page: Page<Item>) throws(RequestError) -> Pages? {
        guard let next = page.next else { return nil }
        guard next != page.position else {
            throw .invalidRequest("the server names \(next) as the one after itself, so the list would never end")
        }
        var pages = starting(at: next)
        pages.trail = trail
        guard pages.trail.follow(from: page.position, to: next) else {
            throw .invalidRequest("the server leads back to \(next), so the list would never end")
        }
        return pages
    }

    /// Begins at the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(upcoming: .success(self)) }

    /// Gives page after page.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The list from the next page on; nil after the last one.
        fileprivate var upcoming: Result<Pages?, RequestError>

        /// The next page, for the caller's actor; nil after the last one.
        ///
        /// - Throws: ``RequestError``, `ModelError`, or the error that a hook makes of the server's.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Page<Item>? {
            guard let pages = try upcoming.get() else { return nil }
            if Task.isCancelled { throw RequestError.cancelled }
            let page = try await pages.request().value()
            upcoming = Result { () throws(RequestError) in try pages.following(page) }
            return page
        }
    }
}

extension Pages {
    /// The elements of the list as an `AsyncSequence`: each page is asked for when the elements of the one before are used up.
    public var elements: some AsyncSequence<Item, any Error> & Sendable { PageElements(pages: self) }

    /// What gives the pages one after the other, to closures.
    public func reader() -> PageReader<Item> { PageReader(self) }

    /// Begins the request for the first page.
    func request() -> Request<Page<Item>> {
        let request = Request<Page<Item>>()
        request.begin { life in try await product { life.update($0) } }
        return request
    }

    /// The first page.
    func product(_ update: @escaping Exchange.Update) async throws -> RequestProduct<Page<Item>> {
        let position = position ?? pagination.first
        let request = try client.transportRequest(for: endpoint) { request in
            if let query, !query.isEmpty { request.url = try request.url.settingQuery([queryParameter: query]) }
            request.url = try request.url.settingQuery(filter)
            try pagination.prepare(&request, for: position)
        }
        let reading = BodyReading<Page<Item>>(key: endpoint.reading.key, isJSON: endpoint.reading.isJSON) {
            [endpoint, pagination] response, path, options in
            let elements = try endpoint.reading.read(response, path, options)
            let page = PageResponse(response, elementsAt: path)
            return Page(
                elements: elements, position: position, next: try pagination.next(after: position, in: page),
                previous: try pagination.previous(before: position, in: page), response: response)
        }
        return try await Exchange(client, for: endpoint).product(of: request, reading, at: endpoint.path, update)
    }
}

/// The elements of a list as an `AsyncSequence`; page after page.
///
/// Pages without elements are passed over. After an error, an iterator that is asked again tries the page that failed again.
struct PageElements<Element>: AsyncSequence, Sendable {
    let pages: Pages<Element>

    /// Gives element after element.
    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var pages: Pages<Element>.AsyncIterator
        fileprivate var elements: ArraySlice<Element> = []

        /// The next element, for the caller's actor; nil after the last one.
        ///
        /// - Throws: ``RequestError``, `ModelError`, or the error that a hook makes of the server's.
        mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
            while true {
                if let element = elements.popFirst() { return element }
                guard let page = try await pages.next(isolation: actor) else { return nil }
                elements = page.elements[...]
            }
        }
    }

    /// Begins at the start.
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: pages.makeAsyncIterator()) }
}

/// Detects cycles in the pages that a server names (Brent's algorithm), in constant memory.
///
/// A cycle is there when the remembered page comes again. The remembered page moves on whenever as many pages have come after it
/// as before, so it is in the cycle at some time, however long the way into it (R. P. Brent, An improved Monte Carlo
/// factorization algorithm, 1980). Remembering all pages would detect it sooner, for memory that grows with the list.
///
/// ```
/// first → a → b → a        remembered: first, a; detected at the second a
/// ```
struct PageTrail: Sendable {
    private var remembered: PagePosition?
    /// How many pages have come after the remembered one.
    private var count = 0
    /// With how many the next one is remembered.
    private var reach = 1

    /// Goes from a page to the next one.
    ///
    /// - Returns: false if the next page was there before.
    mutating func follow(from position: PagePosition, to next: PagePosition) -> Bool {
        guard next != remembered ?? position else { return false }
        if remembered == nil { remembered = position }
        count += 1
        if count == reach {
            remembered = next
            count = 0
            (reach, _) = reach.multipliedReportingOverflow(by: 2)
        }
        return true
    }
}
