/// What can ask: an ``APIClient``, an ``AbstractRepository``, or a structure of your own that has a client.
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
/// A structure whose members are Sendable can be global and asked from several tasks at once; a public one says `Sendable`
/// itself. A class that conforms loses the main-actor default of its target: let a view model *have* a client instead.
nonisolated public protocol Requesting: SendableMetatype {
    /// Who asks.
    var client: APIClient { get }
}

/// What a repository class adds to its client.
protocol HookedRequesting {
    /// A client whose refusals ask the hooks of the class where its configuration has none.
    func hooked(_ client: APIClient) -> APIClient
}

extension Requesting {
    /// The client that requests are sent with.
    var sender: APIClient { (self as? any HookedRequesting)?.hooked(client) ?? client }
}
