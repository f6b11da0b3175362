public import Dispatch
public import Foundation
public import ModelMirror

/// Requests by route for what is no model. Each does what its namesake with a URL does.
extension AbstractRepository {
    /// Asks for what a closure makes of the bytes at `objectKey` of the body if that is set, else of the whole body.
    ///
    /// ```swift
    /// repository.requestDecoded(route) {
    ///     try decoder.decode(Gist.self, from: $0)
    /// } completion: { getGist in … }
    /// ```
    ///
    /// - Parameters:
    ///   - route: Whom to ask and what to send.
    ///   - key: Leads to the bytes of a JSON value, in place of the configuration's objectKey; `.root`: all bytes of the body.
    ///   - decode: Makes a value of the bytes, away from the main thread; once more for each further consumer. What it throws
    ///     is what the request fails with.
    ///   - completion: Called exactly once, on the main actor. The first call of the function it gets hands the result over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestDecoded<Value>(
        _ route: some Route, at key: JSONPath? = nil,
        decode: @escaping @Sendable (_ bytes: Data) throws -> sending Value,
        completion: (@MainActor (_ getValue: () throws -> sending Value) -> Void)? = nil
    ) -> Request<Value> {
        start(RequestTarget(route), at: key, .decoded(decode)) { request in
            if let completion { request.complete(completion) }
        }
    }

    /// Asks for what a closure makes of the bytes at `objectKey` of the body if that is set, else of the whole body.
    ///
    /// - Parameters:
    ///   - route: Whom to ask and what to send.
    ///   - key: Leads to the bytes of a JSON value, in place of the configuration's objectKey; `.root`: all bytes of the body.
    ///   - queue: Where `completion` runs.
    ///   - decode: Makes a value of the bytes, away from the main thread; once more for each further consumer. What it throws
    ///     is what the request fails with.
    ///   - completion: Called exactly once. The first call of the function it gets hands the result over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestDecoded<Value>(
        _ route: some Route, at key: JSONPath? = nil,
        on queue: DispatchQueue,
        decode: @escaping @Sendable (_ bytes: Data) throws -> sending Value,
        completion: @escaping @Sendable (_ getValue: () throws -> sending Value) -> Void
    ) -> Request<Value> {
        start(RequestTarget(route), at: key, .decoded(decode)) { request in
            request.complete(on: queue, completion)
        }
    }

    /// Asks for what a closure makes of the bytes at `objectKey` of the body if that is set, else of the whole body.
    ///
    /// ```swift
    /// let gist = try await repository.decoded(route) { try decoder.decode(Gist.self, from: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - route: Whom to ask and what to send.
    ///   - key: Leads to the bytes of a JSON value, in place of the configuration's objectKey; `.root`: all bytes of the body.
    ///   - decode: Makes a value of the bytes, away from the main thread; once more for each further consumer. What it throws
    ///     is what the request fails with.
    /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's; what `decode` throws.
    nonisolated(nonsending) public func decoded<Value>(
        _ route: some Route, at key: JSONPath? = nil,
        decode: @escaping @Sendable (_ bytes: Data) throws -> sending Value
    ) async throws -> sending Value {
        try await finish(RequestTarget(route), at: key, .decoded(decode))
    }
}
