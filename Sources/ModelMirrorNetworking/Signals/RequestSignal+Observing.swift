public import Dispatch

/// Observing by a closure.
extension RequestSignal {
    /// Makes the request and tells of its end on the main actor.
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
    /// - Returns: What cancels the observation. It goes on if nobody keeps this.
    @discardableResult
    public func observe(
        _ handler: @escaping @MainActor (_ result: sending Result<Value, any Error>) -> Void
    ) -> RequestObservation {
        observe { box in Task { @MainActor in if let result = box.takeIfThere() { handler(result) } } }
    }

    /// Makes the request and tells of its end on a queue, for programs whose main thread runs no loop.
    ///
    /// - Parameters:
    ///   - queue: Where the handler is called.
    ///   - handler: Called exactly once: with the value, the error, or ``RequestError/cancelled``.
    /// - Returns: What cancels the observation. It goes on if nobody keeps this.
    @discardableResult
    public func observe(
        on queue: DispatchQueue, _ handler: @escaping @Sendable (_ result: sending Result<Value, any Error>) -> Void
    ) -> RequestObservation {
        observe { box in queue.async { if let result = box.takeIfThere() { handler(result) } } }
    }

    /// Makes the request and tells of its end, once, where it happens to be.
    func observe(telling tell: @escaping @Sendable (OneShot<Result<Value, any Error>>) -> Void) -> RequestObservation {
        // Whoever takes it tells.
        let teller = OneShot(tell)
        let task = Task {
            do {
                let box = OneShot(Result<Value, any Error>.success(try await value()))
                teller.takeIfThere()?(box)
            } catch {
                teller.takeIfThere()?(OneShot(.failure(error)))
            }
        }
        return RequestObservation {
            teller.takeIfThere()?(OneShot(.failure(RequestError.cancelled)))
            task.cancel()
        }
    }
}
