import Foundation
import ModelMirror

/// The one implementation under all faces.
extension AbstractRepository {
    /// What sends the requests of the repository as it is now.
    var exchange: Exchange<Status> {
        Exchange(transport: transport, baseURL: baseURL, configuration: configuration, repository: type(of: self))
    }

    /// Begins a request.
    ///
    /// - Parameters:
    ///   - key: Leads to the value in place of the configuration's key.
    ///   - reading: How the body becomes the value.
    ///   - prepare: Adds the closure of the call, before anything can happen.
    func start<Value>(
        _ target: RequestTarget, at key: JSONPath?, _ reading: BodyReading<Value>,
        _ prepare: (Request<Value>) -> Void = { _ in }
    ) -> Request<Value> {
        let exchange = exchange
        let request = Request<Value>()
        prepare(request)
        request.begin { request in
            try await exchange.product(of: target, at: key, reading) { request.update($0) }
        }
        return request
    }

    /// Begins a request and waits for its value. Cancelling the task that waits cancels the request; none begins in a task
    /// that is cancelled already.
    nonisolated(nonsending) func finish<Value>(
        _ target: RequestTarget, at key: JSONPath?, _ reading: BodyReading<Value>
    ) async throws -> sending Value {
        if Task.isCancelled { throw RequestError.cancelled }
        return try await start(target, at: key, reading).value()
    }
}
