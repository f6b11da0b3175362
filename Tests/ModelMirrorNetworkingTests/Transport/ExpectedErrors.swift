import ModelMirrorNetworking
import Testing

/// Expects an error that prints as a sentence.
func expectError(
    _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("Nothing was thrown.", sourceLocation: sourceLocation)
    } catch {
        #expect("\(error)" == sentence, sourceLocation: sourceLocation)
    }
}

/// Expects a `RequestError` that prints as a sentence, and returns it.
@discardableResult
func expectRequestError(
    _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation, _ work: () async throws -> Void
) async -> RequestError? {
    let error = await #expect(throws: RequestError.self, sourceLocation: sourceLocation) { try await work() }
    #expect(error?.description == sentence, sourceLocation: sourceLocation)
    return error
}

/// Expects that work fails with `accountChanged`.
func expectAccountChanged(
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ work: () async throws -> Void
) async {
    let error = await #expect(throws: RequestError.self, comment, sourceLocation: sourceLocation) { try await work() }
    guard case .accountChanged? = error else {
        Issue.record("expected accountChanged, found \(error as Any)", sourceLocation: sourceLocation)
        return
    }
}

/// Expects that a task fails with `accountChanged`.
func expectAccountChanged<Value>(
    _ task: Task<Value, any Error>, sourceLocation: SourceLocation = #_sourceLocation
) async {
    await expectAccountChanged(sourceLocation: sourceLocation) { _ = try await task.value }
}

/// Expects that a task fails with `cancelled`.
func expectCancelled<Value>(
    _ task: Task<Value, any Error>, sourceLocation: SourceLocation = #_sourceLocation
) async {
    let error = await #expect(throws: RequestError.self, sourceLocation: sourceLocation) { _ = try await task.value }
    guard case .cancelled? = error else {
        Issue.record("expected cancelled, found \(error as Any)", sourceLocation: sourceLocation)
        return
    }
}

extension RequestError {
    /// A failed connection.
    var connectionFailure: ConnectionFailure? {
        if case .connection(let failure) = self { failure } else { nil }
    }

    /// The kind of a failed connection.
    var failureKind: ConnectionFailure.Kind? { connectionFailure?.kind }

    /// The reason of a failed connection.
    var failureReason: String? { connectionFailure?.reason }

    /// Why a request cannot be sent.
    var invalidRequestReason: String? {
        if case .invalidRequest(let reason) = self { reason } else { nil }
    }

    /// The limit that a body exceeded.
    var exceededBodyLimit: Int? {
        if case .bodyTooLarge(let limit) = self { limit } else { nil }
    }
}
