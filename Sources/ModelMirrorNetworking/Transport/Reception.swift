import ModelMirrorFoundation
import Synchronization

/// The head of a response as it arrives.
package struct TransferHead: Sendable {
    package let status: Int
    package let headers: HTTPHeaders
}

/// One request of a platform, sent once: its response goes through a ``Reception``.
protocol ReceivingTransfer: AnyObject, Sendable {
    var request: TransportRequest { get }
    var reception: Reception { get }
    /// The measurements so far; nil if there are none.
    var metrics: TransportMetrics? { get }

    /// Holds the sender back, or lets it continue. Called under the reception's lock.
    func holdBack(_ isHeldBack: Bool)

    /// Called at the end, before those who wait are resumed. After an error, the platform must be stopped.
    func didEnd(_ end: Result<Void, RequestError>)
}

/// A response on its way from the platform to its reader: the head, chunks of the body, and one end. Later events are ignored.
///
///     platform → ReceivingTransfer → Reception → ResponseBody → reader
///                                    └ backlog, in memory at most about `bufferSize` bytes
///
/// When a reader is slow, the sender is held back once the backlog has `bufferSize` bytes, and continues when half of it is left.
final class Reception: Sendable {
    fileprivate typealias Waiter<Value> = CheckedContinuation<Value, any Error>

    fileprivate struct State {
        var head: TransferHead?
        var headWaiter: Waiter<Void>?
        var backlog: BodyBacklog
        var received: Int64 = 0
        var reader: Waiter<Data?>?
        var isHeldBack = false
        var end: Result<Void, RequestError>?
    }

    private let bufferSize: Int
    /// The most bytes of the backlog in its file.
    private let spoolLimit: Int
    fileprivate let state: Mutex<State>

    /// - Parameters:
    ///   - bufferSize: About how many bytes are held in memory.
    ///   - spoolLimit: The most bytes of the backlog in a file; nil if the sender can be held back.
    init(bufferSize: Int, spoolLimit: Int? = nil) {
        self.bufferSize = max(bufferSize, 1)
        self.spoolLimit = max(spoolLimit ?? 0, 0)
        state = Mutex(State(backlog: BodyBacklog(memoryLimit: spoolLimit == nil ? .max : self.bufferSize)))
    }

    /// What a reader can have at once: a chunk, the end or an error; nil if it must wait.
    fileprivate func take(
        for transfer: some ReceivingTransfer, orWait reader: Waiter<Data?>? = nil
    ) -> Result<Data?, any Error>? {
        state.withLock { state in
            do {
                if let chunk = try state.backlog.removeFirst() {
                    if state.isHeldBack, state.backlog.memoryCount <= bufferSize / 2 {
                        state.isHeldBack = false
                        transfer.holdBack(false)
                    }
                    return .success(chunk)
                }
            } catch {
                return .failure(transfer.spoolFailure(error))
            }
            if let end = state.end { return end.map { nil }.mapError { $0 } }
            guard let reader else { return nil }
            guard state.reader == nil else {
                return .failure(RequestError.invalidRequest("the body is being read by another task"))
            }
            state.reader = reader
            return nil
        }
    }

    /// Keeps a chunk, or returns the reader that waits for it.
    fileprivate func add(_ chunk: Data, from transfer: some ReceivingTransfer) throws -> Waiter<Data?>? {
        try state.withLock { state -> Waiter<Data?>? in
            guard state.end == nil else { return nil }
            state.received += Int64(chunk.count)
            if let reader = state.reader.take() { return reader }
            try state.backlog.append(chunk)
            guard state.backlog.spooledCount <= spoolLimit else { throw RequestError.bodyTooLarge(limit: spoolLimit) }
            if !state.isHeldBack, state.backlog.memoryCount >= bufferSize {
                state.isHeldBack = true
                transfer.holdBack(true)
            }
            return nil
        }
    }
}

extension ReceivingTransfer {
    /// The head of the response; nil before it has arrived.
    var head: TransferHead? { reception.state.withLock(\.head) }

    /// The number of bytes received of the body.
    var receivedCount: Int64 { reception.state.withLock(\.received) }

    /// Whether the sender must wait for the reader.
    var isHeldBack: Bool { reception.state.withLock { $0.isHeldBack && $0.end == nil } }

    /// Whether the transfer has ended.
    var hasEnded: Bool { reception.state.withLock { $0.end != nil } }

    /// Whether the transfer has ended with a complete response.
    var isWhole: Bool { reception.state.withLock { if case .success? = $0.end { true } else { false } } }

    func failure(_ kind: RequestError.ConnectionFailure.Kind, _ reason: String) -> RequestError {
        .connection(kind, to: request.url, reason)
    }

    fileprivate func spoolFailure(_ error: any Error) -> RequestError {
        failure(.other, "the unread part of the body cannot be kept in a temporary file: \("\(error)".withoutFullStop)")
    }

    // MARK: Called by the request's task

    /// Starts the transfer with a closure, and waits for the ``head`` of the response.
    ///
    /// - Throws: ``RequestError``.
    func awaitHead(_ start: () -> Void) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: Reception.Waiter<Void>) in
                let isOver = reception.state.withLock { state in
                    if state.end == nil { state.headWaiter = continuation }
                    return state.end != nil
                }
                if isOver { continuation.resume(throwing: RequestError.cancelled) } else { start() }
            }
        } onCancel: {
            cancel()
        }
    }

    /// The next chunk as it was received; nil at the end.
    func nextChunk() async throws -> Data? {
        if Task.isCancelled { cancel() }
        if let result = reception.take(for: self) { return try result.get() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let result = reception.take(for: self, orWait: continuation) { continuation.resume(with: result) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the transfer and discards unread bytes, unless it has already ended.
    func cancel() { end(.failure(.cancelled), keepingBacklog: false) }

    // MARK: Called by the platform

    /// Takes the head of the response; returns false if it has one, or has ended. ``announceHead()`` or the end resumes its waiter.
    @discardableResult
    func receive(_ head: TransferHead) -> Bool {
        reception.state.withLock { state in
            guard state.end == nil, state.head == nil else { return false }
            state.head = head
            return true
        }
    }

    /// Resumes the task that waits for the head, which has arrived.
    func announceHead() { reception.state.withLock { $0.end == nil ? $0.headWaiter.take() : nil }?.resume() }

    /// Takes a part of the body.
    func receive(_ chunk: Data) {
        guard !chunk.isEmpty else { return }
        do {
            try reception.add(chunk, from: self)?.resume(returning: chunk)
        } catch {
            end(.failure(error as? RequestError ?? spoolFailure(error)), keepingBacklog: false)
        }
    }

    /// Ends the transfer, unless it has already ended.
    func end(_ end: Result<Void, RequestError>, keepingBacklog: Bool = true) {
        let waiters = reception.state.withLock { state -> (Reception.Waiter<Void>?, Reception.Waiter<Data?>?)? in
            guard state.end == nil else { return nil }
            state.end = end
            if !keepingBacklog { state.backlog = BodyBacklog(memoryLimit: 0) }
            return (state.headWaiter.take(), state.reader.take())
        }
        guard let (headWaiter, reader) = waiters else { return }
        didEnd(end)
        let result = end.mapError { $0 as any Error }
        reader?.resume(with: result.map { nil })
        // A response whose body failed is still a response; its reader gets the error.
        headWaiter?.resume(with: keepingBacklog && head != nil ? .success(()) : result)
    }
}

extension TransportRequest {
    /// Sends this request with a closure, follows redirects, and returns the last response.
    ///
    /// - Parameter send: Sends one request after a number of redirects, and returns its transfer once that has a head.
    func followingRedirects(
        _ policy: RedirectPolicy,
        _ send: (_ request: TransportRequest, _ redirectCount: Int) async throws -> any ReceivingTransfer
    ) async throws -> TransportResponse {
        var request = self
        let start = Date()
        var count = 0
        while true {
            if request.body != nil, request.headers[.contentType] == nil {
                // Otherwise platforms declare the body of a POST as a form.
                request.headers[.contentType] = MIMEType.octets.description
            }
            let transfer = try await send(request, count)
            // From here on, an error releases the body, which ends the transfer.
            let body = ResponseBody(TransferBody(transfer))
            guard let head = transfer.head else { throw RequestError.cancelled }
            guard
                let next = try request.redirected(
                    status: head.status, headers: head.headers, policy: policy, count: count)
            else {
                var response = TransportResponse(
                    status: head.status, headers: head.headers, url: request.url, body: body)
                response.head.isRedirected = request.url != url
                response.head.measure { transfer.metrics?.since(start) }
                return response
            }
            count += 1
            await body.drain()
            guard next.hasPresentSignIns else { throw RequestError.accountChanged }
            request = next
        }
    }
}

/// The body of a transfer for its reader; ends the transfer when the last reference is released.
private final class TransferBody: ResponseBody.Source {
    private let transfer: any ReceivingTransfer

    init(_ transfer: any ReceivingTransfer) { self.transfer = transfer }

    deinit { transfer.cancel() }

    func nextChunk() async throws -> Data? { try await transfer.nextChunk() }
}
