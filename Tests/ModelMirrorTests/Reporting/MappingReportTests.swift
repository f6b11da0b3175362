import ModelMirror
import Testing

private class User: AbstractModel {
    var login = ""
    var age = 0
    var admin = false
}

private class Gist: AbstractModel {
    var id = 0
    var comments = 0
    var title: String?
    var user = User()
    var users: [User] = []
    var byName: [String: User] = [:]
    var tags: Set<String> = []
    var secret = "s"
    var written = 0
    var count: Int?
    private(set) var hidden = 1

    override class var propertyKeys: [String: PropertyKey] { ["written": "written_at", "secret": "the_secret"] }
    override class var ignoredProperties: Set<String> { ["secret", "hidden"] }
    override class var writeOnlyProperties: Set<String> { ["written"] }
}

private class Flexible: AbstractModel {
    var id = 0
    var lastSeen = 0

    override class var keyStrategy: KeyStrategy { .flexible }
    override class var ignoredProperties: Set<String> { ["lastSeen"] }
}

@Suite("MappingReport")
struct MappingReportTests {
    private static let clean =
        #""id": 1, "comments": 2, "title": null, "user": {"login": "a", "age": 1, "admin": true}, "users": [], "#
        + #""byName": {}, "tags": [], "count": 1"#

    @Test("A report is empty if no value was coerced, skipped or missing")
    func nothing() throws {
        let (gist, report) = try Gist.mapReporting(json: "{\(Self.clean)}")
        #expect(gist.comments == 2)
        #expect(report.entries.isEmpty)
        #expect(report.description == "nothing to report")
    }

    @Test("A report has every kind of entry, including nested objects, in document order")
    func everyKind() throws {
        let report = try Gist.mapReporting(
            json: """
                {
                  "id": "5",
                  "title": 5, "extra": {"id": 1},
                  "user": {"age": true, "admin": "T", "rôle": [1]},
                  "users": [{"login": "a", "age": 1, "admin": true}, "b"],
                  "byName": {"c": {"login": "c", "age": 1.5, "admin": 1}},
                  "tags": ["a", null],
                  "count": 1
                }
                """
        ).report
        let expected = [
            "missing: Gist.comments at $.comments (line 1, column 1): expected an integer, found no such key.",
            #"coerced: Gist.id at $.id (line 2, column 9): expected an integer, found the string "5"."#,
            "fallback: Gist.title at $.title (line 3, column 12): expected a string, found the number 5.",
            #"unknownKey: Gist at $.extra (line 3, column 24): expected a key of Gist, found the key "extra"."#,
            "missing: User.login at $.user.login (line 4, column 11): expected a string, found no such key.",
            "coerced: User.age at $.user.age (line 4, column 19): expected an integer, found true.",
            #"coerced: User.admin at $.user.admin (line 4, column 34): expected true or false, found the string "T"."#,
            #"unknownKey: User at $.user.rôle (line 4, column 47): expected a key of User, found the key "rôle"."#,
            "skipped: Gist.users at $.users[1] (line 5, column 54): expected an object for User, found the string "
                + #""b"."#,
            "fallback: User.age at $.byName.c.age (line 6, column 41): expected an integer, found the number 1.5.",
            "coerced: User.admin at $.byName.c.admin (line 6, column 55): expected true or false, found the number 1.",
            "skipped: Gist.tags at $.tags[1] (line 7, column 17): expected a string, found null.",
        ]
        #expect(report.lines == expected)
        #expect(report.description == expected.joined(separator: "\n"))
        #expect(Set(report.entries.map(\.kind)) == Set(MappingReport.Kind.allCases))
    }

    @Test("A report entry has class, property, path, position, expected and found")
    func parts() throws {
        let report = try Gist.mapReporting(json: "{\(Self.clean),\n \"byName\": {\"x y\": {\"age\": []}}}").report
        let entry = try #require(report.entries.first { $0.kind == .fallback })
        #expect((entry.model, entry.property, entry.path) == ("User", "age", ["byName", "x y", "age"]))
        #expect((entry.line, entry.column) == (2, 28))
        #expect((entry.expected, entry.found) == ("an integer", "an array"))
        #expect(entry.underlying == nil)
    }

    @Test(
        "A report escapes an unknown key and shortens it",
        arguments: [
            (#"a\"\n\\"#, #"$["a\"\n\\"]"#, #"the key "a\"\n\\""#),
            (
                String(repeating: "k", count: 61), "$.\(String(repeating: "k", count: 61))",
                #"the key "\#(String(repeating: "k", count: 60))"…"#
            ),
            ("", #"$[""]"#, #"the key """#),
        ])
    func unknownKeys(key: String, path: String, found: String) throws {
        let report = try Gist.mapReporting(json: "{\(Self.clean), \"\(key)\": null}").report
        #expect(report.outlines == ["unknownKey \(path): a key of Gist, \(found)"])
    }

    @Test("A report names the property for each skipped element beside nested objects")
    func elementsBelongToTheirProperty() throws {
        let user = #"{"login": "a", "age": 1, "admin": true}"#
        let report = try Gist.mapReporting(
            json: """
                {"users": [5, \(user), 6, \(user), 7], "byName": {"x": 8, "y": \(user), "z": 9},
                 "id": 1, "comments": 2, "title": null, "user": \(user), "tags": [], "count": 1}
                """
        ).report
        #expect(
            report.entries.map { "\($0.model).\($0.property ?? "nil") \($0.path)" } == [
                "Gist.users $.users[0]", "Gist.users $.users[2]", "Gist.users $.users[4]", "Gist.byName $.byName.x",
                "Gist.byName $.byName.z",
            ])
    }

    @Test("Keys of ignored and write-only properties are not reported as unknown, in any spelling if keys are flexible")
    func keysThatAreNotRead() throws {
        let report = try Gist.mapReporting(
            json: #"{\#(Self.clean), "hidden": 5, "the_secret": "x", "written_at": 1}"#
        ).report
        #expect(report.lines == [])
        let flexible = try Flexible.mapReporting(json: #"{"ID": 1, "last_seen": 5}"#).report
        #expect(flexible.lines == [])
    }

    @Test("Reports of root arrays and dictionaries have paths from the root")
    func collections() throws {
        let user = #"{"login": "a", "age": "1", "admin": true}"#
        let array = try [User].mapReporting(json: #"{"a": [\#(user), \#(user)]}"#, at: "a")
        #expect(array.objects.map(\.age) == [1, 1])
        #expect(array.report.entries.map { "\($0.kind) \($0.path)" } == ["coerced $.a[0].age", "coerced $.a[1].age"])
        let dictionary = try [String: User].mapReporting(json: #"{"x": \#(user)}"#)
        #expect(dictionary.objects.mapValues(\.age) == ["x": 1])
        #expect(dictionary.report.entries.map { "\($0.kind) \($0.path)" } == ["coerced $.x.age"])
    }
}
