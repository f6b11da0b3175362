/// The one seam to the network.
///
/// ``URLSessionTransport`` is the built-in one; ``RetryTransport`` and its kind wrap another; tests use the
/// `MockTransport` of `ModelMirrorTesting`. A repository knows nothing but this protocol.
///
/// To write one: take the request as it is, give the head as soon as it is there, and let the body follow. Do not judge
/// a status: 404 is a response. End the transfer when the calling task is cancelled or the body is dropped. Throw
/// ``RequestError``. Then run the conformance check of `ModelMirrorTesting` over it.
///
/// ```swift
/// struct Stamped: Transport {
///     let base: any Transport
///     func response(to request: TransportRequest) async throws -> TransportResponse {
///         var request = request
///         request.headers["X-Client"] = "tour"
///         return try await base.response(to: request)
///     }
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends a request and gives the head of the response, with the body to follow.
    ///
    /// - Throws: ``RequestError``; `.cancelled` if the calling task was cancelled.
    func response(to request: TransportRequest) async throws -> TransportResponse
}
