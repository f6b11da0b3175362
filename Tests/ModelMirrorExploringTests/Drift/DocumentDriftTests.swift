import ModelMirror
import ModelMirrorExploring
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

    @Test func arrayElementsAreComparedAsOnePlace() {
        let old: JSONValue = ["items": [["owner": ["login": "mona"]], ["owner": ["login": "hubot"]]]]
        let new: JSONValue = ["items": [["owner": ["login": 7]]]]
        #expect(changes(old, new) == ["type $.items[].owner.login: string -> number"])
    }

    @Test func anAdditionalTypeIsAChange() {
        #expect(changes([1, 2], [1, "2"]) == ["type $[]: number -> string or number"])
        #expect(changes([1, "2"], [1, 2]) == [])
        #expect(changes(["a": 1], ["a": 1.5]) == ["type $.a: whole number -> number with fraction"])
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
        #expect(changes(["a": nil], ["a": "x"]) == [])
        #expect(changes(["a": []], ["a": [["b": 1]]]) == [])
        #expect(changes([["a": 1], [:]], [["a": 2], ["a": 3]]) == [])
        #expect(changes(["name": "open"], ["name": "closed"]) == [])
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

    @Test func aRootOfAnotherTypeIsAChange() {
        #expect(changes([1], ["a": 1]) == ["type $: array -> object"])
    }
}
