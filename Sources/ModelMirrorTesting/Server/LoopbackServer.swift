public import ModelMirrorFoundation
public import ModelMirrorNetworking

/// A small HTTP/1.1 server on 127.0.0.1 for tests; it uses real sockets and can misbehave on purpose.
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
/// Connections are kept alive, each has its own thread, and requests may be pipelined. A request without a matching route gets
/// a 404 that lists the routes; one that is not strict HTTP/1.1 or 1.0 gets an error status, usually 400, with the reason.
/// Handlers run on the thread of their connection and may block it.
public final class LoopbackServer: Sendable {
    /// Limits of the server.
    public struct Limits: Sendable {
        /// The largest request line with header fields, in bytes; a larger one gets a 431.
        public var headBytes = 1 << 16
        /// The largest body of a request, in bytes; a larger one gets a 413.
        public var bodyBytes = 1 << 26
        /// At least this many of the latest exchanges are kept, and at most twice as many.
        public var recordedExchanges = 10_000
        /// How long a client must have read nothing before ``LoopbackExchange/stalled()`` returns.
        public var stallTime: Duration = .milliseconds(50)
        /// The send buffer of each connection in bytes, which the system may double; nil for the system's default.
        public var sendBuffer: Int?

        /// The default limits.
        public init() {}
    }

    /// The URL of the server: `http://127.0.0.1:49152`, with a port chosen by the system.
    public let url: URL
    /// The port.
    public let port: UInt16

    private let acceptor: LoopbackAcceptor

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - port: The port; 0, the default, for a free one.
    ///   - limits: Limits of the server.
    /// - Throws: An error with the failed system call and its reason, such as a port in use.
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

    /// Stops the server: its port refuses connections, open connections are closed at once, and a ``LoopbackWriter`` that is
    /// waiting or writes again throws. When `stop()` returns, all threads have ended and all sockets are closed. Stopping again
    /// has no effect, and does not wait for a call that still does.
    ///
    /// Blocks until running handlers have returned.
    public func stop() { acceptor.stop() }

    /// The URL of a path on this server. The path begins with a slash and is percent-encoded as it should be sent.
    public func url(_ path: String) -> URL {
        // An invalid path becomes the server's root, whose 404 lists the routes.
        URL(string: url.absoluteString + path) ?? url
    }

    /// Answers a path with a response. If several routes match, the one added last answers.
    ///
    /// - Parameters:
    ///   - method: The method; nil for any. A route for GET also answers HEAD, unless HEAD has its own.
    ///   - path: The percent-decoded path, in which `%2F` also separates segments: `/users/:name` matches any one segment as a
    ///     parameter, a `*` at the end matches the rest. A `*` anywhere else, or a path without a slash at its beginning, makes
    ///     every request fail with a 500 that says so.
    ///   - response: The response.
    public func on(_ method: HTTPMethod?, _ path: String, _ response: LoopbackResponse) {
        on(method, path) { _ in response }
    }

    /// Answers a path with the result of a closure, on the thread of the connection. An error it throws becomes a 500 with its
    /// description.
    public func on(
        _ method: HTTPMethod?, _ path: String,
        _ answer: @escaping @Sendable (_ request: LoopbackRequest) throws -> LoopbackResponse
    ) {
        acceptor.state.add(CannedRoute(method, path, answer))
    }

    /// The received requests, in the order in which their bodies were complete.
    public var requests: [LoopbackRequest] { exchanges.map(\.request) }

    /// The number of requests received since the start or ``forgetExchanges()``, including those no longer kept.
    public var requestCount: Int { acceptor.state.log.value.count }

    /// The exchanges so far, with the progress of their responses.
    public var exchanges: [LoopbackExchange] { acceptor.state.log.value.exchanges }

    /// The requests refused because they were not valid HTTP/1, too large or incomplete, each with its status and reason, such
    /// as `431: The head of the request is larger than …`.
    public var refusals: [String] { acceptor.state.log.value.refusals }

    /// The number of connections so far.
    public var connectionCount: Int { acceptor.state.log.value.connectionCount }

    /// The number of open connections.
    public var openConnectionCount: Int { acceptor.openCount.value }

    /// Waits until no connection is open.
    package func connectionsEnded() async throws { _ = try await acceptor.openCount.wait { $0 == 0 } }

    /// Waits until this many requests have been received, and returns those that are kept.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func exchanges(atLeast count: Int) async throws -> [LoopbackExchange] {
        try await acceptor.state.log.wait { $0.count >= count }.exchanges
    }

    /// Removes the exchanges and refusals so far and resets ``requestCount``. Requests still being received are recorded when
    /// they are complete.
    public func forgetExchanges() {
        acceptor.state.log.update { log in
            log.exchanges = []
            log.count = 0
            log.refusals = []
        }
    }
}

/// A port of 127.0.0.1 that refuses connections and is reserved for the lifetime of this object.
///
/// ```swift
/// let port = try RefusingPort()
/// await #expect(throws: RequestError.self) { try await transport.response(to: TransportRequest(.get, port.url)) }
/// ```
public final class RefusingPort: Sendable {
    /// The URL of the port: `http://127.0.0.1:49152`.
    public let url: URL

    // Bound, but not listening: the system answers with RST.
    private let socket: StreamSocket

    /// Reserves a free port.
    ///
    /// - Throws: An error with the failed system call and its reason.
    public init() throws {
        socket = try StreamSocket.bound(to: 0)
        url = try LoopbackServer.baseURL(socket.port())
    }
}
