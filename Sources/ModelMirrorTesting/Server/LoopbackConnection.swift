import ModelMirrorFoundation
import ModelMirrorNetworking
import Synchronization

/// One connection of a ``LoopbackServer`` and its thread: reads requests and answers them one after the other.
final class LoopbackConnection: Sendable {
    /// Ways for a connection to end other than a refused request.
    enum End: Error { case clientLeft, stopped, reset }

    private let socket: StreamSocket
    private let wakes = Mutex<WakePipe?>(nil)
    private let isStopped = Mutex(false)
    private let server: ServerState
    private let number: Int

    init(_ socket: StreamSocket, number: Int, server: ServerState) {
        self.socket = socket
        self.number = number
        self.server = server
    }

    /// Serves the connection until its end. Called on its thread.
    func run() {
        defer { socket.close() }
        var reader = RequestReader(limits: server.limits, number: number) { buffer in
            try self.fill(&buffer)
        } proceed: {
            try self.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        do {
            while let (request, keepsAlive) = try reader.next() {
                guard try answer(request, keepsAlive: keepsAlive, server: server) else { break }
            }
        } catch let refusal as LoopbackRefusal {
            server.note(refusal)
            let head = ResponseHead(status: refusal.status, headers: [.contentType: "text/plain; charset=utf-8"])
            let body = Data(refusal.reason.utf8)
            do { try send(head.bytes(.length(body.count), closes: true) + body) } catch { return }
        } catch {
            // The client has left between two requests, or the server is stopping: nobody would receive a response.
            return
        }
        closeGently()
    }

    /// Ends the connection at once. Safe to call from any thread.
    func stop() {
        isStopped.withLock { $0 = true }
        socket.interrupt()
        wakes.withLock { $0?.wake() }
    }

    /// Reads more bytes; false at the end of the client's input.
    func fill(_ buffer: inout [UInt8]) throws -> Bool {
        while true {
            _ = socket.wait(for: .reading)
            if let count = try receive(into: &buffer) { return count > 0 }
        }
    }

    private func receive(into buffer: inout [UInt8]) throws -> Int? {
        if isStopped.withLock(\.self) { throw End.stopped }
        do {
            return try withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 1) { space in
                let count = try socket.receive(into: space)
                if let count { buffer.append(contentsOf: space[..<count]) }
                return count
            }
        } catch let failure as SocketFailure where failure.isDisconnect {
            throw End.clientLeft
        }
    }

    /// Sends all bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - exchange: The exchange whose progress is updated, if any.
    ///   - framing: The number of leading bytes that do not count as body.
    ///   - length: The number of bytes that count; defaults to the rest.
    func send(
        _ data: Data, for exchange: LoopbackExchange? = nil, counting framing: Int = 0, _ length: Int? = nil
    ) throws {
        let length = length ?? data.count
        var counted = 0
        try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            var sent = 0
            while sent < bytes.count {
                if isStopped.withLock(\.self) { throw End.stopped }
                do {
                    guard let count = try socket.send(UnsafeRawBufferPointer(rebasing: bytes[sent...])) else {
                        waitForRoom(exchange)
                        continue
                    }
                    sent += count
                } catch let failure as SocketFailure where failure.isDisconnect {
                    throw isStopped.withLock(\.self) ? End.stopped : End.clientLeft
                }
                let now = max(0, min(sent - framing, length))
                exchange?.progress.update { $0.bytesWritten += now - counted }
                counted = now
            }
        }
    }

    private func waitForRoom(_ exchange: LoopbackExchange?) {
        guard socket.wait(for: .writing, timeout: server.limits.stallTime) == .timedOut else { return }
        exchange?.progress.update { $0.isStalled = true }
        _ = socket.wait(for: .writing)
        exchange?.progress.update { $0.isStalled = false }
    }

    func wait(at gate: Gate) throws {
        let pipe = try wakePipe()
        gate.arrive()
        defer { gate.leave(pipe) }
        while !gate.take(orTell: pipe, { pipe.wake() }) {
            try idle(orWokenBy: pipe, until: nil)
            pipe.drain()
        }
    }

    func pause(for duration: Duration) throws {
        let deadline = ContinuousClock.now + min(duration, TransportRequest.longestTimeout)
        let pipe = try wakePipe()
        while ContinuousClock.now < deadline { try idle(orWokenBy: pipe, until: deadline) }
    }

    private func wakePipe() throws -> WakePipe {
        try wakes.withLock { pipe in
            if let pipe { return pipe }
            let made = try WakePipe()
            pipe = made
            return made
        }
    }

    private func idle(orWokenBy pipe: WakePipe, until deadline: ContinuousClock.Instant?) throws {
        if isStopped.withLock(\.self) { throw End.stopped }
        do {
            // Bytes the client has sent ahead stay unread, and would end every wait at once.
            let direction: StreamSocket.Direction?
            switch try socket.unread() {
            case .nothing: direction = .reading
            case .bytes: direction = nil
            case .end: throw End.clientLeft
            }
            _ = socket.wait(for: direction, or: pipe, timeout: deadline.map { $0 - ContinuousClock.now })
        } catch let failure as SocketFailure where failure.isDisconnect {
            throw isStopped.withLock(\.self) ? End.stopped : End.clientLeft
        }
        if isStopped.withLock(\.self) { throw End.stopped }
    }

    func reset() { socket.close(reset: true) }

    /// Closes the connection so that sent bytes arrive: closing with unread bytes would send RST.
    private func closeGently() {
        socket.finishSending()
        var dropped: [UInt8] = []
        let deadline = ContinuousClock.now + .seconds(1)
        while socket.wait(for: .reading, timeout: deadline - ContinuousClock.now) == .ready {
            dropped.removeAll(keepingCapacity: true)
            guard let count = try? receive(into: &dropped) else { return }
            if count == 0 { return }
        }
    }
}

extension LoopbackConnection {
    /// Answers a request.
    ///
    /// - Returns: Whether the connection can serve another request.
    /// - Throws: `End` if the client cannot be reached.
    func answer(_ request: LoopbackRequest, keepsAlive: Bool, server: ServerState) throws -> Bool {
        let (request, answer) = server.answer(for: request)
        let exchange = server.begin(request)
        var outcome = LoopbackExchange.Outcome.sent
        defer { exchange.progress.update { $0.outcome = outcome } }
        do {
            var response = try answer(request)
            var before = response.before
            while case .decided(let decide) = response.content {
                let closes = response.closesConnection
                response = response.applied(to: try decide(request))
                if closes { response.closesConnection = true }
                before += response.before
            }
            let gate = LoopbackWriter(self, exchange: exchange, isChunked: false)
            for step in before { try step(gate) }
            return try send(response, to: request, keepsAlive: keepsAlive, exchange)
        } catch let end as End {
            switch end {
            case .clientLeft: outcome = .clientLeft
            case .stopped: outcome = .stopped
            case .reset: break
            }
            throw end
        } catch {
            outcome = .failed(String(describing: error))
            // After the head, only closing the connection can report an error.
            guard exchange.hasNoHead else { return false }
            let text = "The handler of \(request.method) \(request.path) failed: \(error)"
            return try send(.text(text, status: 500), to: request, keepsAlive: keepsAlive, exchange)
        }
    }

    private func send(
        _ response: LoopbackResponse, to request: LoopbackRequest, keepsAlive: Bool, _ exchange: LoopbackExchange
    ) throws -> Bool {
        let head = ResponseHead(status: response.status, headers: response.headers)
        if let fault = response.fault { throw ResponseFault(description: fault) }
        let keepsAlive = keepsAlive && !head.endsWithConnection
        let hasBody = head.allowsBody && request.method != .head
        switch response.content {
        case .decided:
            throw ResponseFault(description: "the response was not decided")
        case .raw(let write):
            exchange.progress.update { $0.hasHead = true }
            try write(LoopbackWriter(self, exchange: exchange, isChunked: false))
            return false
        case .data(let data):
            let closes = response.closesConnection || !keepsAlive
            let bytes = head.bytes(.length(data.count), closes: closes)
            exchange.begin(response.status)
            // Sent at once, so that a small response is one packet.
            try send(hasBody ? bytes + data : bytes, for: exchange, counting: bytes.count, hasBody ? data.count : 0)
            return !closes
        case .written(let length, let write):
            // HTTP/1.0 has no chunked coding; the end of the connection ends the body.
            let isChunked = length == nil && !request.isHTTP10
            var closes = response.closesConnection || !keepsAlive || (length == nil && !isChunked)
            exchange.begin(response.status)
            let end = length.map { ResponseHead.Framing.length($0) } ?? (isChunked ? .chunked : .endOfConnection)
            try send(head.bytes(end, closes: closes))
            // Not started for HEAD: an endless stream would not notice that nobody reads it.
            guard hasBody else { return !closes }
            let writer = LoopbackWriter(self, exchange: exchange, isChunked: isChunked)
            try write(writer)
            try writer.finish()
            if let length, length != writer.written { closes = true }
            return !closes
        }
    }
}

private struct ResponseFault: Error, CustomStringConvertible {
    let description: String
}
