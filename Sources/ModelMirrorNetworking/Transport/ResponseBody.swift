public import Foundation
import Synchronization

/// The body of a response as it arrives: an `AsyncSequence` of chunks, none of them empty.
///
/// The next chunk is asked of the source only when the consumer asks for it, and a source holds a bounded amount ready,
/// so a slow consumer slows the sender down. A body can be read once; a second iterator goes on where the first stopped.
/// Dropping the body, or cancelling the task that reads it, ends the transfer.
///
/// ```swift
/// for try await chunk in response.body { file.write(chunk) }
/// let data = try await response.body.collect(limit: 1 << 20)
/// ```
public struct ResponseBody: AsyncSequence, Sendable {
    /// Where chunks come from. Its end of life must end the transfer.
    public protocol Source: AnyObject, Sendable {
        /// The next chunk; nil at the end, and ever after. Called by one task at a time.
        ///
        /// - Throws: ``RequestError``; `.cancelled` if the calling task is cancelled.
        func nextChunk() async throws -> Data?
    }

    private let source: any Source

    /// A body from a source.
    public init(_ source: any Source) { self.source = source }

    /// A body that is there already.
    public init(_ data: Data) { source = WholeBody(data) }

    /// A body whose chunks a closure gives; nil at the end.
    public init(next: @escaping @Sendable () async throws -> Data?) { source = ClosureBody(next) }

    /// Gives chunk after chunk.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let source: any Source

        /// The next chunk, nil at the end.
        public mutating func next() async throws -> Data? {
            while let chunk = try await source.nextChunk() {
                if !chunk.isEmpty { return chunk }
            }
            return nil
        }
    }

    /// Goes on with the chunks that have not been read.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

    /// The whole body.
    ///
    /// - Parameter limit: The most bytes to take.
    /// - Throws: ``RequestError/bodyTooLarge(limit:)`` as soon as there are more, with nothing more read; what the
    ///   source throws.
    public func collect(limit: Int) async throws -> Data {
        if let whole = source as? WholeBody {
            let data = whole.take()
            guard data.count <= limit else { throw RequestError.bodyTooLarge(limit: limit) }
            return data
        }
        var data = Data()
        for try await chunk in self {
            guard chunk.count <= limit - data.count else { throw RequestError.bodyTooLarge(limit: limit) }
            if data.isEmpty { data = chunk } else { data.append(chunk) }
        }
        return data
    }
}

/// Bytes in memory, given once.
private final class WholeBody: ResponseBody.Source {
    private let data: Mutex<Data?>

    init(_ data: Data) { self.data = Mutex(data) }

    func take() -> Data {
        data.withLock { data in
            defer { data = nil }
            return data ?? Data()
        }
    }

    func nextChunk() async -> Data? {
        let chunk = take()
        return chunk.isEmpty ? nil : chunk
    }
}

/// What a closure gives.
private final class ClosureBody: ResponseBody.Source {
    private let next: @Sendable () async throws -> Data?

    init(_ next: @escaping @Sendable () async throws -> Data?) { self.next = next }

    func nextChunk() async throws -> Data? { try await next() }
}
