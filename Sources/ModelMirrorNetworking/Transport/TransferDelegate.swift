import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if canImport(Security)
import Security
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
