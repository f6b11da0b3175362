import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The session of a ``URLSessionTransport``, with its open connections.
final class TransferSession: Sendable {
    private let session: URLSession
    private let delegate: TransferDelegate

    init(_ options: URLSessionTransport.Options) {
        #if canImport(Security)
        delegate = TransferDelegate(judge: options.serverTrust)
        #else
        delegate = TransferDelegate()
        #endif
        #if canImport(FoundationNetworking)
        let queue: OperationQueue? = CallerQueue()
        #else
        let queue: OperationQueue? = nil
        #endif
        session = URLSession(configuration: .transport(options), delegate: delegate, delegateQueue: queue)
    }

    // Bodies that are being read are read to their end; then the connections are closed.
    deinit { session.finishTasksAndInvalidate() }

    /// Sends the request of a transfer.
    func start(_ transfer: Transfer) {
        TransferSession.run { [self] in
            guard !transfer.hasEnded else { return }
            let task = transfer.makeTask(in: session)
            delegate.add(transfer, for: task)
            transfer.adopt(task)
        }
    }

    /// Does what makes, starts or stops a task.
    ///
    /// In FoundationNetworking, that waits for the queue that serves all sessions of the program, which can take as long as
    /// there is something to receive. So it is done on a queue of its own: not on a thread that runs tasks, or those who
    /// read what is received could not run; and not on the serving queue itself, where a delegate is called.
    static func run(_ work: @escaping @Sendable () -> Void) {
        #if canImport(FoundationNetworking)
        commands.async(execute: work)
        #else
        work()
        #endif
    }

    #if canImport(FoundationNetworking)
    private static let commands = DispatchQueue(label: "ModelMirror.URLSessionTransport.commands")
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
