public import Observation
import Synchronization

/// A list that is loaded page by page, for a screen to show and to observe.
///
/// ```swift
/// @State var gists = Paginator(client.pages(gists, by: LinkPagination()), identifiedBy: \.id)
///
/// List {
///     ForEach(gists.elements, id: \.id) { Row($0) }
///     if gists.isLoading {
///         ProgressView()
///     } else if let error = gists.error {
///         RetryRow(error) { gists.retry() }
///     } else if gists.hasNext {
///         Text("More").onAppear { gists.loadNext() }
///     }
/// }
/// .overlay { if gists.isEmpty { Text("No gists") } }
/// .onAppear { gists.load() }
/// .refreshable { await gists.refresh().value }
/// ```
///
/// One request is under way at a time. What begins another one (``refresh()``, ``search(_:filter:)``) cancels it, and an
/// answer that comes all the same is ignored. While a first page is loading, the elements before stay; it takes their place
/// when it is there. A page that failed changes nothing except ``error``, and is what ``loadNext()`` and ``retry()``
/// ask for next.
///
/// Each method gives the task of its request: waiting for it is optional, cancelling it does nothing (see ``cancel()``). Dropping
/// the paginator cancels the request.
@MainActor @Observable
public final class Paginator<Element> {
    /// The elements of the pages up to now.
    public private(set) var elements: [Element] = []
    /// Whether a page is loading.
    public private(set) var isLoading = false
    /// Whether a first page is loading, whose elements will take the place of all others.
    public private(set) var isLoadingFirstPage = false
    /// Whether the server says that there is a page after the last one loaded. False before the first page is there.
    ///
    /// A page may bring no elements, or none that are new, and still have one after it. So let a row of its own ask for the next
    /// page, as above: the last element's row does not appear again when such a page has come.
    public private(set) var hasNext = false
    /// Why the last page could not be loaded; nil if it could, while one is loading, and if it was cancelled.
    public private(set) var error: (any Error)?
    /// Whether there is a page before the first one loaded: where the list began in its middle, and the pagination can tell.
    public private(set) var hasPrevious = false
    /// The list, from its first page.
    public private(set) var pages: Pages<Element>
    /// Whether the first page of the list is there.
    public private(set) var hasLoaded = false

    /// Whether the list is known to have no elements: not before its first page is there, not while loading, and not after an
    /// error.
    public var isEmpty: Bool { hasLoaded && elements.isEmpty && !isLoading && error == nil && !hasNext }

    /// Which page is loading, and where its elements go.
    private enum Place: Sendable {
        case first, end, start
    }

    @ObservationIgnored private let identify: ((Element) -> AnyHashable)?
    @ObservationIgnored private let slot = RequestSlot<Page<Element>>()
    /// The identifiers of the elements, if duplicates are to be dropped.
    @ObservationIgnored private var known: Set<AnyHashable> = []
    /// The list from the page after the last one loaded.
    @ObservationIgnored private var upcoming: Pages<Element>?
    /// The list from the page before the first one loaded.
    @ObservationIgnored private var preceding: Pages<Element>?
    /// The page that could not be loaded.
    @ObservationIgnored private var failed: (pages: Pages<Element>, place: Place)?

    /// A list of which nothing is loaded.
    ///
    /// - Parameter pages: The list; it keeps the client that it was made by.
    public init(_ pages: Pages<Element>) {
        self.pages = pages
        identify = nil
    }

    /// A list of which nothing is loaded, each element of which is in it once: one with the identifier of an element before is
    /// dropped, as it comes when the server's list shifts between two pages.
    ///
    /// - Parameters:
    ///   - pages: The list; it keeps the client that it was made by.
    ///   - identifier: Tells elements apart.
    public init(_ pages: Pages<Element>, identifiedBy identifier: @escaping (Element) -> some Hashable) {
        self.pages = pages
        identify = { AnyHashable(identifier($0)) }
    }

    /// Loads the first page, unless it is there or something is loading: for a screen that appears.
    @discardableResult
    public func load() -> Task<Void, Never> {
        hasLoaded || isLoading ? slot.task : begin(pages, .first)
    }

    /// Loads the first page anew; its elements take the place of those that are there.
    @discardableResult
    public func refresh() -> Task<Void, Never> { begin(pages, .first) }

    /// Loads the next page, or the one that failed. Does nothing while a page is loading, and if there is none.
    @discardableResult
    public func loadNext() -> Task<Void, Never> {
        if isLoading { return slot.task }
        if let failed, failed.place != .start { return begin(failed.pages, failed.place) }
        return upcoming.map { begin($0, .end) } ?? slot.task
    }

    /// Loads the page before the first one loaded; its elements come before the others. Does nothing while a page is loading, and if
    /// there is none.
    @discardableResult
    public func loadPrevious() -> Task<Void, Never> {
        if isLoading { return slot.task }
        return preceding.map { begin($0, .start) } ?? slot.task
    }

    /// Loads the page that failed. Does nothing if none did.
    @discardableResult
    public func retry() -> Task<Void, Never> {
        guard let failed, !isLoading else { return slot.task }
        return begin(failed.pages, failed.place)
    }

    /// Loads the first page of what a search finds, in one request.
    ///
    /// - Parameters:
    ///   - query: The text; nil or empty for the whole list.
    ///   - filter: Items of the query that say which elements are asked for; nil leaves them as they are.
    @discardableResult
    public func search(_ query: String?, filter: ParameterList? = nil) -> Task<Void, Never> {
        pages = pages.matching(query, filter: filter ?? pages.filter)
        hasLoaded = false
        hasNext = false
        hasPrevious = false
        upcoming = nil
        preceding = nil
        return begin(pages, .first)
    }

    /// Cancels the request that is under way. What is loaded stays.
    public func cancel() {
        slot.replace(with: nil)
        isLoading = false
        isLoadingFirstPage = false
    }

    private func begin(_ pages: Pages<Element>, _ place: Place) -> Task<Void, Never> {
        let request = pages.request()
        slot.replace(with: request)
        isLoading = true
        isLoadingFirstPage = place == .first
        error = nil
        failed = nil
        slot.task = Task { [weak self] in
            // Not awaited as a value, since the request would be cancelled with the task.
            await withCheckedContinuation { continuation in
                request.complete { getPage in
                    do {
                        let page = try getPage()
                        self?.take(page, of: pages, request, place)
                    } catch {
                        self?.fail(error, pages, request, place)
                    }
                    continuation.resume()
                }
            }
        }
        return slot.task
    }

    private func take(
        _ page: Page<Element>, of pages: Pages<Element>, _ request: Request<Page<Element>>, _ place: Place
    ) {
        guard slot.end(request) else { return }
        if place == .first { known = [] }
        let fresh =
            identify.map { identify in page.elements.filter { known.insert(identify($0)).inserted } } ?? page.elements
        switch place {
        case .first: elements = fresh
        case .end: elements += fresh
        case .start: elements = fresh + elements
        }
        if place != .start { follow(page, of: pages) }
        if place != .end { preceding = page.previous.map { pages.starting(at: $0) } }
        hasNext = upcoming != nil
        hasPrevious = preceding != nil
        hasLoaded = true
        isLoading = false
        isLoadingFirstPage = false
    }

    private func follow(_ page: Page<Element>, of pages: Pages<Element>) {
        do throws(RequestError) {
            upcoming = try pages.following(page)
        } catch {
            upcoming = nil
            self.error = error
        }
    }

    private func fail(
        _ error: any Error, _ pages: Pages<Element>, _ request: Request<Page<Element>>, _ place: Place
    ) {
        guard slot.end(request) else { return }
        failed = (pages, place)
        self.error = error
        isLoading = false
        isLoadingFirstPage = false
    }
}

/// Holds the request that is under way, and cancels it when it is replaced or forgotten.
private final class RequestSlot<Value>: Sendable {
    private struct State: Sendable {
        var request: Request<Value>?
        var task = Task<Void, Never> {}
    }

    private let state = Mutex(State())

    /// The task of the last request.
    var task: Task<Void, Never> {
        get { state.withLock { $0.task } }
        set { state.withLock { $0.task = newValue } }
    }

    func replace(with request: Request<Value>?) {
        let old = state.withLock { state in
            defer { state.request = request }
            return state.request
        }
        old?.cancel()
    }

    /// Forgets a request that has ended.
    ///
    /// - Returns: Whether it is the one that is held.
    func end(_ request: Request<Value>) -> Bool {
        state.withLock { state in
            guard state.request == request else { return false }
            state.request = nil
            return true
        }
    }

    deinit { state.withLock { $0.request }?.cancel() }
}
