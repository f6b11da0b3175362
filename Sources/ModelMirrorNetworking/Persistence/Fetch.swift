import Foundation
import ModelMirror

/// One fetch: the order of the steps, by the policy. It holds all it needs of the repository, so that it can run on any
/// thread.
///
/// What is stored takes the way of a live response, through the same checks and the same mapping, so that it can be nothing
/// that a live one could not.
struct Fetch<Status: Equatable & Sendable, Value>: Sendable {
    typealias Update = Exchange<Status>.Update
    typealias Outcome = (product: RequestProduct<Value>, origin: FetchOrigin)

    /// What the store has to give.
    enum Lookup: Sendable {
        case hit(Outcome, StoredResponse)
        /// Something, of which no objects were made yet.
        case unmapped(StoredResponse)
        /// Nothing to use; what can still be confirmed by the server, if anything.
        case miss(FetchError.Miss, StoredResponse?)
    }

    let exchange: Exchange<Status>
    let flow: FetchFlow
    let persistence: Persistence
    let saving: SavingOrder
    let resource: Resource<Value>
    let policy: FetchPolicy

    /// The request as it would go out, for the key and the errors.
    private var request: TransportRequest {
        get throws {
            try resource.target.request(base: exchange.baseURL, defaults: exchange.configuration.headers)
        }
    }

    /// The one value of a fetch.
    ///
    /// - Parameter stored: Given what is stored while the network is asked, if the policy is to give both.
    func outcome(
        _ update: @escaping Update, stored: (@Sendable (RequestProduct<Value>) async -> Void)? = nil
    ) async throws -> Outcome {
        switch policy.order {
        case .networkOnly, .networkElseCache: return try await fromNetwork(try await lookup(), update)
        case .cacheOnly, .cacheElseNetwork, .cacheThenNetwork: break
        }
        let found = try await mapped(try await lookup())
        switch (policy.order, found) {
        case (.cacheOnly, .miss(let miss, _)): throw FetchError.nothingStored(miss)
        case (.cacheThenNetwork, .hit(let outcome, _)):
            guard let stored else { return try await fromNetwork(found, update) }
            async let isTold: Void = stored(outcome.product)
            let newer = try await fromNetwork(found, update)
            await isTold
            return newer
        case (_, .hit(let outcome, _)): return outcome
        default: return try await fromNetwork(found, update)
        }
    }

    /// Asks the network, with what the store has at hand.
    func fromNetwork(_ found: Lookup, _ update: @escaping Update) async throws -> Outcome {
        do {
            return try await fromNetwork(confirming: found.stored, update)
        } catch {
            try Task.checkCancellation()
            var found = found
            if policy.order == .networkElseCache, error.isTheNetworks { found = try await mapped(found) }
            switch found {
            case .hit(let outcome, _) where policy.order == .networkElseCache: return outcome
            case .miss(let miss, _) where policy.order != .networkOnly && error.isNoConnectivity:
                throw FetchError.noConnectivity(miss)
            default: throw error
            }
        }
    }

    /// Asks the store.
    func lookup() async throws -> Lookup {
        let request = try request
        guard let key = persistence.key(request) else {
            return .miss(FetchError.Miss(url: request.url, reason: .notStorable), nil)
        }
        let stored: StoredResponse
        do {
            guard let loaded = try await flow.load(key) else {
                return .miss(FetchError.Miss(url: request.url, reason: .absent), nil)
            }
            stored = loaded
        } catch {
            try Task.checkCancellation()
            persistence.report(.loadingFailed(error), request)
            return .miss(FetchError.Miss(url: request.url, reason: .unreadable(error)), nil)
        }
        let now = persistence.now()
        guard let maxAge = policy.maxAge, stored.isExpired(maxAge: maxAge, at: now) else { return .unmapped(stored) }
        let reason = FetchError.Miss.Reason.expired(age: stored.age(at: now), maxAge: maxAge)
        return .miss(FetchError.Miss(url: request.url, reason: reason), stored)
    }

    /// Maps what the store gave.
    func mapped(_ found: Lookup) async throws -> Lookup {
        guard case .unmapped(let stored) = found else { return found }
        let request = try request
        do {
            return .hit((try await product(of: stored), .store(stored.date)), stored)
        } catch {
            try Task.checkCancellation()
            persistence.report(.unusable(error), request)
            // The server must not confirm what cannot be used.
            return .miss(FetchError.Miss(url: request.url, reason: .unreadable(error)), nil)
        }
    }

    private func product(of stored: StoredResponse) async throws -> RequestProduct<Value> {
        var configuration = exchange.configuration
        configuration.reachability = nil
        let exchange = Exchange(
            transport: StoredTransport(stored: stored), baseURL: exchange.baseURL, configuration: configuration,
            repository: exchange.repository)
        return try await exchange.product(of: resource.target, at: resource.path, reading) { _ in }
    }

    private func fromNetwork(confirming stored: StoredResponse?, _ update: @escaping Update) async throws -> Outcome {
        let transport = CapturingTransport(
            network: flow.network, confirming: persistence.revalidates ? stored : nil, now: persistence.now)
        let exchange = Exchange(
            transport: transport, baseURL: exchange.baseURL, configuration: exchange.configuration,
            repository: exchange.repository)
        let product: RequestProduct<Value>
        do {
            product = try await exchange.product(
                of: resource.target, at: resource.path, reading, update: update)
        } catch {
            try Task.checkCancellation()
            guard transport.isConfirmed else { throw error }
            // The server confirms what cannot be used, and has to give all of it.
            persistence.report(.unusable(error), try request)
            return try await fromNetwork(confirming: nil, update)
        }
        try await save(transport.storable())
        return (product, transport.isConfirmed ? .confirmedStore : .network)
    }

    private var reading: BodyReading<Value> {
        persistence.prunes.map { resource.reading.pruning($0) } ?? resource.reading
    }

    private func save(_ response: StoredResponse?) async throws {
        let request = try request
        guard let response, let key = persistence.key(request) else { return }
        guard persistence.waitsForSaving else {
            return saving.add { [flow, persistence] in
                do {
                    try await flow.save(response, key)
                } catch {
                    persistence.report(.savingFailed(error), request)
                }
            }
        }
        do {
            try await flow.save(response, key)
        } catch {
            try Task.checkCancellation()
            if persistence.failsWhenSavingFails { throw FetchError.savingFailed(url: request.url, error) }
            persistence.report(.savingFailed(error), request)
        }
    }
}

extension Fetch.Lookup {
    /// What the server can be asked to confirm.
    fileprivate var stored: StoredResponse? {
        switch self {
        case .hit(_, let stored), .unmapped(let stored): stored
        case .miss(_, let stored): stored
        }
    }
}

/// Gives what is stored as if it came.
private struct StoredTransport: Transport {
    let stored: StoredResponse

    func response(to request: TransportRequest) -> TransportResponse { stored.response }
}

extension BodyReading {
    /// The same reading, with bad elements of a collection left out or not.
    ///
    /// A collection of which nothing is left is read again with none left out: then either it is really empty, or the
    /// failures of all its elements are thrown.
    fileprivate func pruning(_ prunes: Bool) -> BodyReading {
        guard isCollection else { return self }
        let read = read
        return BodyReading(key: key, isCollection: true) { body, path, options in
            var options = options
            options.skipsInvalidElements = prunes
            let value = try read(body, path, options)
            guard prunes, (value as? any Collection)?.isEmpty == true else { return value }
            options.skipsInvalidElements = false
            return try read(body, path, options)
        }
    }
}

extension Error {
    /// Whether the network or the server is at fault, so that asking at another time may help.
    fileprivate var isTheNetworks: Bool {
        switch self as? RequestError {
        case .connection, .noConnectivity: true
        case .unacceptableStatus(let response): response.status >= 500
        case .statusFailure(let failure): failure.response.status >= 500
        default: false
        }
    }

    /// Whether there is no network at all.
    fileprivate var isNoConnectivity: Bool {
        switch self as? RequestError {
        case .noConnectivity: true
        case .connection(let failure): failure.kind == .offline
        default: false
        }
    }
}
