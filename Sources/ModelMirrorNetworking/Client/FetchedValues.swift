import Synchronization

/// The responses of one endpoint, one after the other; see ``Requesting/values(_:policy:)``.
struct FetchedValues<Value>: AsyncSequence, Sendable {
    typealias Network = @Sendable () async throws -> RequestProduct<Value>
    typealias Step = @Sendable () async throws -> (RequestProduct<Value>, Network?)

    /// Makes the first product, and returns what makes the one after it.
    let first: Step

    /// An iterator; the fetch begins when its first value is requested.
    func makeAsyncIterator() -> BoxIterator<Response<Value>> {
        let rest = Mutex<Step?>(first)
        return BoxIterator {
            // While a step is running, the sequence is at its end for all other callers.
            guard let step = rest.withLock({ $0.take() }) else { return nil }
            return try await mappingErrors(\.asRequestError) {
                try Task.checkCancellation()
                let (product, network) = try await step()
                if let network { rest.withLock { $0 = { (try await network(), nil) } } }
                return SendingBox(try product.response())
            }
        }
    }
}
