/// Passes requests and responses through interceptors, which may change them.
///
/// ```swift
/// let transport = InterceptingTransport(account: .none) { request in
///     request.headers["X-Client"] = "tour"
/// } inspecting: { response, request in
///     if response.status == 410 { throw ClientTooOld() }
/// }
/// ```
///
/// Interceptors wrap the transport like layers: requests pass them from first to last, responses from last to first. Each gets
/// the result of the one before it.
///
/// An interceptor that changes requests must declare the account they are sent for (``Interceptor/identity(for:)``). Unless all
/// do, nothing is stored or shared. If the account is another when a request, or one that follows from it, is sent, that fails with
/// ``RequestError/accountChanged``. What an interceptor adds for an account is a credential: redirects to another origin drop it,
/// and it is not shown. So are header fields that it adds without declaring an account, except those that never name a user
/// (``TransportRequest/declaredFields``); with `.none`, all that it adds is sent along.
///
/// An error thrown by an interceptor fails the request unchanged: later interceptors are not called, and nothing is sent, or the
/// transfer of the response ends. A `CancellationError` becomes ``RequestError/cancelled``. Errors of the transport do not
/// pass through the interceptors.
public struct InterceptingTransport: Transport {
    private let layer = RequestBinding.newLayer()
    private let base: any Transport
    private let interceptors: [any Interceptor]

    /// Intercepts the requests of another transport.
    ///
    /// - Parameters:
    ///   - base: The transport that sends. Defaults to ``SystemTransport/shared``.
    ///   - interceptors: The outermost first.
    public init(_ base: any Transport = SystemTransport.shared, interceptors: [any Interceptor]) {
        self.base = base
        self.interceptors = interceptors
    }

    /// Changes requests and inspects responses with closures; see ``Interceptor``.
    ///
    /// ```swift
    /// let transport = InterceptingTransport(account: .account("mona")) { request in
    ///     try request.headers.setBearerAuthorization(saved.token)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - base: The transport that sends. Defaults to ``SystemTransport/shared``.
    ///   - account: The account that requests are sent for after `adapting` changed them. Evaluated for each use, so that it can
    ///     follow a session. Defaults to `.unknown`: nothing is stored or shared, and header fields count as credentials. Ignored
    ///     without `adapting`.
    ///   - adapting: Changes a request before it is sent; nil for none.
    ///   - inspecting: Inspects, changes or replaces a response; nil for none.
    public init(
        _ base: any Transport = SystemTransport.shared,
        account: @autoclosure @escaping @Sendable () -> TransportIdentity = .unknown,
        adapting: (@Sendable (_ request: inout TransportRequest) async throws -> Void)? = nil,
        inspecting: (
            @Sendable (_ response: inout TransportResponse, _ request: TransportRequest) async throws -> Void
        )? = nil
    ) {
        self.init(base, interceptors: [ClosureInterceptor(account: account, adapt: adapting, inspect: inspecting)])
    }

    /// Adapts and sends a request, and returns the inspected response.
    ///
    /// - Throws: Errors of interceptors and of the other transport; ``RequestError/accountChanged``; ``RequestError/cancelled`` if
    ///   the calling task was cancelled before the request was sent.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        try await mappingErrors(\.asRequestError) {
            var request = request
            let bound = request.bind(over: self)
            defer { withExtendedLifetime(bound) {} }
            let started = request
            let present = interceptors.identity(for: started)
            let binding = request.binding
            _ = try binding?.signIn(of: layer, noting: .stated(present), present)
            for interceptor in interceptors {
                try Task.checkCancellation()
                let before = request
                try await interceptor.adapt(&request)
                let identity = interceptor.identity(for: before)
                request.noteFields(
                    addedTo: before, areCredentials: identity != .none, areDeclared: identity != .unknown)
            }
            try Task.checkCancellation()
            request.signInChecks.append { [layer, interceptors] in
                binding?.isBound(to: .stated(interceptors.identity(for: started)), of: layer) == true
            }
            guard request.hasPresentSignIns else { throw RequestError.accountChanged }
            var response = try await base.response(hidingCredentialsOf: request)
            for interceptor in interceptors.reversed() { try await interceptor.inspect(&response, to: request) }
            return response
        }
    }

    /// The identities of the interceptors and the inner transport, combined.
    public func identity(for request: TransportRequest) -> TransportIdentity {
        let own = interceptors.identity(for: request)
        request.draft?.note(.stated(own), of: layer, own)
        return own.joined(with: base.identity(for: request))
    }
}

extension [any Interceptor] {
    /// The identities of the interceptors, combined.
    fileprivate func identity(for request: TransportRequest) -> TransportIdentity {
        reduce(.none) { $0.joined(with: $1.identity(for: request).ofOneName) }
    }
}

/// Changes requests before they are sent, and responses before they are returned; see ``InterceptingTransport``.
///
/// Implement `adapt`, `inspect` or both; the default changes nothing.
///
/// ```swift
/// struct Stamping: Interceptor {
///     func adapt(_ request: inout TransportRequest) async throws { request.headers["X-Client"] = "tour" }
///     func identity(for request: TransportRequest) -> TransportIdentity { .none }  // the field names no user
/// }
/// ```
///
/// Called by any number of requests at once, on any thread. ``identity(for:)`` must not wait for other work: transports also call it when
/// they begin to send.
public protocol Interceptor: Sendable {
    /// Changes a request before it is sent.
    ///
    /// - Throws: An error that fails the request; it is not sent then.
    func adapt(_ request: inout TransportRequest) async throws

    /// Inspects, changes or replaces a response. Its head has arrived, its body has not: an interceptor that reads the body must
    /// set another one.
    ///
    /// - Parameters:
    ///   - response: The response, with any status.
    ///   - request: The request as it was sent.
    /// - Throws: An error that fails the request; the transfer ends then.
    func inspect(_ response: inout TransportResponse, to request: TransportRequest) async throws

    /// The account that requests are sent for after this interceptor changed them; `.none` if it adds nothing that identifies a
    /// user.
    ///
    /// Defaults to ``TransportIdentity/unknown``, so that nothing is stored or shared, and header fields count as credentials.
    func identity(for request: TransportRequest) -> TransportIdentity
}

extension Interceptor {
    /// Changes nothing.
    public func adapt(_ request: inout TransportRequest) async throws {}

    /// Changes nothing.
    public func inspect(_ response: inout TransportResponse, to request: TransportRequest) async throws {}

    /// ``TransportIdentity/unknown``.
    public func identity(for request: TransportRequest) -> TransportIdentity { .unknown }
}

private struct ClosureInterceptor: Interceptor {
    let account: @Sendable () -> TransportIdentity
    let adapt: (@Sendable (inout TransportRequest) async throws -> Void)?
    let inspect: (@Sendable (inout TransportResponse, TransportRequest) async throws -> Void)?

    func adapt(_ request: inout TransportRequest) async throws { try await adapt?(&request) }

    func inspect(_ response: inout TransportResponse, to request: TransportRequest) async throws {
        try await inspect?(&response, request)
    }

    func identity(for request: TransportRequest) -> TransportIdentity { adapt == nil ? .none : account() }
}
