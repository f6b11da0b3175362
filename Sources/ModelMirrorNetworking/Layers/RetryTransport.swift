public import ModelMirrorFoundation

/// Repeats a request after a failure that may be transient.
///
/// ```swift
/// let transport = RetryTransport()
/// ```
///
/// The default ``RetryPolicy`` sends an idempotent request up to three times: after the statuses 408, 429, 500, 502, 503 and 504,
/// and after a connection that could not be made, was lost before the head, or timed out.
///
/// Between attempts it waits for a random time between zero and a limit that doubles (exponential backoff with full jitter), so
/// that clients that failed together do not retry together. `Retry-After` (RFC 9110 section 10.2.3), in seconds or as a date,
/// can only lengthen the wait; beyond ``RetryPolicy/longestRetryAfter`` the response is returned at once.
///
/// Only the head decides: a response that was returned is never requested again, and a body that breaks off is the caller's
/// to handle. The body of a response that is not returned is dropped unread before the wait. The last attempt's response or
/// error is the result, and says how many attempts there were (``ResponseHead/attempts``). The timeout of a request
/// applies to each attempt.
///
/// A request whose deadline has passed, its own or its transport's, is not sent again.
///
/// A cancelled request is never sent again; if cancelled during a wait, it ends at once.
///
/// Put ``CoalescingTransport`` around it and ``AuthenticatingTransport`` inside it, so that renewing a token does not count as an
/// attempt.
public struct RetryTransport: Transport, BindingTransport {
    let base: any Transport
    private let policy: RetryPolicy
    private let clock: any Clock<Duration>
    private let random: @Sendable () -> Double
    private let now: @Sendable () -> Date

    /// Repeats the requests of another transport.
    ///
    /// - Parameters:
    ///   - base: The transport that sends. Defaults to ``SystemTransport/shared``.
    ///   - policy: Which requests are repeated, and when.
    ///   - clock: Measures the waits.
    ///   - random: Returns the fraction of the limit to wait, clamped to 0...1.
    ///   - now: Returns the date that a `Retry-After` date is compared with.
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

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let attempts = policy.isRepeatable(request) ? max(policy.attempts, 1) : 1
        var request = request
        request.attempt = 1
        while true {
            let attempt = request.attempt
            let delay: Duration
            do {
                // Not held during the wait, so that its transfer ends.
                var response = try await base.response(to: request)
                response.attempts = attempt
                guard attempt < attempts, policy.statuses.contains(response.status) else { return response }
                let wanted = response.head.retryAfter(now) ?? .zero
                delay = max(wanted, backoff(afterAttempt: attempt))
                let isFinal = wanted > max(policy.longestRetryAfter, .zero) || request.exceedsDeadline(waiting: delay)
                if isFinal { return response }
            } catch RequestError.connection(var failure) {
                failure.attempts = attempt
                guard attempt < attempts, !failure.isPastDeadline, policy.failures.contains(failure.kind) else {
                    throw RequestError.connection(failure)
                }
                delay = backoff(afterAttempt: attempt)
                if request.exceedsDeadline(waiting: delay) { throw RequestError.connection(failure) }
            }
            try Task.checkCancellation()
            if delay > .zero { try await clock.sleep(for: min(delay, TransportRequest.longestTimeout)) }
            // A clock may return early instead of throwing.
            try Task.checkCancellation()
            request.attempt += 1
        }
    }

    private func backoff(afterAttempt attempt: Int) -> Duration {
        let part = random()
        return policy.delayLimit(afterAttempt: attempt) * (part.isNaN ? 1 : min(max(part, 0), 1))
    }
}

/// Which requests a ``RetryTransport`` repeats, how often, and after which waits.
///
/// ```swift
/// var policy = RetryPolicy()
/// policy.attempts = 5
/// policy.isRepeatable = { $0.method.isIdempotent || $0.headers["Idempotency-Key"] != nil }
/// ```
public struct RetryPolicy: Sendable {
    /// The largest number of attempts, including the first; less than 1 counts as 1. Defaults to 3.
    public var attempts = 3
    /// The status codes after which a request is repeated.
    public var statuses: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// The failures before the head of a response after which a request is repeated.
    public var failures: Set<RequestError.ConnectionFailure.Kind> = [
        .cannotConnect, .connectionLost, .timedOut, .hostNotFound,
    ]
    /// Whether a request may be repeated at all. A server may have acted on a request whose response failed, so this defaults to
    /// the idempotent methods (RFC 9110 section 9.2.2). Called on any thread.
    public var isRepeatable: @Sendable (TransportRequest) -> Bool = { $0.method.isIdempotent }
    /// The longest wait before the second attempt, doubled for each further one. Negative counts as zero. Defaults to 0.5 s.
    public var firstDelay: Duration = .milliseconds(500)
    /// The limit of the doubling. Negative counts as zero. Defaults to 30 s.
    public var longestDelay: Duration = .seconds(30)
    /// The longest `Retry-After` that is followed; a response that asks for more is returned at once. Negative counts as zero.
    /// Defaults to 60 s.
    public var longestRetryAfter: Duration = .seconds(60)

    /// The default policy: three attempts, half a second, and idempotent methods only.
    public init() {}

    /// The longest wait after a number of attempts, from 1: the first delay, doubled each time, up to the longest.
    func delayLimit(afterAttempt attempt: Int) -> Duration {
        var limit = max(firstDelay, .zero)
        guard limit > .zero else { return .zero }
        for _ in 1..<max(attempt, 1) where limit < longestDelay {
            limit = limit > longestDelay / 2 ? longestDelay : limit * 2
        }
        return max(min(limit, longestDelay, TransportRequest.longestTimeout), .zero)
    }
}
