/// Sends a request and returns a response: the interface to the network.
///
/// ``SystemTransport/shared`` is the built-in one; ``RetryTransport`` and others wrap another; tests use the `MockTransport`
/// of `ModelMirrorTesting`.
///
/// To write one that sends: start with ``TransportRequest/prepared()`` for each attempt, return the head as soon as it arrives, and
/// let the body follow. Do not check the status: a 404 is a response. Follow redirects with
/// ``TransportRequest/redirected(status:headers:policy:count:)``. End the transfer when the calling task is cancelled or the
/// body is dropped. Throw ``RequestError``. Test it with `TransportConformance` of `ModelMirrorTesting`.
///
/// One that wraps another forwards its ``identity(for:)`` and declares the fields that it adds
/// (``TransportRequest/declaredFields``); otherwise responses are neither stored nor shared. To add a credential, use an
/// ``AuthenticatingTransport`` or an ``InterceptingTransport``, which also compare sign-ins. A transport that waits needs no code
/// for accounts.
///
/// ```swift
/// struct Stamped: Transport {
///     let base: any Transport
///     func response(to request: TransportRequest) async throws -> TransportResponse {
///         var request = request
///         request.headers["X-Client"] = "tour"
///         request.declaredFields.insert("X-Client")  // names no user
///         return try await base.response(to: request)
///     }
///     func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends a request and returns the head of the response; the body follows.
    ///
    /// - Throws: ``RequestError``; `.cancelled` if the calling task was cancelled.
    func response(to request: TransportRequest) async throws -> TransportResponse

    /// The account that this transport would send the request for now, apart from the request's own fields.
    ///
    /// Return `.none` if the transport adds no credentials, cookies or certificates, and the inner transport's identity if it
    /// wraps one. Called when a request is bound, and again before it is sent: if the account of a transport of your own is another
    /// one then, the request throws ``RequestError/accountChanged``. Called on any thread. Defaults to
    /// ``TransportIdentity/unknown``: nothing is stored or shared.
    func identity(for request: TransportRequest) -> TransportIdentity
}

extension Transport {
    /// ``TransportIdentity/unknown``.
    public func identity(for request: TransportRequest) -> TransportIdentity { .unknown }
}

/// A transport that wraps another and adds no credentials.
protocol ForwardingTransport: Transport {
    /// The transport that sends.
    var base: any Transport { get }
}

extension ForwardingTransport {
    /// The inner transport's identity.
    public func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }
}

/// A transport that wraps another and sends bound requests, several times or later.
protocol BindingTransport: ForwardingTransport {
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

extension BindingTransport {
    /// Binds the request over the inner transport, and sends it. A `CancellationError` becomes ``RequestError/cancelled``.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        var request = request
        let bound = request.bind(over: base)
        defer { withExtendedLifetime(bound) {} }
        return try await mappingErrors(\.asRequestError) { try await send(request) }
    }
}

extension Error {
    /// ``RequestError/cancelled`` for a `CancellationError`; any other error unchanged.
    var asRequestError: any Error { self is CancellationError ? RequestError.cancelled : self }
}

/// The result of asynchronous work.
func result<Value, Failure>(of work: () async throws(Failure) -> Value) async -> Result<Value, Failure> {
    do throws(Failure) {
        return .success(try await work())
    } catch {
        return .failure(error)
    }
}

/// Runs work with other errors in place of its own.
nonisolated(nonsending) func mappingErrors<Result>(
    _ transform: (any Error) -> any Error, _ work: nonisolated(nonsending) () async throws -> sending Result
) async throws -> sending Result {
    do {
        return try await work()
    } catch {
        throw transform(error)
    }
}
