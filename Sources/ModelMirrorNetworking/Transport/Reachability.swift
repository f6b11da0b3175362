/// Tells whether there is a network: ``SystemReachability``, or one of your own.
///
/// The answer is a guess, for a network may lead nowhere, and may be gone a moment later. Its use is to fail at once where
/// there is plainly none, in ``AbstractRepository/Configuration/reachability`` or a ``ReachabilityTransport``.
///
/// To write one: answer soon, for requests wait for it, and if in doubt say yes, for then the request itself will tell.
/// It may be asked by any number of tasks at once.
public protocol Reachability: Sendable {
    /// Whether there is a network.
    func isConnected() async -> Bool
}
