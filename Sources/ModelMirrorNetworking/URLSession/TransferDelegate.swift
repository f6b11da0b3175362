#if !os(Linux) || FoundationNetworking
import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Forwards a session's callbacks to the ``Transfer`` of each task, and some of them to the user's delegate.
///
/// It is the session's delegate, because task delegates are not called on Linux.
final class TransferDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// Where progress closures and, on Linux, the user's delegate are called in order. Not a queue that URLSession needs, because
    /// either might wait for it.
    private static let reports = DispatchQueue(label: "ModelMirror.URLSessionTransport.reports")

    private let transfers = Mutex<[Int: Transfer]>([:])
    /// The user's delegate.
    private let other: (any URLSessionTaskDelegate)?
    #if canImport(Security)
    private let security: TransferSecurity?
    #endif

    init(_ options: URLSessionTransport.Options, other: (any URLSessionTaskDelegate)?) {
        self.other = other
        #if canImport(Security)
        security = TransferSecurity(options.tls)
        #endif
    }

    /// Forwards the callbacks of a task to a transfer from now on.
    func add(_ transfer: Transfer, for task: URLSessionTask) {
        transfers.withLock { $0[task.taskIdentifier] = transfer }
    }

    private func transfer(of task: URLSessionTask) -> Transfer? { transfers.withLock { $0[task.taskIdentifier] } }

    // MARK: The response

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { transfer(of: dataTask)?.receive(response) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let transfer = transfer(of: dataTask)
        transfer?.receive(data)
        #if canImport(FoundationNetworking)
        transfer?.recordSize()
        #endif
    }

    /// Refuses redirects: ``URLSessionTransport`` follows them itself, because platforms differ, and Linux loses the body.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
        // Answering for a task that was stopped meanwhile would crash the program.
        guard task.state != .canceling else { return }
        #endif
        completionHandler(nil)
    }

    // MARK: The request

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
        completionHandler(transfer(of: task)?.bodyStream())
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        let transfer = transfer(of: task)
        transfer?.recordSent(totalBytesSent)
        if let request = transfer?.request, let report = request.uploadProgress {
            let total =
                request.body?.length.map(Int64.init) ?? (totalBytesExpectedToSend > 0 ? totalBytesExpectedToSend : nil)
            TransferDelegate.reports.async { report(totalBytesSent, total) }
        }
        notify { other in
            ifImplemented(other.urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:))?(
                session, task, bytesSent, totalBytesSent, totalBytesExpectedToSend)
        }
    }

    // MARK: The end

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        transfer?.finish(error, task.response)
        // On Linux, a task is also stopped after a complete response that asks for credentials.
        let error = transfer?.isWhole == true ? nil : error
        notify { ifImplemented($0.urlSession(_:task:didCompleteWithError:))?(session, task, error) }
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        notify { ifImplemented($0.urlSession(_:didBecomeInvalidWithError:))?(session, error) }
    }

    #if !canImport(FoundationNetworking)
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        transfer(of: task)?.receive(metrics)
        notify { ifImplemented($0.urlSession(_:task:didFinishCollecting:))?(session, task, metrics) }
    }

    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
        notify { ifImplemented($0.urlSession(_:didCreateTask:))?(session, task) }
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        notify { ifImplemented($0.urlSession(_:taskIsWaitingForConnectivity:))?(session, task) }
    }
    #endif

    /// Calls the user's delegate, if there is one: on the current queue, except on Linux, where that queue serves all sessions.
    private func notify(_ call: @escaping @Sendable (any URLSessionTaskDelegate) -> Void) {
        guard let other else { return }
        #if canImport(FoundationNetworking)
        TransferDelegate.reports.async { call(other) }
        #else
        call(other)
        #endif
    }

    // MARK: Challenges

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
        // Called after the last byte of a 401. Without credentials, FoundationNetworking would never complete the task.
        transfer(of: task)?.settleAndStop(task.response)
        #else
        do throws(TransferSecurity.Refusal) {
            guard let credential = try security?.credential(for: challenge, of: transfer(of: task)?.request)
            else {
                return ask(session, task, challenge, completionHandler)
            }
            completionHandler(.useCredential, credential)
        } catch {
            fail(task, .notSecure, error.reason)
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
        #endif
    }

    #if !canImport(FoundationNetworking)
    private typealias Disposition = URLSession.AuthChallengeDisposition

    private static let ofTLS = [NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate]
    /// Challenges of a connection, which go to the session's method first.
    private static let ofConnections = ofTLS + [NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate]

    /// Asks the user's delegate with the method that URLSession would call.
    private func ask(
        _ session: URLSession, _ task: URLSessionTask, _ challenge: URLAuthenticationChallenge,
        _ completionHandler: @escaping (Disposition, URLCredential?) -> Void
    ) {
        guard let other else { return completionHandler(.performDefaultHandling, nil) }
        let method = challenge.protectionSpace.authenticationMethod
        let isOfConnection = TransferDelegate.ofConnections.contains(method)
        let kind: RequestError.ConnectionFailure.Kind = TransferDelegate.ofTLS.contains(method) ? .notSecure : .other
        // URLSession accepts the answer on any thread, but not every SDK declares that.
        nonisolated(unsafe) let complete = completionHandler
        let answer: @Sendable (Disposition, URLCredential?) -> Void = { disposition, credential in
            if disposition == .cancelAuthenticationChallenge {
                // URLSession reports it as if the task had been cancelled.
                self.fail(task, kind, "the session's delegate refused the challenge")
            }
            complete(disposition, credential)
        }
        if isOfConnection, let ofSession = ifImplemented(other.urlSession(_:didReceive:completionHandler:)) {
            ofSession(session, challenge, answer)
        } else if let ofTask = ifImplemented(other.urlSession(_:task:didReceive:completionHandler:)) {
            ofTask(session, task, challenge, answer)
        } else {
            completionHandler(.performDefaultHandling, nil)
        }
    }

    private func fail(_ task: URLSessionTask, _ kind: RequestError.ConnectionFailure.Kind, _ reason: String) {
        guard let transfer = transfer(of: task) else { return }
        transfer.end(.failure(transfer.failure(kind, reason)))
    }
    #endif
}

/// A method of a delegate: optional on Apple platforms alone.
private func ifImplemented<Method>(_ method: Method?) -> Method? { method }
#endif
