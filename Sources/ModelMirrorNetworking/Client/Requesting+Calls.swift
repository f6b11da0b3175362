public import Dispatch
import Synchronization

/// Requests with a completion closure that receives a throwing function.
///
/// The closure is called exactly once, even if the request is cancelled or never sent. The first call of the function returns
/// the value; later calls throw ``RequestError/alreadyTaken``. The value is made off the main thread.
extension Requesting {
    /// Begins a request; its closure runs on the main actor.
    ///
    /// ```swift
    /// client.request(.get("gists")) { (getGists: () throws -> sending [Gist]) in
    ///     do { show(try getGists()) } catch { report(error) }
    /// }
    /// let request: Request<[Gist]> = client.request(.get("gists")).success { gists in … }.fail { error in … }
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The request and its value.
    ///   - policy: Whether the store or the network answers.
    ///   - completion: Called exactly once, on the main actor; nil to use the request's handlers only.
    /// - Returns: The request, for cancelling and adding handlers.
    @discardableResult
    public func request<Value>(
        _ endpoint: Endpoint<Value>, policy: FetchPolicy = .standard,
        completion: (@MainActor (_ get: () throws -> sending Value) -> Void)? = nil
    ) -> Request<Value> {
        sender.start(endpoint, policy, preparing: { request in if let completion { request.complete(completion) } })
    }

    /// Begins a request that may deliver two values, first the stored one, then the network's. Its closures run on the main
    /// actor.
    ///
    /// - Parameters:
    ///   - endpoint: The request and its value.
    ///   - policy: Whether the store or the network answers.
    ///   - stored: With `.cacheThenNetwork`, called at most once, on the main actor, with the stored value, if any; always before
    ///     `completion`, and never after the request was cancelled.
    ///   - completion: Called exactly once, on the main actor.
    /// - Returns: The request, for cancelling and adding handlers.
    @discardableResult
    public func request<Value>(
        _ endpoint: Endpoint<Value>, policy: FetchPolicy = .cacheThenNetwork,
        stored: @escaping @MainActor (_ getStored: () throws -> sending Value) -> Void,
        completion: @escaping @MainActor (_ get: () throws -> sending Value) -> Void
    ) -> Request<Value> {
        sender.start(endpoint, policy, stored: .init(onMainActor: stored), preparing: { $0.complete(completion) })
    }

    /// Begins a request whose closures run on a queue, for programs without a main run loop.
    ///
    /// - Parameters:
    ///   - endpoint: The request and its value.
    ///   - queue: The queue of the closures. On a concurrent queue both may run at once if the request is cancelled.
    ///   - policy: Whether the store or the network answers.
    ///   - stored: With `.cacheThenNetwork`, called at most once with the stored value, if any, before `completion`.
    ///   - completion: Called exactly once.
    /// - Returns: The request, for cancelling and adding handlers.
    @discardableResult
    public func request<Value>(
        _ endpoint: Endpoint<Value>, on queue: DispatchQueue, policy: FetchPolicy = .standard,
        stored: (@Sendable (_ getStored: () throws -> sending Value) -> Void)? = nil,
        completion: @escaping @Sendable (_ get: () throws -> sending Value) -> Void
    ) -> Request<Value> {
        sender.start(
            endpoint, policy, stored: stored.map { .init(on: queue, $0) },
            preparing: { $0.complete(on: queue, completion) })
    }
}

/// Awaited requests.
///
/// Cancelling the waiting task cancels the request; a cancelled task sends none. The value is made off the caller's actor and
/// sent to it.
extension Requesting {
    /// Returns the value of an endpoint.
    ///
    /// ```swift
    /// let gists: [Gist] = try await client.value(.get("users/\(user)/gists"))
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The request and its value.
    ///   - policy: Whether the store or the network answers.
    ///   - progress: Called after bytes were received, in order, from the task of the request, and after bytes were sent, on any
    ///     queue, also at the same time. At the end, at most one call is under way.
    /// - Throws: ``RequestError``, ``FetchError``, `ModelError`, or the error that a hook makes from the response.
    nonisolated(nonsending) public func value<Value>(
        _ endpoint: Endpoint<Value>, policy: FetchPolicy = .standard,
        progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws -> sending Value {
        try await sender.product(endpoint, policy, progress).share().take()
    }

    /// Succeeds on an accepted status and, for a body that begins with `{` where an envelope is configured, a success status in
    /// it; the body is otherwise ignored.
    ///
    /// ```swift
    /// try await client.send(.delete("gists/\(id)"))
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The request.
    ///   - progress: Called after bytes were received, in order, from the task of the request, and after bytes were sent, on any
    ///     queue, also at the same time. At the end, at most one call is under way.
    /// - Throws: ``RequestError``, or the error that a hook makes from the response.
    nonisolated(nonsending) public func send(
        _ endpoint: Endpoint<Void>, progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws {
        _ = try await sender.product(endpoint, .networkOnly, progress)
    }

    /// Succeeds on an accepted status and, for a body that begins with `{` where an envelope is configured, a success status in
    /// it; the body is otherwise ignored.
    ///
    /// - Parameters:
    ///   - endpoint: The request.
    ///   - progress: Called after bytes were received, in order, from the task of the request, and after bytes were sent, on any
    ///     queue, also at the same time. At the end, at most one call is under way.
    /// - Throws: ``RequestError``, or the error that a hook makes from the response.
    nonisolated(nonsending) public func send<Value>(
        _ endpoint: Endpoint<Value>, progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws {
        try await send(endpoint.ignoringBody, progress: progress)
    }

    /// Returns the value of an endpoint with its response: status, header fields, URL, origin, metrics.
    ///
    /// - Parameters:
    ///   - endpoint: The request and its value.
    ///   - policy: Whether the store or the network answers.
    ///   - progress: Called after bytes were received, in order, from the task of the request, and after bytes were sent, on any
    ///     queue, also at the same time. At the end, at most one call is under way.
    /// - Throws: ``RequestError``, ``FetchError``, `ModelError`, or the error that a hook makes from the response.
    nonisolated(nonsending) public func response<Value>(
        _ endpoint: Endpoint<Value>, policy: FetchPolicy = .standard,
        progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws -> sending Response<Value> {
        try await sender.product(endpoint, policy, progress).response()
    }

    /// The responses under a policy: with `.cacheThenNetwork` the stored one, if any, and then the network's; otherwise one.
    ///
    /// ```swift
    /// for try await response in client.values(gists) { show(response.value, isOld: response.origin != .network) }
    /// ```
    ///
    /// Nothing is sent before the first value is requested; each iteration is a new fetch. If the network fails after the stored
    /// value was delivered, the second value throws its error. Ending the iteration ends the fetch. The values are made off the
    /// caller's actor.
    ///
    /// - Parameters:
    ///   - endpoint: The request and its value.
    ///   - policy: Whether the store or the network answers.
    public func values<Value>(
        _ endpoint: Endpoint<Value>, policy: FetchPolicy = .cacheThenNetwork
    ) -> some AsyncSequence<Response<Value>, any Error> & Sendable {
        let client = sender
        return FetchedValues<Value> {
            let fetch = try Fetch(endpoint, by: client, policy)
            let (first, network) = try await fetch.binding.run { try await fetch.firstProduct() }
            guard let network else { return (first, nil) }
            return (first, { try await fetch.binding.run(network) })
        }
    }
}

extension APIClient {
    /// Sends a request in the calling task.
    ///
    /// Bound where the caller starts it: another user may have signed in once it runs elsewhere.
    ///
    /// - Parameter note: Called with the binding before the request is sent.
    nonisolated(nonsending) func product<Value>(
        _ endpoint: Endpoint<Value>, _ policy: FetchPolicy, _ progress: (@Sendable (RequestProgress) -> Void)?,
        noting note: (RequestBinding?) -> Void = { _ in }
    ) async throws -> RequestProduct<Value> {
        if Task.isCancelled { throw RequestError.cancelled }
        var fetch = try Fetch(endpoint, by: self, policy)
        note(fetch.binding)
        let latest = Mutex<RequestProgress?>(RequestProgress())
        // The queue that reports sent bytes may be behind.
        defer { latest.withLock { $0 = nil } }
        fetch.exchange.update = { change in
            guard let progress else { return }
            let present = latest.withLock { latest in
                if var next = latest {
                    change(&next)
                    latest = next
                }
                return latest
            }
            if let present { progress(present) }
        }
        return try await mappingErrors({ Task.isCancelled ? RequestError.cancelled : $0.asRequestError }) {
            try await fetch.binding.run { [fetch] in try await fetch.product() }
        }
    }

    /// Begins a request, for closures.
    ///
    /// - Parameters:
    ///   - stored: Delivers the stored value, if the policy asks for it.
    ///   - prepare: Adds the completion closure before the request begins.
    func start<Value>(
        _ endpoint: Endpoint<Value>, _ policy: FetchPolicy, stored: StoredDelivery<Value>? = nil,
        preparing prepare: (Request<Value>) -> Void = { _ in }
    ) -> Request<Value> {
        let request = Request<Value>()
        prepare(request)
        request.begin(work(endpoint, policy, stored: stored))
        return request
    }

    /// The work of a request, bound where the caller starts it.
    func work<Value>(
        _ endpoint: Endpoint<Value>, _ policy: FetchPolicy, stored: StoredDelivery<Value>? = nil
    ) -> Request<Value>.Work {
        let fetch = Result { try Fetch(endpoint, by: self, policy) }
        return { life in
            var fetch = try fetch.get()
            fetch.exchange.update = { life.update($0) }
            // Ends at once, however long its transport takes.
            let handler = fetch.binding?.onRevoke { [weak life] in life?.cancel(with: .accountChanged) }
            // A sequence of pages would keep one for each.
            defer { if let handler { fetch.binding?.removeHandler(handler) } }
            return try await fetch.product { product in
                // The first value of a product already exists, so sharing it cannot fail.
                if let stored, let box = try? product.share() { await stored.run(box) { !life.hasEnded } }
            }
        }
    }
}
