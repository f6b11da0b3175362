public import ModelMirror
public import ModelMirrorFoundation

/// Fetches JSON and passes typed objects to a closure that throws. Subclass it with one method per request.
///
/// ```swift
/// class GistsRepository: AbstractRepository<String> {
///     @discardableResult
///     func requestGists(
///         of user: String, completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
///     ) -> Request<[Gist]> {
///         request(.get("users/\(user)/gists"), completion: completion)
///     }
/// }
///
/// let request = repository.requestGists(of: "octocat") { getGists in
///     do { show(try getGists()) } catch { report(error) }
/// }
/// ```
///
/// With a store it keeps responses, and serves them by a ``FetchPolicy``:
///
/// ```swift
/// let repository = GistsRepository(transport: transport, baseURL: url, store: try FileStore(folder: caches))
/// let gists: [Gist] = try await repository.value(.get("gists"))                     // stored, otherwise from the network
/// let fresh: [Gist] = try await repository.value(.get("gists"), policy: .networkOnly)
/// ```
///
/// `Status` is the type of the status in the server's envelopes, if any: `String`, `Int`, `Bool`, an enum.
///
/// A client as a class: it has the calls of ``Requesting``, and a ``defaultConfiguration`` and error hooks to override. Hooks of
/// the configuration win; where one is nil, the class's is used, whichever configuration or client the repository was given.
///
/// A repository is not Sendable. Its methods can be called from any isolation; a request does not refer to it once it has
/// begun. Share its ``client`` between tasks.
nonisolated open class AbstractRepository<Status: Equatable & Sendable>: Requesting, ErrorHooks {
    /// The configuration of a client.
    public typealias Configuration = APIClient.Configuration

    /// The client, with the hooks of the class. Changes apply to later requests.
    ///
    /// An override whose client has a store must return the same client each time, not make a new one.
    open var client: APIClient {
        get { hooked(givenClient) }
        set { givenClient = newValue }
    }

    private var givenClient: APIClient

    /// A repository that sends through a client.
    public init(client: APIClient) { givenClient = client }

    /// A repository.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends requests.
    ///   - baseURL: The URL that relative addresses are appended to.
    ///   - configuration: nil for the class's ``defaultConfiguration``.
    ///   - store: Keeps responses, and serves them by a ``FetchPolicy``; nil for none. The policy is `.cacheElseNetwork`, as Reactor's;
    ///     `client.persistence` has it, and further settings.
    public convenience init(
        transport: any Transport = SystemTransport.shared, baseURL: URL? = nil, configuration: Configuration? = nil,
        store: (any ResponseStore)? = nil
    ) {
        self.init(
            client: APIClient(
                transport: transport, baseURL: baseURL, configuration: configuration ?? Self.defaultConfiguration,
                persistence: store.map { Persistence($0, policy: .cacheElseNetwork) }))
    }

    /// A repository of an environment. Its URL is for relative addresses and routes without an environment; its header fields are sent
    /// with every request, to any server.
    ///
    /// ```swift
    /// let repository = try PostsRepository(environment: Server.test)
    /// ```
    ///
    /// - Throws: ``RequestError``, as ``APIEnvironment/baseURL()``.
    public convenience init(
        transport: any Transport = SystemTransport.shared, environment: some APIEnvironment,
        configuration: Configuration? = nil, store: (any ResponseStore)? = nil
    ) throws(RequestError) {
        // Before the client is made, since a subclass may override the initializer that receives it.
        var configuration = configuration ?? Self.defaultConfiguration
        configuration.headers = configuration.headers.merging(environment.headers)
        self.init(transport: transport, baseURL: try environment.baseURL(), configuration: configuration, store: store)
    }

    /// The configuration of new repositories of this class.
    ///
    /// ```swift
    /// override class var defaultConfiguration: Configuration {
    ///     Configuration(objectsKey: ["data", "items"], envelope: envelope(statusKey: "status", success: "OK"))
    /// }
    /// ```
    open class var defaultConfiguration: Configuration { Configuration() }

    /// An envelope with a status of the repository's type.
    public static func envelope(statusKey: JSONPath, success: Status) -> Envelope {
        Envelope(statusKey: statusKey, success: success)
    }

    /// Makes the error from the code and the message in the body of a failed request. Defaults to nil, which throws
    /// ``RequestError/statusFailure(_:)``. See ``APIClient/Configuration/errorForCode``.
    ///
    /// ```swift
    /// override class func error(forCode code: String?, message: String?) -> (any Error)? {
    ///     code == "17" ? QuotaExceeded() : nil
    /// }
    /// ```
    ///
    /// A class function, because it is called without a repository, on any thread.
    ///
    /// - Parameters:
    ///   - code: The string at ``APIClient/Configuration/errorCodeKey``, or the digits of a number.
    ///   - message: The string at ``APIClient/Configuration/errorDescriptionKey``.
    open class func error(forCode code: String?, message: String?) -> (any Error)? { nil }

    /// Makes the error for a response whose body describes the failure as a model. Defaults to nil, which leaves it to
    /// ``error(forCode:message:)``. See ``APIClient/Configuration/errorFromResponse`` for when it is called.
    ///
    /// ```swift
    /// struct Refusal: Error, Decodable { var code: Int; var reason: String }
    ///
    /// override class func error(from response: Response<Data>) throws -> (any Error)? {
    ///     try response.value(Refusal.self, at: "error")      // nil if there is no JSON, or no value at that key
    /// }
    /// ```
    ///
    /// A class function, because it is called without a repository, on any thread.
    ///
    /// - Throws: An error to throw in place of the returned one. A `ModelError` becomes
    ///   ``RequestError/FailedResponse/mappingError`` instead.
    open class func error(from response: Response<Data>) throws -> (any Error)? { nil }
}
