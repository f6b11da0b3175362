#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A repository whose client has a store, which keeps responses and serves them by a ``FetchPolicy``.
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
///     show(response.value, isOld: response.origin != .network)                      // the stored value, then the network's
/// }
/// ```
///
/// ``Persistence`` has the settings; change them in `client.persistence`. Its policy is `.cacheElseNetwork`, as Reactor's.
nonisolated open class StoringRepository<Status: Equatable & Sendable>: AbstractRepository<Status> {
    /// A repository with a store.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends requests.
    ///   - baseURL: The URL that relative addresses are appended to.
    ///   - configuration: nil for the class's ``AbstractRepository/defaultConfiguration``.
    ///   - store: The store of responses.
    public convenience init(
        transport: any Transport = SystemTransport.shared, baseURL: URL? = nil, configuration: Configuration? = nil,
        store: any ResponseStore
    ) {
        self.init(
            client: APIClient(
                transport: transport, baseURL: baseURL, configuration: configuration ?? Self.defaultConfiguration,
                persistence: Persistence(store, policy: .cacheElseNetwork)))
    }

    /// A repository of an environment, with a store.
    ///
    /// - Throws: ``RequestError``, as ``APIEnvironment/baseURL()``.
    public convenience init(
        transport: any Transport = SystemTransport.shared, environment: some APIEnvironment,
        configuration: Configuration? = nil, store: any ResponseStore
    ) throws(RequestError) {
        self.init(
            client: try APIClient(
                transport: transport, environment: environment,
                configuration: configuration ?? Self.defaultConfiguration,
                persistence: Persistence(store, policy: .cacheElseNetwork)))
    }
}
