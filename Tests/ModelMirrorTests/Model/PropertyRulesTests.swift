import Foundation
import ModelMirrorTesting
import Testing

@testable import ModelMirror

private enum Plan: String { case free, pro, gold }

private class Person: AbstractModel {
    var age = 20
    var name: String? = "a"
    var zip = "12345"
    var tags: [String] = []
    var kind = "a"
    var even = 0
    var ratio = 0.5
    var when = Date(timeIntervalSince1970: 0)
    var sizes: [String: Int] = [:]
    var plan: Plan = .free
    var unique: [Int] = []
    var mail: String?
    var marks: Set<Int> = []
    var friend: Person?
    var other = 0

    override class var propertyKeys: [String: PropertyKey] { ["zip": .path("address", "zip")] }
    override class var propertyRules: [String: any PropertyRule] {
        [
            "age": .inRange(0...150), "name": .all(.notEmpty, .count(...3)),
            "zip": .matches(/[0-9]{5}/, as: "five digits"), "tags": .each(.count(1...2)), "kind": .oneOf(["a", "b"]),
            "even": .check("an even number", code: "even") { (number: Int) in number % 2 == 0 },
            "ratio": .all(.above(0), .below(2), .multiple(of: 0.1)),
            "when": .inRange(Date(timeIntervalSince1970: 0)...),
            "sizes": .all(.count(...2), .keys(.matches(/[a-z]+/, as: "small letters")), .each(.inRange(1...))),
            "plan": .oneOf([Plan.free, .pro]), "unique": .unique, "mail": .format(.email), "marks": .each(.below(9)),
        ]
    }
}

private class Mark: AbstractModel, ModelHashable {
    var count = 0
    override class var propertyRules: [String: any PropertyRule] { ["count": .inRange(1...)] }
}

private class Marked: AbstractModel { var marks: Set<Mark> = [Mark()] }

private class Company: AbstractModel {
    var staff: [Person] = []
    override class var propertyRules: [String: any PropertyRule] { ["staff": .unique] }
}

private enum Level: Int { case low, high }

private class Levels: AbstractModel {
    var counts: [Level: Int] = [:]
    override class var propertyRules: [String: any PropertyRule] {
        ["counts": .all(.keys(.matches(/[0-9]/, as: "a digit")), .each(.inRange(1...)))]
    }
}

private class Wrong: AbstractModel {
    var age = ""
    override class var propertyRules: [String: any PropertyRule] { ["age": .inRange(0...150)] }
}

private class UniqueMembers: AbstractModel {
    var ages: [String: Int] = [:]
    override class var propertyRules: [String: any PropertyRule] { ["ages": .unique] }
}

private class EachByte: AbstractModel {
    var photo: Data?
    override class var propertyRules: [String: any PropertyRule] { ["photo": .each(.inRange(1...9))] }
}

private class WrongNotNil: AbstractModel {
    var age: Int?
    override class var propertyRules: [String: any PropertyRule] { ["age": .notNil] }
}

private class OfZero: AbstractModel {
    var age = 0
    override class var propertyRules: [String: any PropertyRule] { ["age": .multiple(of: 0)] }
}

private class OfNone: AbstractModel {
    var age = 0
    override class var propertyRules: [String: any PropertyRule] { ["age": .all(.inRange(0...), .oneOf([Int]()))] }
}

private class Uncountable: AbstractModel {
    var tags: [String] = []
    override class var propertyRules: [String: any PropertyRule] { ["tags": .each(.count(-3))] }
}

private class Keeping: AbstractModel {
    var rest: [String: JSONValue] = [:]
    override class var unknownKeysProperty: String? { "rest" }
    override class var propertyRules: [String: any PropertyRule] { ["rest": .count(...3)] }
}

private class Home: AbstractModel { var city = "" }

private class Family: AbstractModel {
    var name = ""
    var child: Person?
    var home: Home?
    override class var flattenedProperties: Set<String> { ["home"] }
    override class var propertyRules: [String: any PropertyRule] {
        [
            "child": .check("an adult") { (child: Person) in child.age >= 18 },
            "home": .check("a home with a city") { (home: Home) in !home.city.isEmpty },
        ]
    }
}

private class Misnamed: AbstractModel {
    var age = 0
    override class var propertyRules: [String: any PropertyRule] { ["agee": .inRange(0...150)] }
}

private class Defaulted: AbstractModel {
    var count = 0
    override class var propertyRules: [String: any PropertyRule] { ["count": .inRange(1...)] }
}

private class Basket: AbstractModel {
    var lines: [Defaulted] = []
    var tags: [String] = []
    override class var propertyRules: [String: any PropertyRule] {
        ["lines": .count(2...), "tags": .all(.unique, .count(...3), .each(.count(1...3)))]
    }
}

private class Numeric: AbstractModel {
    var double = 1.0
    var small: Int8 = 1
    var decimal = Decimal(1)
    var optional: Float?
    override class var propertyRules: [String: any PropertyRule] {
        [
            "double": .inRange(0...150), "small": .inRange(0...150), "decimal": .inRange(0...150),
            "optional": .oneOf([1, 2]),
        ]
    }
}

private class Hooked: AbstractModel {
    var first: Int? = 1
    var second = 1
    nonisolated(unsafe) static var asked: [String] = []
    override class var propertyRules: [String: any PropertyRule] {
        ["first": .inRange(0...5), "second": .inRange(0...5)]
    }
    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        if property == "first" { second = 100 }
        return false
    }
    override func validateModel(_ validation: inout ModelValidation) {
        if second == 3 { validation.fail(expected: "another second") }
    }
}

@Suite("Property rules")
struct PropertyRulesTests {
    private func failures(_ map: () throws -> Void) -> [String] {
        do { try map() } catch let error as ModelError {
            guard case .invalidValues(let failures) = error else { return ["\(error)"] }
            return failures.map { "\($0.pointer) \($0.code.rawValue): \($0.expected)" }
        } catch { return ["\(error)"] }
        return []
    }

    @Test("An array is too short if elements were dropped, but not if they are failures themselves")
    func failedElements() {
        let json = #"{"lines": [{"count": 0}, {"count": 1}]}"#
        #expect(
            failures { _ = try Basket(json: json, options: .strict) } == [
                "/lines/0/count minimum: an integer from 1 on"
            ])
        #expect(
            failures { _ = try Basket(json: json) }.filter { !$0.hasPrefix("/lines/") }
                == ["/lines minItems: an array of at least 2 elements"])
        // Another rule than one of the size is checked in either case.
        #expect(
            failures { _ = try Basket(json: #"{"lines": [{}, {}], "tags": ["a", {}, "a"]}"#, options: .strict) } == [
                "/tags uniqueItems: each element once", "/tags/1 type: a string",
            ])
    }

    @Test("Of several rules, the first broken one for each part of a value is reported")
    func severalRules() {
        #expect(
            failures { _ = try Basket(json: #"{"lines": [{}, {}], "tags": ["a", "b", "a", "long"]}"#) } == [
                "/tags uniqueItems: each element once", "/tags/3 maxLength: a string of 1 to 3 characters",
            ])
    }

    @Test(
        "A broken rule is a failure with code, path and expectation",
        arguments: [
            (#"{"age": 151}"#, ["/age maximum: an integer from 0 to 150"]),
            (#"{"age": -1}"#, ["/age minimum: an integer from 0 to 150"]),
            (#"{"name": ""}"#, ["/name minLength: a string that is not empty"]),
            (#"{"name": "abcd"}"#, ["/name maxLength: a string of at most 3 characters"]),
            (#"{"name": null}"#, []),
            (#"{"address": {"zip": "1234"}}"#, ["/address/zip pattern: five digits"]),
            (
                #"{"tags": ["a", "", "abc"]}"#,
                [
                    "/tags/1 minLength: a string of 1 to 2 characters",
                    "/tags/2 maxLength: a string of 1 to 2 characters",
                ]
            ),
            (#"{"kind": "c"}"#, [#"/kind enum: one of "a", "b""#]),
            (#"{"even": 3}"#, ["/even even: an even number"]),
            (#"{"ratio": 0}"#, ["/ratio exclusiveMinimum: a number above 0"]),
            (#"{"ratio": 2}"#, ["/ratio exclusiveMaximum: a number below 2"]),
            (#"{"ratio": 0.25}"#, ["/ratio multipleOf: a multiple of 0.1"]),
            (#"{"ratio": 0.3}"#, []),
            (#"{"when": "1960-01-01T00:00:00Z"}"#, ["/when minimum: a date from 1970-01-01T00:00:00Z on"]),
            (
                #"{"sizes": {"a": 0, "B": 1}}"#,
                ["/sizes/a minimum: an integer from 1 on", "/sizes/B propertyNames: a key that is small letters"]
            ),
            (#"{"sizes": {"a": 0, "b": 1}}"#, ["/sizes/a minimum: an integer from 1 on"]),
            (#"{"sizes": {"a": 1, "b": 1, "c": 1}}"#, ["/sizes maxProperties: an object of at most 2 members"]),
            (#"{"plan": "gold"}"#, [#"/plan enum: one of "free", "pro""#]),
            (#"{"unique": [1, 2, 1]}"#, ["/unique uniqueItems: each element once"]),
            (#"{"mail": "x"}"#, ["/mail pattern: an e-mail address"]),
            (
                #"{"marks": [1, 9, {}, 2, 9, 10]}"#,
                [
                    "/marks/1 exclusiveMaximum: an integer below 9", "/marks/5 exclusiveMaximum: an integer below 9",
                ]
            ),
            (
                #"{"age": 151, "other": {}, "kind": "c"}"#,
                ["/age maximum: an integer from 0 to 150", #"/kind enum: one of "a", "b""#]
            ),
            // The last value that fits counts.
            (#"{"age": 5, "age": 200}"#, ["/age maximum: an integer from 0 to 150"]),
            (#"{"age": 200, "age": {}}"#, ["/age maximum: an integer from 0 to 150"]),
            // The indices are those of the document.
            (#"{"tags": [1, "a", [], "abc"]}"#, ["/tags/3 maxLength: a string of 1 to 2 characters"]),
        ])
    func broken(_ json: String, _ expected: [String]) {
        #expect(failures { _ = try Person(json: json) } == expected)
    }

    @Test("Keys of a dictionary are checked and named as they are written")
    func rawKeys() throws {
        let levels = try Levels(json: #"{"counts": {"0": 1}}"#)
        #expect(levels.counts == [.low: 1])
        let expected = ["/counts/1 minimum: an integer from 1 on"]
        #expect(failures { _ = try Levels(json: #"{"counts": {"1": 0}}"#) } == expected)
        levels.counts = [.high: 0]
        #expect(failures { try levels.validate() } == expected)
    }

    @Test("A rule is not applied to a replaced duplicate or an invalid value")
    func last() throws {
        #expect(try Person(json: #"{"age": 200, "age": 5}"#).age == 5)
        #expect(try Person(json: #"{"age": "x"}"#).age == 20)
    }

    @Test(
        "Elements skipped in nested arrays or rejected alternatives change no other index",
        arguments: [
            (#"{"pens": [[{"type": "?"}, {"type": "kind"}], [], {}, [{"type": "?"}]]}"#, ["/pens/1", "/pens/3"]),
            (#"{"numbers": ["1", "9"]}"#, ["/numbers/1"]),
        ])
    func indices(_ json: String, _ expected: [String]) {
        let places = failures { _ = try Zoo(json: json) }.map { String($0.prefix { $0 != " " }) }
        #expect(places == expected)
    }

    @Test("A broken rule makes a nested object an invalid value of the object around it")
    func nested() throws {
        let (person, report) = try Person.mapReporting(json: #"{"friend": {"age": 151}}"#)
        #expect(person.friend == nil)
        #expect(report.entries.contains { $0.code == .maximum && $0.pointer == "/friend/age" })
        #expect(
            failures { _ = try Person(json: #"{"friend": {"age": 151}}"#, options: .strict) } == [
                "/friend/age maximum: an integer from 0 to 150"
            ])
    }

    @Test("Updates apply rules to the new values, and store nothing if one is broken")
    func updates() throws {
        let person = try Person(json: #"{"age": 5, "tags": ["a"]}"#)
        #expect(
            failures { try person.update(json: #"{"kind": "b", "age": 151}"#) } == [
                "/age maximum: an integer from 0 to 150"
            ])
        #expect(person.kind == "a" && person.age == 5)
        try person.update(json: #"{"kind": "b", "age": 7}"#)
        #expect(person.kind == "b" && person.age == 7)
        #expect(
            failures { try person.merge(patch: #"{"sizes": {"a": 0}}"#) } == ["/sizes/a minimum: an integer from 1 on"])
        #expect(
            failures { try person.assign(rawValue: 151, toProperty: "age") } == [" maximum: an integer from 0 to 150"])
        #expect(person.sizes == [:])
    }

    @Test("Updates apply rules to the new members of a dictionary, and not to those that it keeps")
    func keptMembers() throws {
        let person = Person()
        let levels = Levels()
        (person.sizes, levels.counts) = (["A": 0], [.low: 0])
        try person.update(json: #"{"sizes": {"A": "x", "b": 1}}"#)
        #expect(person.sizes == ["A": 0, "b": 1])
        try person.merge(patch: #"{"sizes": {"b": 2}}"#)
        #expect(person.sizes == ["A": 0, "b": 2])
        try person.merge(patch: #"{"sizes": {}}"#)
        try levels.update(json: #"{"counts": {"+0": "x", "1": 1}}"#)
        #expect(levels.counts == [.low: 0, .high: 1])
        #expect(
            failures { try person.update(json: #"{"sizes": {"A": "x", "b": 0}}"#) } == [
                "/sizes/b minimum: an integer from 1 on"
            ])
        #expect(
            failures { try person.update(json: #"{"sizes": {"A": 5, "A": "x"}}"#) } == [
                "/sizes/A propertyNames: a key that is small letters"
            ])
        #expect(
            failures { try person.merge(patch: #"{"sizes": {"b": null, "A": 0}}"#) } == [
                "/sizes/A propertyNames: a key that is small letters"
            ])
        #expect(
            failures { try levels.update(json: #"{"counts": {"+0": 0}}"#) } == [
                "/counts/+0 minimum: an integer from 1 on"
            ])
        #expect(person.sizes == ["A": 0, "b": 2])
    }

    @Test("A rule is applied to a model updated in place after the update")
    func changedInPlace() throws {
        let family = try Family(json: #"{"child": {"age": 20}, "city": "Bonn", "name": "old"}"#)
        #expect(
            failures { try family.merge(patch: #"{"child": {"age": 5}, "city": "Ulm", "name": "new"}"#) } == [
                "/child rule: an adult"
            ])
        #expect(family.child?.age == 20 && family.home?.city == "Bonn" && family.name == "old")
        #expect(
            failures {
                try family.update(json: #"{"child": {"age": 6}}"#, options: MappingOptions(updatesNestedInPlace: true))
            } == ["/child rule: an adult"])
        #expect(failures { try family.update(json: #"{"city": ""}"#) } == [" rule: a home with a city"])
        #expect(family.child?.age == 20 && family.home?.city == "Bonn")
        family.child?.age = 3
        family.home?.city = ""
        try family.merge(patch: #"{"child": {"age": 18}, "city": "Ulm"}"#)
        #expect(family.child?.age == 18 && family.home?.city == "Ulm")
    }

    @Test("validate() applies rules to values set by code, in nested objects too")
    func validate() throws {
        let person = Person()
        try person.validate()
        person.zip = "x"
        person.friend = Person()
        person.friend?.tags = ["", "a"]
        person.friend?.friend = person
        #expect(
            failures { try person.validate() } == [
                "/address/zip pattern: five digits", "/friend/tags/0 minLength: a string of 1 to 2 characters",
            ])
    }

    @Test("validate() gives models in a set no index, since a set has no order")
    func validateSet() {
        #expect(failures { try Marked().validate() } == ["/marks/count minimum: an integer from 1 on"])
    }

    @Test("Models are unique by their properties")
    func uniqueModels() throws {
        #expect(try Company(json: #"{"staff": [{"age": 1}, {"age": 2}, null]}"#).staff.count == 2)
        #expect(
            failures { _ = try Company(json: #"{"staff": [{"age": 1}, {"age": 2}, {"age": 1}]}"#) }
                == ["/staff uniqueItems: each element once"])
    }

    @Test("A failure shows the key or the part that breaks a rule, and not the value around it")
    func found() throws {
        #expect(
            Thrown.text { try Person(json: #"{"sizes": {"B": 1}}"#) } == """
                Person.sizes at $.sizes.B (line 1, column 17): expected a key that is small letters, found the key "B".
                """)
        let person = Person()
        (person.sizes, person.marks) = (["a": 0, "B": 1], [1, 10])
        #expect(
            Thrown.text { try person.validate() } == """
                Person.sizes at $.sizes.B: expected a key that is small letters, found the key "B".
                Person.sizes at $.sizes.a: expected an integer from 1 on, found 0.
                Person.marks at $.marks: expected an integer below 9, found 10.
                """)
    }

    @Test("Rules call no hook, and are not applied to values that a hook assigned")
    func hooks() throws {
        let object = try Hooked(json: #"{"second": 2}"#)
        #expect(object.second == 100)
        #expect(
            failures { _ = try Hooked(json: #"{"second": 9, "first": 3}"#) } == [
                "/second maximum: an integer from 0 to 5"
            ])
        #expect(failures { _ = try Hooked(json: #"{"second": 3, "first": 1}"#) } == [" rule: another second"])
    }

    @Test("Numbers in a rule apply to every numeric property")
    func numeric() throws {
        _ = try Numeric(json: #"{"double": 150, "small": 100, "decimal": 150.0, "optional": 2}"#)
        #expect(
            failures { _ = try Numeric(json: #"{"double": 150.5, "small": -1, "decimal": 151, "optional": 3}"#) } == [
                "/double maximum: a number from 0 to 150", "/small minimum: an integer from 0 to 150",
                "/decimal maximum: a number from 0 to 150", "/optional enum: one of 1, 2",
            ])
    }

    @Test("Rules that do not fit their property make the class invalid")
    func mistakes() {
        let types: [AbstractModel.Type] = [
            Wrong.self, UniqueMembers.self, EachByte.self, WrongNotNil.self, OfZero.self, OfNone.self, Uncountable.self,
            Keeping.self,
        ]
        #expect(
            types.flatMap { type in failures { _ = try type.init(json: "{}") } } == [
                "Wrong cannot be mapped: propertyRules gives age a rule for Int, but the property is of type String; use a rule for that type, or .each for its elements.",
                "UniqueMembers cannot be mapped: propertyRules gives ages a rule for arrays, but the property is of type Dictionary<String, Int>; use a rule for that type, or .each for its elements.",
                "EachByte cannot be mapped: propertyRules gives photo a rule for arrays, sets and dictionaries, but the property is of type Data?; use a rule for that type, or .each for its elements.",
                "WrongNotNil cannot be mapped: propertyRules gives age .notNil, which is for require(_:_:_:) alone; list the property in requiredProperties.",
                "OfZero cannot be mapped: propertyRules gives age multiples of 0; use a number above 0.",
                "OfNone cannot be mapped: propertyRules gives age no values to choose from; list one or more.",
                "Uncountable cannot be mapped: propertyRules gives tags a count below 0; count from 0 on.",
                "Keeping cannot be mapped: propertyRules names rest, which takes unknown keys; check those in validateModel(_:).",
            ])
        #expect(failures { _ = try Misnamed(json: "{}") }.first?.contains(#"did you mean "age"?"#) == true)
        #expect(
            ModelCheck.check(Defaulted.self).map(\.description) == [
                "Defaulted has a mistake: the default of count, which stays where its key is missing, breaks its rule: expected an "
                    + "integer from 1 on."
            ])
        #expect(ModelCheck.check(Person.self) == [])
    }

    @Test("The schema has the rules, and comments for those it cannot express")
    func schema() throws {
        let properties = try Person.jsonSchema()["$defs"]["Person"]["properties"]
        #expect(
            properties["name"] == [
                "anyOf": [["type": "string"], ["type": "null"]], "allOf": [["minLength": 1], ["maxLength": 3]],
            ] || properties["name"]["minLength"] == 1)
        #expect(
            properties["address"]["anyOf"] != nil
                || properties["address"]["properties"]["zip"]["pattern"] == "^(?:[0-9]{5})$")
        #expect(properties["tags"]["allOf"] != nil || properties["tags"]["items"] != nil)
        for (path, expected) in [
            (["age", "allOf", 1], ["minimum": 0, "maximum": 150]), (["kind"], ["type": "string", "enum": ["a", "b"]]),
            (["even", "$comment"], "not described: an even number"),
            (["when", "$comment"], "not described: a date from 1970-01-01T00:00:00Z on"),
            (["unique", "uniqueItems"], true),
        ] as [(JSONPath, JSONValue)] {
            #expect(properties[path] == expected, "\(path)")
        }
    }

    @Test("An element of a set that a converter reads is shown as it was read, unless it is redacted")
    func convertedElements() {
        let error = #expect(throws: ModelError.self) { try Prices(json: #"{"cents": ["1", "12"], "pins": ["34"]}"#) }
        #expect(
            error?.description == """
                Prices.cents at $.cents (line 1, column 11): expected an integer from 0 to 10, found 12.
                Prices.pins at $.pins (line 1, column 32): expected an integer from 0 to 10, found a value, redacted.
                """)
    }

    @Test("A rule is applied to a value read from null, and not to a skipped one")
    func nullAndSkipped() throws {
        #expect(
            failures { _ = try Priced(json: #"{"price": null}"#) } == ["/price exclusiveMinimum: a number above 0"])
        #expect(try Priced(json: #"{"price": 2}"#).price == 2)
        let (priced, report) = try Priced.mapReporting(json: #"{"kind": {"type": "unknown"}}"#)
        #expect(priced.kind == nil && report.entries.map(\.kind) == [.missing, .skipped])
    }
}

private class Prices: AbstractModel {
    var cents: Set<Int> = []
    var pins: Set<Int> = []
    override class var redactedProperties: Set<String> { ["pins"] }
    override class var propertyConverters: [String: any Converter] {
        let text = AnyConverter<Int>.converting(String.self, { Int($0) }, back: { "\($0)" })
        return ["cents": text, "pins": text]
    }
    override class var propertyRules: [String: any PropertyRule] {
        ["cents": .each(.inRange(0...10)), "pins": .each(.inRange(0...10))]
    }
}

private class Kind: AbstractModel, DynamicTypeModel {
    static var typeNameProperty: String { "type" }
    static var dynamicTypes: [String: AbstractModel.Type] { ["kind": Kind.self] }
    static var dynamicTypeFallback: DynamicTypeFallback { .skip }
}

private class Zoo: AbstractModel {
    var pens: [[Kind]] = []
    var numbers: [Int] = []
    override class var propertyConverters: [String: any Converter] {
        let plain = AnyConverter<Int>.converting(Int.self, { $0 }, back: { $0 })
        let text = AnyConverter<Int>.converting(String.self, { Int($0) }, back: { "\($0)" })
        return ["numbers": AnyConverter<[Int]>.any([.array(of: plain), .array(of: text)])]
    }
    override class var propertyRules: [String: any PropertyRule] {
        ["pens": .each(.count(1...)), "numbers": .each(.inRange(...5))]
    }
}

private class Priced: AbstractModel {
    var price = 1.0
    var kind: Kind?
    override class var propertyConverters: [String: any Converter] {
        ["price": .converting(Double?.self, { $0 ?? 0 }, back: { $0 })]
    }
    override class var propertyRules: [String: any PropertyRule] {
        ["price": .above(0), "kind": .check("no kind") { (_: Kind) in false }]
    }
}
