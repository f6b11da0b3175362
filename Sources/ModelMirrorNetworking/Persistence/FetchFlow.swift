/// The three steps of which a fetch is made. Each can be replaced alone, as those of Reactor's `ReactorFlow`.
///
/// ```swift
/// let save = repository.flow.save
/// repository.flow.save = { response, key in
///     if response.body.count < 1 << 20 { try await save(response, key) }
/// }
/// ```
///
/// What stands between the steps (which of them are taken, expiry, validators, mapping) is the repository's.
public struct FetchFlow: Sendable {
    /// Gives what is stored for a key; nil for nothing. What it throws counts as nothing, and is told.
    public var load: @Sendable (_ key: String) async throws -> StoredResponse?
    /// Asks the network.
    public var network: @Sendable (_ request: TransportRequest) async throws -> TransportResponse
    /// Stores a response whose body could be mapped.
    public var save: @Sendable (_ response: StoredResponse, _ key: String) async throws -> Void

    /// Steps of your own. Without persistence, nothing is loaded, and nothing becomes of what is saved.
    public init(
        network: @escaping @Sendable (_ request: TransportRequest) async throws -> TransportResponse,
        load: @escaping @Sendable (_ key: String) async throws -> StoredResponse? = { _ in nil },
        save: @escaping @Sendable (_ response: StoredResponse, _ key: String) async throws -> Void = { _, _ in }
    ) {
        self.network = network
        self.load = load
        self.save = save
    }

    /// The usual steps: a transport and a store; nil for no store.
    public init(transport: any Transport, store: (any ModelStore)?) {
        self.init(network: { try await transport.response(to: $0) })
        guard let store else { return }
        load = { try await store.response(for: $0) }
        save = { try await store.save($0, for: $1) }
    }
}
