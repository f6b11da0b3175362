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
}

extension Interceptor {
    /// Changes nothing.
    public func adapt(_ request: inout TransportRequest) async throws {}

    /// Changes nothing.
    public func inspect(_ response: inout TransportResponse, to request: TransportRequest) async throws {}
}

/// An ``Interceptor`` made of a closure, by ``Interceptor/adapting(_:)`` or ``Interceptor/inspecting(_:)``.
public struct ClosureInterceptor: Interceptor {
    private enum Step: Sendable {
        case adapt(@Sendable (inout TransportRequest) async throws -> Void)
        case inspect(@Sendable (inout TransportResponse, TransportRequest) async throws -> Void)
    }

    private let step: Step

    fileprivate init(adapting adapt: @escaping @Sendable (inout TransportRequest) async throws -> Void) {
        step = .adapt(adapt)
    }

    fileprivate init(
        inspecting inspect: @escaping @Sendable (inout TransportResponse, TransportRequest) async throws -> Void
    ) {
        step = .inspect(inspect)
    }

    /// Calls the closure, if it is one for requests.
    public func adapt(_ request: inout TransportRequest) async throws {
        if case .adapt(let adapt) = step { try await adapt(&request) }
    }

    /// Calls the closure, if it is one for responses.
    public func inspect(_ response: inout TransportResponse, to request: TransportRequest) async throws {
        if case .inspect(let inspect) = step { try await inspect(&response, request) }
    }
}

extension Interceptor where Self == ClosureInterceptor {
    /// Changes requests by a closure: `.adapting { request in request.headers["X-Client"] = "tour" }`.
    public static func adapting(
        _ adapt: @escaping @Sendable (_ request: inout TransportRequest) async throws -> Void
    ) -> ClosureInterceptor {
        ClosureInterceptor(adapting: adapt)
    }

    /// Looks at responses by a closure: `.inspecting { response, request in log(response.status, request.url) }`.
    public static func inspecting(
        _ inspect:
            @escaping @Sendable (_ response: inout TransportResponse, _ request: TransportRequest) async throws -> Void
    ) -> ClosureInterceptor {
        ClosureInterceptor(inspecting: inspect)
    }
}
