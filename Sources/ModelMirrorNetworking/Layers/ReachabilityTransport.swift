/// Reports whether there is a network; ``SystemReachability`` asks the system.
///
/// The answer is a guess: a network may not reach the server, and may be lost a moment later. ``ReachabilityTransport`` uses it
/// to fail at once, or to wait, when there is clearly none.
///
/// To write one: answer quickly, since requests wait for it. If in doubt return true, so that the request itself decides. It may
/// be called by any number of tasks at once.
public protocol Reachability: Sendable {
    /// Whether there is a network.
    func isConnected() async -> Bool
}

/// Fails requests at once, or makes them wait, while there is no network; nothing is sent then.
///
/// ```swift
/// let failing = ReachabilityTransport()
/// let waiting = ReachabilityTransport(waitingUpTo: .seconds(30))
/// ```
///
/// It throws ``RequestError/noConnectivity`` if there is no network within the limit, ``RequestError/cancelled`` if the calling task was
/// cancelled, and errors of the other transport. While waiting, it checks every half second. Inside a ``RetryTransport``, each attempt checks and waits.
public struct ReachabilityTransport: Transport, BindingTransport {
    private static let interval: Duration = .milliseconds(500)

    let base: any Transport
    private let reachability: any Reachability
    private let limit: Duration
    private let clock: any Clock<Duration>

    /// Checks the network before another transport sends.
    ///
    /// - Parameters:
    ///   - base: The transport that sends. Defaults to ``SystemTransport/shared``.
    ///   - reachability: Reports whether there is a network. Defaults to ``SystemReachability``.
    ///   - limit: The longest wait for a network. Defaults to zero, which fails at once.
    ///   - clock: Measures the wait.
    public init(
        _ base: any Transport = SystemTransport.shared, reachability: any Reachability = SystemReachability(),
        waitingUpTo limit: Duration = .zero, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.base = base
        self.reachability = reachability
        self.limit = min(limit, TransportRequest.longestTimeout)
        self.clock = clock
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await request.beforeDeadline { try await connected(request) }
    }

    private func connected(_ request: TransportRequest) async throws -> TransportResponse {
        var waited: Duration = .zero
        while try await !isConnected() {
            let pause = min(limit - waited, Self.interval)
            guard pause > .zero else { throw RequestError.noConnectivity }
            do {
                try await clock.sleep(for: pause)
            } catch is CancellationError {
                throw RequestError.cancelled
            }
            waited += pause
        }
        return try await base.response(to: request)
    }

    private func isConnected() async throws(RequestError) -> Bool {
        if Task.isCancelled { throw .cancelled }
        let isConnected = await reachability.isConnected()
        if Task.isCancelled { throw .cancelled }
        return isConnected
    }
}
