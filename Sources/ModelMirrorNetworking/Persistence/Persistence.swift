public import ModelMirrorFoundation
import Synchronization

/// The store of a client and its settings: the policy, and the options known from Reactor.
///
/// ```swift
/// let persistence = Persistence(try FileStore(folder: caches), policy: .networkElseCache)
/// let client = APIClient(baseURL: url, persistence: persistence)
/// ```
///
/// A response is stored as bytes after its value was made, so that only responses that the client accepts are stored. A stored
/// response is checked again when it is served; one that fails counts as absent. Not stored are responses with
/// `Cache-Control: no-store` in them or their request, `Vary: *` or status 206, responses to requests without a ``key``, and those for an unknown account
/// (`TransportIdentity.unknown`) or with undeclared fields (`TransportRequest.declaredFields`).
///
/// Clients with copies of one value, with the same store object, or with file stores of the same folder share one store: what
/// ``Requesting/signOut(account:)`` ends for one, it ends for all.
///
/// To replace loading or saving, wrap the store:
///
/// ```swift
/// struct SmallOnly: ResponseStore {
///     let store: any ResponseStore
///     func save(_ response: StoredResponse, for key: String) async throws {
///         if response.body.count < 1 << 20 { try await store.save(response, for: key) }
///     }
///     func response(for key: String) async throws -> StoredResponse? { try await store.response(for: key) }
///     func remove(for key: String) async throws { try await store.remove(for: key) }
///     func removeAll() async throws { try await store.removeAll() }
/// }
/// ```
public struct Persistence: Sendable {
    /// A failure of the store that did not itself fail the call.
    public enum Incident: Sendable, CustomStringConvertible {
        /// The store threw an error while loading; the response counts as absent.
        case loadingFailed(any Error)
        /// The stored response cannot be mapped or fails the checks; it counts as absent.
        case unusable(any Error)
        /// A response was not stored.
        case savingFailed(any Error)
        /// A response was neither looked up nor stored, because its account is unknown; see `Transport.identity(for:)`.
        case unknownIdentity
        /// A response was not stored, because a layer added these header fields or query items to its request without declaring them;
        /// see `TransportRequest.declaredFields`.
        case undeclared([String])
        /// A response was not stored, because the transport that sent its request did not call `TransportRequest.prepared()`.
        case unprepared

        /// One sentence.
        public var description: String {
            switch self {
            case .loadingFailed(let error):
                "The stored response could not be loaded (\("\(error)".withoutFullStop)); it counts as absent."
            case .unusable(let error):
                "The stored response cannot be used (\("\(error)".withoutFullStop)); it counts as absent."
            case .savingFailed(let error): "The response was not stored (\("\(error)".withoutFullStop))."
            case .unknownIdentity:
                "The response was neither looked up nor stored, because the account of its request is unknown; set the client's "
                    + "account, or name it in the transport, by account: or identity(for:)."
            case .undeclared(let names):
                "The response was not stored, because a transport added "
                    + names.map { "\"\($0)\"" }.joined(separator: " and ") + " to the request and did not declare "
                    + (names.count == 1 ? "it; insert the name" : "them; insert the names")
                    + " into the request's declaredFields, and if it tells the user, return the account in identity(for:)."
            case .unprepared:
                "The response was not stored, because the transport that sent its request did not call prepared(), which notices what "
                    + "other transports added; begin its response(to:) with that call."
            }
        }
    }

    /// The store of responses.
    public let store: any ResponseStore
    /// The policy of `.standard` requests. Defaults to `.cacheControl`, the rules of RFC 9111 for a private cache. Under any other,
    /// unsafe methods do not make stored responses stale.
    public var policy: FetchPolicy
    /// Whether a value is delivered only after its response is stored: Reactor's `shouldWaitForSaveToPersistence`. If not, it is
    /// delivered first, and responses are stored in their order of arrival. Defaults to true.
    public var waitsForSaving = true
    /// Whether a call fails with ``FetchError/savingFailed(url:_:)`` if its response cannot be stored: Reactor's
    /// `shouldFailWhenSaveToPersistenceFails`. If not, or if the value was delivered before, ``report`` is called. Defaults to
    /// false.
    public var failsWhenSavingFails = false
    /// Whether invalid elements of a fetched array, set or dictionary are skipped: Reactor's `shouldPrune`. If all are invalid,
    /// the call fails with all their failures. If false, one invalid element fails the call. If nil, the default, the
    /// configuration's ``APIClient/Configuration/mappingOptions`` decide.
    public var prunes: Bool?
    /// Whether the validators of a stored response are sent, so that the server can answer 304. Defaults to true.
    public var revalidates = true
    /// Makes the key for a request's response; nil if it is not stored. Defaults to ``defaultKey(for:)``; ``keyWithBody(for:)``
    /// also stores responses to requests with a body. The request's account is added to the key.
    public var key: @Sendable (_ request: TransportRequest) -> String? = Persistence.defaultKey
    /// Returns the current time, for the ages of responses.
    public var now: @Sendable () -> Date = { Date() }
    /// Called, on any thread, with failures of the store that do not fail a call. Defaults to nil: of undeclared fields, requests that
    /// were not prepared and responses that could not be saved, the first incident of a store is printed to standard error.
    public var report: (@Sendable (_ incident: Incident, _ request: TransportRequest) -> Void)?

    let saving = SavingOrder()
    /// The requests of all clients over the store, for signing out.
    let accounts: AccountLedger

    /// A store with a policy and the default settings.
    public init(_ store: any ResponseStore, policy: FetchPolicy = .cacheControl) {
        self.store = store
        self.policy = policy
        accounts = StoreLedgers.ledger(of: store)
    }

    /// Removes the stored responses of one account, including those to requests that carried another credential as well. Responses to
    /// requests that have started before are not stored any more. ``Requesting/signOut(account:)`` also ends those requests.
    ///
    /// - Parameter account: The account in ``APIClient/account``, or as the authenticating transport names it.
    /// - Throws: The error of the store.
    public func removeAll(for account: String) async throws {
        defer { accounts.endRevocation(of: account) }
        await accounts.revoke(account, endsRequests: false)
        try await removeStored(for: account)
    }

    func removeStored(for account: String) async throws {
        let account = TransportIdentity.account(account)
        let suffixes = [account, account.ofOneName].map { Persistence.suffix(for: $0.names) }
        // By bytes: the end of the program's key may combine with the beginning of the suffix.
        try await store.removeAll { key in suffixes.contains { key.utf8.contains($0.utf8) } }
    }

    /// Reports an incident, or prints it.
    func notify(_ incident: Incident, _ request: TransportRequest) {
        if let report { return report(incident, request) }
        switch incident {
        case .undeclared, .unprepared, .savingFailed:
            guard accounts.isFirstToPrint() else { return }
            OpenFile.report("ModelMirror: \(request.method) \(request.url.withoutSecrets): \(incident)")
        case .loadingFailed, .unusable, .unknownIdentity: break
        }
    }

    /// The end of an account's keys, with a digest for each of the names that were joined in it.
    private static func suffix(for names: [String]) -> String {
        names.map { " for \(SHA256Digest(of: $0).hexadecimal)" }.joined()
    }

    /// Waits until all responses delivered so far are stored; see ``waitsForSaving``.
    nonisolated(nonsending) public func savingFinished() async { await saving.finished() }

    /// The key of a request with its account; nil if it is not stored.
    func storageKey(of request: TransportRequest) -> String? {
        guard let key = key(request) else { return nil }
        if let account = Persistence.suffix(of: request) { return key + account }
        notify(.unknownIdentity, request)
        return nil
    }

    /// The end of a request's keys; nil for an unknown account.
    static func suffix(of request: TransportRequest) -> String? {
        request.identity == .unknown ? nil : suffix(for: request.identity?.names ?? [])
    }

    /// The policy of `.standard` requests.
    var ownPolicy: FetchPolicy {
        policy.order == .standard ? FetchPolicy(.cacheControl, maxAge: policy.maxAge) : policy
    }

    /// The key of a GET: its URL and a digest of its user and header fields but `Cache-Control` and `Pragma`, so that responses for
    /// other credentials or languages (`Vary`) are kept apart; nil for other methods.
    ///
    /// ```text
    /// GET https://api.example.com/gists?page=2 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
    /// ```
    ///
    /// A header field that changes with each request or session (a request id, a renewed token) makes a new key each time. Then
    /// set a custom ``key`` that tells users apart by other means.
    public static func defaultKey(for request: TransportRequest) -> String? {
        request.method == .get && request.body == nil ? keyWithBody(for: request) : nil
    }

    /// The key of a request with any method, including its body: for a POST that only reads, such as a search. For a GET it
    /// equals ``defaultKey(for:)``; nil for a body that is not in memory, such as a multipart form.
    ///
    /// ```swift
    /// persistence.key = { request in
    ///     request.url.path == "/search" ? Persistence.keyWithBody(for: request) : Persistence.defaultKey(for: request)
    /// }
    /// ```
    /// ```text
    /// POST https://api.example.com/search e3b0c44298fc1c14… 2bb80d537b1da3e3…
    /// ```
    public static func keyWithBody(for request: TransportRequest) -> String? {
        guard var url = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else { return nil }
        (url.user, url.password, url.fragment) = (nil, nil, nil)
        guard let text = url.string else { return nil }
        let key = "\(request.method) \(text) \(request.fieldDigest)"
        switch request.body?.content {
        case nil: return key
        case .data(let body): return "\(key) \(SHA256Digest(of: body).hexadecimal)"
        case .file, .chunks: return nil
        }
    }
}

/// The ledger of each store: one for an object, however many clients have it, and one for a folder.
private enum StoreLedgers {
    /// By the path of a folder or the identifier of an object.
    private static let ledgers = Mutex<[AnyHashable: @Sendable () -> AccountLedger?]>([:])

    static func ledger(of store: any ResponseStore) -> AccountLedger {
        let folder = (store as? FileStore)?.folder.resolvingSymlinksInPath().standardizedFileURL.path
        guard folder != nil || type(of: store) is AnyClass else { return AccountLedger() }
        return ledgers.withLock { ledgers in
            let key = folder.map(AnyHashable.init) ?? AnyHashable(ObjectIdentifier(store as AnyObject))
            ledgers = ledgers.filter { $0.value() != nil }
            if let ledger = ledgers[key]?() { return ledger }
            let ledger = AccountLedger()
            ledgers[key] = { [weak ledger] in ledger }
            return ledger
        }
    }
}

/// Work done one after the other, in the order it was added, while its callers continue.
final class SavingOrder: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// Adds work, which begins when all earlier work has ended.
    func add(_ work: @escaping @Sendable () async -> Void) {
        last.withLock { last in
            last = Task { [previous = last] in
                await previous?.value
                await work()
            }
        }
    }

    func finished() async { await last.withLock { $0 }?.value }
}
