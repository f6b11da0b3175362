import Foundation
import ModelMirror
import Testing

private struct UpdateRefusal: Error, CustomStringConvertible {
    var description: String { "no" }
}

private class Owner: AbstractModel {
    var id = 1
    var name: String? = "old"
    var city: City? = City()
    var mapped = 0

    override class var ignoredProperties: Set<String> { ["mapped"] }
    override class var requiredProperties: Set<String> { ["id"] }

    override func didMap() throws {
        mapped += 1
        if name == "thirteen" { throw UpdateRefusal() }
    }
}

private class City: AbstractModel {
    var name = "Paris"
    var size = 1
}

private struct OwnerConverter: Converter {
    func value(from json: JSONValue) throws -> Owner {
        let owner = Owner()
        owner.name = json.object?["n"]?.string
        return owner
    }

    func json(from value: Owner) throws -> JSONValue { ["n": .string(value.name ?? "")] }
}

private class Own: AbstractModel, JSONConvertible {
    var text = ""

    required init() {}
    required init(json: JSONValue) throws {
        super.init()
        text = json.object?["t"]?.string ?? "none"
    }
    func json() throws -> JSONValue { ["t": .string(text)] }
}

private class Animal: AbstractModel, DynamicTypeModel {
    var name = "old"
    var type: String?

    class var typeNameProperty: String { "type" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["dog": Dog.self, "cat": Cat.self] }
}

private class Dog: Animal { var barks = true }
private class Cat: Animal { var lives = 9 }

private class Repo: AbstractModel {
    var first = 1
    var owner: Owner? = Owner()
    var plain = Owner()
    var none: Owner?
    var list = [Owner()]
    var table = ["a": Owner()]
    var converted: Owner? = Owner()
    var own: Own? = Own()
    var embedded: Owner? = Owner()
    var pet: Animal? = Dog()
    var last = 1

    override class var propertyConverters: [String: any Converter] {
        ["converted": OwnerConverter(), "embedded": .embeddedJSON]
    }
}

private class Merging: AbstractModel {
    var owner: Owner? = Owner()

    override class var mappingOptions: MappingOptions { MappingOptions(updatesNestedInPlace: true) }
}

@Suite("Updating nested models in place")
struct UpdateInPlaceTests {
    private let inPlace = MappingOptions(updatesNestedInPlace: true)

    @Test("Nested objects are kept, and members present in the JSON are updated")
    func merged() throws {
        let repo = Repo()
        let (owner, plain, city) = (repo.owner, repo.plain, repo.owner?.city)
        try repo.update(
            json: #"{"owner": {"name": "new", "city": {"size": 2}}, "plain": {"name": null}}"#, options: inPlace)
        #expect(repo.owner === owner && repo.plain === plain && repo.owner?.city === city)
        #expect(owner?.id == 1 && owner?.name == "new" && city?.name == "Paris" && city?.size == 2 && plain.name == nil)
    }

    @Test("The class's updatesNestedInPlace applies unless the call overrides it")
    func options() throws {
        let object = Merging()
        let owner = object.owner
        try object.update(json: #"{"owner": {"name": "new"}}"#)
        #expect(object.owner === owner && owner?.name == "new")
        try object.update(json: #"{"owner": {"id": 2}}"#, options: MappingOptions(updatesNestedInPlace: false))
        #expect(object.owner !== owner && object.owner?.name == "old")
    }

    @Test("Missing keys of nested objects, even required ones, are not reported")
    func missing() throws {
        let repo = Repo()
        let report = try repo.update(json: #"{"owner": {"city": {}}, "plain": {}}"#, options: inPlace)
        #expect(report.lines == [])
    }

    @Test("A nil property gets a new object, null clears it, and collections are replaced")
    func others() throws {
        let repo = Repo()
        let (first, second) = (repo.list[0], repo.table["a"])
        try repo.update(
            json: #"{"none": {"id": 7}, "owner": null, "list": [{"id": 8}], "table": {"a": {"id": 9}}}"#,
            options: inPlace)
        #expect(repo.none?.id == 7 && repo.owner == nil)
        #expect(
            repo.list[0] !== first && repo.list[0].id == 8 && repo.table["a"] !== second && repo.table["a"]?.id == 9)
        // New objects follow the rules of mapping.
        #expect(throws: ModelError.self) {
            try Repo().update(json: #"{"none": {}}"#, options: .init(strict: true, updatesNestedInPlace: true))
        }
    }

    @Test("A value read by a converter or the model's own conversion replaces the object")
    func converters() throws {
        let repo = Repo()
        let (converted, own, embedded) = (repo.converted, repo.own, repo.embedded)
        try repo.update(
            json:
                #"{"converted": {"n": "conv", "name": "raw"}, "own": {"t": "own", "text": "raw"}, "embedded": "{\"id\": 5}"}"#,
            options: inPlace)
        #expect(repo.converted !== converted && repo.converted?.name == "conv" && converted?.name == "old")
        #expect(repo.own !== own && repo.own?.text == "own" && own?.text == "")
        #expect(repo.embedded !== embedded && repo.embedded?.id == 5)
    }

    @Test("An object whose type name selects another class replaces the existing object")
    func dynamicTypes() throws {
        let repo = Repo()
        let dog = repo.pet
        try repo.update(json: #"{"pet": {"name": "Rex", "barks": false}}"#, options: inPlace)
        #expect(repo.pet === dog && (dog as? Dog)?.barks == false && dog?.name == "Rex")
        try repo.update(json: #"{"pet": {"name": "Max", "type": "dog"}}"#, options: inPlace)
        #expect(repo.pet === dog && dog?.name == "Max" && dog?.type == "dog")
        try repo.update(json: #"{"pet": {"lives": 7, "type": "cat"}}"#, options: inPlace)
        let cat = repo.pet
        #expect(cat !== dog && (cat as? Cat)?.lives == 7 && cat?.name == "old" && dog?.name == "Max")
        try repo.update(json: #"{"pet": {"name": "U", "type": "unicorn"}}"#, options: inPlace)
        let unicorn = repo.pet
        #expect(unicorn !== cat && unicorn.map { type(of: $0) == Animal.self } == true)
        try repo.update(json: #"{"pet": {"name": "V", "type": "unicorn"}}"#, options: inPlace)
        #expect(repo.pet === unicorn && unicorn?.name == "V")
    }

    @Test("didMap is called once for each updated object")
    func didMap() throws {
        let repo = Repo()
        try repo.update(json: #"{"owner": {"id": 2}, "plain": {}}"#, options: inPlace)
        #expect(repo.owner?.mapped == 1 && repo.plain.mapped == 1 && repo.list[0].mapped == 0)
    }

    @Test(
        "A failing update leaves the object and its nested objects unchanged",
        arguments: [
            (
                #"{"first": 2, "owner": {"name": "new", "city": {"name": "new"}}, "plain": {"name": "thirteen"}, "last": 2}"#,
                "Owner at $.plain (line 1, column 74): expected an object that didMap accepts, found an object: no."
            ),
            (
                #"{"first": 2, "owner": {"name": "new", "city": {"name": "new"}}, "plain": null, "last": "x"}"#,
                nil
            ),
            (
                #"{"first": 2, "owner": {"name": "new", "city": {"name": "new", "size": "x"}}, "last": 2}"#,
                nil
            ),
        ] as [(String, String?)])
    func allOrNothing(json: String, message: String?) throws {
        let repo = Repo()
        let before = try repo.jsonData(options: .nulls)
        let (owner, city) = (repo.owner, repo.owner?.city)
        let strict = message == nil
        let error = try #require(throws: ModelError.self) {
            try repo.update(json: json, options: MappingOptions(strict: strict, updatesNestedInPlace: true))
        }
        if let message { #expect(error.lines == [message]) }
        #expect(try repo.jsonData(options: .nulls) == before)
        #expect(repo.owner === owner && repo.owner?.city === city)
    }

    @Test("A nested object with failures is not updated, while the outer object is")
    func lenientFailure() throws {
        let repo = Repo()
        let report = try repo.update(
            json: #"{"first": 2, "owner": {"name": "new", "id": null, "city": {"size": 2}}, "last": 2}"#,
            options: inPlace)
        #expect(repo.first == 2 && repo.last == 2)
        #expect(
            repo.owner?.name == "old" && repo.owner?.id == 1 && repo.owner?.city?.size == 1 && repo.owner?.mapped == 0)
        #expect(
            report.lines == [
                "fallback: Repo.owner at $.owner (line 1, column 23): expected an object for Owner, found an object with failures.",
                "fallback: Owner.id at $.owner.id (line 1, column 45): expected an integer, found null.",
            ])
    }

    @Test("The report names the class and path of the nested object")
    func report() throws {
        let report = try Repo().update(
            json: #"{"owner": {"name": 5, "city": {"size": "3", "x": 1}}}"#, options: inPlace)
        #expect(
            report.lines == [
                "fallback: Owner.name at $.owner.name (line 1, column 20): expected a string, found the number 5.",
                #"coerced: City.size at $.owner.city.size (line 1, column 40): expected an integer, found the string "3"."#,
                #"unknownKey: City at $.owner.city.x (line 1, column 50): expected a key of City, found the key "x"."#,
            ])
    }

    @Test("The last of duplicate keys decides whether the object is updated or cleared")
    func duplicates() throws {
        let repo = Repo()
        let owner = repo.owner
        try repo.update(json: #"{"owner": null, "owner": {"name": "new"}}"#, options: inPlace)
        #expect(repo.owner === owner && owner?.name == "new")
        try repo.update(json: #"{"owner": {"name": "first"}, "owner": null}"#, options: inPlace)
        #expect(repo.owner == nil)
        #expect(owner?.name == "new")
    }

    @Test("Only the last of two duplicates updates the object, and didMap is called once")
    func duplicatesThatMerge() throws {
        let repo = Repo()
        let owner = repo.owner
        try repo.update(
            json: #"{"owner": {"id": 2, "city": {"size": 2}}, "plain": {"id": 3}, "owner": {"name": "new"}}"#,
            options: inPlace)
        #expect(repo.owner === owner && owner?.id == 1 && owner?.name == "new" && owner?.city?.size == 1)
        #expect(owner?.mapped == 1 && repo.plain.id == 3)
        try repo.update(json: #"{"owner": {"id": 2}, "owner": {"id": "x"}}"#, options: inPlace)
        #expect(owner?.id == 2)
        try repo.update(json: #"{"plain": {"id": 4}, "plain": {"id": 5, "city": {"size": 6}}}"#, options: inPlace)
        #expect(repo.plain.id == 5 && repo.plain.city?.size == 6)
    }

    @Test("A null in a replaced duplicate changes nothing")
    func replacedNull() throws {
        let repo = Repo()
        let owner = try #require(repo.owner)
        try repo.update(json: #"{"owner": {"name": null}, "owner": {"id": 2}}"#, options: inPlace)
        #expect(owner.id == 2 && owner.name == "old")
        let nulls = #""owner": {"name": null}, "owner": {"name": null, "id": 3}"#
        #expect(throws: ModelError.self) {
            try repo.update(json: #"{\#(nulls), "plain": {"name": "thirteen"}}"#, options: inPlace)
        }
        #expect(owner.id == 2 && owner.name == "old")
        try repo.update(json: "{\(nulls)}", options: inPlace)
        #expect(owner.id == 3 && owner.name == nil)
    }

    @Test("In a new object, the last of two duplicates updates the declared default")
    func duplicatesThatFill() throws {
        let repo = try Repo(
            json: ##"""
                {"owner": {"id": 2, "name": "first"}, "table": {"a": {"id": 2, "name": "first"}},
                "owner": {"id": 3}, "table": {"a": {"id": 3}}}
                """##,
            options: inPlace)
        #expect(repo.owner?.id == 3 && repo.owner?.name == "old")
        #expect(repo.table["a"]?.id == 3 && repo.table["a"]?.name == "old")
    }

    @Test("Duplicate keys of a dictionary are reported when its models are updated in place")
    func duplicateMembers() throws {
        let repo = Repo()
        let json = #"{"table": {"a": {"id": 2, "name": "first"}, "a": {"id": 3}}}"#
        let report = try repo.update(json: json, options: inPlace)
        #expect(
            report.entries.map(\.description) == [
                "skipped: Repo.table at $.table.a (line 1, column 50): expected each key once, found the key "
                    + #""a" again; the last value that fits is used."#
            ])
        #expect(repo.table["a"]?.id == 3 && repo.table["a"]?.name == "old")
        let strict = MappingOptions(strict: true, updatesNestedInPlace: true)
        #expect(throws: ModelError.self) { try Repo().update(json: json, options: strict) }
    }

    @Test("An invalid dictionary member is reported as skipped, in place or not", arguments: [true, false])
    func refusedMember(isInPlace: Bool) throws {
        let repo = Repo()
        let report = try repo.update(
            json: #"{"table": {"a": {"id": "x"}, "b": {"id": 2}}}"#,
            options: MappingOptions(updatesNestedInPlace: isInPlace))
        #expect(
            report.entries.filter { $0.kind != .missing }.map(\.description) == [
                "skipped: Repo.table at $.table.a (line 1, column 17): expected an object for Owner, found an object with "
                    + "failures.",
                #"fallback: Owner.id at $.table.a.id (line 1, column 24): expected an integer, found the string "x"."#,
            ])
        #expect(repo.table.mapValues(\.id) == ["a": 1, "b": 2])
    }
}
