public import Dispatch

/// Observing with a closure.
extension RequestSignal {
    /// Sends the request and delivers its result on the main actor.
    ///
    /// ```swift
    /// let observation = gists.observe { result in
    ///     switch result {
    ///     case .success(let gists): show(gists)
    ///     case .failure(let error): report(error)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter handler: Called exactly once: with the value, the error, or ``RequestError/cancelled``.
    /// - Returns: The task that waits for the result. Cancelling it cancels the request, and delivers ``RequestError/cancelled``.
    @discardableResult
    public func observe(
        _ handler: @escaping @MainActor (_ result: sending Result<Value, any Error>) -> Void
    ) -> Task<Void, Never> {
        observe { box in Task { @MainActor in if let result = box.takeIfPresent() { handler(result) } } }
    }

    /// Sends the request and delivers its result on a queue, for programs without a main run loop.
    ///
    /// - Parameters:
    ///   - queue: The queue of the handler.
    ///   - handler: Called exactly once: with the value, the error, or ``RequestError/cancelled``.
    /// - Returns: The task that waits for the result. Cancelling it cancels the request, and delivers ``RequestError/cancelled``.
    @discardableResult
    public func observe(
        on queue: DispatchQueue, _ handler: @escaping @Sendable (_ result: sending Result<Value, any Error>) -> Void
    ) -> Task<Void, Never> {
        observe { box in queue.async { if let result = box.takeIfPresent() { handler(result) } } }
    }

    /// Sends the request and calls a closure with its result once, on any thread.
    func observe(
        delivering deliver: @escaping @Sendable (SendingBox<Result<Value, any Error>>) -> Void
    ) -> Task<Void, Never> {
        // The first to take the closure calls it.
        let delivery = SendingBox(deliver)
        return Task {
            await withTaskCancellationHandler {
                do {
                    let box = SendingBox(Result<Value, any Error>.success(try await value()))
                    delivery.takeIfPresent()?(box)
                } catch {
                    delivery.takeIfPresent()?(SendingBox(.failure(error)))
                }
            } onCancel: {
                delivery.takeIfPresent()?(SendingBox(.failure(RequestError.cancelled)))
            }
        }
    }
}
