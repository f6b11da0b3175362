import ModelMirrorFoundation
import Synchronization

/// Logs requests and responses without secrets.
///
/// ```swift
/// let transport = LoggingTransport(redaction: Redaction(queryItems: ["access_token"]))
/// // [1] POST https://api.github.com/gists?access_token=REDACTED, 17 bytes
/// // [1] 201 in 0.120 s, 5120 bytes in 0.350 s
/// // [2] GET https://api.github.com/gists
/// // [2] failed in 0.004 s: No response from https://api.github.com/gists: …
/// ```
///
/// Each request has two entries with its number: one when it is sent, one when the body of its response was read to the end,
/// failed or was dropped, or when no response arrived. The first time is measured to the head of the response, the second to the
/// end of the body. Chunks are forwarded as they arrive; only the bytes to show are kept.
///
/// User and password of a URL and the values of `Authorization`, `Proxy-Authorization`, `Cookie` and `Set-Cookie` are never
/// shown. Neither are request fields named like a credential (`X-API-Key`), unless they are ``TransportRequest/declaredFields``, and
/// the header fields, query items and form items named by the ``Redaction``. Other bodies are shown unchanged, so use ``Level/bodies(max:)`` for development only. Control characters are escaped.
///
/// Inside a ``RetryTransport`` it logs each attempt, around it only the result.
public final class LoggingTransport: Transport, ForwardingTransport {
    /// What the log shows.
    public enum Level: Hashable, Sendable {
        /// A line for the request, and a line for its outcome.
        case summary
        /// The summary, with a `curl` command under the request that repeats it in any shell.
        ///
        /// The command contains a text body of up to 64 KiB, or the name of a body's file. It reads any other body from a file
        /// `body-1` that you provide, where `1` is the number of the request.
        case curl
        /// The summary, with the header fields and the first `max` bytes of the body under each line, if they are UTF-8 text.
        /// Bodies of files and of chunks produced on demand are not shown.
        case bodies(max: Int)
    }

    /// An entry for a sink, made when a request is sent, and again when it has ended.
    ///
    /// ```swift
    /// LoggingTransport { entry in
    ///     if let status = entry.status { histogram.record(entry.totalTime, route: entry.url, status: status) }
    /// }
    /// ```
    public struct Entry: Sendable, CustomStringConvertible {
        /// The number of the request, from 1; its two entries have the same.
        public let number: Int
        /// Which attempt of a ``RetryTransport`` around this transport it is, from 1.
        public let attempt: Int
        /// The method.
        public let method: HTTPMethod
        /// The requested URL without secrets.
        public let url: String
        /// The status; nil when the request is sent, and if no response arrived.
        public internal(set) var status: Int?
        /// The bytes of the request's body; nil if unknown.
        public internal(set) var requestBytes: Int?
        /// The bytes of the response's body that arrived; nil when the request is sent, and if no response arrived.
        public internal(set) var responseBytes: Int?
        /// The time to the head of the response; nil without one.
        public internal(set) var headTime: Duration?
        /// The time to the end; nil when the request is sent.
        public internal(set) var totalTime: Duration?
        /// Why no response arrived, or its body broke off.
        public internal(set) var error: (any Error)?
        /// The entry as lines of text, as detailed as the ``Level`` says.
        public internal(set) var text = ""

        /// The same as ``text``.
        public var description: String { text }
    }

    let base: any Transport
    private let level: Level
    private let redaction: Redaction
    private let clock: any Clock<Duration>
    private let sink: @Sendable (Entry) -> Void
    private let count = Atomic(0)

    /// Logs the requests of another transport.
    ///
    /// - Parameters:
    ///   - base: The transport that sends. Defaults to ``SystemTransport/shared``.
    ///   - level: What the log shows. Defaults to `.summary`.
    ///   - redaction: The secrets to leave out.
    ///   - clock: Measures times.
    ///   - sink: Takes the entries; the text of each has one or more lines, without a line break at its end. Called on any thread,
    ///     concurrently; requests wait for it. Defaults to standard error.
    public init(
        _ base: any Transport = SystemTransport.shared, level: Level = .summary, redaction: Redaction = Redaction(),
        clock: any Clock<Duration> = ContinuousClock(), sink: (@Sendable (_ entry: Entry) -> Void)? = nil
    ) {
        self.base = base
        self.level = level
        self.redaction = redaction
        self.clock = clock
        self.sink = sink ?? { entry in OpenFile.report("\(entry)") }
    }

    /// Forwards a request and logs it with its response.
    ///
    /// - Throws: Errors of the other transport.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        let entries = LogEntries(request, number: number, level: level, redaction: redaction)
        sink(entries.beginning)
        let elapsed = clock.stopwatch()
        var response: TransportResponse
        do {
            response = try await base.response(to: request)
        } catch {
            sink(entries.failure(error, after: elapsed()))
            throw error
        }
        let (head, headTime) = (response.head, elapsed())
        // Without a body that could follow the head, RFC 9112 section 6.3.
        guard request.method != .head, ![204, 304].contains(head.status), head.status >= 200, head.expectedLength != 0
        else {
            sink(entries.end(head, headTime: headTime, nil, totalTime: headTime))
            return response
        }
        response.body = ResponseBody(
            LoggedBody(response.body, keeping: entries.bodyLimit ?? 0) { [sink] end, tally in
                sink(entries.end(head, headTime: headTime, end, tally, totalTime: elapsed()))
            })
        return response
    }
}

extension Clock where Duration == Swift.Duration {
    /// Returns a closure that measures the time since now.
    fileprivate func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}

/// Forwards the chunks of a body, counts their bytes, keeps the first ones, and reports the end of the body.
final class LoggedBody: ResponseBody.Source {
    /// How a body ended.
    enum End {
        case whole
        case brokenOff(any Error)
        /// The reader dropped the rest.
        case dropped
    }

    /// The number of bytes received, and the first of them.
    typealias Tally = (count: Int, kept: Data)

    private let body: ResponseBody
    private let limit: Int
    private let report: @Sendable (End, Tally) -> Void
    /// Nil once the end was reported.
    private let tally = Mutex<Tally?>((0, Data()))

    /// - Parameters:
    ///   - limit: The most bytes to keep.
    ///   - report: Called once.
    init(_ body: ResponseBody, keeping limit: Int, report: @escaping @Sendable (End, Tally) -> Void) {
        self.body = body
        self.limit = limit
        self.report = report
    }

    deinit { end(.dropped) }

    func nextChunk() async throws -> Data? {
        do {
            guard let chunk = try await body.nextChunk() else {
                end(.whole)
                return nil
            }
            tally.withLock { tally in
                tally?.count += chunk.count
                if let room = tally.map({ limit - $0.kept.count }), room > 0 { tally?.kept.append(chunk.prefix(room)) }
            }
            return chunk
        } catch {
            end(.brokenOff(error))
            throw error
        }
    }

    private func end(_ end: End) { if let tally = tally.withLock({ $0.take() }) { report(end, tally) } }
}
