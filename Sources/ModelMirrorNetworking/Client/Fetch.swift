import ModelMirror

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One fetch: the steps of a policy. The request is built once, so that lookup, sending and saving use the same one.
///
/// A stored response passes the same checks and mapping as a live one.
struct Fetch<Value>: Sendable {
    typealias Update = Exchange.Update
    typealias Product = RequestProduct<Value>

    /// What the store has for the request.
    struct Lookup: Sendable {
        /// The stored response, which the server may confirm; nil if there is none that can be mapped.
        var stored: StoredResponse?
        /// Why it is not used; nil if it is.
        var miss: FetchError.Miss?
        /// Whether it replaces a failure of the network or the server.
        var replacesErrors = false
        /// Whether the server is asked to confirm it after it was served.
        var isRevalidated = false
        /// Its value, once it has been mapped.
        var product: Product?
    }

    private let request: TransportRequest
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
        self.policy = policy.resolved(for: request, by: client.persistence)
        path = endpoint.valuePath
        key = client.persistence?.storageKey(of: request)
        reading = client.persistence?.prunes.map { endpoint.reading.pruning($0) } ?? endpoint.reading
    }

    var binding: RequestBinding? { request.binding }

    /// Runs steps of the fetch that end with ``RequestError/accountChanged`` when the account signs out.
    func interruptible<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await request.binding.run(work)
    }

    /// Whether the policy delivers the stored value and then the network's.
    var deliversBoth: Bool { policy.order == .cacheThenNetwork }

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
        var found = try await lookup(persistence)
        if [.networkOnly, .networkElseCache].contains(policy.order) {
            return try await fromNetwork(found, persistence, update)
        }
        found = try await mapped(found, persistence)
        guard let product = found.product else {
            if policy.order == .cacheOnly || isOnlyIfCached {
                throw FetchError.nothingStored(found.miss ?? miss(.absent))
            }
            return try await fromNetwork(found, persistence, update)
        }
        if found.isRevalidated { revalidate(found, persistence) }
        guard policy.order == .cacheThenNetwork else { return product }
        guard let stored else { return try await fromNetwork(found, persistence, update) }
        async let isDelivered: Void = stored(product)
        let newer = try await fromNetwork(found, persistence, update)
        await isDelivered
        return newer
    }

    /// The stored value, if any, and the closure that then requests the network's; for a sequence of both.
    func storedProduct() async throws -> (stored: Product?, network: @Sendable () async throws -> Product) {
        guard let persistence else { return (nil, { try await product { _ in } }) }
        let found = try await mapped(try await lookup(persistence), persistence)
        let network: @Sendable () async throws -> Product = { try await fromNetwork(found, persistence) { _ in } }
        return (found.product, network)
    }

    /// Whether the request asks for the stored response alone (RFC 9111 section 5.2.1.7).
    private var isOnlyIfCached: Bool {
        policy.order == .freshElseNetwork && CacheDirectives(request.headers).contains("only-if-cached")
    }

    /// Asks the server, in the background, to confirm a response that was served.
    private func revalidate(_ found: Lookup, _ persistence: Persistence) {
        Task { try await interruptible { _ = try await fromNetwork(found, persistence) { _ in } } }
    }

    /// Sends the request, with the store's result for fallback and validators.
    private func fromNetwork(
        _ found: Lookup, _ persistence: Persistence, _ update: @escaping Update
    ) async throws -> Product {
        var status: Int?
        do {
            return try await fromNetwork(confirming: found.stored, persistence, &status, update)
        } catch {
            try Task.checkCancellation()
            var found = found
            if found.replacesErrors, error.permitsStoredResponse(status: status) {
                found.miss = nil
                found = try await mapped(found, persistence)
                if let product = found.product { return product.asFallback(for: error) }
            }
            guard let miss = found.miss, policy.order != .networkOnly, error.isNoConnectivity else { throw error }
            throw FetchError.noConnectivity(miss)
        }
    }

    private func lookup(_ persistence: Persistence) async throws -> Lookup {
        guard let key else { return Lookup(miss: miss(.notStorable)) }
        if persistence.accounts.isRevoking(request.binding) { return Lookup(miss: miss(.absent)) }
        let stored: StoredResponse
        do {
            guard let loaded = try await persistence.store.response(for: key) else {
                return Lookup(miss: miss(.absent))
            }
            stored = loaded
        } catch {
            try Task.checkCancellation()
            persistence.tell(.loadingFailed(error), request)
            return Lookup(miss: miss(.unreadable(error)))
        }
        let now = persistence.now()
        if let maxAge = policy.maxAge, stored.isExpired(maxAge: maxAge, at: now) {
            return Lookup(stored: stored, miss: miss(.expired(age: stored.age(at: now), maxAge: maxAge)))
        }
        guard policy.order == .freshElseNetwork else {
            return Lookup(stored: stored, replacesErrors: policy.order == .networkElseCache)
        }
        let freshness = Freshness(of: stored, for: request.headers, at: now)
        let isChanged = await isChanged(since: stored.date, persistence)
        var found = Lookup(stored: stored)
        found.isRevalidated = !freshness.isFresh && freshness.isServedBeforeRevalidation && !isChanged
        if isChanged || !freshness.isFresh && !found.isRevalidated {
            let allowed = Duration(clampingSeconds: isChanged ? 0 : freshness.lifetime)
            found.miss = miss(.expired(age: Duration(clampingSeconds: freshness.age), maxAge: allowed))
            found.replacesErrors = freshness.replacesErrors && !isChanged
        }
        return found
    }

    /// Whether this client has changed what is at the URL since a date.
    private func isChanged(since date: Date, _ persistence: Persistence) async -> Bool {
        guard request.method == .get, let key = Persistence.changeKey(of: request.url, request) else { return false }
        do {
            guard let change = try await persistence.store.response(for: key) else { return false }
            return date <= change.date
        } catch {
            return true
        }
    }

    private func miss(_ reason: FetchError.Miss.Reason) -> FetchError.Miss {
        FetchError.Miss(url: request.url, reason: reason)
    }

    private func mapped(_ found: Lookup, _ persistence: Persistence) async throws -> Lookup {
        guard found.miss == nil, let stored = found.stored else { return found }
        var found = found
        do {
            let response = try await exchange.whole(stored.served(at: persistence.now()), to: request) { _ in }
            found.product = try exchange.product(of: response, reading, at: path).from(.store(stored.date))
            return found
        } catch {
            try Task.checkCancellation()
            // The sentence of a miss names the URL itself.
            let error: any Error = (error as? ModelError)?.from(nil) ?? error
            persistence.tell(.unusable(error), request)
            // A response that cannot be mapped must not be confirmed by the server.
            return Lookup(miss: miss(.unreadable(error)))
        }
    }

    /// - Parameter status: Set to the status of the response.
    private func fromNetwork(
        confirming stored: StoredResponse?, _ persistence: Persistence, _ status: inout Int?,
        _ update: @escaping Update
    ) async throws -> Product {
        let date = persistence.now()
        let confirmation = persistence.revalidates ? stored?.confirmation(of: request) : nil
        var head = try await exchange.send(confirmation ?? request, update)
        if head.status == 304, confirmation != nil, let stored {
            if stored.canBeConfirmed(by: head.headers) {
                return try await confirmed(stored.confirmed(by: head.headers, at: date), persistence, &status, update)
            }
            head = try await exchange.send(request, update)
        }
        status = head.status
        await noteEffects(of: head, at: date, persistence)
        let response = try await exchange.whole(head, to: request, update)
        let product = try exchange.product(of: response, reading, at: path)
        try await save(StoredResponse(response, date: date), persistence)
        return product
    }

    private func confirmed(
        _ stored: StoredResponse, _ persistence: Persistence, _ status: inout Int?, _ update: @escaping Update
    ) async throws -> Product {
        let product: Product
        do {
            let response = try await exchange.whole(stored.response, to: request, update)
            product = try exchange.product(of: response, reading, at: path)
        } catch {
            try Task.checkCancellation()
            // The confirmed response cannot be mapped: request it again without validators.
            persistence.tell(.unusable(error), request)
            return try await fromNetwork(confirming: nil, persistence, &status, update)
        }
        try await save(stored, persistence)
        return product.from(.confirmedStore)
    }

    /// Applies what a response means for those stored for other requests: RFC 9111 sections 4.3.5 and 4.4.
    private func noteEffects(of head: TransportResponse, at date: Date, _ persistence: Persistence) async {
        guard (200..<400).contains(head.status), !request.method.isSafe || request.method == .head else { return }
        do {
            if request.method != .head {
                try await noteChange(of: head.targets(of: request), persistence)
            } else if head.status == 200 {
                try await renew(by: head, at: date, persistence)
            }
        } catch {
            persistence.tell(.savingFailed(error), request)
        }
    }

    private func noteChange(of urls: Set<URL>, _ persistence: Persistence) async throws {
        for url in urls {
            guard let key = Persistence.changeKey(of: url, request) else { continue }
            let change = StoredResponse(url: url, body: Data(), date: persistence.now())
            try await persistence.accounts.save(for: request.binding) {
                try await persistence.store.save(change, for: key)
            }
        }
    }

    /// Gives the stored response to GET the header fields of one to HEAD, or notes that it is outdated.
    private func renew(by head: TransportResponse, at date: Date, _ persistence: Persistence) async throws {
        var get = request
        get.method = .get
        guard persistence.key(get) != nil, let key = persistence.storageKey(of: get),
            let stored = try await persistence.store.response(for: key)
        else { return }
        let isSame =
            stored.canBeConfirmed(by: head.headers)
            && head.headers[.lastModified].map { $0 == stored.lastModified } ?? true
            && head.headers[.contentLength].map { Int($0) == stored.body.count } ?? true
        guard isSame else { return try await noteChange(of: [request.url], persistence) }
        try await persistence.accounts.save(for: request.binding) {
            try await persistence.store.save(stored.confirmed(by: head.headers, at: date), for: key)
        }
    }

    private func save(_ response: StoredResponse, _ persistence: Persistence) async throws {
        guard let key, response.mayBeStored(for: request), mayStore(persistence) else { return }
        let save: @Sendable () async throws -> Void = { [request] in
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

extension TransportResponse {
    /// The URLs whose content an unsafe request changed: its own, the one that answered, and those that the response names at the same
    /// origin.
    fileprivate func targets(of request: TransportRequest) -> Set<URL> {
        let named = [headers[.location], headers["Content-Location"]].compactMap {
            $0.flatMap { URL(string: $0, relativeTo: url) }
        }
        return Set([request.url, url] + named.map(\.absoluteURL).filter { Origin($0) == Origin(url) })
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
