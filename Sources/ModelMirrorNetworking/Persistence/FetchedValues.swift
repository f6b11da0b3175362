import Synchronization

/// A value and where it comes from.
public struct Fetched<Value> {
    /// The value, which is the receiver's own.
    public let value: Value
    /// Where it comes from.
    public let origin: FetchOrigin
}

/// The values of one resource, one after the other; see ``StoringRepository/values(of:policy:)``.
///
/// ```swift
/// for try await fetched in repository.values(of: gists) { show(fetched.value) }
/// ```
public struct FetchedValues<Value>: AsyncSequence, Sendable {
    /// What gives a value, and what is left to do after it.
    struct Step: Sendable {
        typealias Source = (product: RequestProduct<Value>, origin: FetchOrigin)

        let run: @Sendable () async throws -> (Source, Step?)
    }

    private let first: Step

    init(first: Step) { self.first = first }

    /// Begins a fetch, when its first value is asked for.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(cursor: Cursor(first)) }

    /// Gives value after value.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let cursor: Cursor

        /// The next value; nil at the end. The objects are made away from the caller's actor.
        ///
        /// - Throws: ``FetchError``, ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Fetched<Value>? {
            guard let (box, origin) = try await cursor.next() else { return nil }
            return Fetched(value: try box.take(), origin: origin)
        }
    }

    /// Where an iteration stands.
    fileprivate final class Cursor: Sendable {
        private let rest: Mutex<Step?>

        init(_ first: Step) { rest = Mutex(first) }

        func next() async throws -> (OneShot<Value>, FetchOrigin)? {
            // While a step is under way, the iteration has ended for everybody else.
            guard let step = rest.withLock({ $0.take() }) else { return nil }
            do {
                try Task.checkCancellation()
                let (source, next) = try await step.run()
                rest.withLock { $0 = next }
                return (try source.product.share(), source.origin)
            } catch is CancellationError {
                throw RequestError.cancelled
            }
        }
    }
}
