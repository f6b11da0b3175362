import Synchronization

/// Holds back what a ``LoopbackServer`` or a ``MockTransport`` answers until a test lets it go on: the way to test what
/// happens meanwhile without sleeping.
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
    }

    private let state = Observed(State())
    /// What wakes the threads that wait; tasks wait for the state.
    private let threads = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

    /// A closed gate.
    ///
    /// - Parameter passes: How many steps it lets through nevertheless.
    public init(passes: Int = 0) {
        if passes > 0 { pass(passes) }
    }

    /// Opens the gate for good.
    public func open() { change { $0.isOpen = true } }

    /// Lets so many steps through, now or when they come.
    public func pass(_ count: Int = 1) { change { $0.passes += count } }

    /// How many steps have come to the gate so far, through it or not.
    public var arrivalCount: Int { state.value.arrivals }

    /// Waits until so many steps have come to the gate.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func arrivals(atLeast count: Int = 1) async throws {
        _ = try await state.wait { $0.arrivals >= count }
    }

    /// Comes to the gate and waits until it lets one step through.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first; no pass is used up then.
    public func enter() async throws {
        arrive()
        while !take() { _ = try await state.wait { $0.isOpen || $0.passes > 0 } }
    }

    /// Says that a step has come to the gate.
    func arrive() { state.update { $0.arrivals += 1 } }

    /// Takes one pass, if there is one; if not, a thread that waits is woken when there may be.
    ///
    /// - Parameter thread: Identifies the thread until it leaves.
    func take(orTell thread: AnyObject, _ wake: @escaping @Sendable () -> Void) -> Bool {
        // In this order, or what opens the gate in between would wake nobody.
        threads.withLock { $0[ObjectIdentifier(thread)] = wake }
        return take()
    }

    /// Forgets a thread that waits no longer.
    func leave(_ thread: AnyObject) {
        threads.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(thread)) }
    }

    private func take() -> Bool {
        state.update { state in
            if state.isOpen { return true }
            guard state.passes > 0 else { return false }
            state.passes -= 1
            return true
        }
    }

    private func change(_ change: (inout State) -> Void) {
        state.update(change)
        for wake in threads.withLock({ Array($0.values) }) { wake() }
    }
}
