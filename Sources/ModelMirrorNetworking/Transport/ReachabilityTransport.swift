/// Fails at once where there is no network, without sending.
///
/// ```swift
/// let transport = ReachabilityTransport()
/// ```
///
/// A repository asks by itself if ``AbstractRepository/Configuration/reachability`` is set; this is for a transport that
/// several share, and for one inside of others: inside of a ``RetryTransport`` each attempt asks.
public struct ReachabilityTransport: Transport {
    private let base: any Transport
    private let reachability: any Reachability

    /// Asks before another transport sends.
    ///
    /// - Parameters:
    ///   - base: What sends; by default ``SystemTransport/shared``.
    ///   - reachability: Whom to ask.
    public init(_ base: any Transport = SystemTransport.shared, reachability: any Reachability = SystemReachability()) {
        self.base = base
        self.reachability = reachability
    }

    /// Passes a request on, if there is a network.
    ///
    /// - Throws: ``RequestError/noConnectivity`` if there is none, ``RequestError/cancelled`` if the calling task was
    ///   cancelled, and what the other transport throws.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        if Task.isCancelled { throw RequestError.cancelled }
        let isConnected = await reachability.isConnected()
        if Task.isCancelled { throw RequestError.cancelled }
        guard isConnected else { throw RequestError.noConnectivity }
        return try await base.response(to: request)
    }
}
