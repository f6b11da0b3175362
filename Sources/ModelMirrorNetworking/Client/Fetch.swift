import ModelMirror
import ModelMirrorFoundation

/// One fetch: the steps of a policy. The request is built once, so that lookup, sending and saving use the same one.
///
/// A stored response passes the same checks and mapping as a live one.
struct Fetch<Value>: Sendable {
    typealias Product = RequestProduct<Value>

    /// What the store has for the request.
    private struct Lookup: Sendable {
        /// The stored response; the server can confirm it.
        var stored: StoredResponse?
        /// Why it is not served; nil if it is.
        var miss: FetchError.Miss?
        /// Whether it may replace a failed response although it is no longer fresh.
        var replacesFailures = false
        /// Its value, once it is mapped.
        var product: Product?
    }

    private var request: TransportRequest
    /// Its `update` takes the progress of the network's responses.
    var exchange: Exchange
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
    func product(stored: (@Sendable (Product) async -> Void)? = nil) async throws -> Product {
        let (first, network) = try await firstProduct()
        guard let network else { return first }
        async let isDelivered: Void = stored?(first) ?? ()
        let newer = try await network()
        await isDelivered
        return newer
    }

    /// The first value and, if it is a stored one, the closure that requests the network's.
    func firstProduct() async throws -> (Product, network: (@Sendable () async throws -> Product)?) {
        guard let persistence else {
            if policy.order == .cacheOnly { throw FetchError.nothingStored(miss(.noStore)) }
            let response = try await exchange.whole(exchange.send(request))
            return (try exchange.product(of: response, reading, at: path), nil)
        }
        var found = try await lookup(persistence)
        if found.miss == nil, ![.networkOnly, .networkElseCache].contains(policy.order) {
            found = try await mapped(found, persistence)
        }
        if let miss = found.miss, policy.order == .cacheOnly || policy.order == .cacheControl && isOnlyIfCached {
            throw FetchError.nothingStored(miss)
        }
        guard let stored = found.product else { return (try await fromNetwork(found, persistence), nil) }
        guard policy.order == .cacheThenNetwork else { return (stored, nil) }
        let delivered = ContinuousClock.now
        return (
            stored,
            { [found] in
                var fetch = self
                // The caller's time with the stored value does not count.
                fetch.request.deadline = request.deadline?.advanced(by: delivered.duration(to: .now))
                return try await fetch.fromNetwork(found, persistence)
            }
        )
    }

    /// Sends the request, with the store's result for fallback and validators.
    private func fromNetwork(_ found: Lookup, _ persistence: Persistence) async throws -> Product {
        var status: Int?
        do {
            return try await fromNetwork(confirming: found.stored, persistence, &status)
        } catch {
            try Task.checkCancellation()
            var found = found
            if found.replacesFailures || policy.order == .networkElseCache, error.permitsStoredResponse(status: status)
            {
                found = try await mapped(found, persistence, insteadOf: error)
                if let product = found.product { return product }
            }
            if let miss = found.miss, policy.order != .networkOnly, error.isNoConnectivity {
                throw FetchError.noConnectivity(miss)
            }
            throw error
        }
    }

    private func lookup(_ persistence: Persistence) async throws -> Lookup {
        guard let key else { return Lookup(miss: miss(.notStorable)) }
        if persistence.accounts.isRevoking(request.binding) { return Lookup(miss: miss(.absent)) }
        if request.binding?.obstacle == .account {
            // The list belongs to another account, as the layers say when the request is sent.
            if policy.order == .cacheOnly { throw RequestError.accountChanged }
            return Lookup(miss: miss(.absent))
        }
        let loaded: StoredResponse?
        do {
            loaded = try await persistence.store.response(for: key)
        } catch {
            try Task.checkCancellation()
            persistence.notify(.loadingFailed(error), request)
            return Lookup(miss: miss(.unreadable(error)))
        }
        guard let stored = loaded else { return Lookup(miss: miss(.absent)) }
        let freshness = Freshness(of: stored, for: request, policy, at: persistence.now())
        let isChanged =
            policy.order == .cacheControl && (freshness.isFresh || freshness.permitsErrors)
            ? await persistence.hasChanged(since: stored, request) : false
        if freshness.isFresh, !isChanged { return Lookup(stored: stored) }
        let lifetime = policy.order == .cacheControl ? freshness.lifetime : nil
        let expired = miss(
            .expired(
                age: .seconds(freshness.age),
                maxAge: lifetime.map { .seconds(min(max($0, 0), 9e18)) } ?? policy.maxAge ?? .zero))
        return Lookup(stored: stored, miss: expired, replacesFailures: freshness.permitsErrors && !isChanged)
    }

    private var isOnlyIfCached: Bool { request.headers.cacheDirectives["only-if-cached"] != nil }

    private func miss(_ reason: FetchError.Miss.Reason) -> FetchError.Miss {
        FetchError.Miss(url: request.url, reason: reason)
    }

    /// The stored response with its value, if it may be served; one that cannot be mapped counts as absent.
    ///
    /// - Parameter error: Why the network's response is not served.
    private func mapped(
        _ found: Lookup, _ persistence: Persistence, insteadOf error: (any Error)? = nil
    ) async throws -> Lookup {
        guard let stored = found.stored, found.miss == nil || found.replacesFailures else { return found }
        do {
            let age = Freshness(of: stored, for: request, policy, at: persistence.now()).age
            try request.binding?.checkRevoked()
            var answer = answer(stored, from: .store(stored.date))
            // In seconds, RFC 9111 section 5.1.
            answer.headers["Age"] = "\(Int64(max(min(age, 2_147_483_648), 0)))"
            answer.fallbackReason = error
            var exchange = exchange
            exchange.update = { _ in }
            let response = try await exchange.whole(answer)
            return Lookup(stored: stored, product: try exchange.product(of: response, reading, at: path))
        } catch {
            try Task.checkCancellation()
            // The sentence of a miss names the URL itself.
            let error: any Error = (error as? ModelError)?.from(nil) ?? error
            persistence.notify(.unusable(error), request)
            // A response that cannot be mapped must not be confirmed by the server.
            return Lookup(miss: miss(.unreadable(error)))
        }
    }

    /// A stored response as the answer to the request.
    private func answer(_ stored: StoredResponse, from origin: FetchOrigin) -> TransportResponse {
        var response = TransportResponse(
            status: stored.status, headers: stored.headers, url: stored.url, body: ResponseBody(stored.body))
        (response.head.method, response.head.binding, response.head.origin) = (request.method, request.binding, origin)
        return response
    }

    /// Sends the validators of the stored response and serves that on a 304. Stores the response, or the confirmed one.
    ///
    /// - Parameter status: Becomes that of a response that has arrived, other than one that confirms the stored one.
    private func fromNetwork(
        confirming stored: StoredResponse?, _ persistence: Persistence, _ status: inout Int?
    ) async throws -> Product {
        let (sent, stored) = conditional(persistence.revalidates ? stored : nil)
        // Before it is sent: the server may have made the response at any time since then.
        let date = persistence.now()
        let saves = persistence.accounts.saves.load(ordering: .acquiring)
        var response = try await exchange.send(sent) { await persistence.noteChange(by: request, $0) }
        var confirmed: StoredResponse?
        if response.status == 304, let stored {
            // A validator says nothing of another resource, to which the request may be redirected by now (RFC 9110 section 8.8).
            if stored.url.isSameTarget(as: response.url), stored.canBeConfirmed(by: response.headers) {
                let current = stored.confirmed(by: response.headers, at: date)
                let (attempts, isRedirected) = (response.attempts, response.head.isRedirected)
                response = answer(current, from: .confirmedStore)
                (response.attempts, response.head.isRedirected) = (attempts, isRedirected)
                confirmed = current
            } else {
                response = try await exchange.send(request)
            }
        }
        if confirmed == nil { status = response.status }
        let whole: Response<Data>
        let product: Product
        do {
            whole = try await exchange.whole(response)
            product = try exchange.product(of: whole, reading, at: path)
        } catch {
            try Task.checkCancellation()
            if confirmed == nil { throw error }
            // The confirmed response cannot be mapped: request it again without validators.
            persistence.notify(.unusable(error), request)
            return try await fromNetwork(confirming: nil, persistence, &status)
        }
        let kept = confirmed ?? StoredResponse(whole.head, body: whole.value, date: date)
        try await save(kept, sent: whole.head, since: saves, persistence)
        return product
    }

    /// The request with the stored response's validators, unless it is already conditional: then a 304 is the caller's. Only
    /// for GET: except for HEAD, a server answers other methods with 412 instead of 304 (RFC 9110 section 13.1.2).
    private func conditional(_ stored: StoredResponse?) -> (TransportRequest, StoredResponse?) {
        let conditions: [HeaderName] = [
            .ifNoneMatch, .ifModifiedSince, "If-Match", "If-Unmodified-Since", .ifRange, .range,
        ]
        guard request.method == .get, let stored, stored.headers[.eTag] != nil || stored.headers[.lastModified] != nil,
            conditions.allSatisfy({ request.headers[$0] == nil })
        else { return (request, nil) }
        var validators: HTTPHeaders = [:]
        validators[.ifNoneMatch] = stored.headers[.eTag]
        validators[.ifModifiedSince] = stored.headers[.lastModified]
        return (request.adding(validators: validators, of: stored.url), stored)
    }

    /// - Parameters:
    ///   - head: That of the response as its reading saw it.
    ///   - saves: The number of saves before the request was sent.
    private func save(
        _ response: StoredResponse, sent head: ResponseHead, since saves: Int, _ persistence: Persistence
    ) async throws {
        guard !response.mustNotBeStored(for: request), key != nil || request.method == .head, mayStore(persistence)
        else { return }
        var response = response
        // A coding that the request itself asks for may not be decoded, so the field stays as the reading saw it.
        if request.headers[.acceptEncoding] != nil, let coding = head.headers[.contentEncoding] {
            response.headers[.contentEncoding] = coding
        }
        // The redirect may lead elsewhere by now.
        if head.isRedirected, response.headers.cacheDirectives["no-cache"] == nil {
            response.headers.append("no-cache", for: .cacheControl)
        }
        let save: @Sendable () async throws -> Void = { [request, key, response] in
            if request.method == .head { try await persistence.update(by: request, response, sent: head.headers) }
            guard let key else { return }
            try await persistence.accounts.save(for: request.binding, under: key) {
                // One that was requested later may be stored by now (RFC 9111 section 4). A date ahead is of a clock that was set back.
                var date = try? await (persistence.store as? FileStore)?.date(for: key)
                // Saves of other processes, which may share a folder, are not counted.
                if !(persistence.store is FileStore), persistence.accounts.saves.load(ordering: .acquiring) != saves {
                    date = try? await persistence.store.response(for: key)?.date
                }
                if let date, date > response.date, date <= persistence.now() { return }
                try await persistence.store.save(response, for: key)
            }
        }
        guard persistence.waitsForSaving else {
            return persistence.saving.add { [request] in
                do { try await save() } catch { persistence.notify(.savingFailed(error), request) }
            }
        }
        do {
            try await save()
        } catch {
            try Task.checkCancellation()
            if persistence.failsWhenSavingFails { throw FetchError.savingFailed(url: request.url, error) }
            persistence.notify(.savingFailed(error), request)
        }
    }

    /// Whether the account of the response is known; if not, the reason is reported.
    private func mayStore(_ persistence: Persistence) -> Bool {
        guard let binding = request.binding else { return true }
        switch binding.obstacle {
        case .undeclared(let names): persistence.notify(.undeclared(names), request)
        case .account: persistence.notify(.unknownIdentity, request)
        case nil where !binding.isPrepared: persistence.notify(.unprepared, request)
        case nil: return true
        }
        return false
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
