import ModelMirror
import Testing

private class Parent: AbstractModel {
    var name = ""
    var age: Int?
    var tags: [String] = []
    var child: Child?

    override class var mappingOptions: MappingOptions { MappingOptions(requiresNonOptional: true) }
}

private class Child: AbstractModel {
    var id = 0
}

private class Heir: Parent {
    var title: String!
    var rank = 0

    override class var ignoredProperties: Set<String> { ["tags"] }
}

@Suite("The requiresNonOptional option")
struct RequiresNonOptionalTests {
    @Test("A missing key or null fails a property that is not Optional")
    func missing() throws {
        #expect(
            Thrown.text { try Parent(json: #"{"tags": null}"#) }
                == """
                Parent.name at $.name (line 1, column 1): expected a string, found no such key.
                Parent.tags at $.tags (line 1, column 10): expected an array, found null.
                """)
        let parent = try Parent(json: #"{"name": "a", "tags": [], "child": {}}"#)
        #expect(parent.age == nil)
        // Its class does not say otherwise, so the rule holds for the child too, an invalid value of an Optional property.
        #expect(parent.child == nil)
    }

    @Test("requiresNonOptional tolerates values of the wrong kind in lenient mapping")
    func wrong() throws {
        #expect(try Parent(json: #"{"name": 7, "tags": [1, "b"]}"#).tags == ["b"])
        #expect(try Parent(json: #"{"name": "", "tags": []}"#, options: .strict).name == "")
    }

    @Test("Subclasses inherit requiresNonOptional, and a call sets or clears it for all objects")
    func scope() throws {
        #expect(
            Thrown.text { try Heir(json: "{}") }
                == """
                Heir.name at $.name (line 1, column 1): expected a string, found no such key.
                Heir.rank at $.rank (line 1, column 1): expected an integer, found no such key.
                """)
        #expect(try Heir(json: "{}", options: MappingOptions(requiresNonOptional: false)).rank == 0)
        // A nested model that fails is an invalid value, here of an Optional property.
        let json = #"[{"name": "", "tags": [], "child": {}}]"#
        #expect(try [Parent](json: json)[0].child == nil)
        #expect(try [Parent](json: json, options: MappingOptions(requiresNonOptional: false))[0].child?.id == 0)
        #expect(try [Parent](json: json, options: MappingOptions(requiresNonOptional: true))[0].child == nil)
    }

    @Test("An update with requiresNonOptional accepts missing keys")
    func update() throws {
        let parent = Parent()
        try parent.update(json: #"{"name": "a"}"#)
        #expect(parent.name == "a")
        #expect(
            Thrown.text { try parent.update(json: #"{"name": null}"#) }
                == "Parent.name at $.name (line 1, column 10): expected a string, found null.")
    }
}
