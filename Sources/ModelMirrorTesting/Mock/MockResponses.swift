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
    ///   - clock: What delays go by.
    ///   - chunkSize: The most bytes of a chunk of a response's body; nil for bodies as they are.
    public convenience init(
        answering responses: any MockResponses.Type, clock: any Clock<Duration> = ContinuousClock(),
        chunkSize: Int? = nil
    ) {
        self.init(clock: clock, chunkSize: chunkSize)
        add(MockRoute(name: "\(responses)", predicate: { _ in true }) { try await responses.response(to: $0) })
    }
}
