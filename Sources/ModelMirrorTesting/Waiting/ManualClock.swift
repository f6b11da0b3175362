import Synchronization

/// A clock that only a test advances, so that waits of seconds take no time.
///
/// ```swift
/// let clock = ManualClock()
/// let transport = MockTransport(clock: clock)
/// transport.on(.get, "/slow", .json("[]").delayed(by: .seconds(30)))
/// // … in another task, the request is made
/// try await clock.sleepers(atLeast: 1)
/// clock.advance(by: .seconds(30))
/// ```
public final class ManualClock: Clock {
    /// A time of the clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public let offset: Duration

        /// A later time.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// The duration until another time.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether a time is earlier than another.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State: Sendable {
        var now = Instant(offset: .zero)
        var sleeps: [Duration] = []
        /// The times until which tasks sleep, by the number of the sleep, including those that have come but whose tasks have not
        /// run yet.
        var deadlines: [Int: Instant] = [:]
    }

    private let state = Observed(State())

    /// A clock at zero.
    public init() {}

    /// The current time.
    public var now: Instant { state.value.now }

    /// The smallest step, a nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The requested duration of each sleep so far, in the order in which they began.
    public var sleeps: [Duration] { state.value.sleeps }

    /// Advances the clock and wakes the tasks whose time has come.
    public func advance(by duration: Duration) {
        state.update { $0.now = $0.now.advanced(by: duration) }
    }

    /// Waits until this many tasks are sleeping: a task whose time has come, or that was cancelled, is awake, whether it has run
    /// yet or not.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleepers(atLeast count: Int) async throws {
        _ = try await state.wait { state in state.deadlines.values.count { $0 > state.now } >= count }
    }

    /// Waits until this many sleeps have begun, including ended ones.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleeps(atLeast count: Int) async throws {
        _ = try await state.wait { $0.sleeps.count >= count }
    }

    /// Sleeps until the clock reaches a time.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.update { state in
            state.sleeps.append(state.now.duration(to: deadline))
            return state.sleeps.count
        }
        defer { state.update { $0.deadlines[number] = nil } }
        _ = try await withTaskCancellationHandler {
            state.update { state in
                // Asked under the lock: a cancellation after this removes the deadline.
                if !Task.isCancelled { state.deadlines[number] = deadline }
            }
            return try await state.wait { $0.now >= deadline }
        } onCancel: {
            state.update { $0.deadlines[number] = nil }
        }
        try Task.checkCancellation()
    }
}
