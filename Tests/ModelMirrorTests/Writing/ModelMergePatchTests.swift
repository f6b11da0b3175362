import Foundation
import ModelMirror
import Testing

private final class File: AbstractModel {
    var name = ""
    var size: Int?
}

private final class Owner: AbstractModel {
    var login = ""
    var site: String?
    /// Not in the JSON, so it would be lost if the object were replaced.
    var session = "open"
    override class var ignoredProperties: Set<String> { ["session"] }
}

private final class Gist: AbstractModel {
    var id = ""
    var comments = 0
    var note: String?
    var owner: Owner?
    var files: [String: File] = [:]
    var labels: [String] = []
    var extra: JSONValue = nil
    var plan: String?
    var createdAt = ""
    override class var propertyKeys: [String: PropertyKey] {
        ["plan": .path("account", "plan"), "createdAt": ["created_at", "created"]]
    }

    static func sample() throws -> Gist {
        try Gist(
            json: """
                {"id": "1", "comments": 2, "note": "n", "owner": {"login": "mona", "site": "s"}, "labels": ["a", "b"],
                 "files": {"a.txt": {"name": "a", "size": 1}, "b.txt": {"name": "b"}}, "extra": {"x": {"y": 1, "z": 2}},
                 "account": {"plan": "free"}, "created": "2016"}
                """)
    }
}

private class Animal: AbstractModel, DynamicTypeModel {
    var type = ""
    var name = ""
    private(set) var mapped = 0
    class var dynamicTypes: [String: AbstractModel.Type] { ["cat": Cat.self, "dog": Dog.self] }
    class var typeNameProperty: String { "type" }
    override class var ignoredProperties: Set<String> { ["mapped"] }
    override func didMap() { mapped += 1 }
}

private final class Cat: Animal {}
private final class Dog: Animal {}

private final class Person: AbstractModel {
    var pet: Animal?
}

private final class Event: AbstractModel {
    var kind = ""
    var payload: AbstractModel?
    var others: [String: AbstractModel] = [:]
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        let types = DynamicPropertyTypes(named: "kind", ["file": File.self, "owner": Owner.self], otherwise: .skip)
        return ["payload": types, "others": types]
    }
}

private final class Upload: AbstractModel {
    var id = 0
    var size = 0
    var note: String? = "none"
    var isSelected = false
    override class var readOnlyProperties: Set<String> { ["id"] }
    override class var ignoredProperties: Set<String> { ["isSelected"] }
}

private final class Folder: AbstractModel {
    var files: [String: Upload] = [:]
}

private enum Part: MappedEnum {
    case file(File), sizes([String: Int])
    static var enumCases: EnumCases<Part> { .inside(tag: "t", [.case(Part.file, "file"), .case(Part.sizes, "sizes")]) }
}

private final class Parcel: AbstractModel {
    var part: Part?
    var parts: [String: Part] = [:]
}

private final class Devices: AbstractModel {
    var files: [UUID: Upload] = [:]
    var counts: [Int: Int]?
    var nested: [String: [UUID: Int]] = [:]
}

private class Login: AbstractModel {
    var password = ""
    var count = 0
    override class var redactedProperties: Set<String> { ["password"] }
}

private final class AdminLogin: Login {}

private final class Session: AbstractModel {
    var main: Login?
    var others: [String: Login] = [:]
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        let types = DynamicPropertyTypes(named: "t", ["admin": AdminLogin.self])
        return ["main": types, "others": types]
    }
}

@Suite("Merge patches of models (RFC 7396)")
struct ModelMergePatchTests {
    @Test(
        "Merging a patch into a model matches RFC 7396 for the model's JSON",
        arguments: [
            #"{}"#,
            #"{"note": null}"#,
            #"{"note": "m", "comments": 3}"#,
            #"{"owner": {"site": null}}"#,
            #"{"owner": {"login": "lisa", "site": "t"}}"#,
            #"{"owner": null}"#,
            #"{"files": {"a.txt": null}}"#,
            #"{"files": {"a.txt": {"size": null}, "b.txt": {"size": 7}, "c.txt": {"name": "c"}}}"#,
            #"{"labels": ["c"]}"#,
            #"{"extra": {"x": {"y": null}, "n": null, "m": [null]}}"#,
            #"{"extra": 7}"#,
            #"{"account": {"plan": "pro"}}"#,
            #"{"account": {"plan": null}}"#,
            #"{"created_at": "2017"}"#,
        ])
    func asTheStandardSays(patch: String) throws {
        let gist = try Gist.sample()
        let expected = try gist.jsonValue().merging(patch: JSONValue(json: patch))
        let report = try gist.merge(patch: patch)
        // An object within a key path is removed once it is empty.
        let result = try gist.jsonValue()
        #expect(result == (expected["account"] == [:] ? expected.merging(patch: ["account": nil]) : expected))
        #expect(report.entries.allSatisfy { $0.kind != .skipped && $0.kind != .fallback })
    }

    @Test("Merging changes a nested model in place and keeps its unmapped properties, or creates it")
    func identity() throws {
        let gist = try Gist.sample()
        let owner = try #require(gist.owner)
        owner.session = "kept"
        try gist.merge(patch: ["owner": ["site": nil]] as JSONValue)
        #expect(gist.owner === owner)
        #expect(owner.site == nil && owner.login == "mona" && owner.session == "kept")
        // One that is nil is created.
        let other = Gist()
        try other.merge(patch: #"{"owner": {"login": "mona", "site": null}}"#)
        #expect(other.owner?.login == "mona")
    }

    @Test("Members of a dictionary that the patch does not contain stay the same objects")
    func untouchedMembers() throws {
        let folder = try Folder(
            json: #"{"files": {"a": {"id": 1, "size": 1, "note": null}, "b": {"id": 2, "size": 2, "note": null}}}"#)
        let file = try #require(folder.files["a"])
        file.isSelected = true
        try folder.merge(patch: #"{"files": {"b": {"size": 3}, "c": {"size": 4}}}"#)
        #expect(folder.files["a"] === file)
        #expect(file.id == 1 && file.note == nil && file.isSelected)
        #expect(folder.files["b"]?.size == 3 && folder.files["b"]?.note == nil && folder.files["c"]?.note == "none")
    }

    @Test(
        "Payloads with a tag beside them are created and merged, and kept for an unknown tag",
        arguments: [
            (
                #"{"kind": "owner", "payload": {"login": "mona", "site": null}, "others": {"a": null}}"#,
                #"{"kind": "owner", "payload": {"login": "mona"}, "others": {}}"#
            ),
            (
                #"{"kind": "file", "others": {"a": {"size": 2}, "b": {}}}"#,
                #"{"kind": "file", "others": {"a": {"name": "n", "size": 2}, "b": {"name": ""}}}"#
            ),
            (#"{"kind": "team", "others": {"b": {}}}"#, #"{"kind": "file", "others": {"a": {"name": "n"}}}"#),
            (
                #"{"payload": {"size": 1}, "others": {"b": {}}}"#,
                #"{"kind": "file", "payload": {"name": "", "size": 1}, "others": {"a": {"name": "n"}, "b": {"name": ""}}}"#
            ),
        ])
    func named(patch: String, expected: String) throws {
        let event = try Event(json: #"{"kind": "file", "others": {"a": {"name": "n"}}}"#)
        try event.merge(patch: patch)
        #expect(try event.jsonValue() == JSONValue(json: expected))
    }

    @Test("A patch may leave out the name that no property holds, but that is written with the models")
    func unheldName() throws {
        final class Webhook: AbstractModel {
            var payload: AbstractModel?
            var list: [AbstractModel] = []
            var others: [String: AbstractModel] = [:]
            override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
                let types = DynamicPropertyTypes(
                    named: .path("meta", "kind"), ["file": File.self, "owner": Owner.self], otherwise: .failure)
                return ["payload": types, "list": types, "others": types]
            }
        }
        let json = #"{"meta": {"kind": "file"}, "list": [{"name": "l"}], "others": {"a": {"name": "n"}}}"#
        let (older, newer) = (try Webhook(json: json), try Webhook(json: json))
        for case let file as File in newer.list + newer.others.values { file.size = 1 }
        (newer.payload, newer.others["b"]) = (File(), File())
        let patch = try newer.mergePatch(since: older)
        #expect(
            try patch
                == JSONValue(
                    json: """
                        {"payload": {"name": ""}, "list": [{"name": "l", "size": 1}],
                         "others": {"a": {"size": 1}, "b": {"name": ""}}}
                        """))
        #expect(try older.merge(patch: patch).description == "nothing to report")
        #expect(older.isEqual(to: newer))
    }

    @Test("An unknown type name is reported where it is in the patch, once for each property that gets a model")
    func unknownName() throws {
        let login = #"{"password": "hunter2"}"#
        let session = try Session(json: #"{"t": "admin", "main": \#(login), "others": {"a": \#(login)}}"#)
        let report = try session.merge(
            patch: #"{"t":                "x", "main": {"count": 3}, "others": {"a": {"count": 4}}}"#)
        let found = #"at $.t (line 1, column 22): expected one of the type names "admin", found the string "x"."#
        #expect(report.description == "fallback: Session.main \(found)\nfallback: Session.others \(found)")
        #expect(session.main?.password == "hunter2" && session.others["a"]?.count == 4)
        #expect(try session.merge(patch: #"{"t": "y", "others": {"a": null}}"#).description == "nothing to report")
    }

    @Test("A failing patch leaves the object, its nested models and dictionaries unchanged")
    func allOrNothing() throws {
        let gist = try Gist.sample()
        let before = try gist.jsonString()
        let error = try #require(throws: ModelError.self) {
            try gist.merge(
                patch: #"{"comments": 9, "owner": {"login": "lisa"}, "files": {"a.txt": {"size": "many"}}}"#,
                options: MappingOptions(strict: true))
        }
        #expect(
            error.description
                == #"File.size at $.files["a.txt"].size (line 1, column 54): expected an integer, found the string "many"."#
        )
        #expect(try gist.jsonString() == before)
    }

    @Test("A failure of a dictionary's value has the name of its property")
    func plainValues() throws {
        final class Counts: AbstractModel { var counts: [String: Int] = [:] }
        let counts = try Counts(json: #"{"counts": {"a": 1}}"#)
        let patch = #"{"counts": {"a": "x"}}"#
        let found = #"Counts.counts at $.counts.a (line 1, column 12): expected an integer, found the string "x"."#
        #expect(try counts.merge(patch: patch).description == "fallback: \(found)")
        let error = #expect(throws: ModelError.self) { try counts.merge(patch: patch, options: .strict) }
        #expect(error?.description == found)
        #expect(counts.counts == ["a": 1])
    }

    @Test("Failures of a patch beyond the limit are counted, those of a dictionary's values included")
    func omitted() throws {
        let error = try #require(throws: ModelError.self) {
            try Gist.sample().merge(
                patch: #"{"files": {"a.txt": {"name": 1}, "b.txt": {"name": 2}, "c.txt": {"name": 3}}}"#,
                options: MappingOptions(strict: true, failures: 2))
        }
        #expect(error.valueFailures.map(\.omittedFailures) == [0, 1])
    }

    @Test("A null for a non-Optional property is reported, or fails in strict mapping")
    func nullForNonOptional() throws {
        let gist = try Gist.sample()
        let report = try gist.merge(patch: #"{"comments": null}"#)
        #expect(report.entries.map { "\($0.path) \($0.kind)" } == ["$.comments fallback"])
        #expect(gist.comments == 2)
        #expect(throws: ModelError.self) {
            try gist.merge(patch: #"{"comments": null}"#, options: MappingOptions(strict: true))
        }
    }

    @Test("Merging a patch that is not an object fails", arguments: ["[]", "null", "7", #""x""#])
    func noObject(patch: String) throws {
        let gist = try Gist.sample()
        let before = try gist.jsonString()
        #expect(throws: ModelError.self) { try gist.merge(patch: patch) }
        #expect(try gist.jsonString() == before)
    }

    @Test("mergePatch(since:) contains only changes and nulls to clear, and merges into the copy")
    func difference() throws {
        let gist = try Gist.sample()
        let before = try gist.copy()
        #expect(try gist.mergePatch(since: before) == [:])
        gist.note = nil
        gist.comments = 3
        gist.owner?.site = nil
        gist.files["a.txt"] = nil
        gist.plan = "pro"
        let patch = try gist.mergePatch(since: before)
        #expect(
            patch == [
                "note": nil, "comments": 3, "owner": ["site": nil], "files": ["a.txt": nil], "account": ["plan": "pro"],
            ])
        try before.merge(patch: patch)
        #expect(before.isEqual(to: gist))
    }

    @Test("The last of duplicate patches for a member applies, whichever class it selects")
    func duplicatesOfTwoClasses() throws {
        func person() throws -> (Person, Animal?) {
            let person = try Person(json: #"{"pet": {"type": "dog", "name": "Rex"}}"#)
            return (person, person.pet)
        }
        let (first, dog) = try person()
        try first.merge(patch: #"{"pet": {"type": "cat"}, "pet": {"type": "dog", "name": "Max"}}"#)
        #expect(first.pet === dog && dog?.name == "Max" && dog?.mapped == 2)
        let (second, other) = try person()
        try second.merge(patch: #"{"pet": {"type": "dog", "name": "Max"}, "pet": {"type": "cat"}}"#)
        #expect(second.pet is Cat && second.pet?.name == "Rex")
        #expect(other?.name == "Rex" && other?.mapped == 1)
    }

    @Test("A patch changes the case of an enum whose old payload has properties that are nil")
    func changedCase() throws {
        let parcel = try Parcel(
            json: #"{"part": {"t": "file", "name": "a"}, "parts": {"p": {"t": "file", "name": "b"}}}"#)
        let changed = try Parcel(json: #"{"part": {"t": "sizes", "a": 1}, "parts": {"p": {"t": "sizes", "b": 2}}}"#)
        let patch = try changed.mergePatch(since: parcel)
        #expect(
            patch == [
                "part": ["t": "sizes", "a": 1, "name": nil], "parts": ["p": ["t": "sizes", "b": 2, "name": nil]],
            ])
        try parcel.merge(patch: patch, options: .strict)
        #expect(parcel.isEqual(to: changed))
    }

    @Test("A key of a patch is about the member of a dictionary with an equal key, however it is spelled")
    func spellingOfKeys() throws {
        let (id, other) = ("E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "00000000-0000-0000-0000-0000000000AB")
        let json = #"""
            {"files": {"\#(id)": {"size": 1, "note": null}, "\#(other)": {"size": 2}}, "counts": {"1": 3, "2": 4},
             "nested": {"a": {"\#(id)": 5, "\#(other)": 6}}}
            """#
        let devices = try Devices(json: json)
        try devices.merge(
            patch: #"""
                {"files": {"\#(id.lowercased())": {"size": 7}, "\#(other.lowercased())": null},
                 "counts": {"01": 8, "+2": null}, "nested": {"a": {"\#(id.lowercased())": null}}}
                """#, options: .strict)
        #expect(
            try devices.jsonString(options: .nulls)
                == #"{"files":{"\#(id)":{"size":7,"note":null}},"counts":{"1":8},"nested":{"a":{"\#(other)":6}}}"#)
    }
}
