/// A cold request, sent once per observation. A value to keep, combine and pass around.
///
/// ```swift
/// let gists = client.signal(Endpoint<[Gist]>.get("gists"))
/// let names = gists.retry(2).map { $0.compactMap(\.name) }
///
/// names.observe { result in show(result) }             // on the main actor
/// for try await names in names { print(names) }        // one value, then the end
/// let first = try await names.value()
/// ```
///
/// Nothing is sent until it is observed, and each observation sends its own request and gets its own objects. An observation
/// delivers one value or fails with one error. Cancelling it, or the task it runs in, cancels the request.
///
/// ``init(_:)`` wraps any request, such as a method: `RequestSignal { @MainActor in try await self.repository.gists() }`.
/// Further operators are those of `AsyncSequence`, and of Combine through `publisher`.
public struct RequestSignal<Value>: Sendable {
    private let request: @Sendable (_ earlier: inout RequestBinding?) async throws -> sending Value

    /// A signal of a request.
    ///
    /// - Parameter request: Sends the request and returns its value. Called once per observation, and once more for each
    ///   repetition by ``retry(_:where:)``, on any thread unless it declares an isolation.
    public init(_ request: @escaping @Sendable () async throws -> sending Value) {
        self.request = { _ in try await request() }
    }

    /// A signal of a request that follows from an earlier one of the same observation, and becomes the earlier one of the next.
    init(_ request: @escaping @Sendable (inout RequestBinding?) async throws -> sending Value) {
        self.request = request
    }

    /// Sends the request and returns its value, made for this caller alone.
    ///
    /// - Throws: Errors of the request; ``RequestError/cancelled`` if the task is cancelled. A task that was cancelled before
    ///   sends nothing.
    nonisolated(nonsending) public func value() async throws -> sending Value {
        var first: RequestBinding?
        return try await value(after: &first)
    }

    nonisolated(nonsending) func value(after earlier: inout RequestBinding?) async throws -> sending Value {
        if Task.isCancelled { throw RequestError.cancelled }
        return try await mappingErrors(\.asRequestError) { try await request(&earlier) }
    }
}

extension RequestSignal: AsyncSequence {
    /// Begins an observation; the request is sent when its value is requested. There is one value, or an error of the request.
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<Value, any Error> {
        let rest = SendingBox(self)
        return BoxIterator {
            guard let signal = rest.takeIfPresent() else { return nil }
            return SendingBox(try await signal.value())
        }
    }
}

extension Requesting {
    /// A signal of an endpoint: a cold request, sent for each observation.
    ///
    /// ```swift
    /// let names = client.signal(Endpoint<[Gist]>.get("gists")).retry(2).map { $0.compactMap(\.name) }
    /// ```
    public func signal<Value>(_ endpoint: Endpoint<Value>, policy: FetchPolicy = .standard) -> RequestSignal<Value> {
        RequestSignal { [client = sender] earlier in
            var endpoint = endpoint
            endpoint.earlier = earlier ?? endpoint.earlier
            return try await client.product(endpoint, policy, nil) { earlier = $0 }.share().take()
        }
    }
}
