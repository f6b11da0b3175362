import Synchronization

/// Holds back responses of a ``LoopbackServer`` or a ``MockTransport`` until a test releases them, to test what happens in
/// between without sleeping.
///
/// ```swift
/// let gate = Gate()
/// server.on(.get, "/slow", .slow(["[1,", "2]"], at: gate))
/// // … the head has arrived, no byte of the body has
/// gate.pass()  // the first piece goes out
/// gate.open()  // and all the others
/// ```
///
/// A gate may be shared by any number of responses; each `pass()` lets one of them take one step.
public final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var passes = 0
        var arrivals = 0

        /// Lets a step through, with a pass unless the gate is open.
        mutating func letThrough() -> Bool {
            if isOpen { return true }
            guard passes > 0 else { return false }
            passes -= 1
            return true
        }
    }

    private let state = Observed(State())
    /// Wakes waiting threads; tasks wait for the state.
    private let threads = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

    /// A closed gate.
    ///
    /// - Parameter passes: The number of steps it lets through at first.
    public init(passes: Int = 0) {
        if passes > 0 { pass(passes) }
    }

    /// Opens the gate permanently.
    public func open() { change { $0.isOpen = true } }

    /// Lets this many steps through, waiting or future ones.
    public func pass(_ count: Int = 1) { change { $0.passes += count } }

    /// The number of steps that have arrived at the gate, passed or waiting.
    public var arrivalCount: Int { state.value.arrivals }

    /// Waits until this many steps have arrived at the gate.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func arrivals(atLeast count: Int = 1) async throws {
        _ = try await state.wait { $0.arrivals >= count }
    }

    /// Arrives at the gate and waits until it lets this step through; an open gate lets cancelled tasks through as well.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first; no pass is used then.
    public func enter() async throws {
        arrive()
        if state.value.isOpen { return }
        // Taken by the wait itself: in a step of its own, a task cancelled in between would use the pass of another.
        _ = try await state.wait { $0.letThrough() }
    }

    func arrive() { state.update { $0.arrivals += 1 } }

    /// Uses one pass if there is one; if not, wakes the thread when there may be one.
    ///
    /// - Parameter thread: Identifies the thread until it leaves.
    func take(orTell thread: AnyObject, _ wake: @escaping @Sendable () -> Void) -> Bool {
        // Registered first, or opening the gate in between would wake nobody.
        threads.withLock { $0[ObjectIdentifier(thread)] = wake }
        return state.update { $0.letThrough() }
    }

    func leave(_ thread: AnyObject) {
        threads.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(thread)) }
    }

    private func change(_ change: (inout State) -> Void) {
        state.update(change)
        for wake in threads.withLock({ Array($0.values) }) { wake() }
    }
}
