#if !canImport(FoundationNetworking)
import Dispatch
import Foundation

/// Writes the chunks of a body into one end of a pair of streams while URLSession reads the other. A write blocks while
/// the pair is full, so what is not taken is not made.
///
/// Apple platforms only: FoundationNetworking takes a stream for ended when nothing is there to read yet, so there the
/// chunks are spooled first; see ``SpooledBody``.
final class ChunkStream: Sendable {
    // Touched on the queue alone, where writes may block.
    private nonisolated(unsafe) let output: OutputStream
    private let queue = DispatchQueue(label: "ModelMirror.ChunkStream")

    private init(_ output: OutputStream) { self.output = output }

    /// The stream to read from, not yet opened.
    ///
    /// - Parameter fail: Told why the body cannot be made.
    static func make(_ body: HTTPBody, fail: @escaping @Sendable (RequestError) -> Void) -> InputStream? {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: 1 << 16, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        let stream = ChunkStream(output)
        Task { await stream.write(body, fail: fail) }
        return input
    }

    private func write(_ body: HTTPBody, fail: @Sendable (RequestError) -> Void) async {
        await onQueue { $0.open() }
        do {
            for try await chunk in body {
                // The other end was closed: the task has ended.
                guard await onQueue({ chunk.write(to: $0) }) else { break }
            }
        } catch {
            // Before the stream is closed, which would look like the end of the body.
            fail(error)
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
