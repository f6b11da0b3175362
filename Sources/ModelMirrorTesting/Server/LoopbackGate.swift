import Synchronization

/// Holds back what a ``LoopbackServer`` sends until a test lets it go on.
///
/// ```swift
/// let gate = LoopbackGate()
/// server.on(.get, "/slow", .slow(["[1,", "2]"], at: gate))
/// // … the head has arrived, no byte of the body has
/// gate.pass()  // the first piece goes out
/// gate.open()  // and all the others
/// ```
///
/// A gate may be shared by any number of responses; each `pass()` lets one of them take one step.
public final class LoopbackGate: Sendable {
    private struct State {
        var isOpen = false
        var passes = 0
        var waiting: [ObjectIdentifier: WakePipe] = [:]
    }

    private let state = Mutex(State())
    private let arrivals = Observed(0)

    /// A closed gate.
    public init() {}

    /// Opens the gate for good.
    public func open() { wake { $0.isOpen = true } }

    /// Lets so many steps through, now or when they come.
    public func pass(_ count: Int = 1) { wake { $0.passes += count } }

    /// How many steps have come to the gate so far, through it or not.
    public var arrivalCount: Int { arrivals.value }

    /// Waits until so many steps have come to the gate.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func arrivals(_ count: Int = 1) async throws {
        _ = try await arrivals.wait { $0 >= count }
    }

    /// Says that a step has come to the gate.
    func arrive() { arrivals.update { $0 += 1 } }

    /// Takes one pass, if there is one; if not, `pipe` is woken when there may be.
    func take(orWake pipe: WakePipe) -> Bool {
        state.withLock { state in
            if state.isOpen { return true }
            if state.passes > 0 {
                state.passes -= 1
                return true
            }
            state.waiting[ObjectIdentifier(pipe)] = pipe
            return false
        }
    }

    /// Forgets a pipe that waits no longer.
    func leave(_ pipe: WakePipe) {
        state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(pipe)) }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for pipe in waiting { pipe.wake() }
    }
}
