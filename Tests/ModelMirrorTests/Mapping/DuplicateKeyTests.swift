import ModelMirror
import Testing

private class Counter: AbstractModel {
    var count = 7
    var label: String? = "none"
    var list = [7]
    var numbers: [String: Int] = [:]
    var child: Child?

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        guard let probe = HookProbe.current else { return false }
        if value != nil { probe.note(value, property) }
        return probe.answer == .fails && value != nil
    }
}

private class Child: AbstractModel {
    var id = 0

    override class var requiredProperties: Set<String> { ["id"] }
    override func didMap() throws { HookProbe.current?.note("didMap \(id)") }
}

private class Flexible: AbstractModel {
    var createdAt = 0

    override class var keyStrategy: KeyStrategy { .flexible }
}

private class Opaque: AbstractModel {
    var pair = (0, 0)

    override func assign(undefinedValue value: Any?, forProperty property: String) throws {
        guard let list = value as? [Int], list.count == 2 else { throw ConversionError(expected: "two integers") }
        pair = (list[0], list[1])
    }
}

private class Keeping: AbstractModel {
    var rest: [String: JSONValue] = [:]

    override class var unknownKeysProperty: String? { "rest" }
}

private class Hiding: Keeping {
    override class var redactedProperties: Set<String> { ["rest"] }
}

private class Node: AbstractModel {
    var a = 0
    var leaf: Leaf?
    var inner: Node?
    var b = 0
}

private class Leaf: AbstractModel {
    var a = 0
    var b = 0
}

private class Resident: AbstractModel {
    var homeAddress: [String: Int] = [:]
    var city = 0
    var age = 0

    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var propertyKeys: [String: PropertyKey] { ["city": .path("home_address", "city")] }
}

@Suite("Duplicate keys")
struct DuplicateKeyTests {
    @Test("A value read after the rest replaces a rejected one later in the document, and no other")
    func replacedFromBefore() throws {
        let json = #"{"home_address": {"city": 1}, "homeAddress": 5, "age": "x"}"#
        let (resident, report) = try Resident.mapReporting(json: json)
        #expect((resident.homeAddress, resident.city, resident.age) == (["city": 1], 1, 0))
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["skipped $.home_address", "fallback $.age"])
    }

    @Test("Duplicates replace only the rejected values of their own object, in nested objects too")
    func nestedRejections() throws {
        let repaired = #"{"a": "x", "b": "x", "a": 1, "b": 1}"#
        let json = #"{"b": "1", "b": "y", "inner": {"b": "z", "leaf": \#(repaired), "a": 3}, "a": "u", "a": 4}"#
        let (node, report) = try Node.mapReporting(json: json)
        #expect([node.a, node.inner?.a, node.inner?.leaf?.a] == [4, 3, 1])
        #expect([node.b, node.inner?.b] == [1, 0])
        let entries = [
            "coerced $.b", "skipped $.b", "fallback $.b", "fallback $.inner.b",
            "skipped $.inner.leaf.a", "skipped $.inner.leaf.b", "skipped $.a",
        ]
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == entries)
        let updated = Node()
        try updated.update(json: json)
        #expect([updated.a, updated.inner?.a, updated.inner?.leaf?.a] == [4, 3, 1])
        #expect(
            Thrown.lines { try Node(json: json, options: .strict) } == [
                #"Node.b at $.b (line 1, column 7): expected an integer, found the string "1"."#,
                #"Node.b at $.b (line 1, column 17): expected each key once, found the key "b" with a second value for b."#,
                #"Node.b at $.b (line 1, column 17): expected an integer, found the string "y"."#,
                #"Node.b at $.inner.b (line 1, column 37): expected an integer, found the string "z"."#,
                #"Leaf.a at $.inner.leaf.a (line 1, column 76): expected each key once, found the key "a" with a second "#
                    + "value for a.",
                #"Leaf.b at $.inner.leaf.b (line 1, column 84): expected each key once, found the key "b" with a second "#
                    + "value for b.",
                #"Node.a at $.a (line 1, column 112): expected each key once, found the key "a" with a second value for a."#,
            ])
    }

    @Test(
        "Among duplicate keys, the last convertible value wins",
        arguments: [
            (#""count": 1, "count": 2"#, 2),
            (#""count": 1, "count": 2, "count": 3"#, 3),
            (#""count": "x", "count": 2"#, 2),
            (#""count": 1, "count": "x""#, 1),
            (#""count": 1, "count": null"#, 1),
            (#""count": null, "count": 2"#, 2),
            (#""count": [], "count": 2, "count": {}, "count": null"#, 2),
            (#""count": "x", "count": null"#, 7),
            // Escaped and plain spellings are one key.
            (#""count": 1, "c\u006funt": 2"#, 2),
        ])
    func lastThatConverts(members: String, count: Int) throws {
        #expect(try Counter(json: "{\(members)}").count == count)
    }

    @Test(
        "A duplicate null counts as a convertible value for an Optional",
        arguments: [
            (#""label": "a", "label": null"#, nil),
            (#""label": null, "label": "b""#, "b"),
            (#""label": 5, "label": null"#, nil),
            (#""label": null, "label": 5"#, nil),
        ] as [(String, String?)])
    func optional(members: String, label: String?) throws {
        #expect(try Counter(json: "{\(members)}").label == label)
    }

    @Test(
        "A failure repaired by a later duplicate is dropped, and shouldFail is not called",
        arguments: [
            #""count": "x", "count": 2"#, #""count": null, "count": [], "count": 2"#, #""label": 1, "label": "a""#,
            #""label": 1, "label": null"#, #""list": 5, "list": []"#, #""list": [1, "x"], "list": [2]"#,
            #""child": {"id": "x"}, "child": {"id": 1}"#, #""child": {"id": "x"}, "child": null"#,
        ])
    func repaired(members: String) throws {
        let probe = HookProbe(.fails)
        _ = try Counter(json: "{\(members)}", options: probe.options())
        #expect(probe.calls.filter { $0 != "didMap 1" } == [])
    }

    @Test("A partially convertible collection repairs an earlier invalid duplicate")
    func repairedInPart() throws {
        let (object, report) = try Counter.mapReporting(json: #"{"list": 5, "list": [1, "x"]}"#)
        #expect(object.list == [1])
        #expect(
            report.lines.filter { $0.contains("Counter.list") } == [
                "skipped: Counter.list at $.list (line 1, column 21): expected each key once, "
                    + #"found the key "list" with a second value for list; the last one that fits is used."#,
                #"skipped: Counter.list at $.list[1] (line 1, column 25): expected an integer, found the string "x"."#,
            ])
    }

    @Test("An invalid duplicate after a valid value remains a failure and calls shouldFail")
    func notRepaired() throws {
        let probe = HookProbe(.fails)
        let error = #expect(throws: ModelError.self) {
            try Counter(json: #"{"count": 1, "count": "x"}"#, options: probe.options())
        }
        #expect(probe.calls == [#"count = String "x""#])
        #expect(
            error?.lines == [
                #"Counter.count at $.count (line 1, column 23): expected an integer, found the string "x"."#
            ])
    }

    @Test("Lenient mapping reports every duplicate key")
    func recorded() throws {
        let report = try Counter.mapReporting(
            json: """
                {"count": 1, "label": "a", "list": [], "numbers": {"n": 1}, "child": null,
                 "count": 2, "label": "b", "list": [], "numbers": {}, "child": {"id": 1}}
                """
        ).report
        #expect(report.entries.allSatisfy { $0.kind == .skipped && $0.model == "Counter" && $0.line == 2 })
        #expect(
            report.lines == [
                "skipped: Counter.count at $.count (line 2, column 11): expected each key once, "
                    + #"found the key "count" with a second value for count; the last one that fits is used."#,
                "skipped: Counter.label at $.label (line 2, column 23): expected each key once, "
                    + #"found the key "label" with a second value for label; the last one that fits is used."#,
                "skipped: Counter.list at $.list (line 2, column 36): expected each key once, "
                    + #"found the key "list" with a second value for list; the last one that fits is used."#,
                "skipped: Counter.numbers at $.numbers (line 2, column 51): expected each key once, "
                    + #"found the key "numbers" with a second value for numbers; the last one that fits is used."#,
                "skipped: Counter.child at $.child (line 2, column 64): expected each key once, "
                    + #"found the key "child" with a second value for child; the last one that fits is used."#,
            ])
    }

    @Test(
        "Strict mapping rejects a duplicate key at its second value",
        arguments: [
            (#"{"count": 1, "count": 2}"#, "count", 22), (#"{"label": null, "label": "a"}"#, "label", 25),
            (#"{"label": "a", "label": null}"#, "label", 24), (#"{"list": [], "list": []}"#, "list", 21),
            (#"{"child": {"id": 1}, "child": {"id": 2}}"#, "child", 30),
            (#"{"child": {"id": 1}, "child": null}"#, "child", 30),
        ])
    func strict(document: String, property: String, offset: Int) throws {
        let error = #expect(throws: ModelError.self) { try Counter(json: document, options: .strict) }
        #expect(
            error?.lines == [
                "Counter.\(property) at $.\(property) (line 1, column \(offset + 1)): expected each key once, "
                    + #"found the key "\#(property)" with a second value for \#(property)."#
            ])
        #expect(error?.valueFailures.map(\.offset) == [offset])
    }

    @Test("Strict mapping fails once per duplicate, even if it repairs a failure, and also for an invalid value")
    func strictAndBad() {
        #expect(
            Thrown.lines {
                try Counter(json: #"{"count": "x", "count": 1, "count": 2}"#, options: .strict)
            } == [
                "Counter.count at $.count (line 1, column 25): expected each key once, "
                    + #"found the key "count" with a second value for count."#,
                "Counter.count at $.count (line 1, column 37): expected each key once, "
                    + #"found the key "count" with a second value for count."#,
            ])
        #expect(
            Thrown.lines {
                try Counter(json: #"{"count": 1, "count": "x"}"#, options: .strict)
            } == [
                "Counter.count at $.count (line 1, column 23): expected each key once, "
                    + #"found the key "count" with a second value for count."#,
                #"Counter.count at $.count (line 1, column 23): expected an integer, found the string "x"."#,
            ])
    }

    @Test("Keys that the key strategy folds together are duplicates")
    func folded() throws {
        let document = #"{"created_at": 1, "CreatedAt": 2}"#
        #expect(try Flexible(json: document).createdAt == 2)
        #expect(
            Thrown.lines { try Flexible(json: document, options: .strict) } == [
                "Flexible.createdAt at $.CreatedAt (line 1, column 32): expected each key once, "
                    + #"found the key "CreatedAt" with a second value for createdAt."#
            ])
    }

    @Test("The last valid duplicate member of a dictionary wins; strict mapping fails")
    func dictionaryMembers() throws {
        let document = #"{"numbers": {"a": 1, "a": 2, "a": "x", "b": 3}}"#
        let (object, report) = try Counter.mapReporting(json: document)
        #expect(object.numbers == ["a": 2, "b": 3])
        #expect(
            report.lines.filter { $0.contains("numbers") } == [
                "skipped: Counter.numbers at $.numbers.a (line 1, column 27): expected each key once, found the "
                    + #"key "a" again; the last value that fits is used."#,
                "skipped: Counter.numbers at $.numbers.a (line 1, column 35): expected an integer, found the "
                    + #"string "x"."#,
            ])
        let strict = #expect(throws: ModelError.self) {
            try Counter(json: #"{"numbers": {"a": 1, "a": 2}}"#, options: .strict)
        }
        #expect(
            strict?.lines == [
                #"Counter.numbers at $.numbers.a (line 1, column 27): expected each key once, found the key "a" again."#
            ])
    }

    @Test("The last duplicate of an unknown key is kept; strict mapping fails")
    func unknownMembers() throws {
        let document = #"{"x": 1, "x": 2, "y": 3}"#
        let (object, report) = try Keeping.mapReporting(json: document)
        #expect(object.rest == ["x": 2, "y": 3])
        let line = "Keeping.rest at $.x (line 1, column 15): expected each key once, found the key \"x\" again"
        #expect(report.lines == ["skipped: \(line); the last value that fits is used."])
        let strict = #expect(throws: ModelError.self) { try Keeping(json: document, options: .strict) }
        #expect(strict?.lines == ["\(line)."])
        #expect(
            Thrown.lines { try Hiding(json: document, options: .strict) } == [
                #"Hiding.rest at $["<redacted>"] (line 1, column 15): expected each key once, found a value, redacted."#
            ])
    }

    @Test("Duplicate keys are detected for a property assigned by assign(undefinedValue:forProperty:)")
    func assignedByTheModel() throws {
        let document = #"{"pair": 5, "pair": [1, 2]}"#
        let (object, report) = try Opaque.mapReporting(json: document)
        #expect(object.pair == (1, 2))
        #expect(
            report.lines == [
                "skipped: Opaque.pair at $.pair (line 1, column 21): expected each key once, "
                    + #"found the key "pair" with a second value for pair; the last one that fits is used."#
            ])
        let strict = #expect(throws: ModelError.self) { try Opaque(json: document, options: .strict) }
        #expect(
            strict?.lines == [
                "Opaque.pair at $.pair (line 1, column 21): expected each key once, "
                    + #"found the key "pair" with a second value for pair."#
            ])
    }
}
