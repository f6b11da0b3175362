public import Observation
import Synchronization

/// A list that is loaded page by page, for a screen to show and to observe.
///
/// ```swift
/// @State var gists = Paginator(repository, PagedRequest<Gist>(GitHub.gists), identifiedBy: \.id)
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
/// One request is under way at a time. What begins another one (``refresh()``, ``search(_:)``, ``filter(by:)``) cancels it, and an
/// answer that comes all the same is not heeded. While a first page is loading, the elements before stay; it takes their place
/// when it is there. A page that failed leaves everything as it is but for ``error``, and is what ``loadNext()`` and ``retry()``
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
    /// What the list asks for, at its first page.
    public private(set) var request: PagedRequest<Element>
    /// Whether the first page of the list is there.
    public private(set) var hasLoaded = false

    /// Whether the list is known to have no elements: not before its first page is there, not while loading, and not after an
    /// error.
    public var isEmpty: Bool { hasLoaded && elements.isEmpty && !isLoading && error == nil && !hasNext }

    @ObservationIgnored private let loader: PageLoader<Element>
    @ObservationIgnored private let identify: ((Element) -> AnyHashable)?
    @ObservationIgnored private let slot = RequestSlot<Page<Element>>()
    /// The identifiers of the elements, if duplicates are to be dropped.
    @ObservationIgnored private var known: Set<AnyHashable> = []
    /// The page after the last one loaded.
    @ObservationIgnored private var upcoming: PagedRequest<Element>?
    /// The page that could not be loaded, and whether it is a first one.
    @ObservationIgnored private var failed: (request: PagedRequest<Element>, isFirst: Bool)?

    /// A list of which nothing is loaded.
    ///
    /// - Parameters:
    ///   - repository: What is asked, as it is now: later changes of its configuration do not matter.
    ///   - request: The list, at its first page.
    public init<Status>(_ repository: AbstractRepository<Status>, _ request: PagedRequest<Element>) {
        loader = PageLoader(repository)
        self.request = request
        identify = nil
    }

    /// A list of which nothing is loaded, each element of which is in it once: one with the identifier of an element before is
    /// dropped, as it comes when the server's list shifts between two pages.
    ///
    /// - Parameters:
    ///   - repository: What is asked, as it is now: later changes of its configuration do not matter.
    ///   - request: The list, at its first page.
    ///   - identifier: Tells elements apart.
    public init<Status>(
        _ repository: AbstractRepository<Status>, _ request: PagedRequest<Element>,
        identifiedBy identifier: @escaping (Element) -> some Hashable
    ) {
        loader = PageLoader(repository)
        self.request = request
        identify = { AnyHashable(identifier($0)) }
    }

    /// Loads the first page, unless it is there or something is loading: for a screen that appears.
    @discardableResult
    public func load() -> Task<Void, Never> {
        hasLoaded || isLoading ? slot.task : begin(request, isFirst: true)
    }

    /// Loads the first page anew; its elements take the place of those that are there.
    @discardableResult
    public func refresh() -> Task<Void, Never> { begin(request, isFirst: true) }

    /// Loads the next page, or the one that failed. Does nothing while a page is loading, and if there is none.
    @discardableResult
    public func loadNext() -> Task<Void, Never> {
        if isLoading { return slot.task }
        if let failed { return begin(failed.request, isFirst: failed.isFirst) }
        return upcoming.map { begin($0, isFirst: false) } ?? slot.task
    }

    /// Loads the page that failed. Does nothing if none did.
    @discardableResult
    public func retry() -> Task<Void, Never> {
        guard let failed, !isLoading else { return slot.task }
        return begin(failed.request, isFirst: failed.isFirst)
    }

    /// Loads the first page of what a search finds; nil or empty: of the whole list.
    @discardableResult
    public func search(_ query: String?) -> Task<Void, Never> {
        begin(another: request.withQuery(query))
    }

    /// Loads the first page of what a filter lets through.
    @discardableResult
    public func filter(by parameters: ParameterList) -> Task<Void, Never> {
        begin(another: request.withFilter(parameters))
    }

    /// Cancels the request that is under way. What is loaded stays.
    public func cancel() {
        slot.replace(with: nil)
        isLoading = false
        isLoadingFirstPage = false
    }

    /// Begins another list. What is loaded of the one before has no next page in it.
    private func begin(another request: PagedRequest<Element>) -> Task<Void, Never> {
        self.request = request
        hasLoaded = false
        hasNext = false
        upcoming = nil
        return begin(request, isFirst: true)
    }

    private func begin(_ paged: PagedRequest<Element>, isFirst: Bool) -> Task<Void, Never> {
        let request = loader.start(paged)
        slot.replace(with: request)
        isLoading = true
        isLoadingFirstPage = isFirst
        error = nil
        failed = nil
        slot.task = Task { [weak self] in
            // Not awaited as a value, since the request would be cancelled with the task.
            await withCheckedContinuation { continuation in
                request.complete { getPage in
                    do {
                        let page = try getPage()
                        self?.take(page, of: paged, request, isFirst: isFirst)
                    } catch {
                        self?.fail(error, paged, request, isFirst: isFirst)
                    }
                    continuation.resume()
                }
            }
        }
        return slot.task
    }

    private func take(
        _ page: Page<Element>, of paged: PagedRequest<Element>, _ request: Request<Page<Element>>, isFirst: Bool
    ) {
        guard slot.end(request) else { return }
        if isFirst { known = [] }
        let fresh = identify.map { identify in page.elements.filter { known.insert(identify($0)).inserted } }
        if isFirst {
            elements = fresh ?? page.elements
        } else {
            elements += fresh ?? page.elements
        }
        do throws(RequestError) {
            upcoming = try paged.after(page)
        } catch {
            upcoming = nil
            self.error = error
        }
        hasNext = upcoming != nil
        hasLoaded = true
        isLoading = false
        isLoadingFirstPage = false
    }

    private func fail(
        _ error: any Error, _ paged: PagedRequest<Element>, _ request: Request<Page<Element>>, isFirst: Bool
    ) {
        guard slot.end(request) else { return }
        failed = (paged, isFirst)
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
