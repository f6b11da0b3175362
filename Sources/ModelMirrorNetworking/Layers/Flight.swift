import Synchronization

/// Work that any number of tasks wait for; each can be cancelled without affecting the others.
///
/// A task joins as a waiter and then awaits the value; the creator is the first waiter. Tasks can join until the work has ended,
/// or until all waiters have left.
final class Flight<Value: Sendable>: Sendable {
    private enum Seat {
        /// Joined, but not awaiting the value yet.
        case taken
        case waiting(CheckedContinuation<Value, any Error>)
    }

    private struct State {
        var seats: [Int: Seat] = [0: .taken]
        var lastSeat = 0
        var work: Task<Void, Never>?
        var outcome: Result<Value, any Error>?
        var isCancelled = false
    }

    /// The waiter that created this task.
    let firstSeat = 0

    private let state = Mutex(State())
    private let whenEmpty: (@Sendable (Flight<Value>) -> Void)?

    /// A task without work.
    ///
    /// - Parameter whenEmpty: Called when the last waiter has left before the end; the work is cancelled then. Without it, the
    ///   work continues without waiters.
    init(whenEmpty: (@Sendable (Flight<Value>) -> Void)? = nil) { self.whenEmpty = whenEmpty }

    /// Adds a waiter.
    ///
    /// - Returns: nil if the work has ended or was cancelled.
    func takeSeat() -> Int? {
        state.withLock { state in
            guard state.outcome == nil, !state.isCancelled else { return nil }
            state.lastSeat += 1
            state.seats[state.lastSeat] = .taken
            return state.lastSeat
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
    func value(inSeat seat: Int) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Value, any Error>? in
                    // Cancelled before it began to wait.
                    guard state.seats[seat] != nil else { return .failure(RequestError.cancelled) }
                    if let outcome = state.outcome {
                        state.seats[seat] = nil
                        return outcome
                    }
                    state.seats[seat] = .waiting(continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            leave(seat)
        }
    }

    /// Ends the work and passes the outcome to all waiters. Only the first outcome counts.
    func land(_ outcome: Result<Value, any Error>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
            guard state.outcome == nil else { return [] }
            state.outcome = outcome
            state.work = nil
            let seats = state.seats
            state.seats = seats.filter { if case .taken = $0.value { true } else { false } }
            return seats.sorted { $0.key < $1.key }.compactMap {
                if case .waiting(let continuation) = $0.value { continuation } else { nil }
            }
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

    private func leave(_ seat: Int) {
        let (left, isEmpty) = state.withLock { state in
            let left = state.seats.removeValue(forKey: seat)
            let isEmpty = left != nil && state.seats.isEmpty && state.outcome == nil && whenEmpty != nil
            // Under the same lock, or a task could join work that is about to be cancelled.
            if isEmpty { state.isCancelled = true }
            return (left, isEmpty)
        }
        if case .waiting(let continuation) = left { continuation.resume(throwing: RequestError.cancelled) }
        guard isEmpty else { return }
        cancel()
        whenEmpty?(self)
    }
}
