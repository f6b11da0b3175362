import ModelMirror
@testable import ModelMirrorExploring
import Testing

struct DocumentDriftTests {
    /// Two documents, and the changes from the one to the other.
    @Test(
        arguments: [
            (
                "members appear and disappear", #"{"a": 1, "b": {"x": true}}"#,
                #"{"b": {"x": true, "y-z": [1]}, "c": null}"#,
                [
                    "disappeared $.a: number -> absent", #"appeared $.b["y-z"]: absent -> array"#,
                    "appeared $.c: absent -> null",
                ]
            ),
            (
                "é as one scalar and as two are two keys of elements", #"[{"\#u{E9}": 1, "id": 1}]"#,
                #"[{"e\#u{301}": 1, "id": 2}, {"\#u{E9}": "x", "id": 3}]"#,
                [
                    "appeared $[][\"e\u{301}\"]: absent -> number (in 1 of 2)", "type $[].\u{E9}: number -> string",
                    "missing $[].\u{E9}: always there -> absent in 1 of 2",
                ]
            ),
            (
                "é as one scalar and as two are two keys of an object", #"{"\#u{E9}": 1}"#, #"{"e\#u{301}": 1}"#,
                ["appeared $[\"e\u{301}\"]: absent -> number", "disappeared $.\u{E9}: number -> absent"]
            ),
            (
                "array elements are one place",
                #"{"items": [{"owner": {"login": "mona"}}, {"owner": {"login": "hubot"}}]}"#,
                #"{"items": [{"owner": {"login": 7}}]}"#, ["type $.items[].owner.login: string -> number"]
            ),
            ("an additional type", "[1, 2]", #"[1, "2"]"#, ["type $[]: number -> string or number"]),
            ("one type fewer is no change", #"[1, "2"]"#, "[1, 2]", []),
            (
                "a first fraction", #"{"a": 1}"#, #"{"a": 1.5}"#,
                ["type $.a: whole number -> number with fraction"]
            ),
            (
                "a first fraction beside null", #"[{"p": 1}, {"p": 2}]"#, #"[{"p": 1.5}, {"p": null}]"#,
                [
                    "null $[].p: number -> number or null (null in 1 of 2)",
                    "type $[].p: whole number -> number with fraction",
                ]
            ),
            (
                "a first fraction beside another type", "[1]", #"[1.5, "x"]"#,
                ["type $[]: number -> string or number", "type $[]: whole number -> number with fraction"]
            ),
            (
                "first nulls and absences", #"[{"a": "x"}, {"a": "y"}]"#, #"[{"a": "x"}, {"a": null}, {}]"#,
                [
                    "null $[].a: string -> string or null (null in 1 of 2)",
                    "missing $[].a: always there -> absent in 1 of 3",
                ]
            ),
            ("null alone", #"{"a": "x"}"#, #"{"a": null}"#, ["null $.a: string -> null"]),
            // Another sample of an unchanged API may differ in these ways.
            ("null is followed by a value", #"{"a": null}"#, #"{"a": "x"}"#, []),
            ("an empty list is followed by a full one", #"{"a": []}"#, #"{"a": [{"b": 1}]}"#, []),
            ("a member is no longer missing", #"[{"a": 1}, {}]"#, #"[{"a": 2}, {"a": 3}]"#, []),
            ("another text", #"{"name": "open"}"#, #"{"name": "closed"}"#, []),
            ("other texts with spaces", #"[{"state": "a b"}, {"state": "a b"}]"#, #"[{"state": "c d"}]"#, []),
            (
                "a new value of an enumeration",
                #"[{"state": "open"}, {"state": "closed"}, {"state": "open"}, {"state": "open"}]"#,
                #"[{"state": "archived"}]"#, [#"value $[].state: "closed", "open" -> also "archived""#]
            ),
            (
                "keys that are data are one place",
                #"{"files": {"main.go": {"size": 1}, "go.mod": {"size": 2}}}"#,
                #"{"files": {"LICENSE": {"size": "big"}}}"#, ["type $.files{}.size: number -> string"]
            ),
            // A few keys that are not identifiers do not make all keys data.
            (
                "keys with spaces are members", #"{"First Name": "a", "Last Name": "b"}"#, #"{"First Name": "a"}"#,
                [#"disappeared $["Last Name"]: string -> absent"#]
            ),
            (
                "keys beside one with a colon are members", #"{"id": "1", "title": "x", "og:url": "u"}"#,
                #"{"og:url": "u"}"#,
                ["disappeared $.id: string -> absent", "disappeared $.title: string -> absent"]
            ),
            (
                "keys beside one with a dot are members", #"{"a": 1, "b": 2, "v1.0": 3}"#, #"{"a": 1, "v1.0": 3}"#,
                ["disappeared $.b: number -> absent"]
            ),
            ("a root of another type", "[1]", #"{"a": 1}"#, ["type $: array -> object"]),
        ] as [(String, String, String, [String])]) func changesAreFound(
            subject: String, old: String, new: String, expected: [String]
        ) throws
    {
        let drift = DocumentDrift(from: try JSONValue(json: old), to: try JSONValue(json: new))
        #expect(drift.changes.map { "\($0.kind) \($0)" } == expected, "\(subject)")
    }

    /// The first value that shows each kind of change, as the line and column in the new document, or if it is gone in the old one.
    @Test(arguments: [
        (#"{"a": 1}"#, #"{"b": [[ {"x": 1} ]]}"#, ["disappeared 1:7", "appeared 1:7"]),
        (#"[1, 2]"#, "[1,\n \"2\", true]", ["type 2:2"]),
        (#"[1, 2]"#, #"[1, [ ], {}]"#, ["type 1:5"]),
        (#"[[1], [2]]"#, #"[[1], [2, 1.5], 7]"#, ["type 1:17", "type 1:11"]),
        (#"{"a": [1]}"#, #"{"a":  {"b": [1]}}"#, ["type 1:8"]),
        (#"{"a": "x"}"#, #"{"a": null}"#, ["null 1:7"]),
        (#"[{"a": 1}]"#, #"[{"a": 1}, {"a": null}, {"b": [{}]}]"#, ["null 1:18", "missing 1:25", "appeared 1:31"]),
        (
            #"[{"a": {"b": 1}}]"#, #"[{"a": {"b": 1}}, {"a": {"é": "é", "b": 2}},"# + "\n" + #"{"a": { }}]"#,
            ["missing 2:7", "appeared 1:31"]
        ),
        (
            #"[{"s": "on"}, {"s": "on"}]"#, #"[{"s": "on"}, {"s": "o\u0066f"}, {"s": "off"}]"#, ["value 1:21"]
        ),
        (
            #"{"f": {"a.go": {"n": 1}, "b.go": {"n": 2}}}"#, #"{"f": {"a.go": {"n": 1}, "c.go": {"n": ""}}}"#,
            ["type 1:40"]
        ),
        ("{\"a\": 1}\n{\"a\": 2}", "{\"a\": 3}\n\n {\"a\": \"\"}\n", ["type 3:8"]),
        ("{\"a\": 1}\n{\"b\": {\"x\": [1]}}", "{\"a\": 3}\n{\"a\": 4}", ["disappeared 2:7"]),
        // One document beside several is a list, or has the elements.
        ("{\"a\": 1}\n{\"a\": 2}", "{\"a\":\n\"\"}", ["type 2:1"]),
        ("[{\"a\": 1}]", "{\"a\": 1}\n{\"a\": \"\"}", ["type 2:7"]),
        ("{\"a\": 1}\n{\"a\": 2}", " [{\"a\": \"\"}]", ["type 1:9"]),
    ]) func theLineThatShowsAChangeIsFound(old: String, new: String, expected: [String]) throws {
        var (before, after) = (SourceDocuments(), SourceDocuments())
        try before.add(ByteSource(Array(old.utf8)), named: "old")
        try after.add(ByteSource(Array(new.utf8)), named: "new")
        var drift = DocumentDrift(from: try before.value(beside: after), to: try after.value(beside: before))
        drift.findLines(
            of: 9, in: Array(old.utf8), named: "old", isOld: true, isList: before.isList(beside: after))
        drift.findLines(
            of: 9, in: Array(new.utf8), named: "new", isOld: false, isList: after.isList(beside: before))
        #expect(
            drift.changes.map { "\($0.kind) \($0.line?.place.line ?? 0):\($0.line?.place.column ?? 0)" } == expected)
        #expect(drift.changes.allSatisfy { $0.line?.source == ($0.kind == .disappeared ? "old" : "new") })
    }

    @Test func linesThatAreArraysAreAListBesideOne() throws {
        var (before, after) = (SourceDocuments(), SourceDocuments())
        try before.add(ByteSource(Array(#"[1, "a"]"#.utf8)), named: "old")
        try after.add(ByteSource(Array("[1, \"a\"]\n[2, \"b\"]".utf8)), named: "new")
        let drift = DocumentDrift(from: try before.value(beside: after), to: try after.value(beside: before))
        #expect(drift.changes.isEmpty)
    }

    /// The buffer of the reader has a part of a long source.
    @Test func theLineOfALongSourceIsFound() throws {
        let text = String(repeating: "{\"a\": 1}\n", count: 300_000) + #"{"a": [""]}"#
        var drift = DocumentDrift(from: [["a": 1]], to: [["a": 1], ["a": [""]]])
        drift.findLines(of: 9, in: Array(text.utf8), named: "new", isOld: false, isList: true)
        #expect(drift.changes.map { $0.line?.place.line } == [300_001])
        #expect(drift.changes.map { $0.line?.excerpt } == ["300001 | {\"a\": [\"\"]}\n       |       ^"])
    }
}
