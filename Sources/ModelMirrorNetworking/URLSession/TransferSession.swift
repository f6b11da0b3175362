#if !os(Linux) || FoundationNetworking
import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if canImport(Security)
import Security
#endif

/// The session of a ``URLSessionTransport``, with its open connections.
final class TransferSession: Sendable {
    private let session: URLSession
    private let delegate: TransferDelegate

    init(_ options: URLSessionTransport.Options, _ configuration: URLSessionConfiguration) {
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

/// Hands what a session says about its tasks to their ``Transfer``s.
///
/// It is the delegate of the session, since delegates of tasks are not called on Linux.
final class TransferDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// Where progress is told, in its order: not on a queue that URLSession needs, which a closure might wait for.
    private static let reports = DispatchQueue(label: "ModelMirror.uploadProgress")

    private let transfers = Mutex<[Int: Transfer]>([:])
    #if canImport(Security)
    private let judge: URLSessionTransport.ServerTrustJudge?

    init(judge: URLSessionTransport.ServerTrustJudge?) { self.judge = judge }
    #endif

    /// From now on, what concerns a task goes to a transfer.
    func add(_ transfer: Transfer, for task: URLSessionTask) {
        transfers.withLock { $0[task.taskIdentifier] = transfer }
    }

    private func transfer(of task: URLSessionTask) -> Transfer? {
        transfers.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            transfer(of: dataTask)?
                .receive(Transfer.Head(status: response.statusCode, headers: HTTPHeaders(response)))
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(of: dataTask)?.receive(data)
    }

    #if !canImport(FoundationNetworking)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        transfer(of: task)?.receive(metrics)
    }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.finish(error, task.response)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard let request = transfer(of: task)?.request, let report = request.uploadProgress else { return }
        let total =
            request.body?.length.map(Int64.init) ?? (totalBytesExpectedToSend > 0 ? totalBytesExpectedToSend : nil)
        TransferDelegate.reports.async { report(totalBytesSent, total) }
    }

    /// No redirect is followed here: the platforms do it in different ways, and on Linux they lose the body.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
        // A task that was stopped meanwhile takes no answer: the program would end.
        guard task.state != .canceling else { return }
        #endif
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
        completionHandler(transfer(of: task)?.bodyStream())
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
        // Asked after the last byte of a 401. Without credentials, FoundationNetworking would leave the task as it is for
        // ever.
        transfer(of: task)?.settleAndStop(task.response)
        #elseif canImport(Security)
        guard let judge, let trust = challenge.protectionSpace.serverTrust else {
            return completionHandler(.performDefaultHandling, nil)
        }
        switch judge(trust, challenge.protectionSpace.host) {
        case .leaveToSystem: completionHandler(.performDefaultHandling, nil)
        case .accept: completionHandler(.useCredential, URLCredential(trust: trust))
        case .refuse:
            if let transfer = transfer(of: task) {
                transfer.fail(transfer.failure(.notSecure, "the certificate of the server was refused"))
            }
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
        #else
        completionHandler(.performDefaultHandling, nil)
        #endif
    }
}
#endif
