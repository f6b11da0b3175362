import ModelMirror
import Testing

private class Counts: AbstractModel {
    var counts: [String: Int] = ["a": 1, "b": 2, "c": 3]
    var optional: [String: Int]? = ["a": 1]
    var text = ""
    var nested = Inner()
    var byName: [String: Inner] = [:]

    required init() {
        super.init()
        nested.b = 9
        let inner = Inner()
        inner.b = 9
        byName = ["x": inner]
    }
}

private class Inner: AbstractModel {
    var a: Int?
    var b = 2
}

private class Lists: AbstractModel { var byName: [String: [Int]] = [:] }

@Suite("Updates of dictionaries and declared defaults")
struct UpdatedDictionaryTests {
    @Test("An update keeps dictionary members whose new values are invalid")
    func members() throws {
        let model = Counts()
        let report = try model.update(json: #"{"counts": {"a": 5, "b": "x", "d": "y"}, "optional": {"a": []}}"#)
        #expect((model.counts, model.optional) == (["a": 5, "b": 2], ["a": 1]))
        #expect(
            report.entries.map { "\($0.kind) \($0.path)" } == [
                "skipped $.counts.b", "skipped $.counts.d", "skipped $.optional.a",
            ])
        #expect(try Counts(json: #"{"counts": {"a": 5, "b": "x"}}"#).counts == ["a": 5])
    }

    @Test("Updates and merge patches keep members of dictionaries of models and arrays")
    func modelsAndArrays() throws {
        let counts = Counts()
        let report = try counts.update(json: #"{"byName": {"x": 5, "y": {"a": 1}}}"#)
        #expect(counts.byName["x"]?.b == 9 && counts.byName["y"]?.a == 1)
        #expect(report.entries.map { "\($0.kind) \($0.path)" }.contains("skipped $.byName.x"))
        let lists = try Lists(json: #"{"byName": {"x": [1], "y": [2]}}"#)
        try lists.update(json: #"{"byName": {"x": 5, "y": [3, "z"]}}"#)
        #expect(lists.byName == ["x": [1], "y": [3]])
        try lists.merge(patch: #"{"byName": {"y": null, "z": [4]}}"#)
        #expect(lists.byName == ["x": [1], "z": [4]])
    }

    @Test("A null clears an Optional dictionary unless updates ignore nulls")
    func nulls() throws {
        let model = Counts()
        try model.update(json: #"{"optional": null, "text": null}"#, options: MappingOptions(updatesIgnoreNulls: true))
        #expect(model.optional == ["a": 1])
        try model.update(json: #"{"optional": null}"#)
        #expect(model.optional == nil)
    }

    @Test("With updatesNestedInPlace, the declared defaults of a new object are filled, otherwise replaced")
    func defaults() throws {
        let filled = try Counts(
            json: #"{"nested": {"a": 1}, "byName": {"x": {"a": 2}, "y": {"a": 3}}}"#,
            options: MappingOptions(updatesNestedInPlace: true))
        #expect(filled.nested.a == 1 && filled.nested.b == 9)
        #expect(filled.byName["x"]?.a == 2 && filled.byName["x"]?.b == 9 && filled.byName["y"]?.b == 2)
        let replaced = try Counts(json: #"{"nested": {"a": 1}}"#)
        #expect(replaced.nested.b == 2)
    }
}
