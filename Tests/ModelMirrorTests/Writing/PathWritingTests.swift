import ModelMirror
import Testing

private class Repo: AbstractModel {
    var ownerLogin: String? = "octocat"
    var name = "hello"
    var ownerID: Int? = 7
    var first: String? = "one"
    var third: Int? = 3
    var deep: Bool? = true
    var avatar: String? = "a.png"

    override class var propertyKeys: [String: PropertyKey] {
        [
            "ownerLogin": .path("owner", "login"), "ownerID": .path("owner", "id"), "first": .path("items", 0, "title"),
            "third": .path("items", 2), "deep": .path("a", "b", 1, "c", 0),
            "avatar": [.path("owner", "avatar"), "avatar"],
        ]
    }
}

private class Owner: AbstractModel {
    var login = "whole"
}

private class Overlap: AbstractModel {
    var login: String? = "inside"
    var owner: Owner? = Owner()
    var again: Int? = 1
    var twice: Int? = 2

    override class var propertyKeys: [String: PropertyKey] {
        ["login": .path("owner", "login"), "again": "number", "twice": "number"]
    }
}

private class Needy: AbstractModel {
    var login: String?
    var id: Int?

    override class var propertyKeys: [String: PropertyKey] {
        ["login": .path("owner", "login"), "id": .path("ids", 1)]
    }
    override class var requiredProperties: Set<String> { ["login", "id"] }
}

private class Contrary: AbstractModel {
    var element: Int?
    var member: Int?

    override class var propertyKeys: [String: PropertyKey] { ["element": .path("x", 0), "member": .path("x", "y")] }
}

private class Alternative: AbstractModel {
    var name = "n"

    override class var propertyKeys: [String: PropertyKey] { ["name": [.path("names", 0), .path("names", "en")]] }
}

@Suite("Key paths in written JSON")
struct PathWritingTests {
    @Test("Key paths are written as objects and arrays, each where its first property is declared or its key is sorted")
    func rebuilt() throws {
        let expected =
            #"{"owner":{"login":"octocat","id":7,"avatar":"a.png"},"name":"hello","items":[{"title":"one"},null,3],"#
            + #""a":{"b":[null,{"c":[true]}]}}"#
        #expect(try Repo().jsonString() == expected)
        #expect(try Repo(json: expected, options: .strict).isEqual(to: Repo()))
        let sorted =
            #"{"a":{"b":[null,{"c":[true]}]},"items":[{"title":"one"},null,3],"name":"hello","#
            + #""owner":{"avatar":"a.png","id":7,"login":"octocat"}}"#
        #expect(try Repo().jsonString(options: .sortedKeys) == sorted)
    }

    @Test(
        "Containers without values are omitted, while nil elements of arrays are written as null",
        arguments: [
            (#"{"owner": {"login": "x"}}"#, #"{"owner":{"login":"x"},"name":""}"#),
            (#"{"items": [{"title": "t"}]}"#, #"{"name":"","items":[{"title":"t"},null,null]}"#),
            (#"{"items": [0, 0, 5]}"#, #"{"name":"","items":[{},null,5]}"#),
            (#"{"a": {"b": [0, {"c": [false]}]}}"#, #"{"name":"","a":{"b":[null,{"c":[false]}]}}"#),
            ("{}", #"{"name":""}"#),
        ])
    func nils(json: String, expected: String) throws {
        let repo = Repo()
        try repo.update(
            json: #"{"owner": null, "items": null, "a": null, "name": "", "avatar": null}"#)
        #expect(try repo.jsonString() == #"{"name":""}"#)
        try repo.update(json: json)
        #expect(try repo.jsonString() == expected)
    }

    @Test("With the nulls option, every container and member of a key path is written")
    func nulls() throws {
        let repo = Repo()
        try repo.update(json: #"{"owner": null, "items": null, "a": null}"#)
        let expected =
            #"{"owner":{"login":null,"id":null,"avatar":null},"name":"hello","items":[{"title":null},null,null],"#
            + #""a":{"b":[null,{"c":[null]}]}}"#
        #expect(try repo.jsonString(options: .nulls) == expected)
        #expect(try Repo(json: expected, options: .strict).isEqual(to: repo))
    }

    @Test("Pretty printing leaves no line for an omitted container")
    func pretty() throws {
        let repo = Repo()
        try repo.update(json: #"{"owner": {"login": null, "id": null, "avatar": null}, "items": null, "a": null}"#)
        #expect(
            try repo.jsonString(options: .pretty) == """
                {
                  "name": "hello"
                }
                """)
    }

    @Test("A property mapped to a whole member is written, and one with a key path into it is not")
    func overlap() throws {
        #expect(try Overlap().jsonString() == #"{"owner":{"login":"whole"},"number":1}"#)
    }

    @Test("Strict writing reports a nil required property at its key path")
    func strict() throws {
        let error = try #require(throws: ModelError.self) { try Needy().jsonData(options: .strict) }
        #expect(
            error.lines == [
                "Needy.login at $.owner.login: expected a string, found nil.",
                "Needy.id at $.ids[1]: expected an integer, found nil.",
            ])
        #expect(try Needy().jsonString() == "{}")
    }

    @Test("Key paths that need one value to be both an object and an array are rejected")
    func contrary() throws {
        let error = try #require(throws: ModelError.self) { try Contrary().jsonData() }
        #expect(
            error.description
                == "Contrary cannot be mapped: element and member are written into one value, as a member of an object and as "
                + "an element of an array; give one of them another path in propertyKeys, or name it in readOnlyProperties."
        )
        #expect(error.modelFault?.property == "member")
    }

    @Test("Keys that are not written may conflict with others")
    func alternative() throws {
        #expect(try Alternative(json: #"{"names": ["f"]}"#, options: .strict).name == "f")
        #expect(try Alternative().jsonString() == #"{"names":["n"]}"#)
    }
}
