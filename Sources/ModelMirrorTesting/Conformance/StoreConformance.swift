public import ModelMirror
public import ModelMirrorFoundation
public import ModelMirrorNetworking

/// Checks that a store fulfills the contract of `ResponseStore`.
///
/// ```swift
/// @Test func conforms() async throws {
///     #expect(try await StoreConformance.failures { MyStore() } == [])
/// }
/// ```
public enum StoreConformance {
    /// The checks, in the order in which they run. Each has a store of its own.
    public enum Check: String, CaseIterable, Sendable {
        /// A key that was never saved has no response.
        case emptyAtFirst
        /// A response comes back with its status, URL, header fields, body and date.
        case savedWhole
        /// A body of any bytes and of 0 bytes comes back.
        case anyBody
        /// A later response for a key replaces the earlier one.
        case replaced
        /// Any text is a key: empty, long, with slashes, dots or line breaks. Keys that differ in case are different;
        /// canonically equivalent ones may be one key.
        case anyKey
        /// A removed key has no response; others keep theirs; removing it again is not an error.
        case removed
        /// After `removeAll()` no key has a response, until one is saved again.
        case allRemoved
        /// `removeAll(where:)` removes at least the keys that match.
        case someRemoved
        /// Concurrent calls return whole responses of the right key.
        case concurrency
    }

    /// A failed check.
    public struct Failure: LocalizedError, SentenceError, Equatable, CustomStringConvertible {
        /// The check.
        public let check: Check
        /// What was expected and what was found.
        public let sentence: String

        /// The name of the check and the sentence.
        public var description: String { "\(check): \(sentence)" }
    }

    /// Runs checks and returns the failures.
    ///
    /// - Parameters:
    ///   - checks: The checks to run. Defaults to all.
    ///   - makeStore: Makes an empty store; called once per check.
    /// - Returns: The failures in the order of the checks; empty for a conforming store.
    /// - Throws: Errors of `makeStore`. Those of the store are failures.
    public static func failures(
        of checks: [Check] = Check.allCases, _ makeStore: @Sendable () async throws -> any ResponseStore
    ) async throws -> [Failure] {
        var failures: [Failure] = []
        for check in checks {
            let probe = StoreProbe(store: try await makeStore())
            do {
                try await probe.perform(check)
            } catch let unmet as ConformanceProbe.Unmet {
                failures.append(Failure(check: check, sentence: unmet.sentence))
            } catch {
                failures.append(Failure(check: check, sentence: "the store threw \"\(error)\""))
            }
        }
        return failures
    }
}

/// A running check of a store.
private struct StoreProbe: Sendable {
    let store: any ResponseStore

    func perform(_ check: StoreConformance.Check) async throws {
        switch check {
        case .emptyAtFirst: try await expect(nil, for: "a")
        case .savedWhole: try await savedWhole()
        case .anyBody: try await anyBody()
        case .replaced:
            try await store.save(response("first, which is longer"), for: "a")
            try await store.save(response("second"), for: "a")
            try await expect(response("second"), for: "a")
        case .anyKey: try await anyKey()
        case .removed: try await removed()
        case .allRemoved:
            for key in ["a", "b"] { try await store.save(response(key), for: key) }
            try await store.removeAll()
            for key in ["a", "b"] { try await expect(nil, for: key) }
            try await store.save(response("again"), for: "a")
            try await expect(response("again"), for: "a")
        case .someRemoved:
            for key in ["a/1", "a/2", "b/1"] { try await store.save(response(key), for: key) }
            try await store.removeAll { $0.hasPrefix("a/") }
            for key in ["a/1", "a/2"] { try await expect(nil, for: key) }
        case .concurrency: try await concurrency()
        }
    }

    private func savedWhole() async throws {
        let headers: HTTPHeaders = [.eTag: "W/\"1\"", "X-Text": "ü, \"quoted\"", "X-Empty": ""]
        var saved = response("{}")
        saved.status = 203
        saved.headers = headers
        // Finer than a millisecond, so that a store that rounds fails.
        saved.date = Date(timeIntervalSinceReferenceDate: 700_000_000.123_456)
        try await store.save(saved, for: "a")
        try await expect(saved, for: "a")
    }

    private func anyBody() async throws {
        for body in [Data(), Data(0...255), Data(repeating: 0x0A, count: 100_000)] {
            var saved = response("")
            saved.body = body
            try await store.save(saved, for: "a")
            try await expect(saved, for: "a")
        }
    }

    private func anyKey() async throws {
        let keys = [
            "", "a", "A", "a/b", "../a", "/a", "a\n", "a\u{0}b", "\u{E9}", "e\u{301}", "\u{1F600}", "CON", ".", "..",
            String(repeating: "k", count: 5000), String(repeating: "k", count: 5000) + "2",
        ]
        for (number, key) in keys.enumerated() { try await store.save(response("\(number)"), for: key) }
        for (number, key) in keys.enumerated() {
            // Canonically equivalent keys are equal strings in Swift, so they may be one key.
            let last = keys.lastIndex(of: key) ?? number
            let found = try await store.response(for: key)
            let bodies = [number, last].map { response("\($0)").body }
            guard let found, bodies.contains(found.body) else {
                throw ConformanceProbe.Unmet(
                    "for the key \(key.prefix(20).debugDescription) the store has \(text(found)), expected \(text(response("\(number)")))"
                )
            }
        }
    }

    private func removed() async throws {
        for key in ["a", "b"] { try await store.save(response(key), for: key) }
        try await store.remove(for: "a")
        try await expect(nil, for: "a")
        try await expect(response("b"), for: "b")
        try await store.remove(for: "a")
        try await store.remove(for: "never saved")
    }

    private func concurrency() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let key = "key \(number % 4)"
                    let text = String(repeating: "\(number % 4)", count: 1000 + number)
                    try await store.save(response(text), for: key)
                    guard let found = try await store.response(for: key) else {
                        throw ConformanceProbe.Unmet("the key \(key.debugDescription) has nothing while it is replaced")
                    }
                    let isWhole = found.body.count >= 1000 && found.body.allSatisfy { $0 == text.utf8.first }
                    guard isWhole else {
                        throw ConformanceProbe.Unmet(
                            "the response of \(key.debugDescription) is a part or another key's")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func response(_ text: String) -> StoredResponse {
        StoredResponse(
            url: URL(string: "https://example.com/a?b=%20") ?? URL(fileURLWithPath: "/"), body: Data(text.utf8),
            date: Date(timeIntervalSinceReferenceDate: 700_000_000))
    }

    private func expect(_ expected: StoredResponse?, for key: String) async throws {
        let found = try await store.response(for: key)
        if found != expected {
            throw ConformanceProbe.Unmet(
                "for the key \(key.debugDescription) the store has \(text(found)), expected \(text(expected))")
        }
    }

    /// Describes everything in which responses may differ.
    private func text(_ response: StoredResponse?) -> String {
        guard let response else { return "nothing" }
        return "a response \(response.status) of \(response.url) with \(response.headers.fields.count) header fields, "
            + "\(response.body.count) bytes, of \(response.date.timeIntervalSinceReferenceDate)"
    }
}
