import ModelMirror
import ModelMirrorTesting
import Testing

private class Nested: AbstractModel {
    var id = 0
    override class var requiredProperties: Set<String> { ["id"] }
}

private class Item: AbstractModel {
    var count = 7
    var name: String?
    var part: Nested?
    var list: [Int] = []

    override class var propertyKeys: [String: PropertyKey] {
        [
            "count": .firstFitting(["count", "total", .path("meta", "count")]),
            "name": .firstFitting(["name", "title"]),
            "part": .firstFitting(["part", "nested"]), "list": .firstFitting(["list", "items"]),
        ]
    }
}

@Suite("The first key whose value fits")
struct FirstFittingKeyTests {
    @Test(
        "A key is passed over if its value is null or does not fit",
        arguments: [
            (#"{"count": 1, "total": 2}"#, 1), (#"{"total": 2, "count": 1}"#, 1), (#"{"count": null, "total": 2}"#, 2),
            (#"{"count": "x", "total": 2}"#, 2), (#"{"meta": {"count": 3}, "count": [], "total": null}"#, 3),
            (#"{"count": null, "total": "y", "meta": {"count": "z"}}"#, 7), (#"{"total": 2}"#, 2),
            (#"{"meta": 1, "total": 2}"#, 2), ("{}", 7),
        ])
    func count(json: String, count: Int) throws {
        #expect(try Item(json: json).count == count)
        let item = Item()
        try item.update(json: json)
        #expect(item.count == count)
    }

    @Test("Models and lists must fit as a whole; otherwise the first key that is present decides")
    func whole() throws {
        let item = try Item(
            json: #"{"part": {"id": "x"}, "nested": {"id": 8}, "list": [1, "x"], "items": [2, 3], "name": null}"#)
        #expect((item.part?.id, item.list) == (8, [2, 3]))
        #expect(try Item(json: #"{"list": [1, "x"], "items": 5}"#).list == [1])
        #expect(try Item(json: #"{"name": null, "title": "a"}"#).name == "a")
        let cleared = Item()
        cleared.name = "b"
        try cleared.update(json: #"{"name": null, "title": null}"#)
        #expect(cleared.name == nil)
    }

    @Test("Values that are passed over are reported, also in strict mapping")
    func report() throws {
        for options in [MappingOptions(), .strict] {
            let (item, report) = try Item.mapReporting(
                json: #"{"count": "x", "total": null, "meta": {"count": 3}, "part": {"id": 1}, "nested": {"id": 2}}"#,
                options: options)
            #expect((item.count, item.part?.id) == (3, 1))
            #expect(
                report.entries.map(\.description).dropFirst() == [
                    "fallback: Item.count at $.count (line 1, column 11): expected an integer, found the string \"x\".",
                    "fallback: Item.count at $.total (line 1, column 25): expected an integer, found null.",
                    "skipped: Item.part at $.nested (line 1, column 82): expected no second key, since a preferred one is present, found an object.",
                ])
        }
    }

    @Test("If none fits, strict mapping fails with the first that is present")
    func failure() {
        #expect(
            Thrown.text {
                try Item(json: #"{"total": "x", "count": "y"}"#, options: .strict)
            } == "Item.count at $.count (line 1, column 25): expected an integer, found the string \"y\".")
    }

    @Test("The first key is written, and the schema accepts what strict mapping does")
    func schema() throws {
        #expect(try Item(json: #"{"total": 2}"#).jsonString() == #"{"count":2,"list":[]}"#)
        let sample = #"{"count": 1, "name": null, "title": "a", "part": {"id": "x"}, "nested": {"id": 1}, "list": []}"#
        let options = MappingOptions(strict: true)
        #expect(throws: Never.self) { try Item(json: sample, options: options) }
        #expect(
            ModelCheck.check(Item.self, sample: #"{"count": 1, "name": "a", "part": {"id": 1}, "list": [1]}"#) == [])
        #expect(
            try Item.jsonSchema()["$defs"]["Item"]["allOf"][1]["anyOf"][2]
                == [
                    "type": "object", "required": ["title"],
                    "properties": [
                        "title": [
                            "allOf": [["anyOf": [["type": "string"], ["type": "null"]]], ["not": ["type": "null"]]]
                        ]
                    ],
                ])
    }
}

private class Renamed: AbstractModel {
    var name = ""
    var owner: String?
    var rest: [String: JSONValue] = [:]

    override class var propertyKeys: [String: PropertyKey] {
        [
            "name": .reading(["name", "title"], writing: "title"),
            "owner": .reading(.firstFitting([.path("owner", "login"), "by"]), writing: .path("meta", "owner")),
        ]
    }
    override class var unknownKeysProperty: String? { "rest" }
}

private class Strict: AbstractModel {
    var name = ""
    override class var propertyKeys: [String: PropertyKey] { ["name": .reading("name", writing: "title")] }
    override class var mappingOptions: MappingOptions { MappingOptions(unknownKeys: .failures) }
}

private class Explicit: AbstractModel {
    var name = ""
    override class var keyPathTable: KeyPathTable? { [.reading(["name", "n"], writing: "n"): \Explicit.name] }
}

private class Clashing: AbstractModel {
    var name = ""
    var title = ""
    override class var propertyKeys: [String: PropertyKey] { ["name": .reading("name", writing: "title")] }
}

@Suite("Keys for reading and for writing")
struct ReadingAndWritingKeyTests {
    @Test("The keys for reading are read, and the key for writing is written, at paths too")
    func written() throws {
        let item = try Renamed(json: #"{"title": "b", "name": "a", "owner": null, "by": "mona", "x": 1}"#)
        #expect((item.name, item.owner, item.rest) == ("a", "mona", ["x": 1]))
        #expect(try item.jsonString() == #"{"title":"a","meta":{"owner":"mona"},"x":1}"#)
        #expect(
            try item.jsonString(options: [.sortedKeys, .nulls]) == #"{"meta":{"owner":"mona"},"title":"a","x":1}"#)
        #expect(try Explicit(json: #"{"name": "a"}"#).jsonString() == #"{"n":"a"}"#)
    }

    @Test("A key that is only written is not read, and is not an unknown key")
    func unread() throws {
        let (item, report) = try Strict.mapReporting(json: #"{"title": "b"}"#)
        #expect(item.name == "")
        #expect(report.entries.map(\.kind) == [.missing])
        #expect(throws: ModelError.self) { try Strict(json: #"{"other": "b"}"#) }
        #expect(try Strict.jsonSchema()["$defs"]["Strict"]["properties"]["title"] == [:])
        #expect(ModelCheck.check(Strict.self, sample: #"{"name": "b"}"#) == [])
        try item.update(json: #"{"name": "c", "title": "d"}"#)
        #expect(item.name == "c")
    }

    @Test("A change is written to the key for writing, and ModelCheck reports two properties with one")
    func patch() throws {
        let item = try Renamed(json: #"{"name": "a"}"#)
        let before = try item.copy()
        item.name = "b"
        #expect(try item.mergePatch(since: before) == ["title": "b"])
        #expect(
            ModelCheck.check(Clashing.self).map(\.reason) == [
                "name and title have the same key, which only name writes; name title in readOnlyProperties"
            ])
    }
}
