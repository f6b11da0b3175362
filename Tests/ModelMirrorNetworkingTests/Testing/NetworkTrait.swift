import Synchronization
import Testing

/// Runs few tests at a time, so that all of them need fewer than the 1,024 open files that a shell allows by default.
///
/// All at once they had 5,000 open files and 1,600 threads. One of them has 400 files.
struct NetworkTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true
    private static let places = Places(count: 10)

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        await Self.places.take()
        defer { Self.places.give() }
        try await body()
    }
}

extension Trait where Self == NetworkTrait {
    /// For suites whose tests open connections or start threads.
    static var network: Self { NetworkTrait() }
}

/// A counting semaphore whose waiting callers are suspended, and served in their order.
private final class Places: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(count: Int) { state = Mutex(State(free: count)) }

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func give() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
