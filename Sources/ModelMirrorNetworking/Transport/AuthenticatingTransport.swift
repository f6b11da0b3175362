public import Foundation
import Synchronization

/// Adds a credential to requests, and renews it when the server refuses it.
///
/// ```swift
/// let transport = try AuthenticatingTransport(
///     origins: [api], token: saved.token
/// ) { _, transport in
///     try await saved.renew(over: transport)  // gives the new token
/// }
/// ```
///
/// A request that is answered with 401 waits for a refresh and is sent once more, with the new credential. Whatever that
/// second response is, it is the result, so nothing goes round in circles. There is one refresh for any number of requests:
///
/// - Requests that come while the credential is being refreshed wait for the new one before they are sent.
/// - A 401 for a request that was sent before the last refresh had ended leads to no other: it is sent once more with the
///   present credential, or fails with the error of that refresh.
/// - A refresh that fails fails all that wait for it, with its error. The next request that is refused after that tries
///   again.
///
/// A request that is cancelled while it waits gets ``RequestError/cancelled`` at once. The refresh goes on, even with nobody
/// waiting, for a server may have used up the old credential already; its result is kept for the next request.
///
/// Credentials go to the origins (scheme, host and port) that you name and to no others: a request to another origin goes
/// through as it is, with its 401 if so. If a response comes from another origin, after a redirect, its 401 says nothing
/// about the credential and is given back. Transports do not take `Authorization`, `Cookie` and `Proxy-Authorization` to
/// another origin on a redirect (``TransportRequest/RedirectPolicy``); if you put a credential elsewhere, in another field or in
/// the URL, set ``TransportRequest/redirects`` to `.stop` with it.
///
/// Put ``RetryTransport`` around it, or ``CoalescingTransport``.
public final class AuthenticatingTransport<Credential: Sendable>: Transport {
    /// Gives a new credential.
    ///
    /// - Parameters:
    ///   - refused: The credential that was refused; nil if there was none.
    ///   - transport: What sends without credentials: the transport inside the authenticator.
    public typealias Refresh = @Sendable (_ refused: Credential?, _ transport: any Transport) async throws -> Credential

    private typealias State = CredentialState<Credential>

    private let base: any Transport
    private let origins: Set<Origin>
    private let keepsAuthorization: Bool
    private let adapt: @Sendable (inout TransportRequest, Credential) throws -> Void
    private let refresh: Refresh
    private let state: Mutex<CredentialState<Credential>>

    /// Adds a credential of your own kind.
    ///
    /// ```swift
    /// let transport = try AuthenticatingTransport(origins: [api], credential: key) { request, key in
    ///     request.headers["X-Key"] = key.text
    ///     request.redirects = .stop
    /// } refresh: { _, transport in
    ///     try await Key.fetch(over: transport)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - base: What sends; by default ``SystemTransport/shared``.
    ///   - origins: URLs of the servers that get the credential; all after the port is ignored.
    ///   - credential: The credential; nil if there is none yet: requests are sent without, and the first 401 gets one.
    ///   - adapt: Adds a credential to a request, before each time it is sent. It gets the request without credential; what
    ///     it throws is what the request fails with. On no particular queue.
    ///   - refresh: Gives a new credential. Never called while a call is under way that was not cancelled. On no particular
    ///     queue.
    /// - Throws: ``RequestError/invalidURL(_:)`` for an origin without scheme or host.
    public convenience init(
        _ base: any Transport = SystemTransport.shared, origins: [URL], credential: Credential?,
        adapt: @escaping @Sendable (_ request: inout TransportRequest, _ credential: Credential) throws -> Void,
        refresh: @escaping Refresh
    ) throws(RequestError) {
        try self.init(
            base, origins: origins, credential: credential, keepsAuthorization: false, adapt: adapt, refresh: refresh)
    }

    /// Adds a bearer token, RFC 6750 section 2.1: `Authorization: Bearer TOKEN`. A request that has an `Authorization` of its
    /// own goes through as it is.
    ///
    /// - Parameters:
    ///   - base: What sends; by default ``SystemTransport/shared``.
    ///   - origins: URLs of the servers that get the token; all after the port is ignored.
    ///   - token: The token; nil if there is none yet: requests are sent without, and the first 401 gets one.
    ///   - refresh: Gives a new token. Never called while a call is under way that was not cancelled. On no particular
    ///     queue.
    /// - Throws: ``RequestError/invalidURL(_:)`` for an origin without scheme or host.
    public convenience init(
        _ base: any Transport = SystemTransport.shared, origins: [URL], token: String?, refresh: @escaping Refresh
    ) throws(RequestError) where Credential == String {
        try self.init(
            base, origins: origins, credential: token, keepsAuthorization: true,
            adapt: { $0.headers[.authorization] = "Bearer \($1)" }, refresh: refresh)
    }

    private init(
        _ base: any Transport, origins: [URL], credential: Credential?, keepsAuthorization: Bool,
        adapt: @escaping @Sendable (inout TransportRequest, Credential) throws -> Void, refresh: @escaping Refresh
    ) throws(RequestError) {
        for url in origins where url.scheme == nil || (url.host ?? "").isEmpty {
            throw .invalidURL(url.absoluteString)
        }
        self.base = base
        self.origins = Set(origins.map(Origin.init))
        self.keepsAuthorization = keepsAuthorization
        self.adapt = adapt
        self.refresh = refresh
        state = Mutex(CredentialState(credential))
    }

    /// The present credential. Setting it, after signing in or out, cancels a refresh that is under way and ignores its
    /// result: requests that wait for it are sent with what was set.
    public var credential: Credential? {
        get { state.withLock(\.credential) }
        set {
            let (needless, issue) = state.withLock { $0.replace(with: newValue) }
            needless?.cancel()
            needless?.land(.success(issue))
        }
    }

    /// Sends a request with the credential, and once more with a new one if it is refused.
    ///
    /// - Throws: What the transport, `adapt` or `refresh` throws; ``RequestError/cancelled`` if the calling task was cancelled.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        guard origins.contains(Origin(request.url)), !(keepsAuthorization && request.headers[.authorization] != nil)
        else {
            return try await base.response(to: request)
        }
        let issue = try await issue { $0.stepBeforeSending() }
        if let response = try await response(to: request, unlessRefused: issue) { return response }
        if Task.isCancelled { throw RequestError.cancelled }
        let renewed = try await self.issue { $0.step(afterRefusalOf: issue) }
        return try await base.response(to: adapted(request, renewed))
    }

    /// The response, unless it is a 401 for the credential. That one is not kept, so that its transfer ends.
    private func response(to request: TransportRequest, unlessRefused issue: State.Issue) async throws
        -> TransportResponse?
    {
        let response = try await base.response(to: adapted(request, issue))
        return response.status == 401 && origins.contains(Origin(response.url)) ? nil : response
    }

    private func adapted(_ request: TransportRequest, _ issue: State.Issue) throws -> TransportRequest {
        guard let credential = issue.credential else { return request }
        var request = request
        try adapt(&request, credential)
        return request
    }

    /// What a request is sent with, as soon as that is known.
    private func issue(_ next: (inout sending State) -> State.Step) async throws -> State.Issue {
        switch state.withLock({ next(&$0) }) {
        case .send(let issue): return issue
        case .fail(let error): throw error
        case .wait(let flight, let seat):
            if RefreshUnderWay.flight === flight { throw RefreshUnderWay.error }
            return try await flight.value(inSeat: seat)
        case .refresh(let flight, let refused):
            flight.start { [self] in await renew(refused, flight) }
            return try await flight.value(inSeat: flight.firstSeat)
        }
    }

    private func renew(_ refused: Credential?, _ flight: Flight<State.Issue>) async {
        let outcome: Result<Credential, any Error>
        do {
            // A credential was set before this began: there is nothing to be renewed.
            if Task.isCancelled { throw RequestError.cancelled }
            outcome = .success(
                try await RefreshUnderWay.$flight.withValue(flight) { try await refresh(refused, base) })
        } catch {
            outcome = .failure(error)
        }
        let result = state.withLock { $0.end(flight, with: outcome) }
        if let result { flight.land(result) }
    }
}

/// The refresh that the present task belongs to: if it waited for itself, it would wait forever.
private enum RefreshUnderWay {
    @TaskLocal static var flight: (any AnyObject & Sendable)?

    static var error: RequestError {
        .invalidRequest(
            "the refresh of a credential sends it through the very transport that waits for the refresh; it has to use the "
                + "transport that it is given")
    }
}
