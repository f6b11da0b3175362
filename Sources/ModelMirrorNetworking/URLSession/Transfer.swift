#if !os(Linux) || FoundationNetworking
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange of a ``URLSessionTransport``: a request sent once, and its response, forwarded by a ``TransferDelegate``.
///
/// When a reader is slow, Apple's URLSession holds the sender back: the task is suspended. FoundationNetworking cannot do that: it
/// suspends by closing the connection, and resumes by sending the request again; and its callback queue is shared by all sessions of
/// the program, so it must not be blocked either. There, the sender continues, and bytes beyond the buffer go to a file.
final class Transfer: ReceivingTransfer {
    private struct State {
        /// The platform's task, from its creation to its last callback.
        var task: URLSessionTask?
        /// The task that writes the chunks of the body, on Apple platforms, until the last callback.
        var writer: Task<Void, Never>?
        var metrics = TransportMetrics()
        /// Whether it counts in ``TransferSession/largeTransferCount``.
        var isLarge = false
    }

    let request: TransportRequest
    let reception: Reception
    private let state = Mutex(State())
    private let start = Date()
    private let begun = ContinuousClock.now

    init(_ request: TransportRequest, _ options: URLSessionTransport.Options) {
        self.request = request
        #if canImport(FoundationNetworking)
        reception = Reception(bufferSize: options.bodyBufferSize, spoolLimit: options.bodySpoolLimit)
        #else
        reception = Reception(bufferSize: options.bodyBufferSize)
        #endif
    }

    /// The measurements so far.
    var metrics: TransportMetrics? {
        let received = receivedCount
        return state.withLock { state in
            var metrics = state.metrics
            metrics.start = metrics.start ?? start
            metrics.receivedBytes = metrics.receivedBytes ?? received
            metrics.sentBytes = metrics.sentBytes ?? 0
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

    /// Stores the platform's task and starts it, or stops it if the transfer has ended in the meantime.
    func adopt(_ task: URLSessionTask) {
        state.withLock { $0.task = task }
        if hasEnded { TransferSession.stop(task) } else { task.resume() }
    }

    /// Stores the task that writes the chunks of the body, to cancel it at the end: it may wait for a chunk that never comes. If
    /// the platform asks for the body again, the previous task is cancelled.
    func adopt(_ writer: Task<Void, Never>) {
        state.withLock { exchange(&$0.writer, with: writer) }?.cancel()
    }

    func holdBack(_ isHeldBack: Bool) {
        #if !canImport(FoundationNetworking)
        let task = state.withLock(\.task)
        if isHeldBack { task?.suspend() } else { task?.resume() }
        #endif
    }

    // MARK: Called by the delegate

    /// Takes the head of a response; informational heads (1xx) are ignored.
    func receive(_ response: HTTPURLResponse) {
        guard response.statusCode >= 200 else { return }
        state.withLock { $0.metrics.firstByte = $0.metrics.firstByte ?? begun.duration(to: .now) }
        if receive(TransferHead(status: response.statusCode, headers: HTTPHeaders(response))) { announceHead() }
    }

    /// Records the number of bytes sent so far of the request's body.
    func recordSent(_ count: Int64) { state.withLock { $0.metrics.sentBytes = max($0.metrics.sentBytes ?? 0, count) } }

    #if canImport(FoundationNetworking)
    /// Counts the transfer as a large one as soon as it is.
    func recordSize() {
        guard receivedCount > 1 << 17 else { return }
        state.withLock { state in
            if !state.isLarge { TransferSession.largeTransferCount.add(1, ordering: .relaxed) }
            state.isLarge = true
        }
    }
    #endif

    /// Ends the transfer, because the platform is done with the task.
    func finish(_ error: (any Error)?, _ response: URLResponse?) {
        settle(error, response)
        let writer = state.withLock { state in
            state.task = nil
            #if canImport(FoundationNetworking)
            if state.isLarge { TransferSession.largeTransferCount.subtract(1, ordering: .relaxed) }
            state.isLarge = false
            #endif
            return state.writer.take()
        }
        // Not before: a task that is being stopped would take the end of the stream for the end of the body.
        writer?.cancel()
    }

    /// Ends the transfer and stops its task: the response is complete, but the platform would keep the task.
    func settleAndStop(_ response: URLResponse?) {
        settle(nil, response)
        if let task = state.withLock(\.task) { TransferSession.stop(task) }
    }

    private func settle(_ error: (any Error)?, _ response: URLResponse?) {
        // FoundationNetworking does not report the head of a redirect without a Location.
        if error == nil, let response = response as? HTTPURLResponse, self.head == nil { receive(response) }
        let (head, received) = (self.head, receivedCount)
        if let error {
            end(.failure(RequestError(error, url: request.url, hasHead: head != nil)))
        } else if let head {
            guard let announced = announcedLength(head), received < announced else { return end(.success(())) }
            let reason = "the response ended after \(received) of the \(announced) bytes that its head announced"
            end(.failure(failure(.connectionLost, reason)))
        } else {
            end(.failure(failure(.badResponse, "the response has no head")))
        }
    }

    /// The length to check the body against; nil if none is announced, or it is not the length of the bytes received.
    private func announcedLength(_ head: TransferHead) -> Int64? {
        guard request.method != .head, head.status != 204, head.headers[.transferEncoding] == nil else { return nil }
        return ResponseHead(url: request.url, status: head.status, headers: head.headers).expectedLength
    }

    func didEnd(_ end: Result<Void, RequestError>) {
        let task = state.withLock { state in
            state.metrics.total = state.metrics.total ?? begun.duration(to: .now)
            return state.task
        }
        if case .failure = end, let task { TransferSession.stop(task) }
    }
}

extension Transfer {
    /// The platform's task for the request, not yet started.
    func makeTask(in session: URLSession) -> URLSessionTask {
        var platform = URLRequest(url: request.url)
        platform.httpMethod = request.method.rawValue
        if let (seconds, attoseconds) = request.timeout?.components {
            // Rounded up, because FoundationNetworking truncates fractions.
            platform.timeoutInterval = TimeInterval(attoseconds > 0 ? seconds + 1 : seconds)
        }
        #if !canImport(FoundationNetworking)
        platform.allowsExpensiveNetworkAccess = request.allowsExpensiveNetwork
        platform.allowsCellularAccess = request.allowsExpensiveNetwork
        #endif
        for field in request.headers.fields {
            // RFC 9110 section 5.2 for all, RFC 6265 section 5.4 for cookies.
            let separator = field.name == .cookie ? "; " : ", "
            let value = request.headers.values(for: field.name).joined(separator: separator)
            platform.setValue(value, forHTTPHeaderField: field.name.description)
        }
        guard let body = request.body else { return session.dataTask(with: platform) }
        switch body.content {
        case .data(let data):
            platform.httpBody = data
            return session.dataTask(with: platform)
        case .file(let file): return session.uploadTask(with: platform, fromFile: file)
        case .chunks:
            // Apple platforms only; on Linux, chunks have been spooled.
            if let length = body.length { platform.setValue(String(length), forHTTPHeaderField: "Content-Length") }
            return session.uploadTask(withStreamedRequest: platform)
        }
    }

    /// A stream of the body's chunks from the beginning; nil if the body is not made of chunks.
    func bodyStream() -> InputStream? {
        #if canImport(FoundationNetworking)
        return nil
        #else
        guard let body = request.body, case .chunks = body.content,
            let (input, writer) = ChunkStream.make(body, fail: { [weak self] error in self?.end(.failure(error)) })
        else { return nil }
        adopt(writer)
        return input
        #endif
    }
}
#endif
