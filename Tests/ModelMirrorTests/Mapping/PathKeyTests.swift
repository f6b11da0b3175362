import ModelMirror
import ModelMirrorTesting
import Testing

private class Owner: AbstractModel {
    var login = ""
    var id = 0
}

private class Gist: AbstractModel {
    var ownerLogin = "nobody"
    var firstID: Int? = 7
    var secondTag: String? = "untagged"
    var owner: Owner?
    var dotted = 0
    var deep: [Int] = []

    override class var propertyKeys: [String: PropertyKey] {
        [
            "ownerLogin": .path("owner", "login"), "firstID": .path("items", 0, "id"), "secondTag": .path("tags", 1),
            "dotted": "a.b", "deep": .path("x", "y", 1, 0, "z"),
        ]
    }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        guard let probe = HookProbe.current, property != "owner" else { return false }
        probe.note(value, property)
        return probe.answer == .fails
    }
}

/// Properties of different types that share one key.
private class Sharing: AbstractModel {
    var value = 0
    var text: String? = "default"
    var list: [Int]? = [7]
    var same = 0

    override class var propertyKeys: [String: PropertyKey] { ["text": "value", "list": "value", "same": "value"] }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        HookProbe.current?.note(value, property)
        return false
    }
}

/// Maps some members by key paths and leaves the keys beside them unmapped.
private class Partial: AbstractModel {
    var a = 0
    var b = 0
    var written = 0
    var model: Owner?
    override class var propertyKeys: [String: PropertyKey] {
        ["a": .path("x", "y"), "b": .path("x", "list", 1, "k"), "written": .path("x", "written")]
    }
    override class var writeOnlyProperties: Set<String> { ["written"] }
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["model": DynamicPropertyTypes(named: .path("x", "type"), [:])]
    }
}
private class Keeping: Partial {
    var rest: [String: JSONValue] = [:]
    override class var unknownKeysProperty: String? { "rest" }
}

private class WriteOnly: AbstractModel {
    var n = 1
    override class var propertyKeys: [String: PropertyKey] { ["n": .path("meta", "n")] }
    override class var writeOnlyProperties: Set<String> { ["n"] }
}

private final class Ignored: WriteOnly {
    override class var ignoredProperties: Set<String> { ["n"] }
}

private final class WritingElsewhere: AbstractModel {
    var n = 1
    override class var propertyKeys: [String: PropertyKey] { ["n": .reading(["n"], writing: .path("meta", "n"))] }
}

private class Tagged: AbstractModel {
    var owner: Owner?
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["owner": DynamicPropertyTypes(named: .path("meta", "kind"), ["known": Owner.self])]
    }
}

private final class KeepingTagged: Tagged {
    var rest: [String: JSONValue] = [:]
    override class var unknownKeysProperty: String? { "rest" }
}

/// Has its type name in a property that is not read.
private class Named: AbstractModel, DynamicTypeModel {
    var kind = ""
    override class var propertyKeys: [String: PropertyKey] { ["kind": .path("meta", "kind")] }
    override class var ignoredProperties: Set<String> { ["kind"] }
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["known": Known.self] }
}

private final class Known: Named {}

private class Followed: AbstractModel {
    var followers: Int?
    var single: Int?
    override class var propertyKeys: [String: PropertyKey] {
        ["followers": [.path("followers", "total"), "followers"], "single": .path("s", "total")]
    }
}

@Suite("Key paths of properties")
struct PathKeyTests {
    private static let beside = """
        {"x": {"y": 1, "w": 3, "written": 4, "type": "t", "list": [{"q": 0}, {"k": 2, "z": {"k": 0}}]}, "v": 5}
        """

    @Test("Keys beside a mapped key path are unknown keys: reported, rejected or ignored")
    func keysBeside() throws {
        let (partial, report) = try Partial.mapReporting(json: Self.beside)
        #expect([partial.a, partial.b] == [1, 2])
        #expect(
            report.lines == [
                #"unknownKey: Partial at $.x.w (line 1, column 21): expected a key of Partial, found the key "w"."#,
                #"unknownKey: Partial at $.x.list[1].z (line 1, column 84): expected a key of Partial, found the key "z"."#,
                #"unknownKey: Partial at $.v (line 1, column 102): expected a key of Partial, found the key "v"."#,
            ])
        #expect(
            Thrown.error {
                try Partial(json: Self.beside, options: MappingOptions(unknownKeys: .failures))
            }?.valueFailures.map { "\($0.path)" } == ["$.x.w", "$.x.list[1].z", "$.v"])
        let ignored = MappingOptions(unknownKeys: .ignored)
        #expect(try Partial.mapReporting(json: Self.beside, options: ignored).report.lines == [])
        for json in [#"{"x": null}"#, #"{"x": {}}"#, #"{"x": 5}"#, #"{"x": {"list": [7, {}]}}"#] {
            #expect(try Partial.mapReporting(json: json).report.entries.allSatisfy { $0.kind != .unknownKey })
        }
        #expect(try Partial().update(json: #"{"x": {"w": 1}}"#).entries.map { "\($0.path)" } == ["$.x.w"])
    }

    @Test("Keys beside a mapped key path are reported and not added to unknownKeysProperty")
    func keysBesideKept() throws {
        let (keeping, report) = try Keeping.mapReporting(json: Self.beside)
        #expect(keeping.rest == ["v": 5])
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["unknownKey $.x.w", "unknownKey $.x.list[1].z"])
    }

    @Test("Keys beside the path of a property that is not read, or of a class's name, are unknown keys")
    func keysBesideOtherPaths() throws {
        func check<Model: AbstractModel>(
            _ type: Model.Type, _ json: String, _ paths: [String] = ["$.meta.o"]
        ) throws {
            let report = try type.mapReporting(json: json).report
            #expect(report.entries.filter { $0.kind == .unknownKey }.map { "\($0.path)" } == paths, "\(type)")
            guard !paths.isEmpty else { return }
            #expect(
                Thrown.error {
                    try type.init(json: json, options: MappingOptions(unknownKeys: .failures))
                }?.valueFailures.map { "\($0.path)" } == paths, "\(type)")
        }
        for type in [WriteOnly.self, Ignored.self, WritingElsewhere.self] as [AbstractModel.Type] {
            try check(type, #"{"meta": {"n": 2, "o": 1}}"#)
            try check(type, #"{"meta": {"n": {"m": 2}}}"#, [])
            try check(type, #"{"meta": 5}"#, [])
        }
        #expect(
            try WriteOnly.mapReporting(json: #"{"meta": {"o": 1}}"#).report.lines == [
                #"unknownKey: WriteOnly at $.meta.o (line 1, column 16): expected a key of WriteOnly, found the key "o"."#
            ])
        let tagged = #"{"owner": {"id": 1}, "meta": {"kind": "known", "o": 1}}"#
        try check(Tagged.self, tagged)
        try check(KeepingTagged.self, tagged)
        let (keeping, report) = try KeepingTagged.mapReporting(json: #"{"meta": {"kind": "new", "o": 1}}"#)
        #expect(keeping.rest == ["meta": ["kind": "new", "o": 1]])
        #expect(report.entries.filter { $0.kind == .unknownKey }.isEmpty)
        try check(Known.self, #"{"meta": {"kind": "known", "o": 1}}"#)
    }

    private static let complete = """
        {
          "items": [{"id": 1}, {"id": 2}],
          "tags": ["a", "b", "c"],
          "a.b": 3,
          "a": {"b": 4},
          "x": {"y": [0, [{"z": [5, 6]}]]},
          "owner": {"login": "octocat", "id": 9}
        }
        """

    @Test("Key paths lead into objects and arrays; a plain key with dots is literal", arguments: [false, true])
    func values(strict: Bool) throws {
        let gist = try Gist(json: Self.complete, options: MappingOptions(strict: strict))
        #expect((gist.ownerLogin, gist.firstID, gist.secondTag, gist.dotted) == ("octocat", 1, "b", 3))
        #expect(gist.deep == [5, 6])
    }

    @Test("A key path leaves its first member available to other properties")
    func memberIsShared() throws {
        let (gist, report) = try Gist.mapReporting(json: Self.complete)
        #expect((gist.owner?.login, gist.owner?.id) == ("octocat", 9))
        #expect(
            report.lines == [
                #"unknownKey: Gist at $.a (line 5, column 8): expected a key of Gist, found the key "a"."#
            ])
    }

    @Test(
        "A missing step of a key path is reported as a missing key at the whole path",
        arguments: [
            #"{"items": [], "tags": ["a"]}"#, #"{"items": [{}], "tags": []}"#, #"{"items": [{"ID": 1}]}"#, "{}",
            #"{"items": [], "items": [{}]}"#,
        ])
    func missingStep(document: String) throws {
        let probe = HookProbe(.fails)
        let error = #expect(throws: ModelError.self) { try Gist(json: " " + document, options: probe.options()) }
        #expect(
            error?.lines == [
                "Gist.ownerLogin at $.owner.login (line 1, column 2): expected a string, found no such key.",
                "Gist.firstID at $.items[0].id (line 1, column 2): expected an integer, found no such key.",
                "Gist.secondTag at $.tags[1] (line 1, column 2): expected a string, found no such key.",
                #"Gist.dotted at $["a.b"] (line 1, column 2): expected an integer, found no such key."#,
                "Gist.deep at $.x.y[1][0].z (line 1, column 2): expected an array, found no such key.",
            ])
        #expect(error?.valueFailures.map(\.offset) == [1, 1, 1, 1, 1])
        #expect(
            probe.calls == ["ownerLogin = nil", "firstID = nil", "secondTag = nil", "dotted = nil", "deep = nil"])
    }

    @Test(
        "A null before the end of a key path counts as null for the property",
        arguments: [#""items": null"#, #""items": [null]"#, #""items": [{"id": null}]"#])
    func nullOnTheWay(member: String) throws {
        let (gist, report) = try Gist.mapReporting(json: "{\(member)}")
        #expect(gist.firstID == nil)
        #expect(!report.entries.contains { $0.property == "firstID" })

        let probe = HookProbe(.fails)
        let error = #expect(throws: ModelError.self) { try Gist(json: "{\(member)}", options: probe.options()) }
        #expect(probe.calls.contains("firstID = nil"))
        let failure = try #require(error?.valueFailures.first { $0.property == "firstID" })
        #expect(failure.found == "null")
        let offset = try #require(failure.offset)
        #expect("{\(member)}".dropFirst(offset).hasPrefix("null"))
    }

    @Test("A null within the key path of a non-Optional property keeps the default or fails in strict mapping")
    func nullForNotOptional() throws {
        let document = #"{"owner": null}"#
        let (gist, report) = try Gist.mapReporting(json: document)
        #expect(gist.ownerLogin == "nobody")
        #expect(gist.owner == nil)
        #expect(
            report.lines.filter { $0.contains("ownerLogin") } == [
                "fallback: Gist.ownerLogin at $.owner (line 1, column 11): expected a string, found null."
            ])
        #expect(
            Thrown.lines { try Gist(json: document, options: .strict) } == [
                "Gist.ownerLogin at $.owner (line 1, column 11): expected a string, found null."
            ])
    }

    @Test(
        "A value of the wrong type within a key path is reported where the path is blocked",
        arguments: [
            (#"{"items": {"id": 1}}"#, "$.items", "an array", "an object", "{id: Int 1}", 10),
            (#"{"items": "x"}"#, "$.items", "an array", #"the string "x""#, #"String "x""#, 10),
            (#"{"items": [5]}"#, "$.items[0]", "an object", "the number 5", "Int 5", 11),
            (#"{"items": [[1]]}"#, "$.items[0]", "an object", "an array", "[Int 1]", 11),
        ])
    func wrongKindOnTheWay(
        document: String, path: String, expected: String, found: String, asked: String, offset: Int
    ) throws {
        let probe = HookProbe(.fails)
        let error = #expect(throws: ModelError.self) { try Gist(json: document, options: probe.options()) }
        let failure = try #require(error?.valueFailures.first { $0.property == "firstID" })
        #expect("\(failure.path)" == path)
        #expect((failure.expected, failure.found, failure.offset) == (expected, found, offset))
        #expect(probe.calls.filter { $0.hasPrefix("firstID") } == ["firstID = \(asked)"])
        #expect(try Gist(json: document).firstID == 7)
        let strict = #expect(throws: ModelError.self) { try Gist(json: document, options: .strict) }
        #expect(strict?.valueFailures.map { "\($0.path)" } == [path])
    }

    @Test("A value of the wrong type at the end of a key path is reported with its full path")
    func wrongKindAtTheEnd() throws {
        #expect(
            Thrown.lines {
                try Gist(json: #"{"x": {"y": [0, [{"z": [5, "6"]}]]}, "tags": [1, 2]}"#, options: .strict)
            } == [
                #"Gist.deep at $.x.y[1][0].z[1] (line 1, column 28): expected an integer, found the string "6"."#,
                "Gist.secondTag at $.tags[1] (line 1, column 50): expected a string, found the number 2; the option stringsFromNumbers accepts it.",
            ])
    }

    @Test("A key path blocked by a scalar falls back to the property's next key")
    func blockedPath() throws {
        let (model, report) = try Followed.mapReporting(json: #"{"followers": 5, "s": 1}"#)
        #expect(model.followers == 5)
        #expect(
            report.description
                == "fallback: Followed.single at $.s (line 1, column 23): expected an object, found the number 1.")
        #expect(try Followed(json: #"{"followers": {"total": 7}}"#).followers == 7)
        #expect(try Followed(json: #"{"followers": {"total": null}}"#).followers == nil)
    }
}

private final class Twice: AbstractModel {
    var one = ""
    var other = ""
    override class var propertyKeys: [String: PropertyKey] { ["one": "x", "other": "x"] }
}

/// Maps a member as a whole and a part of it.
private final class Overlapping: AbstractModel {
    var one = ""
    var two = ""
    var three = ""
    var login = ""
    var owner: Twice?
    override class var propertyKeys: [String: PropertyKey] {
        ["one": "x", "two": "x", "three": "x", "login": .path("owner", "login")]
    }
}

@Suite("Properties that share a key")
struct SharedKeyTests {
    @Test("ModelCheck reports each property whose key is written by another property")
    func writtenOnce() throws {
        #expect(
            ModelCheck.check(Twice.self).map(\.description) == [
                "Twice has a mistake: one and other have the same key, which only one writes; name other in readOnlyProperties."
            ])
        #expect(try Twice(json: #"{"x": "a"}"#).other == "a")
        #expect(
            ModelCheck.check(Overlapping.self).prefix(3).map(\.description)
                == [
                    "one and two have the same key, which only one writes; name two in readOnlyProperties",
                    "one and three have the same key, which only one writes; name three in readOnlyProperties",
                    "login is not written, since its key is inside that of owner; name it in readOnlyProperties",
                ].map { "Overlapping has a mistake: \($0)." })
        let both = try Overlapping(json: #"{"x": "a", "owner": {"login": "b", "x": "c"}}"#)
        #expect(try both.jsonString() == #"{"x":"a","owner":{"x":"c"}}"#)
    }

    @Test("Every property that shares a key reads its value")
    func allRead() throws {
        let sharing = try Sharing(json: #"{"value": 5}"#)
        #expect((sharing.value, sharing.same) == (5, 5))
        #expect(try Sharing(json: #"{"value": "x"}"#).text == "x")
        #expect(try Sharing(json: #"{"value": [1, 2]}"#).list == [1, 2])
    }

    @Test("shouldFail is called for each property that shares a key")
    func eachIsAsked() throws {
        let probe = HookProbe()
        let (sharing, report) = try Sharing.mapReporting(json: #"{"value": [1]}"#, options: probe.options())
        #expect(probe.calls == ["value = [Int 1]", "text = [Int 1]", "same = [Int 1]"])
        #expect((sharing.text, sharing.list) == ("default", [1]))
        #expect(
            report.lines == [
                "fallback: Sharing.value at $.value (line 1, column 11): expected an integer, found an array.",
                "fallback: Sharing.text at $.value (line 1, column 11): expected a string, found an array.",
                "fallback: Sharing.same at $.value (line 1, column 11): expected an integer, found an array.",
            ])
    }

    @Test("A null under a shared key sets Optionals to nil and keeps the other properties")
    func null() throws {
        let probe = HookProbe()
        let sharing = try Sharing(json: #"{"value": null}"#, options: probe.options())
        #expect(probe.calls == ["value = nil", "text = nil", "list = nil", "same = nil"])
        #expect((sharing.text, sharing.list, sharing.value) == (nil, nil, 0))
    }

    @Test("Strict mapping reports a duplicate key for each property that shares it")
    func strictDuplicate() {
        let error = #expect(throws: ModelError.self) {
            try Sharing(json: #"{"value": null, "value": 1}"#, options: .strict)
        }
        #expect(
            Set(error?.valueFailures.filter { $0.expected == "each key once" }.map { $0.property ?? "" } ?? [])
                == ["value", "text", "list", "same"])
    }

    @Test("A negative index makes the class invalid")
    func negativeIndex() {
        #expect(
            Thrown.text { try Last(json: "{}") }
                == "Last cannot be mapped: propertyKeys gives last a negative index; indices count from 0.")
    }
}

private class Last: AbstractModel {
    var last: Int?
    override class var propertyKeys: [String: PropertyKey] { ["last": .path("items", -1)] }
}
