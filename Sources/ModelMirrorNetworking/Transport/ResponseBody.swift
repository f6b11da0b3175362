public import ModelMirrorFoundation
import Synchronization

/// The body of a response as it arrives: an `AsyncSequence` of chunks, none of them empty.
///
/// A chunk is requested from the source only when the consumer requests it, and a source buffers a bounded amount, so a slow
/// consumer slows the sender down where the platform allows. A body can be read once; a second iterator continues where the
/// first stopped. Dropping the body, or cancelling the task that reads it, ends the transfer.
///
/// ```swift
/// for try await chunk in response.body { file.write(chunk) }
/// let data = try await response.body.collect(limit: 1 << 20)
/// ```
public struct ResponseBody: AsyncSequence, Sendable {
    /// The source of a body's chunks. Its deinitialization must end the transfer.
    package protocol Source: AnyObject, Sendable {
        /// The next chunk; nil at the end and after it. Called from one task at a time.
        ///
        /// - Throws: ``RequestError``; `.cancelled` if the calling task is cancelled.
        func nextChunk() async throws -> Data?
    }

    private let next: @Sendable () async throws -> Data?

    /// A body from a source.
    package init(_ source: any Source) { self.init { try await source.nextChunk() } }

    /// A complete body.
    public init(_ data: Data) {
        let rest = Mutex<Data?>(data)
        self.init { rest.withLock { $0.take() } }
    }

    /// A body whose chunks come from a closure, which returns nil at the end. Called from one task at a time; when the closure is
    /// released, the transfer must end.
    ///
    /// - Parameter next: Returns the next chunk. Throws ``RequestError``; `.cancelled` if the calling task is cancelled.
    public init(next: @escaping @Sendable () async throws -> Data?) { self.next = next }

    /// An iterator that continues with the unread chunks.
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<Data, any Error> & Sendable {
        ChunkIterator(body: self)
    }

    /// The next chunk; nil at the end. All readers of a body share its source; each continues where the last stopped.
    package func nextChunk() async throws -> Data? {
        while let chunk = try await next() {
            if !chunk.isEmpty { return chunk }
        }
        return nil
    }

    /// The whole body.
    ///
    /// - Parameter limit: The largest body in bytes.
    /// - Throws: ``RequestError/bodyTooLarge(limit:)`` as soon as the limit is exceeded; errors of the source.
    public func collect(limit: Int) async throws -> Data {
        var data = Data()
        guard try await read(into: &data, limit: limit) else { throw RequestError.bodyTooLarge(limit: limit) }
        return data
    }

    /// Reads the body chunk by chunk up to a limit.
    ///
    /// - Parameters:
    ///   - data: Receives the chunks, and of the one that exceeds the limit the part within it.
    ///   - announced: The length announced by the head, trusted for one allocation of at most 16 MiB.
    ///   - progress: Called with the number of bytes after each chunk.
    /// - Returns: Whether the whole body is within the limit.
    func read(
        into data: inout Data, limit: Int, announced: Int64? = nil, progress: (_ count: Int) -> Void = { _ in }
    ) async throws -> Bool {
        for try await chunk in self {
            let room = limit - data.count
            guard chunk.count <= room else {
                data.append(chunk.prefix(Swift.max(room, 0)))
                return false
            }
            if data.isEmpty {
                data = chunk
                let length = Swift.min(announced ?? 0, Int64(limit), 1 << 24)
                if length > chunk.count { data.reserveCapacity(Int(length)) }
            } else {
                data.append(chunk)
            }
            progress(data.count)
        }
        return true
    }

    /// Reads and discards the body, up to about 64 KiB, so that its connection can be reused. Errors are ignored.
    func drain() async {
        var count = 0
        while count <= 1 << 16, let chunk = try? await nextChunk() { count += chunk.count }
    }
}

private struct ChunkIterator: AsyncIteratorProtocol, Sendable {
    let body: ResponseBody

    mutating func next() async throws -> Data? { try await body.nextChunk() }
}
