#if os(Linux)
/// How far a request got on its connection, so that one the server did not process can be sent again.
struct CurlStream {
    /// A connection while it exists: both addresses and ports.
    struct Connection: Hashable {
        let peer: String
        let own: String
        let peerPort: Int32
        let ownPort: Int32
    }

    /// The connection of the current attempt; nil before one is ready, and once libcurl has abandoned it.
    private(set) var connection: Connection?
    /// How often a connection was ready for the request.
    private(set) var readyCount = 0
    /// Whether the connection had been used before.
    private(set) var isReused = false
    /// Whether the server requires HTTP/1.1.
    private(set) var isDowngraded = false
    /// What the server sent in this stream, or on its connection, that breaks the protocol; nil for nothing known.
    private(set) var fault: String?
    private var number: UInt32?
    private var lastProcessed = UInt32.max
    private var isRefusedByName = false

    /// Records that a connection is ready.
    mutating func ready(on connection: Connection, isReused: Bool) {
        readyCount += 1
        self.connection = connection
        fault = nil
        if readyCount == 1 { self.isReused = isReused }
    }

    /// Records a remark; returns the last stream that the server processes if it concerns the whole connection.
    mutating func note(_ remark: CurlRemark) -> (connection: Connection, last: UInt32)? {
        switch remark {
        case .opened(let stream): number = stream
        case .goAway(let last): return connection.map { ($0, last) }
        case .refused: isRefusedByName = true
        case .abandoned: connection = nil
        case .downgraded: isDowngraded = true
        // libcurl attributes fields of another stream, and connections that it examines for a request that has none.
        case .invalid(let stream, let part):
            if stream.map({ $0 == number }) ?? (connection != nil) { fault = fault ?? part }
        }
        return nil
    }

    /// Records that the server processes no stream above a number.
    mutating func goAway(_ last: UInt32) { lastProcessed = min(lastProcessed, last) }

    /// Whether the server said that it did not process the request (RFC 9113 section 8.7).
    var isRefused: Bool { isRefusedByName || number.map { $0 > lastProcessed } ?? false }
}
#endif
