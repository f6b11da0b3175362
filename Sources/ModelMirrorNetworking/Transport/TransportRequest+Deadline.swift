extension TransportRequest {
    /// Sends this request with a closure, which is cancelled when the ``deadline`` passes: while it waits for the head, and
    /// while the body is read.
    ///
    /// For a ``Transport`` that waits before it sends, or has no deadlines of its own.
    ///
    /// ```swift
    /// func response(to request: TransportRequest) async throws -> TransportResponse {
    ///     try await request.beforeDeadline { try await send(request) }
    /// }
    /// ```
    ///
    /// - Throws: `.connection` of the kind `.timedOut` when the deadline passes; errors of the closure.
    public func beforeDeadline(
        _ send: @escaping @Sendable () async throws -> TransportResponse
    ) async throws -> TransportResponse {
        guard deadline != nil else { return try await send() }
        if exceedsDeadline() { throw deadlinePassed }
        var response = try await finished(send)
        response.body = ResponseBody { [self, body = response.body] in
            try await finished { try await body.nextChunk() }
        }
        return response
    }

    /// The result of work, which is cancelled when the ``deadline`` passes.
    func finished<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard let deadline else { return try await work() }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { .some(try await work()) }
            group.addTask {
                let clock = ContinuousClock()
                // Clocks overflow far above this limit.
                let end = min(deadline, clock.now.advanced(by: TransportRequest.longestTimeout))
                // If the calling task was cancelled, the work, which is cancelled too, decides the outcome.
                do { try await clock.sleep(until: end) } catch { return nil }
                throw deadlinePassed
            }
            defer { group.cancelAll() }
            for try await case let value? in group { return value }
            throw RequestError.cancelled
        }
    }

    /// Sets the deadline to a duration from now, clamped to zero...``longestTimeout``, unless the request, or those that
    /// share its transfer, have one, or the duration is nil.
    mutating func setDeadline(after duration: Duration?) {
        guard deadline == nil, sharedDeadline?() == nil, let duration else { return }
        deadline = ContinuousClock.now.advanced(by: min(max(duration, .zero), TransportRequest.longestTimeout))
    }

    /// Whether the deadline will have passed after a delay; by default, whether it has passed now.
    func exceedsDeadline(waiting delay: Duration = .zero) -> Bool {
        guard let deadline = deadline ?? sharedDeadline?() else { return false }
        return ContinuousClock.now.duration(to: deadline) <= delay
    }

    /// The failure of a request whose deadline has passed.
    var deadlinePassed: RequestError {
        var failure = RequestError.ConnectionFailure(
            .timedOut, url: url.withoutUserInfo, reason: "the deadline passed before the response was complete")
        failure.isPastDeadline = true
        return .connection(failure)
    }
}
