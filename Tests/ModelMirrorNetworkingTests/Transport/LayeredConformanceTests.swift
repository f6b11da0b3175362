import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Conformance of observing layers", .timeLimit(.hung), .network)
struct LayeredConformanceTests {
    @Test(
        "Interceptors, logging and reachability together keep the contract",
        arguments: TransportConformance.Check.allCases)
    func layers(check: TransportConformance.Check) async throws {
        let failures = try await TransportConformance.failures(of: [check]) { _ in
            let asking = ReachabilityTransport(SocketTransport(), isConnected: { true })
            let logging = LoggingTransport(asking, level: .bodies(max: 100)) { _ in }
            return InterceptingTransport(logging, adapting: { _ in }, inspecting: { _, _ in })
        }
        #expect(failures == [])
    }
}
