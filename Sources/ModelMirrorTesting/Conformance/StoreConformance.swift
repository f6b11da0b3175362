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
        /// A response comes back with its status, URL, header fields, body and date; fields of one name stay apart.
        case savedWhole
        /// A body of any bytes and of 0 bytes comes back.
        case anyBody
        /// A later response for a key replaces the earlier one.
        case replaced
        /// Any text is a key: empty, long, with slashes, dots or line breaks. Keys that differ in case, in one mark or in one end are
        /// different; canonically equivalent ones may be one key.
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
        var headers: HTTPHeaders = [
            .link: "</a>; rel=\"next\"", .eTag: "W/\"1\"", "X-Text": "ü, \"quoted\"", "X-Empty": "",
        ]
        headers.append("</b>; rel=\"last\"", for: .link)
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
        let long = String(repeating: "k", count: 5000)
        let keys = [
            "", " ", "a", "A", "\u{E9}", "e\u{301}", "\u{1F600}", "CON", ".", "..", long, long + "2", "2" + long,
            // A store that replaces, decodes or trims some marks makes one key of some of these.
            "a/b", "a\\b", "a:b", "a?b", "a_b", "a-b", "a b", "a+b", "ab", "a%2Fb", "a%20b", "a\n", "a\u{0}b", "a ",
            " a", "a.", "/a", "../a",
        ]
        for (number, key) in keys.enumerated() { try await store.save(response("\(number)"), for: key) }
        for (number, key) in keys.enumerated() {
            // Canonically equivalent keys are equal strings in Swift, so they may be one key.
            let last = keys.lastIndex(of: key) ?? number
            let found = try await store.response(for: key)
            if let found, [number, last].contains(where: { response("\($0)").body == found.body }) { continue }
            let owner = keys.indices.first { response("\($0)").body == found?.body }
            throw ConformanceProbe.Unmet(
                "for the key \(short(key)) the store has "
                    + (owner.map { "the response of the key \(short(keys[$0]))" } ?? text(found))
                    + ", expected its own response")
        }
    }

    /// A key in quotes, a long one with its ends alone.
    private func short(_ key: String) -> String {
        (key.count > 20 ? "\(key.prefix(9))…\(key.suffix(9))" : key).debugDescription
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
                    for count in [1000 + number, 1100 + number, 1200 + number] {
                        var saved = response(String(repeating: "\(number % 4)", count: count))
                        saved.headers[.eTag] = "\"\(count)\""
                        // Not all in step, or a response in two parts would have both of the same task.
                        for _ in 0..<count % 3 { await Task.yield() }
                        try await store.save(saved, for: key)
                        try expect(try await store.response(for: key), isAsWholeAs: saved, for: key)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Fails unless a response, which others replace meanwhile, is one of its key, with the length of its body as its tag.
    private func expect(_ found: StoredResponse?, isAsWholeAs saved: StoredResponse, for key: String) throws {
        guard let found else {
            throw ConformanceProbe.Unmet("the key \(key.debugDescription) has nothing while it is replaced")
        }
        guard found.body.count >= 1000, found.body.allSatisfy({ $0 == saved.body.first }) else {
            throw ConformanceProbe.Unmet("the response of \(key.debugDescription) is a part or another key's")
        }
        guard found.headers[.eTag] == "\"\(found.body.count)\"" else {
            throw ConformanceProbe.Unmet(
                "the response of \(key.debugDescription) has the header fields of one response and the body of another")
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
