import ModelMirror
import ModelMirrorFoundation

extension Requesting {
    /// The paged list of an endpoint.
    ///
    /// ```swift
    /// let search = client.pages(Endpoint<[Repository]>.get("search", at: ["items"]), by: LinkPagination()).matching("json")
    /// for try await page in search { show(page.elements) }
    /// for try await repository in search.elements { show(repository) }
    /// ```
    ///
    /// Nothing is sent yet. Each page is requested when it is needed, under the policy: `.cacheOnly` shows a list offline.
    ///
    /// - Parameters:
    ///   - endpoint: The request for an array, found at the endpoint's path or at `objectsKey`.
    ///   - pagination: How the server pages the list. Defaults to page numbers.
    ///   - policy: Whether the store or the network supplies each page; the page's `response.origin` tells which one did. With
    ///     `.cacheThenNetwork`, also as the client's own policy, the sequence has the pages stored from the first one on, and then all
    ///     pages from the network, again from the first; ``Pages/elements`` and a ``PageReader`` have those of the network alone.
    public func pages<Element>(
        _ endpoint: Endpoint<[Element]>, by pagination: any Pagination = PageNumberPagination(),
        policy: FetchPolicy = .standard
    ) -> Pages<Element> {
        Pages(client: sender, list: endpoint, pagination: pagination, policy: policy)
    }
}

/// A paged list: an `AsyncSequence` of its pages and of its ``elements``; see ``Requesting/pages(_:by:policy:)``.
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
    let client: APIClient
    let list: Endpoint<[Item]>
    package let pagination: any Pagination
    let policy: FetchPolicy
    /// The position of the first page; nil for the pagination's ``Pagination/first``.
    public private(set) var position: PagePosition?
    /// The search text; nil or empty for none, which sends no query item.
    package private(set) var query: String?
    /// Query items that filter the list, in place of the endpoint's with the same names.
    package private(set) var filterItems: ParameterList = [:]
    /// The query item with the search text.
    package private(set) var queryParameter = "q"

    /// The request of the first page.
    public var endpoint: Endpoint<Page<Item>> { page(at: position ?? pagination.first) }

    /// The same list, starting at another page.
    public func starting(at position: PagePosition?) -> Pages {
        var pages = self
        pages.position = position
        return pages
    }

    /// The list filtered by a search, from its first page.
    ///
    /// - Parameters:
    ///   - query: The search text; nil or empty for the whole list.
    ///   - filter: Query items that filter the list.
    ///   - parameter: The query item with the text; nil keeps the current one, which is `q` at first.
    public func matching(_ query: String?, filter: ParameterList = [:], parameter: String? = nil) -> Pages {
        var pages = starting(at: nil)
        pages.query = query
        pages.filterItems = filter
        pages.queryParameter = parameter ?? queryParameter
        return pages
    }

    /// The elements as an `AsyncSequence`, of one list: with `.cacheThenNetwork`, the network's. Each page is requested when the
    /// previous page's elements are used up.
    public var elements: some AsyncSequence<Item, any Error> & Sendable { PageElements(pages: self) }

    /// A reader that delivers the pages to closures.
    public func reader() -> PageReader<Item> { PageReader(self) }

    /// An iterator that starts at the first page.
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<Page<Item>, any Error> {
        PageIterator(pages: self, upcoming: endpoint, isStored: resolvedPolicy.order == .cacheThenNetwork)
    }

    fileprivate var resolvedPolicy: FetchPolicy { policy.resolved(for: list.method, by: client.persistence) }

    /// The policy of a page that is loaded again: the server is asked, with the stored response's validators.
    var refreshPolicy: FetchPolicy {
        [.cacheControl, .cacheElseNetwork].contains(resolvedPolicy.order) ? .networkOnly : policy
    }
}

/// Iterates over the pages.
struct PageIterator<Item>: AsyncIteratorProtocol {
    fileprivate let pages: Pages<Item>
    /// The next page; nil after the last one.
    fileprivate var upcoming: Endpoint<Page<Item>>?
    /// Whether the pages are the stored ones, after which the list begins again.
    fileprivate var isStored: Bool
    /// The binding of the stored pages, which the pages after them continue.
    fileprivate var earlier: RequestBinding?

    /// The next page, made for the caller's actor; nil after the last one.
    ///
    /// - Throws: ``RequestError``, ``FetchError``, `ModelError`, or the error that a hook makes from the response.
    mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Page<Item>? {
        while true {
            if let upcoming {
                do {
                    let policy = isStored ? .cacheOnly.maxAge(pages.resolvedPolicy.maxAge) : pages.policy
                    let page = try await pages.client.value(upcoming, policy: policy)
                    self.upcoming = page.next
                    if isStored { earlier = page.response.head.binding }
                    return page
                } catch is FetchError where isStored, RequestError.invalidRequest where isStored {
                    // The next page is not stored, or a stored page names one that is refused; the server may name another by now.
                }
            }
            guard isStored else { return nil }
            isStored = false
            upcoming = pages.endpoint
            upcoming?.earlier = earlier
        }
    }
}

/// The endpoint of each page.
extension Pages {
    /// The request of a page.
    ///
    /// - Parameters:
    ///   - trail: The pages before.
    ///   - earlier: The binding of the page before; nil for the first page.
    ///   - problem: Why the page is refused.
    private func page(
        at position: PagePosition, after trail: PageTrail = PageTrail(), for earlier: RequestBinding? = nil,
        problem: RequestError? = nil
    ) -> Endpoint<Page<Item>> {
        let reading = BodyReading<Page<Item>>(key: list.reading.key, isEmpty: { $0.elements.isEmpty }) {
            (response, path, options) in
            let elements = try list.reading.read(response, path, options)
            return try makePage(of: elements, in: response, at: path, position, after: trail)
        }
        var page = list.reading(by: reading, at: list.valuePath)
        page.earlier = earlier
        page.paging = { request in
            if let problem { throw problem }
            if let query, !query.isEmpty { request.url = try request.url.settingQuery([queryParameter: query]) }
            request.url = try request.url.settingQuery(filterItems, style: client.configuration.parameterStyle)
            try pagination.prepare(&request, for: position)
        }
        return page
    }

    private func makePage(
        of elements: sending [Item], in response: Response<Data>, at path: JSONPath, _ position: PagePosition,
        after trail: PageTrail
    ) throws -> sending Page<Item> {
        var seen = PageResponse(response, elementsAt: path)
        seen.madeCount = elements.count
        let next = try pagination.next(after: position, in: seen)
        let previous = try pagination.previous(before: position, in: seen)
        var trail = trail
        var problem: RequestError?
        if let next {
            if next.isSame(as: position) {
                problem = .invalidRequest("the server names \(next) as its own next page, so the list would never end")
            } else if !trail.follow(from: position, to: next) {
                problem = .invalidRequest("the server's links return to \(next), so the list would never end")
            }
        }
        let earlier = response.head.binding
        return Page(
            elements: elements, position: position,
            next: next.map { page(at: $0, after: trail, for: earlier, problem: problem) },
            previous: previous.map { page(at: $0, for: earlier) }, nextPosition: next, previousPosition: previous,
            response: response, nextProblem: problem)
    }
}

/// The elements of a list, page after page.
///
/// Empty pages are skipped. After an error, the same iterator retries the failed page.
struct PageElements<Element>: AsyncSequence, Sendable {
    let pages: Pages<Element>

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var pages: PageIterator<Element>
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

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: PageIterator(pages: pages, upcoming: pages.endpoint, isStored: false))
    }
}

extension PagePosition {
    /// Compares cursors byte by byte: for a server, two spellings of one character are two cursors.
    fileprivate func isSame(as other: PagePosition) -> Bool {
        if case (.cursor(let own), .cursor(let other)) = (self, other) { return own.utf8.elementsEqual(other.utf8) }
        return self == other
    }
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
        guard !next.isSame(as: remembered ?? position) else { return false }
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
