import Foundation
import ModelMirror

/// One fetch: the order of the steps, by the policy. The request is built once and handed on, so that what is looked up, sent and
/// saved is the same.
///
/// What is stored takes the way of a live response, through the same checks and the same mapping, so that it can be nothing
/// that a live one could not.
struct Fetch<Value>: Sendable {
    typealias Update = Exchange.Update
    typealias Product = RequestProduct<Value>

    /// What the store has to give.
    enum Lookup: Sendable {
        case hit(Product, StoredResponse)
        /// Something, of which no objects were made yet.
        case unmapped(StoredResponse)
        /// Nothing to use; what can still be confirmed by the server, if anything.
        case miss(FetchError.Miss, StoredResponse?)

        /// What the server can be asked to confirm.
        fileprivate var stored: StoredResponse? {
            switch self {
            case .hit(_, let stored), .unmapped(let stored): stored
            case .miss(_, let stored): stored
            }
        }
    }

    private let request: TransportRequest
    private let exchange: Exchange
    private let persistence: Persistence?
    private let policy: FetchPolicy
    private let reading: BodyReading<Value>
    private let path: JSONPath?
    /// nil if the response is not to be stored.
    private let key: String?

    /// A fetch of an endpoint, with the request as it goes out.
    init(_ endpoint: Endpoint<Value>, by client: APIClient, _ policy: FetchPolicy) throws {
        request = try client.transportRequest(for: endpoint)
        exchange = Exchange(client, for: endpoint)
        persistence = client.persistence
        self.policy = policy.resolved(for: request, by: client.persistence)
        path = endpoint.path
        key = client.persistence?.storageKey(of: request)
        reading = client.persistence?.prunes.map { endpoint.reading.pruning($0) } ?? endpoint.reading
    }

    /// Whether the policy gives what is stored and then the network's.
    var givesBoth: Bool { policy.order == .cacheThenNetwork }

    /// The one value of a fetch.
    ///
    /// - Parameter stored: Called with what is stored while the network is asked, if the policy gives both.
    func product(
        _ update: @escaping Update, stored: (@Sendable (Product) async -> Void)? = nil
    ) async throws -> Product {
        guard let persistence else {
            if policy.order == .cacheOnly { throw FetchError.nothingStored(miss(.noStore)) }
            return try await exchange.product(of: request, reading, at: path, update)
        }
        switch policy.order {
        case .networkOnly, .networkElseCache, .standard:
            return try await fromNetwork(try await lookup(persistence), persistence, update)
        case .cacheOnly, .cacheElseNetwork, .cacheThenNetwork: break
        }
        let found = try await mapped(try await lookup(persistence), persistence)
        switch (policy.order, found) {
        case (.cacheOnly, .miss(let miss, _)): throw FetchError.nothingStored(miss)
        case (.cacheThenNetwork, .hit(let product, _)):
            guard let stored else { return try await fromNetwork(found, persistence, update) }
            async let isDelivered: Void = stored(product)
            let newer = try await fromNetwork(found, persistence, update)
            await isDelivered
            return newer
        case (_, .hit(let product, _)): return product
        default: return try await fromNetwork(found, persistence, update)
        }
    }
    /// What is stored, if there is such, and what gives the network's after it; for a sequence of both.
    func storedProduct() async throws -> (stored: Product?, network: @Sendable () async throws -> Product) {
        guard let persistence else { return (nil, { try await product { _ in } }) }
        let found = try await mapped(try await lookup(persistence), persistence)
        let network: @Sendable () async throws -> Product = { try await fromNetwork(found, persistence) { _ in } }
        if case .hit(let product, _) = found { return (product, network) }
        return (nil, network)
    }

    /// Asks the network, with what the store has at hand.
    private func fromNetwork(
        _ found: Lookup, _ persistence: Persistence, _ update: @escaping Update
    ) async throws -> Product {
        let capture = Capture()
        do {
            return try await fromNetwork(confirming: found.stored, persistence, capture, update)
        } catch {
            try Task.checkCancellation()
            var found = found
            let fallsBack = policy.order == .networkElseCache && error.leavesNothingUsable(status: capture.status)
            if fallsBack { found = try await mapped(found, persistence) }
            switch found {
            case .hit(let product, _) where fallsBack: return product.asFallback(for: error)
            case .miss(let miss, _) where policy.order != .networkOnly && error.isNoConnectivity:
                throw FetchError.noConnectivity(miss)
            default: throw error
            }
        }
    }

    /// Asks the store.
    private func lookup(_ persistence: Persistence) async throws -> Lookup {
        guard let key else { return .miss(miss(.notStorable), nil) }
        let stored: StoredResponse
        do {
            guard let loaded = try await persistence.store.response(for: key) else { return .miss(miss(.absent), nil) }
            stored = loaded
        } catch {
            try Task.checkCancellation()
            persistence.report(.loadingFailed(error), request)
            return .miss(miss(.unreadable(error)), nil)
        }
        let now = persistence.now()
        guard let maxAge = policy.maxAge, stored.isExpired(maxAge: maxAge, at: now) else { return .unmapped(stored) }
        return .miss(miss(.expired(age: stored.age(at: now), maxAge: maxAge)), stored)
    }

    private func miss(_ reason: FetchError.Miss.Reason) -> FetchError.Miss {
        FetchError.Miss(url: request.url, reason: reason)
    }

    /// Maps what the store gave.
    private func mapped(_ found: Lookup, _ persistence: Persistence) async throws -> Lookup {
        guard case .unmapped(let stored) = found else { return found }
        do {
            let product = try await exchange.over(StoredTransport(stored: stored)).product(
                of: request, reading, at: path
            ) { _ in }
            return .hit(product.from(.store(stored.date)), stored)
        } catch {
            try Task.checkCancellation()
            persistence.report(.unusable(error), request)
            // The server must not confirm what cannot be used.
            return .miss(miss(.unreadable(error)), nil)
        }
    }

    private func fromNetwork(
        confirming stored: StoredResponse?, _ persistence: Persistence, _ capture: Capture, _ update: @escaping Update
    ) async throws -> Product {
        let transport = CapturingTransport(
            exchange.transport, confirming: persistence.revalidates ? stored : nil, into: capture, now: persistence.now)
        let product: Product
        do {
            product = try await exchange.over(transport).product(of: request, reading, at: path, update)
        } catch {
            try Task.checkCancellation()
            guard capture.isConfirmed else { throw error }
            // The server confirms what cannot be used, and has to give all of it.
            persistence.report(.unusable(error), request)
            return try await fromNetwork(confirming: nil, persistence, capture, update)
        }
        try await save(capture.storable(), persistence)
        return product.from(capture.isConfirmed ? .confirmedStore : .network)
    }

    private func save(_ response: StoredResponse?, _ persistence: Persistence) async throws {
        guard let response, let key else { return }
        guard persistence.waitsForSaving else {
            return persistence.saving.add { [request] in
                do {
                    try await persistence.store.save(response, for: key)
                } catch {
                    persistence.report(.savingFailed(error), request)
                }
            }
        }
        do {
            try await persistence.store.save(response, for: key)
        } catch {
            try Task.checkCancellation()
            if persistence.failsWhenSavingFails { throw FetchError.savingFailed(url: request.url, error) }
            persistence.report(.savingFailed(error), request)
        }
    }
}

/// Gives what is stored as if it came.
private struct StoredTransport: Transport {
    let stored: StoredResponse

    func response(to request: TransportRequest) -> TransportResponse { stored.response }
}

extension Error {
    /// Whether the network or the server is at fault, so that what is stored serves better: no connection, a status of 408, 429 or
    /// from 500 on, what is no JSON (the page of a captive portal) or does not map.
    ///
    /// - Parameter status: The status of the response; nil if none came.
    fileprivate func leavesNothingUsable(status: Int?) -> Bool {
        if let status, status >= 500 || [408, 429].contains(status) { return true }
        if let error = self as? ModelError, case .invalidModel = error { return false }
        switch self as? RequestError {
        case .connection, .noConnectivity, .tooManyRedirects, .unacceptableContentType, .emptyBody, .bodyTooLarge:
            return true
        default: return self is ModelError
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
