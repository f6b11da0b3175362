/// A cold request: made whenever it is observed, each time anew. A value to keep, combine and pass around.
///
/// ```swift
/// let gists = client.signal(Endpoint<[Gist]>.get("gists"))
/// let names = gists.retry(2).map { $0.compactMap(\.name) }
///
/// names.observe { result in show(result) }             // on the main actor
/// for try await names in names { print(names) }        // one value, then the end
/// let names = try await names.value()
/// ```
///
/// It is cold: nothing happens until it is observed, and each observation is a request of its own with objects of its own. An
/// observation gives one value, or fails with one error: none is swallowed. Cancelling it, or the task it runs in, cancels
/// the request.
///
/// ``init(_:)`` takes any request, such as the method of a class: `RequestSignal { @MainActor in try await self.repository.gists() }`.
/// More operators are those of `AsyncSequence`, and of Combine by `publisher`.
public struct RequestSignal<Value>: Sendable {
    private let request: @Sendable () async throws -> sending Value

    /// A signal of a request.
    ///
    /// - Parameter request: Makes the request and waits for its value. It is called once for each observation, and once more
    ///   for each try of ``retry(_:where:)``, on no particular thread unless it says so.
    public init(_ request: @escaping @Sendable () async throws -> sending Value) { self.request = request }

    /// Makes the request and waits for its value, which is the caller's own.
    ///
    /// - Throws: What the request throws; ``RequestError/cancelled`` if the task is cancelled, before which nothing is
    ///   begun.
    nonisolated(nonsending) public func value() async throws -> sending Value {
        if Task.isCancelled { throw RequestError.cancelled }
        do {
            return try await request()
        } catch is CancellationError {
            throw RequestError.cancelled
        }
    }
}

extension RequestSignal: AsyncSequence {
    /// Makes the request when it is asked for its value.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// nil when the request was made.
        fileprivate var signal: RequestSignal?

        /// The value at the first call, nil afterwards.
        ///
        /// - Throws: What the request throws, at the first call.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Value? {
            guard let signal = signal.take() else { return nil }
            return try await signal.value()
        }
    }

    /// Begins an observation; the request is made when its value is asked for.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(signal: self) }
}

extension Requesting {
    /// A signal of an endpoint: a cold request, made whenever it is observed.
    ///
    /// ```swift
    /// let names = client.signal(Endpoint<[Gist]>.get("gists")).retry(2).map { $0.compactMap(\.name) }
    /// ```
    public func signal<Value>(_ endpoint: Endpoint<Value>, policy: FetchPolicy = .standard) -> RequestSignal<Value> {
        let client = sender
        return RequestSignal { try await client.value(endpoint, policy: policy) }
    }
}
