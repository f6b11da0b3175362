#if os(Linux)
import Synchronization

/// One request of a ``CurlTransport``: the state shared by its task and the engine's thread.
final class CurlTransfer: ReceivingTransfer {
    let request: TransportRequest
    let timeout: Duration
    let lane: CurlLoop.Lane
    /// The place in the order of the requests.
    let number = RequestBinding.newNumber()
    /// How many redirects led to this request.
    let redirectCount: Int
    let feed: UploadFeed?
    let reception: Reception
    private let engine: CurlEngine
    private let state = Mutex((metrics: TransportMetrics?.none, resends: [TransportMetrics.ResendReason]()))

    init(_ request: TransportRequest, _ options: CurlTransport.Options, redirectCount: Int, engine: CurlEngine) {
        self.request = request
        self.redirectCount = redirectCount
        self.engine = engine
        timeout = request.timeout ?? options.timeout
        lane = CurlLoop.Lane(origin: Origin(request.url), isStream: request.isStream)
        reception = Reception(bufferSize: options.bodyBufferSize)
        feed = request.body.map { UploadFeed($0, report: request.uploadProgress) }
    }

    /// Sends the request and waits for the head of the response.
    func send() async throws {
        feed?.begin { [weak self] in if let self { engine.post { $0.resume(self, isSending: true) } } }
        try await awaitHead { if !engine.post({ $0.start(self) }) { cancel() } }
    }

    /// The measurements; nil until the transfer has ended, and if it was not sent or was cancelled.
    var metrics: TransportMetrics? { state.withLock { $0.metrics } }

    func holdBack(_ isHeldBack: Bool) {
        // libcurl itself asks before it delivers more.
        if !isHeldBack { engine.post { $0.resume(self, isSending: false) } }
    }

    func didEnd(_ end: Result<Void, RequestError>) {
        feed?.close()
        if case .failure(.cancelled) = end { engine.post { $0.cancel(self) } }
    }

    // MARK: Called by the engine

    /// When the transfer times out that has made no progress since a time; nil for the time if this side makes it wait.
    func deadline(afterProgressAt time: ContinuousClock.Instant?) -> ContinuousClock.Instant? {
        guard let end = time?.advanced(by: timeout) else { return request.deadline }
        return min(end, request.deadline ?? end)
    }

    /// The failure of a transfer that has timed out.
    ///
    /// - Parameters:
    ///   - event: What lasted until then, such as `no data arrived`.
    ///   - advice: The end of the sentence.
    func timedOut(_ event: String, _ advice: String = "") -> RequestError {
        if request.exceedsDeadline() { return request.deadlinePassed }
        let seconds = timeout / .seconds(1)
        let text = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
        return failure(.timedOut, "\(event) for \(text) s\(advice)")
    }

    /// Why the request was sent again, each time. Only the engine adds to it.
    var resends: [TransportMetrics.ResendReason] { state.withLock { $0.resends } }

    /// Whether the request may be sent again, which is counted; its body then starts anew.
    func sendsAgain(_ reason: TransportMetrics.ResendReason) -> Bool {
        if hasEnded || head != nil || reason == .unanswered && !request.method.isIdempotent { return false }
        let resends = resends + [reason]
        let unanswered = resends.count { $0 == .unanswered }
        guard resends.count <= CurlTransfer.resendLimit, unanswered <= CurlTransfer.unansweredLimit else {
            return false
        }
        state.withLock { $0.resends = resends }
        feed?.restart()
        return true
    }

    /// The most times a request is sent again.
    private static let resendLimit = 16
    /// The most times a request is sent again that may have been processed.
    private static let unansweredLimit = 2

    /// Ends the transfer with libcurl's result.
    func finish(_ result: Result<Void, RequestError>, _ metrics: TransportMetrics? = nil) {
        if !hasEnded { state.withLock { $0.metrics = metrics } }
        end(result)
    }
}
#endif
