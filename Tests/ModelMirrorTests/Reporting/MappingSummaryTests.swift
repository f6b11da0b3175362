import ModelMirror
import Testing

private class User: AbstractModel {
    var login = ""
}

private class Gist: AbstractModel {
    var id = ""
    var comments = 0
    var tags: [String] = []
    var owner: User?
}

@Suite("MappingSummary")
struct MappingSummaryTests {
    private func report(_ json: String) throws -> MappingReport { try [Gist].mapReporting(json: json).report }

    private static let documents = [
        #"[{"id": "1", "comments": "many", "tags": ["a", 1, 2], "owner": {"login": "x", "node_id": 7}}]"#,
        #"[{"id": "1", "comments": 0, "tags": [], "owner": null}]"#,
        """
        [{"id": "2", "comments": null, "tags": [], "owner": {"login": 5, "node_id": 7, "a b": []}},
         {"id": "3", "comments": "7", "owner": {}, "node_id": "x"}]
        """,
    ]

    private func summary() throws -> MappingSummary {
        MappingReport.merging(try Self.documents.map(report))
    }

    @Test("A summary has a line with count and example per class, property or unknown key, and kind")
    func lines() throws {
        let lines = try summary().lines
        #expect(
            lines.map { "\($0.model) \($0.property ?? "-") \($0.unknownKey ?? "-") \($0.kind) \($0.count)" } == [
                "Gist comments - fallback 2", "Gist comments - coerced 1", "Gist tags - skipped 2",
                "Gist tags - missing 1",
                "Gist - node_id unknownKey 1", "User login - fallback 1", "User login - missing 1",
                "User - a b unknownKey 1",
                "User - node_id unknownKey 2",
            ])
        #expect(
            lines.map { "\($0.example.path) \($0.example.line ?? 0) \($0.example.found)" } == [
                #"$[0].comments 1 the string "many""#, #"$[1].comments 2 the string "7""#,
                "$[0].tags[1] 1 the number 1",
                "$[1].tags 2 no such key", #"$[1].node_id 2 the key "node_id""#, "$[0].owner.login 1 the number 5",
                "$[1].owner.login 2 no such key", #"$[0].owner["a b"] 1 the key "a b""#,
                #"$[0].owner.node_id 1 the key "node_id""#,
            ])
    }

    @Test("The report count includes empty reports")
    func reportCount() throws {
        #expect(try summary().reportCount == 3)
        #expect(MappingSummary().reportCount == 0)
        #expect(try MappingReport.merging([report("[]"), report("[]")]).reportCount == 2)
    }

    @Test("A summary is printed as a table")
    func table() throws {
        #expect(
            try summary().description == """
                3 reports        what        times  first seen
                Gist.comments    fallback        2  $[0].comments: expected an integer, found the string "many"
                Gist.comments    coerced         1  $[1].comments: expected an integer, found the string "7"
                Gist.tags        skipped         2  $[0].tags[1]: expected a string, found the number 1
                Gist.tags        missing         1  $[1].tags: expected an array, found no such key
                Gist["node_id"]  unknownKey      1  $[1].node_id: expected a key of Gist, found the key "node_id"
                User.login       fallback        1  $[0].owner.login: expected a string, found the number 5
                User.login       missing         1  $[1].owner.login: expected a string, found no such key
                User["a b"]      unknownKey      1  $[0].owner["a b"]: expected a key of User, found the key "a b"
                User["node_id"]  unknownKey      2  $[0].owner.node_id: expected a key of User, found the key "node_id"
                """)
    }

    @Test("Table columns are as wide as their widest cell")
    func widths() throws {
        var summary = MappingReport.merging([try report(Self.documents[0])])
        for _ in 1...17 {
            let half = summary
            summary += half
        }
        #expect(
            summary.description == """
                131072 reports   what         times  first seen
                Gist.comments    fallback    131072  $[0].comments: expected an integer, found the string "many"
                Gist.tags        skipped     262144  $[0].tags[1]: expected a string, found the number 1
                User["node_id"]  unknownKey  131072  $[0].owner.node_id: expected a key of User, found the key "node_id"
                """)
    }

    @Test("A summary without entries prints that there is nothing to report")
    func nothing() throws {
        #expect(MappingSummary().description == "nothing to report")
        #expect(try MappingReport.merging([report(Self.documents[1])]).description == "nothing to report")
        #expect(try MappingReport.merging([report("[]")]).lines.isEmpty)
    }

    @Test("Adding summaries sums counts and keeps the examples of the left one")
    func adding() throws {
        var left = MappingReport.merging(try Self.documents[..<1].map(report))
        let right = MappingReport.merging(try Self.documents[1...].map(report))
        var reversed = right
        reversed += left
        left += right
        #expect(left.description == (try summary().description))
        #expect(left.reportCount == 3)
        #expect(reversed.lines.map(\.count) == left.lines.map(\.count))
        #expect(reversed.lines.first?.example.found == "null")
    }

    @Test("The line of a whole object precedes the lines of its properties; the table of one report uses the singular")
    func wholeObjects() throws {
        let report = try [Gist].mapReporting(
            json: #"[5, {"id": 1, "comments": 0, "tags": [], "owner": null}, "x"]"#,
            options: MappingOptions(skipsInvalidElements: true)
        ).report
        let summary = MappingReport.merging([report])
        #expect(summary.lines.map(\.property) == [nil, "id"])
        #expect(summary.lines.map(\.unknownKey) == [nil, nil])
        #expect(
            summary.description == """
                1 report  what      times  first seen
                Gist      skipped       2  $[0]: expected an object for Gist, found the number 5
                Gist.id   fallback      1  $[1].id: expected a string, found the number 1
                """)
    }

    @Test("A long unknown key is shortened in the table but not in the line's unknownKey")
    func longKey() throws {
        let key = String(repeating: "k", count: 200)
        let summary = MappingReport.merging([
            try report(#"[{"id": "1", "comments": 0, "tags": [], "owner": null, "\#(key)": 1}]"#)
        ])
        #expect(summary.lines.map(\.unknownKey) == [key])
        #expect(summary.description.contains("Gist[\"" + String(repeating: "k", count: 60) + "\"…]  unknownKey"))
    }
}
