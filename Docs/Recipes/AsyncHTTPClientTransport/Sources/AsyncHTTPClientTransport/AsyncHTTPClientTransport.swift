public import AsyncHTTPClient
import Foundation
public import ModelMirrorNetworking
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// A transport over AsyncHTTPClient, for servers that use it already.
///
/// ```swift
/// let transport = AsyncHTTPClientTransport()
/// let client = APIClient(transport: transport, baseURL: base)
/// …
/// try await transport.shutdown()
/// ```
///
/// Redirects, timeouts, decoding and connections per host are the transport's, whatever the configuration says of them; the rest, such as
/// TLS and proxies, is the configuration's.
public final class AsyncHTTPClientTransport: Transport {
    private let client: HTTPClient
    private let timeout: Duration
    private let identity: TransportIdentity

    /// A transport with connections of its own, which have to be closed by ``shutdown()``.
    ///
    /// - Parameters:
    ///   - configuration: How the connections are made.
    ///   - timeout: The longest time without a byte, for requests that have no timeout of their own.
    ///   - account: The account that a client certificate of the configuration stands for. Without it, nothing that is sent with a
    ///     client certificate is stored or shared.
    public init(
        configuration: HTTPClient.Configuration = .init(), timeout: Duration = .seconds(60), account: String? = nil
    ) {
        let isAnonymous = configuration.tlsConfiguration?.certificateChain.isEmpty ?? true
        identity = account.map { .account($0) } ?? (isAnonymous ? .none : .unknown)
        var configuration = configuration
        configuration.redirectConfiguration = .disallow
        // The timeout of each request takes their place.
        configuration.timeout.read = nil
        configuration.timeout.write = nil
        // The bound on a body is the client's `bodyLimit`.
        configuration.decompression = .enabled(limit: .none)
        // A request's timeout must not count the time for which it waits for a connection: nothing waits.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1024
        // Retries are a wrapper's.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.timeout = min(timeout, TransportRequest.longestTimeout)
    }

    /// Closes the connections; requests that are under way fail.
    public func shutdown() async throws { try await client.shutdown() }

    /// The account, `.none` without one, or `.unknown` with a client certificate.
    public func identity(for request: TransportRequest) -> TransportIdentity { identity }

    /// Sends a request and returns the head of the response; the body follows.
    ///
    /// - Throws: ``RequestError``.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        let request = try request.prepared()
        return try await request.beforeDeadline { try await self.followed(request) }
    }

    private func followed(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        let start = Date()
        var count = 0
        while true {
            if Task.isCancelled { throw RequestError.cancelled }
            let exchange = Exchange(request, timeout: request.timeout ?? timeout, start: start)
            let response = try await exchange.response(over: client)
            guard
                let next = try request.redirected(
                    status: response.status, headers: response.headers, policy: request.redirects ?? .follow(limit: 20),
                    count: count)
            else { return response }
            request = next
            count += 1
        }
    }
}

/// What is known of a request that is under way. The request's body has it too, and must not keep the response alive.
private final class Progress: Sendable {
    private struct State {
        var metrics = TransportMetrics()
        var latest = ContinuousClock.now
    }

    private let begun = ContinuousClock.now
    private let state = Mutex(State())

    var metrics: TransportMetrics { state.withLock { $0.metrics } }

    /// When something was sent or received, or awaited anew.
    var latest: ContinuousClock.Instant { state.withLock { $0.latest } }

    /// Notes an event; gives the time since the beginning.
    func note(_ change: (inout TransportMetrics, Duration) -> Void = { _, _ in }) {
        state.withLock { state in
            state.latest = .now
            change(&state.metrics, begun.duration(to: state.latest))
        }
    }
}

/// One request that is sent once, and its body on the way to the reader. Its end of life ends the transfer.
private final class Exchange: Sendable {
    private let request: TransportRequest
    private let timeout: Duration
    private let progress = Progress()
    // Used by one task at a time, as `ResponseBody` promises; nil before the head and after the end.
    private nonisolated(unsafe) var body: HTTPClientResponse.Body.AsyncIterator?

    init(_ request: TransportRequest, timeout: Duration, start: Date) {
        self.request = request
        self.timeout = timeout
        progress.note { metrics, _ in metrics.start = start }
    }

    // MARK: The head

    func response(over client: HTTPClient) async throws -> TransportResponse {
        let response = try await bounded { [self] in
            try await client.execute(platformRequest(), deadline: .now() + .seconds(1_000_000_000))
        }
        body = response.body.makeAsyncIterator()
        progress.note { metrics, time in
            let version = response.version
            metrics.httpVersion = version.major > 1 ? "\(version.major)" : "\(version.major).\(version.minor)"
            metrics.firstByte = time
            metrics.receivedBytes = 0
        }
        var headers = ModelMirrorNetworking.HTTPHeaders()
        for (name, value) in response.headers { headers.append(value, for: HeaderName(name)) }
        var result = TransportResponse(
            status: Int(response.status.code), headers: headers, url: request.url,
            body: ResponseBody { try await self.nextChunk() })
        result.head.measure { [progress] in progress.metrics }
        return result
    }

    private func platformRequest() -> HTTPClientRequest {
        var platform = HTTPClientRequest(url: request.url.absoluteString)
        platform.method = NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers.fields { platform.headers.add(name: field.name.description, value: field.value) }
        guard let body = request.body else { return platform }
        let length = body.length.map(Int64.init)
        let chunks = body.map { [progress, report = request.uploadProgress] chunk in
            progress.note { metrics, _ in metrics.sentBytes = (metrics.sentBytes ?? 0) + Int64(chunk.count) }
            report?(progress.metrics.sentBytes ?? 0, length)
            return ByteBuffer(bytes: chunk)
        }
        platform.body = .stream(chunks, length: length.map { .known($0) } ?? .unknown)
        return platform
    }

    // MARK: The body

    private func nextChunk() async throws -> Data? {
        guard body != nil else { return nil }
        let chunk = try await bounded { [self] in
            let chunk = try await body?.next()
            // A task that is cancelled is given the end.
            if chunk == nil { try Task.checkCancellation() }
            return chunk
        }
        progress.note { metrics, time in
            metrics.receivedBytes = (metrics.receivedBytes ?? 0) + Int64(chunk?.readableBytes ?? 0)
            metrics.total = time
        }
        if chunk == nil { body = nil }
        return chunk.map { Data($0.readableBytesView) }
    }

    // MARK: Time and errors

    /// Takes a step, and ends it when nothing has been sent or received for longer than the timeout.
    private func bounded<Value: Sendable>(_ step: @escaping @Sendable () async throws -> Value) async throws -> Value {
        progress.note()
        do {
            return try await withThrowingTaskGroup(of: Value.self) { group in
                group.addTask { try await step() }
                group.addTask { [request, progress, timeout] in
                    while true {
                        let end = progress.latest + timeout
                        if end <= .now { throw request.failure(.timedOut, "") }
                        try await Task.sleep(until: end, clock: .continuous)
                    }
                }
                defer { group.cancelAll() }
                guard let value = try await group.next() else { throw CancellationError() }
                return value
            }
        } catch {
            body = nil
            throw Task.isCancelled ? RequestError.cancelled : request.failure(error)
        }
    }
}
