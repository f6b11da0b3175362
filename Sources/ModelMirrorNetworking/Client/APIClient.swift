public import Foundation

/// Who asks: a transport, a base URL, a configuration and, if responses are to be kept, a store. A value that can be global, and be
/// asked from any number of tasks at once.
///
/// ```swift
/// let client = APIClient(baseURL: URL(string: "https://api.github.com"))
/// let user: User = try await client.value(.get("users/\(name)"))
///
/// struct GistsAPI: Requesting {                          // a client of one's own: a structure, a function per request
///     let client: APIClient
///     func gists(of user: String) async throws -> sending [Gist] { try await value(.get("users/\(user)/gists")) }
/// }
/// ```
///
/// ``Requesting`` has the calls. A response passes these checks, and the first that fails decides the error: it arrives
/// (``RequestError/connection(_:)`` and the like), its status (``RequestError/unacceptableStatus(_:)``,
/// ``RequestError/statusFailure(_:)``), its content type (``RequestError/unacceptableContentType(_:)``), its envelope
/// (``RequestError/statusFailure(_:)``), its objects (`ModelError`, with lines).
public struct APIClient: Requesting, Sendable {
    /// What requests are sent with.
    public var transport: any Transport
    /// What relative addresses are appended to; nil if all are absolute.
    public var baseURL: URL?
    /// Where things stand in a body, and what is accepted.
    public var configuration: Configuration
    /// Where responses are kept, and by which policy they are served; nil keeps none.
    public var persistence: Persistence?
    /// The account that requests are made for, where the transport cannot know it: a server that asks with the tokens of many
    /// users. Stored responses and shared transfers are kept apart by it. nil asks the transport.
    public var account: String?

    /// A client.
    ///
    /// - Parameters:
    ///   - transport: What requests are sent with.
    ///   - baseURL: What relative addresses are appended to.
    ///   - configuration: Where things stand in a body, and what is accepted.
    ///   - persistence: Where responses are kept; nil for nowhere.
    public init(
        transport: any Transport = SystemTransport.shared, baseURL: URL? = nil,
        configuration: Configuration = Configuration(), persistence: Persistence? = nil
    ) {
        self.transport = transport
        self.baseURL = baseURL
        self.configuration = configuration
        self.persistence = persistence
    }

    /// A client of an environment, which gives the base URL and header fields in place of the configuration's with the same
    /// names.
    ///
    /// - Throws: ``RequestError/invalidURL(_:)`` if the environment makes no URL.
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

    /// The request that would be sent for an endpoint, before a transport has seen it, and so the URL: for a browser page of a
    /// sign-in, a player, a web socket.
    ///
    /// ```swift
    /// let page = try client.transportRequest(for: .get(.root("login/oauth"), query: ["client_id": id]) as Endpoint<Void>).url
    /// ```
    ///
    /// - Throws: ``RequestError``, `ModelError` of parameters that cannot be written, what a route or `prepare` throws.
    public func transportRequest(for endpoint: Endpoint<some Any>) throws -> TransportRequest {
        try transportRequest(for: endpoint, isStream: false)
    }

    /// - Parameters:
    ///   - isStream: Whether the response is read for long.
    ///   - paging: Makes it a request for a page.
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
