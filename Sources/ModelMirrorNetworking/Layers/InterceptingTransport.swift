/// Lets interceptors change requests and responses on their way.
///
/// ```swift
/// let transport = InterceptingTransport(
///     .adapting(account: .none) { request in request.headers["X-Client"] = "tour" },
///     .inspecting { response, request in
///         if response.status == 410 { throw ClientTooOld() }
///     })
/// ```
///
/// The interceptors lie around the network like layers: requests pass them from the first to the last, responses from the
/// last to the first. Each sees what those before it have made.
///
/// An interceptor that changes requests says for whom they are sent then (``Interceptor/identity(for:)``). Unless all do,
/// nothing that passes here is stored or shared. If the account has changed by the time a request is adapted, it throws
/// ``RequestError/accountChanged`` and is not sent.
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
    ///   - base: The transport that sends.
    ///   - interceptors: The outermost first.
    public init(_ base: any Transport, _ interceptors: [any Interceptor]) {
        self.base = base
        self.interceptors = interceptors
    }

    /// Intercepts what another transport sends.
    ///
    /// - Parameters:
    ///   - base: The transport that sends.
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
            var started = request
            started.bindIdentity(over: self)
            var request = started
            for interceptor in interceptors {
                try Task.checkCancellation()
                try await interceptor.adapt(&request)
            }
            try Task.checkCancellation()
            // First bound for the transport inside, then compared: a change in between is seen here, a later one there.
            request.identity = request.identity(over: base)
            try started.checkIdentity(over: self)
            var response = try await base.response(to: request)
            for interceptor in interceptors.reversed() { try await interceptor.inspect(&response, to: request) }
            return response
        } catch is CancellationError {
            throw RequestError.cancelled
        }
    }

    /// That of the interceptors and of the transport inside.
    public func identity(for request: TransportRequest) -> TransportIdentity {
        interceptors.reduce(TransportIdentity.none) { $0.joined(with: $1.identity(for: request)) }
            .joined(with: base.identity(for: request))
    }
}

/// Changes requests before they are sent, and responses before they are handed on; see ``InterceptingTransport``.
///
/// Implement one of the two, or both; what is left out changes nothing.
///
/// ```swift
/// struct Stamping: Interceptor {
///     func adapt(_ request: inout TransportRequest) async throws { request.headers["X-Client"] = "tour" }
/// }
/// ```
///
/// It may be called by any number of requests at once, on no particular thread.
public protocol Interceptor: Sendable {
    /// Changes a request before it is sent.
    ///
    /// - Throws: What the request is to fail with; it is not sent then.
    func adapt(_ request: inout TransportRequest) async throws

    /// Looks at a response, changes or replaces it. Its head has arrived, its body follows as it is read: who reads it here
    /// must put another in its place.
    ///
    /// - Parameters:
    ///   - response: The response, of any status.
    ///   - request: The request as it was sent.
    /// - Throws: What the request is to fail with; the rest of the response is not waited for then.
    func inspect(_ response: inout TransportResponse, to request: TransportRequest) async throws

    /// For whom a request is sent once this has changed it: `.none` if it adds nothing that identifies a user.
    ///
    /// Defaults to ``TransportIdentity/unknown``, so that nothing is stored or shared.
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

/// An ``Interceptor`` made of a closure, by ``Interceptor/adapting(account:_:)`` or ``Interceptor/inspecting(_:)``.
public struct ClosureInterceptor: Interceptor {
    fileprivate enum Step: Sendable {
        case adapt(
            @Sendable (inout TransportRequest) async throws -> Void, account: @Sendable () -> TransportIdentity)
        case inspect(@Sendable (inout TransportResponse, TransportRequest) async throws -> Void)
    }

    fileprivate let step: Step

    /// Calls the closure, if it is one for requests.
    public func adapt(_ request: inout TransportRequest) async throws {
        if case .adapt(let adapt, _) = step { try await adapt(&request) }
    }

    /// Calls the closure, if it is one for responses.
    public func inspect(_ response: inout TransportResponse, to request: TransportRequest) async throws {
        if case .inspect(let inspect) = step { try await inspect(&response, request) }
    }

    /// The account that was given; `.none` of one that inspects.
    public func identity(for request: TransportRequest) -> TransportIdentity {
        if case .adapt(_, let account) = step { account() } else { .none }
    }
}

extension Interceptor where Self == ClosureInterceptor {
    /// Changes requests by a closure.
    ///
    /// ```swift
    /// .adapting(account: .none) { request in request.headers["X-Client"] = "tour" }
    /// .adapting(account: .account(session.userID)) { request in try request.headers.setBearerAuthorization(session.token) }
    /// ```
    ///
    /// - Parameters:
    ///   - account: For whom a request is sent once the closure has changed it. Evaluated whenever it is needed, so that it
    ///     can follow a session. Without it nothing is stored or shared.
    ///   - adapt: Changes a request.
    public static func adapting(
        account: @autoclosure @escaping @Sendable () -> TransportIdentity = .unknown,
        _ adapt: @escaping @Sendable (_ request: inout TransportRequest) async throws -> Void
    ) -> ClosureInterceptor {
        ClosureInterceptor(step: .adapt(adapt, account: account))
    }

    /// Looks at responses by a closure: `.inspecting { response, request in log(response.status, request.url) }`.
    public static func inspecting(
        _ inspect:
            @escaping @Sendable (_ response: inout TransportResponse, _ request: TransportRequest) async throws -> Void
    ) -> ClosureInterceptor {
        ClosureInterceptor(step: .inspect(inspect))
    }
}
