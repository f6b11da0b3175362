public import ModelMirrorNetworking
import Synchronization

/// A network that is there or not, as a test says.
///
/// ```swift
/// let reachability = FixedReachability(false)
/// repository.configuration.reachability = reachability
/// // … requests fail with `.noConnectivity`
/// reachability.set(true)
/// ```
public final class FixedReachability: Reachability {
    private let answer: Mutex<Bool>

    /// A network that is there, or is not.
    public init(_ isConnected: Bool) { answer = Mutex(isConnected) }

    /// Changes what is answered from now on.
    public func set(_ isConnected: Bool) { answer.withLock { $0 = isConnected } }

    /// What was said last.
    public func isConnected() async -> Bool { answer.withLock(\.self) }
}
