public import ModelMirrorFoundation

/// Sends requests: a transport, a base URL, a configuration and, optionally, a store of responses. A value that can be global
/// and used from several tasks at once.
///
/// ```swift
/// let client = APIClient(baseURL: URL(string: "https://api.github.com"))
/// let user: User = try await client.value(.get("users/\(name)"))
///
/// struct GistsAPI: Requesting {                          // your own client: a structure with a function per request
///     let client: APIClient
///     func gists(of user: String) async throws -> sending [Gist] { try await value(.get("users/\(user)/gists")) }
/// }
/// ```
///
/// ``Requesting`` declares the calls. Each response is checked in this order, and the first failure is the error: the transfer
/// (``RequestError/connection(_:)`` and others), the status (``RequestError/unacceptableStatus(_:)``,
/// ``RequestError/statusFailure(_:)``), the content type (``RequestError/unacceptableContentType(_:)``), the envelope
/// (``RequestError/statusFailure(_:)``), the objects (`ModelError`, with lines).
public struct APIClient: Requesting, Sendable {
    /// The transport that sends requests.
    public var transport: any Transport { didSet { bound = BoundTransport(transport) } }
    /// The transport, as requests are bound over it.
    private(set) var bound: BoundTransport
    /// The URL that relative addresses are appended to; nil if all are absolute.
    public var baseURL: URL?
    /// Where values are found in a body, and which responses are accepted.
    public var configuration: Configuration
    /// The store of responses and the policy by which they are served; nil to keep none.
    public var persistence: Persistence?
    /// The account of the requests, for transports that cannot know it, as on a server that sends with many users' tokens.
    ///
    /// It is joined with the accounts that transports name, and replaces those that they cannot name. Stored responses, shared transfers
    /// and cookies of different accounts are kept apart. Defaults to nil: the transport's account.
    public var account: String?
    /// The requests of this client and its copies, for signing out.
    let accounts = AccountLedger()

    /// A client.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends requests.
    ///   - baseURL: The URL that relative addresses are appended to.
    ///   - configuration: Where values are found in a body, and which responses are accepted.
    ///   - persistence: The store of responses; nil for none.
    public init(
        transport: any Transport = SystemTransport.shared, baseURL: URL? = nil,
        configuration: Configuration = Configuration(), persistence: Persistence? = nil
    ) {
        self.transport = transport
        bound = BoundTransport(transport)
        self.baseURL = baseURL
        self.configuration = configuration
        self.persistence = persistence
    }

    /// A client of an environment. The environment's header fields replace the configuration's with the same names.
    ///
    /// - Throws: ``RequestError``, as ``APIEnvironment/baseURL()``.
    public init(
        transport: any Transport = SystemTransport.shared, environment: some APIEnvironment,
        configuration: Configuration = Configuration(), persistence: Persistence? = nil
    ) throws(RequestError) {
        self.init(
            transport: transport, baseURL: try environment.baseURL(), configuration: configuration,
            persistence: persistence)
        self.configuration.headers = configuration.headers.merging(environment.headers)
    }

    /// The client itself.
    public var client: APIClient { self }

    /// The request for an endpoint before a transport changes it, for example to open its URL in a sign-in page, a player or a
    /// web socket.
    ///
    /// ```swift
    /// let page = try client.transportRequest(for: .get(.root("login/oauth"), query: ["client_id": id]) as Endpoint<Void>).url
    /// ```
    ///
    /// - Throws: ``RequestError``, `ModelError` for parameters that cannot be written, errors of the route and `prepare`.
    public func transportRequest(for endpoint: Endpoint<some Any>) throws -> TransportRequest {
        try transportRequest(for: endpoint, isStream: false)
    }

    /// - Parameters:
    ///   - earlier: The binding of a request that this one follows from.
    func transportRequest<Value>(
        for endpoint: Endpoint<Value>, isStream: Bool, following earlier: RequestBinding? = nil
    ) throws -> TransportRequest {
        if let problem = unnamedTypeProblem(Value.self) { throw RequestError.invalidRequest(problem) }
        let earlier = earlier ?? endpoint.earlier
        // The layers compare their own sign-ins only. As identities, names are compared by their bytes.
        if let earlier, earlier.account.map(TransportIdentity.account) != account.map(TransportIdentity.account) {
            throw RequestError.accountChanged
        }
        var request = try endpoint.transportRequest(
            base: baseURL,
            by: RequestRules(
                headers: configuration.headers, style: configuration.parameterStyle,
                mapping: configuration.mappingOptions))
        request.timeout = request.timeout ?? configuration.timeout
        if !isStream { request.setDeadline(after: configuration.deadline) }
        request.isStream = isStream
        request.redirects = request.redirects ?? configuration.redirects
        request.allowsExpensiveNetwork = request.allowsExpensiveNetwork && configuration.allowsExpensiveNetwork
        request.bind(over: bound, account: account, following: earlier, in: ledgers)
        if let earlier, request.binding?.replacesAccount(of: earlier) == true { throw RequestError.accountChanged }
        return request
    }

    /// Where requests of an account are found when it signs out.
    fileprivate var ledgers: [AccountLedger] { persistence.map { [accounts, $0.accounts] } ?? [accounts] }
}

extension Requesting {
    /// Ends the requests of an account, and removes its stored responses and cookies.
    ///
    /// ```swift
    /// signedIn.credential = nil                        // before or after signOut, which does not set it
    /// try await client.signOut(account: name)
    /// ```
    ///
    /// Requests, streams and downloads that were started for the account, alone or joined with others, by this client, its copies
    /// and clients over the same store, end with ``RequestError/accountChanged``. Responses to them are no longer stored, stored
    /// ones are removed, and so are the cookies that transports keep for the account. All of this has happened when the function
    /// returns, also if the calling task is cancelled. It can be called any number of times, also concurrently. Partial files of
    /// downloads stay; only the same account resumes them.
    ///
    /// - Parameter account: The account as ``APIClient/account``, an authenticating transport or an interceptor names it.
    /// - Throws: The error of the store if a response could not be removed; ``FetchError/removalFailed(keys:_:)`` of a ``FileStore``
    ///   names them. Everything else has been done then.
    nonisolated(nonsending) public func signOut(account: String) async throws {
        let client = client
        // Not cancelled half-way.
        try await Task {
            let ledgers = client.ledgers
            defer { for ledger in ledgers { ledger.endRevocation(of: account) } }
            for ledger in ledgers { await ledger.revoke(account, endsRequests: true) }
            // Finds the cookie jars of transports through which this client has not sent yet.
            if let url = client.baseURL ?? URL(string: "https://localhost") {
                var probe = TransportRequest(.get, url)
                probe.bind(over: client.bound, account: account, in: ledgers)
            }
            for ledger in ledgers { await ledger.removeCookies(for: account) }
            try await client.persistence?.removeStored(for: account)
        }.value
    }
}
