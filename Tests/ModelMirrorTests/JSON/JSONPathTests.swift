import Testing

@testable import ModelMirror

@Suite("JSON paths")
struct JSONPathTests {
    @Test(
        "A path is printed with dots for plain keys and brackets for other keys and indices",
        arguments: [
            (JSONPath.root, "$"), ([], "$"), (["gists", 3, "owner", "id"], "$.gists[3].owner.id"), ([0, 1], "$[0][1]"),
            ([-1], "$[-1]"), (["content-type"], #"$["content-type"]"#), (["a b"], #"$["a b"]"#), ([""], #"$[""]"#),
            (["a.b", "c"], #"$["a.b"].c"#), (["created_at", "_x", "$ref", "x1"], "$.created_at._x.$ref.x1"),
            (["1x", "7"], #"$["1x"]["7"]"#), (["größe", "名前"], "$.größe.名前"), (["😀"], #"$["😀"]"#),
            (["a\"b\\c/d"], #"$["a\"b\\c/d"]"#), (["\n\r\t\0\u{1F}\u{7F}"], #"$["\n\r\t\u0000\u001f\u007f"]"#),
            (["\u{80}\u{9B}\u{9F}\u{A0}"], #"$["\u0080\u009b\u009f\#u{A0}"]"#),
            (["[0]"], #"$["[0]"]"#), (["x", "", 2, "y-z"], #"$.x[""][2]["y-z"]"#),
        ] as [(JSONPath, String)])
    func description(path: JSONPath, text: String) { #expect(path.description == text) }

    @Test("Paths with the same steps are equal, and a key differs from an index")
    func equality() {
        #expect(JSONPath(["a", 0]) == ["a", 0])
        #expect(JSONPath(["a", 0]).hashValue == JSONPath([.key("a"), .index(0)]).hashValue)
        #expect(JSONPath(["0"]) != [0])
        #expect(JSONPath(["a", "b"]) != ["a.b"])
        #expect(JSONPath(["a"]).steps == [.key("a")])
    }

    @Test("A pointer is empty for the root, and escapes tildes and slashes, also those with combining marks")
    func pointers() {
        #expect(JSONPath.root.pointer == "")
        #expect(JSONPath(["a/b", "m~n", 0, ""]).pointer == "/a~1b/m~0n/0/")
        #expect(JSONPath(["a/b", "~", 0]).pointer == "/a~1b/~0/0")
        #expect(JSONPath(["/\u{301}", "~\u{301}"]).pointer == "/~1\u{301}/~0\u{301}")
    }
}
