#if !os(Linux) || FoundationNetworking
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Transfer {
    /// The platform's task for the request, not yet started.
    func makeTask(in session: URLSession) -> URLSessionTask {
        var platform = URLRequest(url: request.url)
        platform.httpMethod = request.method.rawValue
        platform.timeoutInterval = Transfer.seconds(timeout)
        #if !canImport(FoundationNetworking)
        platform.allowsExpensiveNetworkAccess = request.allowsExpensiveNetwork
        platform.allowsCellularAccess = request.allowsExpensiveNetwork
        #endif
        for field in request.headers.fields {
            let name = field.name.description
            if let before = platform.value(forHTTPHeaderField: name) {
                // RFC 9110 section 5.2 for all, RFC 6265 section 5.4 for cookies.
                let separator = field.name == .cookie ? "; " : ", "
                platform.setValue(before + separator + field.value, forHTTPHeaderField: name)
            } else {
                platform.setValue(field.value, forHTTPHeaderField: name)
            }
        }
        guard let body = request.body else { return session.dataTask(with: platform) }
        if platform.value(forHTTPHeaderField: "Content-Type") == nil {
            // Otherwise the platforms declare the body of a POST as a form.
            platform.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
        switch body.content {
        case .data(let data):
            platform.httpBody = data
            return session.dataTask(with: platform)
        case .file(let file):
            return session.uploadTask(with: platform, fromFile: file)
        case .chunks:
            // Apple platforms only; on Linux, chunks have been spooled.
            if let length = body.length { platform.setValue(String(length), forHTTPHeaderField: "Content-Length") }
            return session.uploadTask(withStreamedRequest: platform)
        }
    }

    /// A stream of the body's chunks from the beginning; nil if the body is not made of chunks.
    func bodyStream() -> InputStream? {
        #if canImport(FoundationNetworking)
        return nil
        #else
        guard let body = request.body, case .chunks = body.content,
            let (input, writer) = ChunkStream.make(body, fail: { [weak self] error in self?.fail(error) })
        else { return nil }
        adopt(writer)
        return input
        #endif
    }

    /// Whole seconds, rounded up, because FoundationNetworking truncates fractions.
    static func seconds(_ duration: Duration) -> TimeInterval {
        let (seconds, attoseconds) = duration.components
        return TimeInterval(seconds) + (attoseconds > 0 ? 1 : 0)
    }
}

/// The body of a ``Transfer`` for its reader; ends the transfer when the last reference is released.
final class TransferBody: ResponseBody.Source {
    private let transfer: Transfer

    init(_ transfer: Transfer) { self.transfer = transfer }

    deinit { transfer.cancel() }

    func nextChunk() async throws -> Data? { try await transfer.nextChunk() }
}
#endif
