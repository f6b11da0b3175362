/// Lets interceptors change requests and responses on their way.
///
/// ```swift
/// let transport = InterceptingTransport(
///     .adapting { request in request.headers["X-Client"] = "tour" },
///     .inspecting { response, request in
///         if response.status == 410 { throw ClientTooOld() }
///     })
/// ```
///
/// The interceptors lie around the network like layers: requests pass them from the first to the last, responses from the
/// last to the first. Each sees what those before it have made.
///
/// What an interceptor throws is what the request fails with, as it is: those after it are not called, and nothing is sent,
/// or the transfer of the response ends. A `CancellationError` becomes ``RequestError/cancelled``. What the transport
/// throws passes the interceptors by.
public struct InterceptingTransport: Transport {
    private let base: any Transport
    private let interceptors: [any Interceptor]

    /// Intercepts what another transport sends.
    ///
    /// - Parameters:
    ///   - base: What sends.
    ///   - interceptors: The outermost first.
    public init(_ base: any Transport, _ interceptors: [any Interceptor]) {
        self.base = base
        self.interceptors = interceptors
    }

    /// Intercepts what another transport sends.
    ///
    /// - Parameters:
    ///   - base: What sends.
    ///   - interceptors: The outermost first.
    public init(_ base: any Transport, _ interceptors: any Interceptor...) { self.init(base, interceptors) }

    /// Intercepts what ``SystemTransport/shared`` sends.
    ///
    /// - Parameter interceptors: The outermost first.
    public init(_ interceptors: any Interceptor...) { self.init(SystemTransport.shared, interceptors) }

    /// Sends a request as the interceptors make it, and gives the response as they make it.
    ///
    /// - Throws: What an interceptor throws; what the other transport throws; ``RequestError/cancelled`` if the calling task
    ///   was cancelled before the request was sent.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        do {
            var request = request
            for interceptor in interceptors {
                try Task.checkCancellation()
                try await interceptor.adapt(&request)
            }
            try Task.checkCancellation()
            var response = try await base.response(to: request)
            for interceptor in interceptors.reversed() { try await interceptor.inspect(&response, to: request) }
            return response
        } catch is CancellationError {
            throw RequestError.cancelled
        }
    }
}
