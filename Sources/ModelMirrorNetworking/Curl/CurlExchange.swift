#if os(Linux)
import CurlCalls

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A ``CurlTransfer`` while libcurl works on it: its handle, and what libcurl's callbacks need. Used only on the engine's
/// thread.
///
/// **What the callbacks may touch.** libcurl gets this object's address as the context of every callback, without retaining
/// it. It calls back only within `curl_multi_perform`, `curl_easy_pause` and `curl_multi_remove_handle`, which are called
/// only by the engine's loop. The loop holds the exchange from before its handle is added until after it is removed, and
/// ``release()`` frees the handle before anything that it points to.
final class CurlExchange {
    let transfer: CurlTransfer
    let lane: CurlLoop.Lane
    let easy: CurlEasy
    /// When the transfer last made progress.
    private(set) var lastProgress = ContinuousClock.now
    private let start = Date()
    private unowned let loop: CurlLoop
    private var list: CurlLibrary.List?
    /// The option that prevents the request from being sent.
    private(set) var refusedOption: CurlEasy.Refusal?
    /// 256 bytes, where libcurl writes a NUL-terminated text as long as the handle exists.
    private let errorText: UnsafeMutablePointer<CChar>
    private var parser = HeadParser()
    private var refusal: String?
    private var isReceivingPaused = false
    private var isSendingPaused = false
    /// How often a connection was ready for the request.
    private var readyCount = 0

    init(_ transfer: CurlTransfer, _ lane: CurlLoop.Lane, _ easy: CurlEasy, loop: CurlLoop) {
        self.transfer = transfer
        self.lane = lane
        self.easy = easy
        self.loop = loop
        errorText = .allocate(capacity: 256)
        errorText.initialize(repeating: 0, count: 256)
        do throws(CurlEasy.Refusal) {
            list = try easy.configure(for: transfer, loop.options)
            // No file, but libcurl handles cookies only with this option.
            if loop.share != nil { try easy.set(.cookieFile, "") }
        } catch {
            refusedOption = error
        }
        easy.set(.headers, list)
        easy.set(.errorBuffer, errorText)
        if let share = loop.share { easy.set(.share, share) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        easy.set(.headerContext, context)
        easy.set(.writeContext, context)
        easy.set(.readContext, context)
        easy.set(.readyContext, context)
        easy.set(.header) { bytes, size, count, context in
            let line = UnsafeRawBufferPointer(start: bytes, count: Int(size * count))
            return CurlExchange.at(context).receiveLine(line) ? size * count : 0
        }
        easy.set(.write) { bytes, size, count, context in
            let body = UnsafeRawBufferPointer(start: bytes, count: Int(size * count))
            return CurlExchange.at(context).receiveBody(body) ? size * count : CurlExchange.pause
        }
        easy.set(.read) { bytes, size, count, context in
            let space = UnsafeMutableRawBufferPointer(start: bytes, count: Int(size * count))
            return CurlExchange.at(context).fill(space)
        }
        easy.setReadyFunction { context, _, _, _, _ in CurlExchange.at(context).isReady() ? 0 : 1 }
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

    /// When the transfer times out: after too long without progress, unless this side makes it wait, or at its deadline.
    var deadline: ContinuousClock.Instant? {
        if isReceivingPaused || isSendingPaused { return transfer.deadline }
        let idle = lastProgress.advanced(by: transfer.timeout)
        return min(idle, transfer.deadline ?? idle)
    }

    /// Lets libcurl continue where it waits for the reader or for the request's body.
    func resume(receiving: Bool, sending: Bool) {
        if receiving { isReceivingPaused = false }
        if sending { isSendingPaused = false }
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
            transfer.receive(head)
            loop.announcing.append(transfer)
        case .refused(let reason):
            refusal = reason
            return false
        }
        return true
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        lastProgress = ContinuousClock.now
        guard parser.isComplete else {
            refusal = "there is a body before the end of the head"
            // Accepted, so that libcurl ends the transfer normally.
            return true
        }
        isReceivingPaused = !transfer.receive(bytes)
        return !isReceivingPaused
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

    /// Whether the request may be sent on a connection. libcurl sends it again when a kept connection turns out to be dead, but the
    /// server may have acted on it by then, so only idempotent requests without a body are sent twice. Not asked before 7.80.
    private func isReady() -> Bool {
        readyCount += 1
        return readyCount == 1 || transfer.request.method.isIdempotent && transfer.feed == nil
    }

    // MARK: The end

    /// The result of the transfer for libcurl's code.
    func result(_ code: Int32) -> Result<Void, CurlTransfer.Failure> {
        if let failure = transfer.feed?.failure { return .failure(CurlTransfer.Failure(error: failure)) }
        if let refusal { return .failure(failure(.badResponse, refusal)) }
        let url = transfer.request.url
        switch code {
        case CurlError.none where parser.isComplete: return .success(())
        case CurlError.none:
            var broken = failure(.connectionLost, "the response ended within its head")
            broken.isUnanswered = mayAnotherConnectionDo
            return .failure(broken)
        case CurlError.malformedURL where transfer.redirectCount == 0:
            return .failure(
                CurlTransfer.Failure(error: .invalidRequest("libcurl does not accept the URL \(url.withoutSecrets)")))
        case CurlError.receiving where easy[.httpConnectCode] >= 300:
            return .failure(
                failure(.cannotConnect, "the proxy answered the connection with \(easy[.httpConnectCode])"))
        default:
            let error = CurlError.failure(code, detail: String(cString: errorText), url: url)
            // The code of a body that cannot be sent again means that libcurl itself tried another connection.
            let isUnanswered =
                !parser.isComplete && CurlError.isBrokenConnection(code)
                && (mayAnotherConnectionDo || code == CurlError.rewinding)
            return .failure(CurlTransfer.Failure(error: error, isUnanswered: isUnanswered))
        }
    }

    /// The failure of a transfer whose timeout has passed.
    func timedOut() -> CurlTransfer.Failure {
        failure(.timedOut, "nothing came for \(transfer.timeout.seconds) s")
    }

    /// Whether another connection may work: this one had been used before, or carries other requests.
    private var mayAnotherConnectionDo: Bool {
        readyCount > 1 || easy[.newConnections] == 0 || easy[.httpVersion] == 3
    }

    private func failure(_ kind: RequestError.ConnectionFailure.Kind, _ reason: String) -> CurlTransfer.Failure {
        CurlTransfer.Failure(error: .connection(kind, to: transfer.request.url, reason))
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
        metrics.httpVersion = [1: "1.0", 2: "1.1", 3: "2", 30: "3"][easy[.httpVersion]]
        return metrics
    }
}

extension Duration {
    /// Seconds for a message: `2`, `0.5`.
    fileprivate var seconds: String {
        let seconds = self / .seconds(1)
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}
#endif
