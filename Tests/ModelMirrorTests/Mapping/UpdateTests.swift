import Foundation
import ModelMirror
import Testing

private class Owner: AbstractModel {
    var id = 0
    var name: String? = "nobody"
}

private class Gist: AbstractModel {
    var id: String! = "old"
    var comments = 1
    var isPublic = true
    var stars: Int? = 5
    var tags = ["a", "b"]
    var files = ["x": 1]
    var owner: Owner? = Owner()
    var owners = [Owner()]
    var created = Date(timeIntervalSince1970: 0)
    var free: JSONValue = "old"
    var alias = "old"
    var login = "old"
    var readOnce = 0

    private(set) var mapped = 0

    override class var propertyKeys: [String: PropertyKey] {
        ["isPublic": "public", "alias": ["first", "second"], "login": .path("owner", "login")]
    }
    override class var requiredProperties: Set<String> { ["id", "comments"] }
    override class var ignoredProperties: Set<String> { ["mapped"] }
    override class var writeOnlyProperties: Set<String> { ["readOnce"] }

    override func didMap() { mapped += 1 }
}

private class Base: AbstractModel { var a = 1 }
private class Derived: Base { var b = 2 }

private class Strict: AbstractModel {
    var count = 1
    var when: Date?

    override class var mappingOptions: MappingOptions { MappingOptions(strict: true) }
}

@Suite("Updates")
struct UpdateTests {
    /// The names of the properties that an update changes.
    private func changes(_ json: String, _ options: MappingOptions = .init()) throws -> [String] {
        let (gist, old) = (Gist(), Gist())
        let before = try old.jsonValue(options: .nulls)
        try gist.update(json: json, options: options)
        let after = try gist.jsonValue(options: .nulls)
        return (after.object ?? [:]).filter { before.object?[$0.key] != $0.value }.keys.sorted()
    }

    @Test(
        "An update changes only properties whose keys are present",
        arguments: [
            ("{}", []), (#"{"id": "new"}"#, ["id"]), (#"{"comments": 3}"#, ["comments"]),
            (#"{"public": false}"#, ["public"]),
            (#"{"stars": null}"#, ["stars"]), (#"{"stars": 6, "tags": []}"#, ["stars", "tags"]),
            (#"{"files": {"y": 2}}"#, ["files"]), (#"{"owners": []}"#, ["owners"]),
            (#"{"free": {"a": [1]}}"#, ["free"]),
            (#"{"created": "2016-01-23T18:30:00Z"}"#, ["created"]), (#"{"second": "new"}"#, ["first"]),
            (#"{"unknown": 1, "mapped": 9, "readOnce": 9}"#, []),
            // In another order than declared.
            (
                #"{"free": 1, "stars": 6, "tags": [], "public": false, "comments": 3, "id": "new"}"#,
                ["comments", "free", "id", "public", "stars", "tags"]
            ),
        ])
    func onlyPresent(json: String, changed: [String]) throws {
        #expect(try changes(json) == changed)
    }

    @Test("With updatesIgnoreNulls, null changes nothing, even for types that accept null")
    func ignoredNulls() throws {
        let json = #"{"free": null, "stars": null}"#
        #expect(try changes(json) == ["free", "stars"])
        #expect(try changes(json, MappingOptions(updatesIgnoreNulls: true)) == [])
    }

    @Test("An update stores every kind of value")
    func values() throws {
        let gist = Gist()
        try gist.update(
            json: """
                {"id": "1", "comments": 3, "public": false, "stars": 7, "tags": ["c"], "files": {"y": 2},
                 "owners": [{"id": 1}, {"id": 2}], "created": "2016-01-23T18:30:00Z", "free": [null],
                 "first": "f", "owner": {"id": 9, "login": "octocat"}}
                """)
        #expect(gist.id == "1" && gist.comments == 3 && gist.isPublic == false && gist.stars == 7)
        #expect(gist.tags == ["c"] && gist.files == ["y": 2] && gist.owners.map(\.id) == [1, 2])
        #expect(gist.created == Date(timeIntervalSince1970: 1_453_573_800) && gist.free == [nil] && gist.alias == "f")
        #expect(gist.owner?.id == 9 && gist.login == "octocat")
    }

    @Test("A null clears Optionals, is stored in free-form properties and keeps other values")
    func nulls() throws {
        let gist = Gist()
        let report = try gist.update(
            json: #"{"stars": null, "owner": null, "free": null, "tags": null, "public": null, "created": null}"#)
        #expect(gist.stars == nil && gist.owner == nil && gist.free == .null)
        #expect(gist.tags == ["a", "b"] && gist.isPublic && gist.created == Date(timeIntervalSince1970: 0))
        #expect(gist.login == "old")
        #expect(
            report.lines == [
                "fallback: Gist.login at $.owner (line 1, column 26): expected a string, found null.",
                "fallback: Gist.tags at $.tags (line 1, column 54): expected an array, found null.",
                "fallback: Gist.isPublic at $.public (line 1, column 70): expected true or false, found null.",
                "fallback: Gist.created at $.created (line 1, column 87): expected a date in ISO 8601 or "
                    + #""y-MM-dd HH:mm:ssZ", found null."#,
            ])
    }

    @Test("Missing keys, even required ones, are not reported by an update")
    func missing() throws {
        let gist = Gist()
        let report = try gist.update(json: #"{"stars": 1}"#)
        #expect((report.lines, report.description) == ([], "nothing to report"))
        #expect(gist.id == "old")
        try Gist().update(json: "{}", options: .strict)
    }

    @Test("An update reports the deviations it tolerated")
    func report() throws {
        let gist = Gist()
        let report = try gist.update(
            json:
                #"{"stars": "7", "tags": ["c", 1], "owner": {"id": "x"}, "what": 1, "created": 5, "files": {"a": 1, "a": 2}}"#
        )
        #expect(
            report.lines == [
                #"coerced: Gist.stars at $.stars (line 1, column 11): expected an integer, found the string "7"."#,
                "skipped: Gist.tags at $.tags[1] (line 1, column 30): expected a string, found the number 1.",
                #"fallback: Owner.id at $.owner.id (line 1, column 50): expected an integer, found the string "x"."#,
                #"unknownKey: Gist at $.what (line 1, column 64): expected a key of Gist, found the key "what"."#,
                "fallback: Gist.created at $.created (line 1, column 78): expected a date in ISO 8601 or "
                    + #""y-MM-dd HH:mm:ssZ", found the number 5."#,
                #"skipped: Gist.files at $.files.a (line 1, column 104): expected each key once, "#
                    + #"found the key "a" again; the last value that fits is used."#,
            ])
        #expect(gist.stars == 7 && gist.tags == ["c"] && gist.files == ["a": 2] && gist.owner?.id == 0)
    }

    @Test("didMap is called once, after values are stored, and not for a failing update")
    func didMap() throws {
        let gist = Gist()
        try gist.update(json: "{}")
        try gist.update(json: #"{"comments": 2}"#)
        #expect(gist.mapped == 2)
        #expect(throws: ModelError.self) { try gist.update(json: #"{"comments": null}"#) }
        #expect(gist.mapped == 2)
        let probe = HookOrder()
        try probe.update(json: #"{"inner": {"value": 2}, "value": 3}"#)
        #expect(probe.seen == ["inner 2", "outer 3, inner 2"])
    }

    @Test("An update replaces nested models and collections with new ones")
    func replaced() throws {
        let gist = Gist()
        let (owner, first) = (try #require(gist.owner), gist.owners[0])
        owner.name = "kept"
        try gist.update(json: #"{"owner": {"id": 1}, "owners": [{"id": 2}]}"#)
        #expect(gist.owner !== owner && gist.owner?.id == 1 && gist.owner?.name == "nobody")
        #expect(gist.owners.count == 1 && gist.owners[0] !== first && gist.owners[0].id == 2)
        #expect(owner.id == 0 && first.id == 0)
    }

    @Test("An update uses the first alias present and reads key paths from a shared member")
    func aliasesAndPaths() throws {
        let gist = Gist()
        try gist.update(json: #"{"second": "2", "first": "1"}"#)
        #expect(gist.alias == "1")
        try gist.update(json: #"{"first": null, "second": "2"}"#)
        #expect(gist.alias == "1")
        try gist.update(json: #"{"owner": {"id": 3}}"#)
        #expect(gist.owner?.id == 3 && gist.login == "old")
        try gist.update(json: #"{"owner": {"login": "new"}}"#)
        #expect(gist.owner?.id == 0 && gist.login == "new")
    }

    @Test(
        "The last convertible duplicate of an update wins; a strict update fails",
        arguments: [
            (#"{"comments": 2, "comments": 3}"#, 3), (#"{"comments": "x", "comments": 3}"#, 3),
            (#"{"comments": null, "comments": 3}"#, 3),
        ])
    func duplicates(json: String, comments: Int) throws {
        let gist = Gist()
        try gist.update(json: json)
        #expect(gist.comments == comments)
        let strict = Gist()
        #expect(throws: ModelError.self) { try strict.update(json: json, options: .strict) }
        #expect(strict.comments == 1)
    }

    @Test("The last convertible duplicate for an Optional wins, null included")
    func optionalDuplicates() throws {
        for (json, stars) in [
            (#"{"stars": 2, "stars": null}"#, nil), (#"{"stars": null, "stars": 3}"#, 3),
            (#"{"stars": 2, "stars": "x"}"#, 2),
        ] as [(String, Int?)] {
            let gist = Gist()
            try gist.update(json: json)
            #expect(gist.stars == stars)
        }
    }

    @Test("A failing update restores values that cannot be compared or that a getter transforms")
    func incomparable() throws {
        let object = Incomparable()
        #expect(throws: ModelError.self) {
            try object.update(json: #"{"points": [{"x": 2}, 5], "needed": null}"#)
        }
        #expect(object.points.map(\.x) == [1])
        let word = Lowercased()
        #expect(throws: ModelError.self) {
            try word.update(json: #"{"word": "NEW", "word": 5, "needed": null}"#)
        }
        #expect(word.stored == "old")
    }

    @Test("An update covers inherited and subclass properties, regardless of the static type")
    func inheritance() throws {
        let object: Base = Derived()
        try object.update(json: #"{"a": 3, "b": 4}"#)
        #expect(object.a == 3 && (object as? Derived)?.b == 4)
    }

    @Test("An update accepts a path, Data, bytes and a dictionary")
    func inputs() throws {
        let gist = Gist()
        try gist.update(json: #"{"data": [0, {"comments": 2}]}"#, at: ["data", 1])
        #expect(gist.comments == 2)
        try gist.update(json: Data(#"{"comments": 3}"#.utf8))
        #expect(gist.comments == 3)
        try gist.update(json: Array(#"{"comments": 4}"#.utf8))
        #expect(gist.comments == 4)
        let report = try gist.update(dictionary: ["comments": 5, "stars": "6", "tags": ["z"]])
        #expect(gist.comments == 5 && gist.stars == 6 && gist.tags == ["z"])
        #expect(report.lines == [#"coerced: Gist.stars at $.stars: expected an integer, found the string "6"."#])
        try gist.update(dictionary: ["stars": NSNull()])
        #expect(gist.stars == nil)
    }

    @Test("The class's options apply to updates unless the call overrides them")
    func options() throws {
        let strict = Strict()
        #expect(throws: ModelError.self) { try strict.update(json: #"{"count": "2"}"#) }
        #expect(strict.count == 1)
        try strict.update(json: #"{"count": "2"}"#, options: MappingOptions(strict: false))
        #expect(strict.count == 2)
    }

    @Test("Converters and hooks of an update get the call's context, otherwise the class's")
    func context() throws {
        let object = Contextual()
        try object.update(json: #"{"value": 1, "list": [1, "x"]}"#)
        #expect((object.value, object.seen) == ("class", ["hook: class", "didMap: class", "validate: class"]))
        object.seen = []
        try object.update(json: #"{"value": 1, "list": [1, "x"]}"#, options: MappingOptions(context: "call"))
        #expect((object.value, object.seen) == ("call", ["hook: call", "didMap: call", "validate: call"]))
    }
}

private class HookOrder: AbstractModel {
    var value = 0
    var inner: Inner? = Inner()
    var seen: [String] = []

    override class var ignoredProperties: Set<String> { ["seen"] }

    override func didMap() { seen = (inner?.seen ?? []) + ["outer \(value), inner \(inner?.value ?? -1)"] }
}

private class Inner: AbstractModel {
    var value = 0
    var seen: [String] = []

    override class var ignoredProperties: Set<String> { ["seen"] }

    override func didMap() { seen.append("inner \(value)") }
}

private struct ContextReader: Converter {
    func value(from json: JSONValue) throws -> String { MappingContext.current as? String ?? "none" }
    func json(from value: String) throws -> JSONValue { .string(value) }
}

private class Contextual: AbstractModel {
    var value = ""
    var list = [0]
    var seen: [String] = []

    override class var ignoredProperties: Set<String> { ["seen"] }
    override class var propertyConverters: [String: any Converter] { ["value": ContextReader()] }
    override class var mappingOptions: MappingOptions { MappingOptions(context: "class") }

    private func note(_ event: String) { seen.append("\(event): \(MappingContext.current as? String ?? "none")") }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        note("hook")
        return false
    }

    override func didMap() { note("didMap") }

    override func validateModel(_ validation: inout ModelValidation) { note("validate") }
}

private struct Point: Decodable {
    var x = 0
}

private final class Incomparable: AbstractModel {
    var points = [Point(x: 1)]
    var needed: Int?
    override class var requiredProperties: Set<String> { ["needed"] }
}

private final class Lowercased: AbstractModel {
    var stored = "old"
    var needed: Int?
    var word: String {
        get { stored.lowercased() }
        set { stored = newValue }
    }
    override class var keyPathTable: KeyPathTable? { ["word": \Lowercased.word, "needed": \Lowercased.needed] }
    override class var requiredProperties: Set<String> { ["needed"] }
}
