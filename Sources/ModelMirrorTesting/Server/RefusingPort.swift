public import Foundation

/// A port of 127.0.0.1 that refuses connections for as long as this object lives, and that nobody else can take.
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
