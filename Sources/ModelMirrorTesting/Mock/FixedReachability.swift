import Synchronization

/// A network that a test connects and disconnects.
///
/// ```swift
/// let reachability = FixedReachability(false)
/// client.transport = ReachabilityTransport(mock, isConnected: reachability.isConnected)
/// // … requests fail with `.noConnectivity`
/// reachability.set(true)
/// ```
public final class FixedReachability: Sendable {
    private let answer: Mutex<Bool>

    /// A reachability with an initial answer.
    public init(_ isConnected: Bool) { answer = Mutex(isConnected) }

    /// Sets the answer from now on.
    public func set(_ isConnected: Bool) { answer.withLock { $0 = isConnected } }

    /// The current answer.
    public func isConnected() async -> Bool { answer.withLock(\.self) }
}
