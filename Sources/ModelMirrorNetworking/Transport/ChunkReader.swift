import Foundation

/// Reads the chunks of a body, and sees to it that there are as many bytes as it says.
final class ChunkReader {
    private let begin: @Sendable () throws -> HTTPBody.ChunkProducer
    private let length: Int?
    private var producer: HTTPBody.ChunkProducer?
    private var count = 0
    private var isAtEnd = false
    private var rest = Data()

    /// Chunks that have not begun.
    ///
    /// - Parameters:
    ///   - begin: Begins the body.
    ///   - length: How many bytes there must be, if known.
    init(_ begin: @escaping @Sendable () throws -> HTTPBody.ChunkProducer, length: Int?) {
        self.begin = begin
        self.length = length
    }

    /// The next chunk; nil at the end, and ever after.
    ///
    /// - Throws: `.invalidRequest` if the body has another length than it says, before a byte too many is given, and for
    ///   what its closures throw.
    func next() throws(RequestError) -> Data? {
        guard !isAtEnd else { return nil }
        let chunk: Data?
        do {
            let producer = try self.producer ?? begin()
            self.producer = producer
            chunk = try producer()
        } catch let error as RequestError {
            throw error
        } catch {
            throw .invalidRequest("the body cannot be made: \(error)")
        }
        count += chunk?.count ?? 0
        if chunk == nil {
            isAtEnd = true
            producer = nil
        }
        if let length, count > length || isAtEnd && count < length {
            let found = isAtEnd ? "\(count)" : "at least \(count)"
            throw .invalidRequest("the body says that it has \(length) bytes, and gives \(found)")
        }
        return chunk
    }

    /// Fills a buffer, as far as the chunk at hand goes. Gives how many bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(RequestError) -> Int {
        while rest.isEmpty {
            guard let chunk = try next() else { return 0 }
            rest = chunk
        }
        let taken = rest.prefix(buffer.count)
        taken.copyBytes(to: buffer)
        rest = rest.dropFirst(taken.count)
        return taken.count
    }
}
