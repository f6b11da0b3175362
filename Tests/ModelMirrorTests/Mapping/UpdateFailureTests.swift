import Foundation
import ModelMirror
import Testing

private struct UpdateRefusal: Error, CustomStringConvertible {
    var description: String { "no" }
}

private struct Fussy: JSONConvertible {
    var value = 1
    init() {}
    init(json: JSONValue) throws {
        guard json.int != 13 else { throw UpdateRefusal() }
        value = json.int ?? 0
    }
    func json() throws -> JSONValue { .number(JSONNumber(value)) }
}

private class Faulty: AbstractModel {
    var id = 1
    override class var requiredProperties: Set<String> { ["ident"] }
}

private class Part: AbstractModel {
    var id = 1
    var size = 2

    override class var requiredProperties: Set<String> { ["id"] }

    override func didMap() throws { if size == 13 { throw UpdateRefusal() } }
    override func validateModel(_ validation: inout ModelValidation) {
        if size == 14 { validation.fail("size", expected: "another size") }
    }
}

/// Every kind of property that can fail, between valid ones.
private class Thing: AbstractModel {
    var first = "first"
    var count = 1
    var name: String? = "name"
    var hooked: Int? = 1
    var fussy = Fussy()
    var part: Part? = Part()
    var parts = [Part(), Part()]
    var table: [String: Int] = ["a": 1]
    var faulty: Faulty?
    var left: String?
    var right = "right"
    var last = "last"

    private(set) var calls: [String] = []

    override class var ignoredProperties: Set<String> { ["calls"] }
    override class var requiredProperties: Set<String> { ["name", "part"] }
    override class var propertyKeys: [String: PropertyKey] { ["left": .path("sides", 0), "right": ["r", "right"]] }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        calls.append("asked about \(property)")
        return property == "hooked"
    }

    override func didMap() throws {
        calls.append("didMap \(count) \(last)")
        if count == 13 { throw UpdateRefusal() }
    }

    override func validateModel(_ validation: inout ModelValidation) {
        calls.append("validateModel")
        if count == 14 { validation.fail("count", expected: "another count") }
        if count == 15 { validation.fail("name", expected: "another name") }
        if count == 16 { validation.fail(expected: "something else") }
    }
}

@Suite("Failing updates")
struct UpdateFailureTests {
    /// Updates an object, and checks that it fails and that all properties, nested objects included, are as they were and the
    /// same.
    private func failure(_ json: String, _ options: MappingOptions = .init()) throws -> (
        error: ModelError, calls: [String]
    ) {
        let thing = Thing()
        let before = try thing.jsonData(options: .nulls)
        let (part, parts) = (thing.part, thing.parts)
        let error = try #require(throws: ModelError.self) { try thing.update(json: json, options: options) }
        #expect(try thing.jsonData(options: .nulls) == before)
        #expect(thing.part === part && thing.parts.count == 2 && zip(thing.parts, parts).allSatisfy { $0 === $1 })
        return (error, thing.calls)
    }

    /// A document that changes everything, with one more member on a line of its own.
    private func document(_ member: String) -> String {
        """
        {"first": "new", "name": "new", "part": {"id": 9}, "parts": [], "table": {}, "sides": ["l"], "r": "new",
        \(member),
        "last": "new"}
        """
    }

    @Test(
        "An update that fails for any reason leaves the object unchanged",
        arguments: [
            (
                #""count": 13"#,
                "Thing at $ (line 1, column 1): expected an object that didMap accepts, found an object: no."
            ),
            (
                #""count": 14"#,
                "Thing.count at $.count (line 2, column 10): expected another count, found the number 14."
            ),
            (
                #""count": 15"#,
                #"Thing.name at $.name (line 1, column 26): expected another name, found the string "new"."#
            ),
            (#""count": 16"#, "Thing at $ (line 1, column 1): expected something else, found an object."),
            (
                #""hooked": "x""#,
                #"Thing.hooked at $.hooked (line 2, column 11): expected an integer, found the string "x"."#
            ),
            (#""hooked": null"#, "Thing.hooked at $.hooked (line 2, column 11): expected an integer, found null."),
            (#""name": null"#, "Thing.name at $.name (line 2, column 9): expected a string, found null."),
            (
                #""name": 5"#,
                "Thing.name at $.name (line 2, column 9): expected a string, found the number 5; "
                    + "the option stringsFromNumbers accepts it."
            ),
            (#""part": {}"#, "Part.id at $.part.id (line 2, column 9): expected an integer, found no such key."),
            (
                #""part": 5"#,
                "Thing.part at $.part (line 2, column 9): expected an object for Part, found the number 5."
            ),
            (
                #""part": {"id": 1, "size": 13}"#,
                "Part at $.part (line 2, column 9): expected an object that didMap accepts, found an object: no."
            ),
            (
                #""part": {"id": 1, "size": 14}"#,
                "Part.size at $.part.size (line 2, column 27): expected another size, found the number 14."
            ),
        ])
    func everyKind(member: String, message: String) throws {
        let (error, _) = try failure(document(member))
        #expect(error.lines == [message])
    }

    @Test(
        "A strict update that fails leaves the object unchanged and calls no hook",
        arguments: [
            (
                #""count": "5""#,
                #"Thing.count at $.count (line 2, column 10): expected an integer, found the string "5"."#
            ),
            (#""count": null"#, "Thing.count at $.count (line 2, column 10): expected an integer, found null."),
            (
                #""count": 2, "count": 3"#,
                "Thing.count at $.count (line 2, column 22): expected each key once, "
                    + #"found the key "count" with a second value for count."#
            ),
            (
                #""fussy": 13"#,
                "Thing.fussy at $.fussy (line 2, column 10): expected a value for Fussy, found the number 13: no."
            ),
            (
                #""parts": [{}]"#,
                "Part.id at $.parts[0].id (line 2, column 11): expected an integer, found no such key."
            ),
            (
                #""table": {"a": 1, "b": "x"}"#,
                #"Thing.table at $.table.b (line 2, column 24): expected an integer, found the string "x"."#
            ),
            (
                #""sides": 5"#,
                "Thing.left at $.sides (line 2, column 10): expected an array, found the number 5."
            ),
            (
                #""right": 5, "r": 5"#,
                "Thing.right at $.r (line 2, column 18): expected a string, found the number 5; "
                    + "the option stringsFromNumbers accepts it."
            ),
        ])
    func strict(member: String, message: String) throws {
        let (error, calls) = try failure(
            "{\"first\": \"new\", \"name\": \"new\",\n\(member),\n\"last\": \"new\"}", .strict)
        #expect(error.lines == [message])
        #expect(calls == [])
    }

    @Test("A failing update reports all failures in document order")
    func all() throws {
        let (error, calls) = try failure(
            #"{"hooked": "x", "name": null, "part": {"size": 1}, "count": 13, "last": "new"}"#)
        #expect(
            error.lines == [
                #"Thing.hooked at $.hooked (line 1, column 12): expected an integer, found the string "x"."#,
                "Thing.name at $.name (line 1, column 25): expected a string, found null.",
                "Part.id at $.part.id (line 1, column 39): expected an integer, found no such key.",
            ])
        #expect(calls == ["asked about hooked"])
    }

    @Test("didMap sees the new values of an update that is then rolled back")
    func calls() throws {
        let (_, calls) = try failure(document(#""count": 13"#))
        #expect(calls == ["didMap 13 new"])
        let (_, more) = try failure(document(#""count": 14"#))
        #expect(more == ["didMap 14 new", "validateModel"])
    }

    @Test(
        "A syntax error anywhere leaves the object unchanged and calls no hook",
        arguments: [
            (#"{"first": "new", "last": "new""#, 30), (#"{"first": "new", "last": "new"} x"#, 32),
            (#"{"first": "new", "last": "new"}}"#, 31), (#"{"first": "new", "last": "new",}"#, 31),
            (#"{"first": "new", "unknown": [1, 2,], "last": "new"}"#, 34), (#"{"first": "new", "last": nul}"#, 25),
            ("", 0),
            (#"{"first": "new", "part": {"id": 2}, "parts": [{"id": 3} {}]}"#, 56),
        ])
    func syntax(json: String, offset: Int) throws {
        let (error, calls) = try failure(json)
        #expect(error.syntaxError?.offset == offset)
        #expect(calls == [])
        let (nested, nestedCalls) = try failure(json, MappingOptions(updatesNestedInPlace: true))
        #expect(nested.syntaxError?.offset == offset)
        #expect(nestedCalls == [])
    }

    @Test("A syntax error after the object at a path is found before anything is stored")
    func syntaxAtPath() throws {
        let thing = Thing()
        #expect(throws: ModelError.self) {
            try thing.update(json: #"{"data": {"first": "new"}, "more": [}"#, at: "data")
        }
        #expect(thing.first == "first" && thing.calls == [])
    }

    @Test("A wrong root type, a missing path and an exceeded limit leave the object unchanged")
    func roots() throws {
        #expect(
            try failure("[]").error.lines == [
                "Thing at $ (line 1, column 1): expected an object for Thing, found an array."
            ])
        #expect(
            try failure("null").error.lines == [
                "Thing at $ (line 1, column 1): expected an object for Thing, found null."
            ])
        let thing = Thing()
        #expect(
            Thrown.lines {
                try thing.update(json: #"{"first": "new"}"#, at: ["data", 0])
            } == [
                "Thing at $.data[0] (line 1, column 1): expected a value, found no such key or index."
            ])
        #expect(
            Thrown.error {
                try thing.update(json: #"{"first": "new", "x": [[[]]]}"#, options: MappingOptions(depth: 3))
            }?.syntaxError?.offset == 24)
        #expect(
            Thrown.error {
                try thing.update(json: #"{"first": "new"}"#, options: MappingOptions(bytes: 10))
            }?.syntaxError?.offset == 10)
        #expect(thing.first == "first" && thing.calls == [])
    }

    @Test("An invalid nested class throws invalidModel, and nothing is stored")
    func invalidNested() throws {
        let (error, calls) = try failure(#"{"first": "new", "faulty": {"id": 2}, "last": "new"}"#)
        #expect(
            error.description
                == #"Faulty cannot be mapped: requiredProperties names "ident", which is not a stored property of Faulty."#
        )
        #expect(calls == [])
    }

    @Test("Updating an object of an invalid class throws invalidModel")
    func invalid() throws {
        let faulty = Faulty()
        #expect(Thrown.error { try faulty.update(json: #"{"id": 2}"#) }?.modelFault?.property == "ident")
        #expect(faulty.id == 1)
    }

    @Test("An invalid dictionary value leaves the object unchanged")
    func dictionary() throws {
        let thing = Thing()
        #expect(
            Thrown.lines {
                try thing.update(dictionary: ["first": "new", "table": ["a": Double.nan]])
            } == ["Thing at $.table.a: expected a finite number, found nan of type Double."])
        #expect(thing.first == "first")
        #expect(
            Thrown.lines {
                try thing.update(dictionary: ["first": "new", "hooked": "x"])
            } == [#"Thing.hooked at $.hooked: expected an integer, found the string "x"."#])
        #expect(thing.first == "first")
    }
}
