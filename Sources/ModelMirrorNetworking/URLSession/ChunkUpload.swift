#if !os(Linux) || FoundationNetworking
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
/// The chunks of a body, collected before they are sent: FoundationNetworking requires a stream to have bytes to read at any
/// time, on the queue that serves all sessions of the program. So is a file: one that grows is sent whole, and the server takes the
/// bytes beyond the announced length for the next request.
///
/// In memory up to a limit, otherwise in a temporary file that is deleted with this object. Redirects send it again.
final class SpooledBody: Sendable {
    /// The chunks as data or as a file.
    let body: HTTPBody

    private init(_ body: HTTPBody) { self.body = body }

    // If this fails, the system clears its temporary folder.
    deinit { if case .file(let url) = body.content { try? FileManager.default.removeItem(at: url) } }

    /// Collects a body of chunks or of a file; nil for any other. Stops when the task is cancelled.
    ///
    /// - Throws: `.invalidRequest` if the body cannot be produced, differs from its declared length, or cannot be written;
    ///   `.cancelled`.
    static func of(_ body: HTTPBody?, memoryLimit: Int) async throws(RequestError) -> SpooledBody? {
        guard let body else { return nil }
        if case .data = body.content { return nil }
        var chunks = HTTPBody.Chunks(body)
        var data = Data()
        while data.count <= max(memoryLimit, 0) {
            guard let chunk = try await chunks.next() else { return SpooledBody(.data(data)) }
            data.append(chunk)
        }
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("modelmirror-upload-\(UUID().uuidString)")
        do {
            let output = try OpenFile.creating(url)
            try output.write(data)
            while let chunk = try await chunks.next() { try output.write(chunk) }
            return SpooledBody(HTTPBody(content: .file(url), length: try output.seekToEnd()))
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error as? RequestError
                ?? .invalidRequest("the body cannot be written to a temporary file: \("\(error)".withoutFullStop)")
        }
    }
}
#else
/// Writes the chunks of a body into one end of a pair of streams while URLSession reads the other. A write blocks while
/// the pair is full, so chunks are produced no faster than they are sent.
///
/// Apple platforms only: FoundationNetworking treats a stream with nothing to read yet as ended, so there the chunks are
/// spooled first; see ``SpooledBody``.
final class ChunkStream: Sendable {
    // Accessed only on the queue, where writes may block.
    private nonisolated(unsafe) let output: OutputStream
    private let queue = DispatchQueue(label: "ModelMirror.ChunkStream")

    private init(_ output: OutputStream) { self.output = output }

    /// The stream to read from, not yet opened, and the task that writes. If the body cannot be produced, the task waits until it is
    /// cancelled, and only then ends the stream.
    ///
    /// - Parameter fail: Called with the error if the body cannot be produced, unless the task was cancelled.
    static func make(
        _ body: HTTPBody, fail: @escaping @Sendable (RequestError) -> Void
    ) -> (input: InputStream, writer: Task<Void, Never>)? {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: 1 << 16, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        let stream = ChunkStream(output)
        return (input, Task { await stream.write(body, fail: fail) })
    }

    private func write(_ body: HTTPBody, fail: @Sendable (RequestError) -> Void) async {
        await onQueue { $0.open() }
        do {
            for try await chunk in body {
                // The other end was closed: URLSession's task has ended.
                guard await onQueue({ chunk.write(to: $0) }) else { break }
            }
        } catch {
            if !Task.isCancelled { fail(error) }
            // Until URLSession has stopped, it would take the end of the stream for the end of the body.
            try? await Task.sleep(for: TransportRequest.longestTimeout)
        }
        await onQueue { $0.close() }
    }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable (OutputStream) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work(self.output)) }
        }
    }
}

extension Data {
    fileprivate func write(to output: OutputStream) -> Bool {
        withUnsafeBytes { bytes in
            var rest = bytes.bindMemory(to: UInt8.self)[...]
            while !rest.isEmpty {
                let count = UnsafeBufferPointer(rebasing: rest).baseAddress.map {
                    output.write($0, maxLength: rest.count)
                }
                guard let count, count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
#endif
#endif
