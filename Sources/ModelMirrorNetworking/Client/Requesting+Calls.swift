public import Dispatch

/// Requests whose closures get a function that throws.
///
/// The closure is called exactly once, also if the request is cancelled or was never sent. The first call of the function it gets
/// hands the value over; a later one throws ``RequestError/alreadyTaken``. The value is made off the main thread.
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
    ///   - endpoint: What is asked for.
    ///   - policy: Whether the store or the network is asked.
    ///   - completion: Called exactly once, on the main actor; nil leaves the result to handlers of the request.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func request<Value>(
        _ endpoint: Endpoint<Value>, policy: FetchPolicy = .standard,
        completion: (@MainActor (_ get: () throws -> sending Value) -> Void)? = nil
    ) -> Request<Value> {
        sender.start(endpoint, policy, preparing: { request in if let completion { request.complete(completion) } })
    }

    /// Begins a request that may give two values, what is stored and then the network's; its closures run on the main actor.
    ///
    /// - Parameters:
    ///   - endpoint: What is asked for.
    ///   - policy: Whether the store or the network is asked.
    ///   - stored: With `.cacheThenNetwork`, called at most once, on the main actor, with what is stored, if there is such; always
    ///     before `completion`, and not if the request was cancelled before.
    ///   - completion: Called exactly once, on the main actor.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func request<Value>(
        _ endpoint: Endpoint<Value>, policy: FetchPolicy = .cacheThenNetwork,
        stored: @escaping @MainActor (_ getStored: () throws -> sending Value) -> Void,
        completion: @escaping @MainActor (_ get: () throws -> sending Value) -> Void
    ) -> Request<Value> {
        sender.start(endpoint, policy, stored: .onMainActor(stored), preparing: { $0.complete(completion) })
    }

    /// Begins a request; its closures run on a queue, for programs whose main thread runs no loop.
    ///
    /// - Parameters:
    ///   - endpoint: What is asked for.
    ///   - queue: Where the closures run; a concurrent one may run both at a time.
    ///   - policy: Whether the store or the network is asked.
    ///   - stored: With `.cacheThenNetwork`, called at most once with what is stored, if there is such; before `completion`.
    ///   - completion: Called exactly once.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func request<Value>(
        _ endpoint: Endpoint<Value>, on queue: DispatchQueue, policy: FetchPolicy = .standard,
        stored: (@Sendable (_ getStored: () throws -> sending Value) -> Void)?,
        completion: @escaping @Sendable (_ get: () throws -> sending Value) -> Void
    ) -> Request<Value> {
        sender.start(
            endpoint, policy, stored: stored.map { .on(queue, $0) }, preparing: { $0.complete(on: queue, completion) })
    }

    /// Begins a request; its closure runs on a queue, for programs whose main thread runs no loop.
    ///
    /// - Parameters:
    ///   - endpoint: What is asked for.
    ///   - queue: Where the closure runs.
    ///   - policy: Whether the store or the network is asked.
    ///   - completion: Called exactly once.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func request<Value>(
        _ endpoint: Endpoint<Value>, on queue: DispatchQueue, policy: FetchPolicy = .standard,
        completion: @escaping @Sendable (_ get: () throws -> sending Value) -> Void
    ) -> Request<Value> {
        request(endpoint, on: queue, policy: policy, stored: nil, completion: completion)
    }
}

/// Requests that are awaited.
///
/// Cancelling the task that waits cancels the request; none is sent in a task that is cancelled already. The value is made away from
/// the caller's actor and sent to it.
extension Requesting {
    /// Waits for the value of an endpoint.
    ///
    /// ```swift
    /// let gists: [Gist] = try await client.value(.get("users/\(user)/gists"))
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: What is asked for.
    ///   - policy: Whether the store or the network is asked.
    ///   - progress: Called as bytes go and come, from the task of the request, in order.
    /// - Throws: ``RequestError``, ``FetchError``, `ModelError`, or the error that a hook makes of the server's.
    nonisolated(nonsending) public func value<Value>(
        _ endpoint: Endpoint<Value>, policy: FetchPolicy = .standard,
        progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws -> sending Value {
        try await sender.started(endpoint, policy, progress).value()
    }

    /// Succeeds on an accepted status and, where an envelope is configured, a good one; the body is ignored.
    ///
    /// ```swift
    /// try await client.send(.delete("gists/\(id)"))
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: What is asked for.
    ///   - progress: Called as bytes go and come, from the task of the request, in order.
    /// - Throws: ``RequestError``, or the error that a hook makes of the server's.
    nonisolated(nonsending) public func send(
        _ endpoint: Endpoint<Void>, progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws {
        try await sender.started(endpoint, .networkOnly, progress).value()
    }

    /// Succeeds on an accepted status and, where an envelope is configured, a good one; the body is ignored.
    ///
    /// - Parameters:
    ///   - endpoint: What is asked for.
    ///   - progress: Called as bytes go and come, from the task of the request, in order.
    /// - Throws: ``RequestError``, or the error that a hook makes of the server's.
    nonisolated(nonsending) public func send<Value>(
        _ endpoint: Endpoint<Value>, progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws {
        try await send(endpoint.ignoringBody, progress: progress)
    }

    /// Waits for the value of an endpoint with its response: status, header fields, URL, origin, metrics.
    ///
    /// - Parameters:
    ///   - endpoint: What is asked for.
    ///   - policy: Whether the store or the network is asked.
    ///   - progress: Called as bytes go and come, from the task of the request, in order.
    /// - Throws: ``RequestError``, ``FetchError``, `ModelError`, or the error that a hook makes of the server's.
    nonisolated(nonsending) public func response<Value>(
        _ endpoint: Endpoint<Value>, policy: FetchPolicy = .standard,
        progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws -> sending Response<Value> {
        try await sender.started(endpoint, policy, progress).response()
    }

    /// The responses that a policy gives, one after the other: with `.cacheThenNetwork` what is stored, if there is such, and then the
    /// network's; with any other policy one.
    ///
    /// Nothing is sent before the first is asked for; each iteration is a fetch of its own. If the network fails after what is
    /// stored was given, its error is thrown then. Ending the iteration ends the fetch.
    ///
    /// - Parameters:
    ///   - endpoint: What is asked for.
    ///   - policy: Whether the store or the network is asked.
    public func values<Value>(
        _ endpoint: Endpoint<Value>, policy: FetchPolicy = .cacheThenNetwork
    ) -> FetchedValues<Value> {
        let client = sender
        return FetchedValues(
            first: FetchedValues.Step {
                let fetch = try Fetch(endpoint, by: client, policy)
                guard fetch.givesBoth else { return (try await fetch.product { _ in }, nil) }
                let (stored, network) = try await fetch.storedProduct()
                guard let stored else { return (try await network(), nil) }
                return (stored, FetchedValues.Step { (try await network(), nil) })
            })
    }
}

extension APIClient {
    /// Begins a request.
    ///
    /// - Parameters:
    ///   - stored: Where what is stored is handed over, if the policy gives that too.
    ///   - progress: Called with each change of the progress.
    ///   - prepare: Adds the closure of the call, before anything can happen.
    func start<Value>(
        _ endpoint: Endpoint<Value>, _ policy: FetchPolicy, stored: StoredDelivery<Value>? = nil,
        progress: (@Sendable (RequestProgress) -> Void)? = nil, preparing prepare: (Request<Value>) -> Void = { _ in }
    ) -> Request<Value> {
        let request = Request<Value>()
        prepare(request)
        request.begin { [self] life in
            let fetch = try Fetch(endpoint, by: self, policy)
            return try await fetch.product { change in
                life.update(change)
                progress?(life.progress)
            } stored: { product in
                await stored?.deliver(product) { !life.hasEnded }
            }
        }
        return request
    }

    /// Begins a request, unless the task is cancelled.
    fileprivate func started<Value>(
        _ endpoint: Endpoint<Value>, _ policy: FetchPolicy, _ progress: (@Sendable (RequestProgress) -> Void)?
    ) throws -> Request<Value> {
        if Task.isCancelled { throw RequestError.cancelled }
        return start(endpoint, policy, progress: progress)
    }
}
