public import Observation

/// An observable list for a screen, loaded page by page.
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
/// One request runs at a time. ``refresh()`` and ``search(_:filter:)`` cancel it, and a response that still arrives is ignored.
/// While a first page is loading, the old elements stay; it replaces them when it arrives. With `.cacheThenNetwork`, the stored first
/// page comes before the first one of a list or a search. A page that fails only sets ``error``; ``retry()`` loads it again, and so does
/// ``loadNext()``, unless it was a previous page.
///
/// The list is for the account of its first page: once another user has signed in, a further page fails with
/// ``RequestError/accountChanged`` until ``refresh()`` or ``search(_:filter:)`` starts anew.
///
/// Each method returns the task of its request: awaiting it is optional, cancelling it has no effect (see ``cancel()``).
/// Releasing the paginator cancels the request.
@MainActor @Observable
public final class Paginator<Element> {
    /// The elements loaded so far.
    public private(set) var elements: [Element] = []
    /// Whether a page is loading.
    public var isLoading: Bool { loading != nil }
    /// Whether a first page is loading, which will replace all elements.
    public var isLoadingFirstPage: Bool { loading == .first }
    /// Whether there is a page after the last one loaded. False before the first page is loaded.
    ///
    /// A page may bring no new elements and still have a successor. So let a separate row load the next page, as above: the
    /// last element's row does not appear again after such a page.
    public var hasNext: Bool { upcoming != nil }
    /// Why the last page failed to load, or why its next page was refused; nil otherwise, and while a page is loading.
    public private(set) var error: (any Error)?
    /// Whether there is a page before the first one loaded: true if the list started in the middle and the pagination can tell.
    public var hasPrevious: Bool { preceding != nil }
    /// The list from its first page.
    public private(set) var pages: Pages<Element>
    /// Whether the first page has been loaded.
    public private(set) var hasLoaded = false

    /// Whether the list is known to be empty: false before its first page is loaded, while a page is loading, and after an
    /// error.
    public var isEmpty: Bool { hasLoaded && elements.isEmpty && !isLoading && error == nil && !hasNext }

    private enum Place: Sendable { case first, end, start }

    /// Where the running request's page goes; nil while no page is loading.
    private var loading: Place?
    /// The page after the last one loaded.
    private var upcoming: Endpoint<Page<Element>>?
    /// The page before the first one loaded.
    private var preceding: Endpoint<Page<Element>>?
    /// Why the page after the last one loaded was refused.
    @ObservationIgnored private var nextProblem: RequestError?
    @ObservationIgnored private let identify: ((Element) -> AnyHashable)?
    /// The running request, cancelled when it is replaced or the paginator is released.
    @ObservationIgnored private var running: Request<Page<Element>>?
    /// The task of the last request.
    @ObservationIgnored private var task = Task<Void, Never>.detached {}
    /// The identifiers of the elements, if duplicates are dropped.
    @ObservationIgnored private var known: Set<AnyHashable> = []
    /// Whether the first page is a stored one, in whose place the network's did not arrive.
    @ObservationIgnored private var isProvisional = false
    /// The page that failed to load.
    @ObservationIgnored private var failed: (page: Endpoint<Page<Element>>, place: Place, policy: FetchPolicy)?

    /// A list with nothing loaded.
    ///
    /// - Parameter pages: The list, with its client.
    public init(_ pages: Pages<Element>) {
        self.pages = pages
        identify = nil
    }

    /// A list with nothing loaded that contains each element once: an element with the identifier of an earlier one is dropped.
    /// Such repetitions occur when the server's list shifts between two pages.
    ///
    /// - Parameters:
    ///   - pages: The list, with its client.
    ///   - identifier: The identifier of an element.
    public init(_ pages: Pages<Element>, identifiedBy identifier: @escaping (Element) -> some Hashable) {
        self.pages = pages
        identify = { AnyHashable(identifier($0)) }
    }

    /// Loads the first page, unless it has been loaded or a page is loading. A stored page that the network's was to replace does not
    /// count. Call it when the screen appears.
    @discardableResult
    public func load() -> Task<Void, Never> {
        hasLoaded && !isProvisional || isLoading ? task : begin(pages.endpoint, .first)
    }

    /// Loads the first page again; its elements replace the current ones. The server is asked, also where the policy would use a
    /// stored response (`.cacheControl`, `.cacheElseNetwork`); further pages are loaded under the policy.
    @discardableResult
    public func refresh() -> Task<Void, Never> { begin(pages.endpoint, .first, pages.refreshPolicy) }

    /// Loads the next page, or the first or next page that failed. No effect while a page is loading or without a next page.
    @discardableResult
    public func loadNext() -> Task<Void, Never> {
        if let failed, failed.place != .start { return retry() }
        return isLoading ? task : upcoming.map { begin($0, .end) } ?? task
    }

    /// Loads the page before the first one loaded, and inserts its elements at the start. No effect while a page is loading or
    /// without a previous page.
    @discardableResult
    public func loadPrevious() -> Task<Void, Never> {
        isLoading ? task : preceding.map { begin($0, .start) } ?? task
    }

    /// Loads the failed page again. No effect while a page is loading or if none failed.
    @discardableResult
    public func retry() -> Task<Void, Never> {
        // None has failed while a page is loading.
        failed.map { begin($0.page, $0.place, $0.policy) } ?? task
    }

    /// Loads the first page of a search, in one request.
    ///
    /// - Parameters:
    ///   - query: The search text; nil or empty for the whole list.
    ///   - filter: Query items that filter the list; nil keeps the current ones.
    @discardableResult
    public func search(_ query: String?, filter: ParameterList? = nil) -> Task<Void, Never> {
        pages = pages.matching(query, filter: filter ?? pages.filterItems)
        hasLoaded = false
        upcoming = nil
        preceding = nil
        return begin(pages.endpoint, .first)
    }

    /// Cancels the running request. Loaded elements stay.
    public func cancel() {
        running.take()?.cancel()
        loading = nil
    }

    deinit { running?.cancel() }

    private func begin(
        _ endpoint: Endpoint<Page<Element>>, _ place: Place, _ policy: FetchPolicy? = nil
    ) -> Task<Void, Never> {
        let policy = policy ?? pages.policy
        let stored = { @MainActor [weak self] (getPage: () throws -> sending Page<Element>) in
            if let page = try? getPage() { self?.take(page, .first, isProvisional: true) }
        }
        let request = pages.client.start(endpoint, policy, stored: hasLoaded ? nil : .init(onMainActor: stored))
        exchange(&running, with: request)?.cancel()
        loading = place
        error = nil
        failed = nil
        task = Task { [weak self] in
            // Not awaited with `value()`, because cancelling the task would cancel the request.
            let outcome = await request.outcome()
            guard let self, running == request else { return }
            // It has ended: this only forgets it.
            cancel()
            do {
                take(try outcome.get().take(), place)
            } catch {
                failed = (endpoint, place, policy)
                self.error = error
            }
        }
        return task
    }

    private func take(_ page: Page<Element>, _ place: Place, isProvisional: Bool = false) {
        if place == .first { (known, self.isProvisional) = ([], isProvisional) }
        let fresh =
            identify.map { identify in page.elements.filter { known.insert(identify($0)).inserted } } ?? page.elements
        switch place {
        case .first: elements = fresh
        case .end: elements += fresh
        case .start: elements = fresh + elements
        }
        if place != .start {
            nextProblem = page.nextProblem
            upcoming = nextProblem == nil ? page.next : nil
        }
        error = nextProblem
        if place != .end { preceding = page.previous }
        hasLoaded = true
    }
}
