public import ModelMirrorFoundation

/// Writes a response body of a ``LoopbackServer``, on the thread of its connection.
///
/// Every call blocks until it is done, and throws when the client has left or the server was stopped; rethrow that error.
public final class LoopbackWriter {
    private let connection: LoopbackConnection
    private let exchange: LoopbackExchange
    private let isChunked: Bool
    /// The number of body bytes passed to `write` so far.
    private(set) var written = 0

    init(_ connection: LoopbackConnection, exchange: LoopbackExchange, isChunked: Bool) {
        self.connection = connection
        self.exchange = exchange
        self.isChunked = isChunked
    }

    /// The number of body bytes that the system has accepted so far.
    public var bytesWritten: Int { exchange.bytesWritten }

    /// Writes bytes; in a chunked body, as one chunk. Blocks while the client does not read.
    public func write(_ data: Data) throws {
        guard !data.isEmpty else { return }
        written += data.count
        guard isChunked else { return try connection.send(data, for: exchange) }
        let size = Data((String(data.count, radix: 16) + "\r\n").utf8)
        let end = Data("\r\n".utf8)
        if data.count <= 1 << 14 {
            // One packet for a small chunk.
            try connection.send(size + data + end, for: exchange, counting: size.count, data.count)
        } else {
            try connection.send(size)
            try connection.send(data, for: exchange)
            try connection.send(end)
        }
    }

    /// Writes text in UTF-8.
    public func write(_ text: String) throws { try write(Data(text.utf8)) }

    /// Waits at a gate.
    public func wait(at gate: Gate) throws { try connection.wait(at: gate) }

    /// Waits for a duration. For demonstrations; use a ``Gate`` in tests.
    public func pause(for duration: Duration) throws { try connection.pause(for: duration) }

    /// Resets the connection: the client gets RST, and nothing more can be written.
    public func reset() throws {
        connection.reset()
        throw LoopbackConnection.End.reset
    }

    func finish() throws {
        if isChunked { try connection.send(Data("0\r\n\r\n".utf8)) }
    }
}
