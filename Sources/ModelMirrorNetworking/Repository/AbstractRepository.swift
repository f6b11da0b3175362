public import Foundation
public import ModelMirror

/// Fetches JSON and hands typed objects to a closure that throws. Subclass it, one method per request:
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
/// `Status` is the type of the status in the server's envelopes, if it sends such: `String`, `Int`, `Bool`, an enum.
///
/// It is a client in the form of a class: ``Requesting`` has its calls. What it adds is the overridable
/// ``defaultConfiguration`` and error hooks. Hooks that the configuration has win; where one is nil, the class's own is
/// used, whichever configuration or client the repository was given.
///
/// A repository belongs to whoever made it: it is not Sendable. Its methods can be called from any isolation, and what they
/// begin does not need it any more. What several tasks share is its ``client``.
nonisolated open class AbstractRepository<Status: Equatable & Sendable>: Requesting, HookedRequesting {
    /// The configuration of a client.
    public typealias Configuration = APIClient.Configuration

    /// Who asks, with the hooks of the class. A change holds for the requests that come after it.
    ///
    /// An override has to be stored, and not made anew each time, if it has a store.
    open var client: APIClient {
        get { hookedClient }
        set { hookedClient = hooked(newValue) }
    }

    private var hookedClient: APIClient

    /// A repository over a client.
    public init(client: APIClient) {
        hookedClient = client
        hookedClient = hooked(client)
    }

    /// A repository.
    ///
    /// - Parameters:
    ///   - transport: What requests are sent with.
    ///   - baseURL: What relative addresses are appended to.
    ///   - configuration: nil for the class's ``defaultConfiguration``.
    public convenience init(
        transport: any Transport = SystemTransport.shared, baseURL: URL? = nil, configuration: Configuration? = nil
    ) {
        self.init(
            client: APIClient(
                transport: transport, baseURL: baseURL, configuration: configuration ?? Self.defaultConfiguration))
    }

    /// A repository whose relative addresses, and routes without an environment, lead to an environment, with its header fields.
    ///
    /// ```swift
    /// let repository = try PostsRepository(environment: Server.test)
    /// ```
    ///
    /// - Throws: ``RequestError/invalidURL(_:)`` if the environment makes no URL.
    public convenience init(
        transport: any Transport = SystemTransport.shared, environment: some APIEnvironment,
        configuration: Configuration? = nil
    ) throws(RequestError) {
        self.init(
            client: try APIClient(
                transport: transport, environment: environment,
                configuration: configuration ?? Self.defaultConfiguration))
    }

    /// The configuration of new repositories of the class.
    ///
    /// ```swift
    /// override class var defaultConfiguration: Configuration {
    ///     Configuration(objectsKey: ["data", "items"], envelope: envelope(statusKey: "status", success: "OK"))
    /// }
    /// ```
    open class var defaultConfiguration: Configuration { Configuration() }

    /// An envelope whose status is of the repository's type.
    public static func envelope(statusKey: JSONPath, success: Status) -> Envelope {
        Envelope(statusKey: statusKey, success: success)
    }

    /// The error for what the envelope of a failed request says; by default nil, which makes a
    /// ``RequestError/statusFailure(_:)``. See ``APIClient/Configuration/errorForCode``.
    ///
    /// ```swift
    /// override class func error(forCode code: String?, message: String?) -> (any Error)? {
    ///     code == "17" ? QuotaExceeded() : nil
    /// }
    /// ```
    ///
    /// A class function because it is called away from the repository, on no particular thread.
    ///
    /// - Parameters:
    ///   - code: The text at ``APIClient/Configuration/errorCodeKey``; a number as its digits.
    ///   - message: The text at ``APIClient/Configuration/errorDescriptionKey``.
    open class func error(forCode code: String?, message: String?) -> (any Error)? { nil }

    /// The error for a response that says in a model of its own that the request failed; by default nil, which leaves it to
    /// ``error(forCode:message:)``. See ``APIClient/Configuration/errorFromResponse``, which says when it is called.
    ///
    /// ```swift
    /// struct Refusal: Error, Decodable { var code: Int; var reason: String }
    ///
    /// override class func error(from response: Response<Data>) throws -> (any Error)? {
    ///     try response.value(Refusal.self, at: "error")      // nil if there is no JSON, or nothing at that key
    /// }
    /// ```
    ///
    /// A class function because it is called away from the repository, on no particular thread.
    ///
    /// - Throws: What is to be thrown in place of the error, such as the `ModelError` of an error that cannot be read.
    open class func error(from response: Response<Data>) throws -> (any Error)? { nil }

    func hooked(_ client: APIClient) -> APIClient {
        let repository = type(of: self)
        var client = client
        // In place of those of another class, if the client comes from one.
        client.configuration.classHooks = ErrorHooks(
            fromResponse: { try repository.error(from: $0) },
            forCode: { repository.error(forCode: $0, message: $1) })
        return client
    }
}
