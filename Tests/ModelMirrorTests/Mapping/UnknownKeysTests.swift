import ModelMirror
import Testing

private class Keeping: AbstractModel {
    var id = 0
    var inner: Closed?
    var rest: [String: JSONValue] = [:]
    override class var unknownKeysProperty: String? { "rest" }
}

private class Closed: AbstractModel {
    var a = 0
    override class var mappingOptions: MappingOptions { MappingOptions(unknownKeys: .failures) }
}

private class BadRest: AbstractModel {
    var rest: [String: Int] = [:]
    override class var unknownKeysProperty: String? { "rest" }
}

@Suite("Unknown keys")
struct UnknownKeysTests {
    @Test("unknownKeysProperty collects unmapped keys, which survive a round trip")
    func unknownKeys() throws {
        let json = #"{"id":1,"new":{"a":[1.10]},"other":null}"#
        let (model, report) = try Keeping.mapReporting(json: json)
        #expect(model.rest == ["new": ["a": [1.10]], "other": nil])
        #expect(report.description == "nothing to report")
        #expect(try model.jsonString() == json)
        #expect(try model.jsonString(options: .sortedKeys) == json)
        try model.update(json: #"{"newer": 2}"#)
        #expect(model.rest.keys.sorted() == ["new", "newer", "other"])
        let copy = try model.copy()
        #expect(copy.isEqual(to: model))
        copy.rest = [:]
        #expect(!copy.isEqual(to: model))
        #expect(
            Thrown.text { try BadRest(json: "{}") }
                == "BadRest cannot be mapped: unknownKeysProperty names rest, which must be of the type [String: JSONValue]."
        )
    }

    @Test("Unknown keys are ignored, reported or rejected, as the class or the call configures")
    func unknownKeyRules() throws {
        let json = #"{"a": 1, "b": 2}"#
        #expect(
            Thrown.text { try Closed(json: json) }
                == "Closed at $.b (line 1, column 15): expected a key of Closed, found the key \"b\".")
        let report = try Closed.mapReporting(json: json, options: MappingOptions(unknownKeys: .reported)).report
        #expect(report.entries.map(\.kind) == [.unknownKey])
        #expect(
            try Closed.mapReporting(json: json, options: MappingOptions(unknownKeys: .ignored)).report.entries.isEmpty)
        #expect(
            Thrown.text { try Closed(json: #"{"a": 1, "b": 2, "c": 3, "d": 4}"#, options: MappingOptions(failures: 2)) }
                == """
                Closed at $.b (line 1, column 15): expected a key of Closed, found the key "b".
                Closed at $.c (line 1, column 23): expected a key of Closed, found the key "c".
                1 more failure is not listed.
                """)
        let keeping = try Keeping(json: #"{"id": 1, "inner": {"a": 1, "b": 2}}"#)
        #expect(keeping.inner == nil)
    }

    @Test("unknownKeysProperty is printed, patched and takes keys before they can be failures")
    func unknownKeysElsewhere() throws {
        let model = try Keeping(json: #"{"id": 1, "new": 2}"#, options: MappingOptions(unknownKeys: .failures))
        #expect(model.rest == ["new": 2])
        #expect("\(model)" == #"Keeping(id: 1, inner: nil, rest: ["new": 2])"#)
        let before = try model.copy()
        model.rest = ["newer": 3]
        let patch = try model.mergePatch(since: before)
        #expect(patch == ["new": nil, "newer": 3])
        let properties = try Keeping.jsonSchema()["$defs"]["Keeping"]["properties"]
        #expect(properties?.object?.keys.sorted() == ["id", "inner"])
    }
}
