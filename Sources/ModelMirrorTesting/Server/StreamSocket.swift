import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A failed system call.
package struct SocketFailure: Error, CustomStringConvertible {
    /// The name of the call.
    package let call: String
    /// Its `errno`.
    package let code: Int32

    /// One sentence, such as `bind on 127.0.0.1 failed with errno 98: Address already in use.`
    package var description: String {
        "\(call) on 127.0.0.1 failed with errno \(code): \(String(cString: strerror(code)))."
    }

    /// Whether the peer has disconnected.
    package var isDisconnect: Bool { [ECONNRESET, EPIPE, ENOTCONN, ECONNABORTED, ETIMEDOUT].contains(code) }

    /// Whether the port has no listener.
    package var isRefusal: Bool { code == ECONNREFUSED }

    /// The failure of a call; the code defaults to `errno`.
    package init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }
}

/// A nonblocking TCP socket on 127.0.0.1: every wait is one `poll` that can be woken.
///
/// Only the thread that owns the socket may call it, except for ``interrupt()``, which is safe on any thread. No call raises
/// `SIGPIPE`.
package final class StreamSocket: Sendable {
    /// How a wait ended.
    package enum Readiness { case ready, woken, timedOut }

    /// The direction to wait for.
    package enum Direction { case reading, writing }

    private let descriptor: Int32
    // Guards the descriptor: once it is closed, the system may reuse it for another socket.
    private let isOpen = Mutex(true)

    private init(adopting descriptor: Int32) throws {
        self.descriptor = descriptor
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            throw SocketFailure("fcntl")
        }
        #if canImport(Darwin)
        set(SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    }

    deinit { close() }

    /// A socket bound to a port of 127.0.0.1; 0 for one chosen by the system. Until it listens, the port refuses connections.
    package static func bound(to port: UInt16) throws -> StreamSocket {
        let socket = try make()
        // Needed to bind a port whose connections ended a moment ago. Not set for a port chosen by the system, which could then
        // be in use by another process.
        if port != 0 { socket.set(SOL_SOCKET, SO_REUSEADDR, 1) }
        guard withLoopbackAddress(port, { bind(socket.descriptor, $0, $1) }) == 0 else { throw SocketFailure("bind") }
        return socket
    }

    /// A socket connected to a port of 127.0.0.1.
    package static func connected(to port: UInt16) throws -> StreamSocket {
        let socket = try make()
        let result = withLoopbackAddress(port) { connect(socket.descriptor, $0, $1) }
        if result != 0 {
            guard errno == EINPROGRESS else { throw SocketFailure("connect") }
            _ = socket.wait(for: .writing)
            var code: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(socket.descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
            errno = code
            if code != 0 { throw SocketFailure("connect") }
        }
        return socket
    }

    private static func make() throws -> StreamSocket {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw SocketFailure("socket") }
        return try StreamSocket(adopting: descriptor)
    }

    private static func withLoopbackAddress(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        #if canImport(Darwin)
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        #endif
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Sets the size of the send buffer in bytes; the system may double it.
    package func setSendBuffer(_ bytes: Int) { set(SOL_SOCKET, SO_SNDBUF, Int32(clamping: bytes)) }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The port that the socket is bound to.
    package func port() throws -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard result == 0 else { throw SocketFailure("getsockname") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Begins to accept connections.
    package func listen() throws {
        // Inherited by connections, which otherwise block the port for the next server.
        set(SOL_SOCKET, SO_REUSEADDR, 1)
        // As many as the system allows: a test opens hundreds at once.
        guard systemListen(descriptor, 1024) == 0 else { throw SocketFailure("listen") }
    }

    /// The next connection; nil if there is none now.
    package func accept() throws -> StreamSocket? {
        let accepted = systemAccept(descriptor)
        if accepted >= 0 { return try StreamSocket(adopting: accepted) }
        guard [EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED].contains(errno) else { throw SocketFailure("accept") }
        return nil
    }

    /// Reads available bytes.
    ///
    /// - Returns: The number of bytes read; 0 at the end; nil if there are none now.
    package func receive(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count >= 0 { return count }
        guard [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) else { throw SocketFailure("recv") }
        return nil
    }

    /// The input that can be read.
    package enum Unread { case nothing, bytes, end }

    /// Checks for input without reading it.
    package func unread() throws -> Unread {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK))
        if count >= 0 { return count == 0 ? .end : .bytes }
        guard [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) else { throw SocketFailure("recv") }
        return .nothing
    }

    /// Sends as many bytes as the system accepts.
    ///
    /// - Returns: The number of bytes accepted; nil if none now.
    package func send(_ bytes: UnsafeRawBufferPointer) throws -> Int? {
        let count = systemSend(descriptor, bytes)
        if count >= 0 { return count }
        guard [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) else { throw SocketFailure("send") }
        return nil
    }

    /// Waits until the socket can be read or written (or has failed, which the next call reports), or the pipe is woken.
    ///
    /// - Parameters:
    ///   - direction: The direction to wait for; nil for the pipe alone.
    ///   - pipe: Ends the wait from another thread.
    ///   - timeout: The longest wait; nil for no limit.
    package func wait(for direction: Direction?, or pipe: WakePipe? = nil, timeout: Duration? = nil) -> Readiness {
        let deadline = timeout.map { ContinuousClock.now + min($0, .seconds(1_000_000_000)) }
        while true {
            var entries = [
                pollfd(fd: -1, events: 0, revents: 0),
                pollfd(fd: pipe?.reader ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            if let direction {
                entries[0] = pollfd(
                    fd: descriptor, events: Int16(direction == .reading ? POLLIN : POLLOUT), revents: 0)
            }
            var milliseconds: Int32 = -1
            if let deadline {
                let left = deadline - ContinuousClock.now
                // Rounded up, or the last fraction of a millisecond would be spent in a busy loop.
                milliseconds = left <= .zero ? 0 : Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up)))
            }
            let count = poll(&entries, 2, milliseconds)
            if count > 0 {
                if entries[1].revents != 0 { return .woken }
                return .ready
            }
            if count == 0, let deadline, ContinuousClock.now >= deadline { return .timedOut }
        }
    }

    /// Shuts down both directions, which ends any wait. Safe to call from any thread.
    package func interrupt() {
        isOpen.withLock { if $0 { _ = shutdown(descriptor, Int32(SHUT_RDWR)) } }
    }

    /// Shuts down the sending direction.
    package func finishSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes the socket; with `reset`, the peer gets RST and unsent bytes are dropped.
    package func close(reset: Bool = false) {
        isOpen.withLock { isOpen in
            guard isOpen else { return }
            isOpen = false
            if reset {
                var choice = linger(l_onoff: 1, l_linger: 0)
                setsockopt(descriptor, SOL_SOCKET, lingerOption, &choice, socklen_t(MemoryLayout<linger>.size))
            }
            systemClose(descriptor)
        }
    }
}

/// Wakes a thread that waits in `poll`, from any thread.
package final class WakePipe: Sendable {
    fileprivate let reader: Int32
    private let writer: Int32

    /// A pipe.
    package init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SocketFailure("pipe") }
        reader = ends[0]
        writer = ends[1]
        for end in ends {
            guard fcntl(end, F_SETFD, FD_CLOEXEC) == 0, fcntl(end, F_SETFL, O_NONBLOCK) == 0 else {
                throw SocketFailure("fcntl")
            }
        }
    }

    deinit {
        systemClose(reader)
        systemClose(writer)
    }

    /// Ends the current or the next wait. If the pipe is full, the wait ends anyway.
    package func wake() {
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }

    /// Discards the wakes so far.
    package func drain() {
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while read(reader, &bytes, bytes.count) > 0 {}
    }
}

// System calls under names that the methods above do not hide, and constants whose types differ between systems.

private func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }

private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
    send(descriptor, bytes.baseAddress, bytes.count, 0)
    #else
    send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
}

#if canImport(Darwin)
// SO_LINGER counts clock ticks on this platform.
private let lingerOption = SO_LINGER_SEC
#else
private let lingerOption = SO_LINGER
#endif
