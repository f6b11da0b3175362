import Synchronization

/// A value that threads change and tasks await.
package final class Observed<Value: Sendable>: Sendable {
    private struct Waiter {
        let condition: @Sendable (inout Value) -> Bool
        let continuation: CheckedContinuation<Value, any Error>
    }

    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var cancelled: Set<Int> = []
        var nextIdentifier = 0
    }

    private let state: Mutex<State>

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    /// The current value.
    package var value: Value { state.withLock { $0.value } }

    /// Changes the value and resumes the waiters whose condition it meets.
    @discardableResult
    package func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        let (result, met) = state.withLock { state -> (Result, [(Waiter, Value)]) in
            let result = change(&state.value)
            var met: [(Waiter, Value)] = []
            for (identifier, waiter) in state.waiters.sorted(by: { $0.key < $1.key })
            where waiter.condition(&state.value) {
                state.waiters[identifier] = nil
                met.append((waiter, state.value))
            }
            return (result, met)
        }
        for (waiter, value) in met { waiter.continuation.resume(returning: value) }
        return result
    }

    /// Waits until the value meets a condition, and returns it. The condition may change a value that meets it: the wait ends and
    /// the value changes at once.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    package func wait(until condition: @escaping @Sendable (inout Value) -> Bool) async throws -> Value {
        let identifier = state.withLock { state in
            state.nextIdentifier += 1
            return state.nextIdentifier
        }
        // A task cancelled after its wait has ended still leaves a mark.
        defer { state.withLock { _ = $0.cancelled.remove(identifier) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Value, any Error>? in
                    if state.cancelled.contains(identifier) { return .failure(CancellationError()) }
                    if condition(&state.value) { return .success(state.value) }
                    state.waiters[identifier] = Waiter(condition: condition, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                if let waiter = state.waiters.removeValue(forKey: identifier) { return waiter }
                state.cancelled.insert(identifier)
                return nil
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }
}
