import ModelMirrorExploring
import Testing

/// The work of inference in proportion to the document, counted.
struct InferenceWorkTests {
    /// The number of groups that are compared if all objects differ but share some keys.
    private func comparisons(_ count: Int, named name: (Int) -> String) -> Int {
        var index = GroupIndex()
        var compared = 0
        for number in 0..<count {
            let keys = ["id", "name", "url"] + (0..<4).map { "own\(number)_\($0)" }
            compared += index.candidates(for: keys, named: name(number)).count
            index.add(keys, to: number, named: name(number))
        }
        return compared
    }

    @Test func differentObjectsAreNotComparedWithAllOthers() {
        #expect(comparisons(400) { "Name\($0)" } == 0)
        #expect(comparisons(400) { _ in "Item" } == 0)
    }

    @Test func equalKeysLeadToAHundredGroups() {
        var index = GroupIndex()
        for number in 0..<1_000 { index.add(["id", "name", "url"], to: number, named: "Item") }
        #expect(index.candidates(for: ["id", "name", "url"], named: "Item") == Array(0..<50) + Array(950..<1_000))
    }

    @Test func similarObjectsAreCompared() {
        var index = GroupIndex()
        index.add(["a", "b", "c", "d", "e"], to: 0, named: "Item")
        index.add(["a", "b", "x", "y"], to: 1, named: "Item")
        #expect(index.candidates(for: ["b", "c", "d", "e", "f"], named: "Other") == [0])
        #expect(index.candidates(for: ["a", "b", "p", "q"], named: "Item") == [0, 1])
        #expect(index.candidates(for: ["a", "p", "q", "r", "s"], named: "Other") == [])
    }

    @Test func equalNamesAreNumberedAtOnce() {
        var names = NumberedNames()
        var used: Set<String> = []
        var tries = 0
        for _ in 0..<1000 {
            let name = names.free("name") {
                tries += 1
                return !used.contains($0)
            }
            #expect(used.insert(name).inserted)
        }
        #expect(tries < 2000 && used.contains("name1000"))
    }

    @Test func referencesOfAWideSchemaAndItsAnchorsResolve() throws {
        let schemas = (0..<40).map {
            #""s\#($0)": {"$anchor": "a\#($0)", "properties": {"p\#($0)": {"type": "string"}}}"#
        }
        let properties = (0..<40).flatMap { number in
            ["a", "$defs/s"].map {
                ##""\##($0.prefix(1))\##(number)": {"$ref": "#\##($0 == "a" ? "" : "/")\##($0)\##(number)"}"##
            }
        }
        let schema =
            ##"{"properties": {\##(properties.joined(separator: ","))}, "$defs": {\##(schemas.joined(separator: ","))}}"##
        let source = try ClassInference.source(schema: Array(schema.utf8), name: "Top")
        for number in 0..<40 {
            #expect(source.contains("class S\(number): AbstractModel {\n    var p\(number): String?"))
        }
    }
}
