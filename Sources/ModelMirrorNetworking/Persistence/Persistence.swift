public import Foundation

/// How a ``StoringRepository`` deals with its store: Reactor's switches, and some more.
public struct Persistence: Sendable {
    /// Something that went wrong with the store while the call itself went well, or will be told otherwise.
    public enum Incident: Sendable {
        /// The store threw an error when it was asked; what it has counts as nothing.
        case loadingFailed(any Error)
        /// What is stored cannot be mapped, or does not pass the checks that a response has to; it counts as nothing.
        case unusable(any Error)
        /// A response was not stored.
        case savingFailed(any Error)
    }

    /// The policy of calls that name none.
    public var policy: FetchPolicy = .cacheElseNetwork
    /// Whether objects wait until they are stored: Reactor's `shouldWaitForSaveToPersistence`. If not, they are handed over
    /// at once, and stored after that, those of one repository in the order in which they came.
    public var waitsForSaving = true
    /// Whether a call fails with ``FetchError/savingFailed(url:_:)`` if its objects cannot be stored: Reactor's
    /// `shouldFailWhenSaveToPersistenceFails`. If not, or if they were handed over before, ``report`` is told.
    public var failsWhenSavingFails = true
    /// Whether bad elements of a fetched array or dictionary are left out: Reactor's `shouldPrune`. If all are bad, the call
    /// fails with all their failures. false: one bad element fails the call. nil: what the repository's
    /// ``AbstractRepository/Configuration/mappingOptions`` say.
    public var prunes: Bool?
    /// Whether the validators of what is stored are sent, so that the server can answer 304.
    public var revalidates = true
    /// The key under which the response to a request is stored; nil: it is not stored. By default ``defaultKey(for:)``;
    /// ``keyWithBody(for:)`` stores what is asked for by a body, too.
    public var key: @Sendable (_ request: TransportRequest) -> String? = Persistence.defaultKey
    /// The time, which ages are measured by.
    public var now: @Sendable () -> Date = { Date() }
    /// Told what went wrong with the store and fails no call, on no particular thread.
    public var report: @Sendable (_ incident: Incident, _ request: TransportRequest) -> Void = { _, _ in }

    /// The switches as they are described.
    public init() {}

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
    /// repository.persistence.key = { request in
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
