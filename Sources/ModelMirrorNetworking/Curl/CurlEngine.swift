#if os(Linux)
import CurlCalls
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What sends the requests of a ``CurlTransport``: a `curl_multi` on a thread of its own, and the way to it.
///
///     a request's task                         the engine's thread
///     ────────────────                         ─────────────────────────────────────────────────────────────
///     CurlTransfer.head() ── start ─▶ mailbox ─▶ CurlLoop ─▶ RequestQueue ─▶ curl_multi ─▶ callbacks
///                                        ▲          waits here             CurlExchange │
///     head    ◀─────────────────────────────────────────────── CurlTransfer ◀───────────┤ lines → HeadParser
///     chunk   ◀──────────────────────── at most bodyBufferSize, a lock ──── ◀───────────┤ bytes, or pause
///        └─ read enough ── resume ───────┤                                              │
///     HTTPBody ─▶ UploadFeed ── resume ──┤ ─────────────────────────────────────────────▶ bytes to send, or pause
///     cancelled, body dropped ─ cancel ──┘          removes the handle, frees it
///
/// Everything that belongs to libcurl is touched on that thread alone, so nothing of it needs a lock. The thread ends when
/// the transport has gone and its last body is read.
final class CurlEngine: Sendable {
    /// What the thread is asked for.
    enum Command: Sendable {
        case start(CurlTransfer)
        case cancel(CurlTransfer)
        case resumeReceiving(CurlTransfer)
        case resumeSending(CurlTransfer)
        /// Nothing more will be started.
        case close
    }

    private struct Mailbox {
        var commands: [Command] = []
        /// Whether the thread waits, and has to be woken.
        var isAsleep = false
        /// Whether the thread is about to end, and `multi` with it.
        var isOver = false
    }

    let library: CurlLibrary
    /// Freed by the thread at its end, after `isOver` is set. Others only wake it, within the mailbox's lock.
    nonisolated(unsafe) let multi: CurlLibrary.Handle
    private let mailbox = Mutex(Mailbox())

    /// Starts an engine; nil without memory or threads for one.
    init?(_ library: CurlLibrary, _ options: CurlTransport.Options) {
        guard let multi = library.multiInit() else { return nil }
        self.library = library
        self.multi = multi
        // CURLMOPT_MAXCONNECTS: as many connections as may be under way are kept.
        _ = curl_calls_set_long(library.multiSet, multi, 6, min(max(options.maximumRequests, 1), Int(Int32.max)))
        let isStarted = CurlEngine.startThread { [self] in CurlLoop(self, options).run() }
        guard isStarted else {
            _ = library.multiCleanup(multi)
            return nil
        }
    }

    /// Asks the thread for something; false if it has ended. For any thread.
    @discardableResult
    func post(_ command: Command) -> Bool {
        mailbox.withLock { mailbox in
            guard !mailbox.isOver else { return false }
            mailbox.commands.append(command)
            if mailbox.isAsleep {
                mailbox.isAsleep = false
                _ = library.multiWakeup(multi)
            }
            return true
        }
    }

    // MARK: The thread's side

    /// The commands since the last time.
    func takeCommands() -> [Command] {
        mailbox.withLock { mailbox in
            mailbox.isAsleep = false
            guard !mailbox.commands.isEmpty else { return [] }
            defer { mailbox.commands = [] }
            return mailbox.commands
        }
    }

    /// Whether there is nothing to do, so that the thread may wait; what comes from now on wakes it.
    func mayWait() -> Bool {
        mailbox.withLock { mailbox in
            mailbox.isAsleep = mailbox.commands.isEmpty
            return mailbox.isAsleep
        }
    }

    /// Whether the thread may end: nothing was asked for meanwhile. Nothing is taken any more then.
    func mayEnd() -> Bool {
        mailbox.withLock { mailbox in
            mailbox.isOver = mailbox.commands.isEmpty
            return mailbox.isOver
        }
    }

    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private static func startThread(_ run: @escaping @Sendable () -> Void) -> Bool {
        let body = Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                // Signals are for the program's threads; a write to a connection that was closed must not end the process.
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, body.toOpaque())
        guard code == 0 else {
            body.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
#endif
