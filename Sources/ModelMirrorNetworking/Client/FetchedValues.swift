import Synchronization

/// The responses of one endpoint, one after the other; made by ``Requesting/values(_:policy:)``.
///
/// ```swift
/// for try await response in client.values(gists) { show(response.value, isOld: response.origin != .network) }
/// ```
public struct FetchedValues<Value>: AsyncSequence, Sendable {
    /// What gives a product, and what is left to do after it.
    struct Step: Sendable {
        let run: @Sendable () async throws -> (RequestProduct<Value>, Step?)
    }

    private let first: Step

    init(first: Step) { self.first = first }

    /// Begins a fetch, when its first value is asked for.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(cursor: Cursor(first)) }

    /// Gives response after response.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let cursor: Cursor

        /// The next response; nil at the end. The objects are made away from the caller's actor.
        ///
        /// - Throws: ``FetchError``, ``RequestError``, `ModelError`, or the error that a hook makes of the server's.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Response<Value>? {
            try await cursor.next()?.take()
        }
    }

    /// Where an iteration stands.
    fileprivate final class Cursor: Sendable {
        private let rest: Mutex<Step?>

        init(_ first: Step) { rest = Mutex(first) }

        func next() async throws -> Handoff<Response<Value>>? {
            // While a step is under way, the iteration has ended for everybody else.
            guard let step = rest.withLock({ $0.take() }) else { return nil }
            do {
                try Task.checkCancellation()
                let (product, next) = try await step.run()
                rest.withLock { $0 = next }
                return Handoff(try product.response())
            } catch is CancellationError {
                throw RequestError.cancelled
            }
        }
    }
}
