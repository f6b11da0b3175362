import Foundation
import ModelMirrorTesting

/// A client that sends and receives raw bytes, without any knowledge of HTTP.
final class RawClient {
    private let socket: StreamSocket
    private var unread: [UInt8] = []
    /// Ends a test that hangs.
    private let patience: Duration = .seconds(300)

    struct TooSlow: Error {}

    init(_ server: LoopbackServer) throws { socket = try StreamSocket.connected(to: server.port) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                if let count = try socket.send(UnsafeRawBufferPointer(rebasing: bytes[sent...])) {
                    sent += count
                } else if socket.wait(for: .writing, timeout: patience) == .timedOut {
                    throw TooSlow()
                }
            }
        }
    }

    /// Everything until the server closes the connection.
    func readToEnd() throws -> String {
        while try fill() {}
        defer { unread = [] }
        return String(decoding: unread, as: UTF8.self)
    }

    /// Everything up to and including the given text.
    func read(through end: String) throws -> String {
        while true {
            let text = String(decoding: unread, as: UTF8.self)
            if let range = text.range(of: end) {
                let taken = text[..<range.upperBound]
                unread.removeFirst(taken.utf8.count)
                return String(taken)
            }
            guard try fill() else { return text }
        }
    }

    func read(count: Int) throws -> String {
        while unread.count < count, try fill() {}
        defer { unread.removeFirst(min(count, unread.count)) }
        return String(decoding: unread.prefix(count), as: UTF8.self)
    }

    /// Reads to the end and counts the bytes, without keeping them.
    func dropToEnd() throws -> Int {
        var count = unread.count
        unread = []
        while try fill() {
            count += unread.count
            unread = []
        }
        return count
    }

    func finishSending() { socket.finishSending() }

    func close(reset: Bool = false) { socket.close(reset: reset) }

    private func fill() throws -> Bool {
        var bytes: [UInt8] = Array(repeating: 0, count: 1 << 16)
        while true {
            let count = try bytes.withUnsafeMutableBytes { try socket.receive(into: $0) }
            if let count {
                unread.append(contentsOf: bytes[..<count])
                return count > 0
            }
            guard socket.wait(for: .reading, timeout: patience) == .ready else { throw TooSlow() }
        }
    }
}
