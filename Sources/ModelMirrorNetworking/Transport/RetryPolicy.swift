/// What a ``RetryTransport`` sends again, how often, and how long it waits before.
///
/// ```swift
/// var policy = RetryPolicy()
/// policy.attempts = 5
/// policy.isRepeatable = { $0.method.isIdempotent || $0.headers["Idempotency-Key"] != nil }
/// ```
public struct RetryPolicy: Sendable {
    /// How often a request is sent at most, the first time included; less than 1 counts as 1.
    public var attempts = 3
    /// The status codes after which a request is sent again.
    public var statuses: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// The failures before the head of a response after which a request is sent again.
    public var failures: Set<RequestError.ConnectionFailure.Kind> = [
        .cannotConnect, .connectionLost, .timedOut, .hostNotFound,
    ]
    /// Whether a request may be sent again at all. A server may have acted on a request although its response failed, so
    /// these are the idempotent ones (RFC 9110 section 9.2.2) unless you know better. May be called on any thread.
    public var isRepeatable: @Sendable (TransportRequest) -> Bool = { $0.method.isIdempotent }
    /// The longest wait before the second attempt; it doubles with each attempt after that. Less than zero counts as zero.
    public var firstDelay: Duration = .milliseconds(500)
    /// What doubling ends at. Less than zero counts as zero.
    public var longestDelay: Duration = .seconds(30)
    /// The longest wait that a server may ask for with `Retry-After`. If it asks for more, its response is given back at
    /// once, for the caller to decide.
    public var longestRetryAfter: Duration = .seconds(60)

    /// Three attempts, half a second, and idempotent methods only.
    public init() {}

    /// The longest wait after so many attempts, from 1: the first delay, doubled each time, up to the longest.
    func delayLimit(afterAttempt attempt: Int) -> Duration {
        var limit = max(firstDelay, .zero)
        guard limit > .zero else { return .zero }
        for _ in 1..<max(attempt, 1) where limit < longestDelay {
            limit = limit > longestDelay / 2 ? longestDelay : limit * 2
        }
        return max(min(limit, longestDelay), .zero)
    }
}
