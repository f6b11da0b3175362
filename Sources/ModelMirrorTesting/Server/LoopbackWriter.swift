public import Foundation

/// Writes the body of a response of a ``LoopbackServer``, on the thread of its connection.
///
/// Every call blocks until it is done, and throws when the client has left or the server was stopped; pass that on.
public final class LoopbackWriter {
    /// How bytes are framed.
    enum Framing {
        case chunked
        case plain
        /// Nothing is sent: the answer to HEAD.
        case discarded
    }

    private let connection: LoopbackConnection
    private let exchange: LoopbackExchange
    private let framing: Framing
    private(set) var written = 0
    private(set) var wasReset = false

    init(_ connection: LoopbackConnection, exchange: LoopbackExchange, framing: Framing) {
        self.connection = connection
        self.exchange = exchange
        self.framing = framing
    }

    /// How many bytes of the body the system has taken so far.
    public var bytesWritten: Int { exchange.bytesWritten }

    /// Writes bytes; in a chunked body, as one chunk. Blocks while the client does not read.
    public func write(_ data: Data) throws {
        guard !data.isEmpty else { return }
        written += data.count
        switch framing {
        case .discarded: return
        case .plain: try connection.send(data, for: exchange)
        case .chunked:
            let size = String(data.count, radix: 16) + "\r\n"
            if data.count <= 1 << 14 {
                try connection.send(
                    Data(size.utf8) + data + Data("\r\n".utf8), for: exchange, counting: size.utf8.count, data.count)
            } else {
                try connection.send(Data(size.utf8))
                try connection.send(data, for: exchange)
                try connection.send(Data("\r\n".utf8))
            }
        }
    }

    /// Writes text in UTF-8.
    public func write(_ text: String) throws { try write(Data(text.utf8)) }

    /// Waits at a gate.
    public func wait(at gate: Gate) throws { try connection.wait(at: gate) }

    /// Waits for a time. For demonstrations; a test has gates.
    public func pause(for duration: Duration) throws { try connection.pause(for: duration) }

    /// Resets the connection: the client gets RST, and nothing more can be written.
    public func reset() throws {
        wasReset = true
        connection.reset()
        throw LoopbackConnection.End.reset
    }

    /// Writes what ends the body.
    func finish() throws {
        if framing == .chunked { try connection.send(Data("0\r\n\r\n".utf8)) }
    }
}
