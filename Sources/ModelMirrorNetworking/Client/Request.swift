/// A request in flight, or one that has ended: cancel it, add handlers, watch its progress, await its value.
///
/// ```swift
/// let request = repository.requestGists(of: "octocat") { getGists in … }
/// request
///     .progress { print($0.download.bytes) }
///     .success { gists in print(gists.count) }     // gists of its own, not those of the closure above
///     .fail { error in print(error) }
///     .finished { spinner.stop() }
/// request.cancel()
/// ```
///
/// It ends exactly once, cancelled or not; handlers are called once each, also those that are added after the end. They are
/// never called at once, not even then, but later on the main actor or the queue they were added for. Among those of one
/// place the order is: the closure of the call, `success` or `fail`, `finished`, each kind in the order of being added.
///
/// It continues when it is not retained. While it is retained, so is the body of its response, since every consumer gets objects of
/// its own, made of that body away from the main thread.
///
/// Can be used from any thread. Two requests are equal if they are the same one.
public final class Request<Value>: Sendable {
    let life = RequestLife()

    /// A request that does nothing yet.
    init() {}

    /// Lets the request begin. A request that was cancelled before does nothing.
    ///
    /// - Parameter work: Gives the product. It runs in a task that is cancelled with the request.
    func begin(_ work: @escaping @Sendable (RequestLife) async throws -> RequestProduct<Value>) {
        life.begin { [life] in try await work(life) }
    }

    /// Ends the request from outside of a task of its own, unless it has ended already.
    func end(with outcome: Result<RequestProduct<Value>, any Error>) { life.end(with: outcome.map { $0 }) }

    /// Ends the request with ``RequestError/cancelled``, unless it has ended already, and stops what is under way.
    ///
    /// Handlers and closures are called as with any other error. Nothing is sent or retried afterwards.
    public func cancel() { life.cancel() }

    /// The state of the request.
    public var state: RequestState { life.state }

    /// The bytes sent and received so far.
    public var progress: RequestProgress { life.progress }
}

extension Request: Hashable {
    /// Whether both are the same request.
    public static func == (left: Request, right: Request) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
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
