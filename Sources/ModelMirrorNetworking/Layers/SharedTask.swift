import Synchronization

/// Work that any number of tasks wait for; each can be cancelled without affecting the others.
///
/// A task joins as a waiter and then awaits the value; the creator is the first waiter. Tasks can join until the work has ended,
/// or until all waiters have left.
final class SharedTask<Value: Sendable>: Sendable {
    private struct State {
        /// By their numbers; nil for those that have joined, but do not await the value yet.
        var waiters: [Int: CheckedContinuation<Value, any Error>?] = [0: nil]
        var lastWaiter = 0
        var work: Task<Void, Never>?
        var outcome: Result<Value, any Error>?
        var isCancelled = false
    }

    /// The waiter that created this task.
    let firstWaiter = 0

    private let state = Mutex(State())
    private let whenEmpty: (@Sendable (SharedTask<Value>) -> Void)?

    /// A task without work.
    ///
    /// - Parameter whenEmpty: Called when the last waiter has left before the end; the work is cancelled then. Without it, the
    ///   work continues without waiters.
    init(whenEmpty: (@Sendable (SharedTask<Value>) -> Void)? = nil) { self.whenEmpty = whenEmpty }

    /// Adds a waiter.
    ///
    /// - Returns: nil if the work has ended or was cancelled.
    func join() -> Int? {
        state.withLock { state in
            guard state.outcome == nil, !state.isCancelled else { return nil }
            state.lastWaiter += 1
            state.waiters.updateValue(nil, forKey: state.lastWaiter)
            return state.lastWaiter
        }
    }

    /// Begins the work, in a task of its own. It must end with a call of ``finish(_:)``.
    func start(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        let isCancelled = state.withLock { state in
            if state.outcome == nil { state.work = task }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Waits for the end of the work.
    ///
    /// - Throws: Errors of the work; ``RequestError/cancelled``, at once, if the calling task is cancelled.
    func value(for waiter: Int) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Value, any Error>? in
                    // Cancelled before it began to wait.
                    guard state.waiters.removeValue(forKey: waiter) != nil else {
                        return .failure(RequestError.cancelled)
                    }
                    if state.outcome == nil { state.waiters[waiter] = continuation }
                    return state.outcome
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            leave(waiter)
        }
    }

    /// Ends the work and passes the outcome to all waiters. Only the first outcome counts.
    func finish(_ outcome: Result<Value, any Error>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
            guard state.outcome == nil else { return [] }
            state.outcome = outcome
            state.work = nil
            defer { state.waiters = state.waiters.filter { $0.value == nil } }
            return state.waiters.sorted { $0.key < $1.key }.compactMap(\.value)
        }
        for continuation in waiting { continuation.resume(with: outcome) }
    }

    /// Cancels the work and admits no more waiters. The waiters get the outcome of the cancelled work.
    func cancel() {
        let work = state.withLock { state in
            state.isCancelled = true
            return state.work
        }
        work?.cancel()
    }

    private func leave(_ waiter: Int) {
        let (left, isEmpty) = state.withLock { state in
            let left = state.waiters.removeValue(forKey: waiter)
            let isEmpty = left != nil && state.waiters.isEmpty && state.outcome == nil && whenEmpty != nil
            // Under the same lock, or a task could join work that is about to be cancelled.
            if isEmpty { state.isCancelled = true }
            return (left, isEmpty)
        }
        left??.resume(throwing: RequestError.cancelled)
        guard isEmpty else { return }
        cancel()
        whenEmpty?(self)
    }
}
