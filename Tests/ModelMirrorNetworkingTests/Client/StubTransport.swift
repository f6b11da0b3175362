import Foundation
import ModelMirrorNetworking
import Synchronization

/// Responds with the result of a closure and records the requests.
final class StubTransport: Transport {
    private let asked = Mutex<[TransportRequest]>([])
    private let identity: TransportIdentity
    private let answer: @Sendable (TransportRequest) async throws -> TransportResponse

    init(
        identity: TransportIdentity = .unknown,
        _ answer: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) {
        self.identity = identity
        self.answer = answer
    }

    /// Responds with JSON.
    convenience init(_ json: String, status: Int = 200, headers: HTTPHeaders = [.contentType: "application/json"]) {
        self.init { .stub(json, status: status, headers: headers, url: $0.url) }
    }

    /// Responds with JSON once a gate is open, even in a cancelled task.
    convenience init(_ json: String, at gate: StubGate) {
        self.init { request in
            await gate.wait()
            return .stub(json, url: request.url)
        }
    }

    var requests: [TransportRequest] { asked.withLock { $0 } }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        asked.withLock { $0.append(request) }
        return try await answer(request)
    }

    func identity(for request: TransportRequest) -> TransportIdentity { identity }
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

    /// A body without an end, which reports its release.
    static func endless(onRelease: @escaping @Sendable () -> Void) -> ResponseBody {
        ResponseBody(EndlessSource(onRelease))
    }
}

private final class EndlessSource: ResponseBody.Source {
    private let tell: @Sendable () -> Void

    init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }

    deinit { tell() }

    func nextChunk() async throws -> Data? { Data("…".utf8) }
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

/// A gate at which tasks wait until it is opened; later tasks pass at once.
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

    /// Waits for the gate, even in a cancelled task.
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

/// Words in the order in which they were added, from any thread.
final class WordLog: Sendable {
    private let entries = Mutex<[String]>([])

    var words: [String] { entries.withLock { $0 } }

    func add(_ word: String) { entries.withLock { $0.append(word) } }
}
