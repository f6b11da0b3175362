#if os(Linux)
import CurlCalls
import Dispatch

/// The loop of a ``CurlEngine``'s thread: takes commands, lets libcurl work, ends transfers that are done or late, and
/// waits.
final class CurlLoop {
    /// Requests that share a limit: those to one origin, with streams apart, which would take the others' places.
    struct Lane: Hashable {
        let origin: Origin
        let isStream: Bool
        /// The index of its queue in `queues`.
        var queueIndex: Int { isStream ? 1 : 0 }
    }

    /// A transfer that libcurl does not work on yet.
    private struct Pending {
        let transfer: CurlTransfer
        /// Its ticket in the queue; nil if it has a place.
        var ticket: RequestQueue<Lane, CurlTransfer>.Ticket?
        let start = ContinuousClock.now

        /// When a stream must have a place. Other requests wait until their deadline.
        var deadline: ContinuousClock.Instant? {
            transfer.deadline(afterProgressAt: transfer.lane.isStream ? start : nil)
        }

        /// When it is sent although the first bytes of its body are not there.
        var endOfPriming: ContinuousClock.Instant { start.advanced(by: .milliseconds(250)) }
        /// When it begins whatever the others do, since they may be slow.
        var endOfHolding: ContinuousClock.Instant { start.advanced(by: .milliseconds(100)) }
    }

    /// How many transfers of a lane await their response after a refusal, so that few are refused again. Each response adds one.
    private static let firstWidth = 8

    let options: CurlTransport.Options
    /// The cookies of the transport, if it keeps any.
    let jars: NamedJars<CookieJar?>?
    /// Transfers whose head has arrived in this round.
    var announcing: [CurlTransfer] = []
    /// Exchanges whose connection libcurl has abandoned in this round.
    var abandoned: [CurlExchange] = []

    let engine: CurlEngine
    /// The queue of ordinary requests, and that of streams.
    private var queues: [RequestQueue<Lane, CurlTransfer>]
    /// Transfers without a place.
    private var waiting: [ObjectIdentifier: Pending] = [:]
    /// Transfers whose first bytes are being produced.
    private var priming: [ObjectIdentifier: Pending] = [:]
    /// Transfers that have a place and wait until others of their lane are answered: refused ones, and those that began after them.
    private var held: [ObjectIdentifier: Pending] = [:]
    /// How many transfers of a lane may await their response while others are held.
    private var widths: [Lane: Int] = [:]
    private var exchanges: [ObjectIdentifier: CurlExchange] = [:]
    /// Transfers that are sent again in this round.
    private var resending: [CurlTransfer] = []
    private var running: [CurlLibrary.Handle: CurlExchange] = [:]
    /// At or before the earliest timeout of all transfers.
    private var nextTimeout: ContinuousClock.Instant?
    private var isClosing = false
    /// The sockets of the HTTP/1 connections that libcurl keeps, and of some that it has closed since.
    private(set) var kept: [CurlStream.Connection: Int32] = [:]
    /// Lanes whose waiting requests were reported.
    private var reported: Set<Lane> = []

    init(_ engine: CurlEngine, _ options: CurlTransport.Options, _ jars: NamedJars<CookieJar?>?) {
        self.engine = engine
        self.options = options
        self.jars = jars
        queues = [options.maximumRequestsPerHost, options.maximumStreamsPerHost].map {
            RequestQueue(limitPerHost: $0, limit: options.maximumRequests)
        }
    }

    func run() {
        while true {
            for command in engine.takeCommands() { command(self) }
            work()
            endLate()
            for transfer in exchange(&announcing, with: []) {
                // An error status ends the upload for libcurl, which would not end the transfer while it waits for the body.
                resume(transfer, isSending: true)
                transfer.announceHead()
            }
            if engine.isStopped { return }
            if isClosing, exchanges.isEmpty, waiting.isEmpty, priming.isEmpty, held.isEmpty, engine.mayEnd() { break }
            if engine.mayWait() { wait() }
        }
        _ = engine.library.multiCleanup(engine.multi)
    }

    // MARK: Commands

    /// Lets the thread end after the transfers so far.
    func close() { isClosing = true }

    func cancel(_ transfer: CurlTransfer) {
        let id = ObjectIdentifier(transfer)
        if let exchange = exchanges[id] {
            end(exchange, .failure(.cancelled))
        } else if held.removeValue(forKey: id) != nil || priming.removeValue(forKey: id) != nil {
            leave(transfer.lane)
        } else {
            withdraw(transfer)
        }
    }

    private func withdraw(_ transfer: CurlTransfer) {
        guard let ticket = waiting.removeValue(forKey: ObjectIdentifier(transfer))?.ticket else { return }
        queues[transfer.lane.queueIndex].withdraw(ticket, for: transfer.lane)
        tidyReports()
    }

    func resume(_ transfer: CurlTransfer, isSending: Bool) {
        if isSending, let priming = priming[ObjectIdentifier(transfer)] { return prime(priming) }
        guard let exchange = exchanges[ObjectIdentifier(transfer)] else { return }
        exchange.resume(isSending: isSending)
        note(exchange.deadline)
    }

    // MARK: Beginning

    func start(_ transfer: CurlTransfer) {
        guard !transfer.hasEnded else { return }
        guard let ticket = queues[transfer.lane.queueIndex].enter(transfer, for: transfer.lane) else {
            return beginOrLeave(transfer)
        }
        let place = Pending(transfer: transfer, ticket: ticket)
        waiting[ObjectIdentifier(transfer)] = place
        note(place.deadline)
        note(place.start.advanced(by: options.reportDelay))
    }

    private func hold(_ transfer: CurlTransfer) {
        let pending = Pending(transfer: transfer)
        held[ObjectIdentifier(transfer)] = pending
        note(pending.endOfHolding)
    }

    /// Begins held transfers of a lane. Whatever the order in which libcurl opens streams, the oldest ones go first, so that each gets
    /// its turn however few requests a connection takes.
    private func releaseHeld(_ lane: Lane) {
        let unanswered = exchanges.values.count { $0.transfer.lane == lane && !$0.hasAnswer }
        let width = unanswered + priming.values.count { $0.transfer.lane == lane }
        let room = max((widths[lane] ?? CurlLoop.firstWidth) - width, 0)
        let transfers = held.values.map(\.transfer).filter { $0.lane == lane }.sorted { $0.number < $1.number }
        for transfer in transfers.prefix(room) {
            held[ObjectIdentifier(transfer)] = nil
            beginOrLeave(transfer, again: true)
        }
    }

    /// Records that a server processes no stream of a connection above a number.
    func goAway(_ connection: CurlStream.Connection, _ last: UInt32) {
        for exchange in exchanges.values where exchange.stream.connection == connection { exchange.stream.goAway(last) }
    }

    /// Begins a transfer that has a place, or gives the place to the next one.
    private func beginOrLeave(_ transfer: CurlTransfer, again: Bool = false) {
        if !begin(transfer, again: again) { leave(transfer.lane) }
    }

    /// Passes a transfer to libcurl; returns false if it failed instead.
    ///
    /// - Parameter again: Whether it begins although others of its lane are held.
    private func begin(_ transfer: CurlTransfer, again: Bool = false) -> Bool {
        if !again, held.values.contains(where: { $0.transfer.lane == transfer.lane }) {
            hold(transfer)
            return true
        }
        guard needsPriming(transfer) else { return add(transfer) }
        let pending = Pending(transfer: transfer)
        priming[ObjectIdentifier(transfer)] = pending
        note(pending.endOfPriming)
        return true
    }

    /// Whether to wait for the first bytes of a body.
    ///
    /// libcurl before 8.19 may lose an HTTP/2 response that comes together with the end of a stream whose request is not complete, as
    /// from a server that does not read it. So a short body is sent at once.
    private func needsPriming(_ transfer: CurlTransfer) -> Bool {
        guard engine.library.losesEarlyAnswers, let feed = transfer.feed else { return false }
        return transfer.request.mayUseHTTP2(options) && !feed.isPrimed()
    }

    /// Begins a transfer whose first bytes are there, or have taken too long.
    private func prime(_ pending: Pending) {
        guard ContinuousClock.now >= pending.endOfPriming || pending.transfer.feed?.isPrimed() != false else { return }
        priming[ObjectIdentifier(pending.transfer)] = nil
        if !add(pending.transfer) { leave(pending.transfer.lane) }
    }

    private func add(_ transfer: CurlTransfer) -> Bool {
        guard let easy = engine.library.easyInit().map({ CurlEasy(library: engine.library, handle: $0) }) else {
            transfer.finish(.failure(outOfMemory(transfer)))
            return false
        }
        let exchange = CurlExchange(transfer, easy, loop: self)
        var failure = exchange.refusedOption.map { CurlError.failure($0, url: transfer.request.url) }
        // It may have waited, or is sent again.
        if !transfer.request.hasPresentSignIns { failure = .accountChanged }
        if failure == nil, engine.library.multiAdd(engine.multi, easy.handle) != 0 { failure = outOfMemory(transfer) }
        if let failure {
            exchange.release()
            transfer.finish(.failure(failure))
            return false
        }
        exchanges[ObjectIdentifier(transfer)] = exchange
        running[easy.handle] = exchange
        note(exchange.deadline)
        return true
    }

    private func outOfMemory(_ transfer: CurlTransfer) -> RequestError {
        CurlError.failure(CurlError.memory, url: transfer.request.url)
    }

    // MARK: Working

    private func work() {
        var count: Int32 = 0
        _ = engine.library.multiPerform(engine.multi, &count)
        while let message = engine.library.multiRead(engine.multi, &count) {
            // CURLMSG_DONE. The message is invalid once the handle is removed.
            guard message.pointee.kind == 1, let handle = message.pointee.easy, let exchange = running[handle] else {
                continue
            }
            settle(exchange, exchange.result(message.pointee.data.code))
        }
        for left in exchange(&abandoned, with: []) where exchanges[ObjectIdentifier(left.transfer)] === left {
            // Its request would be sent on another connection by libcurl, after those that began later.
            if !left.stream.isDowngraded { settle(left, left.result(CurlError.notSentAgain)) }
        }
        for transfer in exchange(&resending, with: []) {
            if transfer.resends.last == .refused {
                hold(transfer)
                widths[transfer.lane] = CurlLoop.firstWidth
            } else {
                beginOrLeave(transfer, again: true)
            }
        }
        let lanes = Set(held.values.lazy.map(\.transfer.lane))
        if !widths.isEmpty { widths = widths.filter { lanes.contains($0.key) } }
        for lane in lanes { releaseHeld(lane) }
    }

    /// Ends an exchange, or sends its request again.
    private func settle(_ exchange: CurlExchange, _ result: Result<Void, RequestError>) {
        guard let reason = exchange.resendReason, exchange.transfer.sendsAgain(reason) else {
            return end(exchange, result)
        }
        remove(exchange)
        resending.append(exchange.transfer)
    }

    private func endLate() {
        guard let nextTimeout, ContinuousClock.now >= nextTimeout else { return }
        self.nextTimeout = nil
        let now = ContinuousClock.now
        // Waiting transfers first, or they would take the places of late ones.
        for place in Array(waiting.values) {
            reportWait(of: place, now)
            guard isDue(place.deadline, now) else { continue }
            let (option, value) = limit(of: place.transfer.lane)
            withdraw(place.transfer)
            let advice = "; raise the option \(option), which is \(value)"
            place.transfer.finish(.failure(place.transfer.timedOut("no place was free", advice)))
        }
        for pending in held.values.sorted(by: { $0.transfer.number < $1.transfer.number })
        where isDue(pending.endOfHolding, now) {
            held[ObjectIdentifier(pending.transfer)] = nil
            beginOrLeave(pending.transfer, again: true)
        }
        for pending in Array(priming.values) where isDue(pending.endOfPriming, now) { prime(pending) }
        for exchange in Array(exchanges.values) where isDue(exchange.deadline, now) {
            end(exchange, .failure(exchange.transfer.timedOut("no data arrived")))
        }
    }

    /// Whether a time has come; notes it if not.
    private func isDue(_ deadline: ContinuousClock.Instant?, _ now: ContinuousClock.Instant) -> Bool {
        guard let deadline, deadline > now else { return deadline != nil }
        note(deadline)
        return false
    }

    /// The option that makes a request wait, and its value.
    private func limit(of lane: Lane) -> (option: String, value: Int) {
        let perHost = lane.isStream ? "maximumStreamsPerHost" : "maximumRequestsPerHost"
        let queue = queues[lane.queueIndex]
        return queue.isFull(lane) ? (perHost, queue.limitPerHost) : ("maximumRequests", queue.limit)
    }

    /// Reports a request that has waited for long, once for all of its lane.
    private func reportWait(of place: Pending, _ now: ContinuousClock.Instant) {
        let lane = place.transfer.lane
        guard isDue(place.start.advanced(by: options.reportDelay), now), reported.insert(lane).inserted else { return }
        let (option, value) = limit(of: lane)
        let incident = CurlTransport.Incident(
            option: option, limit: value, origin: lane.origin.text,
            waitingCount: waiting.values.count { $0.transfer.lane == lane })
        CurlLoop.reports.async { [report = options.report] in
            if let report { report(incident) } else { OpenFile.report("ModelMirror: \(incident)") }
        }
    }

    /// Where incidents are reported, so that the program's closure delays no transfer.
    private static let reports = DispatchQueue(label: "ModelMirror.incidents")

    private func note(_ deadline: ContinuousClock.Instant?) {
        if let deadline { nextTimeout = min(nextTimeout ?? deadline, deadline) }
    }

    /// Waits for a socket, a command or a timeout, and while there are exchanges, no longer than a second, as `curl_easy_perform` does:
    /// some versions of libcurl do not wake up for a closed HTTP/2 connection (https://github.com/curl/curl/issues/11426).
    private func wait() {
        let longest = exchanges.isEmpty ? Int(Int32.max) : 1000
        let milliseconds = nextTimeout.map { max(($0 - ContinuousClock.now).milliseconds, 0) } ?? longest
        _ = engine.library.multiPoll(engine.multi, nil, 0, Int32(clamping: min(milliseconds, longest)), nil)
    }

    // MARK: Ending

    private func end(_ exchange: CurlExchange, _ result: Result<Void, RequestError>) {
        let metrics = exchange.metrics()
        let lane = exchange.transfer.lane
        if exchange.hasAnswer { widths[lane]? += 1 }
        remove(exchange)
        exchange.transfer.finish(result, metrics)
        leave(lane)
    }

    private func remove(_ exchange: CurlExchange) {
        if let connection = exchange.stream.connection, let socket = exchange.easy.keptSocket,
            kept[connection] != socket
        {
            // A closed connection may have had the same socket.
            kept = kept.filter { $0.value != socket }
            kept[connection] = socket
        }
        // Callbacks may occur until this returns, so the exchange is still held.
        _ = engine.library.multiRemove(engine.multi, exchange.easy.handle)
        running[exchange.easy.handle] = nil
        exchanges[ObjectIdentifier(exchange.transfer)] = nil
        exchange.release()
    }

    /// Starts the next transfer in the place of one that is done.
    private func leave(_ lane: Lane) {
        var lane = lane
        while let transfer = queues[lane.queueIndex].leave(lane),
            waiting.removeValue(forKey: ObjectIdentifier(transfer)) != nil, !begin(transfer)
        { lane = transfer.lane }
        tidyReports()
    }

    /// Forgets reports of lanes in which nothing waits any longer.
    private func tidyReports() {
        guard !reported.isEmpty else { return }
        reported = reported.filter { queues[$0.queueIndex].isAwaited($0) }
    }
}

extension Origin {
    /// `https://example.com:443`.
    fileprivate var text: String {
        "\(scheme)://\(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host):\(port)"
    }
}
#endif
