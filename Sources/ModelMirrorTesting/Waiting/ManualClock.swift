import Synchronization

/// A clock that stands still until a test moves it, so that what waits for seconds is tested in none.
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
    /// A time on the clock.
    public struct Instant: InstantProtocol {
        /// How long after the clock was made.
        public let offset: Duration

        /// The time so much later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// How much later another time is.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether a time is earlier than another.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State: Sendable {
        var now = Instant(offset: .zero)
        var sleeps: [Duration] = []
        var sleepers = 0
    }

    private let state = Observed(State())

    /// A clock at zero.
    public init() {}

    /// The time.
    public var now: Instant { state.value.now }

    /// The smallest step, a nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// How long each sleep so far was meant to last, in the order in which they began.
    public var sleeps: [Duration] { state.value.sleeps }

    /// Moves the clock on and wakes those whose time has come.
    public func advance(by duration: Duration) {
        state.update { $0.now = $0.now.advanced(by: duration) }
    }

    /// Waits until so many tasks sleep by this clock.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleepers(atLeast count: Int) async throws {
        _ = try await state.wait { $0.sleepers >= count }
    }

    /// Waits until so many sleeps have begun, over or not.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleeps(atLeast count: Int) async throws {
        _ = try await state.wait { $0.sleeps.count >= count }
    }

    /// Sleeps until the clock has been moved to a time.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        state.update { state in
            state.sleeps.append(state.now.duration(to: deadline))
            state.sleepers += 1
        }
        defer { state.update { $0.sleepers -= 1 } }
        _ = try await state.wait { $0.now >= deadline }
        try Task.checkCancellation()
    }
}
