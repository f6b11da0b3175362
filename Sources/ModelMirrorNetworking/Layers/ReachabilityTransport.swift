/// Fails requests at once, or makes them wait, while there is no network; nothing is sent then.
///
/// ```swift
/// let failing = ReachabilityTransport()
/// let waiting = ReachabilityTransport(waitingUpTo: .seconds(30))
/// ```
///
/// It throws ``RequestError/noConnectivity`` if there is no network within the limit, ``RequestError/cancelled`` if the calling task was
/// cancelled, and errors of the other transport. While waiting, it checks every half second. Inside a ``RetryTransport``, each attempt
/// checks and waits.
///
/// The check is a guess: a network may not reach the server, and may be lost a moment later; a server on the same machine needs none.
public struct ReachabilityTransport: Transport, BindingTransport {
    private static let interval: Duration = .milliseconds(500)

    let base: any Transport
    private let isConnected: @Sendable () async -> Bool
    private let limit: Duration
    private let clock: any Clock<Duration>

    /// Checks the network before another transport sends.
    ///
    /// - Parameters:
    ///   - base: The transport that sends. Defaults to ``SystemTransport/shared``.
    ///   - isConnected: Whether there is a network. Called for each check, from any number of tasks at once; requests wait for it,
    ///     so it should answer quickly, and return true if in doubt. Defaults to the system's answer: that of `NWPathMonitor` on
    ///     Apple platforms, true on watchOS, elsewhere whether an interface except loopback is up, running and has an IP address.
    ///   - limit: The longest wait for a network. Defaults to zero, which fails at once.
    ///   - clock: Measures the wait.
    public init(
        _ base: any Transport = SystemTransport.shared, isConnected: (@Sendable () async -> Bool)? = nil,
        waitingUpTo limit: Duration = .zero, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.base = base
        self.isConnected = isConnected ?? SystemReachability().isConnected
        self.limit = min(limit, TransportRequest.longestTimeout)
        self.clock = clock
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await request.beforeDeadline {
            var waited: Duration = .zero
            while true {
                try Task.checkCancellation()
                let isConnected = await isConnected()
                try Task.checkCancellation()
                if isConnected { return try await base.response(to: request) }
                let pause = min(limit - waited, Self.interval)
                guard pause > .zero else { throw RequestError.noConnectivity }
                try await clock.sleep(for: pause)
                waited += pause
            }
        }
    }
}
