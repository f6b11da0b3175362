public import ModelMirror
import ModelMirrorFoundation

/// A type that sends requests: an ``APIClient``, an ``AbstractRepository``, or a structure of your own with a client.
///
/// ```swift
/// struct GistsAPI: Requesting {
///     let client: APIClient
///     func gists(of user: String) async throws -> sending [Gist] { try await value(.get("users/\(user)/gists")) }
/// }
///
/// let api = GistsAPI(client: APIClient(baseURL: URL(string: "https://api.github.com")))
/// async let mine = api.gists(of: "octocat")
/// async let yours = api.gists(of: "hubot")
/// ```
///
/// A structure whose members are Sendable can be global and used from several tasks at once; a public one must declare `Sendable`
/// itself. A conforming class loses the main-actor default of its target: give a view model a client property instead.
nonisolated public protocol Requesting: SendableMetatype {
    /// The client that sends the requests.
    var client: APIClient { get }
}

extension Requesting {
    /// A model, or an Optional, array or dictionary of models, as the body of a request. It is written immediately, with the dates, keys,
    /// non-finite numbers, encoder and nulls of the client's ``APIClient/Configuration/mappingOptions``.
    ///
    /// ```swift
    /// let added: Gist = try await client.value(.post("gists", parameters: client.json(gist)))
    /// ```
    ///
    /// - Parameters:
    ///   - model: The model. Later changes to it are not sent.
    ///   - options: How the text is written.
    public func json(_ model: some MappedValue, options: WritingOptions = []) -> RequestParameters {
        .json(model, options: options, mapping: client.configuration.mappingOptions)
    }
}

/// A repository class, with the error hooks that are called where its client's configuration sets none.
protocol ErrorHooks: SendableMetatype {
    static func error(from response: Response<Data>) throws -> (any Error)?
    static func error(forCode code: String?, message: String?) -> (any Error)?
}

extension ErrorHooks {
    /// The client, with the hooks of this class in place of another's.
    func hooked(_ client: APIClient) -> APIClient {
        var client = client
        client.configuration.classHooks = type(of: self)
        return client
    }
}

extension Requesting {
    var sender: APIClient { (self as? any ErrorHooks)?.hooked(client) ?? client }
}
