import Foundation
public import ModelMirrorNetworking

/// What a ``LoopbackServer`` answers with. Values are made with the functions below, the badly behaved ones too.
///
/// ```swift
/// server.on(.get, "/gists", .json(gists, headers: [.eTag: "\"1\""]))
/// server.on(.get, "/flaky", .sequence([.reset(), .status(503), .json("[]")]))
/// ```
///
/// `Content-Length` or `Transfer-Encoding` is set by the server unless ``headers`` has one of them, which then is sent
/// as it is, right or wrong. A body is left off where HTTP has none: in the answer to HEAD, and with 204 and 304.
public struct LoopbackResponse: Sendable {
    /// Writes a body, piece by piece.
    public typealias Write = @Sendable (_ writer: LoopbackWriter) throws -> Void

    enum Content: Sendable {
        case data(Data)
        /// A body made while it is sent: chunked, or of a length that the head announces.
        case written(length: Int?, Write)
        /// The whole response, status line and all; the connection is closed after it.
        case raw(Write)
        /// Decided when the request is there.
        case decided(@Sendable (LoopbackRequest) throws -> LoopbackResponse)
    }

    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// Whether the connection is closed after the response.
    public var closesConnection = false

    let content: Content
    /// What happens before the head is sent.
    var before: [Write] = []

    init(status: Int = 200, headers: HTTPHeaders = [:], content: Content) {
        self.status = status
        self.headers = headers
        self.content = content
    }

    /// The same response, with the head held back until the gate lets it through.
    public func held(at gate: Gate) -> LoopbackResponse {
        var response = self
        response.before.append { try $0.wait(at: gate) }
        return response
    }

    /// The same response, later. For demonstrations; a test has gates.
    public func delayed(by duration: Duration) -> LoopbackResponse {
        var response = self
        response.before.append { try $0.pause(for: duration) }
        return response
    }

    /// The same response, after which the connection is closed.
    public func closing() -> LoopbackResponse {
        var response = self
        response.closesConnection = true
        return response
    }
}
