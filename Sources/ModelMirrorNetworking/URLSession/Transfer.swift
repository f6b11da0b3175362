#if !os(Linux) || FoundationNetworking
import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange of a ``URLSessionTransport``: a request sent once, the head of its response, and the body on its way to the reader.
///
///     URLSession → TransferDelegate → Transfer → TransferBody → reader
///                                     └ backlog, in memory at most about `bufferSize` bytes
///
/// It ends once: complete, with an error, or cancelled; later events are ignored.
///
/// When a reader is slow, Apple's URLSession holds the sender back: the task is suspended when the backlog reaches
/// `bufferSize`, and resumed when half of it is left. FoundationNetworking cannot do that: it suspends by closing the
/// connection, and resumes by sending the request again; and its callback queue is shared by all sessions of the program, so
/// it must not be blocked either. There, the sender continues, and bytes beyond `bufferSize` go to a file.
final class Transfer: Sendable {
    /// The head of the response.
    struct Head: Sendable {
        let status: Int
        let headers: HTTPHeaders
    }

    struct State {
        /// The platform's task, from its creation to its last callback.
        var task: URLSessionTask?
        /// The task that writes the chunks of the body, on Apple platforms.
        var writer: Task<Void, Never>?
        var head: CheckedContinuation<Head, any Error>?
        var hasHead = false
        /// The number of bytes that the head announced, if it can be checked.
        var announced: Int64?
        var received: Int64 = 0
        var sent: Int64 = 0
        var metrics = TransportMetrics()
        var backlog: BodyBacklog
        var reader: CheckedContinuation<Data?, any Error>?
        var end: Result<Void, RequestError>?
        var isSuspended = false
        /// Whether it counts in ``TransferSession/largeTransferCount``.
        var isLarge = false
    }

    let request: TransportRequest
    let timeout: Duration
    private let bufferSize: Int
    private let spoolLimit: Int
    private let state: Mutex<State>
    private let start = Date()
    private let begun = ContinuousClock.now

    init(_ request: TransportRequest, _ options: URLSessionTransport.Options) {
        self.request = request
        timeout = request.timeout ?? options.timeout
        bufferSize = max(options.bodyBufferSize, 1)
        spoolLimit = max(options.bodySpoolLimit, 0)
        #if canImport(FoundationNetworking)
        let memoryLimit = bufferSize
        #else
        let memoryLimit = Int.max
        #endif
        state = Mutex(State(backlog: BodyBacklog(memoryLimit: memoryLimit)))
    }

    /// Sends the request and returns the head of the response.
    ///
    /// - Throws: ``RequestError``.
    func head(over session: TransferSession) async throws -> Head {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.end != nil { return true }
                    state.head = continuation
                    return false
                }
                if isCancelled {
                    continuation.resume(throwing: RequestError.cancelled)
                } else {
                    session.start(self)
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// The measurements so far.
    var metrics: TransportMetrics {
        state.withLock { state in
            var metrics = state.metrics
            metrics.start = metrics.start ?? start
            metrics.receivedBytes = metrics.receivedBytes ?? state.received
            metrics.sentBytes = metrics.sentBytes ?? state.sent
            return metrics
        }
    }

    #if !canImport(FoundationNetworking)
    /// Stores the platform's measurements, which arrive at the end.
    func receive(_ measured: URLSessionTaskMetrics) {
        guard let last = measured.transactionMetrics.last else { return }
        state.withLock { $0.metrics = TransportMetrics(last, total: measured.taskInterval.duration) }
    }
    #endif

    /// Whether the transfer has ended.
    var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// Whether the transfer has ended with a complete response.
    var isWhole: Bool {
        state.withLock { state in
            if case .success? = state.end { true } else { false }
        }
    }

    /// Stores the platform's task and starts it, or stops it if the transfer has ended in the meantime.
    func adopt(_ task: URLSessionTask) {
        let hasEnded = state.withLock { state in
            state.task = task
            return state.end != nil
        }
        if hasEnded { stop(task) } else { task.resume() }
    }

    /// Stores the task that writes the chunks of the body, to cancel it at the end: it may wait for a chunk that never comes. If
    /// the platform asks for the body again, the previous task is cancelled.
    func adopt(_ writer: Task<Void, Never>) {
        let unneeded = state.withLock { state -> Task<Void, Never>? in
            if state.end != nil { return writer }
            defer { state.writer = writer }
            return state.writer
        }
        unneeded?.cancel()
    }

    // MARK: Called by the reader

    /// The next chunk; nil at the end.
    func nextChunk() async throws -> Data? {
        if Task.isCancelled, !state.withLock({ $0.isReadOut }) { cancel() }
        if let result = state.withLock({ next(&$0) }) { return try result.get() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Data?, any Error>? in
                    if let result = next(&state) { return result }
                    guard state.reader == nil else {
                        return .failure(RequestError.invalidRequest("the body is being read by another task"))
                    }
                    state.reader = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// What a reader can have at once: a chunk, the end or an error; nil if it must wait.
    private func next(_ state: inout State) -> Result<Data?, any Error>? {
        do {
            if let chunk = try state.backlog.removeFirst() {
                if state.isSuspended, state.backlog.memoryCount <= bufferSize / 2 {
                    state.isSuspended = false
                    state.task?.resume()
                }
                return .success(chunk)
            }
        } catch {
            return .failure(spoolFailure(error))
        }
        return state.end?.map { nil }.mapError { $0 }
    }

    /// Ends the transfer and discards unread bytes, unless it has already ended.
    func cancel() { end(.failure(.cancelled), keepingBacklog: false) }

    /// Ends the transfer with an error from this side, such as a body that cannot be produced.
    func fail(_ error: RequestError) { end(.failure(error), keepingBacklog: true) }

    // MARK: Called by the delegate

    /// Takes the head of a response; informational heads (1xx) are ignored.
    func receive(_ head: Head) {
        guard head.status >= 200 else { return }
        let waiting = state.withLock { state -> CheckedContinuation<Head, any Error>? in
            guard state.end == nil, !state.hasHead else { return nil }
            state.hasHead = true
            state.metrics.firstByte = begun.duration(to: .now)
            state.announced = announcedLength(head)
            return state.head.take()
        }
        waiting?.resume(returning: head)
    }

    /// Records the number of bytes sent so far of the request's body.
    func recordSent(_ count: Int64) { state.withLock { $0.sent = max($0.sent, count) } }

    /// Takes a part of the body.
    func receive(_ chunk: Data) {
        guard !chunk.isEmpty else { return }
        let outcome = state.withLock { state -> Reception in
            guard state.end == nil else { return .taken }
            state.received += Int64(chunk.count)
            #if canImport(FoundationNetworking)
            if !state.isLarge, state.received > 1 << 17 {
                state.isLarge = true
                TransferSession.largeTransferCount.add(1, ordering: .relaxed)
            }
            #endif
            if let reader = state.reader.take() { return .awaited(reader) }
            do {
                try state.backlog.append(chunk)
            } catch {
                return .failed(spoolFailure(error))
            }
            guard state.backlog.spooledCount <= spoolLimit else { return .failed(.bodyTooLarge(limit: spoolLimit)) }
            #if !canImport(FoundationNetworking)
            if !state.isSuspended, state.backlog.memoryCount >= bufferSize {
                state.isSuspended = true
                state.task?.suspend()
            }
            #endif
            return .taken
        }
        switch outcome {
        case .taken: break
        case .awaited(let reader): reader.resume(returning: chunk)
        case .failed(let error): end(.failure(error), keepingBacklog: false)
        }
    }

    /// What happened to a chunk.
    private enum Reception {
        case taken
        case awaited(CheckedContinuation<Data?, any Error>)
        case failed(RequestError)
    }

    private func spoolFailure(_ error: any Error) -> RequestError {
        failure(.other, "the unread part of the body cannot be kept in a temporary file: \(error)")
    }

    /// Ends the transfer, because the platform is done with the task.
    func finish(_ error: (any Error)?, _ response: URLResponse?) {
        settle(error, response)
        state.withLock { state in
            state.task = nil
            #if canImport(FoundationNetworking)
            if state.isLarge {
                state.isLarge = false
                TransferSession.largeTransferCount.subtract(1, ordering: .relaxed)
            }
            #endif
        }
    }

    /// Ends the transfer and stops its task: the response is complete, but the platform would keep the task.
    func settleAndStop(_ response: URLResponse?) {
        settle(nil, response)
        if let task = state.withLock({ $0.task }) { stop(task) }
    }

    private func settle(_ error: (any Error)?, _ response: URLResponse?) {
        if error == nil, let response = response as? HTTPURLResponse, !state.withLock({ $0.hasHead }) {
            // FoundationNetworking does not report the head of a redirect without a Location.
            receive(Head(status: response.statusCode, headers: HTTPHeaders(response)))
        }
        let (hasHead, announced, received) = state.withLock { ($0.hasHead, $0.announced, $0.received) }
        if let error {
            end(.failure(RequestError(error, url: request.url, hasHead: hasHead)), keepingBacklog: true)
        } else if !hasHead {
            end(.failure(failure(.badResponse, "the response has no head")), keepingBacklog: true)
        } else if let announced, received < announced {
            let reason = "the response ended after \(received) of the \(announced) bytes that its head announced"
            end(.failure(failure(.connectionLost, reason)), keepingBacklog: true)
        } else {
            end(.success(()), keepingBacklog: true)
        }
    }

    func failure(_ kind: RequestError.ConnectionFailure.Kind, _ reason: String) -> RequestError {
        .connection(kind, to: request.url, reason)
    }

    /// The length to check the body against; nil if none is announced, or it is not the length of the bytes received.
    private func announcedLength(_ head: Head) -> Int64? {
        guard request.method != .head, head.status != 204, head.status != 304,
            head.headers["Content-Encoding"] == nil, head.headers["Transfer-Encoding"] == nil,
            let text = head.headers[.contentLength]
        else { return nil }
        return Int64(text)
    }

    // MARK: The end

    private func end(_ end: Result<Void, RequestError>, keepingBacklog: Bool) {
        let (head, reader, task, writer) = state.withLock { state in
            guard state.end == nil else {
                return (Waiter<Head>?.none, Waiter<Data?>?.none, URLSessionTask?.none, Task<Void, Never>?.none)
            }
            state.end = end
            if state.metrics.total == nil { state.metrics.total = begun.duration(to: .now) }
            if !keepingBacklog { state.backlog = BodyBacklog(memoryLimit: bufferSize) }
            return (state.head.take(), state.reader.take(), state.task, state.writer.take())
        }
        switch end {
        // The head has arrived, or this would be a failure.
        case .success: reader?.resume(returning: nil)
        case .failure(let error):
            if let task { stop(task) }
            head?.resume(throwing: error)
            reader?.resume(throwing: error)
        }
        // After stopping the platform's task, which would take the end of the stream for the end of the body.
        writer?.cancel()
    }

    private typealias Waiter<Value> = CheckedContinuation<Value, any Error>

    private func stop(_ task: URLSessionTask) { TransferSession.stop(task) }
}

extension Transfer.State {
    /// Whether the response is complete and everything has been read.
    var isReadOut: Bool {
        guard case .success? = end else { return false }
        return backlog.isEmpty
    }
}
#endif
