public import Dispatch

/// Handlers on the main actor.
extension Request {
    /// Adds a handler for the objects, which are its own: no other handler sees the same ones.
    ///
    /// Should a model refuse the body now that it accepted when the request ended (its hooks may ask for the time of day), the
    /// `fail` handlers that wait at that moment get the error instead.
    ///
    /// - Returns: The request.
    @discardableResult
    public func success(_ handler: @escaping @MainActor (sending Value) -> Void) -> Request {
        addSuccess { box in Task { @MainActor in if let value = box.takeIfPresent() { handler(value) } } }
        return self
    }

    /// Adds a handler for the error, ``RequestError/cancelled`` included.
    ///
    /// - Returns: The request.
    @discardableResult
    public func fail(_ handler: @escaping @MainActor (any Error) -> Void) -> Request {
        life.add(.fail { error in Task { @MainActor in handler(error) } })
        return self
    }

    /// Adds a handler for the end, however the request ends.
    ///
    /// - Returns: The request.
    @discardableResult
    public func finished(_ handler: @escaping @MainActor () -> Void) -> Request {
        life.add(.finished { Task { @MainActor in handler() } })
        return self
    }

    /// Adds a handler for the progress. It is called when bytes have gone or come since its last call, never after the end.
    ///
    /// - Returns: The request.
    @discardableResult
    public func progress(_ handler: @escaping @MainActor (RequestProgress) -> Void) -> Request {
        life.add(
            ProgressWatcher { watcher in
                Task { @MainActor in if let progress = watcher.takeLatest() { handler(progress) } }
            })
        return self
    }

    /// Adds the closure of a call.
    func complete(_ completion: @escaping @MainActor (_ get: () throws -> sending Value) -> Void) {
        addOutcome { outcome in
            Task { @MainActor in completion { () throws -> sending Value in try outcome.get().take() } }
        }
    }
}

/// Handlers on a queue, for programs whose main thread runs no loop.
extension Request {
    /// Adds a handler for the objects, on a queue; see ``success(_:)``.
    ///
    /// - Returns: The request.
    @discardableResult
    public func success(
        on queue: DispatchQueue, _ handler: @escaping @Sendable (sending Value) -> Void
    ) -> Request {
        addSuccess { box in queue.async { if let value = box.takeIfPresent() { handler(value) } } }
        return self
    }

    /// Adds a handler for the error, on a queue; see ``fail(_:)``.
    ///
    /// - Returns: The request.
    @discardableResult
    public func fail(on queue: DispatchQueue, _ handler: @escaping @Sendable (any Error) -> Void) -> Request {
        life.add(.fail { error in queue.async { handler(error) } })
        return self
    }

    /// Adds a handler for the end, on a queue; see ``finished(_:)``.
    ///
    /// - Returns: The request.
    @discardableResult
    public func finished(on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) -> Request {
        life.add(.finished { queue.async { handler() } })
        return self
    }

    /// Adds a handler for the progress, on a queue; see ``progress(_:)``.
    ///
    /// - Returns: The request.
    @discardableResult
    public func progress(
        on queue: DispatchQueue, _ handler: @escaping @Sendable (RequestProgress) -> Void
    ) -> Request {
        life.add(
            ProgressWatcher { watcher in
                queue.async { if let progress = watcher.takeLatest() { handler(progress) } }
            })
        return self
    }

    /// Adds the closure of a call, on a queue.
    func complete(
        on queue: DispatchQueue, _ completion: @escaping @Sendable (_ get: () throws -> sending Value) -> Void
    ) {
        addOutcome { outcome in
            queue.async { completion { () throws -> sending Value in try outcome.get().take() } }
        }
    }
}

/// Awaiting.
extension Request {
    /// Waits for the end and gives the objects, which are the awaiter's own.
    ///
    /// Cancelling the task that waits cancels the request, for all who wait for it.
    ///
    /// - Throws: ``RequestError``, ``FetchError``, `ModelError`, or the error that a hook made of the server's;
    ///   ``RequestError/cancelled`` if the request was cancelled.
    nonisolated(nonsending) public func value() async throws -> sending Value {
        try await product().share().take()
    }

    /// Waits for the end and gives the objects with their response.
    nonisolated(nonsending) func response() async throws -> sending Response<Value> {
        try await product().response()
    }

    private nonisolated(nonsending) func product() async throws -> RequestProduct<Value> {
        try await withTaskCancellationHandler {
            let outcome = await withCheckedContinuation { continuation in
                life.add(.outcome { continuation.resume(returning: $0) })
            }
            return Self.product(try outcome.get())
        } onCancel: {
            cancel()
        }
    }
}

/// Consumers that get a value of their own.
extension Request {
    /// Adds someone who waits for the value or the error.
    private func addOutcome(_ tell: @escaping @Sendable (Result<Handoff<Value>, any Error>) -> Void) {
        life.add(.outcome { outcome in tell(outcome.flatMap { product in Result { try Self.share(of: product) } }) })
    }

    /// Adds someone who waits for the value.
    private func addSuccess(_ tell: @escaping @Sendable (Handoff<Value>) -> Void) {
        life.add(.success { product in tell(try Self.share(of: product)) })
    }

    private static func share(of product: any AnyObject & Sendable) throws -> Handoff<Value> {
        try Self.product(product).share()
    }

    /// The product of a request of this type, which gives no others to its ``RequestLife``.
    private static func product(_ product: any AnyObject & Sendable) -> RequestProduct<Value> {
        product as! RequestProduct<Value>
    }
}
