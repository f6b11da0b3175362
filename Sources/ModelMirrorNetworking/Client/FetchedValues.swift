import Synchronization

/// The responses of one endpoint, one after the other; see ``Requesting/values(_:policy:)``.
///
/// ```swift
/// for try await response in client.values(gists) { show(response.value, isOld: response.origin != .network) }
/// ```
public struct FetchedValues<Value>: AsyncSequence, Sendable {
    /// Makes one product, and returns the step after it.
    struct Step: Sendable {
        let run: @Sendable () async throws -> (RequestProduct<Value>, Step?)
    }

    private let first: Step

    init(first: Step) { self.first = first }

    /// An iterator; the fetch begins when its first value is requested.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(cursor: Cursor(first)) }

    /// Iterates over the responses.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let cursor: Cursor

        /// The next response; nil at the end. The value is made off the caller's actor.
        ///
        /// - Throws: ``FetchError``, ``RequestError``, `ModelError`, or the error that a hook makes from the response.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Response<Value>? {
            try await cursor.next()?.take()
        }
    }

    fileprivate final class Cursor: Sendable {
        private let rest: Mutex<Step?>

        init(_ first: Step) { rest = Mutex(first) }

        func next() async throws -> SendingBox<Response<Value>>? {
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
