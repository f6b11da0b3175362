#if !canImport(FoundationNetworking)
import Foundation

/// Writes the chunks of a body into one end of a pair of streams while URLSession reads the other. A write blocks while
/// the pair is full, so what is not taken is not made.
///
/// Apple platforms only: FoundationNetworking takes a stream for ended when nothing is there to read yet, so there the
/// chunks are spooled first; see ``SpooledBody``.
final class ChunkStream: Thread {
    // The thread is started once, and nobody but its main() touches these then.
    private nonisolated(unsafe) let reader: ChunkReader
    private nonisolated(unsafe) let output: OutputStream
    private let fail: @Sendable (RequestError) -> Void

    private init(_ reader: ChunkReader, _ output: OutputStream, fail: @escaping @Sendable (RequestError) -> Void) {
        self.reader = reader
        self.output = output
        self.fail = fail
    }

    /// The stream to read from, not yet opened.
    ///
    /// - Parameter fail: Told why the body cannot be made.
    static func make(_ reader: ChunkReader, fail: @escaping @Sendable (RequestError) -> Void) -> InputStream? {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: 1 << 16, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        ChunkStream(reader, output, fail: fail).start()
        return input
    }

    override func main() {
        output.open()
        defer { output.close() }
        do {
            while let chunk = try reader.next() {
                // The other end was closed: the task has ended.
                guard write(chunk) else { return }
            }
        } catch {
            // Before the stream is closed, which would look like the end of the body.
            fail(error)
        }
    }

    private func write(_ chunk: Data) -> Bool {
        chunk.withUnsafeBytes { bytes in
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
