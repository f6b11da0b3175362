public import Foundation
import ModelMirror

/// Sends a request again after a failure that may be transient.
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
/// It decides on the head: a response that is handed on is never asked for again, and a body that breaks off is
/// left to the caller. The body of a response that is not handed on is dropped unread, before the wait. After the last
/// attempt, its response or its error is the result, as it is. The timeout of a request holds for each attempt, its
/// deadline for all of them: an attempt is the last one if the deadline would pass during the wait after it.
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

    /// Creates a transport that retries over another.
    ///
    /// - Parameters:
    ///   - base: The transport that sends. Defaults to ``SystemTransport/shared``.
    ///   - policy: Which requests are sent again, and when.
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

    /// Sends a request, again if necessary.
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
            let asked = RetryAfter.delay(in: response.headers, now: now) ?? .zero
            let delay = max(asked, backoff)
            let isFinal = asked > policy.longestRetryAfter || request.exceedsDeadline(waiting: delay)
            return isFinal ? .final(response) : .failed(delay: delay)
        } catch RequestError.connection(let failure) where policy.failures.contains(failure.kind) {
            let delay = backoff(afterAttempt: attempt)
            if request.exceedsDeadline(waiting: delay) { throw RequestError.connection(failure) }
            return .failed(delay: delay)
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
            try await clock.sleep(for: min(delay, TransportRequest.longestTimeout))
        } catch is CancellationError {
            throw RequestError.cancelled
        }
        // A clock may return early instead of throwing.
        if Task.isCancelled { throw RequestError.cancelled }
    }
}

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
        return max(min(limit, longestDelay, TransportRequest.longestTimeout), .zero)
    }
}

/// The wait that a server asks for, RFC 9110 section 10.2.3: `120`, or `Fri, 31 Dec 1999 23:59:59 GMT`.
enum RetryAfter {
    /// The wait that the header fields of a response ask for.
    ///
    /// - Parameter now: What a date is measured from.
    /// - Returns: The longest, if there are several; zero for a date that has passed; nil if there is none that can be read.
    static func delay(in headers: HTTPHeaders, now: () -> Date) -> Duration? {
        headers.values(for: .retryAfter).compactMap { delay($0, now: now) }.max()
    }

    private static func delay(_ value: String, now: () -> Date) -> Duration? {
        let value = value.trimmingCharacters(in: .whitespaces)
        if !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // More digits than an Int64 holds mean a very long wait, not none. Clocks overflow far above this limit.
            return .seconds(min(Int64(value) ?? .max, 1 << 40))
        }
        let now = now()
        guard let date = HTTPDate.parse(Array(value.utf8), now: now) else { return nil }
        return .seconds(max(date.timeIntervalSince(now), 0))
    }
}
