#if !os(Linux) || FoundationNetworking
import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session of a ``URLSessionTransport``, with its open connections and its cookies.
final class TransferSession: Sendable {
    #if canImport(FoundationNetworking)
    let cookies: SessionCookies?
    #endif
    private let session: URLSession
    private let delegate: TransferDelegate

    init(
        _ options: URLSessionTransport.Options, _ configuration: URLSessionConfiguration,
        _ other: (any URLSessionTaskDelegate)? = nil
    ) {
        delegate = TransferDelegate(options, other: other)
        #if canImport(FoundationNetworking)
        cookies = SessionCookies(takenFrom: configuration)
        let queue: OperationQueue? = CallerQueue()
        #else
        let queue: OperationQueue? = nil
        #endif
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    // Bodies being read can be read to the end; then the connections are closed.
    deinit { session.finishTasksAndInvalidate() }

    /// Sends the request of a transfer.
    func start(_ transfer: Transfer) {
        #if canImport(FoundationNetworking)
        // Going through the queue for each request would add much to the cost of a small one.
        guard TransferSession.largeTransferCount.load(ordering: .relaxed) == 0 else {
            return TransferSession.commands.async { self.run(transfer) }
        }
        #endif
        run(transfer)
    }

    private func run(_ transfer: Transfer) {
        guard !transfer.hasEnded else { return }
        let task = transfer.makeTask(in: session)
        delegate.add(transfer, for: task)
        transfer.adopt(task)
    }

    /// Stops a task.
    static func stop(_ task: URLSessionTask) {
        #if canImport(FoundationNetworking)
        // This may be called by a delegate, on the queue that `cancel` waits for.
        commands.async { task.cancel() }
        #else
        task.cancel()
        #endif
    }

    #if canImport(FoundationNetworking)
    /// Where tasks are stopped and, during large transfers, made and started.
    ///
    /// In FoundationNetworking, these calls wait for the queue that serves all sessions of the program, possibly for as long as
    /// bytes arrive. If they blocked the threads that run Swift tasks, no task could read those bytes.
    private static let commands = DispatchQueue(label: "ModelMirror.URLSessionTransport.commands")

    /// The number of running transfers that have received more than 128 KiB, and so may keep that queue busy.
    static let largeTransferCount = Atomic(0)
    #endif
}

#if canImport(FoundationNetworking)
/// Runs each block at once, on the thread that adds it.
///
/// FoundationNetworking passes delegate calls to an operation queue. An ordinary one would let chunks pile up when the
/// processor is busy, and costs a thread switch for each. With this one, the delegate is called at once, on the queue that
/// serves all sessions of the program: it must be quick, and must not make, start or cancel a task, which would wait for that
/// queue. So only code of this library is called there.
// @unchecked: no state of its own; OperationQueue is Sendable, which a subclass must restate.
private final class CallerQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif
#endif
