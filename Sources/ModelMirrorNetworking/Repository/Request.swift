/// A request that is under way, or has ended: cancel it, add handlers, watch its progress, await its value.
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
/// It goes on if nobody keeps it. While it is kept, so is the body of its response, since every consumer gets objects of
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
    /// Its handlers and closures are told as with any other error. Nothing is sent or tried again after this.
    public func cancel() { life.cancel() }

    /// How far the request is.
    public var state: RequestState { life.state }

    /// How many bytes have gone and come up to now.
    public var progress: RequestProgress { life.progress }
}

extension Request: Hashable {
    /// Whether both are the same request.
    public static func == (left: Request, right: Request) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
