import Foundation
import ModelMirrorNetworking

extension LoopbackConnection {
    /// Answers a request.
    ///
    /// - Returns: Whether the connection can take another.
    /// - Throws: `End`, when there is nobody to send to.
    func answer(_ request: LoopbackRequest, keepsAlive: Bool, server: ServerState) throws -> Bool {
        let (request, answer) = server.answer(for: request)
        let exchange = server.begin(request)
        var outcome = LoopbackExchange.Outcome.sent
        defer { exchange.progress.update { $0.outcome = outcome } }
        do {
            var response = try answer(request)
            var before = response.before
            while case .decided(let decide) = response.content {
                response = try decide(request)
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
            // Within a response, the end of the connection is the only way left to say so.
            guard exchange.hasNoHead else { return false }
            let text = "The handler of \(request.method) \(request.path) failed: \(error)"
            return try send(.text(text, status: 500), to: request, keepsAlive: keepsAlive, exchange)
        }
    }

    private func send(
        _ response: LoopbackResponse, to request: LoopbackRequest, keepsAlive: Bool, _ exchange: LoopbackExchange
    ) throws -> Bool {
        let head = ResponseHead(status: response.status, headers: response.headers)
        if let fault = head.fault { throw ResponseFault(description: fault) }
        let hasBody = head.allowsBody && request.method != .head
        switch response.content {
        case .decided:
            throw ResponseFault(description: "A decided response reached the connection undecided.")
        case .raw(let write):
            exchange.progress.update { $0.hasHead = true }
            try write(LoopbackWriter(self, exchange: exchange, isChunked: false))
            return false
        case .data(let data):
            let closes = response.closesConnection || !keepsAlive
            let bytes = head.bytes(.length(data.count), closes: closes)
            exchange.begin(response.status)
            // One send for both: a small response is one packet.
            try send(hasBody ? bytes + data : bytes, for: exchange, counting: bytes.count, hasBody ? data.count : 0)
            return !closes
        case .written(let length, let write):
            // A client of HTTP/1.0 knows no chunks; for it, the end of the connection ends the body.
            let isChunked = length == nil && !request.isHTTP10
            var closes = response.closesConnection || !keepsAlive || (length == nil && !isChunked)
            exchange.begin(response.status)
            let end = length.map { ResponseHead.Framing.length($0) } ?? (isChunked ? .chunked : .endOfConnection)
            try send(head.bytes(end, closes: closes))
            // Not even begun for HEAD: a stream without an end would never notice that nobody reads it.
            guard hasBody else { return !closes }
            let writer = LoopbackWriter(self, exchange: exchange, isChunked: isChunked)
            try write(writer)
            try writer.finish()
            if let length, length != writer.written { closes = true }
            return !closes
        }
    }
}

/// A response that cannot be sent as it is.
private struct ResponseFault: Error, CustomStringConvertible {
    let description: String
}
