import Foundation
import ModelMirrorNetworking
import Testing

/// The tests of `Tests/CacheConformance`, by a client with a store in memory over real connections.
@Suite("RFC 9111 as a private cache", .timeLimit(.hung), .network)
struct CacheConformanceTests {
    @Test("The required tests of cache-tests pass, save five")
    func required() async throws {
        let (count, failures) = try await run("required")
        #expect(count == 137)
        #expect(
            failures == [
                // The transport refuses the unknown coding of its body.
                "headers-store-Content-Encoding",
                // Cookies are kept by the transport, for each account.
                "headers-store-Set-Cookie", "headers-store-Set-Cookie2",
                // Their point is reached only by a store that makes ranges.
                "partial-use-headers", "partial-use-stored-headers",
            ])
    }

    @Test("The tests of cache-tests of what an optimal cache does pass, save nineteen")
    func optimal() async throws {
        let (count, failures) = try await run("optimal")
        #expect(count == 77)
        #expect(
            failures == [
                // The request asks for a confirmation.
                "cc-resp-immutable-fresh",
                // A response to POST answers no GET.
                "method-POST",
                // `no-store` forbids storing, whatever else is said.
                "status-200-must-understand",
                // The key contains all header fields as they are written, since any may tell a user.
                "vary-cache-key", "vary-normalise-combine", "vary-normalise-lang-order", "vary-normalise-lang-case",
                "vary-normalise-lang-space", "vary-normalise-lang-select", "vary-normalise-space", "other-cookie",
                // Ranges are neither stored nor made.
                "partial-store-partial-reuse-partial", "partial-store-complete-reuse-partial",
                "partial-store-complete-reuse-partial-no-last", "partial-store-complete-reuse-partial-suffix",
                "partial-store-partial-reuse-partial-byterange", "partial-store-partial-reuse-partial-absent",
                "partial-store-partial-reuse-partial-suffix", "partial-store-partial-complete",
            ])
    }

    /// Runs the tests of a kind.
    ///
    /// - Returns: Their number, and the names of those that fail or do not come to their point.
    private func run(_ kind: String) async throws -> (count: Int, failures: Set<String>) {
        let runner = try CacheRunner()
        defer { runner.stop() }
        let tests = try CacheCase.all().filter { $0.kind == kind }
        var failures: Set<String> = []
        for test in tests {
            do { try await runner.run(test) } catch is CacheFailure { failures.insert(test.id) }
        }
        return (tests.count, failures)
    }
}
