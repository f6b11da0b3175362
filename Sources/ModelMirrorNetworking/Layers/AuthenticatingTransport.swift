public import Foundation
import Synchronization

/// Adds a credential to requests, and renews it when the server refuses it.
///
/// ```swift
/// let fixed = try AuthenticatingTransport(origins: [api], token: personalToken)
/// let renewing = try AuthenticatingTransport(origins: [api], token: saved.token) { _, transport in
///     try await saved.renew(over: transport)  // returns the new token
/// } account: { token in
///     token.subject  // survives the renewal
/// } refused: { _, _ in
///     await session.end()
/// }
/// ```
///
/// **Renewal.** A request that is answered with 401 waits for a renewal and is sent once more, with the new credential.
/// Whatever that second response is, it is the result. Any number of requests share one renewal:
///
/// - Requests that start while the credential is being renewed wait for the new one before they are sent.
/// - A 401 for a request that was sent before the last renewal ended does not start another: the request is sent once more
///   with the present credential.
///
/// Without a renewal, or when it fails, the caller gets the server's own 401, with the error of the renewal in
/// ``TransportResponse/renewalError``; of its body at most 64 KiB are kept meanwhile. Requests go on being sent with a
/// refused credential, but it is not renewed again until ``credential`` is set, unless the renewal failed for want of a
/// connection.
///
/// A request that is cancelled while it waits gets ``RequestError/cancelled`` at once. The renewal continues even with
/// nobody waiting, since the server may have used up the old credential; its result is kept for the next request.
///
/// **Accounts.** `account` names the user of a credential. With it, requests of different users are kept apart in stores and
/// by ``CoalescingTransport``; without it nothing is stored or shared. A request that started for one account is never sent
/// for another: if the user changed while it waited or was in flight, it throws ``RequestError/accountChanged``. Without
/// `account`, setting ``credential`` counts as a change, and a renewal does not.
///
/// **Origins.** The credential goes only to the origins (scheme, host and port) that you name; a request to another origin
/// passes unchanged, and so does its 401. A 401 from another origin, after a redirect, is returned. Transports drop
/// `Authorization`, `Cookie` and `Proxy-Authorization` when a redirect leaves the origin
/// (``TransportRequest/RedirectPolicy``); if you put a credential elsewhere, in another field or in the URL, set
/// ``TransportRequest/redirects`` to `.stop` with it.
///
/// Put it inside a ``RetryTransport`` or a ``CoalescingTransport``.
public final class AuthenticatingTransport<Credential: Sendable>: Transport {
    /// Returns a new credential.
    ///
    /// - Parameters:
    ///   - refused: The credential that was refused; nil if there was none.
    ///   - transport: Sends without credentials: the transport inside the authenticator.
    public typealias Refresh = @Sendable (_ refused: Credential?, _ transport: any Transport) async throws -> Credential

    /// Names the account of a credential, by something that a renewal does not change; nil if that cannot be told.
    public typealias Account = @Sendable (_ credential: Credential) -> String?

    /// Told that a credential is refused and will not be renewed: the user has to sign in again. Called once for a
    /// credential, on no particular thread.
    ///
    /// - Parameters:
    ///   - credential: The credential; nil if there was none.
    ///   - error: Why it could not be renewed; nil without a renewal.
    public typealias Refused = @Sendable (_ credential: Credential?, _ error: (any Error)?) -> Void

    private typealias State = CredentialState<Credential>

    private let base: any Transport
    private let origins: Set<Origin>
    private let keepsAuthorization: Bool
    private let adapt: @Sendable (inout TransportRequest, Credential) throws -> Void
    private let refresh: Refresh?
    private let account: Account?
    private let refused: Refused?
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
    ///   - base: The transport that sends. Defaults to ``SystemTransport/shared``.
    ///   - origins: URLs of the servers that get the credential; all after the port is ignored.
    ///   - credential: The credential; nil if there is none yet: requests are sent without, and the first 401 gets one.
    ///   - adapt: Adds a credential to a request, before each time it is sent. It gets the request without credential. What
    ///     it throws is thrown to the caller. On no particular thread.
    ///   - refresh: Returns a new credential. Never called while a call is under way that was not cancelled. On no
    ///     particular thread.
    ///   - account: Names the account of a credential.
    ///   - refused: Told that a credential is refused for good.
    /// - Throws: ``RequestError/invalidURL(_:)`` for an origin without scheme or host.
    public convenience init(
        _ base: any Transport = SystemTransport.shared, origins: [URL], credential: Credential?,
        adapt: @escaping @Sendable (_ request: inout TransportRequest, _ credential: Credential) throws -> Void,
        refresh: Refresh? = nil, account: Account? = nil, refused: Refused? = nil
    ) throws(RequestError) {
        try self.init(
            base, origins, credential, keepsAuthorization: false, adapt, refresh, account, refused)
    }

    /// Adds a bearer token, RFC 6750 section 2.1: `Authorization: Bearer TOKEN`. A request that has an `Authorization` of its
    /// own passes unchanged.
    ///
    /// - Parameters:
    ///   - base: The transport that sends. Defaults to ``SystemTransport/shared``.
    ///   - origins: URLs of the servers that get the token; all after the port is ignored.
    ///   - token: The token; nil if there is none yet: requests are sent without, and the first 401 gets one.
    ///   - refresh: Returns a new token. Never called while a call is under way that was not cancelled. On no particular
    ///     thread.
    ///   - account: Names the account of a token.
    ///   - refused: Told that a token is refused for good.
    /// - Throws: ``RequestError/invalidURL(_:)`` for an origin without scheme or host.
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
        for url in origins where url.scheme == nil || (url.host ?? "").isEmpty {
            throw .invalidURL(url.absoluteString)
        }
        self.base = base
        self.origins = Set(origins.map(Origin.init))
        self.keepsAuthorization = keepsAuthorization
        self.adapt = adapt
        self.refresh = refresh
        self.account = account
        self.refused = refused
        state = Mutex(CredentialState(credential))
    }

    /// The present credential. Setting it, after signing in or out, cancels a renewal that is under way and ignores its
    /// result: requests of the same account that wait for it are sent with what was set, others throw
    /// ``RequestError/accountChanged``.
    public var credential: Credential? {
        get { state.withLock(\.credential) }
        set {
            let (needless, issue) = state.withLock { $0.replace(with: newValue) }
            needless?.cancel()
            needless?.land(.success(issue))
        }
    }

    /// The account of the present credential. Without a credential it is that of the transport inside, but
    /// ``TransportIdentity/unknown`` if a renewal could get one.
    public func identity(for request: TransportRequest) -> TransportIdentity {
        guard takes(request) else { return base.identity(for: request) }
        return identity(of: state.withLock(\.issue)).joined(with: base.identity(for: request))
    }

    /// Sends a request with the credential, and once more with a new one if it is refused.
    ///
    /// - Throws: What the transport or `adapt` throws; ``RequestError/accountChanged``; ``RequestError/cancelled`` if the
    ///   calling task was cancelled.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        guard takes(request) else { return try await base.response(to: request) }
        var request = request
        request.bindIdentity(over: self)
        return try await request.beforeDeadline { [request] in try await self.authenticated(request) }
    }

    private func authenticated(_ request: TransportRequest) async throws -> TransportResponse {
        let started = state.withLock(\.issue)
        let issue = try await issueBeforeSending()
        switch try await firstAnswer(to: request, with: issue, startedWith: started) {
        case .final(let response): return response
        case .refused(let refusal): return try await retried(request, refusal, issue, startedWith: started)
        }
    }

    private enum Answer {
        case final(TransportResponse)
        case refused(RefusedResponse)
    }

    private func firstAnswer(
        to request: TransportRequest, with issue: State.Issue, startedWith started: State.Issue
    ) async throws -> Answer {
        let response = try await send(request, with: issue, startedWith: started)
        guard response.status == 401, origins.contains(Origin(response.url)) else { return .final(response) }
        return .refused(RefusedResponse(response))
    }

    /// Whether a request gets the credential.
    private func takes(_ request: TransportRequest) -> Bool {
        origins.contains(Origin(request.url)) && !(keepsAuthorization && request.headers[.authorization] != nil)
    }

    private func identity(of issue: State.Issue) -> TransportIdentity {
        guard let credential = issue.credential else { return refresh == nil ? .none : .unknown }
        return account?(credential).map { .account($0) } ?? .unknown
    }

    /// Sends a request with a credential, unless that is another account's than the one it started for.
    private func send(
        _ request: TransportRequest, with issue: State.Issue, startedWith started: State.Issue
    ) async throws -> TransportResponse {
        var sent = request
        if let credential = issue.credential { try adapt(&sent, credential) }
        // First bound for the transport inside, then compared: a change in between is seen here, a later one there.
        sent.identity = sent.identity(over: base)
        guard isSameAccount(started, issue) else { throw RequestError.accountChanged }
        if request.account == nil, let bound = request.identity, bound != .unknown {
            let present = identity(of: issue).joined(with: base.identity(for: request))
            guard request.fieldIdentity.joined(with: present) == bound else { throw RequestError.accountChanged }
        }
        return try await base.response(to: sent)
    }

    private func isSameAccount(_ started: State.Issue, _ present: State.Issue) -> Bool {
        // Whoever had none signs in.
        guard let before = started.credential else { return true }
        if let name = account?(before) { return present.credential.flatMap { account?($0) } == name }
        return started.replacementCount == present.replacementCount
    }

    /// The credential to send a request with, as soon as that is known.
    private func issueBeforeSending() async throws -> State.Issue {
        switch state.withLock({ $0.start() }) {
        case .send(let issue): return issue
        case .wait(let flight, let seat):
            try RenewalUnderWay.check(flight)
            do {
                return try await flight.value(inSeat: seat)
            } catch {
                if Task.isCancelled { throw RequestError.cancelled }
                // The server is to say what it thinks of the old one.
                return state.withLock(\.issue)
            }
        }
    }

    /// What becomes of a request after a 401.
    private func retried(
        _ request: TransportRequest, _ refusal: RefusedResponse, _ issue: State.Issue, startedWith started: State.Issue
    ) async throws -> TransportResponse {
        if Task.isCancelled { throw RequestError.cancelled }
        let renewed: Result<State.Issue, any Error>
        switch state.withLock({ $0.retry(afterRefusalOf: issue, canRenew: refresh != nil) }) {
        case .send(let present):
            renewed = .success(present)
        case .giveUp(let error, let isNews):
            if isNews { refused?(issue.credential, error) }
            return refusal.response(renewalError: error)
        case .wait(let flight, let seat):
            try RenewalUnderWay.check(flight)
            renewed = await refusal.kept { try await flight.value(inSeat: seat) }
        case .renew(let flight, let credential):
            flight.start { [self] in await renew(credential, flight) }
            renewed = await refusal.kept { try await flight.value(inSeat: flight.firstSeat) }
        }
        if Task.isCancelled { throw RequestError.cancelled }
        switch renewed {
        case .success(let issue):
            refusal.drop()
            return try await send(request, with: issue, startedWith: started)
        case .failure(let error): return refusal.response(renewalError: error)
        }
    }

    private func renew(_ credential: Credential?, _ flight: Flight<State.Issue>) async {
        let outcome: Result<Credential, any Error>
        do {
            // A credential was set before this began, so there is nothing to be renewed.
            guard !Task.isCancelled, let refresh else { throw RequestError.cancelled }
            outcome = .success(
                try await RenewalUnderWay.$flight.withValue(flight) { try await refresh(credential, base) })
        } catch {
            outcome = .failure(error)
        }
        guard let result = state.withLock({ $0.end(flight, with: outcome) }) else { return }
        flight.land(result)
        if case .failure(let error) = result, !error.isTransient { refused?(credential, error) }
    }
}

/// A 401 that may yet be the result.
private final class RefusedResponse: Sendable {
    /// The most bytes of the body that are kept while a credential is renewed.
    private static let bodyLimit = 64 << 10

    private let head: TransportResponse
    private let body: Mutex<ResponseBody?>

    init(_ response: TransportResponse) {
        body = Mutex(response.body)
        var head = response
        head.body = ResponseBody(Data())
        self.head = head
    }

    /// Does some work, and reads the body meanwhile, so that it occupies no connection that the work may need.
    func kept<Value: Sendable>(
        while work: @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.collect() }
            do {
                let value = try await work()
                group.cancelAll()
                return .success(value)
            } catch {
                return .failure(error)
            }
        }
    }

    /// Ends the transfer.
    func drop() { body.withLock { $0 = nil } }

    func response(renewalError: (any Error)?) -> TransportResponse {
        var response = head
        response.renewalError = renewalError
        if let body = body.withLock({ $0.take() }) { response.body = body }
        return response
    }

    private func collect() async {
        guard let body = body.withLock({ $0.take() }) else { return }
        var data = Data()
        var failure: RequestError?
        do {
            for try await chunk in body {
                let room = Self.bodyLimit - data.count
                data.append(chunk.prefix(room))
                if chunk.count > room { throw RequestError.bodyTooLarge(limit: Self.bodyLimit) }
            }
        } catch {
            failure = error as? RequestError ?? .cancelled
        }
        let kept = Mutex<(data: Data?, failure: RequestError?)>((data, failure))
        self.body.withLock { found in
            found = ResponseBody {
                let (data, failure) = kept.withLock { kept in (kept.data.take(), kept.failure) }
                if let data, !data.isEmpty { return data }
                if let failure { throw failure }
                return nil
            }
        }
    }
}

/// The renewal that the present task belongs to: if it waited for itself, it would wait forever.
private enum RenewalUnderWay {
    @TaskLocal static var flight: (any AnyObject & Sendable)?

    static func check(_ other: any AnyObject & Sendable) throws(RequestError) {
        guard flight === other else { return }
        throw .invalidRequest(
            "the renewal of a credential was sent through the transport that waits for it; send it through the transport "
                + "that the closure is given")
    }
}
