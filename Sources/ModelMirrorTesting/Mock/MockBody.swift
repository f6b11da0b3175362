import ModelMirrorFoundation
import ModelMirrorNetworking
import Synchronization

/// The body of a ``MockResponse``: chunks that may wait at a gate, and then possibly a failure.
struct MockBody: Sendable {
    let chunks: [Data]
    /// Whether the head announces the length.
    var isWhole = true
    var gate: Gate?
    var failure: RequestError.ConnectionFailure.Kind?

    /// The body of a response.
    ///
    /// - Parameter chunkSize: The largest chunk in bytes; nil for chunks as given.
    func response(to url: URL, chunkSize: Int?) -> ResponseBody {
        ResponseBody(Source(self, pieces: chunkSize.map(cut) ?? chunks, url: url))
    }

    private func cut(_ size: Int) -> [Data] {
        chunks.flatMap { chunk in
            stride(from: 0, to: chunk.count, by: max(1, size)).map { start in
                let first = chunk.startIndex + start
                return Data(chunk[first..<min(first + max(1, size), chunk.endIndex)])
            }
        }
    }

    private final class Source: ResponseBody.Source {
        private struct State {
            var pieces: ArraySlice<Data>
            var hasFailed = false
        }

        private let body: MockBody
        private let url: URL
        private let state: Mutex<State>

        init(_ body: MockBody, pieces: [Data], url: URL) {
            self.body = body
            self.url = url
            state = Mutex(State(pieces: pieces[...]))
        }

        func nextChunk() async throws -> Data? {
            if Task.isCancelled { throw RequestError.cancelled }
            if let gate = body.gate, !state.withLock(\.pieces.isEmpty) {
                do { try await gate.enter() } catch { throw RequestError.cancelled }
            }
            if let piece = state.withLock({ $0.pieces.popFirst() }) { return piece }
            let isFailing = state.withLock { state in
                defer { state.hasFailed = true }
                return !state.hasFailed
            }
            if let failure = body.failure, isFailing {
                throw RequestError.connection(.init(failure, url: url, reason: "simulated by the mock"))
            }
            return nil
        }
    }
}
