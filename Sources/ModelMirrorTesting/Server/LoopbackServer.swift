public import Foundation
public import ModelMirrorNetworking

/// A small HTTP/1.1 server on 127.0.0.1 for tests, with real sockets, that can misbehave on purpose.
///
/// ```swift
/// let server = try LoopbackServer()
/// defer { server.stop() }
/// server.on(.get, "/users/octocat/gists", .json(gists))
/// server.on(.get, "/users/:name") { request in .text("Hello, \(request.parameters["name"]!)") }
/// server.on(.post, "/echo") { request in .data(request.body) }
///
/// let url = server.url("/users/octocat/gists")   // http://127.0.0.1:49152/users/octocat/gists
/// server.requests[0].headers[.accept]            // what the client sent
/// ```
///
/// Connections are kept alive, each has a thread, and requests may be pipelined. A request that no route fits gets 404
/// with a body that lists the routes; one that is not HTTP/1.1 to the letter gets 400 with the reason. Handlers run on
/// the thread of their connection and may block it, not the others.
public final class LoopbackServer: Sendable {
    /// What the server takes and keeps.
    public struct Limits: Sendable {
        /// The largest request line with header fields, in bytes; a larger one gets 431.
        public var headBytes = 1 << 16
        /// The largest body of a request, in bytes; a larger one gets 413.
        public var bodyBytes = 1 << 26
        /// How many of the last exchanges are kept, at least; up to twice as many may be.
        public var recordedExchanges = 10_000
        /// How long a client takes nothing before ``LoopbackExchange/stalled()`` holds.
        public var stallTime: Duration = .milliseconds(50)
        /// How many bytes the system holds ready for each client, which it may double; nil leaves it to the system.
        public var sendBuffer: Int?

        /// The limits above.
        public init() {}
    }

    /// Where the server is: `http://127.0.0.1:49152`, with the port that the system chose.
    public let url: URL
    /// The port.
    public let port: UInt16

    private let acceptor: LoopbackAcceptor

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for one that is free.
    ///   - limits: What the server takes and keeps.
    /// - Throws: An error that says which call of the system failed and why, such as for a port that is taken.
    public init(port: UInt16 = 0, limits: Limits = Limits()) throws {
        let socket = try StreamSocket.bound(to: port)
        try socket.listen()
        self.port = try socket.port()
        url = try LoopbackServer.baseURL(self.port)
        acceptor = try LoopbackAcceptor(socket, state: ServerState(limits: limits))
        try acceptor.start()
    }

    deinit { stop() }

    static func baseURL(_ port: UInt16) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)") else {
            throw RequestError.invalidURL("http://127.0.0.1:\(port)")
        }
        return url
    }

    /// Stops the server: its port refuses connections, every open one is ended at once, whatever waits at a gate goes
    /// on and finds its client gone. When the call returns, no thread and no socket is left. Stopping again does
    /// nothing.
    ///
    /// Blocks until handlers that are running have returned.
    public func stop() { acceptor.stop() }

    /// Where a path is on this server. The path begins with a slash and is percent-encoded as it should be sent.
    public func url(_ path: String) -> URL {
        // What no URL can be made of leads to the server itself, whose 404 names the routes.
        URL(string: url.absoluteString + path) ?? url
    }

    /// Answers a path with a response. The last route that fits a request answers it.
    ///
    /// - Parameters:
    ///   - method: The method; nil for any. A route for GET answers HEAD, too, unless HEAD has its own.
    ///   - path: The path without percent-encoding: `/users/:name` takes any one segment as a parameter, a `*` at the
    ///     end takes the rest. With a `*` anywhere else, every request gets 500 with a sentence that says so.
    ///   - response: The response.
    public func on(_ method: HTTPMethod?, _ path: String, _ response: LoopbackResponse) {
        on(method, path) { _ in response }
    }

    /// Answers a path with what a closure gives, on the thread of the connection. What it throws becomes a 500 whose
    /// body says so.
    public func on(
        _ method: HTTPMethod?, _ path: String,
        _ answer: @escaping @Sendable (_ request: LoopbackRequest) throws -> LoopbackResponse
    ) {
        acceptor.state.add(CannedRoute(method, path, answer))
    }

    /// The requests so far, in the order in which their bodies were complete.
    public var requests: [LoopbackRequest] { exchanges.map(\.request) }

    /// How many requests came so far, those forgotten included.
    public var requestCount: Int { acceptor.state.log.value.count }

    /// The requests so far, with how far their responses have come.
    public var exchanges: [LoopbackExchange] { acceptor.state.log.value.exchanges }

    /// What was refused because it was not HTTP/1.1, was too large or broke off, with the status that it got, such as
    /// `431: The head of the request is larger than …`.
    public var refusals: [String] { acceptor.state.log.value.refusals }

    /// How many connections were made so far.
    public var connectionCount: Int { acceptor.state.log.value.connectionCount }

    /// How many connections are open now.
    public var openConnectionCount: Int { acceptor.openConnectionCount }

    /// Waits until so many requests have come, and gives those that are kept.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func exchanges(atLeast count: Int) async throws -> [LoopbackExchange] {
        try await acceptor.state.log.wait { $0.count >= count }.exchanges
    }

    /// Forgets the requests so far; those on their way are recorded when they come.
    public func forgetExchanges() {
        acceptor.state.log.update { log in
            log.exchanges = []
            log.count = 0
            log.refusals = []
        }
    }
}

/// A port of 127.0.0.1 that refuses connections for as long as this object lives, and that no other process can take.
///
/// ```swift
/// let port = try RefusingPort()
/// await #expect(throws: RequestError.self) { try await transport.response(to: TransportRequest(.get, port.url)) }
/// ```
public final class RefusingPort: Sendable {
    /// Where nothing listens: `http://127.0.0.1:49152`.
    public let url: URL

    // Bound, but not listening: the system answers with RST.
    private let socket: StreamSocket

    /// Takes a free port.
    ///
    /// - Throws: An error that says which call of the system failed and why.
    public init() throws {
        socket = try StreamSocket.bound(to: 0)
        url = try LoopbackServer.baseURL(socket.port())
    }
}
