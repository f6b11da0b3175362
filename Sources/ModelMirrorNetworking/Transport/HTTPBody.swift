public import ModelMirrorFoundation

/// The body of a request: bytes, a file, or chunks produced on demand.
///
/// Redirects, retries and re-authentication may send a body again; chunks are then produced anew.
///
/// A body is an `AsyncSequence` of chunks, for your own ``Transport``:
///
/// ```swift
/// for try await chunk in body { try await connection.send(chunk) }
/// ```
///
/// Each iteration starts at the beginning. No chunk is empty. Iteration throws ``RequestError``: `.invalidRequest` if the body
/// cannot be produced or read, or if its size differs from ``length``, before excess bytes are returned; `.cancelled`.
public struct HTTPBody: Sendable {
    /// The kinds of body.
    public enum Content: Sendable {
        /// Bytes in memory.
        case data(Data)
        /// The content of a file, read while it is sent.
        case file(URL)
        /// Chunks produced on demand. Each call of the closure starts at the beginning and returns a function that returns the
        /// next chunk, or nil at the end.
        case chunks(@Sendable () throws -> ChunkProducer)
    }

    /// Returns the next chunk of a body, or nil at the end. Called from one task at a time.
    public typealias ChunkProducer = () async throws -> Data?

    /// The content.
    public let content: Content
    /// The number of bytes; nil if unknown, so that the body is sent with chunked coding. ``measured()`` sets it for a file.
    public let length: Int?

    /// Bytes in memory.
    public static func data(_ data: Data) -> HTTPBody { HTTPBody(content: .data(data), length: data.count) }

    /// The content of a file; its length is read when it is sent.
    public static func file(_ url: URL) -> HTTPBody { HTTPBody(content: .file(url), length: nil) }

    /// Chunks produced on demand, for example those of an incoming body.
    ///
    /// ```swift
    /// request.body = .chunks(length: length) {
    ///     var iterator = incoming.makeAsyncIterator()
    ///     return { try await iterator.next() }
    /// }
    /// ```
    /// - Parameters:
    ///   - length: The total number of bytes, if known. A different total fails the request.
    ///   - chunks: Starts at the beginning and returns a function that returns the next chunk, or nil at the end. If it cannot
    ///     start a second time, as with an incoming body, it should throw; the request is then not sent again.
    public static func chunks(
        length: Int? = nil, _ chunks: @escaping @Sendable () throws -> ChunkProducer
    ) -> HTTPBody {
        HTTPBody(content: .chunks(chunks), length: length)
    }

    /// This body with the ``length`` of its file set; any other body is returned unchanged.
    ///
    /// - Throws: `.invalidRequest` if the file does not exist or cannot be read.
    public func measured() throws(RequestError) -> HTTPBody {
        guard case .file(let file) = content, length == nil else { return self }
        do {
            let size = try OpenFile.length(of: file)
            // FoundationNetworking waits forever for the first byte of an empty file.
            return size == 0 ? .data(Data()) : HTTPBody(content: content, length: size)
        } catch {
            throw .unreadable(file, error)
        }
    }
}

extension HTTPBody: AsyncSequence {
    /// Iterates over the chunks and checks their total against the declared length.
    struct Chunks: AsyncIteratorProtocol {
        typealias Failure = RequestError

        private let body: HTTPBody
        private var producer: ChunkProducer?
        private var count = 0
        private var isAtEnd = false

        init(_ body: HTTPBody) { self.body = body }

        mutating func next() async throws(RequestError) -> Data? {
            while !isAtEnd {
                // Set first, so that an error ends the iteration.
                isAtEnd = true
                if Task.isCancelled { throw .cancelled }
                let chunk = try await produced()
                count += chunk?.count ?? 0
                if let length = body.length, count > length || chunk == nil && count < length {
                    if case .file(let file) = body.content {
                        throw .invalidRequest("the file \(file.path) changed its length while it was sent")
                    }
                    let found = chunk == nil ? "\(count)" : "at least \(count)"
                    throw .invalidRequest("the body declares \(length.bytes) and produces \(found)")
                }
                isAtEnd = chunk == nil
                if let chunk, !chunk.isEmpty { return chunk }
            }
            producer = nil
            return nil
        }

        private mutating func produced() async throws(RequestError) -> Data? {
            do {
                // Not by `??`, which wraps the function, so that each chunk would be made through one more wrapper.
                if producer == nil { producer = try body.begin() }
                return try await producer?()
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

    /// An iterator at the first chunk. Every error is a ``RequestError``.
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<Data, RequestError> { Chunks(self) }

    func begin() throws -> ChunkProducer {
        switch content {
        case .data(let data):
            var rest: Data? = data
            return { rest.take() }
        case .file(let file):
            let content = try OpenFile.reading(file)
            return {
                let chunk = try content.read(1 << 16)
                return chunk.isEmpty ? nil : chunk
            }
        case .chunks(let begin): return try begin()
        }
    }
}

extension RequestError {
    fileprivate static func unreadable(_ file: URL, _ error: any Error) -> RequestError {
        let reason = file.isFileURL ? (error as? FileError)?.reason ?? "\(error)" : "its URL is not a file URL"
        return .invalidRequest("the file \(file.path.debugDescription) cannot be read as a body: \(reason)")
    }
}
