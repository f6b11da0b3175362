import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// The contract that every transport keeps. `CurlTransport` keeps all of it.
@Suite(.serialized, .timeLimit(.hung), .network)
struct BuiltInConformanceTests {
    @Test(arguments: TransportUnderTest.allCases, TransportConformance.Check.allCases)
    func conforms(_ kind: TransportUnderTest, _ check: TransportConformance.Check) async throws {
        if kind == .session, BuiltInConformanceTests.isLimited, check == .brokenHeads { return }
        let failures = try await TransportConformance.failures(of: [check]) { _ in kind.make() }
        withKnownIssue(isIntermittent: true) {
            #expect(failures == [])
        } when: {
            kind == .session && BuiltInConformanceTests.isLimited && check.beyondURLSessionOnLinux != nil
        }
    }

    #if canImport(FoundationNetworking)
    private static let isLimited = true
    #else
    private static let isLimited = false
    #endif
}
