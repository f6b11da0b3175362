public import ModelMirror
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Several requests as one.
extension Request where Value == Void {
    /// Collects the requests of a group.
    public struct Members: Sendable {
        fileprivate var requests: [(life: RequestLife, cancel: @Sendable () -> Void)] = []

        /// Adds a request with any value, running or ended.
        public mutating func add<Member>(_ request: Request<Member>) {
            requests.append((request.life, { request.cancel() }))
        }
    }

    /// A request that ends when all of these have ended: it succeeds if all do, else fails with ``RequestGroupError``.
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
        let requests = members.requests
        // A group cancelled before its task began can reach its members only through this handler.
        group.life.add(.outcome) {
            if case .failure(RequestError.cancelled) = $0 { for request in requests { request.cancel() } }
        }
        group.begin { _ in
            await withTaskCancellationHandler {
                for request in requests { await request.life.ended() }
            } onCancel: {
                for request in requests { request.cancel() }
            }
            let errors = requests.compactMap { request -> (any Error)? in
                switch request.life.state {
                case .running, .succeeded: nil
                case .failed(let error): error
                case .cancelled: RequestError.cancelled
                }
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

extension RequestLife {
    /// Waits for the end, after all consumers added before.
    fileprivate func ended() async {
        await withCheckedContinuation { continuation in add(.end) { _ in continuation.resume() } }
    }
}
