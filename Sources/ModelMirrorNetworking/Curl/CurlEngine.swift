#if os(Linux)
import CurlCalls
import ModelMirrorFoundation
import Synchronization

/// Sends the requests of a ``CurlTransport``: a `curl_multi` on a thread of its own, and the mailbox that leads to it.
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
/// libcurl's handles are used only on that thread, so they need no locks. The thread ends when the transport has been
/// released and its last body has been read.
final class CurlEngine: Sendable {
    /// What the thread is asked to do.
    typealias Command = @Sendable (CurlLoop) -> Void

    private struct Mailbox {
        var commands: [Command] = []
        /// Whether the thread is waiting, and must be woken.
        var isAsleep = false
        /// Whether the thread is about to end, and `multi` with it.
        var isOver = false
        /// Whether the process is about to end.
        var isStopped = false
    }

    let library: CurlLibrary
    /// Freed by the thread at its end, after `isOver` is set. Other threads only wake it, holding the mailbox's lock.
    nonisolated(unsafe) let multi: CurlLibrary.Handle
    private let mailbox = Mutex(Mailbox())

    /// Starts an engine; nil if memory or threads run out.
    init?(_ library: CurlLibrary, _ options: CurlTransport.Options, _ jars: NamedJars<CookieJar?>?) {
        guard let multi = library.multiInit() else { return nil }
        self.library = library
        self.multi = multi
        // CURLMOPT_MAXCONNECTS: keeps as many connections as there may be concurrent requests.
        _ = curl_calls_set_long(library.multiSet, multi, 6, min(max(options.maximumRequests, 1), Int(Int32.max)))
        guard startThread(CurlLoop(self, options, jars)) else {
            _ = library.multiCleanup(multi)
            return nil
        }
    }

    /// Posts a command to the thread, from any thread; returns false if it has ended.
    @discardableResult
    func post(_ command: @escaping Command) -> Bool {
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

    /// The commands posted since the last call.
    func takeCommands() -> [Command] {
        mailbox.withLock { mailbox in
            mailbox.isAsleep = false
            return exchange(&mailbox.commands, with: [])
        }
    }

    /// Whether the process is about to end, so that the thread must end at once.
    var isStopped: Bool { mailbox.withLock(\.isStopped) }

    private func stop() {
        mailbox.withLock { mailbox in
            mailbox.isStopped = true
            // Not after the thread has freed it.
            if !mailbox.isOver { _ = library.multiWakeup(multi) }
        }
    }

    /// Whether there is nothing to do, so that the thread may wait; commands posted from now on wake it.
    func mayWait() -> Bool {
        mailbox.withLock { mailbox in
            mailbox.isAsleep = mailbox.commands.isEmpty && !mailbox.isStopped
            return mailbox.isAsleep
        }
    }

    /// Whether the thread may end, because no command is pending. From then on, none is accepted.
    func mayEnd() -> Bool {
        mailbox.withLock { mailbox in
            mailbox.isOver = mailbox.commands.isEmpty
            return mailbox.isOver
        }
    }

    private func startThread(_ loop: CurlLoop) -> Bool {
        let context = Unmanaged.passRetained(loop)
        var handle = Handle()
        let isStarted = CurlEngine.threads.withLock { threads in
            guard !threads.isExiting else { return false }
            let code = pthread_create(
                &handle.thread, nil,
                { argument in
                    // Signals are for the program's threads; writing to a closed connection must not end the process. A fault of
                    // this thread reaches the program's handler, even if the thread that made this one blocks it.
                    var signals = sigset_t()
                    sigfillset(&signals)
                    for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT] {
                        sigdelset(&signals, fault)
                    }
                    pthread_sigmask(SIG_SETMASK, &signals, nil)
                    if let argument {
                        let loop = Unmanaged<CurlLoop>.fromOpaque(argument).takeRetainedValue()
                        loop.run()
                        loop.engine.detachThread()
                    }
                    return nil
                }, context.toOpaque())
            if code == 0 { threads.running[ObjectIdentifier(self)] = (self, handle) }
            return code == 0
        }
        if !isStarted { context.release() }
        return isStarted
    }

    /// Detaches the engine's thread, which calls this at its end, unless it is joined at the exit.
    private func detachThread() {
        let isDetached = CurlEngine.threads.withLock { $0.running.removeValue(forKey: ObjectIdentifier(self)) != nil }
        if isDetached { pthread_detach(pthread_self()) }
    }

    // MARK: The end of the process

    /// A thread: a pointer with musl, which is only passed back to it.
    private struct Handle: @unchecked Sendable {
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t!
        #endif
    }

    private static let threads = Mutex(
        (running: [ObjectIdentifier: (engine: CurlEngine, handle: Handle)](), isExiting: false))
    /// The process that loaded libcurl. A forked child has none of its threads, and may have its locks.
    private static let process = getpid()

    /// Ends all engines when the process exits, before the handlers registered so far run: OpenSSL's frees what a TLS handshake
    /// uses.
    static func endAtExit() {
        _ = process
        atexit { CurlEngine.endAll() }
    }

    /// Stops all engines, and waits for their threads for at most a second. Returns the number of threads.
    @discardableResult
    static func endAll() -> Int {
        guard getpid() == process else { return 0 }
        let running = threads.withLock { threads in
            threads.isExiting = true
            return Array(exchange(&threads.running, with: [:]).values)
        }
        for running in running { running.engine.stop() }
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += 1
        for running in running where pthread_equal(running.handle.thread, pthread_self()) == 0 {
            _ = curl_calls_join(running.handle.thread, &deadline)
        }
        return running.count
    }
}
#endif
