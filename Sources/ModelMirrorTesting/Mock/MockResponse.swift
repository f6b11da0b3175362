public import ModelMirrorNetworking

/// What a ``MockTransport`` answers with. Values are made with functions:
///
/// ```swift
/// transport.on(.get, "/gists", .json(gists).delayed(by: .seconds(2)))
/// transport.on(.get, "/flaky", .sequence([.failure(.connectionLost), .status(503), .json("[]")]))
/// transport.on(.get, "/saved", .file(fixture))
/// ```
public struct MockResponse: Sendable {
    enum Content: Sendable {
        case body(MockBody)
        case failure(@Sendable (TransportRequest) -> RequestError)
        /// Decided when the request is there.
        case decided(@Sendable (MockRequest) async throws -> MockResponse)
    }

    /// Something that happens before the head is given.
    enum Step: Sendable {
        case pause(Duration)
        case gate(Gate)
    }

    /// The status code.
    public var status: Int
    /// The header fields. `Content-Length` is added to a body in one piece unless it is here.
    public var headers: HTTPHeaders

    var content: Content
    var before: [Step] = []

    init(status: Int = 200, headers: HTTPHeaders = [:], content: Content) {
        self.status = status
        self.headers = headers
        self.content = content
    }

    /// The same response, its head later by the transport's clock. A delay of the request's timeout or longer becomes
    /// `.timedOut`, when the timeout is over.
    public func delayed(by duration: Duration) -> MockResponse { with(.pause(duration)) }

    /// The same response, with the head held back until the gate lets it through, or the request's timeout is over by
    /// the transport's clock.
    public func held(at gate: Gate) -> MockResponse { with(.gate(gate)) }

    private func with(_ step: Step) -> MockResponse {
        var response = self
        response.before.append(step)
        return response
    }
}
