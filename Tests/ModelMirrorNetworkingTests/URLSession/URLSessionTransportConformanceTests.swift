#if !os(Linux) || FoundationNetworking
import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// The contract that every transport keeps.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct URLSessionTransportConformanceTests {
    @Test(arguments: TransportConformance.Check.allCases.filter { !beyondPlatform.contains($0) })
    func conforms(_ check: TransportConformance.Check) async throws {
        let failures = try await TransportConformance.failures(of: [check]) { _ in URLSessionTransport() }
        #expect(failures == [])
    }

    #if canImport(FoundationNetworking)
    /// What FoundationNetworking keeps from the transport.
    private static let beyondPlatform: Set<TransportConformance.Check> = [
        // It suspends a task by closing its connection, and all sessions share one queue, so that none can be blocked.
        .backPressure,
        // It ends the process when the connection ends between the status line and the end of the head.
        .brokenHeads,
        // It cannot hold back a sender that never pauses, which on a busy machine has sent all that may be spooled before the
        // body is dropped.
        .droppedBody,
        // It keeps fields whose names differ in case in a dictionary, without their order.
        .responseFields,
    ]

    @Test(arguments: [TransportConformance.Check.backPressure, .droppedBody, .responseFields])
    func knowsItsLimits(_ check: TransportConformance.Check) async throws {
        let failures = try await TransportConformance.failures(of: [check]) { _ in URLSessionTransport() }
        withKnownIssue(isIntermittent: true) { #expect(failures == []) }
    }
    #else
    private static let beyondPlatform: Set<TransportConformance.Check> = []
    #endif
}
#endif
