public import Dispatch

/// Handlers on the main actor.
extension Request {
    /// Adds a handler for the value. Each handler gets its own objects.
    ///
    /// The body is mapped again for each further handler. If a model's hook rejects it then (a hook may depend on the time of
    /// day), the `fail` handlers waiting at that moment and those added later are called instead.
    ///
    /// - Returns: The request.
    @discardableResult
    public func success(_ handler: @escaping @MainActor (sending Value) -> Void) -> Request {
        addSuccess { box in Task { @MainActor in if let value = box.takeIfPresent() { handler(value) } } }
        return self
    }

    /// Adds a handler for the first error, including ``RequestError/cancelled``. Called at most once.
    ///
    /// - Returns: The request.
    @discardableResult
    public func fail(_ handler: @escaping @MainActor (any Error) -> Void) -> Request {
        addFailure { error in Task { @MainActor in handler(error) } }
        return self
    }

    /// Adds a handler for the end of the request, whatever the outcome.
    ///
    /// - Returns: The request.
    @discardableResult
    public func finished(_ handler: @escaping @MainActor () -> Void) -> Request {
        life.add(.end) { _ in Task { @MainActor in handler() } }
        return self
    }

    /// Adds a handler for the progress, called after bytes are sent or received, but not after the end.
    ///
    /// A handler added late is called once for the progress made so far.
    ///
    /// - Returns: The request.
    @discardableResult
    public func progress(_ handler: @escaping @MainActor (RequestProgress) -> Void) -> Request {
        life.watch { takeLatest in Task { @MainActor in if let progress = takeLatest() { handler(progress) } } }
        return self
    }

    func complete(_ completion: @escaping @MainActor (_ get: () throws -> sending Value) -> Void) {
        addOutcome { outcome in
            Task { @MainActor in completion { () throws -> sending Value in try outcome.get().take() } }
        }
    }
}

/// Handlers on a queue, for programs without a main run loop.
extension Request {
    /// Adds a handler for the value on a queue; see ``success(_:)``.
    ///
    /// - Returns: The request.
    @discardableResult
    public func success(on queue: DispatchQueue, _ handler: @escaping @Sendable (sending Value) -> Void) -> Request {
        addSuccess { box in queue.async { if let value = box.takeIfPresent() { handler(value) } } }
        return self
    }

    /// Adds a handler for the error on a queue; see ``fail(_:)``.
    ///
    /// - Returns: The request.
    @discardableResult
    public func fail(on queue: DispatchQueue, _ handler: @escaping @Sendable (any Error) -> Void) -> Request {
        addFailure { error in queue.async { handler(error) } }
        return self
    }

    /// Adds a handler for the end on a queue; see ``finished(_:)``.
    ///
    /// - Returns: The request.
    @discardableResult
    public func finished(on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) -> Request {
        life.add(.end) { _ in queue.async { handler() } }
        return self
    }

    /// Adds a handler for the progress on a queue; see ``progress(_:)``.
    ///
    /// - Returns: The request.
    @discardableResult
    public func progress(on queue: DispatchQueue, _ handler: @escaping @Sendable (RequestProgress) -> Void) -> Request {
        life.watch { takeLatest in queue.async { if let progress = takeLatest() { handler(progress) } } }
        return self
    }

    func complete(
        on queue: DispatchQueue, _ completion: @escaping @Sendable (_ get: () throws -> sending Value) -> Void
    ) {
        addOutcome { outcome in queue.async { completion { () throws -> sending Value in try outcome.get().take() } } }
    }
}

/// Awaiting.
extension Request {
    /// Waits for the end and returns the value, made for this caller alone.
    ///
    /// Cancelling the waiting task cancels the request for all its consumers.
    ///
    /// - Throws: ``RequestError``, ``FetchError``, `ModelError`, or the error that a hook makes from the response;
    ///   ``RequestError/cancelled`` if the request was cancelled.
    nonisolated(nonsending) public func value() async throws -> sending Value {
        try await withTaskCancellationHandler {
            await outcome()
        } onCancel: {
            cancel()
        }.get().take()
    }

    /// Waits for the end, also if the waiting task is cancelled.
    func outcome() async -> Result<SendingBox<Value>, any Error> {
        let outcome = await life.outcome()
        return Result { try Self.share(of: outcome.get()) }
    }
}

/// Consumers, each with its own value.
extension Request {
    private func addOutcome(_ notify: @escaping @Sendable (Result<SendingBox<Value>, any Error>) -> Void) {
        life.add(.outcome) { outcome in notify(Result { try Self.share(of: outcome.get()) }) }
    }

    private func addSuccess(_ notify: @escaping @Sendable (SendingBox<Value>) -> Void) {
        life.add(.success) { outcome in notify(try Self.share(of: outcome.get())) }
    }

    private func addFailure(_ notify: @escaping @Sendable (any Error) -> Void) {
        life.add(.failure) { outcome in if case .failure(let error) = outcome { notify(error) } }
    }

    /// A value of the product, cast to the type that a `Request<Value>` always passes to its ``RequestLife``.
    private static func share(of product: any AnyObject & Sendable) throws -> SendingBox<Value> {
        try (product as! RequestProduct<Value>).share()
    }
}
