import Foundation
import Synchronization

/// Writes a log of requests and responses, secrets left out.
///
/// ```swift
/// let transport = LoggingTransport(redaction: Redaction(queryItems: ["access_token"]))
/// // [1] POST https://api.github.com/gists?access_token=REDACTED, 17 bytes
/// // [1] 201 in 0.120 s, 5120 bytes in 0.350 s
/// // [2] GET https://api.github.com/gists
/// // [2] failed in 0.004 s: No response from https://api.github.com/gists: …
/// ```
///
/// Each request has two entries with its number: one when it is sent, one when it ends, because the body of the response
/// was read to its end, broke off or was dropped, or because no response came. The first time is measured to the head of the
/// response, the second to the end of the body. Chunks are passed on as they arrive, and only the bytes that are shown are
/// kept.
///
/// Always left out are user and password of a URL, and the values of `Authorization`, `Proxy-Authorization`, `Cookie` and
/// `Set-Cookie`; other fields and items of queries are, if the ``Redaction`` names them, the items of forms too. Other bodies
/// are shown as they are, so leave ``Level/bodies(max:)`` to development. Control characters that could garble a terminal
/// are escaped.
///
/// Inside of a ``RetryTransport`` it shows each attempt, around it what came of them.
public final class LoggingTransport: Transport {
    /// What the log shows.
    public enum Level: Hashable, Sendable {
        /// A line for the request, and a line for its outcome.
        case summary
        /// The same, and under the request a `curl` command that repeats it in any shell.
        ///
        /// A body of up to 64 KiB of text is part of it. The command names the file of a body that is one, and takes any
        /// other from a file `body-1` that you provide, where `1` is the number of the request.
        case curl
        /// The same as ``summary``, and under each line the header fields and the first bytes of the body, up to `max`, if
        /// they are text in UTF-8. The bodies of files and of chunks that are made while they are sent are not shown.
        case bodies(max: Int)
    }

    private let base: any Transport
    private let level: Level
    private let redaction: Redaction
    private let clock: any Clock<Duration>
    private let sink: @Sendable (String) -> Void
    private let count = Atomic(0)

    /// Creates a transport that logs what another sends.
    ///
    /// - Parameters:
    ///   - base: The transport that sends. Defaults to ``SystemTransport/shared``.
    ///   - level: How much the log shows.
    ///   - redaction: The secrets that it leaves out.
    ///   - clock: Measures times.
    ///   - sink: Takes an entry, of one or more lines, without a line break at its end. It may be called by several threads
    ///     at once, and requests wait for it. By default entries go to the standard error.
    public init(
        _ base: any Transport = SystemTransport.shared, level: Level = .summary, redaction: Redaction = Redaction(),
        clock: any Clock<Duration> = ContinuousClock(),
        sink: (@Sendable (_ entry: String) -> Void)? = nil
    ) {
        self.base = base
        self.level = level
        self.redaction = redaction
        self.clock = clock
        self.sink = sink ?? LoggingTransport.printToStandardError
    }

    /// Writes an entry to the standard error, in one piece.
    private static let printToStandardError: @Sendable (_ entry: String) -> Void = { entry in
        // An error here could be told nowhere.
        try? FileHandle.standardError.write(contentsOf: Data("\(entry)\n".utf8))
    }

    /// Passes a request and its response on.
    ///
    /// - Throws: What the other transport throws.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        let entries = LogEntries(number: number, level: level, redaction: redaction)
        sink(entries.beginning(of: request))
        let elapsed = clock.stopwatch()
        var response: TransportResponse
        do {
            response = try await base.response(to: request)
        } catch {
            sink(entries.failure(error, after: elapsed()))
            throw error
        }
        let head = LogEntries.Head(response, to: request, after: elapsed())
        guard head.mayHaveBody else {
            sink(entries.end(head))
            return response
        }
        response.body = ResponseBody(
            LoggedBody(response.body, keeping: entries.bodyLimit) { [sink] end, count, kept in
                sink(entries.end(head, end, count, kept, after: elapsed()))
            })
        return response
    }

    /// That of the transport inside.
    public func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }
}

extension Clock where Duration == Swift.Duration {
    /// Tells how much time has passed since now.
    fileprivate func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}

/// Passes the chunks of a body on, counts their bytes, keeps the first of them, and tells when the body is over.
final class LoggedBody: ResponseBody.Source {
    /// How a body ends.
    enum End {
        case whole
        case brokenOff(any Error)
        /// The reader dropped the rest.
        case dropped
    }

    private struct Tally {
        var count = 0
        var kept = Data()
    }

    private let body: ResponseBody
    private let limit: Int
    private let tell: @Sendable (End, _ count: Int, _ kept: Data) -> Void
    /// nil once the end is told.
    private let tally = Mutex<Tally?>(Tally())

    /// - Parameters:
    ///   - limit: The most bytes to keep.
    ///   - tell: Called once, with the count of the bytes that came, and the first of them.
    init(
        _ body: ResponseBody, keeping limit: Int,
        tell: @escaping @Sendable (End, _ count: Int, _ kept: Data) -> Void
    ) {
        self.body = body
        self.limit = limit
        self.tell = tell
    }

    deinit { end(.dropped) }

    func nextChunk() async throws -> Data? {
        var iterator = body.makeAsyncIterator()
        do {
            guard let chunk = try await iterator.next() else {
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

    private func end(_ end: End) {
        if let tally = tally.withLock({ $0.take() }) { tell(end, tally.count, tally.kept) }
    }
}
