public import Foundation
import ModelMirror

/// A repository with a store: what it fetches is kept, and served again by a ``FetchPolicy``.
///
/// ```swift
/// class GistsRepository: StoringRepository<String> {
///     func gists(of user: String) -> Resource<[Gist]> { .objects("https://api.github.com/users/\(user)/gists") }
/// }
///
/// let repository = GistsRepository(transport: transport, store: try FileStore(folder: caches))
/// let gists = try await repository.value(of: repository.gists(of: "octocat"))     // stored, else from the network
/// repository.fetch(repository.gists(of: "octocat"), policy: .networkOnly) { getGists in
///     do { show(try getGists()) } catch { report(error) }
/// }
/// for try await fetched in repository.values(of: repository.gists(of: "octocat")) {
///     show(fetched.value, isOld: fetched.origin != .network)                      // what is stored, then the network's
/// }
/// ```
///
/// | | closure | await |
/// |---|---|---|
/// | one value | `fetch(_:policy:completion:)` | `value(of:policy:)` |
/// | what is stored, then the network's | `fetch(_:policy:stored:completion:)` | `values(of:policy:)` |
///
/// Stored are the bytes of a response, after its objects could be made of them: nothing is stored that the repository would
/// not accept. What is stored goes through the same checks when it is served; what does not pass counts as nothing. Not
/// stored are responses with `Cache-Control: no-store` or `Vary: *`, those with status 206, and those whose request has no
/// ``Persistence/key``.
///
/// The `request…` calls of ``AbstractRepository`` are there, too, and know nothing of the store.
nonisolated open class StoringRepository<Status: Equatable & Sendable>: AbstractRepository<Status> {
    /// The switches. A change holds for the fetches that come after it.
    public var persistence: Persistence
    /// The steps. A change holds for the fetches that come after it.
    public var flow: FetchFlow

    private let saving = SavingOrder()

    /// A repository with a store.
    ///
    /// - Parameters:
    ///   - transport: What requests are sent with.
    ///   - baseURL: What relative URLs are appended to.
    ///   - configuration: nil for the class's ``AbstractRepository/defaultConfiguration``.
    ///   - store: Where responses are kept; nil for nowhere, which makes every policy but `.cacheOnly` ask the network.
    ///   - persistence: The switches.
    public init(
        transport: any Transport = URLSessionTransport.shared, baseURL: URL? = nil,
        configuration: Configuration? = nil,
        store: (any ModelStore)?, persistence: Persistence = Persistence()
    ) {
        self.persistence = persistence
        flow = FetchFlow(transport: transport, store: store)
        super.init(transport: transport, baseURL: baseURL, configuration: configuration)
    }

    /// Waits until all is stored that was handed over before it was stored; see ``Persistence/waitsForSaving``.
    nonisolated(nonsending) public func savingFinished() async { await saving.finished() }

    /// A fetch of a resource, with all it needs of this repository.
    func makeFetch<Value>(_ resource: Resource<Value>, _ policy: FetchPolicy?) -> Fetch<Status, Value> {
        let exchange = Exchange(
            transport: transport, baseURL: baseURL, configuration: configuration, repository: type(of: self))
        return Fetch(
            exchange: exchange, flow: flow, persistence: persistence, saving: saving, resource: resource,
            policy: policy ?? persistence.policy)
    }
}
