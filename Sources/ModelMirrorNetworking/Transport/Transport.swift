/// The interface to the network: takes a request, returns a response.
///
/// ``SystemTransport/shared`` is the built-in one; ``RetryTransport`` and others wrap another; tests use the `MockTransport`
/// of `ModelMirrorTesting`.
///
/// To write one: begin with ``TransportRequest/prepared()``, return the head as soon as it arrives, and let the body follow.
/// Do not judge a status: 404 is a response. Follow redirects by ``TransportRequest/redirected(status:headers:policy:count:)``.
/// End the transfer when the calling task is cancelled, the body is dropped or the deadline passes
/// (``TransportRequest/beforeDeadline(_:)``). Throw ``RequestError``. Then run `TransportConformance` of `ModelMirrorTesting` over it.
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
    /// Sends a request and returns the head of the response; the body follows.
    ///
    /// - Throws: ``RequestError``; `.cancelled` if the calling task was cancelled.
    func response(to request: TransportRequest) async throws -> TransportResponse

    /// For whom this transport would send the request now, beside what the request's own fields say.
    ///
    /// `.none` is right for a transport that adds no credentials, cookies or certificates; one that wraps another returns
    /// that one's. Without an implementation it is ``TransportIdentity/unknown``, so that nothing is stored or shared.
    func identity(for request: TransportRequest) -> TransportIdentity
}

extension Transport {
    /// ``TransportIdentity/unknown``.
    public func identity(for request: TransportRequest) -> TransportIdentity { .unknown }
}
