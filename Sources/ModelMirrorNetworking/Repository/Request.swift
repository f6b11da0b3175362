import Synchronization

/// A request that is under way, or has ended: cancel it, add handlers, watch its progress, await its value.
///
/// ```swift
/// let request = repository.requestGists(of: "octocat") { getGists in … }
/// request
///     .progress { print($0.download.bytes) }
///     .success { gists in print(gists.count) }     // gists of its own, not those of the closure above
///     .fail { error in print(error) }
///     .finished { spinner.stop() }
/// request.cancel()
/// ```
///
/// It ends exactly once, cancelled or not; handlers are called once each, also those that are added after the end. They are
/// never called at once, not even then, but later on the main actor or the queue they were added for. Among those of one
/// place the order is: the closure of the call, `success` or `fail`, `finished`, each kind in the order of being added.
///
/// It goes on if nobody keeps it. While it is kept, so is the body of its response, since every consumer gets objects of
/// its own, made of that body away from the main thread.
///
/// Can be used from any thread. Two requests are equal if they are the same one.
public final class Request<Value>: Sendable {
    private struct Storage: Sendable {
        var outcome: Result<RequestProduct<Value>, any Error>?
        var task: Task<Void, Never>?
        /// Those who have not been told yet.
        var consumers: [RequestConsumer<Value>] = []
        /// Whether someone is telling them; so all are told one after the other.
        var isDelivering = false
        var progress = RequestProgress()
        var watchers: [ProgressWatcher] = []
    }

    private let storage = Mutex(Storage())

    /// A request that does nothing yet.
    init() {}

    // MARK: Life

    /// Lets the request begin. A request that was cancelled before does nothing.
    ///
    /// - Parameter work: Gives the product. It runs in a task that is cancelled with the request.
    func begin(_ work: @escaping @Sendable (Request) async throws -> RequestProduct<Value>) {
        guard !state.isFinished else { return }
        let task = Task {
            guard !self.state.isFinished else { return }
            let outcome: Result<RequestProduct<Value>, any Error>
            do {
                outcome = .success(try await work(self))
            } catch is CancellationError {
                outcome = .failure(RequestError.cancelled)
            } catch {
                outcome = .failure(error)
            }
            if self.end(outcome) { self.deliver() }
        }
        let isLate = storage.withLock { storage in
            if storage.outcome == nil { storage.task = task }
            return storage.outcome != nil
        }
        if isLate { task.cancel() }
    }

    /// Ends the request with ``RequestError/cancelled``, unless it has ended already, and stops what is under way.
    ///
    /// Its handlers and closures are told as with any other error. Nothing is sent or tried again after this.
    public func cancel() {
        let task = storage.withLock { $0.task }
        end(with: .failure(RequestError.cancelled))
        task?.cancel()
    }

    /// Ends the request from outside of a task of its own, unless it has ended already.
    func end(with outcome: Result<RequestProduct<Value>, any Error>) {
        if end(outcome) { Task { deliver() } }
    }

    /// Decides how the request ends; the first call counts.
    ///
    /// - Returns: Whether the caller has to call ``deliver()``.
    private func end(_ outcome: Result<RequestProduct<Value>, any Error>) -> Bool {
        storage.withLock { storage in
            guard storage.outcome == nil else { return false }
            storage.outcome = outcome
            storage.task = nil
            storage.watchers = []
            storage.isDelivering = true
            return true
        }
    }

    /// Tells all who wait. Called by one at a time, who has set `isDelivering`; never by the main thread, for it maps.
    private func deliver() {
        while let (outcome, consumers) = nextConsumers() {
            var failures: [any Error] = []
            if case .failure(let error) = outcome { failures.append(error) }
            for case .outcome(let tell) in consumers {
                tell(outcome.flatMap { product in Result { try product.share() } })
            }
            if case .success(let product) = outcome {
                for case .success(let tell) in consumers {
                    do { tell(try product.share()) } catch { failures.append(error) }
                }
            }
            for case .fail(let tell) in consumers { failures.forEach(tell) }
            for case .finished(let tell) in consumers { tell() }
        }
    }

    private func nextConsumers() -> (Result<RequestProduct<Value>, any Error>, [RequestConsumer<Value>])? {
        storage.withLock { storage in
            guard let outcome = storage.outcome, !storage.consumers.isEmpty else {
                storage.isDelivering = false
                return nil
            }
            defer { storage.consumers = [] }
            return (outcome, storage.consumers)
        }
    }

    /// Adds someone who waits for the end, or tells them if it has come.
    func add(_ consumer: RequestConsumer<Value>) {
        let isIdle = storage.withLock { storage in
            storage.consumers.append(consumer)
            guard storage.outcome != nil, !storage.isDelivering else { return false }
            storage.isDelivering = true
            return true
        }
        if isIdle { Task { deliver() } }
    }

    // MARK: Looking

    /// How far the request is.
    public var state: RequestState {
        switch storage.withLock({ $0.outcome }) {
        case nil: .running
        case .success: .succeeded
        case .failure(RequestError.cancelled): .cancelled
        case .failure(let error): .failed(error)
        }
    }

    /// How many bytes have gone and come up to now.
    public var progress: RequestProgress { storage.withLock { $0.progress } }

    /// Changes the progress and tells those who watch. After the end nothing changes.
    func update(_ change: (inout RequestProgress) -> Void) {
        storage.withLock { storage in
            guard storage.outcome == nil else { return }
            change(&storage.progress)
            // Within the lock, so that no notice comes after the handlers of the end.
            for watcher in storage.watchers { watcher.post(storage.progress) }
        }
    }

    /// Adds someone who watches, until the end.
    func add(_ watcher: ProgressWatcher) {
        storage.withLock { storage in
            if storage.outcome == nil { storage.watchers.append(watcher) }
        }
    }
}

extension Request: Hashable {
    /// Whether both are the same request.
    public static func == (left: Request, right: Request) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
