import Synchronization

/// The life of a request, whatever its value: it begins, goes on, ends exactly once, and calls all consumers.
///
/// It does not know the type of the value: code that does is generic, and looks types up at run time, which for each lock
/// taken added up to a fifth of what a small request costs above its transfer.
final class RequestLife: Sendable {
    /// How a request ends: with a ``RequestProduct``, or an error.
    typealias Outcome = Result<any AnyObject & Sendable, any Error>

    private struct Storage: Sendable {
        var outcome: Outcome?
        var task: Task<Void, Never>?
        /// Consumers that have not been called yet.
        var consumers: [RequestConsumer] = []
        /// Whether they are being called, so that all are called one after the other.
        var isDelivering = false
        var progress = RequestProgress()
        var watchers: [ProgressWatcher] = []
    }

    private let storage = Mutex(Storage())

    /// Lets the request begin. One that has ended before does nothing.
    ///
    /// - Parameter work: Gives the product. It runs in a task that is cancelled with the request.
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

    /// Ends the request with ``RequestError/cancelled``, unless it has ended already, and stops what is under way.
    func cancel() {
        let task = storage.withLock { $0.task }
        end(with: .failure(RequestError.cancelled))
        task?.cancel()
    }

    /// Ends the request from outside of a task of its own, unless it has ended already.
    func end(with outcome: Outcome) {
        if decide(outcome) { Task { deliver() } }
    }

    /// Decides how the request ends; the first call counts.
    ///
    /// - Returns: Whether the caller has to call ``deliver()``.
    private func decide(_ outcome: Outcome) -> Bool {
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
            for case .outcome(let tell) in consumers { tell(outcome) }
            if case .success(let product) = outcome {
                for case .success(let tell) in consumers {
                    do { try tell(product) } catch { failures.append(error) }
                }
            }
            for case .fail(let tell) in consumers { failures.forEach(tell) }
            for case .finished(let tell) in consumers { tell() }
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

    /// Adds someone who waits for the end, or tells them if it has come.
    func add(_ consumer: RequestConsumer) {
        let isIdle = storage.withLock { storage in
            storage.consumers.append(consumer)
            guard storage.outcome != nil, !storage.isDelivering else { return false }
            storage.isDelivering = true
            return true
        }
        if isIdle { Task { deliver() } }
    }

    // MARK: Looking

    /// Whether it is decided how the request ends.
    var hasEnded: Bool { storage.withLock { $0.outcome != nil } }

    /// The state of the request.
    var state: RequestState {
        switch storage.withLock({ $0.outcome }) {
        case nil: .running
        case .success: .succeeded
        case .failure(RequestError.cancelled): .cancelled
        case .failure(let error): .failed(error)
        }
    }

    /// The bytes sent and received so far.
    var progress: RequestProgress { storage.withLock { $0.progress } }

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

/// Who waits for the end of a request. Each closure only hands its argument over to where the user's closure runs, so none of
/// them takes time but for mapping the body anew.
enum RequestConsumer: Sendable {
    /// Asks for the product or the error: the closure of a call, and each awaiter.
    case outcome(@Sendable (RequestLife.Outcome) -> Void)
    /// Asks for the product; throws if it gives no more values.
    case success(@Sendable (any AnyObject & Sendable) throws -> Void)
    /// Asks for the error.
    case fail(@Sendable (any Error) -> Void)
    /// Asks for nothing.
    case finished(@Sendable () -> Void)
}

/// Who watches the progress of a request.
///
/// However fast bytes come, at most one notice per watcher is under way; it tells what holds when it arrives.
final class ProgressWatcher: Sendable {
    private let latest = Mutex<RequestProgress?>(nil)
    private let notify: @Sendable (ProgressWatcher) -> Void

    /// - Parameter notify: Has ``takeLatest()`` called where the watcher lives, and what it gives handed over.
    init(notify: @escaping @Sendable (ProgressWatcher) -> Void) { self.notify = notify }

    func post(_ progress: RequestProgress) {
        let isUnderWay = latest.withLock { latest in
            defer { latest = progress }
            return latest != nil
        }
        if !isUnderWay { notify(self) }
    }

    /// The newest progress that was not delivered yet.
    func takeLatest() -> RequestProgress? { latest.withLock { $0.take() } }
}
