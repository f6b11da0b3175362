import ModelMirror

/// One fetch: the steps of a policy. The request is built once, so that lookup, sending and saving use the same one.
///
/// A stored response passes the same checks and mapping as a live one.
struct Fetch<Value>: Sendable {
    typealias Update = Exchange.Update
    typealias Product = RequestProduct<Value>

    enum Lookup: Sendable {
        case hit(Product, StoredResponse)
        /// A response that has not been mapped yet.
        case unmapped(StoredResponse)
        /// A response that is no longer fresh, but may replace a failed one; not mapped yet.
        case stale(FetchError.Miss, StoredResponse)
        /// No usable response; the second value can still be confirmed by the server.
        case miss(FetchError.Miss, StoredResponse?)

        fileprivate var stored: StoredResponse? {
            switch self {
            case .hit(_, let stored), .unmapped(let stored), .stale(_, let stored): stored
            case .miss(_, let stored): stored
            }
        }
    }

    private var request: TransportRequest
    private let exchange: Exchange
    private let persistence: Persistence?
    private let policy: FetchPolicy
    private let reading: BodyReading<Value>
    private let path: JSONPath?
    /// The key in the store; nil if the response is not stored.
    private let key: String?

    init(_ endpoint: Endpoint<Value>, by client: APIClient, _ policy: FetchPolicy) throws {
        request = try client.transportRequest(for: endpoint)
        exchange = Exchange(client, for: endpoint)
        persistence = client.persistence
        self.policy = policy.resolved(for: request.method, by: client.persistence)
        path = endpoint.valuePath
        key = client.persistence?.storageKey(of: request)
        reading = client.persistence?.prunes.map { endpoint.reading.pruning($0) } ?? endpoint.reading
    }

    var binding: RequestBinding? { request.binding }

    /// The value of a fetch.
    ///
    /// - Parameter stored: Called with the stored value while the network request runs, if the policy delivers both.
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
        case .cacheControl, .cacheOnly, .cacheElseNetwork, .cacheThenNetwork: break
        }
        var found = try await lookup(persistence)
        if case .unmapped = found { found = try await mapped(found, persistence) }
        switch (policy.order, found) {
        case (.cacheOnly, .miss(let miss, _)): throw FetchError.nothingStored(miss)
        case (.cacheControl, .miss(let miss, _)) where isOnlyIfCached,
            (.cacheControl, .stale(let miss, _)) where isOnlyIfCached:
            throw FetchError.nothingStored(miss)
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

    /// The first value and, if it is a stored one, the closure that requests the network's; for a sequence of both.
    func firstProduct() async throws -> (Product, network: (@Sendable () async throws -> Product)?) {
        guard policy.order == .cacheThenNetwork, let persistence else { return (try await product { _ in }, nil) }
        let found = try await mapped(try await lookup(persistence), persistence)
        guard case .hit(let stored, _) = found else { return (try await fromNetwork(found, persistence) { _ in }, nil) }
        let delivered = ContinuousClock.now
        return (
            stored,
            {
                var fetch = self
                // The caller's time with the stored value does not count.
                fetch.request.deadline = request.deadline?.advanced(by: delivered.duration(to: .now))
                return try await fetch.fromNetwork(found, persistence) { _ in }
            }
        )
    }

    /// Sends the request, with the store's result for fallback and validators.
    private func fromNetwork(
        _ found: Lookup, _ persistence: Persistence, _ update: @escaping Update
    ) async throws -> Product {
        let capture = Capture()
        do {
            return try await fromNetwork(confirming: found.stored, persistence, capture, update)
        } catch {
            try Task.checkCancellation()
            var found = found
            var mayFallBack = policy.order == .networkElseCache
            if case .stale = found { mayFallBack = true }
            let fallsBack = mayFallBack && error.permitsStoredResponse(status: capture.head?.status)
            if fallsBack { found = try await mapped(found, persistence) }
            switch found {
            case .hit(let product, _) where fallsBack: return product.asFallback(for: error)
            case .miss(let miss, _) where policy.order != .networkOnly && error.isNoConnectivity:
                throw FetchError.noConnectivity(miss)
            default: throw error
            }
        }
    }

    private func lookup(_ persistence: Persistence) async throws -> Lookup {
        guard let key else { return .miss(miss(.notStorable), nil) }
        if persistence.accounts.isRevoking(request.binding) { return .miss(miss(.absent), nil) }
        if request.binding?.obstacle == .account {
            // The list belongs to another account, as the layers say when the request is sent.
            if policy.order == .cacheOnly { throw RequestError.accountChanged }
            return .miss(miss(.absent), nil)
        }
        let stored: StoredResponse
        do {
            guard let loaded = try await persistence.store.response(for: key) else { return .miss(miss(.absent), nil) }
            stored = loaded
        } catch {
            try Task.checkCancellation()
            persistence.tell(.loadingFailed(error), request)
            return .miss(miss(.unreadable(error)), nil)
        }
        let freshness = freshness(of: stored, persistence)
        let isChanged =
            policy.order == .cacheControl && (freshness.isFresh || freshness.permitsErrors)
            ? await persistence.hasChanged(since: stored, request) : false
        if freshness.isFresh, !isChanged { return .unmapped(stored) }
        let lifetime = policy.order == .cacheControl ? freshness.lifetime : nil
        let expired = miss(
            .expired(
                age: .seconds(freshness.age),
                maxAge: lifetime.map { .seconds(min(max($0, 0), 9e18)) } ?? policy.maxAge ?? .zero))
        return freshness.permitsErrors && !isChanged ? .stale(expired, stored) : .miss(expired, stored)
    }

    private func freshness(of stored: StoredResponse, _ persistence: Persistence) -> Freshness {
        Freshness(of: stored, for: request, policy, at: persistence.now())
    }

    private var isOnlyIfCached: Bool { CacheDirectives(request.headers[.cacheControl])["only-if-cached"] != nil }

    private func miss(_ reason: FetchError.Miss.Reason) -> FetchError.Miss {
        FetchError.Miss(url: request.url, reason: reason)
    }

    private func mapped(_ found: Lookup, _ persistence: Persistence) async throws -> Lookup {
        let stored: StoredResponse
        switch found {
        case .unmapped(let found), .stale(_, let found): stored = found
        case .hit, .miss: return found
        }
        do {
            let served = stored.served(age: freshness(of: stored, persistence).age)
            let product = try await exchange.over(StoredTransport(stored: served)).product(
                of: request, reading, at: path
            ) { _ in }
            return .hit(product, stored)
        } catch {
            try Task.checkCancellation()
            // The sentence of a miss names the URL itself.
            let error: any Error = (error as? ModelError)?.from(nil) ?? error
            persistence.tell(.unusable(error), request)
            // A response that cannot be mapped must not be confirmed by the server.
            return .miss(miss(.unreadable(error)), nil)
        }
    }

    private func fromNetwork(
        confirming stored: StoredResponse?, _ persistence: Persistence, _ capture: Capture, _ update: @escaping Update
    ) async throws -> Product {
        let transport = CapturingTransport(
            base: exchange.transport, stored: persistence.revalidates ? stored : nil, capture: capture,
            persistence: persistence)
        let product: Product
        do {
            product = try await exchange.over(transport).product(of: request, reading, at: path, update)
        } catch {
            try Task.checkCancellation()
            guard stored != nil, capture.isConfirmed else { throw error }
            // The confirmed response cannot be mapped: request it again without validators.
            persistence.tell(.unusable(error), request)
            return try await fromNetwork(confirming: nil, persistence, capture, update)
        }
        try await save(capture, persistence)
        return product
    }

    private func save(_ capture: Capture, _ persistence: Persistence) async throws {
        guard var response = capture.response(), !response.mustNotBeStored(for: request),
            key != nil || request.method == .head, mayStore(persistence)
        else { return }
        // A coding that the request itself asks for may not be decoded, so the field stays as the reading saw it.
        if request.headers["Accept-Encoding"] != nil, let coding = capture.head?.headers["Content-Encoding"] {
            response.headers["Content-Encoding"] = coding
        }
        let save: @Sendable () async throws -> Void = { [request, key, response] in
            if request.method == .head {
                try await persistence.update(by: request, response, sent: capture.head?.headers ?? response.headers)
            }
            guard let key else { return }
            try await persistence.accounts.save(for: request.binding) {
                try await persistence.store.save(response, for: key)
            }
        }
        guard persistence.waitsForSaving else {
            return persistence.saving.add { [request] in
                do { try await save() } catch { persistence.tell(.savingFailed(error), request) }
            }
        }
        do {
            try await save()
        } catch {
            try Task.checkCancellation()
            if persistence.failsWhenSavingFails { throw FetchError.savingFailed(url: request.url, error) }
            persistence.tell(.savingFailed(error), request)
        }
    }

    /// Whether it is known for whom the response is; reports why not.
    private func mayStore(_ persistence: Persistence) -> Bool {
        guard let binding = request.binding else { return true }
        switch binding.obstacle {
        case .undeclared(let names): persistence.tell(.undeclared(names), request)
        case .account: persistence.tell(.unknownIdentity, request)
        case nil where !binding.isPrepared: persistence.tell(.unprepared, request)
        case nil: return true
        }
        return false
    }
}

private struct StoredTransport: Transport {
    let stored: StoredResponse

    func response(to request: TransportRequest) -> TransportResponse {
        var response = stored.response
        response.origin = .store(stored.date)
        return response
    }
}

extension Error {
    /// Whether a stored response may replace the failed one, because the network or the server is at fault: no connection; too
    /// many redirects; status 408, 429 or 500 and above; a body that is empty, too large, not JSON (a captive portal's page) or
    /// cannot be mapped.
    ///
    /// - Parameter status: The status of the response; nil without a response.
    fileprivate func permitsStoredResponse(status: Int?) -> Bool {
        if let status, status >= 500 || [408, 429].contains(status) { return true }
        if let error = self as? ModelError, case .invalidModel = error { return false }
        switch self as? RequestError {
        case .connection, .noConnectivity, .tooManyRedirects, .unacceptableContentType, .emptyBody, .bodyTooLarge:
            return true
        default: return self is ModelError
        }
    }

    fileprivate var isNoConnectivity: Bool {
        switch self as? RequestError {
        case .noConnectivity: true
        case .connection(let failure): failure.kind == .offline
        default: false
        }
    }
}
