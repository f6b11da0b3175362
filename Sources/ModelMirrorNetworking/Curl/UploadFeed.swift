#if os(Linux)
import Dispatch
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
        /// How many bytes of the first pending chunk have been sent.
        var offset = 0
        var pendingCount = 0
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
        var producer: CheckedContinuation<Void, Never>?
        var task: Task<Void, Never>?
    }

    private static let enough = 1 << 16
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
        return State(
            pending: data.isEmpty ? [] : [data], pendingCount: data.count, produced: Int64(data.count), isAtEnd: true)
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
        guard state.withLock({ !$0.isAtEnd }) else { return }
        let task = Task { await produce(resume) }
        let isClosed = state.withLock { state in
            state.task = task
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }

    /// Starts the body anew, for a request that is sent again. A chunk that is being produced is finished first, and discarded.
    func restart() {
        let producer = state.withLock { state in
            guard !state.isClosed else { return Optional<CheckedContinuation<Void, Never>>.none }
            let old = state
            state = UploadFeed.start(body)
            state.restarts = old.restarts + 1
            state.task = old.task
            return old.producer
        }
        producer?.resume()
    }

    /// Ends the feed: nothing more is produced or sent.
    func close() {
        let (producer, task) = state.withLock { state in
            state.isClosed = true
            state.pending = []
            return (state.producer.take(), state.task.take())
        }
        producer?.resume()
        task?.cancel()
    }

    // MARK: The engine's side

    /// Produces the first bytes before libcurl asks; returns false while the body may be short and is not whole, which the closure of
    /// ``begin(resume:)`` reports.
    func isPrimed() -> Bool {
        let (isPrimed, producer) = state.withLock { state in
            state.isAsked = true
            let isPrimed = state.isAtEnd || state.failure != nil || state.pendingCount >= UploadFeed.enough
            if !isPrimed { state.isAwaited = true }
            return (isPrimed, wants(state) ? state.producer.take() : nil)
        }
        producer?.resume()
        return isPrimed
    }

    /// Copies the bytes that are pending.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Portion {
        let (portion, sent, producer) = state.withLock { state in
            state.isAsked = true
            let portion = copy(&state, into: buffer)
            if case .later = portion { state.isAwaited = true }
            return (portion, state.sent, wants(state) ? state.producer.take() : nil)
        }
        producer?.resume()
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
            let chunk = state.pending[sentChunks]
            let part = min(chunk.count - state.offset, buffer.count - count)
            let start = chunk.startIndex + state.offset
            chunk.copyBytes(
                to: UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + part]), from: start..<start + part)
            count += part
            state.offset += part
            if state.offset == chunk.count {
                sentChunks += 1
                state.offset = 0
            }
        }
        state.pending.removeFirst(sentChunks)
        state.pendingCount -= count
        state.sent += Int64(count)
        if count > 0 { return .bytes(count) }
        // A closed feed reports no end, which libcurl could take for the end of the whole body.
        return state.isAtEnd && !state.isClosed ? .end : .later
    }

    // MARK: The producer's side

    private func produce(_ resume: @Sendable () -> Void) async {
        var restarts = 0
        while true {
            var iterator = HTTPBody.Chunks(body)
            do throws(RequestError) {
                while await isWanted(restarts) {
                    let chunk = try await iterator.next()
                    if settle(chunk, nil, restarts) { resume() }
                }
            } catch {
                if settle(nil, error, restarts) { resume() }
            }
            guard await isStartedAnew(after: restarts) else { return }
            restarts = state.withLock(\.restarts)
        }
    }

    /// Waits until there is room for more; returns false when nothing more is wanted of this start of the body.
    private func isWanted(_ restarts: Int) async -> Bool {
        await wait { state in
            if state.isClosed || state.isAtEnd || state.restarts != restarts { return false }
            return wants(state) ? true : nil
        }
    }

    /// Waits until the body starts anew; returns false if the feed is closed instead.
    private func isStartedAnew(after restarts: Int) async -> Bool {
        await wait { state in
            if state.isClosed { return false }
            return state.restarts != restarts ? true : nil
        }
    }

    /// Waits until a condition is decided.
    private func wait(_ value: @Sendable (State) -> Bool?) async -> Bool {
        while true {
            if let value = state.withLock({ value($0) }) { return value }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if value(state) != nil { return true }
                    state.producer = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    private func wants(_ state: State) -> Bool {
        state.isAsked && (state.pendingCount < UploadFeed.enough || state.produced == length)
    }

    /// Adds a chunk, the end, or an error; returns whether libcurl is waiting for it.
    private func settle(_ chunk: Data?, _ failure: RequestError?, _ restarts: Int) -> Bool {
        state.withLock { state in
            guard state.restarts == restarts, !state.isClosed else { return false }
            if let failure {
                state.failure = failure
            } else if let chunk {
                state.pending.append(chunk)
                state.pendingCount += chunk.count
                state.produced += Int64(chunk.count)
            } else {
                state.isAtEnd = true
            }
            defer { state.isAwaited = false }
            return state.isAwaited
        }
    }
}
#endif
