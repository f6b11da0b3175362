public import Foundation

/// A repository whose client has a store: what it fetches is kept, and served again by a ``FetchPolicy``.
///
/// ```swift
/// class GistsRepository: StoringRepository<String> {
///     func gists(of user: String) -> Endpoint<[Gist]> { .get("users/\(user)/gists") }
/// }
///
/// let repository = GistsRepository(transport: transport, baseURL: url, store: try FileStore(folder: caches))
/// let gists = try await repository.value(repository.gists(of: "octocat"))           // stored, else from the network
/// repository.request(repository.gists(of: "octocat"), policy: .networkOnly) { getGists in
///     do { show(try getGists()) } catch { report(error) }
/// }
/// for try await response in repository.values(repository.gists(of: "octocat")) {
///     show(response.value, isOld: response.origin != .network)                      // what is stored, then the network's
/// }
/// ```
///
/// The switches are those of ``Persistence``, in `client.persistence`.
nonisolated open class StoringRepository<Status: Equatable & Sendable>: AbstractRepository<Status> {
    /// A repository with a store.
    ///
    /// - Parameters:
    ///   - transport: What requests are sent with.
    ///   - baseURL: What relative addresses are appended to.
    ///   - configuration: nil for the class's ``AbstractRepository/defaultConfiguration``.
    ///   - store: Where responses are kept.
    public convenience init(
        transport: any Transport = SystemTransport.shared, baseURL: URL? = nil, configuration: Configuration? = nil,
        store: any ModelStore
    ) {
        self.init(
            client: APIClient(
                transport: transport, baseURL: baseURL, configuration: configuration ?? Self.defaultConfiguration,
                persistence: Persistence(store)))
    }

    /// A repository with a store, of an environment.
    ///
    /// - Throws: ``RequestError/invalidURL(_:)`` if the environment makes no URL.
    public convenience init(
        transport: any Transport = SystemTransport.shared, environment: some APIEnvironment,
        configuration: Configuration? = nil, store: any ModelStore
    ) throws(RequestError) {
        self.init(
            client: try APIClient(
                transport: transport, environment: environment,
                configuration: configuration ?? Self.defaultConfiguration, persistence: Persistence(store)))
    }
}
