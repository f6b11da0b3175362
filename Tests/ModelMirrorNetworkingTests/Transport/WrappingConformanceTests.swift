import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Conformance of wrapping transports", .timeLimit(.hung), .network)
struct WrappingConformanceTests {
    enum Wrapper: CaseIterable, Sendable {
        case retrying, authenticating, recording, coalescing
        /// Interceptors, logging and reachability together.
        case observing

        /// The checks that do not apply.
        private var excluded: Set<TransportConformance.Check> {
            switch self {
            // Its body has no end, and a recorded body is collected first.
            case .recording: [.cancelledInUpload]
            // They need the head before the body, or an endless body: a shared body is collected first.
            case .coalescing: [.headBeforeBody, .backPressure, .cancelledInBody, .droppedBody, .brokenResponses]
            default: []
            }
        }

        static let checks = allCases.flatMap { wrapper in
            TransportConformance.Check.allCases.filter { !wrapper.excluded.contains($0) }.map { (wrapper, $0) }
        }

        func make(_ url: URL, _ folder: URL) throws -> any Transport {
            let base = SocketTransport()
            switch self {
            case .retrying: return RetryTransport(base, random: { 0 })
            case .authenticating:
                return try AuthenticatingTransport(base, origins: [url], token: nil) { _, _ in "token" }
            case .recording: return try RecordingTransport(base, folder: folder)
            case .coalescing: return CoalescingTransport(base, limit: 1 << 26)
            case .observing:
                let reachability = ReachabilityTransport(base, isConnected: { true })
                let logging = LoggingTransport(reachability, level: .bodies(max: 100)) { _ in }
                return InterceptingTransport(logging, adapting: { _ in }, inspecting: { _, _ in })
            }
        }
    }

    @Test("Each wrapper keeps the contract", arguments: Wrapper.checks)
    func keepsTheContract(_ wrapper: Wrapper, _ check: TransportConformance.Check) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let failures = try await TransportConformance.failures(of: [check]) { url in try wrapper.make(url, folder) }
        #expect(failures == [])
    }
}
