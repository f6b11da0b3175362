import ModelMirror
@testable import ModelMirrorExploring
import Testing

struct DocumentDriftTests {
    private func changes(_ old: JSONValue, _ new: JSONValue) -> [String] {
        DocumentDrift(from: old, to: new).changes.map { "\($0.kind) \($0)" }
    }

    @Test func membersAppearAndDisappear() {
        #expect(
            changes(["a": 1, "b": ["x": true]], ["b": ["x": true, "y-z": [1]], "c": nil]) == [
                "disappeared $.a: number -> absent", #"appeared $.b["y-z"]: absent -> array"#,
                "appeared $.c: absent -> null",
            ])
    }

    /// In JSON, é as one scalar and as two are two keys.
    @Test func canonicallyEquivalentKeysAreTwo() {
        #expect(
            changes([["\u{E9}": 1, "id": 1]], [["e\u{301}": 1, "id": 2], ["\u{E9}": "x", "id": 3]]) == [
                "appeared $[][\"e\u{301}\"]: absent -> number (in 1 of 2)", "type $[].\u{E9}: number -> string",
                "missing $[].\u{E9}: always there -> absent in 1 of 2",
            ])
        #expect(changes(["\u{E9}": 1], ["e\u{301}": 1]).count == 2)
    }

    @Test func arrayElementsAreComparedAsOnePlace() {
        let old: JSONValue = ["items": [["owner": ["login": "mona"]], ["owner": ["login": "hubot"]]]]
        let new: JSONValue = ["items": [["owner": ["login": 7]]]]
        #expect(changes(old, new) == ["type $.items[].owner.login: string -> number"])
    }

    @Test func anAdditionalTypeIsAChange() {
        for (old, new, expected) in [
            ([1, 2], [1, "2"], ["type $[]: number -> string or number"]), ([1, "2"], [1, 2], []),
            (["a": 1], ["a": 1.5], ["type $.a: whole number -> number with fraction"]),
            (
                [["p": 1], ["p": 2]], [["p": 1.5], ["p": nil]],
                [
                    "null $[].p: number -> number or null (null in 1 of 2)",
                    "type $[].p: whole number -> number with fraction",
                ]
            ),
            (
                [1], [1.5, "x"],
                ["type $[]: number -> string or number", "type $[]: whole number -> number with fraction"]
            ),
        ] as [(JSONValue, JSONValue, [String])] {
            #expect(changes(old, new) == expected)
        }
    }

    @Test func newNullsAndAbsencesAreChanges() {
        #expect(
            changes([["a": "x"], ["a": "y"]], [["a": "x"], ["a": nil], [:]]) == [
                "null $[].a: string -> string or null (null in 1 of 2)",
                "missing $[].a: always there -> absent in 1 of 3",
            ])
        #expect(changes(["a": "x"], ["a": nil]) == ["null $.a: string -> null"])
    }

    /// Another sample of an unchanged API may differ in these ways.
    @Test func differencesBetweenSamplesAreNotChanges() {
        for (old, new) in [
            (["a": nil], ["a": "x"]), (["a": []], ["a": [["b": 1]]]), ([["a": 1], [:]], [["a": 2], ["a": 3]]),
            (["name": "open"], ["name": "closed"]),
        ] as [(JSONValue, JSONValue)] {
            #expect(changes(old, new) == [], "\(old)")
        }
    }

    @Test func aNewValueOfAnEnumerationIsAChange() {
        let old: JSONValue = [["state": "open"], ["state": "closed"], ["state": "open"], ["state": "open"]]
        #expect(
            changes(old, [["state": "archived"]]) == [#"value $[].state: "closed", "open" -> also "archived""#])
        let texts: JSONValue = [["state": "a b"], ["state": "a b"]]
        #expect(changes(texts, [["state": "c d"]]) == [])
    }

    @Test func dataKeysAreComparedAsOnePlace() {
        let old: JSONValue = ["files": ["main.go": ["size": 1], "go.mod": ["size": 2]]]
        let new: JSONValue = ["files": ["LICENSE": ["size": "big"]]]
        #expect(changes(old, new) == ["type $.files{}.size: number -> string"])
    }

    /// A few keys that are not identifiers do not make all keys data.
    @Test func keysThatAreNotIdentifiersAreStillMembers() {
        #expect(
            changes(["First Name": "a", "Last Name": "b"], ["First Name": "a"]) == [
                #"disappeared $["Last Name"]: string -> absent"#
            ])
        #expect(
            changes(["id": "1", "title": "x", "og:url": "u"], ["og:url": "u"]) == [
                "disappeared $.id: string -> absent", "disappeared $.title: string -> absent",
            ])
        #expect(changes(["a": 1, "b": 2, "v1.0": 3], ["a": 1, "v1.0": 3]) == ["disappeared $.b: number -> absent"])
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

    @Test func aRootOfAnotherTypeIsAChange() {
        #expect(changes([1], ["a": 1]) == ["type $: array -> object"])
    }
}
