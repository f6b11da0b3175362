import ModelMirror
import Testing

private struct HookRefusal: Error, Equatable, CustomStringConvertible {
    let description: String
}

private class Node: AbstractModel {
    var name = ""
    var child: Node?
    var others: [Node] = []
    var byName: [String: Node] = [:]

    override class var requiredProperties: Set<String> { ["name"] }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        if value != nil { HookProbe.current?.note("asked \(name).\(property)") }
        return HookProbe.current?.answer == .fails && value != nil
    }

    override func didMap() throws {
        HookProbe.current?.note("didMap \(name)")
        if name.hasPrefix("bad") { throw HookRefusal(description: "\(name) is refused") }
    }

    override func validateModel(_ validation: inout ModelValidation) {
        HookProbe.current?.note("validateModel \(name)")
        if name.hasPrefix("invalid") { validation.fail("name", expected: "another name") }
    }
}

private class Period: AbstractModel {
    var start = 0
    var end = 10
    var note: String?
    var range: [Int] = []

    override class var propertyKeys: [String: PropertyKey] {
        ["end": ["until", "end"], "note": .path("meta", "note")]
    }

    override func didMap() throws { if end < 0 { end = 10 } }

    override func validateModel(_ validation: inout ModelValidation) {
        if end < start {
            validation.fail("end", expected: "a number after start")
            validation.fail("start", expected: "a number before end")
            validation.fail(expected: "a period that is not empty")
            validation.fail("note", expected: "a reason")
        }
    }
}

private class Flexible: AbstractModel {
    var startDay = 0
    var endDay: Int? = 0

    override class var keyStrategy: KeyStrategy { .flexible }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        property == "endDay"
    }

    override func validateModel(_ validation: inout ModelValidation) {
        validation.fail("startDay", expected: "another day")
    }
}

private class Chained: Node {
    var extra = 0

    override func didMap() throws {
        try super.didMap()
        HookProbe.current?.note("didMap of Chained")
    }
}

@Suite("didMap and validateModel")
struct ObjectHookTests {
    @Test("didMap and validateModel are called once per object, children first")
    func childrenFirst() throws {
        let probe = HookProbe()
        _ = try Node(
            json: """
                {"byName": {"x": {"name": "5"}}, "name": "1", "child": {"child": {"name": "3"}, "name": "2"},
                 "others": [{"name": "4"}, {"name": "4a"}]}
                """, options: probe.options())
        #expect(
            probe.calls == ["5", "3", "2", "4", "4a", "1"].flatMap { ["didMap \($0)", "validateModel \($0)"] })
    }

    @Test("didMap and validateModel are called by init(dictionary:) and through super")
    func dictionary() throws {
        let probe = HookProbe()
        _ = try Chained(dictionary: ["name": "a", "extra": 1], options: probe.options())
        #expect(probe.calls == ["didMap a", "didMap of Chained", "validateModel a"])
    }

    @Test("didMap and validateModel are called for valid children of an object with a failure")
    func failures() {
        let probe = HookProbe()
        #expect(
            Thrown.lines {
                try Node(json: #"{"child": {"name": "2"}, "others": [{"name": "3"}]}"#, options: probe.options())
            } == ["Node.name at $.name (line 1, column 1): expected a string, found no such key."])
        #expect(probe.calls == ["didMap 2", "validateModel 2", "didMap 3", "validateModel 3"])
    }

    @Test("didMap and validateModel are called for an object whose invalid values are tolerated")
    func forgiven() throws {
        let probe = HookProbe()
        _ = try Node(json: #"{"name": "1", "child": 5}"#, options: probe.options())
        #expect(probe.calls == ["asked 1.child", "didMap 1", "validateModel 1"])
    }

    @Test("Changes by didMap are kept and visible to validateModel")
    func changes() throws {
        #expect(try Period(json: #"{"start": 5, "until": -1}"#).end == 10)
    }

    @Test("An error thrown by didMap is a failure of the object and skips validateModel")
    func throwing() throws {
        let probe = HookProbe()
        let error = #expect(throws: ModelError.self) { try Node(json: #" {"name": "bad"}"#, options: probe.options()) }
        let failure = try #require(error?.valueFailures.first)
        #expect(error?.valueFailures.count == 1)
        #expect((failure.model, failure.property) == ("Node", nil))
        #expect((failure.path, failure.line, failure.column, failure.offset) == (.root, 1, 2, 1))
        #expect((failure.expected, failure.found) == ("an object that didMap accepts", "an object"))
        #expect(failure.underlying as? HookRefusal == HookRefusal(description: "bad is refused"))
        #expect(
            failure.description
                == "Node at $ (line 1, column 2): expected an object that didMap accepts, found an object: bad is "
                + "refused."
        )
        #expect(probe.calls == ["didMap bad"])
    }

    @Test("An error thrown by a child's didMap calls the parent's shouldFail, which tolerates it")
    func childForgiven() throws {
        let probe = HookProbe()
        let (node, report) = try Node.mapReporting(
            json: #"{"name": "1", "child": {"name": "bad"}, "others": [{"name": "2"}, {"name": "bad 2"}]}"#,
            options: probe.options())
        #expect(node.child == nil)
        #expect(node.others.map(\.name) == ["2"])
        #expect(
            probe.calls == [
                "didMap bad", "didMap 2", "validateModel 2", "didMap bad 2", "asked 1.child", "asked 1.others",
                "didMap 1",
                "validateModel 1",
            ])
        let entries = report.entries.filter { $0.underlying != nil }
        #expect(entries.map { "\($0.path)" } == ["$.child", "$.others[1]"])
        #expect(
            entries.map { $0.underlying as? HookRefusal } == [
                HookRefusal(description: "bad is refused"), HookRefusal(description: "bad 2 is refused"),
            ])
    }

    @Test("An error thrown by a child's didMap keeps its full path if shouldFail returns true")
    func childFails() {
        let probe = HookProbe(.fails)
        #expect(
            Thrown.lines {
                try Node(
                    json: #"{"name": "1", "others": [{"name": "2", "byName": {"a b": {"name": "bad"}}}]}"#,
                    options: probe.options())
            } == [
                #"Node at $.others[0].byName["a b"] (line 1, column 58): expected an object that didMap accepts, "#
                    + "found an object: bad is refused."
            ])
        #expect(probe.calls == ["didMap bad", "asked 2.byName", "asked 1.others"])
    }

    @Test("Findings of validateModel are located at the values or their expected places")
    func findings() {
        let error = #expect(throws: ModelError.self) {
            try Period(json: "{\n  \"until\": 1,\n  \"start\": 5,\n  \"end\": 9\n}")
        }
        #expect(
            error?.lines == [
                "Period at $ (line 1, column 1): expected a period that is not empty, found an object.",
                "Period.note at $.meta.note (line 1, column 1): expected a reason, found no such key.",
                "Period.end at $.until (line 2, column 12): expected a number after start, found the number 1.",
                "Period.start at $.start (line 3, column 12): expected a number before end, found the number 5.",
            ])
        #expect(error?.valueFailures.map(\.offset) == [0, 0, 13, 27])
    }

    @Test("Findings of validateModel are collected with other failures and reach the parent")
    func findingsOfChildren() throws {
        let json = #"[{"name": "invalid"}, {"name": 5}, {"name": "ok", "child": {"name": "invalid"}}]"#
        #expect(
            Thrown.lines { try [Node](json: json) } == [
                #"Node.name at $[0].name (line 1, column 11): expected another name, found the string "invalid"."#,
                "Node.name at $[1].name (line 1, column 32): expected a string, found the number 5; the option stringsFromNumbers accepts it.",
            ])
        #expect(try [Node](json: json, options: MappingOptions(skipsInvalidElements: true)).map(\.child?.name) == [nil])
    }

    @Test("A validation finding, and a null rejected by shouldFail, name the key as spelled in the document")
    func flexibleKeys() {
        #expect(
            Thrown.lines { try Flexible(json: #"{"start_day": 1, "EndDay": 2}"#) } == [
                "Flexible.startDay at $.start_day (line 1, column 15): expected another day, found the number 1."
            ])
        #expect(
            Thrown.lines { try Flexible(json: #"{"start_day": 1, "end-day": null}"#) } == [
                #"Flexible.endDay at $["end-day"] (line 1, column 29): expected an integer, found null."#
            ])
    }
}
