#if os(Linux)
import ModelMirrorFoundation

/// A ``CurlTransfer`` while libcurl works on it: its handle, and what libcurl's callbacks need. Used only on the engine's
/// thread.
///
/// **What the callbacks may touch.** libcurl gets this object's address as the context of every callback, without retaining
/// it. It calls back only within `curl_multi_perform`, `curl_easy_pause` and `curl_multi_remove_handle`, which are called
/// only by the engine's loop. The loop holds the exchange from before its handle is added until after it is removed, and
/// ``release()`` frees the handle before anything that it points to.
final class CurlExchange {
    let transfer: CurlTransfer
    let easy: CurlEasy
    /// When the transfer last made progress.
    private(set) var lastProgress = ContinuousClock.now
    private let start = Date()
    private unowned let loop: CurlLoop
    /// Holds the cookies until the handle is freed.
    private let jar: CookieJar?
    private var list: CurlLibrary.List?
    /// The option that prevents the request from being sent.
    private(set) var refusedOption: CurlEasy.Refusal?
    /// 256 bytes, where libcurl writes a NUL-terminated text as long as the handle exists.
    private let errorText: UnsafeMutablePointer<CChar>
    private var parser = HeadParser()
    private var refusal: String?
    /// Why the request may be sent again, once there is a ``result(_:)``; nil if it may not.
    private(set) var resendReason: TransportMetrics.ResendReason?
    private var isReceivingPaused = false
    /// Whether libcurl waits for the request's body.
    private var isSendingPaused = false
    var stream = CurlStream()
    /// Whether libcurl's texts are read.
    private let isObserved: Bool
    /// Whether the first connection that was ready could not be used for the request.
    private var isFirstOutOfStep = false

    init(_ transfer: CurlTransfer, _ easy: CurlEasy, loop: CurlLoop) {
        self.transfer = transfer
        isObserved =
            easy.library.versionNumber >= CurlExchange.firstObserved && transfer.request.mayUseHTTP2(loop.options)
        self.easy = easy
        self.loop = loop
        jar = loop.jars?.jar(for: transfer.request.jarName(loop.options.identity))
        errorText = .allocate(capacity: 256)
        errorText.initialize(repeating: 0, count: 256)
        do throws(CurlEasy.Refusal) {
            list = try easy.configure(for: transfer, loop.options)
            // No file, but libcurl handles cookies only with this option.
            if jar != nil { try easy.set(.cookieFile, "") }
        } catch {
            refusedOption = error
        }
        easy.set(.headers, list)
        easy.set(.errorBuffer, errorText)
        if let jar { easy.set(.share, jar.handle) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        let contexts: [CurlEasy.Pointer] = [.headerContext, .writeContext, .readContext, .readyContext]
        for option in contexts { easy.set(option, context) }
        easy.set(.header) { bytes, size, count, context in
            let line = UnsafeRawBufferPointer(start: bytes, count: Int(size * count))
            return CurlExchange.at(context).receiveLine(line) ? size * count : 0
        }
        easy.set(.write) { bytes, size, count, context in
            let body = UnsafeRawBufferPointer(start: bytes, count: Int(size * count))
            return CurlExchange.at(context).receiveBody(body)
        }
        easy.set(.read) { bytes, size, count, context in
            let space = UnsafeMutableRawBufferPointer(start: bytes, count: Int(size * count))
            return CurlExchange.at(context).fill(space)
        }
        easy.setReadyFunction { context, peer, own, peerPort, ownPort in
            let connection = CurlStream.Connection(
                peer: peer.map { String(cString: $0) } ?? "", own: own.map { String(cString: $0) } ?? "",
                peerPort: peerPort, ownPort: ownPort)
            return CurlExchange.at(context).isReady(on: connection) ? 0 : 1
        }
        if isObserved {
            easy.set(.verbose, 1)
            easy.set(.debugContext, context)
            easy.setDebugFunction { _, kind, text, count, context in
                // CURLINFO_TEXT.
                if kind == 0 { CurlExchange.at(context).note(UnsafeRawBufferPointer(start: text, count: Int(count))) }
                return 0
            }
        }
    }

    /// Frees the handle, and then what it pointed to. Call it after removing the handle from the engine's `curl_multi`.
    ///
    /// No handle is used twice: libcurl 7.83 to 7.88 keep a pointer to the last field of the previous response, and follow it
    /// if a response begins with a folded line.
    func release() {
        easy.library.easyCleanup(easy.handle)
        easy.library.listFree(list)
        errorText.deallocate()
    }

    /// Whether the head of the response has come.
    var hasAnswer: Bool { parser.isComplete }

    /// When the transfer times out: after too long without progress, unless this side makes it wait, or at its deadline.
    var deadline: ContinuousClock.Instant? {
        transfer.deadline(afterProgressAt: isReceivingPaused || isSendingPaused ? nil : lastProgress)
    }

    /// Lets libcurl continue where it waits for the reader or for the request's body.
    func resume(isSending: Bool) {
        // Nothing has progressed where nothing was paused.
        guard isSending ? isSendingPaused : isReceivingPaused else { return }
        if isSending { isSendingPaused = false } else { isReceivingPaused = false }
        lastProgress = ContinuousClock.now
        // CURLPAUSE_RECV and CURLPAUSE_SEND. Bytes not taken are delivered again within this call, and may pause it again.
        _ = easy.library.easyPause(easy.handle, (isReceivingPaused ? 1 : 0) | (isSendingPaused ? 4 : 0))
    }

    // MARK: Callbacks

    private static let pause: UInt = 0x1000_0001
    private static let abort: UInt = 0x1000_0000

    private static func at(_ context: UnsafeMutableRawPointer?) -> CurlExchange {
        // libcurl passes back the pointer it was given, which is not nil.
        Unmanaged.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
    }

    private func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
        lastProgress = ContinuousClock.now
        switch parser.take(line) {
        case .next: break
        case .head(let head):
            // The server abandons the connection (RFC 9110 section 15.5.9). If it sent this before it had read the request, it may
            // still answer that, and over HTTP/1 the next request would get the response.
            if head.status == 408 { easy.set(.forbidsReuse, 1) }
            transfer.receive(head)
            loop.announcing.append(transfer)
        case .refused(let reason): refusal = reason
        }
        return refusal == nil
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> UInt {
        lastProgress = ContinuousClock.now
        guard parser.isComplete else {
            // libcurl takes a first line that is not HTTP for a body of HTTP/0.9.
            let line = bytes.prefix(200).prefix { $0 != 0x0A && $0 != 0x0D }
            refusal = "its status line is \(String(decoding: line, as: UTF8.self).quotation)"
            return CurlExchange.abort
        }
        isReceivingPaused = transfer.isHeldBack
        if isReceivingPaused { return CurlExchange.pause }
        transfer.receive(Data(bytes))
        return UInt(bytes.count)
    }

    private func fill(_ space: UnsafeMutableRawBufferPointer) -> UInt {
        guard let feed = transfer.feed else { return 0 }
        lastProgress = ContinuousClock.now
        switch feed.read(into: space) {
        case .bytes(let count): return UInt(count)
        case .end: return 0
        case .failed: return CurlExchange.abort
        case .later:
            isSendingPaused = true
            return CurlExchange.pause
        }
    }

    /// Whether the request may be sent on a connection. libcurl sends it again on each kept connection that turns out to be dead, but
    /// the server may have acted on it by then, so that is left to ``noteResend(isBroken:)``, which is counted. Only where HTTP/1.1 is
    /// required, and where a refused stream is not reported, libcurl itself may do so with an idempotent request without a body.
    ///
    /// Bytes that the connection already holds would be read as the response. libcurl 7.88 uses such a connection, 8.22 checks it at most
    /// once a second, and no version sees what its TLS has read.
    ///
    /// Versions before 7.80 do not ask.
    private func isReady(on connection: CurlStream.Connection) -> Bool {
        let isOutOfStep = loop.kept[connection].map(easy.isOutOfStep) ?? false
        loop.options.willSend?()
        stream.ready(on: connection, isReused: easy[.newConnections] == 0)
        if isOutOfStep {
            isFirstOutOfStep = stream.readyCount == 1
            return false
        }
        return stream.readyCount == 1
            || transfer.request.method.isIdempotent && transfer.feed == nil
                && (!isObserved && transfer.request.mayUseHTTP2(loop.options) || stream.isDowngraded)
    }

    private func note(_ text: UnsafeRawBufferPointer) {
        guard let remark = CurlRemark(text) else { return }
        // From 8.19, each refused stream is reported, so that a GOAWAY adds nothing.
        if let (connection, last) = stream.note(remark), easy.library.losesEarlyAnswers {
            loop.goAway(connection, last)
        }
        if remark == .abandoned { loop.abandoned.append(self) }
    }

    /// libcurl 7.88, the first that reports a GOAWAY.
    private static let firstObserved: UInt32 = 0x07_58_00

    // MARK: The end

    /// The result of the transfer for libcurl's code.
    func result(_ code: Int32) -> Result<Void, RequestError> {
        // A complete response does not need the rest of the request's body.
        if code != CurlError.none || !parser.isComplete, let failure = transfer.feed?.failure {
            return .failure(failure)
        }
        if let refusal { return .failure(transfer.failure(.badResponse, refusal)) }
        let url = transfer.request.url
        switch code {
        case CurlError.none where parser.isComplete: return .success(())
        case CurlError.none:
            noteResend()
            return .failure(transfer.failure(.connectionLost, "the response ended within its head"))
        case CurlError.malformedURL where transfer.redirectCount == 0:
            return .failure(.invalidRequest("libcurl does not accept the URL \(url.withoutSecrets)"))
        // From 8.20, it is the code of a connection that cannot be made.
        case _ where [CurlError.receiving, CurlError.connecting].contains(code) && easy[.httpConnectCode] >= 300:
            let reason = "the proxy answered the connection with \(easy[.httpConnectCode])"
            return .failure(transfer.failure(.cannotConnect, reason))
        default:
            let code = plainCode(code)
            let detail =
                switch code {
                // The text of this code only says that isReady(on:) refused another connection.
                case CurlError.notSentAgain: ""
                case CurlError.invalidHTTP2: stream.fault ?? ""
                default: String(cString: errorText)
                }
            // libcurl does not pass on the line that it rejects.
            let place = parser.isComplete ? "after \(transfer.receivedCount.bytes)" : parser.place
            if stream.isRefused || CurlError.isBrokenConnection(code) {
                noteResend(isBroken: code == CurlError.rewinding)
            }
            return .failure(CurlError.failure(code, detail: detail, place: place, url: url))
        }
    }

    /// libcurl's code, or a plainer one where it has the same for different faults.
    private func plainCode(_ code: Int32) -> Int32 {
        switch code {
        // It reports a long line like a lack of memory. Before the request is sent, it is the latter.
        case CurlError.memory where stream.readyCount > 0 && !parser.isComplete: CurlError.longLine
        // It reports a reset connection with the same code, so its text decides. Another wording counts as a lost connection.
        case CurlError.receiving where parser.isComplete && String(cString: errorText).lowercased().contains("chunk"):
            CurlError.chunks
        // The codes of streams and connections that the server ended.
        case _ where stream.fault != nil && CurlError.isBrokenConnection(code): CurlError.invalidHTTP2
        case CurlError.argument where stream.readyCount > 0 && !parser.isComplete: CurlError.invalidHead
        // So does libcurl 8.23 report a key that does not belong to the certificate.
        case CurlError.argument where stream.readyCount == 0 && loop.options.tls.clientCertificate != nil:
            CurlError.clientCertificate
        default: code
        }
    }

    /// Notes why the request may be sent again, if it may.
    ///
    /// - Parameter isBroken: Whether libcurl itself tried another connection.
    private func noteResend(isBroken: Bool = false) {
        if !parser.hasBegun, stream.isRefused {
            resendReason = .refused
        } else if !parser.hasBegun, isUnsent {
            resendReason = .unsent
        } else if !parser.isComplete,
            // Another may work: this one had been used before, or carries other requests.
            isBroken || stream.readyCount > 1 || easy[.newConnections] == 0 || easy[.httpVersion] == 3
        {
            resendReason = .unanswered
        }
    }

    /// Whether a reused connection broke before any byte of the request left.
    ///
    /// Over TLS, libcurl counts nothing as sent while the first of several TLS records may have left, so a request of which it had a
    /// part of the body counts as sent.
    private var isUnsent: Bool {
        if isFirstOutOfStep { return true }
        guard stream.readyCount > 0, stream.isReused, easy[.requestSize] == 0 else { return false }
        return !transfer.request.url.isSecure || transfer.feed?.hasBegun != true
    }

    /// The measurements of libcurl.
    func metrics() -> TransportMetrics {
        var metrics = TransportMetrics()
        metrics.start = start
        let isNew = easy[.newConnections] > 0
        func duration(_ info: CurlEasy.Size) -> Duration? {
            let microseconds = easy[info]
            return microseconds > 0 ? .microseconds(microseconds) : nil
        }
        if isNew {
            metrics.nameLookup = duration(.nameLookupTime)
            metrics.connect = duration(.connectTime)
            metrics.secureConnect = duration(.secureTime)
        }
        metrics.firstByte = duration(.firstByteTime)
        metrics.total = duration(.totalTime)
        metrics.sentBytes = easy[.uploaded]
        metrics.receivedBytes = easy[.downloaded]
        metrics.isReusedConnection = !isNew
        let resends = transfer.resends
        // libcurl's own are of idempotent requests without a body.
        let ownResends = max(stream.readyCount - 1, 0)
        metrics.resendCount = resends.count + ownResends
        metrics.resendReason = ownResends > 0 ? .unanswered : resends.last
        metrics.httpVersion = [1: "1.0", 2: "1.1", 3: "2", 30: "3"][easy[.httpVersion]]
        return metrics
    }
}
#endif
