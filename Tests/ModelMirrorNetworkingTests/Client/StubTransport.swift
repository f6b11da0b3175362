import Foundation
import ModelMirrorNetworking
import Synchronization

/// Answers with what a closure says, and remembers what it was asked.
final class StubTransport: Transport {
    private let asked = Mutex<[TransportRequest]>([])
    private let answer: @Sendable (TransportRequest) async throws -> TransportResponse

    init(_ answer: @escaping @Sendable (TransportRequest) async throws -> TransportResponse) { self.answer = answer }

    /// Answers with JSON.
    convenience init(_ json: String, status: Int = 200, headers: HTTPHeaders = [.contentType: "application/json"]) {
        self.init { .stub(json, status: status, headers: headers, url: $0.url) }
    }

    var requests: [TransportRequest] { asked.withLock { $0 } }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        asked.withLock { $0.append(request) }
        return try await answer(request)
    }
}

extension TransportResponse {
    static func stub(
        _ json: String, status: Int = 200, headers: HTTPHeaders = [.contentType: "application/json"], url: URL
    ) -> TransportResponse {
        TransportResponse(status: status, headers: headers, url: url, body: ResponseBody(Data(json.utf8)))
    }
}

extension ResponseBody {
    /// A body of the given chunks, one at a time, and of an error at the end, if any.
    static func chunks(_ chunks: [Data], then error: (any Error)? = nil) -> ResponseBody {
        ResponseBody(ChunkSource(chunks, error))
    }
}

private final class ChunkSource: ResponseBody.Source {
    private let rest: Mutex<ArraySlice<Data>>
    private let error: (any Error)?

    init(_ chunks: [Data], _ error: (any Error)?) {
        rest = Mutex(chunks[...])
        self.error = error
    }

    func nextChunk() async throws -> Data? {
        if let chunk = rest.withLock({ $0.popFirst() }) { return chunk }
        if let error { throw error }
        return nil
    }
}

/// A gate that tasks wait at until it is opened; those that come later pass.
final class StubGate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isOpen = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits, cancelled or not.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}

/// Words in the order in which they were said, on any thread.
final class WordLog: Sendable {
    private let entries = Mutex<[String]>([])

    var words: [String] { entries.withLock { $0 } }

    func add(_ word: String) { entries.withLock { $0.append(word) } }
}
