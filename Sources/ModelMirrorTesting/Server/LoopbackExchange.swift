/// One request that a ``LoopbackServer`` took, and how far its response has come.
///
/// ```swift
/// let exchange = try await server.exchanges(atLeast: 1)[0]
/// try await exchange.stalled()         // the client does not read
/// exchange.bytesWritten < 8 << 20      // so the server could not send it all
/// ```
public final class LoopbackExchange: Sendable {
    /// How an exchange ended.
    public enum Outcome: Sendable, Equatable {
        /// The response was written as it was meant, misbehaviour included.
        case sent
        /// The client closed the connection first.
        case clientLeft
        /// The server was stopped first.
        case stopped
        /// The handler failed; the client got 500 if nothing had been sent.
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

    /// How many bytes of the response's body the system has taken so far, without chunked coding. What it holds ready
    /// for the client counts, so it runs ahead of what the client has read by the size of two socket buffers.
    public var bytesWritten: Int { progress.value.bytesWritten }

    /// The status that the client gets, from just before its head is sent; nil before that, and for a response of raw bytes.
    public var status: Int? { progress.value.status }

    /// Whether nothing of the response was sent.
    var hasNoHead: Bool { !progress.value.hasHead }

    /// Notes that a head is about to be sent.
    func begin(_ status: Int) {
        progress.update {
            $0.hasHead = true
            $0.status = status
        }
    }

    /// How the exchange ended; nil while it is going on.
    public var outcome: Outcome? { progress.value.outcome }

    /// Waits for the end of the exchange.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func ended() async throws -> Outcome {
        try await progress.wait { $0.outcome != nil }.outcome ?? .sent
    }

    /// Waits until the server wants to write and the client has taken nothing for
    /// ``LoopbackServer/Limits/stallTime``, or the exchange has ended.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func stalled() async throws {
        _ = try await progress.wait { $0.isStalled || $0.outcome != nil }
    }

    /// Waits until so many bytes of the body have been written, or the exchange has ended.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func written(atLeast count: Int) async throws {
        _ = try await progress.wait { $0.bytesWritten >= count || $0.outcome != nil }
    }
}
