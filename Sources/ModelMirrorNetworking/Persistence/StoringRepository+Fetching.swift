public import Dispatch

/// Fetches with closures, and awaited.
extension StoringRepository {
    /// Fetches a resource; its closure runs on the main actor.
    ///
    /// - Parameters:
    ///   - resource: What to fetch.
    ///   - policy: nil for that of ``persistence``.
    ///   - stored: For `.cacheThenNetwork`: called at most once, on the main actor, with what is stored, if there is such; always
    ///     before `completion`, and not if the request was cancelled before.
    ///   - completion: Called exactly once, on the main actor. The first call of the function it gets hands the value over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func fetch<Value>(
        _ resource: Resource<Value>, policy: FetchPolicy? = nil,
        stored: (@MainActor (_ getStored: () throws -> sending Value) -> Void)? = nil,
        completion: (@MainActor (_ getValue: () throws -> sending Value) -> Void)? = nil
    ) -> Request<Value> {
        start(makeFetch(resource, policy), stored.map { .onMainActor($0) }) { request in
            if let completion { request.complete(completion) }
        }
    }

    /// Fetches a resource; its closure runs on a queue.
    ///
    /// - Parameters:
    ///   - resource: What to fetch.
    ///   - policy: nil for that of ``persistence``.
    ///   - queue: Where the closures run; a concurrent one may run both at a time.
    ///   - stored: For `.cacheThenNetwork`: called at most once, on the queue, with what is stored, if there is such; always
    ///     before `completion`, and not if the request was cancelled before.
    ///   - completion: Called exactly once, on the queue. The first call of the function it gets hands the value over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func fetch<Value>(
        _ resource: Resource<Value>, policy: FetchPolicy? = nil, on queue: DispatchQueue,
        stored: (@Sendable (_ getStored: () throws -> sending Value) -> Void)? = nil,
        completion: @escaping @Sendable (_ getValue: () throws -> sending Value) -> Void
    ) -> Request<Value> {
        start(makeFetch(resource, policy), stored.map { .on(queue, $0) }) { request in
            request.complete(on: queue, completion)
        }
    }

    /// Fetches a resource and waits for it. Cancelling the task that waits cancels the fetch.
    ///
    /// - Parameters:
    ///   - resource: What to fetch.
    ///   - policy: nil for that of ``persistence``.
    /// - Throws: ``FetchError``, ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
    nonisolated(nonsending) public func value<Value>(
        of resource: Resource<Value>, policy: FetchPolicy? = nil
    ) async throws -> sending Value {
        if Task.isCancelled { throw RequestError.cancelled }
        return try await start(makeFetch(resource, policy), nil) { _ in }.value()
    }

    /// What a resource is by a policy, one value after the other: with `.cacheThenNetwork` what is stored, if there is such,
    /// and then the network's; with any other policy one value.
    ///
    /// Nothing is asked before the first value is; each iteration is a fetch of its own. If the network fails after what is
    /// stored was given, its error is thrown then. Ending the iteration ends the fetch.
    ///
    /// - Parameters:
    ///   - resource: What to fetch.
    ///   - policy: `.cacheThenNetwork` if nothing is said.
    public func values<Value>(
        of resource: Resource<Value>, policy: FetchPolicy = .cacheThenNetwork
    ) -> FetchedValues<Value> {
        let fetch = makeFetch(resource, policy)
        return FetchedValues(
            first: FetchedValues.Step {
                guard policy.order == .cacheThenNetwork else { return (try await fetch.outcome { _ in }, nil) }
                let found = try await fetch.mapped(try await fetch.lookup())
                let network = FetchedValues<Value>.Step { (try await fetch.fromNetwork(found) { _ in }, nil) }
                if case .hit(let outcome, _) = found { return (outcome, network) }
                return try await network.run()
            })
    }

    /// Begins a fetch.
    private func start<Value>(
        _ fetch: Fetch<Status, Value>, _ stored: StoredDelivery<Value>?, _ prepare: (Request<Value>) -> Void
    ) -> Request<Value> {
        let request = Request<Value>()
        prepare(request)
        request.begin { request in
            let update: Fetch<Status, Value>.Update = { request.update($0) }
            guard let stored else { return try await fetch.outcome(update).product }
            return try await fetch.outcome(update) { product in
                await stored.deliver(product) { !request.state.isFinished }
            }.product
        }
        return request
    }
}
