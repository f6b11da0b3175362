import Foundation
import ModelMirror
import Testing

private enum Kind: String { case small, large }

private final class User: AbstractModel, Hashable {
    var id = 0
    var name: String?

    override class var requiredProperties: Set<String> { ["id"] }
    static func == (left: User, right: User) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

@Suite("Containers")
struct ContainersTests {
    /// A model with one property of any type that can be nil.
    private final class Box<Value>: AbstractModel { var value: Value? }

    /// Maps a value, leniently and strictly, and checks that nothing is reported.
    private func takes<Value: Equatable>(
        _ json: String, as value: Value, at source: Testing.SourceLocation = #_sourceLocation
    ) throws {
        for options in [MappingOptions(), .strict] {
            let (box, report) = try Box<Value>.mapReporting(json: #"{"value": \#(json)}"#, options: options)
            #expect(box.value == value, sourceLocation: source)
            #expect(report.description == "nothing to report", sourceLocation: source)
        }
    }

    @Test("Nested arrays and sets are read, with and without Optional elements")
    func arrays() throws {
        try takes("[[1, null], [], [null]]", as: [[1, nil], [], [nil]] as [[Int?]])
        try takes("[[[[1]]], [[]]]", as: [[[[1]]], [[]]])
        try takes("[null, [1], [null]]", as: [nil, [1], [nil]] as [[Int?]?])
        try takes(#"[["a"], []]"#, as: [ContiguousArray(["a"]), []])
        try takes("[[1, 2], [2, 1]]", as: Set([[1, 2], [2, 1]]))
        try takes("[]", as: [Int]())
        try takes("[null]", as: [nil] as Set<Int?>)
        try takes("[ 1 , 2 ]", as: [1, 2] as ContiguousArray<Int8>)
    }

    @Test("Elements that a set has already are reported, and fail strict mapping")
    func repeatedElements() throws {
        let json = #"{"value": ["a", "b", "a", "c", "b"]}"#
        let (box, report) = try Box<Set<String>>.mapReporting(json: json)
        #expect(box.value == ["a", "b", "c"])
        let lines = [
            #"Box<Set<String>>.value at $.value[2] (line 1, column 22): expected each element once, found the string "a" again."#,
            #"Box<Set<String>>.value at $.value[4] (line 1, column 32): expected each element once, found the string "b" again."#,
        ]
        #expect(report.entries.map(\.description) == lines.map { "skipped: \($0)" })
        let error = #expect(throws: ModelError.self) { try Box<Set<String>>(json: json, options: .strict) }
        #expect(error?.description == lines.joined(separator: "\n"))
        // Equal values, not equal texts; arrays may repeat.
        let numbers = try Box<[Set<Double>]>.mapReporting(json: #"{"value": [[1, 1.0, 10e-1], [1]]}"#)
        #expect(numbers.object.value == [[1], [1]])
        #expect(
            numbers.report.entries.map { "\($0.kind) \($0.path)" } == [
                "skipped $.value[0][1]", "skipped $.value[0][2]",
            ])
        try takes("[1, 1]", as: [1, 1] as ContiguousArray<Int8>)
        try takes("[null, null]", as: [nil, nil] as [Int?])
    }

    @Test("Nested dictionaries are read with string, integer, UUID and enum keys")
    func dictionaries() throws {
        try takes(#"{"a": [[1, 2], [1]], "b": [], "": [[]]}"#, as: ["a": [Set([1, 2]), [1]], "b": [], "": [[]]])
        try takes(#"{"a": null, "b": 1}"#, as: ["a": nil, "b": 1] as [String: Int?])
        try takes(#"[{"a": {"1": {"b": true}}}]"#, as: [["a": [1: ["b": true]]]])
        try takes("{}", as: [String: Int]())
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        try takes(
            #"{"e621e1f8-c36c-495a-93fc-0c247a3e6e5f": "1970-01-01T00:01:00Z"}"#,
            as: [id: Date(timeIntervalSince1970: 60)])
        try takes(#"{"small": 1, "large": 2}"#, as: [Kind.small: 1, .large: 2])
    }

    @Test("Nested Optionals are read, and null sets the outermost to nil")
    func optionals() throws {
        final class Deep: AbstractModel {
            var number: Int?? = .some(1)
            var list: [Int??]?? = []
        }
        let deep = try Deep(json: #"{"number": 2, "list": [1, null]}"#)
        #expect(deep.number == .some(.some(2)))
        #expect(deep.list == .some(.some([.some(.some(1)), .none])))
        #expect(try Deep(json: #"{"number": null}"#).number == .none)
        #expect(try Deep(json: #"{"list": null}"#).list == .none)
    }

    @Test("Models are read in Optionals, arrays, sets and dictionaries")
    func models() throws {
        let one = #"{"id": 1, "name": "a"}"#
        let two = #"{"id": 2, "name": null}"#
        for options in [MappingOptions(), .strict] {
            let single = try Box<User>(json: #"{"value": \#(one)}"#, options: options)
            #expect(single.value?.id == 1 && single.value?.name == "a")
            let list = try Box<[User?]>(json: #"{"value": [\#(one), null, \#(two)]}"#, options: options)
            #expect(list.value?.map { $0?.id } == [1, nil, 2])
            let nested = try Box<[Int: [String: User]]>(
                json: #"{"value": {"7": {"a": \#(one)}, "-8": {}}}"#, options: options)
            #expect(nested.value?.mapValues { $0.mapValues(\.id) } == [7: ["a": 1], -8: [:]])
            let set = try Box<Set<User>>(json: #"{"value": [\#(one), \#(two)]}"#, options: options)
            #expect(set.value?.map(\.id).sorted() == [1, 2])
            let byKind = try Box<[Kind: ContiguousArray<User>]>(
                json: #"{"value": {"large": [\#(two)]}}"#, options: options)
            #expect(byKind.value?[.large]?.map(\.id) == [2])
        }
    }

    @Test("Generic classes can hold models, have generic superclasses and be recursive")
    func generics() throws {
        class Page<Item>: AbstractModel {
            var items: [Item] = []
            var byKey: [String: Item] = [:]
            var next: Page<Item>?
        }
        class NamedPage<Name, Item>: Page<Item> { var name: Name? }
        final class Users: NamedPage<String, User> { var total = 0 }
        let json = #"""
            {"items": [{"id": 1}], "byKey": {"a": {"id": 2}}, "name": "first", "total": 3,
            "next": {"items": [{"id": 4}], "next": {"byKey": {"b": {"id": 5}}}}}
            """#
        let users = try Users(json: json)
        #expect(users.items.map(\.id) == [1])
        #expect(users.byKey.mapValues(\.id) == ["a": 2])
        #expect(users.name == "first")
        #expect(users.total == 3)
        #expect(users.next?.items.map(\.id) == [4])
        #expect(users.next?.next?.byKey.mapValues(\.id) == ["b": 5])
        #expect(users.next?.next?.next == nil)
        let numbers = try NamedPage<UInt8, Page<Int?>>(json: #"{"name": 255, "items": [{"items": [1, null]}]}"#)
        #expect((numbers.name, numbers.items.first?.items) == (255, [1, nil]))
    }

    @Test("A set merges elements that are equal after conversion")
    func sets() throws {
        let (box, report) = try Box<Set<Int>>.mapReporting(json: #"{"value": [1, "1", true, 1.0, 2]}"#)
        #expect(box.value == [1, 2])
        let entries = report.entries.map { "\($0.kind) \($0.path): \($0.found)" }
        #expect(
            entries == [
                #"coerced $.value[1]: the string "1""#, #"skipped $.value[1]: the string "1" again"#,
                "coerced $.value[2]: true", "skipped $.value[2]: true again",
                "skipped $.value[3]: the number 1.0 again",
            ])
    }

    @Test("Invalid elements are skipped at every depth, and each is reported once")
    func badElements() throws {
        let json = #"{"value": [[1, "x", 2], "y", [null, 3.5, []], [4]]}"#
        let (box, report) = try Box<[[Int]]>.mapReporting(json: json)
        #expect(box.value == [[1, 2], [], [4]])
        #expect(
            report.description == """
                skipped: Box<Array<Array<Int>>>.value at $.value[0][1] (line 1, column 16): expected an integer, \
                found the string "x".
                skipped: Box<Array<Array<Int>>>.value at $.value[1] (line 1, column 25): expected an array, found \
                the string "y".
                skipped: Box<Array<Array<Int>>>.value at $.value[2][0] (line 1, column 31): expected an integer, \
                found null.
                skipped: Box<Array<Array<Int>>>.value at $.value[2][1] (line 1, column 37): expected an integer, \
                found the number 3.5.
                skipped: Box<Array<Array<Int>>>.value at $.value[2][2] (line 1, column 42): expected an integer, \
                found an array.
                """)
        let error = #expect(throws: ModelError.self) { try Box<[[Int]]>(json: json, options: .strict) }
        #expect(error?.description == report.description.replacing("skipped: ", with: ""))
    }

    @Test("Invalid members are skipped along with their keys")
    func badMembers() throws {
        let json = #"{"value": {"a": {"b": 1, "c": "x"}, "d": 5, "e": null}}"#
        let (box, report) = try Box<[String: [String: Int]]>.mapReporting(json: json)
        #expect(box.value == ["a": ["b": 1]])
        #expect(
            report.outlines == [
                #"skipped $.value.a.c: an integer, the string "x""#, "skipped $.value.d: an object, the number 5",
                "skipped $.value.e: an object, null",
            ])
    }

    private final class Asked: AbstractModel {
        var list = [7]
        var set: Set<String> = ["start"]
        var byKey = ["start": true]
        var isFailing = false
        var asked: [String] = []
        override class var ignoredProperties: Set<String> { ["asked"] }
        override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
            if let value { asked.append("\(property): \(value)") }
            return value != nil && isFailing
        }
    }

    @Test("The invalid-value hook is called once per collection, with the whole value")
    func hook() throws {
        let json = #"{"isFailing": false, "list": [1, "x", 2, "y"], "set": ["a", 1], "byKey": {"b": "?"}}"#
        let asked = try Asked(json: json)
        #expect(asked.asked == [#"list: [1, "x", 2, "y"]"#, #"set: ["a", 1]"#, #"byKey: ["b": "?"]"#])
        #expect(asked.list == [1, 2])
        #expect(asked.set == ["a"])
        #expect(asked.byKey == [:])
        let failing = json.replacing("false", with: "true")
        let error = #expect(throws: ModelError.self) { try Asked(json: failing) }
        #expect(
            error?.description == """
                Asked.list at $.list[1] (line 1, column 33): expected an integer, found the string "x".
                Asked.list at $.list[3] (line 1, column 41): expected an integer, found the string "y".
                Asked.set at $.set[1] (line 1, column 60): expected a string, found the number 1; the option stringsFromNumbers accepts it.
                Asked.byKey at $.byKey.b (line 1, column 79): expected true or false, found the string "?".
                """)
    }

    @Test(
        "A value of another kind than the container leaves the property unchanged",
        arguments: ["1", #""[]""#, "true", #"{"0": 1}"#])
    func noArray(json: String) throws {
        let (asked, report) = try Asked.mapReporting(json: #"{"list": \#(json), "set": \#(json), "byKey": [\#(json)]}"#)
        #expect((asked.list, asked.set, asked.byKey) == ([7], ["start"], ["start": true]))
        let fallbacks = report.entries.filter { $0.kind == .fallback }
        #expect(fallbacks.map(\.path.description) == ["$.list", "$.set", "$.byKey"])
        #expect(fallbacks.map(\.expected) == ["an array", "an array", "an object"])
    }

    @Test("A failure in a model inside a container is reported with its full path")
    func badModel() throws {
        let json = #"{"value": {"a": [{"id": 1}, {"id": null}, {"name": "b"}, {"id": 4, "name": 5}]}}"#
        let (box, report) = try Box<[String: [User]]>.mapReporting(json: json)
        #expect(box.value?["a"]?.map(\.id) == [1, 4])
        #expect(
            report.entries.filter { $0.kind == .skipped }.map(\.path.description) == ["$.value.a[1]", "$.value.a[2]"])
        let error = #expect(throws: ModelError.self) { try Box<[String: [User]]>(json: json, options: .strict) }
        #expect(
            error?.description == """
                User.id at $.value.a[1].id (line 1, column 36): expected an integer, found null.
                User.id at $.value.a[2].id (line 1, column 43): expected an integer, found no such key.
                User.name at $.value.a[3].name (line 1, column 76): expected a string, found the number 5; the option stringsFromNumbers accepts it.
                """)
    }

    @Test("A value that is coerced in a nested model is reported with its full path")
    func coercedInModel() throws {
        let (box, report) = try Box<[User]>.mapReporting(json: #"{"value": [{"id": "3", "name": "a"}]}"#)
        #expect(box.value?.first?.id == 3)
        #expect(
            report.description
                == #"coerced: User.id at $.value[0].id (line 1, column 19): expected an integer, found the string "3"."#
        )
    }
}
