import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// RFC 9111 for a private cache, by the cases of http-tests/cache-tests; the README beside them says where they are from.
@Suite("Conformance of the store to RFC 9111", .timeLimit(.hung), .network)
struct CacheConformanceTests {
    /// The required cases that fail, each with its reason.
    private static let failing = [
        "headers-store-Content-Length": "the length is that of the body, which is stored decoded",
        "304-etag-update-response-Content-Length": "as above",
        "headers-store-Set-Cookie":
            "cookies belong to the cookie storage, by account, and not to each use of a response",
        "headers-store-Set-Cookie2": "as above",
    ]

    /// The required cases that say nothing, since a response that they set up is not what they need.
    private static let untested = [
        "headers-store-Content-Encoding": "the unknown coding of the case is refused",
        "headers-store-Transfer-Encoding": "as above",
        "stale-while-revalidate-window": "stale-while-revalidate, which is optional, is not used",
        "partial-use-headers": "ranges of stored responses, which are optional, are not served",
        "partial-use-stored-headers": "as above",
    ]

    @Test func theSuiteIsWhole() throws {
        let cases = try CacheCase.all()
        #expect(cases.count == 370)
        #expect(Set(cases.map(\.id)).count == 370)
        #expect(cases.count { $0.isPrivate && $0.kind == .required } == 137)
        #expect(cases.allSatisfy { !$0.requests.isEmpty })
    }

    @Test func everyRequiredCasePassesOrFailsForAKnownReason() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let outcomes = await withTaskGroup { group in
            for test in (try? CacheCase.all()) ?? [] where test.isPrivate && test.kind == .required {
                group.addTask { (test.id, await CacheRun(test, on: server).outcome()) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(outcomes.count == 137)
        for (id, outcome) in outcomes {
            switch outcome {
            case .passed: #expect(Self.failing[id] == nil && Self.untested[id] == nil, "\(id) passes")
            case .failed(let text): #expect(Self.failing[id] != nil, "\(id) fails: \(text)")
            case .untested(let text): #expect(Self.untested[id] != nil, "\(id) is untested: \(text)")
            }
        }
        // At most 5 % of those that say something.
        #expect(Self.failing.count * 20 <= outcomes.count - Self.untested.count)
    }

    /// What the standard permits and a cache does well to do; these waste no request.
    @Test(arguments: [
        "freshness-max-age", "freshness-expires-future", "heuristic-200-cached", "heuristic-404-cached", "vary-match",
        "conditional-etag-strong-generate", "conditional-etag-weak-generate-weak",
        "invalidate-POST-failed", "query-args-same", "status-599-fresh",
    ])
    func optimal(_ id: String) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        for test in try CacheCase.all() where test.id == id && test.isPrivate {
            #expect(await CacheRun(test, on: server).outcome() == .passed)
        }
    }
}
