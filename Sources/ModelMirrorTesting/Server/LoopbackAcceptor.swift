import Synchronization

/// Accepts the connections of a ``LoopbackServer`` and tracks their threads.
final class LoopbackAcceptor: Sendable {
    private struct Threads {
        var isStopped = false
        var listening: ServerThread?
        var open: [Int: LoopbackConnection] = [:]
        var running: [Int: ServerThread] = [:]
        /// Threads that have ended and can be joined.
        var done: [Int] = []
    }

    let state: ServerState

    private let socket: StreamSocket
    private let wake: WakePipe
    private let threads = Mutex(Threads())
    /// The number of open connections.
    let openCount = Observed(0)

    init(_ socket: StreamSocket, state: ServerState) throws {
        self.socket = socket
        self.state = state
        wake = try WakePipe()
    }

    func start() throws {
        let thread = try ServerThread { [self] in run() }
        threads.withLock { $0.listening = thread }
    }

    private func run() {
        var number = 0
        while !threads.withLock(\.isStopped) {
            do {
                while let accepted = try socket.accept() {
                    number += 1
                    serve(accepted, number)
                }
                _ = socket.wait(for: .reading, or: wake)
            } catch {
                // Out of descriptors. The connection stays in the backlog and would be reported again at once.
                _ = socket.wait(for: nil, or: wake, timeout: .milliseconds(10))
            }
            joinDone()
        }
        socket.close()
    }

    private func serve(_ accepted: StreamSocket, _ number: Int) {
        if let size = state.limits.sendBuffer { accepted.setSendBuffer(size) }
        let connection = LoopbackConnection(accepted, number: number, server: state)
        state.log.update { $0.connectionCount += 1 }
        threads.withLock { threads in
            guard !threads.isStopped else { return }
            // Without a thread the connection is dropped, which closes it.
            guard
                let thread = try? ServerThread({ [self] in
                    connection.run()
                    ended(number)
                })
            else { return }
            threads.open[number] = connection
            threads.running[number] = thread
            openCount.update { $0 = threads.open.count }
        }
    }

    private func ended(_ number: Int) {
        threads.withLock { threads in
            threads.open[number] = nil
            threads.done.append(number)
            openCount.update { $0 = threads.open.count }
        }
    }

    private func joinDone() {
        let done = threads.withLock { threads in
            defer { threads.done = [] }
            return threads.done.compactMap { threads.running.removeValue(forKey: $0) }
        }
        for thread in done { thread.join() }
    }

    /// Stops all connections and waits for their threads.
    func stop() {
        let listening = threads.withLock { threads in
            threads.isStopped = true
            defer { threads.listening = nil }
            return threads.listening
        }
        wake.wake()
        listening?.join()
        for connection in threads.withLock({ Array($0.open.values) }) { connection.stop() }
        let running = threads.withLock { threads in
            defer { threads.running = [:] }
            return Array(threads.running.values)
        }
        for thread in running { thread.join() }
        state.removeRoutes()
    }
}
