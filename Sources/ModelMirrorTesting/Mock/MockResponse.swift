public import ModelMirrorFoundation
public import ModelMirrorNetworking

/// A response of a ``MockTransport``, made with static functions.
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
        case decided(@Sendable (MockRequest) async throws -> MockResponse)
    }

    enum Step: Sendable {
        case pause(Duration)
        case gate(Gate)
    }

    /// The status code.
    public var status: Int
    /// The header fields. `Content-Length` is added for a body in one piece, unless it is set.
    public var headers: HTTPHeaders

    var content: Content
    var before: [Step] = []

    init(status: Int = 200, headers: HTTPHeaders = [:], content: Content) {
        self.status = status
        self.headers = headers
        self.content = content
    }

    /// The same response with its head delayed by the transport's clock. If the delay is not shorter than the request's
    /// timeout, the request fails with `.timedOut` after that timeout. Several delays add up, but each is compared alone.
    public func delayed(by duration: Duration) -> MockResponse { with(.pause(duration)) }

    /// The same response with its head held back until the gate lets it through, or the request times out by the transport's
    /// clock.
    public func held(at gate: Gate) -> MockResponse { with(.gate(gate)) }

    private func with(_ step: Step) -> MockResponse {
        var response = self
        response.before.append(step)
        return response
    }

    /// A response with a body in one piece.
    public init(status: Int, headers: HTTPHeaders, body: Data) {
        self.init(status: status, headers: headers, content: .body(MockBody(chunks: [body])))
    }

    /// A body in chunks, without a `Content-Length`.
    ///
    /// - Parameters:
    ///   - chunks: The chunks.
    ///   - gate: The gate at which each chunk waits; nil for none.
    ///   - failure: The failure after the chunks; nil for none.
    ///   - status: The status.
    ///   - headers: The header fields; `Content-Type` defaults to `application/octet-stream`.
    public static func chunks(
        _ chunks: [Data], at gate: Gate? = nil, failure: RequestError.ConnectionFailure.Kind? = nil, status: Int = 200,
        headers: HTTPHeaders = [:]
    ) -> MockResponse {
        MockResponse(
            status: status, headers: headers.defaulting(to: "application/octet-stream"),
            content: .body(MockBody(chunks: chunks, isWhole: false, gate: gate, failure: failure)))
    }

    /// A failed connection in place of a response.
    public static func failure(_ kind: RequestError.ConnectionFailure.Kind) -> MockResponse {
        MockResponse(
            content: .failure { .connection(.init(kind, url: $0.url.withoutUserInfo, reason: "simulated by the mock")) }
        )
    }

    /// An error in place of a response.
    public static func failure(_ error: RequestError) -> MockResponse { MockResponse(content: .failure { _ in error }) }

    /// No response until the gate opens, then a lost connection. Throws `.cancelled` if the task is cancelled.
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

/// A type that answers requests.
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
    /// The response to a request. An error it throws fails the request.
    static func response(to request: MockRequest) async throws -> MockResponse
}

extension MockTransport {
    /// A transport whose requests are answered by a type. Routes added with `on` take precedence.
    ///
    /// - Parameters:
    ///   - responses: The type.
    ///   - clock: Measures delays.
    ///   - chunkSize: The largest chunk of a response's body in bytes; nil for chunks as given.
    public convenience init(
        answering responses: any MockResponses.Type, clock: any Clock<Duration> = ContinuousClock(),
        chunkSize: Int? = nil
    ) {
        self.init(clock: clock, chunkSize: chunkSize)
        add(MockRoute(name: "\(responses)", predicate: { _ in true }) { try await responses.response(to: $0) })
    }
}
