public import Dispatch
import Synchronization

/// Gives the pages of a list one after the other, to closures; made by ``AbstractRepository/pageReader(_:)``.
///
/// ```swift
/// let reader = repository.pageReader(gists)
/// reader.nextPage { getGists in
///     do { show(try getGists()) } catch { report(error) }     // the first page
/// }
/// // … when the user has scrolled down
/// if reader.hasNext { reader.nextPage { getGists in … } }     // the second
/// ```
///
/// A page is asked for once at a time: a call while one is under way adds its closure to that request, which gets elements of
/// its own. A page that failed, or was cancelled, is the next one again. After the last page there are no elements: the
/// closure gets an empty array, and nothing is sent.
///
/// Can be used from any thread.
public final class PageReader<Element>: Sendable {
    private struct State: Sendable {
        /// The page to ask for; nil after the last one.
        var upcoming: Result<PagedRequest<Element>?, RequestError>
        var running: Running?
    }

    private struct Running: Sendable {
        let request: Request<[Element]>
        /// What is upcoming if the request succeeds.
        let following: Following
    }

    private final class Following: Sendable {
        let request = Mutex<Result<PagedRequest<Element>?, RequestError>>(.success(nil))
    }

    private let loader: PageLoader<Element>
    private let first: PagedRequest<Element>
    private let state: Mutex<State>

    init(_ loader: PageLoader<Element>, _ first: PagedRequest<Element>) {
        self.loader = loader
        self.first = first
        state = Mutex(State(upcoming: .success(first)))
    }

    /// Whether there is a page to ask for: true in the beginning, false once the last page is there.
    public var hasNext: Bool {
        state.withLock { state in
            Self.settle(&state)
            if case .success(nil) = state.upcoming { return false }
            return true
        }
    }

    /// Asks for the next page; the closure runs on the main actor.
    ///
    /// - Parameter completion: Called exactly once, on the main actor. The first call of the function it gets hands the elements
    ///   over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func nextPage(
        completion: @escaping @MainActor (_ getElements: () throws -> sending [Element]) -> Void
    ) -> Request<[Element]> {
        next { $0.complete(completion) }
    }

    /// Asks for the next page; the closure runs on a queue.
    ///
    /// - Parameters:
    ///   - queue: Where the closure runs.
    ///   - completion: Called exactly once. The first call of the function it gets hands the elements over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func nextPage(
        on queue: DispatchQueue,
        completion: @escaping @Sendable (_ getElements: () throws -> sending [Element]) -> Void
    ) -> Request<[Element]> {
        next { $0.complete(on: queue, completion) }
    }

    /// Asks for the next page and waits for its elements. Cancelling the task that waits cancels the request.
    ///
    /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
    nonisolated(nonsending) public func nextPage() async throws -> sending [Element] {
        if Task.isCancelled { throw RequestError.cancelled }
        return try await next { _ in }.value()
    }

    /// Goes back to the page that the reader began with, and cancels the request that is under way.
    public func restart() {
        let running = state.withLock { state in
            defer { state = State(upcoming: .success(first)) }
            return state.running
        }
        running?.request.cancel()
    }

    private func next(_ prepare: (Request<[Element]>) -> Void) -> Request<[Element]> {
        let (running, upcoming) = state.withLock { state -> (Running, Result<PagedRequest<Element>?, RequestError>?) in
            Self.settle(&state)
            if let running = state.running { return (running, nil) }
            let running = Running(request: Request(), following: Following())
            state.running = running
            return (running, state.upcoming)
        }
        prepare(running.request)
        guard let upcoming else { return running.request }
        running.request.begin { [loader, following = running.following] request in
            guard let paged = try upcoming.get() else { return RequestProduct([]) { [] } }
            return try await loader.product(paged) { request.update($0) }.map { page in
                following.request.withLock { $0 = Result { () throws(RequestError) in try paged.after(page) } }
                return page.elements
            }
        }
        return running.request
    }

    /// Takes note of the end of a request. Done when it matters rather than when it happens, so that the closure of a page sees
    /// the state after it.
    private static func settle(_ state: inout State) {
        guard let running = state.running, running.request.state.isFinished else { return }
        if case .succeeded = running.request.state { state.upcoming = running.following.request.withLock { $0 } }
        state.running = nil
    }
}
