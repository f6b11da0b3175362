public import ModelMirror

/// A request that is running or has ended: cancel it, add handlers, observe its progress, await its value.
///
/// ```swift
/// let request = repository.requestGists(of: "octocat") { getGists in … }
/// request
///     .progress { print($0.download.bytes) }
///     .success { gists in print(gists.count) }     // its own objects, not those of the closure above
///     .fail { error in print(error) }
///     .finished { spinner.stop() }
/// request.cancel()
/// ```
///
/// It ends exactly once, even when cancelled. Handlers are called even if added after the end, and always asynchronously, on the
/// main actor or their queue. On one actor or serial queue the order is: the completion closure, `success` or `fail`, `finished`;
/// handlers of one kind in the order they were added.
///
/// It continues without being retained. While retained, it keeps the body of its response, because each consumer's objects are
/// mapped from it again, off the main thread.
///
/// Safe to use from any thread. Requests are equal if they are identical.
public final class Request<Value>: Sendable {
    let life = RequestLife()

    /// Makes the product of a request.
    typealias Work = @Sendable (RequestLife) async throws -> RequestProduct<Value>

    /// Begins the request, unless it was already cancelled.
    ///
    /// - Parameter work: Runs in a task that is cancelled with the request.
    /// - Returns: The task, which may run on after the request was cancelled.
    @discardableResult
    func begin(_ work: @escaping Work) -> Task<Void, Never> { life.begin { [life] in try await work(life) } }

    /// Ends the request with ``RequestError/cancelled``, unless it has ended, and stops its transfer.
    ///
    /// Handlers and closures are called as for any other error. Nothing is sent or retried afterwards.
    public func cancel() { life.cancel() }

    /// The state of the request.
    public var state: RequestState { life.state }

    /// The bytes sent and received so far.
    public var progress: RequestProgress { life.progress }
}

extension Request: Hashable, ComparedByIdentity {
    package var comparedValue: ObjectIdentifier { ObjectIdentifier(self) }
}

/// The state of a ``Request``.
public enum RequestState: Sendable {
    /// In flight.
    case running
    /// Ended with a value.
    case succeeded
    /// Ended with an error.
    case failed(any Error)
    /// Cancelled before it ended otherwise.
    case cancelled

    /// Whether the request has ended; the state never changes after that.
    public var isFinished: Bool { if case .running = self { false } else { true } }
}
