import ModelMirror
import Testing

@Suite("JSON Merge Patch (RFC 7396)")
struct MergePatchTests {
    /// The test cases of appendix A, in its order.
    @Test(
        "Merging and diffing match the examples of RFC 7396, appendix A",
        arguments: [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
            (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
            (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
            (#"{"a":"foo"}"#, #"null"#, #"null"#),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
            (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ])
    func appendixA(target: String, patch: String, result: String) throws {
        let (target, patch, result) = try (JSONValue(json: target), JSONValue(json: patch), JSONValue(json: result))
        #expect(target.merging(patch: patch) == result)
        #expect(target.merging(patch: .mergePatch(from: target, to: result)) == result)
    }

    /// The example of section 3.
    @Test("Merging and diffing match the example of RFC 7396, section 3")
    func section3() {
        let document: JSONValue = [
            "title": "Goodbye!", "author": ["givenName": "John", "familyName": "Doe"], "tags": ["example", "sample"],
            "content": "This will be unchanged",
        ]
        let patch: JSONValue = [
            "title": "Hello!", "phoneNumber": "+01-123-456-7890", "author": ["familyName": nil], "tags": ["example"],
        ]
        let result: JSONValue = [
            "title": "Hello!", "author": ["givenName": "John"], "tags": ["example"],
            "content": "This will be unchanged",
            "phoneNumber": "+01-123-456-7890",
        ]
        #expect(document.merging(patch: patch) == result)
        #expect(JSONValue.mergePatch(from: document, to: result) == patch)
    }

    @Test("A null within an array is a value in patches and diffs")
    func nullInArrays() {
        let value: JSONValue = ["a": [nil, ["b": nil]]]
        #expect(JSONValue.null.merging(patch: value) == value)
        #expect(JSONValue.mergePatch(from: [:], to: value) == value)
        #expect(JSONValue.mergePatch(from: 1, to: value) == value)
    }

    @Test(
        "A diff contains only the changed members",
        arguments: [
            (["a": 1, "b": 2], ["a": 1, "b": 2], [:]),
            (["a": 1, "b": ["c": 3]], ["a": 1.0, "b": ["c": 3]], [:]),
            (["a": 1, "b": 2], ["a": 1], ["b": nil]),
            (["a": nil], [:], ["a": nil]),
            (["a": 1], ["a": 1, "b": [:]], ["b": [:]]),
            (
                ["a": ["b": ["c": 1, "d": 2], "e": 3]], ["a": ["b": ["c": 1, "d": 4], "e": 3]], ["a": ["b": ["d": 4]]]
            ),
            (["a": ["b": 1]], ["a": [:]], ["a": ["b": nil]]),
            (["a": 1], ["a": [:]], ["a": [:]]),
            (["a": [1]], ["a": ["b": 1]], ["a": ["b": 1]]),
            (["a": ["b": 1]], ["a": 2], ["a": 2]),
            (["a": [1, 2]], ["a": [1]], ["a": [1]]),
            ([:], 1, 1), (1, [:], [:]), ([1], [1], [1]), (["a": 1], nil, nil), (nil, ["a": 1], ["a": 1]),
        ] as [(JSONValue, JSONValue, JSONValue)])
    func difference(from: JSONValue, to: JSONValue, patch: JSONValue) {
        #expect(JSONValue.mergePatch(from: from, to: to) == patch)
        #expect(from.merging(patch: patch) == to)
    }

    @Test(
        "A member set to null is removed, unless it was null before",
        arguments: [
            // from, to, patch, result
            (["a": 1], ["a": nil], ["a": nil], [:]),
            ([:], ["a": nil], [:], [:]),
            (["a": nil], ["a": nil, "b": 1], ["b": 1], ["a": nil, "b": 1]),
            ([:], ["a": ["b": nil, "c": 1]], ["a": ["c": 1]], ["a": ["c": 1]]),
            (["a": 1], ["a": ["b": nil]], ["a": [:]], ["a": [:]]),
            (["a": [:]], ["a": ["b": nil]], [:], ["a": [:]]),
            (["a": ["b": nil]], ["a": ["b": nil, "c": nil]], [:], ["a": ["b": nil]]),
            ([1], ["a": nil], [:], [:]),
            (["a": ["b": ["c": 1]]], ["a": ["b": ["c": nil]]], ["a": ["b": ["c": nil]]], ["a": ["b": [:]]]),
        ] as [(JSONValue, JSONValue, JSONValue, JSONValue)])
    func inexpressible(from: JSONValue, to: JSONValue, patch: JSONValue, result: JSONValue) {
        #expect(JSONValue.mergePatch(from: from, to: to) == patch)
        #expect(from.merging(patch: patch) == result)
    }

    @Test(
        "The diff of two random values leads from one to the other as far as RFC 7396 allows", arguments: 1...8
    )
    func property(seed: UInt64) {
        var generator = ValueGenerator(random: SeededGenerator(seed: seed))
        var expressible = 0
        for _ in 0..<500 {
            let from = generator.value(depth: 4)
            let to = Bool.random(using: &generator.random) ? generator.value(depth: 4) : generator.variation(of: from)
            let patch = JSONValue.mergePatch(from: from, to: to)
            let result = from.merging(patch: patch)
            let reachable = reachable(to, from: from)
            #expect(result == reachable, "from \(from) to \(to)")
            #expect(result.merging(patch: patch) == result, "applying twice from \(from) to \(to)")
            if reachable == to { expressible += 1 }
            if case .object = to { #expect(JSONValue.mergePatch(from: to, to: to) == [:]) }
        }
        // Otherwise the test would prove nothing.
        #expect(expressible > 200 && expressible < 500)
    }

    /// The closest value that a merge patch can reach: the target without members that are null now and were not
    /// before.
    private func reachable(_ to: JSONValue, from: JSONValue?) -> JSONValue {
        guard case .object(let members) = to else { return to }
        var result: [String: JSONValue] = [:]
        for (key, value) in members where !value.isNull || from?[key]?.isNull == true {
            result[key] = reachable(value, from: from?[key])
        }
        return .object(result)
    }
}

/// Generates values that have much in common.
private struct ValueGenerator {
    var random: SeededGenerator

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    mutating func value(depth: Int) -> JSONValue {
        switch below(depth > 0 ? 10 : 5) {
        case 0: .null
        case 1: .bool(below(2) == 0)
        case 2: .number(JSONNumber(below(3)))
        case 3: .number("1.\(below(2))" == "1.0" ? 1.0 : 1.5)
        case 4: .string(["", "x", "é"][below(3)])
        case 5: .array((0..<below(3)).map { _ in value(depth: depth - 1) })
        default:
            .object(
                Dictionary((0..<below(4)).map { _ in (["a", "b", "c"][below(3)], value(depth: depth - 1)) }) { $1 })
        }
    }

    /// The value with some members changed, at any depth.
    mutating func variation(of value: JSONValue) -> JSONValue {
        guard case .object(var members) = value, below(5) > 0 else { return self.value(depth: 2) }
        for key in members.keys.sorted() where below(2) == 0 {
            members[key] = below(4) == 0 ? .none : variation(of: members[key] ?? .null)
        }
        if below(3) == 0 { members["d"] = self.value(depth: 1) }
        return .object(members)
    }
}
