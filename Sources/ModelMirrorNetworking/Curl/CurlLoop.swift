#if os(Linux)
import CurlCalls

/// The loop of a ``CurlEngine``'s thread: takes commands, lets libcurl work, ends transfers that are done or late, and
/// waits.
final class CurlLoop {
    /// Requests that share a limit: those to one origin, with streams apart, which would take the others' places.
    struct Lane: Hashable {
        let origin: Origin
        let isStream: Bool
    }

    private struct Place {
        let transfer: CurlTransfer
        let lane: Lane
        let ticket: Int
    }

    let options: CurlTransport.Options
    /// The cookies of the transport, if it keeps any.
    let share: CurlLibrary.Handle?
    /// Transfers whose head has arrived in this round.
    var announcing: [CurlTransfer] = []

    private let engine: CurlEngine
    private let library: CurlLibrary
    private let jar: CookieJar?
    private var requests: RequestQueue<Lane, CurlTransfer>
    private var streams: RequestQueue<Lane, CurlTransfer>
    private var waiting: [ObjectIdentifier: Place] = [:]
    private var exchanges: [ObjectIdentifier: CurlExchange] = [:]
    private var running: [CurlLibrary.Handle: CurlExchange] = [:]
    /// At or before the earliest timeout of all transfers.
    private var nextTimeout: ContinuousClock.Instant?
    private var isClosing = false

    init(_ engine: CurlEngine, _ options: CurlTransport.Options) {
        self.engine = engine
        self.options = options
        library = engine.library
        jar = CookieJar.jar(for: options.cookies, library)
        share = jar?.handle
        requests = RequestQueue(
            limitPerHost: options.maximumRequestsPerHost, limit: options.maximumRequests)
        streams = RequestQueue(limitPerHost: options.maximumStreamsPerHost, limit: options.maximumRequests)
    }

    func run() {
        while true {
            for command in engine.takeCommands() { perform(command) }
            work()
            endLate()
            for transfer in announcing { transfer.announceHead() }
            announcing.removeAll(keepingCapacity: true)
            if isClosing, exchanges.isEmpty, waiting.isEmpty, engine.mayEnd() { break }
            if engine.mayWait() { wait() }
        }
        _ = library.multiCleanup(engine.multi)
        withExtendedLifetime(jar) {}
    }

    private func perform(_ command: CurlEngine.Command) {
        switch command {
        case .start(let transfer): start(transfer)
        case .cancel(let transfer):
            if let exchange = exchanges[ObjectIdentifier(transfer)] {
                end(exchange, .failure(.cancelled))
            } else {
                withdraw(transfer)
            }
        case .resumeReceiving(let transfer): resume(transfer, receiving: true, sending: false)
        case .resumeSending(let transfer): resume(transfer, receiving: false, sending: true)
        case .close: isClosing = true
        }
    }

    private func withdraw(_ transfer: CurlTransfer) {
        guard let place = waiting.removeValue(forKey: ObjectIdentifier(transfer)) else { return }
        _ = withQueue(of: place.lane) { $0.withdraw(place.ticket, for: place.lane) }
    }

    private func resume(_ transfer: CurlTransfer, receiving: Bool, sending: Bool) {
        guard let exchange = exchanges[ObjectIdentifier(transfer)] else { return }
        exchange.resume(receiving: receiving, sending: sending)
        note(exchange.deadline)
    }

    // MARK: Beginning

    private func start(_ transfer: CurlTransfer) {
        guard !transfer.hasEnded else { return }
        let request = transfer.request
        let lane = Lane(origin: Origin(request.url), isStream: request.isStream)
        if let ticket = withQueue(of: lane, { $0.enter(transfer, for: lane) }) {
            waiting[ObjectIdentifier(transfer)] = Place(transfer: transfer, lane: lane, ticket: ticket)
            note(transfer.deadline)
        } else if !begin(transfer, lane) {
            leave(lane)
        }
    }

    /// Passes a transfer to libcurl; returns false if it failed instead.
    private func begin(_ transfer: CurlTransfer, _ lane: Lane) -> Bool {
        guard let easy = CurlEasy(library) else {
            transfer.finish(.failure(.outOfMemory(transfer)), nil)
            return false
        }
        let exchange = CurlExchange(transfer, lane, easy, loop: self)
        var failure = exchange.refusedOption.map {
            CurlTransfer.Failure(error: CurlError.failure($0, url: transfer.request.url))
        }
        if failure == nil, library.multiAdd(engine.multi, easy.handle) != 0 { failure = .outOfMemory(transfer) }
        if let failure {
            exchange.release()
            transfer.finish(.failure(failure), nil)
            return false
        }
        exchanges[ObjectIdentifier(transfer)] = exchange
        running[easy.handle] = exchange
        note(exchange.deadline)
        return true
    }

    private func withQueue<Result>(
        of lane: Lane, _ body: (inout RequestQueue<Lane, CurlTransfer>) -> Result
    ) -> Result {
        lane.isStream ? body(&streams) : body(&requests)
    }

    // MARK: Working

    private func work() {
        var count: Int32 = 0
        _ = library.multiPerform(engine.multi, &count)
        while let message = library.multiRead(engine.multi, &count) {
            // CURLMSG_DONE. The message is invalid once the handle is removed.
            guard message.pointee.kind == 1, let handle = message.pointee.easy, let exchange = running[handle] else {
                continue
            }
            end(exchange, exchange.result(message.pointee.data.code))
        }
    }

    private func endLate() {
        guard let nextTimeout, ContinuousClock.now >= nextTimeout else { return }
        self.nextTimeout = nil
        let now = ContinuousClock.now
        // Waiting transfers first, or they would take the places of late ones.
        for place in Array(waiting.values) {
            guard let deadline = place.transfer.deadline else { continue }
            guard deadline <= now else {
                note(deadline)
                continue
            }
            withdraw(place.transfer)
            place.transfer.finish(.failure(.notOverInTime(place.transfer)), nil)
        }
        for exchange in Array(exchanges.values) {
            guard let deadline = exchange.deadline else { continue }
            guard deadline <= now else {
                note(deadline)
                continue
            }
            let isOver = exchange.transfer.deadline.map { $0 <= now } ?? false
            end(exchange, .failure(isOver ? .notOverInTime(exchange.transfer) : exchange.timedOut()))
        }
    }

    private func note(_ deadline: ContinuousClock.Instant?) {
        guard let deadline else { return }
        nextTimeout = min(nextTimeout ?? deadline, deadline)
    }

    /// Waits for a socket, a command or a timeout, and while there are exchanges, no longer than a second, as `curl_easy_perform` does:
    /// some versions of libcurl do not wake up for a closed HTTP/2 connection (https://github.com/curl/curl/issues/11426).
    private func wait() {
        let longest = exchanges.isEmpty ? Int(Int32.max) : 1000
        let milliseconds = nextTimeout.map { max(($0 - ContinuousClock.now).milliseconds, 0) } ?? longest
        _ = library.multiPoll(engine.multi, nil, 0, Int32(clamping: min(milliseconds, longest)), nil)
    }

    // MARK: Ending

    private func end(_ exchange: CurlExchange, _ result: Result<Void, CurlTransfer.Failure>) {
        let easy = exchange.easy
        let metrics = exchange.metrics()
        // Callbacks may occur until this returns, so the exchange is still held.
        _ = library.multiRemove(engine.multi, easy.handle)
        running[easy.handle] = nil
        exchanges[ObjectIdentifier(exchange.transfer)] = nil
        exchange.release()
        exchange.transfer.finish(result, metrics)
        leave(exchange.lane)
    }

    /// Starts the next transfer in the place of one that is done.
    private func leave(_ lane: Lane) {
        var lane = lane
        while let transfer = withQueue(of: lane, { $0.leave(lane) }),
            let place = waiting.removeValue(forKey: ObjectIdentifier(transfer)), !begin(transfer, place.lane)
        { lane = place.lane }
    }
}

extension CurlTransfer.Failure {
    fileprivate static func outOfMemory(_ transfer: CurlTransfer) -> CurlTransfer.Failure {
        CurlTransfer.Failure(error: CurlError.failure(27, detail: "", url: transfer.request.url))
    }

    fileprivate static func notOverInTime(_ transfer: CurlTransfer) -> CurlTransfer.Failure {
        CurlTransfer.Failure(error: transfer.request.deadlinePassed)
    }
}
#endif
