import ModelMirror
import Testing

private let document: JSONValue = [
    "items": [["id": 7, "tags": ["a", nil]], ["id": "x"]], "owner": ["login": "octocat", "email": nil],
    "a.b": true, "1": "one", "count": 2, "none": nil,
]

@Suite("Accessing a JSONValue")
struct JSONValueAccessTests {
    @Test("A path of any length leads to a value or to none")
    func longPath() {
        #expect(document[JSONPath(Array(repeating: .key("items"), count: 1_000_000))] == nil)
    }

    @Test("Subscripts find values by key, by index and by chains of both")
    func chains() {
        #expect(document["items"][0]["id"]?.int == 7)
        #expect(document["items"][0]["tags"][0]?.string == "a")
        #expect(document["items"]?[1]?["id"]?.string == "x")
        #expect(document["owner"]["login"] == "octocat")
        #expect(document["a.b"] == true)
        #expect(document["1"] == "one")
    }

    @Test("A path subscript finds values by literal keys and indices")
    func paths() {
        #expect(document["items"][[1, "id"]] == "x")
        for (path, value) in [
            (["items", 0, "tags", 0], "a"), (["a.b"], true), (["a", "b"], .none), ([1], .none), (.root, document),
        ] as [(JSONPath, JSONValue?)] {
            #expect(document[path] == value, "\(path)")
        }
        #expect(Optional(document)[.root] == document)
    }

    @Test("A null member is .null, and a missing member is nil")
    func null() {
        #expect(document["owner"]["email"] == .some(.null))
        #expect(document["items"][0]["tags"][1] == .some(.null))
        #expect(document[["none"]] == .some(.null))
        #expect(document["owner"]["name"] == nil)
    }

    @Test(
        "A step that leads nowhere gives nil, and so does every step after it",
        arguments: [
            ["nothing"], ["none", "a"], ["none", 0], ["count", "a"], ["count", 0], ["items", "id"], ["owner", 0],
            ["items", 2], ["items", -1], ["items", .index(.max)], ["items", .index(.min)], [0],
            ["items", 5, "id", 0, "x"],
            ["a.b", "a", "b", "c"], ["items", 0, "tags", 1, 0],
        ] as [JSONPath])
    func nowhere(path: JSONPath) {
        #expect(document[path] == nil)
        #expect(document[path]["a"] == nil)
        #expect(document[path][0] == nil)
        #expect(document[path][["a", 0]] == nil)
        var chained: JSONValue? = document
        for step in path.steps {
            switch step {
            case .key(let key): chained = chained[key]
            case .index(let index): chained = chained[index]
            }
        }
        #expect(chained == nil)
    }

    @Test(
        "Setting a path creates, replaces or removes a value, and creates the containers of a new one",
        arguments: [
            (["a": 1], ["a"], 2, ["a": 2]),
            (["a": 1], ["b"], 2, ["a": 1, "b": 2]),
            (["a": 1], ["a"], .some(.null), ["a": nil]),
            (["a": 1, "b": 2], ["a"], .none, ["b": 2]),
            (["a": 1], ["b"], .none, ["a": 1]),
            (["a": ["b": [1, 2]]], ["a", "b", 1], "x", ["a": ["b": [1, "x"]]]),
            (["a": ["b": [1, 2]]], ["a", "b", 2], "x", ["a": ["b": [1, 2, "x"]]]),
            (["a": ["b": [1, 2, 3]]], ["a", "b", 0], .none, ["a": ["b": [2, 3]]]),
            ([1], [1], .none, [1]),
            ([1], [0], .none, []),
            ([], [0], .some(.null), [nil]),
            ([["a": 1], 2], [0, "b"], 3, [["a": 1, "b": 3], 2]),
            // Objects and arrays are created in place of null and missing values,
            (nil, ["a"], 1, ["a": 1]),
            (nil, [0], 1, [1]),
            (nil, ["a", "b", 0, "c"], 1, ["a": ["b": [["c": 1]]]]),
            (["a": nil], ["a", "b"], 1, ["a": ["b": 1]]),
            (["a": [nil]], ["a", 0, "b"], .some(.null), ["a": [["b": nil]]]),
            ([:], ["a", "b"], 1, ["a": ["b": 1]]),
            ([1], [1, "a"], 2, [1, ["a": 2]]),
            // but none for nil.
            (nil, ["a"], .none, nil), (nil, [0], .none, nil), (nil, ["a", "b", 0], .none, nil),
            ([:], ["a", "b"], .none, [:]), (["a": nil], ["a", "b"], .none, ["a": nil]), ([], [0, "a"], .none, []),
            (["a": nil], ["a", 0], .none, ["a": nil]), (["a": [:]], ["a", "b", "c"], .none, ["a": [:]]),
        ] as [(JSONValue, JSONPath, JSONValue?, JSONValue)])
    func setting(before: JSONValue, path: JSONPath, value: JSONValue?, after: JSONValue) {
        expectSetting(path, of: before, to: value, gives: after)
    }

    @Test(
        "Setting a path through a value of another kind or to an invalid index changes nothing",
        arguments: [
            (["a": "text"], ["a", "b"]), (["a": [1]], ["a", "b"]), (["a": ["b": 1]], ["a", 0]),
            (["a": "text"], ["a", 0]),
            (true, ["a"]), (7, [0]), ("text", ["a", "b", "c"]), ([1, 2], [3]), ([1, 2], [-1]),
            ([1, 2], [.index(.max)]),
            ([], [1]), (nil, [1]), (nil, [-1]), ([1], [3, "a"]), (["a": nil], ["a", 1]), (["a": nil], ["a", 1, "b"]),
            ([:], ["a", 1]),
        ] as [(JSONValue, JSONPath)])
    func leaving(value: JSONValue, path: JSONPath) {
        expectSetting(path, of: value, to: "new", gives: value)
        expectSetting(path, of: value, to: nil, gives: value)
    }

    @Test("Setting the root path replaces the value, and nil makes it null")
    func root() {
        var value: JSONValue = ["a": 1]
        value[.root] = 2
        #expect(value == 2)
        value[.root] = nil
        #expect(value == .null)
        value["a"][.root] = 3
        #expect(value == ["a": 3])
        value["a"][.root] = nil
        #expect(value == [:])
    }

    @Test("Members and elements can be changed in place")
    func mutating() {
        var value: JSONValue = ["list": [1], "text": "a"]
        if case .array(var list)? = value["list"] {
            list.append(2)
            value["list"] = .array(list)
        }
        value["list"][2] = "x"
        (value["list"][0], value["text"]) = (value["text"], value["list"][0])
        #expect(value == ["list": ["a", 2, "x"], "text": 1])
    }

    @Test("Setting a nested value copies no containers")
    func inPlace() throws {
        var value: JSONValue = ["a": ["b": .array((0..<100).map { ["n": .number(JSONNumber($0))] })]]
        let before = try #require(address(value["a"]["b"]))
        value["a"]["b"][50]["n"] = "chain"
        value[["a", "b", 51, "n"]] = "path"
        let whole: JSONPath = ["a", "b"]
        value[whole][52] = nil
        #expect(address(value["a"]["b"]) == before)
        #expect(value["a"]["b"][50] == ["n": "chain"])
        #expect(value["a"]["b"][51] == ["n": "path"])
        #expect(value["a"]["b"][52] == ["n": 53])
    }

    @Test("Setting a nested value leaves copies unchanged")
    func copies() {
        var value: JSONValue = ["a": [["b": 1]]]
        let copy = value
        let inner = value["a"]
        value["a"][0]["b"] = 2
        #expect(value == ["a": [["b": 2]]])
        #expect(copy == ["a": [["b": 1]]])
        #expect(inner == [["b": 1]])
    }

    /// The address of the elements.
    private func address(_ value: JSONValue?) -> UnsafePointer<JSONValue>? {
        value?.array?.withUnsafeBufferPointer(\.baseAddress)
    }

    /// Sets by path and by a chain of keys and indices, which must do the same.
    private func expectSetting(
        _ path: JSONPath, of value: JSONValue, to new: JSONValue?, gives expected: JSONValue,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var byPath = value
        byPath[path] = new
        #expect(byPath == expected, sourceLocation: sourceLocation)
        var byChain = value
        switch path.steps[0] {
        case .key(let key): set(&byChain[key], path.steps.dropFirst(), new)
        case .index(let index): set(&byChain[index], path.steps.dropFirst(), new)
        }
        #expect(byChain == expected, sourceLocation: sourceLocation)
        var byOptional: JSONValue? = value
        byOptional[path] = new
        #expect(byOptional == expected, sourceLocation: sourceLocation)
    }

    private func set(_ value: inout JSONValue?, _ steps: ArraySlice<JSONPath.Step>, _ new: JSONValue?) {
        switch steps.first {
        case nil: value = new
        case .key(let key): set(&value[key], steps.dropFirst(), new)
        case .index(let index): set(&value[index], steps.dropFirst(), new)
        }
    }
}
