public import Dispatch
import Synchronization

/// Delivers the pages of a list to closures, forwards and backwards; see ``Pages/reader()``.
///
/// ```swift
/// let reader = client.pages(gists, by: LinkPagination()).reader()
/// reader.nextPage { getGists in
///     do { show(try getGists()) } catch { report(error) }     // the first page
/// }
/// // … when the user has scrolled down
/// if reader.hasNext { reader.nextPage { getGists in … } }             // the second
/// if reader.hasPrevious { reader.previousPage { getGists in … } }     // the first again
/// ```
///
/// One page is requested at a time. A call while one is loading in the same direction adds its closure to that request, with
/// its own elements; a call in the other direction fails. A page that failed or was cancelled can be requested again. After
/// the last page, and before the first, the closure gets an empty array and nothing is sent.
///
/// Pages come by the list's policy; with `.cacheThenNetwork`, they are the network's. All pages are requested for the account of the
/// first one: once it has changed, a page fails with ``RequestError/accountChanged`` until ``restart()`` starts anew.
///
/// Safe to use from any thread.
public final class PageReader<Element>: Sendable {
    private typealias Upcoming = Endpoint<Page<Element>>?

    private typealias Direction = KeyPath<State, Upcoming> & Sendable

    private struct State: Sendable {
        /// The next page; nil after the last one.
        var next: Upcoming
        /// The previous page; nil before the first one.
        var previous: Upcoming = nil
        var running: Running?
    }

    private struct Running: Sendable {
        let request = Request<[Element]>()
        let direction: Direction
        /// The neighbors of the requested page once it is loaded; nil before, and if there is no such page.
        let neighbors = Neighbors()
    }

    private final class Neighbors: Sendable { let pages = Mutex<(next: Upcoming, previous: Upcoming)?>(nil) }

    private let first: Pages<Element>
    private let state: Mutex<State>

    init(_ first: Pages<Element>) {
        self.first = first
        state = Mutex(State(next: first.endpoint))
    }

    /// Whether there is a next page: true at first, false once the last page is loaded.
    public var hasNext: Bool { hasPage(\.next) }

    /// Whether there is a page before the last delivered one, if the pagination can tell; otherwise false.
    public var hasPrevious: Bool { hasPage(\.previous) }

    private func hasPage(_ upcoming: Direction) -> Bool {
        state.withLock { state in
            Self.settle(&state)
            return state[keyPath: upcoming] != nil
        }
    }

    /// Requests the next page; the closure runs on the main actor.
    ///
    /// - Parameter completion: Called exactly once, on the main actor. The first call of its function returns the elements.
    /// - Returns: The request, for cancelling and adding handlers.
    @discardableResult
    public func nextPage(
        completion: @escaping @MainActor (_ getElements: () throws -> sending [Element]) -> Void
    ) -> Request<[Element]> {
        page(\.next) { $0.complete(completion) }
    }

    /// Requests the next page; the closure runs on a queue.
    ///
    /// - Parameters:
    ///   - queue: The queue of the closure.
    ///   - completion: Called exactly once. The first call of its function returns the elements.
    /// - Returns: The request, for cancelling and adding handlers.
    @discardableResult
    public func nextPage(
        on queue: DispatchQueue,
        completion: @escaping @Sendable (_ getElements: () throws -> sending [Element]) -> Void
    ) -> Request<[Element]> {
        page(\.next) { $0.complete(on: queue, completion) }
    }

    /// Requests the next page and returns its elements. Cancelling the waiting task cancels the request.
    ///
    /// - Throws: ``RequestError``, ``FetchError``, `ModelError`, or the error that a hook makes from the response.
    nonisolated(nonsending) public func nextPage() async throws -> sending [Element] {
        if Task.isCancelled { throw RequestError.cancelled }
        return try await page(\.next) { _ in }.value()
    }

    /// Requests the page before the last delivered one; the closure runs on the main actor.
    ///
    /// - Parameter completion: Called exactly once, on the main actor.
    /// - Returns: The request, for cancelling and adding handlers.
    @discardableResult
    public func previousPage(
        completion: @escaping @MainActor (_ getElements: () throws -> sending [Element]) -> Void
    ) -> Request<[Element]> {
        page(\.previous) { $0.complete(completion) }
    }

    /// Requests the page before the last delivered one and returns its elements.
    ///
    /// - Throws: ``RequestError``, ``FetchError``, `ModelError`, or the error that a hook makes from the response.
    nonisolated(nonsending) public func previousPage() async throws -> sending [Element] {
        if Task.isCancelled { throw RequestError.cancelled }
        return try await page(\.previous) { _ in }.value()
    }

    /// Returns to the reader's first page, and cancels the running request.
    public func restart() {
        let old = state.withLock { exchange(&$0, with: State(next: first.endpoint)) }
        old.running?.request.cancel()
    }

    private func page(_ direction: Direction, _ prepare: (Request<[Element]>) -> Void) -> Request<[Element]> {
        let new = Running(direction: direction)
        let (running, upcoming) = state.withLock { state in
            Self.settle(&state)
            let running = state.running ?? new
            state.running = running
            return (running, state[keyPath: direction])
        }
        let request = running.direction == direction ? running.request : new.request
        prepare(request)
        if running.request === new.request {
            // Outside the lock, because binding the request calls the transports.
            request.begin(makeWork(upcoming, new.neighbors))
        } else if request === new.request {
            request.begin { _ in
                throw RequestError.invalidRequest("the reader is loading a page in the other direction; wait for it")
            }
        }
        return request
    }

    private func makeWork(_ upcoming: Upcoming, _ neighbors: Neighbors) -> Request<[Element]>.Work {
        guard let upcoming else { return { _ in RequestProduct([]) { [] } } }
        let page = first.client.work(upcoming, first.policy)
        return { life in
            try await page(life).map { page in
                neighbors.pages.withLock { $0 = (page.next, page.previous) }
                return page.elements
            }
        }
    }

    /// Applies the end of a request. Called before each use of the state, so that a page's closure sees the state after that page.
    private static func settle(_ state: inout State) {
        guard let running = state.running, running.request.state.isFinished else { return }
        if case .succeeded = running.request.state, let neighbors = running.neighbors.pages.withLock({ $0 }) {
            (state.next, state.previous) = neighbors
        }
        state.running = nil
    }
}
