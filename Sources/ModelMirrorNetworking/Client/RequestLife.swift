import Synchronization

/// The lifecycle of a request with any value: it begins, ends exactly once, and calls all consumers.
///
/// Not generic: looking up generic types at run time, at each lock, took up to a fifth of the cost of a small request, without
/// its transfer.
final class RequestLife: Sendable {
    /// The end of a request: a ``RequestProduct`` or an error.
    typealias Outcome = Result<any AnyObject & Sendable, any Error>

    private struct Storage: Sendable {
        var outcome: Outcome?
        /// The first error: that of the outcome, or of mapping the body again.
        var failure: (any Error)?
        var task: Task<Void, Never>?
        var consumers: [RequestConsumer] = []
        /// Whether consumers are being called; keeps the calls in order.
        var isDelivering = false
        var progress = RequestProgress()
        var watchers: [ProgressWatcher] = []
    }

    private let storage = Mutex(Storage())

    /// Begins the request, unless it has already ended.
    ///
    /// - Parameter work: Makes the product. It runs in a task that is cancelled with the request.
    func begin(_ work: @escaping @Sendable () async throws -> any AnyObject & Sendable) {
        guard !hasEnded else { return }
        let task = Task {
            guard !self.hasEnded else { return }
            let outcome: Outcome
            do {
                outcome = .success(try await work())
            } catch is CancellationError {
                outcome = .failure(RequestError.cancelled)
            } catch {
                outcome = .failure(error)
            }
            if self.decide(outcome) { self.deliver() }
        }
        let isLate = storage.withLock { storage in
            if storage.outcome == nil { storage.task = task }
            return storage.outcome != nil
        }
        if isLate { task.cancel() }
    }

    /// Ends the request with an error, unless it has ended, and stops its transfer.
    func cancel(with error: RequestError = .cancelled) {
        let task = storage.withLock { $0.task }
        end(with: .failure(error))
        task?.cancel()
    }

    /// Ends the request when its account signs out.
    func end(with binding: RequestBinding?) {
        binding?.onRevoke { [weak self] in self?.cancel(with: .accountChanged) }
    }

    /// Ends the request from outside its own task, unless it has ended.
    func end(with outcome: Outcome) {
        if decide(outcome) { Task { deliver() } }
    }

    /// Sets the outcome; the first call wins.
    ///
    /// - Returns: Whether the caller has to call ``deliver()``.
    private func decide(_ outcome: Outcome) -> Bool {
        storage.withLock { storage in
            guard storage.outcome == nil else { return false }
            storage.outcome = outcome
            if case .failure(let error) = outcome { storage.failure = error }
            storage.task = nil
            storage.watchers = []
            storage.isDelivering = true
            return true
        }
    }

    /// Calls all consumers. Guarded by `isDelivering`, it never runs concurrently; it maps, so it never runs on the main thread.
    private func deliver() {
        while let (outcome, consumers) = nextConsumers() {
            for case .outcome(let notify) in consumers { notify(outcome) }
            if case .success(let product) = outcome {
                for case .success(let notify) in consumers {
                    do { try notify(product) } catch { storage.withLock { $0.failure = $0.failure ?? error } }
                }
            }
            if let failure = storage.withLock({ $0.failure }) {
                for case .fail(let notify) in consumers { notify(failure) }
            }
            for case .finished(let notify) in consumers { notify() }
        }
    }

    private func nextConsumers() -> (Outcome, [RequestConsumer])? {
        storage.withLock { storage in
            guard let outcome = storage.outcome, !storage.consumers.isEmpty else {
                storage.isDelivering = false
                return nil
            }
            defer { storage.consumers = [] }
            return (outcome, storage.consumers)
        }
    }

    /// Adds a consumer, or calls it if the request has ended.
    func add(_ consumer: RequestConsumer) {
        let isIdle = storage.withLock { storage in
            storage.consumers.append(consumer)
            guard storage.outcome != nil, !storage.isDelivering else { return false }
            storage.isDelivering = true
            return true
        }
        if isIdle { Task { deliver() } }
    }

    // MARK: State

    var hasEnded: Bool { storage.withLock { $0.outcome != nil } }

    var state: RequestState {
        switch storage.withLock({ $0.outcome }) {
        case nil: .running
        case .success: .succeeded
        case .failure(RequestError.cancelled): .cancelled
        case .failure(let error): .failed(error)
        }
    }

    var progress: RequestProgress { storage.withLock { $0.progress } }

    /// Changes the progress and notifies watchers. No effect after the end.
    func update(_ change: (inout RequestProgress) -> Void) {
        storage.withLock { storage in
            guard storage.outcome == nil else { return }
            change(&storage.progress)
            // Within the lock, so that no notification follows the handlers of the end.
            for watcher in storage.watchers { watcher.post(storage.progress) }
        }
    }

    /// Adds a watcher, and notifies it of the progress made so far.
    func add(_ watcher: ProgressWatcher) {
        storage.withLock { storage in
            guard storage.outcome == nil else { return }
            storage.watchers.append(watcher)
            if storage.progress != RequestProgress() { watcher.post(storage.progress) }
        }
    }
}

/// A consumer of the end of a request. Its closure only hands its argument to the user's closure on its actor or queue; only
/// mapping the body again takes time.
enum RequestConsumer: Sendable {
    /// Gets the product or the error: a completion closure, an awaiting task.
    case outcome(@Sendable (RequestLife.Outcome) -> Void)
    /// Gets the product; throws if no further value can be made.
    case success(@Sendable (any AnyObject & Sendable) throws -> Void)
    /// Gets the error.
    case fail(@Sendable (any Error) -> Void)
    /// Gets nothing.
    case finished(@Sendable () -> Void)
}

/// A watcher of a request's progress.
///
/// At most one notification per watcher is pending; it reports the progress at the time it is delivered.
final class ProgressWatcher: Sendable {
    private let latest = Mutex<RequestProgress?>(nil)
    private let notify: @Sendable (ProgressWatcher) -> Void

    /// - Parameter notify: Calls ``takeLatest()`` on the watcher's actor or queue and passes the result on.
    init(notify: @escaping @Sendable (ProgressWatcher) -> Void) { self.notify = notify }

    func post(_ progress: RequestProgress) {
        let isUnderWay = latest.withLock { latest in
            defer { latest = progress }
            return latest != nil
        }
        if !isUnderWay { notify(self) }
    }

    /// The newest progress not delivered yet.
    func takeLatest() -> RequestProgress? { latest.withLock { $0.take() } }
}
