extension RequestSignal {
    /// A signal that makes the request again, at once, when it fails.
    ///
    /// ```swift
    /// gists.retry(2)                                                   // three requests at most
    /// gists.retry(1) { error in error is RequestError }
    /// ```
    ///
    /// A request that was cancelled is not made again. For pauses, and for a choice by method and status, let the repository
    /// send with a ``RetryTransport``.
    ///
    /// - Parameters:
    ///   - count: How often at most it is made again.
    ///   - isWorthwhile: Whether to retry after an error. Defaults to all errors.
    /// - Returns: A signal that fails with the last error.
    public func retry(
        _ count: Int, where isWorthwhile: @escaping @Sendable (any Error) -> Bool = { _ in true }
    ) -> RequestSignal {
        RequestSignal {
            var left = count
            while true {
                do {
                    return try await value()
                } catch RequestError.cancelled {
                    throw RequestError.cancelled
                } catch  where left > 0 && isWorthwhile(error) {
                    left -= 1
                }
            }
        }
    }

    /// A signal of what is made of the value.
    ///
    /// - Parameter transform: Gets the value, which is its own, away from the main actor unless it says otherwise. What it
    ///   throws is what the signal fails with.
    public func map<Mapped>(
        _ transform: @escaping @Sendable (sending Value) async throws -> sending Mapped
    ) -> RequestSignal<Mapped> {
        RequestSignal<Mapped> { try await transform(try await value()) }
    }

    /// A signal that goes on with another one when it fails.
    ///
    /// ```swift
    /// gists.flatMapError { error in
    ///     guard case RequestError.noConnectivity = error else { throw error }
    ///     return stored
    /// }
    /// ```
    ///
    /// An observation that was cancelled does not go on.
    ///
    /// - Parameter recover: Gives the signal to go on with, or throws what this one is to fail with.
    public func flatMapError(
        _ recover: @escaping @Sendable (any Error) async throws -> RequestSignal
    ) -> RequestSignal {
        RequestSignal {
            do {
                return try await value()
            } catch {
                if Task.isCancelled { throw error }
                return try await recover(error).value()
            }
        }
    }
}
