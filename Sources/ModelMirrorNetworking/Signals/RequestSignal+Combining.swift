extension RequestSignal {
    /// A signal that repeats the request at once when it fails.
    ///
    /// ```swift
    /// gists.retry(2)                                                   // three requests at most
    /// gists.retry(1) { error in error is RequestError }
    /// ```
    ///
    /// A cancelled request is not repeated, and neither is one that failed with ``RequestError/accountChanged``: the requests of an
    /// observation are sent for the account of its first, if ``Requesting/signal(_:policy:)`` made the signal; a closure of your own is
    /// called again for whoever is signed in then. For delays, and to choose by method and status, use a ``RetryTransport``.
    ///
    /// - Parameters:
    ///   - count: The maximum number of repetitions.
    ///   - isWorthwhile: Whether to repeat after an error. Defaults to true for all errors.
    /// - Returns: A signal that fails with the last error.
    public func retry(
        _ count: Int, where isWorthwhile: @escaping @Sendable (any Error) -> Bool = { _ in true }
    ) -> RequestSignal {
        RequestSignal { earlier in
            var left = count
            while true {
                do {
                    return try await value(after: &earlier)
                } catch RequestError.cancelled {
                    throw RequestError.cancelled
                } catch RequestError.accountChanged {
                    throw RequestError.accountChanged
                } catch  where left > 0 && isWorthwhile(error) {
                    left -= 1
                }
            }
        }
    }

    /// A signal of transformed values.
    ///
    /// - Parameter transform: Called with the value, off the main actor unless it declares an isolation. An error it throws fails
    ///   the signal.
    public func map<Mapped>(
        _ transform: @escaping @Sendable (sending Value) async throws -> sending Mapped
    ) -> RequestSignal<Mapped> {
        RequestSignal<Mapped> { try await transform(try await value(after: &$0)) }
    }

    /// A signal that continues with another signal when it fails.
    ///
    /// ```swift
    /// gists.flatMapError { error in
    ///     guard case RequestError.noConnectivity = error else { throw error }
    ///     return stored
    /// }
    /// ```
    ///
    /// A cancelled observation does not continue. The request of the other signal begins anew, for whoever is signed in then.
    ///
    /// - Parameter recover: Returns the signal to continue with, or throws the error to fail with.
    public func flatMapError(
        _ recover: @escaping @Sendable (any Error) async throws -> RequestSignal
    ) -> RequestSignal {
        RequestSignal { earlier in
            do {
                return try await value(after: &earlier)
            } catch {
                if Task.isCancelled { throw error }
                return try await recover(error).value()
            }
        }
    }
}
