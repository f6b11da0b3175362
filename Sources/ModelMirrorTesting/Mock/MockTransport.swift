import ModelMirrorFoundation
public import ModelMirrorNetworking
import Synchronization

/// A transport without a network that answers by method and path and records the requests.
///
/// ```swift
/// let transport = MockTransport()
/// transport.on(.get, "/users/:name/gists", .json(gists))
/// transport.on(.post, "https://api.github.com/gists") { request in .data(request.body, status: 201) }
///
/// let repository = GistsRepository(transport: transport)
/// // …
/// transport.requests.map(\.path)  // ["/users/octocat/gists"]
/// ```
///
/// It is as strict as a live transport: a request that cannot be sent is refused, and so is a response whose status is not within
/// 200–599 or whose header fields have line breaks; responses to HEAD and with status 204 or 304 have no body, a cancelled task gets
/// `RequestError.cancelled`, and a request ends at its deadline, by the real time. A request without a matching route fails with
/// `RequestError.invalidRequest`, whose text names the request and the routes, and is added to ``unmatched``. Redirects are not
/// followed.
public final class MockTransport: Transport {
    private struct Log: Sendable {
        var requests: [MockRequest] = []
        var unmatched: [String] = []
    }

    private let clock: any Clock<Duration>
    private let chunkSize: Int?
    private let reportUnmatched: @Sendable (String) -> Void
    private typealias Answer = @Sendable (MockRequest) async throws -> MockResponse

    private let routes = Mutex(RouteTable<MockRequest, Answer>())
    private let log = Observed(Log())

    /// A transport without routes.
    ///
    /// - Parameters:
    ///   - clock: Measures delays and timeouts; with a ``ManualClock`` the test advances the time.
    ///   - chunkSize: The largest chunk of a response's body in bytes; nil for chunks as given.
    ///   - reportUnmatched: Called with a sentence for each request without a matching route, such as
    ///     `{ Issue.record("\($0)") }`.
    public init(
        clock: any Clock<Duration> = ContinuousClock(), chunkSize: Int? = nil,
        reportUnmatched: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.clock = clock
        self.chunkSize = chunkSize
        self.reportUnmatched = reportUnmatched
    }

    /// Answers a path with a response. If several routes match, the one added last answers.
    ///
    /// - Parameters:
    ///   - method: The method; nil for any. A route for GET also answers HEAD, unless HEAD has its own.
    ///   - pattern: A percent-decoded path for any host, in which `%2F` also separates segments, or a URL without query:
    ///     `/users/:name` matches any one segment as a parameter, a `*` at the end matches the rest. A `*` anywhere else, or a
    ///     pattern without a slash at its beginning, makes every request fail with an error that says so.
    ///   - response: The response.
    public func on(_ method: HTTPMethod?, _ pattern: String, _ response: MockResponse) {
        on(method, pattern) { _ in response }
    }

    /// Answers a path with the result of a closure. An error it throws fails the request.
    public func on(
        _ method: HTTPMethod?, _ pattern: String,
        _ answer: @escaping @Sendable (_ request: MockRequest) async throws -> MockResponse
    ) {
        add(MockRoute(method, pattern, answer))
    }

    /// Answers requests that meet a condition.
    ///
    /// - Parameters:
    ///   - name: The name of the condition in lists of routes.
    ///   - condition: Whether to answer a request with the response.
    ///   - response: The response.
    public func on(
        _ name: String, where condition: @escaping @Sendable (MockRequest) -> Bool, _ response: MockResponse
    ) {
        add(MockRoute(name: name, predicate: condition) { _ in response })
    }

    /// Adds a route, which takes precedence over the earlier ones.
    func add(_ route: MockRoute) { routes.withLock { $0.add(route) } }

    /// The received requests in order, including those without a matching route.
    public var requests: [MockRequest] { log.value.requests }

    /// The number of requests received for a path, or a URL without query. A pattern that can match nothing is added to
    /// ``unmatched``.
    public func requestCount(_ method: HTTPMethod?, _ pattern: String) -> Int {
        count(of: MockRoute(method, pattern) { _ in .status(200) })
    }

    /// The number of requests received for a route.
    func count(of route: MockRoute) -> Int {
        if let fault = route.fault { noteUnmatched(fault) }
        return requests.count { route.parameters(in: $0, method: $0.method, origin: $0.url.origin) != nil }
    }

    /// A sentence for each request so far without a matching route, and for each counted pattern that can match nothing.
    public var unmatched: [String] { log.value.unmatched }

    /// Waits until this many requests have been received, and returns them.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func requests(atLeast count: Int) async throws -> [MockRequest] {
        try await log.wait { $0.requests.count >= count }.requests
    }

    /// Answers a request.
    ///
    /// - Throws: ``RequestError``; errors of the route's closure.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        try await request.beforeDeadline { try await self.answered(request) }
    }

    private func answered(_ request: TransportRequest) async throws -> TransportResponse {
        if Task.isCancelled { throw RequestError.cancelled }
        _ = try request.prepared()
        let body = try await request.body?.collect { sent, total in
            request.uploadProgress?(Int64(sent), total.map(Int64.init))
        }
        let received = MockRequest(request: request, body: body ?? Data())
        log.update { $0.requests.append(received) }
        let (matched, answer) = try route(for: received)
        do {
            var response = try await answer(matched)
            try await go(through: response.before, for: request)
            while case .decided(let decide) = response.content {
                response = response.applied(to: try await decide(matched))
                try await go(through: response.before, for: request)
            }
            if Task.isCancelled { throw RequestError.cancelled }
            return try finished(response, to: request)
        } catch is CancellationError {
            throw RequestError.cancelled
        }
    }

    /// `.none`: the transport adds nothing to a request.
    public func identity(for request: TransportRequest) -> TransportIdentity { .none }

    private func route(for request: MockRequest) throws -> (MockRequest, Answer) {
        let routes = routes.withLock(\.self)
        if routes.fault == nil, let (parameters, answer) = routes.match(request, origin: request.url.origin) {
            var request = request
            request.parameters = parameters
            return (request, answer)
        }
        let known =
            routes.isEmpty ? "no route" : "only \(routes)" + (routes.advice(for: request).map { "; \($0)" } ?? "")
        let url = request.request.secrets.redacted(request.url)
        let reason = routes.fault ?? "the mock has no answer to \(request.method) \(url); it knows \(known)"
        noteUnmatched(reason)
        throw RequestError.invalidRequest(reason)
    }

    private func noteUnmatched(_ reason: String) {
        log.update { $0.unmatched.append(reason) }
        reportUnmatched(reason)
    }

    private func go(through steps: [MockResponse.Step], for request: TransportRequest) async throws {
        for step in steps {
            switch (step, request.timeout) {
            case (.gate(let gate), nil): try await gate.enter()
            case (.gate(let gate), let timeout?):
                let isThrough = try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        try await gate.enter()
                        return true
                    }
                    group.addTask { [clock] in
                        try await clock.sleep(for: timeout)
                        return false
                    }
                    defer { group.cancelAll() }
                    return try await group.next() ?? true
                }
                if !isThrough { throw timedOut(request, after: timeout) }
            case (.pause(let duration), let timeout?) where timeout <= duration:
                try await clock.sleep(for: timeout)
                throw timedOut(request, after: timeout)
            case (.pause(let duration), _):
                try await clock.sleep(for: min(duration, TransportRequest.longestTimeout))
            }
        }
    }

    private func timedOut(_ request: TransportRequest, after timeout: Duration) -> RequestError {
        .connection(.init(.timedOut, url: request.url.withoutUserInfo, reason: "the mock took longer than \(timeout)"))
    }

    private func finished(_ response: MockResponse, to request: TransportRequest) throws -> TransportResponse {
        switch response.content {
        case .failure(let error): throw error(request)
        case .decided: throw RequestError.invalidRequest("the mock's response was not decided")
        case .body(let body):
            if let fault = response.fault { throw RequestError.invalidRequest("the mock cannot answer it: \(fault)") }
            var headers = response.headers
            let allowsBody = response.status != 204 && response.status != 304
            if body.isWhole, allowsBody, headers[.contentLength] == nil {
                headers[.contentLength] = String(body.chunks.reduce(0) { $0 + $1.count })
            }
            let hasBody = allowsBody && request.method != .head
            return TransportResponse(
                status: response.status, headers: headers, url: request.url.withoutUserInfo,
                body: hasBody
                    ? body.response(to: request.url.withoutUserInfo, chunkSize: chunkSize) : ResponseBody(Data()))
        }
    }
}
