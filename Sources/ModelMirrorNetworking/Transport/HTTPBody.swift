public import Foundation

/// What a request sends: nothing, bytes, a file, or chunks made while they are sent.
///
/// Every body can be sent again, which redirects, retries and re-authentication need: chunks are asked for anew.
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

    /// Gives the next chunk of a body, nil at the end. Called from one task at a time.
    public typealias ChunkProducer = () throws -> Data?

    /// What is sent.
    public let content: Content
    /// The count of bytes, if it is known before they are made. Without it, the body goes out in chunked coding.
    public let length: Int?

    /// Bytes in memory.
    public static func data(_ data: Data) -> HTTPBody { HTTPBody(content: .data(data), length: data.count) }

    /// The content of a file; its length is taken when it is sent.
    public static func file(_ url: URL) -> HTTPBody { HTTPBody(content: .file(url), length: nil) }

    /// Chunks made on demand.
    ///
    /// - Parameters:
    ///   - length: The count of bytes of all chunks, if known. A different count fails the request.
    ///   - chunks: Begins the body anew: gives a function that gives the next chunk, nil at the end.
    public static func chunks(
        length: Int? = nil, _ chunks: @escaping @Sendable () throws -> ChunkProducer
    ) -> HTTPBody {
        HTTPBody(content: .chunks(chunks), length: length)
    }
}
