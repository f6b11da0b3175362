import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization

/// A transport that keeps the contract with plain sockets: the reference for the conformance check, so that no
/// check depends on the ways of one platform's client. One connection for each request, no TLS.
struct SocketTransport: Transport {
    func response(to request: TransportRequest) async throws -> TransportResponse {
        let request = try request.prepared()
        return try await request.beforeDeadline { try await followed(request) }
    }

    private func followed(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        let policy = request.redirects ?? .follow(limit: 20)
        var count = 0
        while true {
            let response = try await SocketExchange(request).response()
            guard
                let next = try request.redirected(
                    status: response.status, headers: response.headers, policy: policy, count: count)
            else { return response }
            request = next
            count += 1
        }
    }

    func identity(for request: TransportRequest) -> TransportIdentity { .none }
}

/// One request on its own connection and queue. Releasing it closes the connection.
private final class SocketExchange: ResponseBody.Source {
    private struct State {
        var unread: [UInt8] = []
        var left: Left = .end
    }

    /// The part of the body that has not been read.
    private enum Left { case end, untilClose, bytes(Int), chunks }

    private struct Ended: Error {}

    private let request: TransportRequest
    private let queue = DispatchQueue(label: "exchange")
    private let pipe: WakePipe?
    private let socket = Mutex<StreamSocket?>(nil)
    private let state = Mutex(State())
    private let isCancelled = Mutex(false)

    init(_ request: TransportRequest) {
        self.request = request
        pipe = try? WakePipe()
    }

    func response() async throws -> TransportResponse {
        try await run { try $0.begin() }
        if let body = request.body {
            for try await chunk in body { try await run { try $0.sendChunk(chunk) } }
            if body.length == nil { try await run { try $0.send(Data("0\r\n\r\n".utf8)) } }
        }
        return try await run { try $0.readResponse() }
    }

    func nextChunk() async throws -> Data? { try await run { try $0.next() } }

    private func run<Value: Sendable>(_ work: @escaping @Sendable (SocketExchange) throws -> Value) async throws
        -> Value
    {
        let result: Result<Value, any Error> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: Result { try work(self) }) }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
            pipe?.wake()
        }
        if case .failure = result { socket.withLock { $0 = nil } }
        do {
            return try result.get()
        } catch let failure as SocketFailure {
            throw failed(failure.isRefusal ? .cannotConnect : .connectionLost, "\(failure)")
        } catch is Ended {
            throw failed(.connectionLost, "The connection ended.")
        }
    }

    private func failed(_ kind: RequestError.ConnectionFailure.Kind, _ reason: String) -> RequestError {
        .connection(.init(kind, url: request.url, reason: reason))
    }

    private func connection() throws -> StreamSocket {
        guard let socket = socket.withLock(\.self) else { throw Ended() }
        return socket
    }

    private func wait(_ direction: StreamSocket.Direction) throws {
        switch try connection().wait(for: direction, or: pipe, timeout: request.timeout) {
        case .ready: break
        case .timedOut: throw failed(.timedOut, "Nothing came.")
        case .woken: throw RequestError.cancelled
        }
        if isCancelled.withLock(\.self) { throw RequestError.cancelled }
    }

    private func begin() throws {
        if isCancelled.withLock(\.self) { throw RequestError.cancelled }
        let opened = try StreamSocket.connected(to: UInt16(request.url.port ?? 80))
        socket.withLock { $0 = opened }
        try sendHead()
    }

    private func readResponse() throws -> TransportResponse {
        while true {
            let head = try readHead()
            guard let status = Int(head.status), head.line.hasPrefix("HTTP/1.1 ") else {
                throw failed(.badResponse, head.line)
            }
            if status < 200 { continue }
            let length = head.headers[.contentLength].flatMap(Int.init)
            let left: Left =
                if request.method == .head || status == 204 || status == 304 || length == 0 {
                    .end
                } else if head.headers["Transfer-Encoding"] == "chunked" {
                    .chunks
                } else if let length { .bytes(length) } else { .untilClose }
            state.withLock { $0.left = left }
            return TransportResponse(status: status, headers: head.headers, url: request.url, body: ResponseBody(self))
        }
    }

    private func sendHead() throws {
        let url = request.url
        var target = url.path(percentEncoded: true)
        if target.isEmpty { target = "/" }
        if let query = url.query(percentEncoded: true) { target += "?" + query }
        var text = "\(request.method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(url.port ?? 80)\r\n"
        for field in request.headers.fields { text += "\(field.name): \(field.value)\r\n" }
        if let body = request.body {
            text += body.length.map { "Content-Length: \($0)\r\n" } ?? "Transfer-Encoding: chunked\r\n"
        }
        try send(Data((text + "\r\n").utf8))
    }

    private func sendChunk(_ chunk: Data) throws {
        guard request.body?.length == nil else { return try send(chunk) }
        try send(Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8))
    }

    private func send(_ data: Data) throws {
        let socket = try connection()
        if isCancelled.withLock(\.self) { throw RequestError.cancelled }
        try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            var sent = 0
            while sent < bytes.count {
                if let count = try socket.send(UnsafeRawBufferPointer(rebasing: bytes[sent...])) {
                    sent += count
                } else {
                    try wait(.writing)
                }
            }
        }
    }

    private func readHead() throws -> (line: String, status: Substring, headers: HTTPHeaders) {
        var lines: [String] = []
        while let line = try readLine(), !line.isEmpty {
            lines.append(line)
            if lines.count == 1, !line.hasPrefix("HTTP/1.") { throw failed(.badResponse, line) }
        }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw Ended() }
            headers.append(parts[1].trimmingCharacters(in: .whitespaces), for: HeaderName(String(parts[0])))
        }
        let line = lines.first ?? ""
        return (line, line.split(separator: " ").dropFirst().first ?? "", headers)
    }

    private func readLine() throws -> String? {
        while true {
            let line = state.withLock { state -> [UInt8]? in
                guard let end = state.unread.firstIndex(of: 10) else { return nil }
                defer { state.unread.removeFirst(end + 1) }
                return state.unread[..<end].filter { $0 != 13 }
            }
            if let line { return String(decoding: line, as: UTF8.self) }
            guard try fill() else { throw Ended() }
        }
    }

    private func fill() throws -> Bool {
        let socket = try connection()
        var bytes: [UInt8] = Array(repeating: 0, count: 1 << 16)
        while true {
            if isCancelled.withLock(\.self) { throw RequestError.cancelled }
            if let count = try bytes.withUnsafeMutableBytes({ try socket.receive(into: $0) }) {
                state.withLock { $0.unread.append(contentsOf: bytes[..<count]) }
                return count > 0
            }
            try wait(.reading)
        }
    }

    private func next() throws -> Data? {
        switch state.withLock(\.left) {
        case .end: return nil
        case .untilClose: return try take(.max, isAll: false)
        case .bytes(let count):
            let data = try take(count, isAll: false)
            guard let data else { throw Ended() }
            state.withLock { $0.left = data.count == count ? .end : .bytes(count - data.count) }
            return data
        case .chunks:
            guard let size = try readLine().flatMap({ Int($0, radix: 16) }) else { throw Ended() }
            if size == 0 {
                state.withLock { $0.left = .end }
                return nil
            }
            let data = try take(size, isAll: true)
            _ = try readLine()
            return data
        }
    }

    private func take(_ limit: Int, isAll: Bool) throws -> Data? {
        while true {
            let data = state.withLock { state -> Data? in
                guard isAll ? state.unread.count >= limit : !state.unread.isEmpty else { return nil }
                let piece = state.unread.prefix(limit)
                state.unread.removeFirst(piece.count)
                return Data(piece)
            }
            if let data { return data }
            guard try fill() else {
                if isAll { throw Ended() }
                return nil
            }
        }
    }
}
