import Synchronization

/// The lifecycle of a request with any value: it begins, ends exactly once, and calls all consumers.
///
/// Not generic: looking up generic types at run time, at each lock, took up to a fifth of the cost of a small request, without
/// its transfer.
final class RequestLife: Sendable {
    /// The end of a request: a ``RequestProduct`` or an error.
    typealias Outcome = Result<any AnyObject & Sendable, any Error>

    /// What a consumer waits for, in the order of the calls.
    enum Event: CaseIterable {
        /// The end: a completion closure, an awaiting task.
        case outcome
        /// The product.
        case success
        /// The first error: that of the outcome, or of mapping the body again.
        case failure
        /// The end, after all others.
        case end
    }

    /// A consumer of the end of a request. Its closure only hands its argument to the user's closure on its actor or queue; only
    /// mapping the body again takes time, and an error of that is the request's.
    private typealias Consumer = (event: Event, notify: @Sendable (Outcome) throws -> Void)

    private struct Storage: Sendable {
        var outcome: Outcome?
        /// Why a consumer got no value: the error of the outcome, or of mapping the body again for this consumer.
        var failure: (any Error)?
        var task: Task<Void, Never>?
        var consumers: [Consumer] = []
        /// Whether consumers are being called; keeps the calls in order.
        var isDelivering = false
        var progress = RequestProgress()
        var watchers: [@Sendable (RequestProgress) -> Void] = []
    }

    private let storage = Mutex(Storage())

    /// Begins the request, unless it has already ended.
    ///
    /// - Parameter work: Makes the product. It runs in a task that is cancelled with the request.
    /// - Returns: The task, which may run on after the request was cancelled.
    @discardableResult
    func begin(_ work: @escaping @Sendable () async throws -> any AnyObject & Sendable) -> Task<Void, Never> {
        storage.withLock { storage in
            guard storage.outcome == nil else { return Task {} }
            let task = Task {
                // Cancelled before it started: nothing is looked up or asked.
                guard !self.hasEnded else { return }
                let outcome: Outcome = await result { try await work() }.mapError(\.asRequestError)
                if self.decide(outcome).isFirst { self.deliver() }
            }
            storage.task = task
            return task
        }
    }

    /// Ends the request with an error, unless it has ended, and stops its transfer.
    func cancel(with error: RequestError = .cancelled) {
        let (isFirst, task) = decide(.failure(error))
        if isFirst { Task { deliver() } }
        task?.cancel()
    }

    /// Sets the outcome; the first call wins.
    ///
    /// - Returns: Whether the caller has to call ``deliver()``, and the task, which no later call cancels.
    private func decide(_ outcome: Outcome) -> (isFirst: Bool, task: Task<Void, Never>?) {
        storage.withLock { storage in
            guard storage.outcome == nil else { return (false, nil) }
            storage.outcome = outcome
            storage.watchers = []
            storage.isDelivering = true
            return (true, storage.task.take())
        }
    }

    /// Calls all consumers. Guarded by `isDelivering`, it never runs concurrently; it maps, so it never runs on the main thread.
    private func deliver() {
        while let (outcome, consumers) = nextConsumers() {
            for event in Event.allCases {
                for consumer in consumers where consumer.event == event {
                    let failure = event == .failure ? storage.withLock { $0.failure } : nil
                    do {
                        try consumer.notify(failure.map { .failure($0) } ?? outcome)
                    } catch {
                        storage.withLock { $0.failure = $0.failure ?? error }
                    }
                }
            }
        }
    }

    private func nextConsumers() -> (Outcome, [Consumer])? {
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
    func add(_ event: Event, _ notify: @escaping @Sendable (Outcome) throws -> Void) {
        let isIdle = storage.withLock { storage in
            storage.consumers.append((event, notify))
            guard storage.outcome != nil, !storage.isDelivering else { return false }
            storage.isDelivering = true
            return true
        }
        if isIdle { Task { deliver() } }
    }

    /// Waits for the end, and for the consumers of an event added before.
    func outcome(after event: Event = .outcome) async -> Outcome {
        await withCheckedContinuation { continuation in add(event) { continuation.resume(returning: $0) } }
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
            for notify in storage.watchers { notify(storage.progress) }
        }
    }

    /// Adds a watcher, and notifies it of the progress made so far. At most one notification is pending; it reports the progress at
    /// the time it is delivered.
    ///
    /// - Parameter notify: Calls `takeLatest`, the newest progress not delivered yet, on the watcher's actor or queue and passes the
    ///   result on.
    func watch(_ notify: @escaping @Sendable (_ takeLatest: @escaping @Sendable () -> RequestProgress?) -> Void) {
        let latest = Mutex<RequestProgress?>(nil)
        storage.withLock { storage in
            guard storage.outcome == nil else { return }
            let watcher: @Sendable (RequestProgress) -> Void = { progress in
                let isUnderWay = latest.withLock { latest in
                    defer { latest = progress }
                    return latest != nil
                }
                if !isUnderWay { notify { latest.withLock { $0.take() } } }
            }
            storage.watchers.append(watcher)
            if storage.progress != RequestProgress() { watcher(storage.progress) }
        }
    }
}
