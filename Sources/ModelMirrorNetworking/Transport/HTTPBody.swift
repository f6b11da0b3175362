public import Foundation

/// What a request sends: nothing, bytes, a file, or chunks made while they are sent.
///
/// Every body can be sent again, which redirects, retries and re-authentication need: chunks are asked for anew.
///
/// It is an `AsyncSequence` of its chunks, whatever its kind, which a ``Transport`` of your own can send:
///
/// ```swift
/// for try await chunk in body { try await connection.send(chunk) }
/// ```
///
/// Each iteration begins anew. No chunk is empty. It throws ``RequestError``: `.invalidRequest` for a body that cannot be
/// made or read, or has another count of bytes than its ``length``, before a byte too many is given; `.cancelled`.
public struct HTTPBody: Sendable {
    /// The kinds of body.
    public enum Content: Sendable {
        /// Bytes in memory.
        case data(Data)
        /// The content of a file, read while it is sent.
        case file(URL)
        /// Chunks made on demand. Each call of the closure begins anew and gives a function that gives the next chunk,
        /// nil at the end.
        case chunks(@Sendable () throws -> ChunkProducer)
    }

    /// Gives the next chunk of a body, nil at the end. Called from one task at a time; it may wait, and need not.
    public typealias ChunkProducer = () async throws -> Data?

    /// What is sent.
    public let content: Content
    /// The count of bytes, if it is known before they are made. Without it, the body goes out in chunked coding. That of a
    /// file is known after ``measured()``.
    public let length: Int?

    /// Bytes in memory.
    public static func data(_ data: Data) -> HTTPBody { HTTPBody(content: .data(data), length: data.count) }

    /// The content of a file; its length is taken when it is sent.
    public static func file(_ url: URL) -> HTTPBody { HTTPBody(content: .file(url), length: nil) }

    /// Chunks made on demand, for example those of a body that arrives:
    ///
    /// ```swift
    /// request.body = .chunks(length: incoming.expectedLength) {
    ///     var iterator = incoming.makeAsyncIterator()
    ///     return { try await iterator.next() }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - length: The count of bytes of all chunks, if known. A different count fails the request.
    ///   - chunks: Begins the body anew: gives a function that gives the next chunk, nil at the end. If it cannot begin a
    ///     second time, as above, it throws then, and the request is not sent again.
    public static func chunks(
        length: Int? = nil, _ chunks: @escaping @Sendable () throws -> ChunkProducer
    ) -> HTTPBody {
        HTTPBody(content: .chunks(chunks), length: length)
    }

    /// This body with the length of its file, if it is one and not yet measured.
    ///
    /// - Throws: `.invalidRequest` if there is no such file, or none that can be read.
    public func measured() throws(RequestError) -> HTTPBody {
        guard case .file(let file) = content, length == nil else { return self }
        let size: UInt64
        do {
            guard file.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { throw CocoaError(.fileReadUnknown) }
            guard FileManager.default.isReadableFile(atPath: file.path) else {
                throw CocoaError(.fileReadNoPermission)
            }
            size = (attributes[.size] as? NSNumber)?.uint64Value ?? 0
        } catch {
            throw .unreadable(file, error)
        }
        // FoundationNetworking waits for the first byte of an empty file forever.
        return size == 0 ? .data(Data()) : HTTPBody(content: content, length: Int(size))
    }
}

extension HTTPBody: AsyncSequence {
    /// Iterates over the chunks and checks that they have the declared length.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Every error is a ``RequestError``.
        public typealias Failure = RequestError

        private let body: HTTPBody
        private var producer: ChunkProducer?
        private var count = 0
        private var isAtEnd = false

        fileprivate init(_ body: HTTPBody) { self.body = body }

        /// The next chunk; nil at the end, and ever after.
        public mutating func next() async throws(RequestError) -> Data? {
            while !isAtEnd {
                // Over, unless there turns out to be another chunk.
                isAtEnd = true
                if Task.isCancelled { throw .cancelled }
                let chunk = try await produced()
                count += chunk?.count ?? 0
                if let length = body.length, count > length || chunk == nil && count < length {
                    let found = chunk == nil ? "\(count)" : "at least \(count)"
                    throw .invalidRequest("the body declares \(length) bytes and produces \(found)")
                }
                isAtEnd = chunk == nil
                if let chunk, !chunk.isEmpty { return chunk }
            }
            producer = nil
            return nil
        }

        private mutating func produced() async throws(RequestError) -> Data? {
            do {
                let producer = try self.producer ?? body.begin()
                self.producer = producer
                return try await producer()
            } catch let error as RequestError {
                throw error
            } catch is CancellationError {
                throw .cancelled
            } catch {
                if case .file(let file) = body.content { throw .unreadable(file, error) }
                throw .invalidRequest("the body cannot be made: \(error)")
            }
        }
    }

    /// Begins the body anew.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    private func begin() throws -> ChunkProducer {
        switch content {
        case .data(let data):
            var rest: Data? = data
            return { rest.take() }
        case .file(let file):
            let handle = try FileHandle(forReadingFrom: file)
            return { try handle.read(upToCount: 1 << 16) }
        case .chunks(let begin): return try begin()
        }
    }
}

extension RequestError {
    fileprivate static func unreadable(_ file: URL, _ error: any Error) -> RequestError {
        .invalidRequest("the file \(file.path.debugDescription) cannot be read as a body: \(error)")
    }
}
