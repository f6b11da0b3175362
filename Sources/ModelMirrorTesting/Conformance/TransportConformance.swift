public import ModelMirror
public import ModelMirrorFoundation
public import ModelMirrorNetworking

/// Checks that a transport fulfills the contract of `Transport`, with real requests to a ``LoopbackServer``.
///
/// ```swift
/// @Test func conforms() async throws {
///     let failures = try await TransportConformance.failures { _ in MyTransport() }
///     #expect(failures == [])
/// }
/// ```
///
/// Each check has its own server and transport. All together take about 15 seconds.
public enum TransportConformance {
    /// The checks. The documentation of `Transport` and its types defines the contract.
    public enum Check: String, CaseIterable, Sendable {
        /// A response with any status is returned with its body, not thrown as an error.
        case statusIsNotJudged
        /// The head is returned while the body is still arriving.
        case headBeforeBody
        /// Response fields are found in any case, and `Set-Cookie` is not joined.
        case responseFields
        /// Request fields arrive; those that cannot be sent are refused before anything is sent.
        case requestFields
        /// Method, path and query arrive byte for byte.
        case requestTarget
        /// Informational responses (1xx) are skipped.
        case informationalResponses
        /// Responses with status 204 or 304, to HEAD, or of length 0 have an empty body.
        case emptyBodies
        /// A large body arrives complete and in order.
        case largeBodies
        /// A chunked body arrives complete, without empty chunks, and so does one that ends with the connection.
        case chunkedBodies
        /// While nobody reads the body, the transport takes a bounded amount of it.
        case backPressure
        /// Each kind of request body arrives unchanged; one that differs from its declared length fails.
        case requestBodies
        /// Each kind of request body arrives again after a redirect that keeps the method, and none after one that does not.
        case bodiesAfterRedirect
        /// Redirects follow the policy of the request.
        case redirectPolicy
        /// Credentials are not sent to another origin, and neither is what an `AuthenticatingTransport` adds.
        case redirectCredentials
        /// A task cancelled before its request gets `.cancelled`.
        case cancelledBefore
        /// A task that is cancelled while it waits for the head gets `.cancelled`, and the connection ends.
        case cancelledBeforeHead
        /// A task that is cancelled while it waits for a chunk gets `.cancelled`, and the connection ends.
        case cancelledInBody
        /// A task that is cancelled while it sends a body gets `.cancelled`.
        case cancelledInUpload
        /// A task cancelled after everything was read keeps the response.
        case cancelledAfter
        /// Dropping the body ends the transfer.
        case droppedBody
        /// A response that is reset, or ends within its status line, before it or within its body, is `.connectionLost`; a POST that
        /// arrived is not sent again.
        case brokenResponses
        /// A response that ends between its status line and the end of its head is `.connectionLost`. `URLSession` on Linux
        /// crashes the process instead: "Transfer completed, but there's no response".
        case brokenHeads
        /// A response that is not HTTP is `.badResponse`.
        case noHTTP
        /// A port without a listener is `.cannotConnect`.
        case refusedConnection
        /// Silence for longer than the timeout is `.timedOut`; a slow body is not.
        case timeout
        /// Concurrent requests get their own responses.
        case concurrency
        /// A body in a coding that the transport asked for is decoded; a request's own `Accept-Encoding: identity` is sent
        /// unchanged.
        case contentCodings
        /// User and password of a URL are sent as basic credentials, unless the request has an `Authorization`, and appear
        /// nowhere else.
        case userInfo
        /// Very long timeouts and distant deadlines work; a deadline that passes before the head or within the body is `.timedOut`.
        case boundedTimes
        /// A timeout does not include the time spent sending a body, as long as there is progress.
        case timeoutOfUpload
        /// A timeout does not include the time a request waits for its turn.
        case timeoutInQueue
        /// Upload progress, if reported, never decreases and ends at the length of the body.
        case uploadProgress

        /// Why `URLSession` on Linux cannot pass this check; nil if it can. On Apple platforms it should pass every check.
        ///
        /// ```swift
        /// let checks = TransportConformance.Check.standard.filter { $0.beyondURLSessionOnLinux == nil }
        /// ```
        public var beyondURLSessionOnLinux: String? {
            switch self {
            case .backPressure: "it suspends a task by closing its connection, and all sessions share one queue"
            case .droppedBody: "it cannot hold back a sender that never pauses"
            case .responseFields: "it keeps fields whose names differ in case without their order"
            case .brokenHeads: "it ends the process when the connection ends within a head"
            case .timeoutInQueue: "its timeout counts the wait for a connection"
            default: nil
            }
        }

        /// Every check but ``brokenHeads``, which crashes a process that uses `URLSession` on Linux.
        public static let standard = allCases.filter { $0 != .brokenHeads }
    }

    /// A failed check.
    public struct Failure: LocalizedError, SentenceError, Equatable, CustomStringConvertible {
        /// The check.
        public let check: Check
        /// What was expected and what was found.
        public let sentence: String

        /// The name of the check and the sentence.
        public var description: String { "\(check): \(sentence)" }
    }

    /// Runs checks and returns the failures.
    ///
    /// - Parameters:
    ///   - checks: The checks to run. Defaults to ``Check/standard``.
    ///   - patience: How long nothing may happen in a check, which then fails as one that hangs. Defaults to 2 minutes, enough for a
    ///     busy machine.
    ///   - close: Called with the transport after each check, to shut it down if necessary.
    ///   - makeTransport: Makes a transport; called once per check with the URL of its server.
    /// - Returns: The failures in the order of the checks; empty for a conforming transport.
    /// - Throws: Errors of `makeTransport` and `close`; an error if no server can be started; `CancellationError`.
    public static func failures(
        of checks: [Check] = Check.standard, patience: Duration = .seconds(120),
        close: @Sendable (_ transport: any Transport) async throws -> Void = { _ in },
        _ makeTransport: @Sendable (_ baseURL: URL) async throws -> any Transport
    ) async throws -> [Failure] {
        try await failures(of: checks, patience: patience, from: nil, close: close, makeTransport)
    }

    /// The same with a patience that counts from a step on, so that how a check fails that hangs there does not depend on the
    /// time before.
    package static func failures(
        of checks: [Check], patience: Duration, from step: String?,
        close: @Sendable (_ transport: any Transport) async throws -> Void = { _ in },
        _ makeTransport: @Sendable (_ baseURL: URL) async throws -> any Transport
    ) async throws -> [Failure] {
        let patience = ConformanceProbe.Patience(limit: patience, step: step)
        var failures: [Failure] = []
        for check in checks {
            let sentence = try await sentence(makeTransport, close) { probe in
                try await probe.sentence(for: check, patience: patience)
            }
            if let sentence { failures.append(Failure(check: check, sentence: sentence)) }
        }
        return failures
    }

    /// Checks a transport over HTTP/2 with your own server, since ``LoopbackServer`` speaks only HTTP/1.1.
    ///
    /// With 64 requests under way, some of them cancelled and some with their bodies dropped, each other request must get its
    /// own body, and so must one to a server without HTTP/2. If the transport's metrics include the HTTP version, it must be
    /// `2`.
    ///
    /// ```swift
    /// let failure = try await TransportConformance.failure(overHTTP2: [users, gists]) { MyTransport(trusting: authority) }
    /// #expect(failure == nil)
    /// ```
    ///
    /// - Parameters:
    ///   - urls: URLs on one server. Each answers GET with 200 and a body of its own that never changes, so that mixed-up
    ///     responses are detected. Four URLs get up to 18 requests each.
    ///   - patience: How long nothing may happen. Defaults to 2 minutes.
    ///   - close: Called with the transport after the check, to shut it down if necessary.
    ///   - makeTransport: Makes the transport.
    /// - Returns: What was expected and what was found; nil for a conforming transport.
    /// - Throws: Errors of `makeTransport` and `close`; an error if no server can be started; `CancellationError`.
    public static func failure(
        overHTTP2 urls: [URL], patience: Duration = .seconds(120),
        close: @Sendable (_ transport: any Transport) async throws -> Void = { _ in },
        _ makeTransport: @Sendable () async throws -> any Transport
    ) async throws -> String? {
        try await sentence({ _ in try await makeTransport() }, close) { probe in
            try await probe.sentence(patience: ConformanceProbe.Patience(limit: patience)) {
                try await probe.http2(urls)
            }
        }
    }

    /// Runs one check with its own server and transport, which is closed whatever the outcome, and returns the sentence of a
    /// failure.
    private static func sentence(
        _ makeTransport: @Sendable (_ baseURL: URL) async throws -> any Transport,
        _ close: @Sendable (_ transport: any Transport) async throws -> Void,
        _ check: (ConformanceProbe) async throws -> String?
    ) async throws -> String? {
        let server = try LoopbackServer()
        defer { server.stop() }
        let transport = try await makeTransport(server.url)
        let sentence: String?
        do {
            sentence = try await check(ConformanceProbe(server: server, transport: transport))
        } catch {
            try await close(transport)
            throw error
        }
        try await close(transport)
        return sentence
    }
}
