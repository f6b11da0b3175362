public import Foundation

/// Sends a request again when it failed in a way that may pass.
///
/// ```swift
/// let transport = RetryTransport()
/// ```
///
/// The default ``RetryPolicy`` sends an idempotent request up to three times, after the statuses 408, 429, 500, 502, 503
/// and 504 and after a connection that could not be made, was lost before the head, or timed out.
///
/// Between attempts it waits for a random time between zero and a limit that doubles (exponential backoff with full
/// jitter), so that clients that failed together do not come back together. `Retry-After` (RFC 9110 section 10.2.3), in
/// seconds or as a date, makes the wait longer, never shorter; beyond the policy's ``RetryPolicy/longestRetryAfter`` the
/// response is given back at once.
///
/// It decides on the head: a response that is handed on is never asked for again, and a body that breaks off is the
/// caller's to deal with. The body of a response that is not handed on is dropped unread, before the wait. After the last
/// attempt, its response or its error is the result, as it is. The timeout of a request holds for each attempt.
///
/// A cancelled request is never sent again; cancelled while it waits, it ends at once.
///
/// Put ``CoalescingTransport`` around it and ``AuthenticatingTransport`` inside it, so that a token that was renewed
/// counts as no attempt.
public struct RetryTransport: Transport {
    private let base: any Transport
    private let policy: RetryPolicy
    private let clock: any Clock<Duration>
    private let random: @Sendable () -> Double
    private let now: @Sendable () -> Date

    /// Retries what another transport sends.
    ///
    /// - Parameters:
    ///   - base: What sends; by default ``SystemTransport/shared``.
    ///   - policy: What is sent again, and when.
    ///   - clock: What the waits go by.
    ///   - random: The part of the limit that is waited, from 0 to 1; what is outside is taken as the nearer end.
    ///   - now: What a `Retry-After` with a date is measured from.
    public init(
        _ base: any Transport = SystemTransport.shared, policy: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.base = base
        self.policy = policy
        self.clock = clock
        self.random = random
        self.now = now
    }

    /// Sends a request, if need be again.
    ///
    /// - Throws: What the last attempt threw; ``RequestError/cancelled`` if the calling task was cancelled.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        var request = request
        request.bindIdentity(over: base)
        let attempts = policy.isRepeatable(request) ? max(policy.attempts, 1) : 1
        var attempt = 1
        while attempt < attempts {
            switch try await outcome(of: request, attempt: attempt) {
            case .final(let response): return response
            case .failed(let delay): try await wait(for: delay)
            }
            attempt += 1
        }
        return try await base.response(to: request)
    }

    /// That of the transport inside.
    public func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }

    /// What an attempt that is not the last has led to. A failure holds no response, so that its transfer ends here.
    private enum Outcome {
        case final(TransportResponse)
        case failed(delay: Duration)
    }

    private func outcome(of request: TransportRequest, attempt: Int) async throws -> Outcome {
        do {
            let response = try await base.response(to: request)
            guard policy.statuses.contains(response.status) else { return .final(response) }
            let backoff = backoff(afterAttempt: attempt)
            guard let asked = RetryAfter.delay(in: response.headers, now: now) else { return .failed(delay: backoff) }
            return asked > policy.longestRetryAfter ? .final(response) : .failed(delay: max(asked, backoff))
        } catch RequestError.connection(let failure) where policy.failures.contains(failure.kind) {
            return .failed(delay: backoff(afterAttempt: attempt))
        }
    }

    private func backoff(afterAttempt attempt: Int) -> Duration {
        let part = random()
        return policy.delayLimit(afterAttempt: attempt) * (part.isNaN ? 1 : min(max(part, 0), 1))
    }

    /// Waits, unless the task is cancelled or there is nothing to wait for.
    private func wait(for delay: Duration) async throws {
        if Task.isCancelled { throw RequestError.cancelled }
        guard delay > .zero else { return }
        do {
            try await clock.sleep(for: delay)
        } catch is CancellationError {
            throw RequestError.cancelled
        }
        // A clock may return early instead of throwing.
        if Task.isCancelled { throw RequestError.cancelled }
    }
}
