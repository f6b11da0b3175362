#if os(Linux)
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// The contract that every transport keeps, whole.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct CurlTransportConformanceTests {
    @Test(arguments: TransportConformance.Check.allCases)
    func conforms(_ check: TransportConformance.Check) async throws {
        let failures = try await TransportConformance.failures(of: [check]) { _ in CurlTransport() }
        #expect(failures == [])
    }
}
#endif
