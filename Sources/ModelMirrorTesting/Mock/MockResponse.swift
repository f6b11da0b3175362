public import Foundation
public import ModelMirrorNetworking

/// What a ``MockTransport`` answers with. Values are made with functions:
///
/// ```swift
/// transport.on(.get, "/gists", .json(gists).delayed(by: .seconds(2)))
/// transport.on(.get, "/flaky", .sequence([.failure(.connectionLost), .status(503), .json("[]")]))
/// transport.on(.get, "/saved", .file(fixture))
/// ```
public struct MockResponse: CannedResponse {
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

    /// A response with a body in one piece.
    public init(status: Int, headers: HTTPHeaders, body: Data) {
        self.init(status: status, headers: headers, content: .body(MockBody([body])))
    }

    /// A body that arrives in chunks, without a `Content-Length`.
    ///
    /// - Parameters:
    ///   - chunks: The chunks.
    ///   - gate: Where each chunk waits; nil for nowhere.
    ///   - failure: What the body ends with instead of its end; nil for its end.
    public static func chunks(
        _ chunks: [Data], at gate: Gate? = nil, failure: RequestError.ConnectionFailure.Kind? = nil, status: Int = 200,
        headers: HTTPHeaders = [:]
    ) -> MockResponse {
        MockResponse(
            status: status, headers: headers.defaulting(to: "application/octet-stream"),
            content: .body(MockBody(chunks, isWhole: false, gate: gate, failure: failure)))
    }

    /// No response but a failed connection.
    public static func failure(_ kind: RequestError.ConnectionFailure.Kind) -> MockResponse {
        MockResponse(
            content: .failure { .connection(.init(kind, url: $0.url.withoutUser, reason: "simulated by the mock")) })
    }

    /// No response but an error.
    public static func failure(_ error: RequestError) -> MockResponse { MockResponse(content: .failure { _ in error }) }

    /// No response until the gate is opened, and a lost connection then. Ends with `.cancelled` if the task is
    /// cancelled.
    public static func hanging(until gate: Gate = Gate()) -> MockResponse {
        MockResponse.failure(.connectionLost).held(at: gate)
    }

    /// A response that depends on the request.
    public static func decided(
        _ decide: @escaping @Sendable (MockRequest) async throws -> MockResponse
    ) -> MockResponse {
        MockResponse(content: .decided(decide))
    }

    /// A response that depends on the header fields of the request.
    public static func chosen(
        _ choose: @escaping @Sendable (_ headers: HTTPHeaders) throws -> MockResponse
    ) -> MockResponse {
        decided { try choose($0.headers) }
    }
}

/// A type that answers requests, for connections that are told by a type what they talk to.
///
/// ```swift
/// enum PostsResponses: MockResponses {
///     static func response(to request: MockRequest) throws -> MockResponse {
///         try .json(value: [["title": "Hello"]])
///     }
/// }
/// let repository = PostsRepository(transport: MockTransport(answering: PostsResponses.self))
/// ```
public protocol MockResponses: SendableMetatype {
    /// The response to a request. What it throws is what the request fails with.
    static func response(to request: MockRequest) async throws -> MockResponse
}

extension MockTransport {
    /// A transport whose requests a type answers. What is added with `on` comes before it.
    ///
    /// - Parameters:
    ///   - responses: Answers.
    ///   - clock: Measures delays.
    ///   - chunkSize: The most bytes of a chunk of a response's body; nil for bodies as they are.
    public convenience init(
        answering responses: any MockResponses.Type, clock: any Clock<Duration> = ContinuousClock(),
        chunkSize: Int? = nil
    ) {
        self.init(clock: clock, chunkSize: chunkSize)
        add(MockRoute(name: "\(responses)", predicate: { _ in true }) { try await responses.response(to: $0) })
    }
}
