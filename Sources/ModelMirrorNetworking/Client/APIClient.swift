#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
    public var transport: any Transport
    /// The URL that relative addresses are appended to; nil if all are absolute.
    public var baseURL: URL?
    /// Where values are found in a body, and which responses are accepted.
    public var configuration: Configuration
    /// The store of responses and the policy by which they are served; nil to keep none.
    public var persistence: Persistence?
    /// The account of the requests, for transports that cannot know it, as on a server that sends with many users' tokens. Stored
    /// responses and shared transfers of different accounts are kept apart. Defaults to nil: the transport's account.
    public var account: String?

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

    /// - Parameter paging: Adds the page to the request.
    func transportRequest<Value>(
        for endpoint: Endpoint<Value>, isStream: Bool = false,
        paging: (inout TransportRequest) throws -> Void = { _ in }
    ) throws -> TransportRequest {
        if let problem = unnamedTypeProblem(Value.self) { throw RequestError.invalidRequest(problem) }
        var request = try endpoint.transportRequest(
            base: baseURL, defaults: configuration.headers, paging: paging)
        request.timeout = request.timeout ?? configuration.timeout
        if !isStream { request.setDeadline(after: configuration.deadline) }
        request.isStream = isStream
        request.redirects = request.redirects ?? configuration.redirects
        request.allowsExpensiveNetwork = request.allowsExpensiveNetwork && configuration.allowsExpensiveNetwork
        request.account = account
        request.bindIdentity(over: transport)
        return request
    }
}
