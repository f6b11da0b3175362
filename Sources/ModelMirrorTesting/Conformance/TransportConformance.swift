public import Foundation
public import ModelMirrorNetworking

/// Checks that a transport of your own keeps the contract of `Transport`, with real requests to a ``LoopbackServer``.
///
/// ```swift
/// @Test func conforms() async throws {
///     let failures = try await TransportConformance.failures { _ in MyTransport() }
///     #expect(failures == [])
/// }
/// ```
///
/// Each check has a server and a transport to itself. All of them together take a few seconds.
public enum TransportConformance {
    /// What is checked. The contract behind each is in the documentation of `Transport` and of the types it names.
    public enum Check: String, CaseIterable, Sendable {
        /// A response of any status is a response, with its body.
        case statusIsNotJudged
        /// The head is given while the body is still to come.
        case headBeforeBody
        /// Fields of the response are found in any case, and `Set-Cookie` is not joined.
        case responseFields
        /// Fields of the request arrive, and those that cannot be sent are refused before anything is.
        case requestFields
        /// Method, path and query arrive byte for byte.
        case requestTarget
        /// Informational responses (1xx) are passed over.
        case informationalResponses
        /// The answers without a body have none: 204, 304, to HEAD, and of length 0.
        case emptyBodies
        /// A large body arrives whole and in order.
        case largeBodies
        /// A body in chunked coding arrives whole, without empty chunks.
        case chunkedBodies
        /// A client that does not read is sent a bounded amount.
        case backPressure
        /// Each kind of request body arrives as it is; one of another length than it says fails.
        case requestBodies
        /// Each kind of request body arrives again after a redirect that keeps the method.
        case bodiesAfterRedirect
        /// Redirects are followed as the policy of the request says.
        case redirectPolicy
        /// Credentials are not sent to another origin.
        case redirectCredentials
        /// A task that is cancelled already gets `.cancelled`.
        case cancelledBefore
        /// A task that is cancelled while it waits for the head gets `.cancelled`, and the connection ends.
        case cancelledBeforeHead
        /// A task that is cancelled while it waits for a chunk gets `.cancelled`, and the connection ends.
        case cancelledInBody
        /// A task that is cancelled while it sends a body gets `.cancelled`.
        case cancelledInUpload
        /// A task that is cancelled when all has been read keeps what it has.
        case cancelledAfter
        /// A body that is dropped ends the transfer.
        case droppedBody
        /// A response that ends before its head or within its body, or is reset, is `.connectionLost`.
        case brokenResponses
        /// A response that ends within its head is `.connectionLost`. `URLSession` on Linux cannot pass: it stops the
        /// process there, with "Transfer completed, but there's no response".
        case brokenHeads
        /// What is no HTTP is `.badResponse`.
        case noHTTP
        /// A port at which nobody listens is `.cannotConnect`.
        case refusedConnection
        /// Silence for longer than the timeout is `.timedOut`; a slow body is not.
        case timeout
        /// Concurrent requests get their own responses.
        case concurrency

        /// Every check but ``brokenHeads``, which ends the process of a transport over `URLSession` on Linux.
        public static let standard = allCases.filter { $0 != .brokenHeads }
    }

    /// A check that a transport did not pass.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// Which one.
        public let check: Check
        /// What was expected and what was found.
        public let sentence: String

        /// The name of the check and the sentence.
        public var description: String { "\(check): \(sentence)" }
    }

    /// Runs checks and gives those that fail.
    ///
    /// - Parameters:
    ///   - checks: Which; defaults to ``Check/standard``.
    ///   - patience: How long one check may take.
    ///   - makeTransport: Makes a transport; called once for each check, with the URL of its server.
    /// - Returns: The failures, in the order of the checks; none for a transport that keeps the contract.
    /// - Throws: What `makeTransport` throws; an error that says why no server can be started; `CancellationError`.
    public static func failures(
        of checks: [Check] = Check.standard, patience: Duration = .seconds(30),
        _ makeTransport: @Sendable (_ baseURL: URL) async throws -> any Transport
    ) async throws -> [Failure] {
        var failures: [Failure] = []
        for check in checks {
            let server = try LoopbackServer()
            defer { server.stop() }
            let probe = ConformanceProbe(server: server, transport: try await makeTransport(server.url))
            if let sentence = try await probe.sentence(for: check, patience: patience) {
                failures.append(Failure(check: check, sentence: sentence))
            }
        }
        return failures
    }
}
