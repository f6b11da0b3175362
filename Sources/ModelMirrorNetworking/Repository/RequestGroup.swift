public import Dispatch
import Synchronization

/// Several requests with a single end.
///
/// ```swift
/// let group = RequestGroup(repository.requestGists(of: "octocat"), repository.requestUser("octocat"))
///     .success { print("all there") }
///     .fail { errors in print(errors.count, "failed") }
///     .finished { spinner.stop() }
/// group.cancel()
/// ```
///
/// It ends when all its requests have: with success if all succeeded, else with their errors, in the order of the
/// requests. A group of none has succeeded. The requests keep their own closures and handlers; on one place (the main
/// actor, a serial queue) these come before the group's.
///
/// It goes on if nobody keeps it, and can be used from any thread.
public final class RequestGroup: Sendable {
    /// Collects the requests of a group.
    public struct Members {
        fileprivate var joins: [@Sendable (RequestGroup, _ number: Int) -> Void] = []
        fileprivate var cancels: [@Sendable () -> Void] = []

        /// Adds a request, whatever it gives, whether it has ended or not.
        public mutating func add<Value>(_ request: Request<Value>) {
            joins.append { group, number in
                request.life.add(.finished { group.noteEnd(of: number, request.state) })
            }
            cancels.append { request.cancel() }
        }
    }

    /// Why a group failed.
    public struct Failure: Error, CustomStringConvertible {
        /// The errors of the requests that failed or were cancelled, in the order of the requests; at least one.
        public let errors: [any Error]

        /// The sentences of the errors, a line each.
        public var description: String { errors.map { "\($0)" }.joined(separator: "\n") }
    }

    private struct Storage: Sendable {
        var running: Int
        var cancels: [@Sendable () -> Void]
        var errors: [(number: Int, error: any Error)] = []
    }

    private let storage: Mutex<Storage>
    /// Knows how the group ended and tells the handlers.
    private let whole = Request<Void>()

    /// A group of the requests that a closure adds, of any number and of any kinds.
    ///
    /// ```swift
    /// let group = RequestGroup { members in
    ///     for user in users { members.add(repository.requestGists(of: user) { … }) }
    /// }
    /// ```
    public init(_ gather: (inout Members) throws -> Void) rethrows {
        var members = Members()
        try gather(&members)
        storage = Mutex(Storage(running: members.joins.count, cancels: members.cancels))
        if members.joins.isEmpty { whole.end(with: .success(RequestProduct(()) {})) }
        for (number, join) in members.joins.enumerated() { join(self, number) }
    }

    /// A group of the given requests.
    public convenience init<each Value>(_ request: repeat Request<each Value>) {
        self.init { members in repeat members.add(each request) }
    }

    /// Cancels the requests that still run; the group ends when they have.
    public func cancel() {
        for cancel in storage.withLock({ $0.cancels }) { cancel() }
    }

    /// How far the group is. One with a request that failed or was cancelled ends as `.failed` with a ``Failure``.
    public var state: RequestState { whole.state }

    private func noteEnd(of number: Int, _ state: RequestState) {
        let isLast = storage.withLock { storage in
            switch state {
            case .running, .succeeded: break
            case .failed(let error): storage.errors.append((number, error))
            case .cancelled: storage.errors.append((number, RequestError.cancelled))
            }
            storage.running -= 1
            if storage.running == 0 { storage.cancels = [] }
            return storage.running == 0
        }
        guard isLast else { return }
        let errors = storage.withLock { $0.errors }.sorted { $0.number < $1.number }.map(\.error)
        whole.end(with: errors.isEmpty ? .success(RequestProduct(()) {}) : .failure(Failure(errors: errors)))
    }
}

/// Handlers, each called once, also if added after the end.
extension RequestGroup {
    /// Adds a handler for the case that all requests succeed.
    ///
    /// - Returns: The group.
    @discardableResult
    public func success(_ handler: @escaping @MainActor () -> Void) -> RequestGroup {
        whole.success { handler() }
        return self
    }

    /// Adds a handler for the errors of the requests that failed or were cancelled, in the order of the requests.
    ///
    /// - Returns: The group.
    @discardableResult
    public func fail(_ handler: @escaping @MainActor ([any Error]) -> Void) -> RequestGroup {
        whole.fail { handler(($0 as? Failure)?.errors ?? [$0]) }
        return self
    }

    /// Adds a handler for the end, however the requests end.
    ///
    /// - Returns: The group.
    @discardableResult
    public func finished(_ handler: @escaping @MainActor () -> Void) -> RequestGroup {
        whole.finished(handler)
        return self
    }

    /// Adds a handler for success, on a queue; see ``success(_:)``.
    ///
    /// - Returns: The group.
    @discardableResult
    public func success(on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) -> RequestGroup {
        whole.success(on: queue) { handler() }
        return self
    }

    /// Adds a handler for the errors, on a queue; see ``fail(_:)``.
    ///
    /// - Returns: The group.
    @discardableResult
    public func fail(on queue: DispatchQueue, _ handler: @escaping @Sendable ([any Error]) -> Void) -> RequestGroup {
        whole.fail(on: queue) { handler(($0 as? Failure)?.errors ?? [$0]) }
        return self
    }

    /// Adds a handler for the end, on a queue; see ``finished(_:)``.
    ///
    /// - Returns: The group.
    @discardableResult
    public func finished(on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) -> RequestGroup {
        whole.finished(on: queue, handler)
        return self
    }
}

/// Awaiting.
extension RequestGroup {
    /// Waits until all requests have ended. Cancelling the task that waits cancels them.
    ///
    /// ```swift
    /// try await RequestGroup(repository.requestGists(of: "octocat"), repository.requestUser("octocat")).ended()
    /// ```
    ///
    /// - Throws: ``Failure``, if a request failed or was cancelled.
    nonisolated(nonsending) public func ended() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                whole.life.add(.finished { continuation.resume() })
            }
        } onCancel: {
            cancel()
        }
        if case .failed(let failure) = state { throw failure }
    }
}
