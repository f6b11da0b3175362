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

    /// For whom this transport would send the request now, beside what the request's own fields say.
    ///
    /// `.none` is right for a transport that adds no credentials, cookies or certificates; one that wraps another asks that
    /// one. Without an implementation it is ``TransportIdentity/unknown``, so that nothing is stored or shared.
    func identity(for request: TransportRequest) -> TransportIdentity
}

extension Transport {
    /// ``TransportIdentity/unknown``.
    public func identity(for request: TransportRequest) -> TransportIdentity { .unknown }
}

/// The transport that clients and wrapping transports use unless they are given one.
public enum SystemTransport {
    /// One transport for the whole program, whose connections are shared and kept.
    public static var shared: any Transport { URLSessionTransport.shared }
}
