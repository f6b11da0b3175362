#if os(Linux)
import Foundation
import ModelMirrorTesting
import Testing

/// An HTTP/2 server on 127.0.0.1, without TLS, that ends streams and connections as a test wants (RFC 9113). A connection that begins
/// with HTTP/1.1 gets a response in it.
///
/// It does not decode the fields of requests: it counts streams and keeps the bytes of their bodies.
final class HTTP2Server: Sendable {
    /// What the server does with a request.
    enum Reaction: Sendable {
        /// Answers with 200 and `done` once the request is whole.
        case process
        /// Resets the stream with an error code once the head has come.
        case reset(ErrorCode)
        /// Announces that the streams before this one were the last ones, once the head has come.
        case goAway
        /// Closes the connection once the request is whole.
        case close
        /// Answers with a status once this many bytes of the body have come, resets the stream with NO_ERROR, and reads no more of it.
        case answer(Int, after: Int)
        /// Sends the head of an answer once this many bytes of the body have come, the rest after a signal, and reads no more.
        case answerHead(Int, after: Int, DispatchSemaphore)
        /// Sends frames once the request is whole, valid or not.
        case frames([Frame])
    }

    /// A frame of RFC 9113 section 6.
    struct Frame {
        enum Kind: UInt8 {
            case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
        }

        let kind: Kind
        var flags: UInt8 = 0
        /// The stream; nil for the request's.
        var stream: UInt32?
        var payload: [UInt8] = []
    }

    /// The codes of RFC 9113 section 7.
    enum ErrorCode: UInt32, Sendable {
        case none = 0
        case refusedStream = 7
        case http11Required = 13
    }

    /// A request, whatever became of it.
    struct Request: Sendable {
        /// Its connection, counted from 1.
        let connection: Int
        /// Its stream; 0 over HTTP/1.1.
        let stream: UInt32
        var body = Data()
        var isProcessed = false
    }

    let url: URL
    private let socket: StreamSocket
    private let wake: WakePipe
    private let reaction: @Sendable (_ number: Int) -> Reaction
    private let log = Observed<[Request]>([])
    private let connections = Observed<[StreamSocket]>([])

    /// Starts a server.
    ///
    /// - Parameter reaction: The reaction to each request, counted from 0 over all connections.
    init(_ reaction: @escaping @Sendable (_ number: Int) -> Reaction) throws {
        socket = try StreamSocket.bound(to: 0)
        try socket.listen()
        url = try #require(URL(string: "http://127.0.0.1:\(try socket.port())/"))
        wake = try WakePipe()
        self.reaction = reaction
        let (socket, wake, log, connections) = (socket, wake, log, connections)
        Thread.detachNewThread {
            while socket.wait(for: .reading, or: wake) == .ready {
                guard let accepted = try? socket.accept() else { continue }
                let number = connections.update { connections in
                    connections.append(accepted)
                    return connections.count
                }
                Thread.detachNewThread {
                    var connection = Connection(socket: accepted, number: number, reaction: reaction, log: log)
                    // The client has left, or the server is released.
                    try? connection.serve()
                    accepted.close()
                }
            }
        }
    }

    deinit {
        wake.wake()
        for connection in connections.value { connection.interrupt() }
    }

    /// The requests so far.
    var requests: [Request] { log.value }

    /// The bodies of the processed requests.
    var processedBodies: [Data] { requests.filter(\.isProcessed).map(\.body) }

    var connectionCount: Int { connections.value.count }
}

private struct Connection {
    private struct End: Error {}

    private typealias Kind = HTTP2Server.Frame.Kind

    private struct Stream {
        let number: Int
        let reaction: HTTP2Server.Reaction
        /// Whether nothing of it counts any longer.
        var isOver = false
    }

    let socket: StreamSocket
    let number: Int
    let reaction: @Sendable (Int) -> HTTP2Server.Reaction
    let log: Observed<[HTTP2Server.Request]>
    private var unread: [UInt8] = []
    private var streams: [UInt32: Stream] = [:]

    init(
        socket: StreamSocket, number: Int, reaction: @escaping @Sendable (Int) -> HTTP2Server.Reaction,
        log: Observed<[HTTP2Server.Request]>
    ) {
        self.socket = socket
        self.number = number
        self.reaction = reaction
        self.log = log
    }

    mutating func serve() throws {
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        while unread.count < preface.count, preface.starts(with: unread) { try fill() }
        guard unread.starts(with: preface) else { return try serveHTTP1() }
        unread.removeFirst(preface.count)
        try send(.settings)
        while true {
            let head = try take(9)
            let payload = try take(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2]))
            let stream = head[5...].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            guard try receive(Kind(rawValue: head[3]), flags: head[4], stream, payload) else { return }
        }
    }

    /// Takes a frame; returns false if the connection is to be closed.
    private mutating func receive(_ kind: Kind?, flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) throws -> Bool {
        switch kind {
        case .settings where flags & 1 == 0: try send(.settings, flags: 1)
        case .ping where flags & 1 == 0: try send(.ping, flags: 1, payload: payload)
        case .headers: try begin(stream)
        case .data where !payload.isEmpty: try receiveBody(payload, of: stream)
        default: break
        }
        guard kind == .headers || kind == .data, flags & 1 == 1, let request = streams[stream], !request.isOver else {
            return true
        }
        if case .close = request.reaction { return false }
        if case .process = request.reaction {
            log.update { $0[request.number].isProcessed = true }
            try answer(200, stream)
        }
        if case .frames(let frames) = request.reaction {
            for frame in frames {
                try send(frame.kind, flags: frame.flags, frame.stream ?? stream, payload: frame.payload)
            }
        }
        return true
    }

    private mutating func begin(_ stream: UInt32) throws {
        let request = note(stream)
        let reaction = reaction(request)
        streams[stream] = Stream(number: request, reaction: reaction)
        switch reaction {
        case .reset(let code):
            streams[stream]?.isOver = true
            try send(.reset, stream, payload: bytes(code.rawValue))
        case .goAway:
            streams[stream]?.isOver = true
            try send(.goAway, payload: bytes(stream >= 2 ? stream - 2 : 0) + bytes(HTTP2Server.ErrorCode.none.rawValue))
        case .process, .close, .answer, .answerHead, .frames: break
        }
    }

    private mutating func receiveBody(_ payload: [UInt8], of stream: UInt32) throws {
        guard let request = streams[stream], !request.isOver else { return }
        let count = log.update { log in
            log[request.number].body += payload
            return log[request.number].body.count
        }
        if case .answer(let status, let limit) = request.reaction {
            guard count >= limit else { return }
            streams[stream]?.isOver = true
            try answer(status, stream)
            try send(.reset, stream, payload: bytes(HTTP2Server.ErrorCode.none.rawValue))
        } else if case .answerHead(let status, let limit, let signal) = request.reaction {
            guard count >= limit else { return }
            streams[stream]?.isOver = true
            try sendHead(status, stream)
            signal.wait()
            try sendBody(stream)
        } else {
            for stream in [0, stream] { try send(.windowUpdate, stream, payload: bytes(UInt32(payload.count))) }
        }
    }

    /// Sends `:status` and a body of four bytes.
    private func answer(_ status: Int, _ stream: UInt32) throws {
        try sendHead(status, stream)
        try sendBody(stream)
    }

    private func sendHead(_ status: Int, _ stream: UInt32) throws {
        // RFC 7541 section 6.2.2: a literal without indexing, whose name is entry 8 of the static table.
        try send(.headers, flags: 4, stream, payload: [8, 3] + Array("\(status)".utf8))
    }

    private func sendBody(_ stream: UInt32) throws {
        try send(.data, flags: 1, stream, payload: Array("done".utf8))
    }

    private mutating func serveHTTP1() throws {
        while !String(decoding: unread, as: UTF8.self).contains("\r\n\r\n") { try fill() }
        let request = note(0)
        log.update { $0[request].isProcessed = true }
        try send(Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\ndone".utf8))
    }

    /// Records a request and returns its number.
    private func note(_ stream: UInt32) -> Int {
        log.update { log in
            log.append(HTTP2Server.Request(connection: number, stream: stream))
            return log.count - 1
        }
    }

    // MARK: Bytes

    private func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    private mutating func take(_ count: Int) throws -> [UInt8] {
        while unread.count < count { try fill() }
        defer { unread.removeFirst(count) }
        return Array(unread.prefix(count))
    }

    private mutating func fill() throws {
        var space: [UInt8] = Array(repeating: 0, count: 1 << 14)
        _ = socket.wait(for: .reading)
        guard let count = try space.withUnsafeMutableBytes({ try socket.receive(into: $0) }) else { return }
        guard count > 0 else { throw End() }
        unread += space[..<count]
    }

    private func send(_ kind: Kind, flags: UInt8 = 0, _ stream: UInt32 = 0, payload: [UInt8] = []) throws {
        try send(bytes(UInt32(payload.count)).dropFirst() + [kind.rawValue, flags] + bytes(stream) + payload)
    }

    private func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            _ = socket.wait(for: .writing)
            sent += try bytes[sent...].withUnsafeBytes { try socket.send($0) } ?? 0
        }
    }
}
#endif
