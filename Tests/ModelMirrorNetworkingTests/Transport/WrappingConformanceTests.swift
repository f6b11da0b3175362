import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Conformance of wrapping transports", .timeLimit(.hung), .network)
struct WrappingConformanceTests {
    @Test("RetryTransport keeps the contract", arguments: TransportConformance.Check.allCases)
    func retrying(check: TransportConformance.Check) async throws {
        let failures = try await TransportConformance.failures(of: [check]) { _ in
            RetryTransport(SocketTransport(), random: { 0 })
        }
        #expect(failures == [])
    }

    @Test("AuthenticatingTransport keeps the contract", arguments: TransportConformance.Check.allCases)
    func authenticating(check: TransportConformance.Check) async throws {
        let failures = try await TransportConformance.failures(of: [check]) { url in
            try AuthenticatingTransport(SocketTransport(), origins: [url], token: nil) { _, _ in "token" }
        }
        #expect(failures == [])
    }

    /// Left out is the check whose body has no end, since a recorded body is collected first.
    @Test(
        "RecordingTransport keeps the contract",
        arguments: TransportConformance.Check.allCases.filter { $0 != .cancelledInUpload })
    func recording(check: TransportConformance.Check) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let failures = try await TransportConformance.failures(of: [check]) { _ in
            try RecordingTransport(SocketTransport(), folder: folder)
        }
        #expect(failures == [])
    }

    /// Checks that need the head before the body, or an endless body: a shared body is collected first.
    private static let streaming: Set<TransportConformance.Check> = [
        .headBeforeBody, .backPressure, .cancelledInBody, .droppedBody, .brokenResponses,
    ]

    @Test(
        "CoalescingTransport keeps the contract",
        arguments: TransportConformance.Check.allCases.filter { !streaming.contains($0) })
    func coalescing(check: TransportConformance.Check) async throws {
        let failures = try await TransportConformance.failures(of: [check]) { _ in
            CoalescingTransport(SocketTransport(), limit: 1 << 26)
        }
        #expect(failures == [])
    }
}
