#if !os(Linux) || FoundationNetworking
import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The session of a ``URLSessionTransport``, with its open connections.
final class TransferSession: Sendable {
    private let session: URLSession
    private let delegate: TransferDelegate

    init(
        _ options: URLSessionTransport.Options, _ configuration: URLSessionConfiguration,
        _ other: (any URLSessionTaskDelegate)?
    ) {
        delegate = TransferDelegate(options, other: other)
        #if canImport(FoundationNetworking)
        let queue: OperationQueue? = CallerQueue()
        #else
        let queue: OperationQueue? = nil
        #endif
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    // Bodies that are being read are read to their end; then the connections are closed.
    deinit { session.finishTasksAndInvalidate() }

    /// Sends the request of a transfer.
    func start(_ transfer: Transfer) {
        #if canImport(FoundationNetworking)
        // Another queue for each request would cost a good part of what a small one costs in all.
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
        // Perhaps called by a delegate, on the queue that this waits for.
        commands.async { task.cancel() }
        #else
        task.cancel()
        #endif
    }

    #if canImport(FoundationNetworking)
    /// Where tasks are stopped, and made and started while much is received.
    ///
    /// In FoundationNetworking, these wait for the queue that serves all sessions of the program, which can take as long as
    /// there is something to receive. If they waited on the threads that run tasks, nobody could read it.
    private static let commands = DispatchQueue(label: "ModelMirror.URLSessionTransport.commands")

    /// How many transfers under way have received so much that they could keep that queue busy.
    static let largeTransferCount = Atomic(0)
    #endif
}

#if canImport(FoundationNetworking)
/// Runs each block where it is added, not later on a thread of its own.
///
/// FoundationNetworking hands the calls of a delegate to an operation queue. That would let chunks pile up there when the
/// processor is busy, and costs a change of threads for each. Through this one, the delegate is called at once, on the
/// queue that serves all sessions of the program: it must be quick, and must not call what waits for that queue, which
/// making, starting and cancelling a task does. So nothing that is not this library's own is called there.
// No state of its own; OperationQueue is Sendable, which a subclass has to say again.
private final class CallerQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif
#endif
