import Foundation
import Synchronization

/// Passes the chunks of a body on, counts their bytes, keeps the first of them, and tells when the body is over.
final class LoggedBody: ResponseBody.Source {
    /// How a body ends.
    enum End {
        case whole
        case brokenOff(any Error)
        /// Nobody wanted the rest.
        case dropped
    }

    private struct Tally {
        var count = 0
        var kept = Data()
    }

    private let body: ResponseBody
    private let limit: Int
    private let tell: @Sendable (End, _ count: Int, _ kept: Data) -> Void
    /// nil once the end is told.
    private let tally = Mutex<Tally?>(Tally())

    /// - Parameters:
    ///   - limit: The most bytes to keep.
    ///   - tell: Called once, with the count of the bytes that came, and the first of them.
    init(
        _ body: ResponseBody, keeping limit: Int,
        tell: @escaping @Sendable (End, _ count: Int, _ kept: Data) -> Void
    ) {
        self.body = body
        self.limit = limit
        self.tell = tell
    }

    deinit { end(.dropped) }

    func nextChunk() async throws -> Data? {
        var iterator = body.makeAsyncIterator()
        do {
            guard let chunk = try await iterator.next() else {
                end(.whole)
                return nil
            }
            tally.withLock { tally in
                tally?.count += chunk.count
                if let room = tally.map({ limit - $0.kept.count }), room > 0 { tally?.kept.append(chunk.prefix(room)) }
            }
            return chunk
        } catch {
            end(.brokenOff(error))
            throw error
        }
    }

    private func end(_ end: End) {
        if let tally = tally.withLock({ $0.take() }) { tell(end, tally.count, tally.kept) }
    }
}
