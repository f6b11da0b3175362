#if os(Linux)
import Dispatch
import ModelMirrorFoundation
import Synchronization

/// A request's body on its way to libcurl, produced at most a few chunks ahead of what is sent.
///
///     HTTPBody ── an unstructured task ──▶ pending, about 64 KiB ──▶ read(into:), on the engine's thread
///                 waits while enough is pending                      pauses the transfer while nothing is
///
/// A body that is already in memory is read directly, without the task.
final class UploadFeed: Sendable {
    /// The result of a read.
    enum Portion {
        case bytes(Int)
        /// Nothing yet. ``begin(resume:)``'s closure is called when there is.
        case later
        case end
        case failed
    }

    private struct State {
        var pending: [Data] = []
        var produced: Int64 = 0
        var sent: Int64 = 0
        var isAtEnd = false
        var failure: RequestError?
        var isClosed = false
        /// How often the body was started anew.
        var restarts = 0
        /// Whether libcurl has asked for bytes; before that, nothing is produced.
        var isAsked = false
        /// Whether libcurl is waiting.
        var isAwaited = false
        /// Resumed with ``restarts`` when a chunk is wanted, and with nil once the feed is closed.
        var producer: CheckedContinuation<Int?, Never>?
        var task: Task<Void, Never>?

        var hasEnough: Bool { produced - sent >= 1 << 16 }
    }

    /// Where progress closures are called in order, so that a slow one delays no transfer.
    private static let reports = DispatchQueue(label: "ModelMirror.uploadProgress")

    private let body: HTTPBody
    private let report: (@Sendable (Int64, Int64?) -> Void)?
    private let state: Mutex<State>

    /// A body that has not begun.
    init(_ body: HTTPBody, report: (@Sendable (Int64, Int64?) -> Void)?) {
        self.body = body
        self.report = report
        state = Mutex(UploadFeed.start(body))
    }

    private static func start(_ body: HTTPBody) -> State {
        guard case .data(let data) = body.content else { return State() }
        return State(pending: data.isEmpty ? [] : [data], produced: Int64(data.count), isAtEnd: true)
    }

    /// The number of bytes of the whole body; nil if unknown.
    var length: Int64? { body.length.map(Int64.init) }

    /// The length, also of chunks of unknown length that have all been produced; nil if unknown.
    var lengthSoFar: Int64? { length ?? state.withLock { $0.isAtEnd ? $0.produced : nil } }

    /// Whether libcurl has asked for bytes.
    var hasBegun: Bool { state.withLock(\.isAsked) }

    /// Why the body could not be produced.
    var failure: RequestError? { state.withLock(\.failure) }

    /// Produces the body as soon as libcurl asks for it, in an unstructured task with the caller's task-local values.
    ///
    /// - Parameter resume: Called when a chunk, the end or an error follows ``Portion/later``.
    func begin(resume: @escaping @Sendable () -> Void) {
        state.withLock { state in
            // Before libcurl asks, it produces nothing, so a feed that is closed already need not cancel it.
            if !state.isAtEnd { state.task = Task { await produce(resume) } }
        }
    }

    /// Starts the body anew, for a request that is sent again. A chunk that is being produced is finished first, and discarded.
    func restart() {
        state.withLock { state in
            guard !state.isClosed else { return }
            let old = exchange(&state, with: UploadFeed.start(body))
            state.restarts = old.restarts + 1
            state.producer = old.producer
            state.task = old.task
        }
    }

    /// Ends the feed: nothing more is produced or sent.
    func close() {
        change { state in
            state.isClosed = true
            state.pending = []
            return state.task.take()
        }?.cancel()
    }

    /// Changes the state, and lets the producer continue if a chunk is wanted, or the feed is closed.
    private func change<Result: Sendable>(_ step: (inout State) -> Result) -> Result {
        let (result, producer, restarts) = state.withLock { state in
            let result = step(&state)
            let mayContinue = state.isClosed || wants(state)
            return (result, mayContinue ? state.producer.take() : nil, state.isClosed ? nil : state.restarts)
        }
        producer?.resume(returning: restarts)
        return result
    }

    // MARK: The engine's side

    /// Produces the first bytes before libcurl asks; returns false while the body may be short and is not whole, which the closure of
    /// ``begin(resume:)`` reports.
    func isPrimed() -> Bool {
        change { state in
            state.isAsked = true
            let isPrimed = state.isAtEnd || state.failure != nil || state.hasEnough
            if !isPrimed { state.isAwaited = true }
            return isPrimed
        }
    }

    /// Copies the bytes that are pending.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Portion {
        let (portion, sent) = change { state in
            state.isAsked = true
            let portion = copy(&state, into: buffer)
            if case .later = portion { state.isAwaited = true }
            return (portion, state.sent)
        }
        if case .bytes = portion, let report {
            let length = length
            UploadFeed.reports.async { report(sent, length) }
        }
        return portion
    }

    private func copy(_ state: inout State, into buffer: UnsafeMutableRawBufferPointer) -> Portion {
        if state.failure != nil { return .failed }
        // Holds the last chunk back until it is known to be the last, so that a body that is too long fails.
        let heldBack = length != nil && !state.isAtEnd && state.produced == length ? 1 : 0
        var count = 0
        // Removed at once, since there may be as many chunks as bytes.
        var sentChunks = 0
        while count < buffer.count, state.pending.count - sentChunks > heldBack {
            let part = state.pending[sentChunks].prefix(buffer.count - count)
            part.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            count += part.count
            state.pending[sentChunks].removeFirst(part.count)
            if state.pending[sentChunks].isEmpty { sentChunks += 1 }
        }
        state.pending.removeFirst(sentChunks)
        state.sent += Int64(count)
        if count > 0 { return .bytes(count) }
        // A closed feed reports no end, which libcurl could take for the end of the whole body.
        return state.isAtEnd && !state.isClosed ? .end : .later
    }

    // MARK: The producer's side

    private func produce(_ resume: @Sendable () -> Void) async {
        var start = 0
        var chunks = HTTPBody.Chunks(body)
        while let wanted = await wantedStart() {
            // It may have been closed or started anew since.
            guard state.withLock({ !$0.isClosed && $0.restarts == wanted }) else { continue }
            if wanted != start { chunks = HTTPBody.Chunks(body) }
            start = wanted
            let chunk = await result { () throws(RequestError) in try await chunks.next() }
            if settle(chunk, start) { resume() }
        }
    }

    /// Waits until a chunk is wanted, and returns how often the body was started anew; nil once the feed is closed.
    private func wantedStart() async -> Int? {
        await withCheckedContinuation { continuation in change { $0.producer = continuation } }
    }

    private func wants(_ state: State) -> Bool {
        state.isAsked && !state.isAtEnd && state.failure == nil && (!state.hasEnough || state.produced == length)
    }

    /// Adds a chunk, the end, or an error; returns whether libcurl is waiting for it.
    private func settle(_ chunk: Result<Data?, RequestError>, _ restarts: Int) -> Bool {
        state.withLock { state in
            guard state.restarts == restarts, !state.isClosed else { return false }
            switch chunk {
            case .failure(let failure): state.failure = failure
            case .success(nil): state.isAtEnd = true
            case .success(let chunk?):
                state.pending.append(chunk)
                state.produced += Int64(chunk.count)
            }
            return exchange(&state.isAwaited, with: false)
        }
    }
}
#endif
