extension Requesting {
    /// The paged list of an endpoint.
    ///
    /// ```swift
    /// let search = client.pages(Endpoint<[Repository]>.get("search", at: ["items"]), by: LinkPagination()).matching("json")
    /// for try await page in search { show(page.elements) }
    /// for try await repository in search.elements { show(repository) }
    /// ```
    ///
    /// Nothing is sent yet. Each page is requested from the network when it is needed.
    ///
    /// - Parameters:
    ///   - endpoint: The request for an array, found at the endpoint's path or at `objectsKey`.
    ///   - pagination: How the server pages the list. Defaults to page numbers.
    public func pages<Element>(
        _ endpoint: Endpoint<[Element]>, by pagination: any Pagination = PageNumberPagination()
    ) -> Pages<Element> {
        Pages(client: sender, endpoint: endpoint, pagination: pagination)
    }
}

/// A paged list: an `AsyncSequence` of its pages and of its ``elements``; see ``Requesting/pages(_:by:)``.
///
/// Nothing is sent before the first page is requested, and each page is requested after the previous one has been used. Each
/// iteration starts at the first page. Cancelling the waiting task cancels the request. After an error, the same iterator
/// retries the failed page.
///
/// An iteration is for the account of its first page: once another user has signed in, the next page throws
/// ``RequestError/accountChanged``. A new iteration starts anew.
///
/// ``PageReader`` delivers pages to closures, forwards and backwards; ``Paginator`` is an observable list for screens.
public struct Pages<Item>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Page<Item>

    let client: APIClient
    let endpoint: Endpoint<[Item]>
    let pagination: any Pagination
    /// The position of the first page; nil for the pagination's ``Pagination/first``.
    public var position: PagePosition?
    /// The search text; nil or empty for none, which sends no query item.
    package private(set) var query: String?
    /// Query items that filter the list, in place of the endpoint's with the same names.
    package private(set) var filter: ParameterList = [:]
    /// The query item with the search text.
    package private(set) var queryParameter = "q"
    private var trail = PageTrail()
    /// For whom the list is requested; nil before its first page.
    private var binding: RequestBinding?

    init(client: APIClient, endpoint: Endpoint<[Item]>, pagination: any Pagination) {
        self.client = client
        self.endpoint = endpoint
        self.pagination = pagination
    }

    /// The same list, starting at another page.
    public func starting(at position: PagePosition?) -> Pages {
        var pages = self
        pages.position = position
        pages.trail = PageTrail()
        pages.binding = nil
        return pages
    }

    /// The list filtered by a search, from its first page.
    ///
    /// - Parameters:
    ///   - query: The search text; nil or empty for the whole list.
    ///   - filter: Query items that filter the list.
    ///   - parameter: The query item with the text; nil keeps the current one, which is `q` at first.
    public func matching(
        _ query: String?, filter: ParameterList = [:], parameter: String? = nil
    ) -> Pages {
        var pages = starting(at: nil)
        pages.query = query
        pages.filter = filter
        pages.queryParameter = parameter ?? queryParameter
        return pages
    }

    /// The list starting after a page; nil if that was the last.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` if the server names the page as its own successor, or its pages form a cycle,
    ///   which would never end. A cycle of several pages is detected in its second or third round.
    func following(_ page: Page<Item>) throws(RequestError) -> Pages? {
        guard let next = page.next else { return nil }
        guard next != page.position else {
            throw .invalidRequest("the server names \(next) as its own next page, so the list would never end")
        }
        var pages = starting(at: next)
        pages.trail = trail
        pages.binding = page.binding
        guard pages.trail.follow(from: page.position, to: next) else {
            throw .invalidRequest("the server's links return to \(next), so the list would never end")
        }
        return pages
    }

    /// The list starting before a page; nil if that was the first.
    func preceding(_ page: Page<Item>) -> Pages? {
        guard let previous = page.previous else { return nil }
        var pages = starting(at: previous)
        pages.binding = page.binding
        return pages
    }

    /// An iterator that starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(upcoming: .success(self)) }

    /// Iterates over the pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The list from the next page on; nil after the last one.
        fileprivate var upcoming: Result<Pages?, RequestError>

        /// The next page, made for the caller's actor; nil after the last one.
        ///
        /// - Throws: ``RequestError``, `ModelError`, or the error that a hook makes from the response.
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
    /// The elements as an `AsyncSequence`. Each page is requested when the previous page's elements are used up.
    public var elements: some AsyncSequence<Item, any Error> & Sendable { PageElements(pages: self) }

    /// A reader that delivers the pages to closures.
    public func reader() -> PageReader<Item> { PageReader(self) }

    func request() -> Request<Page<Item>> {
        let request = Request<Page<Item>>()
        let step = Result { try self.step() }
        request.begin { life in try await step.get()(life) }
        return request
    }

    /// Requests one page.
    typealias Step = @Sendable (RequestLife) async throws -> RequestProduct<Page<Item>>

    /// The request of the first page, bound to those for whom it would be sent now.
    func step() throws -> Step {
        let position = position ?? pagination.first
        let request = try client.transportRequest(for: endpoint, following: binding) { request in
            if let query, !query.isEmpty { request.url = try request.url.settingQuery([queryParameter: query]) }
            request.url = try request.url.settingQuery(filter)
            try pagination.prepare(&request, for: position)
        }
        let reading = BodyReading<Page<Item>>(key: endpoint.reading.key, isJSON: endpoint.reading.isJSON) {
            [endpoint, pagination, binding = request.binding] response, path, options in
            let elements = try endpoint.reading.read(response, path, options)
            let page = PageResponse(response, elementsAt: path)
            var result = Page(
                elements: elements, position: position, next: try pagination.next(after: position, in: page),
                previous: try pagination.previous(before: position, in: page), response: response)
            result.binding = binding
            return result
        }
        return { [exchange = Exchange(client, for: endpoint), path = endpoint.path] life in
            life.end(with: request.binding)
            return try await exchange.product(of: request, reading, at: path) { life.update($0) }
        }
    }
}

/// The elements of a list, page after page.
///
/// Empty pages are skipped. After an error, the same iterator retries the failed page.
struct PageElements<Element>: AsyncSequence, Sendable {
    let pages: Pages<Element>

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var pages: Pages<Element>.AsyncIterator
        fileprivate var elements: ArraySlice<Element> = []

        /// The next element, made for the caller's actor; nil after the last one.
        ///
        /// - Throws: ``RequestError``, `ModelError`, or the error that a hook makes from the response.
        mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
            while true {
                if let element = elements.popFirst() { return element }
                guard let page = try await pages.next(isolation: actor) else { return nil }
                elements = page.elements[...]
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: pages.makeAsyncIterator()) }
}

/// Detects cycles in the pages of a server (Brent's algorithm), in constant memory.
///
/// One page is remembered; if it comes again, there is a cycle. The remembered page moves forward after 1, 2, 4, … pages, so it
/// reaches the cycle however late that begins (R. P. Brent, An improved Monte Carlo factorization algorithm, 1980).
/// Remembering all pages would detect it sooner, but take memory that grows with the list.
///
/// ```
/// first → a → b → a        remembered: first, a; detected at the second a
/// ```
struct PageTrail: Sendable {
    private var remembered: PagePosition?
    /// The number of pages since the remembered one.
    private var count = 0
    /// The number of pages after which the next one is remembered.
    private var reach = 1

    /// Moves from a page to the next one.
    ///
    /// - Returns: false if the next page occurred before.
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
