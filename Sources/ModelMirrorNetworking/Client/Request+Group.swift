public import ModelMirror
public import ModelMirrorFoundation

/// Several requests as one.
extension Request where Value == Void {
    /// Collects the requests of a group.
    public struct Members: Sendable {
        fileprivate var lives: [RequestLife] = []

        /// Adds a request with any value, running or ended.
        public mutating func add<Member>(_ request: Request<Member>) { lives.append(request.life) }
    }

    /// A request that ends when all of these have ended: it succeeds if all do, otherwise fails with ``RequestGroupError``.
    ///
    /// ```swift
    /// let both = Request.all(api.requestGists(of: "octocat") { _ in … }, api.requestUser("octocat") { _ in … })
    ///     .success { print("all there") }
    ///     .fail { error in print(error) }
    ///     .finished { spinner.stop() }
    /// try await both.value()
    /// both.cancel()                       // cancels those still running
    /// ```
    ///
    /// Each request keeps its own closures and handlers. On the main actor or one serial queue they run before the group's, unless
    /// the group is cancelled.
    public static func all<each Member>(_ request: repeat Request<each Member>) -> Request {
        all { members in repeat members.add(each request) }
    }

    /// A request that ends when all requests added by a closure have ended. Without any, it succeeds.
    ///
    /// ```swift
    /// let all = Request.all { members in
    ///     for user in users { members.add(api.requestGists(of: user) { _ in … }) }
    /// }
    /// ```
    public static func all(_ gather: (inout Members) throws -> Void) rethrows -> Request {
        var members = Members()
        try gather(&members)
        let group = Request()
        let lives = members.lives
        // A group cancelled before its task began can reach its members only through this handler.
        group.life.add(.outcome) {
            if case .failure(RequestError.cancelled) = $0 { for life in lives { life.cancel() } }
        }
        group.begin { _ in
            let errors = await withTaskCancellationHandler {
                var errors: [any Error] = []
                for life in lives {
                    if case .failure(let error) = await life.outcome(after: .end) { errors.append(error) }
                }
                return errors
            } onCancel: {
                for life in lives { life.cancel() }
            }
            if !errors.isEmpty { throw RequestGroupError(errors: errors) }
            return RequestProduct(()) {}
        }
        return group
    }
}

/// Why a group of requests failed; see `Request.all(_:)`.
public struct RequestGroupError: LocalizedError, SentenceError, Sendable, CustomStringConvertible {
    /// The errors of the failed and cancelled requests, in the order of the requests; at least one.
    public let errors: [any Error]

    /// The descriptions of the errors, one per line.
    public var description: String { errors.map { "\($0)" }.joined(separator: "\n") }
}
