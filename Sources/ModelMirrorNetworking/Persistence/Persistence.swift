public import Foundation
import Synchronization

/// Where a client keeps its responses, and how they are served: a store, its policy, and Reactor's switches.
///
/// ```swift
/// var persistence = Persistence(try FileStore(folder: caches))
/// persistence.policy = .cacheElseNetwork.maxAge(.seconds(300))
/// let client = APIClient(baseURL: url, persistence: persistence)
/// ```
///
/// Stored are the bytes of a response, after its value could be made of them: nothing is stored that the client would not accept.
/// What is stored goes through the same checks when it is served; what does not pass counts as nothing. Not stored are responses
/// with `Cache-Control: no-store` or `Vary: *`, those with status 206, those whose request has no ``key``, and those made for an
/// unknown account (`TransportIdentity.unknown`).
///
/// To replace the step that loads or saves, wrap the store:
///
/// ```swift
/// struct SmallOnly: ModelStore {
///     let store: any ModelStore
///     func save(_ response: StoredResponse, for key: String) async throws {
///         if response.body.count < 1 << 20 { try await store.save(response, for: key) }
///     }
///     func response(for key: String) async throws -> StoredResponse? { try await store.response(for: key) }
///     func remove(for key: String) async throws { try await store.remove(for: key) }
///     func removeAll() async throws { try await store.removeAll() }
/// }
/// ```
public struct Persistence: Sendable {
    /// Something that went wrong with the store while the call itself went well, or fails with an error of its own.
    public enum Incident: Sendable {
        /// The store threw an error when it was asked; what it has counts as nothing.
        case loadingFailed(any Error)
        /// What is stored cannot be mapped, or does not pass the checks that a response has to; it counts as nothing.
        case unusable(any Error)
        /// A response was not stored.
        case savingFailed(any Error)
        /// A response was neither looked up nor stored, since the account it is made for is unknown; see `Transport.identity(for:)`.
        case unknownIdentity
    }

    /// Where responses are kept.
    public let store: any ModelStore
    /// The policy of `.standard` requests.
    public var policy: FetchPolicy = .cacheElseNetwork
    /// Whether objects wait until they are stored: Reactor's `shouldWaitForSaveToPersistence`. If not, they are handed over
    /// at once, and stored after that, in the order in which they came.
    public var waitsForSaving = true
    /// Whether a call fails with ``FetchError/savingFailed(url:_:)`` if its objects cannot be stored: Reactor's
    /// `shouldFailWhenSaveToPersistenceFails`. If not, or if they were handed over before, ``report`` is called.
    public var failsWhenSavingFails = false
    /// Whether bad elements of a fetched array, set or dictionary are left out: Reactor's `shouldPrune`. If all are bad, the call
    /// fails with all their failures. false: one bad element fails the call. nil: what the configuration's
    /// ``APIClient/Configuration/mappingOptions`` say.
    public var prunes: Bool?
    /// Whether the validators of what is stored are sent, so that the server can answer 304.
    public var revalidates = true
    /// The key under which the response to a request is stored; nil: it is not stored. Defaults to ``defaultKey(for:)``;
    /// ``keyWithBody(for:)`` stores what is asked for by a body, too. The account that a request is made for is added to it.
    public var key: @Sendable (_ request: TransportRequest) -> String? = Persistence.defaultKey
    /// The time, which ages are measured by.
    public var now: @Sendable () -> Date = { Date() }
    /// Called with what went wrong with the store and fails no call, on no particular thread.
    public var report: @Sendable (_ incident: Incident, _ request: TransportRequest) -> Void = { _, _ in }

    let saving = SavingOrder()

    /// The switches as they are described, over a store.
    public init(_ store: any ModelStore) { self.store = store }

    /// Forgets what was stored for an account, as at sign-out: that of ``APIClient/account``, or of the transport that authenticates.
    ///
    /// - Throws: What the store throws.
    public func removeAll(for account: String) async throws {
        let suffix = Persistence.suffix(for: account)
        try await store.removeAll { $0.hasSuffix(suffix) }
    }

    private static func suffix(for account: String) -> String {
        " for \(SHA256Digest(of: Data(account.utf8)).hexadecimal)"
    }

    /// Waits until all is stored that was handed over before it was stored; see ``waitsForSaving``.
    nonisolated(nonsending) public func savingFinished() async { await saving.finished() }

    /// The key of a request for the account that it asks for; nil if it is not stored.
    func storageKey(of request: TransportRequest) -> String? {
        guard let key = key(request) else { return nil }
        switch request.identity {
        case nil, .some(.none): return key
        case .account(let account): return key + Persistence.suffix(for: account)
        case .unknown:
            report(.unknownIdentity, request)
            return nil
        }
    }

    /// The key of a request: for GET, its URL and a digest of what else it carries, so that no one is given what was stored
    /// for other credentials or in another language; nil for other methods.
    ///
    /// ```text
    /// GET https://api.example.com/gists?page=2 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
    /// ```
    ///
    /// Header fields that change with each request or each session (a request's number, a token that is renewed) make it
    /// another resource each time. Give a ``key`` of your own then, which tells users apart by other means.
    public static func defaultKey(for request: TransportRequest) -> String? {
        guard request.method == .get, request.body == nil else { return nil }
        return headKey(of: request)
    }

    /// The key of a request by its body, too, and of any method: for a server whose POST only reads, such as a search. That of
    /// a GET is its ``defaultKey(for:)``; nil for a body that is not in memory, such as a multipart form.
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
        guard let key = headKey(of: request) else { return nil }
        switch request.body?.content {
        case nil: return key
        case .data(let body): return "\(key) \(SHA256Digest(of: body).hexadecimal)"
        case .file, .chunks: return nil
        }
    }

    /// The key of all that a request carries but its body.
    private static func headKey(of request: TransportRequest) -> String? {
        guard var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else { return nil }
        let fields = request.headers.fields.map { ($0.name.description.lowercased(), $0.value) }.sorted { $0 < $1 }
        let user = [parts.percentEncodedUser ?? "", parts.percentEncodedPassword ?? ""]
        (parts.user, parts.password, parts.fragment) = (nil, nil, nil)
        // A line break can be in no field that is sent, so that no two lists make one text.
        let carried = (user + fields.map { "\($0.0):\($0.1)" }).joined(separator: "\n")
        guard let url = parts.string else { return nil }
        return "\(request.method) \(url) \(SHA256Digest(of: Data(carried.utf8)).hexadecimal)"
    }
}

/// Work that is done after its caller went on, one after the other, in the order in which it was added.
final class SavingOrder: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// Adds work to be done when what was added before is done.
    func add(_ work: @escaping @Sendable () async -> Void) {
        last.withLock { last in
            last = Task { [previous = last] in
                await previous?.value
                await work()
            }
        }
    }

    /// Waits until all is done that was added up to now.
    func finished() async { await last.withLock { $0 }?.value }
}
