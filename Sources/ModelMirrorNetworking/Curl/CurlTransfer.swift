#if os(Linux)
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One request of a ``CurlTransport``: the state shared by its task and the engine's thread.
///
/// It ends once: complete, with an error, or cancelled. Later events are ignored.
final class CurlTransfer: Sendable {
    typealias Head = HeadParser.Head

    /// Why a transfer failed.
    struct Failure: Error {
        let error: RequestError
        /// Why the request may be sent again; nil if it may not.
        var resendReason: TransportMetrics.ResendReason?

        static let cancelled = Failure(error: .cancelled)
    }

    private struct State {
        var head: Head?
        var headWaiter: CheckedContinuation<Result<Head, Failure>, Never>?
        var backlog: [Data] = []
        var backlogCount = 0
        var reader: CheckedContinuation<Result<Data?, RequestError>, Never>?
        /// Whether libcurl is waiting for the reader.
        var isPaused = false
        var end: Result<Void, Failure>?
        var metrics: TransportMetrics?
        var resends = Resends()

        /// Whether the response is complete and everything has been read.
        var isReadOut: Bool {
            guard case .success? = end else { return false }
            return backlog.isEmpty
        }
    }

    /// How often the request was sent again, and why the last time.
    struct Resends {
        var count = 0
        var reason: TransportMetrics.ResendReason?
        /// How often after a connection that broke.
        var unanswered = 0
    }

    let request: TransportRequest
    let timeout: Duration
    /// How many redirects led to this request.
    let redirectCount: Int
    let feed: UploadFeed?
    private let engine: CurlEngine
    private let bufferSize: Int
    private let state = Mutex(State())

    init(_ request: TransportRequest, _ options: CurlTransport.Options, redirectCount: Int, engine: CurlEngine) {
        self.request = request
        self.redirectCount = redirectCount
        self.engine = engine
        timeout = request.timeout ?? options.timeout
        bufferSize = max(options.bodyBufferSize, 1)
        feed = request.body.map { UploadFeed($0, report: request.uploadProgress) }
    }

    /// When the request must be finished, even if it is still waiting in the queue.
    var deadline: ContinuousClock.Instant? { request.deadline }

    // MARK: Called by the request's task

    /// Sends the request and returns the head of the response.
    func head() async throws(RequestError) -> Head {
        feed?.begin { [weak self] in
            if let self { engine.post(.resumeSending(self)) }
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.end == nil { state.headWaiter = continuation }
                    return state.end != nil
                }
                if isOver || Task.isCancelled {
                    cancel()
                    if isOver { continuation.resume(returning: .failure(.cancelled)) }
                } else if !engine.post(.start(self)) {
                    cancel()
                }
            }
        } onCancel: {
            cancel()
        }
        return try result.mapError(\.error).get()
    }

    /// The next chunk as it was received, still encoded; nil at the end.
    func nextChunk() async throws(RequestError) -> Data? {
        if Task.isCancelled, !state.withLock({ $0.isReadOut }) { cancel() }
        if let result = take(orWait: nil) { return try result.get() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let result = take(orWait: continuation) { continuation.resume(returning: result) }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// What a reader can have at once: a chunk, the end or an error; nil if it must wait.
    private func take(
        orWait reader: CheckedContinuation<Result<Data?, RequestError>, Never>?
    ) -> Result<Data?, RequestError>? {
        let (result, resumes) = state.withLock { state -> (Result<Data?, RequestError>?, Bool) in
            if !state.backlog.isEmpty {
                let chunk = state.backlog.removeFirst()
                state.backlogCount -= chunk.count
                let resumes = state.isPaused && state.backlogCount <= bufferSize / 2
                if resumes { state.isPaused = false }
                return (.success(chunk), resumes)
            }
            if let end = state.end { return (end.map { nil }.mapError(\.error), false) }
            guard let reader else { return (nil, false) }
            guard state.reader == nil else {
                return (.failure(.invalidRequest("the body is being read by another task")), false)
            }
            state.reader = reader
            return (nil, false)
        }
        if resumes { engine.post(.resumeReceiving(self)) }
        return result
    }

    /// The measurements; nil until the transfer has ended, and if it was not sent or was cancelled.
    var metrics: TransportMetrics? { state.withLock(\.metrics) }

    /// Whether the transfer has ended.
    var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// Ends the transfer and discards unread bytes, unless it has already ended.
    func cancel() {
        guard end(.failure(.cancelled), metrics: nil, keepsBacklog: false) else { return }
        engine.post(.cancel(self))
    }

    // MARK: Called by the engine

    /// How often the request was sent again.
    var resends: Resends { state.withLock(\.resends) }

    /// Whether the request may be sent again, which is counted; its body then starts anew.
    func sendsAgain(_ reason: TransportMetrics.ResendReason) -> Bool {
        if reason == .unanswered, !request.method.isIdempotent { return false }
        let sendsAgain = state.withLock { state in
            guard state.end == nil, state.head == nil, state.resends.count < CurlTransfer.resendLimit else {
                return false
            }
            if reason == .unanswered {
                guard state.resends.unanswered < CurlTransfer.unansweredLimit else { return false }
                state.resends.unanswered += 1
            }
            state.resends.count += 1
            state.resends.reason = reason
            return true
        }
        if sendsAgain { feed?.restart() }
        return sendsAgain
    }

    /// The most times a request is sent again.
    static let resendLimit = 16
    /// The most times a request is sent again that may have been processed.
    private static let unansweredLimit = 2

    /// Takes the head of the response. ``announceHead()`` or the end resumes its waiter, so that a small response takes one
    /// thread switch instead of two.
    func receive(_ head: Head) { state.withLock { $0.head = head } }

    /// Resumes the task that waits for the head.
    func announceHead() {
        let (waiter, head) = state.withLock { ($0.end == nil ? $0.headWaiter.take() : nil, $0.head) }
        if let head { waiter?.resume(returning: .success(head)) }
    }

    /// Takes a part of the body; returns false if the reader must read first.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return true }
        var waiting: CheckedContinuation<Result<Data?, RequestError>, Never>?
        let isTaken = state.withLock { state in
            // Cancelled: the command for the engine is on its way.
            guard state.end == nil else { return true }
            if let reader = state.reader.take() {
                waiting = reader
                return true
            }
            guard state.backlogCount < bufferSize else {
                state.isPaused = true
                return false
            }
            state.backlogCount += bytes.count
            // Joins small pieces, so that the reader takes fewer steps.
            if let last = state.backlog.last, last.count + bytes.count <= 1 << 14 {
                state.backlog[state.backlog.count - 1].append(contentsOf: bytes)
            } else {
                state.backlog.append(Data(bytes))
            }
            return true
        }
        waiting?.resume(returning: .success(Data(bytes)))
        return isTaken
    }

    /// Ends the transfer with libcurl's result.
    func finish(_ result: Result<Void, Failure>, _ metrics: TransportMetrics?) {
        _ = end(result, metrics: metrics, keepsBacklog: true)
    }

    // MARK: The end

    /// Ends the transfer; returns false if it had already ended.
    private func end(_ end: Result<Void, Failure>, metrics: TransportMetrics?, keepsBacklog: Bool) -> Bool {
        let (isEnd, headWaiter, head, reader) = state.withLock { state in
            guard state.end == nil else {
                return (false, Optional<HeadWaiter>.none, Optional<Head>.none, Optional<Reader>.none)
            }
            state.end = end
            state.metrics = metrics
            if !keepsBacklog {
                state.backlog = []
                state.backlogCount = 0
            }
            return (true, state.headWaiter.take(), state.head, state.reader.take())
        }
        guard isEnd else { return false }
        feed?.close()
        switch end {
        case .success: reader?.resume(returning: .success(nil))
        case .failure(let failure): reader?.resume(returning: .failure(failure.error))
        }
        switch (head, end) {
        // A response whose body failed is still a response; its reader gets the error.
        case (let head?, _) where keepsBacklog: headWaiter?.resume(returning: .success(head))
        case (_, .failure(let failure)): headWaiter?.resume(returning: .failure(failure))
        case (let head, .success):
            headWaiter?.resume(returning: head.map { .success($0) } ?? .failure(.cancelled))
        }
        return true
    }

    private typealias HeadWaiter = CheckedContinuation<Result<Head, Failure>, Never>
    private typealias Reader = CheckedContinuation<Result<Data?, RequestError>, Never>
}
#endif
