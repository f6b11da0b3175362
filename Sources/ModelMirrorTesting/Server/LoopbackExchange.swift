/// A request received by a ``LoopbackServer``, and the progress of its response.
///
/// ```swift
/// let exchange = try await server.exchanges(atLeast: 1)[0]
/// try await exchange.stalled()         // the client does not read
/// exchange.bytesWritten < 8 << 20      // so the server could not send it all
/// ```
public final class LoopbackExchange: Sendable {
    /// How an exchange ended.
    public enum Outcome: Sendable, Equatable {
        /// The response was written as intended, including misbehavior.
        case sent
        /// The client closed the connection first.
        case clientLeft
        /// The server was stopped first.
        case stopped
        /// The handler failed; the client got a 500 if nothing had been sent.
        case failed(String)
    }

    struct Progress: Sendable {
        var bytesWritten = 0
        var hasHead = false
        var status: Int?
        var isStalled = false
        var outcome: Outcome?
    }

    /// The request.
    public let request: LoopbackRequest

    let progress = Observed(Progress())

    init(request: LoopbackRequest) { self.request = request }

    /// The number of body bytes that the system has accepted so far, without chunked coding; for a response of raw bytes, which
    /// misbehavior also sends, of all bytes. Socket buffers count, so it can be ahead of what the client has read by the size of
    /// two of them.
    public var bytesWritten: Int { progress.value.bytesWritten }

    /// The status of the response, set just before its head is sent; nil before that, and for a response of raw bytes.
    public var status: Int? { progress.value.status }

    var hasNoHead: Bool { !progress.value.hasHead }

    func begin(_ status: Int) {
        progress.update {
            $0.hasHead = true
            $0.status = status
        }
    }

    /// How the exchange ended; nil while it is running.
    public var outcome: Outcome? { progress.value.outcome }

    /// Waits for the end of the exchange.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func ended() async throws -> Outcome {
        try await progress.wait { $0.outcome != nil }.outcome ?? .sent
    }

    /// Waits until the client has read nothing for ``LoopbackServer/Limits/stallTime`` while the server wants to write, or the
    /// exchange has ended.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func stalled() async throws {
        _ = try await progress.wait { $0.isStalled || $0.outcome != nil }
    }

    /// Waits until this many bytes of the body have been written, or the exchange has ended.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func written(atLeast count: Int) async throws {
        _ = try await progress.wait { $0.bytesWritten >= count || $0.outcome != nil }
    }
}
