import ModelMirror
import Testing

private class Base: AbstractModel {
    var zulu = 0
    var alpha: Int?
    /// The object's state at each call of the hook; not mapped.
    var seen: [String] = []

    override class var ignoredProperties: Set<String> { ["seen"] }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        HookProbe.current?.note(value, property)
        seen.append("\(property): zulu \(zulu)")
        return HookProbe.current?.answer == .fails
    }
}

private class Derived: Base {
    var yankee = 0
    var bravo: [Int] = []
    var nested: Nested?
}

private class Nested: AbstractModel {
    var inner = 0

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        HookProbe.current?.note(value, "Nested.\(property)")
        return HookProbe.current?.answer == .fails
    }
}

@Suite("Order of shouldFail calls")
struct SettlingOrderTests {
    @Test(
        "shouldFail is called once per property, in declared order, superclass first",
        arguments: [
            // In any document order.
            (
                #"{"bravo": 1, "yankee": [], "nested": 5, "alpha": "a", "zulu": {}}"#,
                ["zulu = {}", #"alpha = String "a""#, "yankee = []", "bravo = Int 1", "nested = Int 5"]
            ),
            // For missing keys, nulls and invalid values alike.
            (
                #"{"bravo": [null], "alpha": null, "nested": null}"#,
                ["zulu = nil", "alpha = nil", "yankee = nil", "bravo = [JSONValue null]", "nested = nil"]
            ),
            // For a nested object before its parent.
            (
                #"{"zulu": "z", "alpha": 1, "yankee": 1, "bravo": [], "nested": {"inner": "i"}}"#,
                [#"Nested.inner = String "i""#, #"zulu = String "z""#]
            ),
            // Even if a key has several invalid values.
            (
                """
                {"zulu": "first", "alpha": 1, "zulu": null, "yankee": 1, "zulu": ["last"], "bravo": [],
                 "nested": {"inner": 1}}
                """,
                [#"zulu = [String "last"]"#]
            ),
        ])
    func order(json: String, calls: [String]) throws {
        let probe = HookProbe()
        _ = try Derived(json: json, options: probe.options())
        #expect(probe.calls == calls)
    }

    @Test("shouldFail is called after all members of the object are stored")
    func afterStoring() throws {
        let object = try Derived(
            json: #"{"alpha": "bad", "yankee": 1, "bravo": [], "nested": {"inner": 1}, "zulu": 42}"#)
        #expect(object.seen == ["alpha: zulu 42"])
    }

    @Test("shouldFail is called once for each object of a collection")
    func oncePerObject() throws {
        let probe = HookProbe()
        _ = try [Nested](json: #"[{"inner": "a"}, {"inner": 1}, {}]"#, options: probe.options())
        #expect(probe.calls == [#"Nested.inner = String "a""#, "Nested.inner = nil"])
    }

    @Test("shouldFail is called for all properties, even after one has failed")
    func allAreAsked() throws {
        let probe = HookProbe(.fails)
        let error = #expect(throws: ModelError.self) {
            try Derived(json: #"{"bravo": 1, "nested": {"inner": 1}}"#, options: probe.options())
        }
        #expect(probe.calls == ["zulu = nil", "alpha = nil", "yankee = nil", "bravo = Int 1"])
        #expect(
            error?.lines == [
                "Derived.zulu at $.zulu (line 1, column 1): expected an integer, found no such key.",
                "Derived.alpha at $.alpha (line 1, column 1): expected an integer, found no such key.",
                "Derived.yankee at $.yankee (line 1, column 1): expected an integer, found no such key.",
                "Derived.bravo at $.bravo (line 1, column 11): expected an array, found the number 1.",
            ])
    }

    @Test("Failures are in document order")
    func failuresInDocumentOrder() throws {
        #expect(
            Thrown.error {
                try Derived(
                    json: #"{"nested": {"inner": "n"}, "bravo": [1, "b"], "zulu": null, "yankee": 0.5}"#,
                    options: .strict)
            }?.valueFailures.map { "\($0.path)" } == ["$.nested.inner", "$.bravo[1]", "$.zulu", "$.yankee"])
    }
}
