/// Somebody who observes a ``RequestSignal``, until its end or until this is cancelled.
///
/// It may be used from any thread. The observation goes on if nobody keeps it.
public final class RequestObservation: Sendable {
    private let stop: @Sendable () -> Void

    init(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }

    /// Ends the observation with ``RequestError/cancelled``, unless it has ended already, and cancels the request.
    public func cancel() { stop() }
}
