public import ModelMirrorFoundation
import Synchronization

/// Adds a credential to requests, and renews it when the server rejects it.
///
/// ```swift
/// let fixed = try AuthenticatingTransport(origins: [api], token: personalToken)
/// let renewing = try AuthenticatingTransport(origins: [api], token: saved.token) { _, transport in
///     try await saved.renew(over: transport)  // returns the new token
/// } account: { token in
///     subject(of: token)  // survives the renewal
/// } refused: { _, _ in
///     Task { await session.end() }
/// }
/// ```
///
/// **Renewal.** A request that gets a 401 waits for a renewal and is sent once more with the new credential; that response is
/// the result, whatever its status. Any number of requests share one renewal:
///
/// - Requests that start during a renewal wait for it before they are sent.
/// - A 401 for a request sent before the last renewal ended does not start another: the request is sent once more with the
///   current credential.
///
/// Without a renewal, or when it fails, the caller gets the server's 401, with the error of the renewal in
/// ``ResponseHead/renewalError``. At most 64 KiB of its body are kept during a renewal. Later requests are still sent with
/// the rejected credential, but it is not renewed again until ``credential`` is set, unless the renewal failed because of the
/// connection.
///
/// A request cancelled while it waits throws ``RequestError/cancelled`` at once. The renewal continues even if no request is
/// waiting, because the server may have invalidated the old credential; its result is kept for the next request.
///
/// **Accounts.** `account` names the user of a credential; it is called once for each. With it, requests of different users are kept
/// apart in stores and by ``CoalescingTransport``; without it nothing is stored or shared.
///
/// **Sign-ins.** Setting ``credential`` to one of another account begins a sign-in, the first one included, and nil ends it. A
/// credential of the same account continues it, and so does a renewal; without `account`, every credential that is set begins a new
/// one. A request, and all that follows from it, is sent under the sign-in under which it started, otherwise it throws
/// ``RequestError/accountChanged``. Only a request that started without a credential may go on under the renewal that it waited
/// for; its response is neither stored nor shared.
///
/// **Origins.** The credential is sent only to the given origins (scheme, host and port). Requests to other origins are
/// forwarded unchanged, and so are their 401s. When a redirect leaves the origin, transports drop all fields and query items that
/// `adapt` added, whatever their names (``TransportRequest/RedirectPolicy``); a 401 of the other origin starts no renewal. Logs, recordings,
/// errors and response URLs show `REDACTED` in their place, and the links of a response leave them out.
///
/// Put it inside a ``RetryTransport`` or a ``CoalescingTransport``.
public final class AuthenticatingTransport<Credential: Sendable>: Transport {
    /// Returns a new credential.
    ///
    /// - Parameters:
    ///   - refused: The rejected credential; nil if there was none.
    ///   - transport: The inner transport, which adds no credential. Without `APIClient.account`, its requests have the cookies of
    ///     requests without an account.
    public typealias Refresh = @Sendable (_ refused: Credential?, _ transport: any Transport) async throws -> Credential

    /// The account of a credential: a name that survives renewals; nil if unknown.
    public typealias Account = @Sendable (_ credential: Credential) -> String?

    /// Called when a credential is rejected and will not be renewed: the user has to sign in again. Called once per credential,
    /// on any thread.
    ///
    /// - Parameters:
    ///   - credential: The credential; nil if there was none.
    ///   - error: Why it could not be renewed; nil without a renewal.
    public typealias Refused = @Sendable (_ credential: Credential?, _ error: (any Error)?) -> Void

    private typealias State = CredentialState<Credential>

    private let layer = RequestBinding.newLayer()
    private let base: any Transport
    private let origins: Set<Origin>
    private let keepsAuthorization: Bool
    private let adapt: @Sendable (inout TransportRequest, Credential) throws -> Void
    private let refresh: Refresh?
    private let account: Account?
    private let refused: Refused?
    private let state: Mutex<CredentialState<Credential>>

    /// Adds a credential of any type.
    ///
    /// ```swift
    /// let transport = try AuthenticatingTransport(origins: [api], credential: key) { request, key in
    ///     request.headers["X-Key"] = key.text
    /// } refresh: { _, transport in
    ///     try await Key.fetch(over: transport)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - base: The transport that sends. Defaults to ``SystemTransport/shared``.
    ///   - origins: URLs of the servers that get the credential; everything after the port is ignored.
    ///   - credential: The credential; nil if there is none yet: requests are sent without one, and the first 401 starts a renewal.
    ///   - adapt: Adds the credential to a request that has none, each time before it is sent. An error it throws fails the
    ///     request. Called on any thread.
    ///   - refresh: Returns a new credential. Only one call runs at a time, apart from cancelled ones. Called on any thread.
    ///   - account: The account of a credential.
    ///   - refused: Called when a credential is rejected for good.
    /// - Throws: ``RequestError/invalidURL(_:)`` for an origin that is not an `http` or `https` URL with a host;
    ///   ``RequestError/invalidRequest(_:)`` without origins.
    public convenience init(
        _ base: any Transport = SystemTransport.shared, origins: [URL], credential: Credential?,
        adapt: @escaping @Sendable (_ request: inout TransportRequest, _ credential: Credential) throws -> Void,
        refresh: Refresh? = nil, account: Account? = nil, refused: Refused? = nil
    ) throws(RequestError) {
        try self.init(base, origins, credential, keepsAuthorization: false, adapt, refresh, account, refused)
    }

    /// Adds a bearer token, RFC 6750 section 2.1: `Authorization: Bearer TOKEN`. A request with its own `Authorization` is
    /// forwarded unchanged.
    ///
    /// - Parameters:
    ///   - base: The transport that sends. Defaults to ``SystemTransport/shared``.
    ///   - origins: URLs of the servers that get the token; everything after the port is ignored.
    ///   - token: The token; nil if there is none yet: requests are sent without one, and the first 401 starts a renewal.
    ///   - refresh: Returns a new token. Only one call runs at a time, apart from cancelled ones. Called on any thread.
    ///   - account: The account of a token.
    ///   - refused: Called when a token is rejected for good.
    /// - Throws: ``RequestError/invalidURL(_:)`` for an origin that is not an `http` or `https` URL with a host;
    ///   ``RequestError/invalidRequest(_:)`` without origins.
    public convenience init(
        _ base: any Transport = SystemTransport.shared, origins: [URL], token: String?, refresh: Refresh? = nil,
        account: Account? = nil, refused: Refused? = nil
    ) throws(RequestError) where Credential == String {
        try self.init(
            base, origins, token, keepsAuthorization: true, { $0.headers[.authorization] = "Bearer \($1)" }, refresh,
            account, refused)
    }

    private init(
        _ base: any Transport, _ origins: [URL], _ credential: Credential?, keepsAuthorization: Bool,
        _ adapt: @escaping @Sendable (inout TransportRequest, Credential) throws -> Void, _ refresh: Refresh?,
        _ account: Account?, _ refused: Refused?
    ) throws(RequestError) {
        guard !origins.isEmpty else {
            throw .invalidRequest(
                "an AuthenticatingTransport without origins sends its credential nowhere; add the server's URL")
        }
        for url in origins where !url.isRequestable { throw .invalidURL(url.withoutUserInfo.absoluteString) }
        self.base = base
        self.origins = Set(origins.map(Origin.init))
        self.keepsAuthorization = keepsAuthorization
        self.adapt = adapt
        self.refresh = refresh
        self.account = account
        self.refused = refused
        state = Mutex(CredentialState(credential.map { State.Named($0, account) }))
    }

    /// The current credential. Setting it, after signing in or out, cancels a running renewal and ignores its result: waiting
    /// requests of the same sign-in are sent with the new credential, others throw ``RequestError/accountChanged``.
    public var credential: Credential? {
        get { state.withLock(\.snapshot.credential) }
        set {
            // Outside the lock, since the closure may use the transport.
            let named = newValue.map { State.Named($0, account) }
            let (obsolete, snapshot) = state.withLock { $0.replace(with: named) }
            obsolete?.cancel()
            obsolete?.finish(.success(snapshot))
        }
    }

    /// The account of the current credential, combined with the inner transport's; ``TransportIdentity/unknown`` if `account` gives
    /// none. Without a credential it is the inner transport's, or `.unknown` if a renewal could supply one.
    public func identity(for request: TransportRequest) -> TransportIdentity {
        guard appliesTo(request) else { return base.identity(for: request) }
        let snapshot = state.withLock(\.snapshot)
        let own = identity(of: snapshot)
        request.draft?.note(snapshot.signIn, of: layer, own)
        return own.joined(with: base.identity(for: request))
    }

    /// Sends a request with the credential, and once more with a new one if the server rejects it.
    ///
    /// - Throws: Errors of the transport and `adapt`; ``RequestError/accountChanged``; ``RequestError/cancelled`` if the
    ///   calling task was cancelled.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        guard appliesTo(request) else { return try await base.response(to: request) }
        var request = request
        let bound = request.bind(over: self)
        defer { withExtendedLifetime(bound) {} }
        return try await request.beforeDeadline { [request] in try await self.authenticated(request) }
    }

    private func authenticated(_ request: TransportRequest) async throws -> TransportResponse {
        var (snapshot, joined) = state.withLock { ($0.snapshot, $0.joined()) }
        let noted = try request.binding?.signIn(of: layer, noting: snapshot.signIn, identity(of: snapshot))
        if let noted, !snapshot.continues(noted) { throw RequestError.accountChanged }
        if let (renewal, waiter) = joined {
            try CurrentRenewal.check(renewal)
            let renewed = try? await renewal.value(for: waiter)
            if renewed == nil, Task.isCancelled { throw RequestError.cancelled }
            // If the renewal failed, send with the old credential; the server decides.
            snapshot = renewed ?? state.withLock(\.snapshot)
        }
        snapshot = try admitted(snapshot, for: request, hasWaited: joined != nil)
        if let response = try await response(to: request, renewing: &snapshot) { return response }
        if Task.isCancelled { throw RequestError.cancelled }
        return try await send(request, with: try admitted(snapshot, for: request, hasWaited: true))
    }

    private func appliesTo(_ request: TransportRequest) -> Bool {
        origins.contains(Origin(request.url)) && !(keepsAuthorization && request.headers[.authorization] != nil)
    }

    private func identity(of snapshot: State.Snapshot) -> TransportIdentity {
        guard let named = snapshot.named else { return refresh == nil ? .none : .unknown }
        return named.account ?? .unknown
    }

    /// The credential with which a request may be sent: that of the sign-in under which it started.
    ///
    /// - Parameter hasWaited: Whether the request waited for a renewal, or got a 401.
    /// - Throws: ``RequestError/accountChanged``.
    private func admitted(
        _ snapshot: State.Snapshot, for request: TransportRequest, hasWaited: Bool
    ) throws(RequestError) -> State.Snapshot {
        guard let binding = request.binding else { return snapshot }
        let own = identity(of: snapshot)
        let noted = try binding.signIn(of: layer, noting: snapshot.signIn, own)
        if noted == snapshot.signIn { return snapshot }
        guard snapshot.renewed == noted else { throw .accountChanged }
        guard hasWaited else {
            // A page may have been bound after the renewal.
            binding.rename(layer, by: noted, .unknown)
            return snapshot.withoutCredential
        }
        binding.adopt(snapshot.signIn, of: layer, own)
        return snapshot
    }

    /// Sends a request with a credential.
    private func send(_ request: TransportRequest, with snapshot: State.Snapshot) async throws -> TransportResponse {
        var sent = request
        sent.signInChecks.append { [weak self, signIn = snapshot.signIn] in
            // A request that began signed out is sent without the credential of a renewal that it did not wait for.
            self?.state.withLock(\.snapshot).continues(signIn) == true
        }
        guard let credential = snapshot.credential else { return try await base.response(to: sent) }
        try adapt(&sent, credential)
        sent.noteFields(addedTo: request, areCredentials: true)
        return try await base.response(hidingCredentialsOf: sent)
    }

    /// Sends a request with a credential, and renews that after a 401.
    ///
    /// - Returns: The response, possibly the 401; nil if the request is to be sent once more, with the new snapshot. Nothing holds
    ///   the 401 then.
    private func response(
        to request: TransportRequest, renewing snapshot: inout State.Snapshot
    ) async throws -> TransportResponse? {
        var response = try await send(request, with: snapshot)
        // The response of another origin is to a request without the credential. After a redirect away and back, it counts as rejected.
        guard response.status == 401, Origin(response.url) == Origin(request.url) else { return response }
        if Task.isCancelled { throw RequestError.cancelled }
        switch state.withLock({ $0.retry(afterRefusalOf: snapshot, canRenew: refresh != nil) }) {
        case .send(let present):
            snapshot = present
            return nil
        case .giveUp(let error, let isNew):
            if isNew { refused?(snapshot.credential, error) }
            response.renewalError = error
        case .wait(let renewal, let waiter, let isNew):
            try CurrentRenewal.check(renewal)
            if isNew { renewal.start { [credential = snapshot.credential] in await self.renew(credential, renewal) } }
            let body = Mutex<ResponseBody?>(response.body)
            response.body = ResponseBody(Data())
            async let kept = ResponseBody(keepingStartOf: body)
            do {
                snapshot = try await renewal.value(for: waiter)
                return nil
            } catch {
                response.body = await kept
                response.renewalError = error
            }
            if Task.isCancelled { throw RequestError.cancelled }
        }
        return response
    }

    private func renew(_ credential: Credential?, _ renewal: SharedTask<State.Snapshot>) async {
        let outcome: Result<State.Named, any Error> = await result {
            // The credential was set before this began, so there is nothing to renew.
            guard !Task.isCancelled, let refresh else { throw RequestError.cancelled }
            let new = try await CurrentRenewal.$renewal.withValue(renewal) { try await refresh(credential, base) }
            return State.Named(new, account)
        }
        let end = state.withLock { $0.end(renewal, with: outcome) }
        renewal.finish(end)
        if case .failure(let error) = end, !error.isTransient { refused?(credential, error) }
    }
}

extension ResponseBody {
    /// Reads the body of a 401 that may become the result, to free the connection for the renewal; what was read is the new body.
    ///
    /// - Parameter refused: The body, which is taken, so that it is held only until it has been read.
    fileprivate init(keepingStartOf refused: borrowing Mutex<ResponseBody?>) async {
        // The most bytes kept during a renewal.
        let limit = 64 << 10
        let body = refused.withLock { $0.take() }
        var data = Data()
        var failure: RequestError?
        do {
            if try await body?.read(into: &data, limit: limit) == false { failure = .bodyTooLarge(limit: limit) }
        } catch {
            failure = error as? RequestError ?? .cancelled
        }
        self.init { [part = ResponseBody(data), failure] in
            if let chunk = try await part.nextChunk() { return chunk }
            if let failure { throw failure }
            return nil
        }
    }
}

/// The renewal that the current task runs in. Waiting for it there would deadlock.
enum CurrentRenewal {
    @TaskLocal static var renewal: (any AnyObject & Sendable)?

    static func check(_ other: any AnyObject & Sendable) throws(RequestError) {
        guard renewal === other else { return }
        throw .invalidRequest(
            "the renewal of a credential was sent through the transport that waits for it; use the transport passed "
                + "to the closure")
    }
}
