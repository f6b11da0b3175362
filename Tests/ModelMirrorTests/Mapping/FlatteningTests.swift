import Foundation
import ModelMirror
import Testing

private class Address: AbstractModel {
    var street = "?"
    var city: String?
    var zip: Int!
    private(set) var hooks = 0

    override class var ignoredProperties: Set<String> { ["hooks"] }
    override class var propertyKeys: [String: PropertyKey] { ["city": .path("place", "city")] }
    override func didMap() throws { hooks += 1 }
}

private class Person: AbstractModel {
    var name = ""
    var address: Address?
    var age = 0

    override class var flattenedProperties: Set<String> { ["address"] }
}

private class Resident: Person {
    override class var requiredProperties: Set<String> { ["address"] }
}

private class Limited: Address {
    override class var propertyRules: [String: any PropertyRule] { ["zip": .inRange(1...99)] }
}

private class Household: AbstractModel {
    var address = Limited()
    var counts: [String: Int] = [:]

    override class var flattenedProperties: Set<String> { ["address", "counts"] }
}

private class Tenant: AbstractModel {
    var name = ""
    var address: Address?
    var counts: [String: Int] = [:]

    override class var flattenedProperties: Set<String> { ["address", "counts"] }
}

private class Crowded: AbstractModel {
    var id = 0
    var counts: [String: Int] = [:]

    override class var flattenedProperties: Set<String> { ["counts"] }
    override class var requiredProperties: Set<String> { ["counts"] }
}

private class Deep: AbstractModel {
    var person = Person()
    var id = 0

    override class var flattenedProperties: Set<String> { ["person"] }
}

private class Chosen: AbstractModel, DynamicTypeModel {
    var id = 0
    class func dynamicType(for json: JSONValue) -> AbstractModel.Type? { nil }
}

private class OfChosen: AbstractModel {
    var chosen: Chosen?
    override class var flattenedProperties: Set<String> { ["chosen"] }
}

private class Pathed: AbstractModel {
    var a = 0
    override class var propertyKeys: [String: PropertyKey] { ["a": .path("x", "a")] }
}

private class SharedPath: AbstractModel {
    var b = 0
    var pathed = Pathed()
    override class var propertyKeys: [String: PropertyKey] { ["b": .path("x", "b")] }
    override class var flattenedProperties: Set<String> { ["pathed"] }
    override class var sharedKeys: Set<String> { ["x"] }
}

private class Spelled: AbstractModel {
    var streetName = ""
    override class var keyStrategy: KeyStrategy { .flexible }
}

private class Around: AbstractModel {
    var spelled = Spelled()
    override class var flattenedProperties: Set<String> { ["spelled"] }
}

private class Loop: AbstractModel {
    var loop: Loop?
    override class var flattenedProperties: Set<String> { ["loop"] }
}

private class Ring: AbstractModel {
    var other: OtherRing?
    override class var flattenedProperties: Set<String> { ["other"] }
}

private class OtherRing: AbstractModel {
    var ring: Ring?
    override class var flattenedProperties: Set<String> { ["ring"] }
}

private class Numbered: AbstractModel { var id = 0 }

private class Both: AbstractModel {
    var id = 1
    var numbered = Numbered()
    override class var flattenedProperties: Set<String> { ["numbered"] }
}

private class Sharing: Both {
    override class var sharedKeys: Set<String> { ["id"] }
}

private class Keyed: Person {
    override class var propertyKeys: [String: PropertyKey] { ["address": "at"] }
}

private class Scalar: AbstractModel {
    var count = 0
    override class var flattenedProperties: Set<String> { ["count"] }
}

private class Misnamed: AbstractModel {
    var address: Address?
    override class var flattenedProperties: Set<String> { ["adress"] }
}

private class Taker: AbstractModel {
    var rest: [String: JSONValue] = [:]
    override class var unknownKeysProperty: String? { "rest" }
}

private class AroundTaker: AbstractModel {
    var taker: Taker?
    override class var flattenedProperties: Set<String> { ["taker"] }
}

private class TwoTakers: AbstractModel {
    var rest: [String: JSONValue] = [:]
    var numbers: [String: Int] = [:]
    override class var unknownKeysProperty: String? { "rest" }
    override class var flattenedProperties: Set<String> { ["numbers"] }
}

private class TwoRests: AbstractModel {
    var numbers: [String: Int] = [:]
    var texts: [String: String] = [:]
    override class var flattenedProperties: Set<String> { ["numbers", "texts"] }
}

private class Renamed: AbstractModel {
    var title = ""
    override class var propertyKeys: [String: PropertyKey] { ["title": .reading(["t"], writing: "headline")] }
}

private class WrittenOver: AbstractModel {
    var headline = ""
    var inner = Renamed()
    override class var flattenedProperties: Set<String> { ["inner"] }
}

private class Measured: AbstractModel { var number = 0.0 }

private class Hidden: AbstractModel {
    var inner = Measured()
    var rest: [String: Double] = [:]
    override class var flattenedProperties: Set<String> { ["inner", "rest"] }
    override class var redactedProperties: Set<String> { ["inner", "rest"] }
}

private class Secretive: AbstractModel {
    var name = ""
    var address: Address?
    override class var flattenedProperties: Set<String> { ["address"] }
    override class var redactedProperties: Set<String> { ["address"] }
}

private class Counted: AbstractModel {
    var counts: [String: Int]?
    override class var flattenedProperties: Set<String> { ["counts"] }
    override class var requiredProperties: Set<String> { ["counts"] }
}

@Suite("Flattened properties")
struct FlatteningTests {
    // MARK: Reading

    @Test("A flattened model is read from the members of the object around it")
    func reading() throws {
        let (person, report) = try Person.mapReporting(
            json: #"{"street": "Elm", "name": "Ada", "place": {"city": "Bonn"}, "zip": 5, "age": 3}"#)
        let address = try #require(person.address)
        #expect((person.name, person.age) == ("Ada", 3))
        #expect((address.street, address.city, address.zip, address.hooks) == ("Elm", "Bonn", 5, 1))
        #expect(report.entries.isEmpty, "\(report)")
    }

    @Test("A flattened Optional is nil if none of its keys is present")
    func noKey() throws {
        #expect(try Person(json: #"{"name": "Ada", "place": {"country": "DE"}}"#).address == nil)
        #expect(try Person(json: #"{"name": "Ada", "zip": null}"#).address != nil)
    }

    @Test("Only keys that neither the object nor its flattened models read are unknown")
    func unknownKeys() throws {
        let report = try Person.mapReporting(
            json: #"{"street": "Elm", "place": {"city": "Bonn", "x": 1}, "zip": 5, "y": 2}"#
        ).report
        #expect(report.entries.map(\.path.description) == ["$.name", "$.age", "$.place.x", "$.y"], "\(report)")
        let options = MappingOptions(unknownKeys: .failures)
        #expect(
            Thrown.error {
                try Person(json: #"{"street": "Elm", "zip": 5, "y": 2}"#, options: options)
            }?.valueFailures.map(\.path.description) == ["$.y"])
        #expect(throws: Never.self) { try Person(json: #"{"street": "Elm", "zip": 5}"#, options: options) }
    }

    @Test("Failures name the class of the flattened model and the members of the object around it")
    func failures() throws {
        let error = #expect(throws: ModelError.self) {
            try Person(json: #"{"name": 1, "street": 2, "place": {"city": 3}}"#, options: .strict)
        }
        let failures = try #require(error?.valueFailures)
        #expect(failures.map(\.path.description) == ["$.name", "$.street", "$.place.city"])
        #expect(failures.map(\.model) == ["Person", "Address", "Address"])
        // Lenient: the model keeps its defaults.
        #expect(try Person(json: #"{"street": 2, "zip": 1}"#).address?.street == "?")
    }

    @Test("A required flattened model needs one of its keys")
    func required() throws {
        let error = #expect(throws: ModelError.self) { try Resident(json: #"{"name": "Ada"}"#) }
        #expect((error?.valueFailures.map(\.property), error?.valueFailures.map(\.code)) == (["address"], ["required"]))
        #expect(try Resident(json: #"{"zip": 7}"#).address?.zip == 7)
    }

    @Test("The rules of the flattened class apply at its members")
    func rules() throws {
        let error = #expect(throws: ModelError.self) { try Household(json: #"{"zip": 100}"#, options: .strict) }
        #expect(error?.valueFailures.map(\.path.description) == ["$.zip"])
        #expect(error?.valueFailures.map(\.code) == ["maximum"])
    }

    @Test("A flattened dictionary gets the members that no other property reads")
    func rest() throws {
        let (home, report) = try Household.mapReporting(
            json: #"{"forks": 3, "street": "Elm", "zip": 5, "knives": 4, "broken": "x"}"#)
        #expect((home.counts, home.address.street) == (["forks": 3, "knives": 4], "Elm"))
        #expect(report.entries.map(\.path.description) == ["$.broken"], "\(report)")
        #expect(
            Thrown.error {
                try Household(json: #"{"forks": "x", "zip": 5}"#, options: .strict)
            }?.valueFailures.map(\.path.description) == ["$.forks"])
    }

    @Test("A flattened dictionary may be empty unless it is required")
    func emptyRest() throws {
        let json = #"{"street": "Elm", "place": {"city": "Bonn"}, "zip": 5}"#
        let (home, report) = try Household.mapReporting(json: json, options: .untrusted)
        #expect(home.counts == [:] && home.address.zip == 5)
        #expect(report.entries.isEmpty, "\(report)")
        #expect(throws: ModelError.self) { try Crowded(json: #"{"id": 1}"#) }
        #expect(try Crowded(json: #"{"id": 1, "forks": 2}"#).counts == ["forks": 2])
    }

    @Test("A flattened model can have flattened models")
    func levels() throws {
        let json = #"{"id":7,"name":"Ada","street":"Elm","zip":5,"age":3}"#
        let deep = try Deep(json: json, options: MappingOptions(strict: true, unknownKeys: .failures))
        #expect((deep.id, deep.person.name, deep.person.address?.street, deep.person.age) == (7, "Ada", "Elm", 3))
        #expect(
            try deep.jsonString() == #"{"name":"Ada","street":"Elm","zip":5,"age":3,"id":7}"#)
    }

    @Test("Keys are read in the spellings of the key strategy of the flattened class")
    func spellings() throws {
        let options = MappingOptions(unknownKeys: .failures)
        #expect(try Around(json: #"{"STREET_NAME": "Elm"}"#, options: options).spelled.streetName == "Elm")
    }

    // MARK: Updating, comparing, writing

    @Test("An update changes a flattened model in place")
    func update() throws {
        let person = try Person(json: #"{"name": "Ada", "street": "Elm", "zip": 5}"#)
        let address = try #require(person.address)
        try person.update(json: #"{"zip": 6}"#)
        #expect(person.address === address)
        #expect((address.street, address.zip) == ("Elm", 6))
        try person.update(json: #"{"name": "Eva"}"#)
        #expect((address.street, address.zip, address.hooks) == ("Elm", 6, 2))
        #expect(throws: ModelError.self) { try person.update(json: #"{"name": "Bob", "zip": "x"}"#, options: .strict) }
        #expect((person.name, address.zip) == ("Eva", 6))
        let other = try Person(json: #"{"name": "Cy"}"#)
        try other.update(json: #"{"street": "Oak"}"#)
        #expect(other.address?.street == "Oak")
    }

    @Test("An update adds to a flattened dictionary")
    func updateOfRest() throws {
        let home = try Household(json: #"{"forks": 3, "zip": 5}"#)
        try home.update(json: #"{"knives": 4, "forks": 1}"#)
        #expect(home.counts == ["forks": 1, "knives": 4])
        try home.update(json: #"{"zip": 6}"#)
        #expect((home.counts, home.address.zip) == (["forks": 1, "knives": 4], 6))
    }

    @Test("A merge patch changes members of a flattened model")
    func patch() throws {
        let person = try Person(json: #"{"name": "Ada", "street": "Elm", "zip": 5, "place": {"city": "Bonn"}}"#)
        try person.merge(patch: #"{"zip": 6, "place": {"city": null}}"#)
        #expect((person.address?.street, person.address?.zip, person.address?.city) == ("Elm", 6, nil))
    }

    @Test("Merge patches add, change and remove members of a flattened dictionary")
    func patchOfRest() throws {
        let home = try Household(json: #"{"forks": 3, "knives": 4, "zip": 5}"#)
        let older = try home.copy()
        home.counts = ["knives": 5, "spoons": 1]
        let patch = try home.mergePatch(since: older)
        #expect(patch == ["forks": nil, "knives": 5, "spoons": 1])
        try older.merge(patch: patch)
        #expect(older.isEqual(to: home))
        let taker = try Taker(json: #"{"a": {"x": 1, "y": 2}, "b": 1}"#)
        try taker.merge(patch: #"{"a": {"x": null}, "b": null}"#)
        #expect(taker.rest == ["a": ["y": 2]])
    }

    @Test("validate() reports members of a flattened model at their paths")
    func validate() throws {
        let home = try Household(json: #"{"zip": 5}"#)
        home.address.zip = 100
        #expect(Thrown.error { try home.validate() }?.valueFailures.map(\.path.description) == ["$.zip"])
    }

    @Test("A flattened model is written as members of the object around it")
    func writing() throws {
        let json = #"{"name":"Ada","street":"Elm","place":{"city":"Bonn"},"zip":5,"age":3}"#
        let person = try Person(json: json)
        #expect(try person.jsonString() == json)
        #expect(
            try person.jsonString(options: .sortedKeys)
                == #"{"age":3,"name":"Ada","place":{"city":"Bonn"},"street":"Elm","zip":5}"#)
        #expect(try Person(json: #"{"name":"Ada"}"#).jsonString() == #"{"name":"Ada","age":0}"#)
        let home = try Household(json: #"{"street":"Elm","zip":5,"knives":4,"forks":3}"#)
        #expect(try home.jsonString() == #"{"street":"Elm","zip":5,"forks":3,"knives":4}"#)
        let copy = try person.copy()
        #expect(copy.isEqual(to: person))
        #expect(copy.address !== person.address)
    }

    @Test("A member whose key belongs to another property is not written, even if that property has no value")
    func writesNoMemberOfAnother() throws {
        let tenant = Tenant()
        tenant.counts = ["street": 4, "name": 5, "forks": 3]
        #expect(try tenant.jsonString() == #"{"name":"","forks":3}"#)
        tenant.address = Address()
        #expect(try tenant.jsonString(options: .sortedKeys).contains(#""street":"?""#))
    }

    @Test("Both properties read a shared key, and the outer one writes it")
    func sharedKey() throws {
        let both = try Sharing(json: #"{"id": 4}"#, options: MappingOptions(unknownKeys: .failures))
        #expect((both.id, both.numbered.id) == (4, 4))
        both.numbered.id = 5
        #expect(try both.jsonString() == #"{"id":4}"#)
    }

    @Test("A cycle of flattened objects fails to be written")
    func cycle() throws {
        let node = RingNode()
        node.next = RingHolder()
        node.next?.node = node
        #expect(Thrown.error { try node.jsonString() }?.valueFailures.map(\.code) == ["cycle"])
    }

    // MARK: Describing

    @Test("The schema has the members of a flattened model as optional properties")
    func schema() throws {
        let schema = try Person.jsonSchema(options: MappingOptions(unknownKeys: .failures))
        let person = try #require(schema["$defs"]?["Person"])
        #expect(person["additionalProperties"] == false)
        #expect(
            Set(try #require(person["properties"]?.object).keys) == ["name", "age", "street", "place", "zip"])
        let condition = try #require(person["allOf"]?.array?.first?["anyOf"]?.array)
        #expect((condition.count, condition[1]) == (2, ["$ref": "#/$defs/Address"]))
        #expect(schema["$defs"]?["Address"]?["additionalProperties"] == nil)
        let rest = try #require(Household.jsonSchema()["$defs"]?["Household"])
        #expect(rest["additionalProperties"]?["type"] == "integer")
    }

    @Test("The failure of a redacted flattened model hides its values")
    func redacted() throws {
        let error = Thrown.error { try Secretive(json: #"{"name": "a", "street": 55501}"#, options: .strict) }
        #expect(error?.valueFailures.count == 1)
        #expect(!"\(error as Any)".contains("55501"))
    }

    @Test("A failure of writing a redacted flattened model hides keys and values")
    func redactedWriting() throws {
        let hidden = Hidden()
        hidden.inner.number = -.infinity
        hidden.rest = ["SECRET": .nan]
        let error = Thrown.error { try hidden.jsonString() }
        #expect(error?.valueFailures.count == 2)
        #expect(!"\(error as Any)".contains("inf"))
        #expect(!"\(error as Any)".contains("SECRET"))
    }

    // MARK: Invalid classes

    @Test(
        "A class whose properties cannot be flattened is invalid",
        arguments: [
            (Loop.self, "loop would be flattened into itself, without an end; leave one of its classes an object"),
            (Ring.self, "other would be flattened into itself, without an end; leave one of its classes an object"),
            (
                Both.self,
                "id and numbered both use the key \"id\" of one object; give one of them another key, or list this one in sharedKeys, so that both read it and id writes it"
            ),
            (
                OfChosen.self,
                "chosen cannot be flattened, since a function chooses the class of Chosen, whose keys must be known; list the classes in dynamicTypes, or leave it an object"
            ),
            (
                SharedPath.self,
                "sharedKeys has the key \"x\", through which a path of b leads; only whole members can be shared"
            ),
            (
                Keyed.self,
                "flattenedProperties names address, which propertyKeys gives a place of its own; leave it to one"
            ),
            (
                Scalar.self,
                "flattenedProperties names count of type Int; only a model and a dictionary with String keys have members"
            ),
            (
                Misnamed.self,
                "flattenedProperties names \"adress\", which is not a stored property of Misnamed (did you mean \"address\"?)"
            ),
            (
                AroundTaker.self,
                "rest of Taker takes unknown keys, which it cannot tell from those of AroundTaker; move it there"
            ),
            (
                TwoTakers.self,
                "numbers and the unknownKeysProperty would both keep the keys that no other property reads; remove one of them"
            ),
            (
                TwoRests.self,
                "numbers and texts would both keep the keys that no other property reads; remove one of them"
            ),
            (
                WrittenOver.self,
                "headline and inner both use the key \"headline\" of one object; give one of them another key, or list this one in sharedKeys, so that both read it and headline writes it"
            ),
        ] as [(AbstractModel.Type, String)])
    func refuses(_ model: AbstractModel.Type, _ reason: String) throws {
        #expect(try Refusal.sentence(of: model) == "\(model) cannot be mapped: \(reason).")
    }

    @Test("An update changes a redacted flattened model in place")
    func redactedUpdate() throws {
        let secretive = try Secretive(json: #"{"name": "a", "street": "Elm", "zip": 5}"#)
        let address = try #require(secretive.address)
        try secretive.update(json: #"{"zip": 6}"#)
        #expect(secretive.address === address)
        #expect((address.street, address.zip) == ("Elm", 6))
        try secretive.merge(patch: #"{"zip": 7}"#)
        #expect((secretive.address?.street, secretive.address?.zip) == ("Elm", 7))
        #expect(
            Thrown.error {
                try secretive.update(json: #"{"zip": "secret"}"#, options: .strict)
            }?.description.contains("a string, redacted") == true)
    }

    @Test("Strict writing refuses a required flattened dictionary that is nil")
    func requiredDictionary() throws {
        #expect(try Counted().jsonString() == "{}")
        #expect(
            Thrown.error { try Counted().jsonString(options: .strict) }?.description.contains("Counted.counts") == true)
    }
}

private class RingNode: AbstractModel {
    var next: RingBase?
    override class var flattenedProperties: Set<String> { ["next"] }
}

private class RingBase: AbstractModel {
    var name = ""
    var node: RingNode? {
        get { nil }
        set {}
    }
}

private class RingHolder: RingBase {
    var held: RingNode?
    override var node: RingNode? {
        get { held }
        set { held = newValue }
    }
    override class var flattenedProperties: Set<String> { ["held"] }
    override class var sharedKeys: Set<String> { ["name"] }
}
