public import Dispatch

/// Observing by a closure.
extension RequestSignal {
    /// Makes the request and delivers its result on the main actor.
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
    /// - Returns: What cancels the observation, which continues when this is not retained.
    @discardableResult
    public func observe(
        _ handler: @escaping @MainActor (_ result: sending Result<Value, any Error>) -> Void
    ) -> RequestObservation {
        observe { box in Task { @MainActor in if let result = box.takeIfPresent() { handler(result) } } }
    }

    /// Makes the request and delivers its result on a queue, for programs whose main thread runs no loop.
    ///
    /// - Parameters:
    ///   - queue: Where the handler is called.
    ///   - handler: Called exactly once: with the value, the error, or ``RequestError/cancelled``.
    /// - Returns: What cancels the observation, which continues when this is not retained.
    @discardableResult
    public func observe(
        on queue: DispatchQueue, _ handler: @escaping @Sendable (_ result: sending Result<Value, any Error>) -> Void
    ) -> RequestObservation {
        observe { box in queue.async { if let result = box.takeIfPresent() { handler(result) } } }
    }

    /// Makes the request and tells of its end, once, where it happens to be.
    func observe(telling tell: @escaping @Sendable (Handoff<Result<Value, any Error>>) -> Void) -> RequestObservation {
        // Whoever takes it tells.
        let teller = Handoff(tell)
        let task = Task {
            do {
                let box = Handoff(Result<Value, any Error>.success(try await value()))
                teller.takeIfPresent()?(box)
            } catch {
                teller.takeIfPresent()?(Handoff(.failure(error)))
            }
        }
        return RequestObservation {
            teller.takeIfPresent()?(Handoff(.failure(RequestError.cancelled)))
            task.cancel()
        }
    }
}
/// An observation of a ``RequestSignal``, until its end or until it is cancelled.
///
/// It can be used from any thread. The observation continues when it is not retained.
public final class RequestObservation: Sendable {
    private let stop: @Sendable () -> Void

    init(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }

    /// Ends the observation with ``RequestError/cancelled``, unless it has ended already, and cancels the request.
    public func cancel() { stop() }
}
