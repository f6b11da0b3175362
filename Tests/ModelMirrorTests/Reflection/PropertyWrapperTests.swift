import ModelMirror
import ModelMirrorTesting
import Testing

@propertyWrapper private struct Def {
    var wrappedValue: Int
    var changes = 0

    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
}

@propertyWrapper private struct Boxed<Value> {
    var wrappedValue: Value
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@propertyWrapper private struct Clamped: MappableWrapper {
    private var number = 0
    var wrappedValue: Int {
        get { number }
        set { number = min(max(newValue, 0), 100) }
    }
    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
}

@propertyWrapper private struct Hidden: Codable {
    private var number = 0
    var wrappedValue: Int {
        get { number }
        set { number = newValue }
    }
    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
}

private struct Links: Codable {
    var next = ""
}

private class Vote: AbstractModel {
    @Def var d = 1
    @Boxed var userName = "a"
    @Boxed var tags: [String] = []
    @Boxed var day: Int? = 3
    @Clamped var share = 50
    var after = 0

    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var requiredProperties: Set<String> { ["d"] }
    override class var propertyKeys: [String: PropertyKey] { ["share": "part"] }
}

private class Unknown: AbstractModel {
    @Hidden var secret = 1
    var name = ""
}

private class Ignoring: Unknown {
    override class var ignoredProperties: Set<String> { ["secret"] }
}

private class Listing: Unknown {
    override class var additionalKeyPaths: KeyPathTable { ["secret": \Listing.secret] }
}

private class Linked: AbstractModel {
    var _links = Links()
    override class var propertyKeys: [String: PropertyKey] { ["_links": "_links"] }
}

private class LinkedPlainly: AbstractModel {
    var _links = Links()
}

private class Optionals: AbstractModel {
    var _links: Links?
    var _id = ""
}

@Suite("Property wrappers")
struct PropertyWrapperTests {
    @Test("A wrapped property is read and written under its own name and type")
    func mapped() throws {
        let json = #"{"d":2,"user_name":"b","tags":["x"],"day":4,"part":250,"after":6}"#
        let (vote, report) = try Vote.mapReporting(json: json, options: .strict)
        #expect((vote.d, vote.userName, vote.tags, vote.day, vote.share, vote.after) == (2, "b", ["x"], 4, 100, 6))
        #expect(report.description == "nothing to report")
        #expect(try vote.jsonString() == #"{"d":2,"user_name":"b","tags":["x"],"day":4,"part":100,"after":6}"#)
        #expect(try vote.copy().isEqual(to: vote))
        let (kept, fallbacks) = try Vote.mapReporting(json: #"{"d": 7, "user_name": 1, "day": null, "part": "x"}"#)
        #expect(kept.userName == "a" && kept.day == nil && kept.share == 50)
        #expect(
            fallbacks.entries.filter { $0.kind == .fallback }.map(\.description) == [
                "fallback: Vote.userName at $.user_name (line 1, column 23): expected a string, found the number 1.",
                "fallback: Vote.share at $.part (line 1, column 47): expected an integer, found the string \"x\".",
            ])
        try vote.update(json: #"{"d": 8, "part": -5}"#)
        #expect(vote.d == 8 && vote.share == 0)
    }

    @Test("Rules use the name of a wrapped property")
    func rules() {
        #expect(
            Thrown.text { try Vote(json: "{}") }
                == "Vote.d at $.d (line 1, column 1): expected an integer, found no such key.")
    }

    @Test("Patches, schemas, print, ModelCheck and requiresNonOptional use the wrapped property")
    func elsewhere() throws {
        let vote = Vote()
        #expect("\(vote)" == #"Vote(d: 1, userName: "a", tags: [], day: 3, share: 50, after: 0)"#)
        let before = try vote.copy()
        (vote.d, vote.day, vote.share) = (5, nil, 250)
        let patch = try vote.mergePatch(since: before)
        #expect(patch == ["d": 5, "day": nil, "part": 100])
        try before.merge(patch: patch)
        #expect(before.isEqual(to: vote))
        try before.merge(patch: #"{"part": 170, "user_name": "z"}"#)
        #expect(before.share == 100 && before.userName == "z")
        let properties = try Vote.jsonSchema()["$defs"]["Vote"]["properties"]
        #expect(properties?.object?.keys.sorted() == ["after", "d", "day", "part", "tags", "user_name"])
        #expect(properties["tags"] == ["type": "array", "items": ["type": "string"]])
        #expect((properties["day"]?["anyOf"][1], properties["part"]?["type"]) == (["type": "null"], "integer"))
        #expect(ModelCheck.check(Vote.self) == [])
        #expect(ModelCheck.check(Unknown.self).map(\.property) == ["secret"])
        #expect(
            Thrown.text { try Vote(json: #"{"d": 1, "tags": []}"#, options: MappingOptions(requiresNonOptional: true)) }
                == """
                Vote.userName at $.user_name (line 1, column 1): expected a string, found no such key.
                Vote.share at $.part (line 1, column 1): expected an integer, found no such key.
                Vote.after at $.after (line 1, column 1): expected an integer, found no such key.
                """)
    }

    @Test("An unknown wrapper makes the class invalid, and each remedy in the message works")
    func refused() throws {
        #expect(
            Thrown.text { try Unknown(json: "{}") }
                == "Unknown cannot be mapped: _secret looks like the storage of a property wrapper, and its type Hidden does not say so; "
                + "make Hidden a MappableWrapper, list the property in additionalKeyPaths, or name \"secret\" in ignoredProperties (a "
                + "property that is called _secret is named in propertyKeys).")
        let ignoring = try Ignoring(json: #"{"secret": 2, "name": "a"}"#)
        #expect(ignoring.secret == 1 && ignoring.name == "a")
        let listing = try Listing(json: #"{"secret": 2, "name": "a"}"#)
        #expect(listing.secret == 2 && listing.name == "a")
        #expect(try Linked(json: #"{"_links": {"next": "n"}}"#)._links.next == "n")
        #expect(Thrown.text { try LinkedPlainly(json: "{}") }?.contains("MappableWrapper") == true)
        #expect(try Optionals(json: #"{"_links": {"next": "n"}, "_id": "7"}"#)._links?.next == "n")
    }
}
