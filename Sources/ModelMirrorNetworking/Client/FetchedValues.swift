import Synchronization

/// The responses of one endpoint, one after the other; see ``Requesting/values(_:policy:)``.
struct FetchedValues<Value>: AsyncSequence, Sendable {
    /// Makes one product, and returns the step after it.
    struct Step: Sendable {
        let run: @Sendable () async throws -> (RequestProduct<Value>, Step?)
    }

    let first: Step

    /// An iterator; the fetch begins when its first value is requested.
    func makeAsyncIterator() -> BoxIterator<Response<Value>> {
        let rest = Mutex<Step?>(first)
        return BoxIterator {
            // While a step is running, the sequence is at its end for all other callers.
            guard let step = rest.withLock({ $0.take() }) else { return nil }
            do {
                try Task.checkCancellation()
                let (product, next) = try await step.run()
                rest.withLock { $0 = next }
                return SendingBox(try product.response())
            } catch is CancellationError {
                throw RequestError.cancelled
            }
        }
    }
}
