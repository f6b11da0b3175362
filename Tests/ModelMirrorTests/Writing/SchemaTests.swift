import Foundation
import Testing

@testable import ModelMirror
@testable import ModelMirrorTesting

private enum Plan: String, CaseIterable { case free, pro }
private enum Level: Int, CaseIterable { case low = 1, high = 300 }

private class Pet: AbstractModel, DynamicTypeModel {
    var name = ""
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["cat": Cat.self, "dog": Dog.self] }
    class var dynamicTypeFallback: DynamicTypeFallback { .failure }
}
private final class Cat: Pet { var lives = 9 }
private final class Dog: Pet { var tricks: [String] = [] }

private class Shape: AbstractModel, DynamicTypeModel {
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["line": Line.self, "round": Round.self] }
    class var dynamicTypeFallback: DynamicTypeFallback { .failure }
}
private final class Line: Shape { var length = 0 }
/// Chooses again.
private class Round: Shape {
    override class var typeNameProperty: String { "sub" }
    override class var dynamicTypes: [String: AbstractModel.Type] { ["circle": Circle.self] }
}
private final class Circle: Round { var radius = 0 }
private final class Drawing: AbstractModel { var shape: Shape? }

private class Place: AbstractModel {
    var city = ""
    var zip: Int?
    override class var requiredProperties: Set<String> { ["city"] }
}

private final class Person: AbstractModel {
    var id = 0
    var name: String!
    var ratio: Double?
    var isActive = false
    var small: UInt8 = 0
    var price = Decimal()
    var born: Date?
    var site: URL?
    var key: UUID?
    var photo = Data()
    var plan = Plan.free
    var level: Level?
    var tags: Set<String> = []
    var scores: [String: [Int?]] = [:]
    var home: Place?
    var places: [Place] = []
    var friend: Person?
    var pet: Pet?
    var login: String?
    var title: String?
    var free: JSONValue = nil
    override class var propertyKeys: [String: PropertyKey] {
        ["login": .path("account", "login"), "title": ["title", "label"], "isActive": "is active"]
    }
    override class var requiredProperties: Set<String> { ["id", "name"] }
}

private final class Forked: AbstractModel {
    var forkee = ""
    override class var requiredProperties: Set<String> { ["forkee"] }
}
private final class Pushed: AbstractModel {
    var size = 0
    override class var requiredProperties: Set<String> { ["size"] }
}
private final class City: Place { var people = 0 }
private final class Feed: AbstractModel {
    var type = ""
    var payload: AbstractModel?
    var more: [AbstractModel] = []
    var place: Place?
    var pet: Pet?
    override class var propertyKeys: [String: PropertyKey] { ["place": .path("inner", "place")] }
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        let types: [String: AbstractModel.Type] = ["fork": Forked.self, "push": Pushed.self]
        return [
            "payload": DynamicPropertyTypes(named: "type", types, otherwise: .skip),
            "more": DynamicPropertyTypes(named: .path("meta", "kind"), types, otherwise: .failure),
            "place": DynamicPropertyTypes(named: "7", ["7": City.self]),
            "pet": DynamicPropertyTypes(named: "petType", ["pet": Pet.self]),
        ]
    }
}

private final class Flexible: AbstractModel {
    var imageURL = ""
    var size = 0
    var exactSize = JSONNumber(0)
    override class var keyStrategy: KeyStrategy { .flexible }
    override class var propertyKeys: [String: PropertyKey] { ["size": "byte_size", "exactSize": "byte_size"] }
    override class var readOnlyProperties: Set<String> { ["exactSize"] }
    override class var requiredProperties: Set<String> { ["imageURL", "size", "exactSize"] }
}

private final class Accented: AbstractModel {
    var composed = 0
    var decomposed = 0
    override class var propertyKeys: [String: PropertyKey] { ["composed": "\u{E9}", "decomposed": "e\u{301}"] }
    override class var requiredProperties: Set<String> { ["composed", "decomposed"] }
}

private final class Second: AbstractModel {
    var second = 0
    override class var propertyKeys: [String: PropertyKey] { ["second": .path("values", 1)] }
    override class var requiredProperties: Set<String> { ["second"] }
}

private final class FirstRuled: AbstractModel {
    var count = 7
    var name: String?
    var kind: String?
    override class var propertyKeys: [String: PropertyKey] {
        [
            "count": .firstFitting(["count", "total"]), "name": .firstFitting(["name", .path("other", "name")]),
            "kind": .firstFitting(["kind", "sort"]),
        ]
    }
    override class var propertyRules: [String: any PropertyRule] {
        ["count": .inRange(1...99), "name": .count(2...), "kind": .oneOf(["a", "b"])]
    }
}

private final class RestRuled: AbstractModel {
    var name = ""
    var place = Zip()
    var counts: [String: Int] = [:]
    override class var flattenedProperties: Set<String> { ["place", "counts"] }
    override class var propertyRules: [String: any PropertyRule] {
        ["counts": .all(.keys(.count(2...)), .each(.inRange(3...99)))]
    }
}
private final class Zip: AbstractModel { var zip = 0 }

private final class SizedRest: AbstractModel {
    var name = ""
    var rest: [String: String] = [:]
    override class var flattenedProperties: Set<String> { ["rest"] }
    override class var redactedProperties: Set<String> { ["rest"] }
    override class var propertyRules: [String: any PropertyRule] { ["rest": .count(...2)] }
}

private final class SpelledRest: AbstractModel {
    var fullName = ""
    var rest: [String: String] = [:]
    override class var keyStrategy: KeyStrategy { .flexible }
    override class var flattenedProperties: Set<String> { ["rest"] }
}

private enum Old { final class File: AbstractModel { var size = 0.0 } }
private enum New { final class File: AbstractModel { var size = "" } }
private final class Box<Value: AbstractModel>: AbstractModel { var value: Value? }
private final class Files: AbstractModel {
    var old: Old.File?
    var new: New.File?
    var oldBox: Box<Old.File>?
    var newBox: Box<New.File>?
}

private enum Side: String, CaseIterable { case left, right }

private final class Keyed: AbstractModel {
    var integers: [Int: Int] = [:]
    var sizes: [UInt8: Int] = [:]
    var prices: [Double: Int] = [:]
    var ids: [UUID: Int] = [:]
    var levels: [Level: Int] = [:]
    var sides: [Side: Int] = [:]
    var names: [String: Int] = [:]
}

private struct Seed: InitializableWithDictionary { init(dictionary: [String: Any]) throws {} }
private struct Window: Decodable { var from = 0 }
private struct Unknown {}
private final class Undescribed: AbstractModel {
    var seed: Seed?
    var window: Window?
    var own: Unknown?
    override func assign(undefinedValue value: Any?, forProperty property: String) throws {}
}

@Suite("JSON Schema of models")
struct SchemaTests {
    private static let document = #"""
        {"id": 7, "name": "n", "ratio": 0.5, "is active": true, "small": 200, "price": 0.1, "born": "2016-01-23T18:30:00Z",
         "site": "https://x.org/", "key": "0F9B1C3E-6A5D-4F0B-8C1D-2E3F4A5B6C7D", "photo": "QUJD", "plan": "pro", "level": 300,
         "tags": ["a"], "scores": {"a": [1, null]}, "home": {"city": "c", "zip": 1}, "places": [{"city": "d"}],
         "friend": {"id": 8, "name": "m", "pet": {"kind": "cat", "name": "Mia", "lives": 7}},
         "pet": {"kind": "dog", "name": "Rex", "tricks": ["sit"]}, "account": {"login": "l"}, "label": "t",
         "free": {"x": [1]}}
        """#

    @Test("The schema and strict mapping agree on more than 1,000 variants of a document")
    func asStrictMapping() throws {
        // The schema is that of strict mapping, whatever the strictness of its options.
        #expect(try Person.jsonSchema() == Person.jsonSchema(options: .strict))
        try expectSchema(of: Person.self, accepts: Self.document, true)
        let variants = try JSONValue(json: Self.document).variants
        #expect(variants.count > 1000)
        try expectSchema(of: Person.self, agreesOn: variants, moreThan: 100)
    }

    @Test("The schema of tagged payloads and strict mapping agree on all variants of a document")
    func tagged() throws {
        let json = """
            {"type": "fork", "payload": {"forkee": "a"}, "meta": {"kind": "push"}, "more": [{"size": 1}], "7": 7,
             "inner": {"place": {"city": "c", "people": 7}}, "petType": "pet", "pet": {"kind": "dog", "name": "Rex"}}
            """
        try expectSchema(of: Feed.self, accepts: json, true)
        let document = try JSONValue(json: json)
        var variants: [JSONValue] = []
        for name in ["fork", "push", "other"] as [JSONValue] {
            for kind in ["fork", "push", "other"] as [JSONValue] {
                let other = document.merging(patch: ["type": name, "meta": ["kind": kind]])
                variants += [other] + other.variants
                variants += ([7.0, "7", 8] as [JSONValue]).map { other.merging(patch: ["7": $0]) }
            }
        }
        #expect(variants.count > 1000)
        try expectSchema(of: Feed.self, agreesOn: variants, moreThan: 100)
    }

    @Test("The rule of a key that takes the first fitting value is about that value")
    func firstFitting() throws {
        let document = try JSONValue(
            json: #"{"count": 2, "total": 200, "name": "xy", "other": {"name": "xyz"}, "kind": "a", "sort": "b"}"#)
        try expectSchema(of: FirstRuled.self, agreesOn: document.variantsWithoutMembers, moreThan: 50)
    }

    @Test("The rules of members that no property takes are about those alone")
    func rest() throws {
        let document: JSONValue = ["name": "x", "zip": 3, "ab": 4, "cd": 7]
        try expectSchema(of: RestRuled.self, agreesOn: document.variantsWithoutMembers, moreThan: 50)
        let schema = try SizedRest.jsonSchema()["$defs"]["SizedRest"]
        #expect(schema["allOf"] == [["$comment": "not described: an object of at most 2 members"]])
        #expect(schema["additionalProperties"]?["format"] == "password")
        let spelled = try SpelledRest.jsonSchema()["$defs"]["SpelledRest"]
        #expect(
            spelled["$comment"]
                == "not described: keys that no property takes, in any spelling, must fit the rules for them")
        #expect(spelled["additionalProperties"] == nil)
    }

    @Test(
        "The schema of a class that chooses again is that of its subclasses",
        arguments: [
            (#"{"kind": "round", "sub": "circle", "radius": 3}"#, true),
            (#"{"kind": "round", "sub": "circle", "radius": "x"}"#, false),
            (#"{"kind": "round", "sub": "zzz"}"#, false), (#"{"kind": "round"}"#, false),
            (#"{"sub": "circle"}"#, false), (#"{"kind": "line", "length": 1}"#, true),
        ],
        [MappingOptions.strict, MappingOptions(strict: true, unknownKeys: .failures)])
    func choosingAgain(shape: (json: String, isMapped: Bool), options: MappingOptions) throws {
        try expectSchema(
            of: Drawing.self, accepts: #"{"shape": \#(shape.json)}"#, shape.isMapped, options: options)
    }

    @Test("The schema marks Seeds, Decodable and undefined types as not described")
    func undescribed() throws {
        let properties = try Undescribed.jsonSchema()["$defs"]["Undescribed"]["properties"]
        #expect(properties["seed"]?["anyOf"][0] == ["$comment": "not described: an object for Seed"])
        #expect(properties["window"]?["anyOf"][0] == ["$comment": "not described: a value that Window can decode"])
        #expect(properties["own"] == ["$comment": "not described: a value of type Unknown?"])
    }

    @Test(
        "No spelling of a flexible key is required, but the keys that the class lists are",
        arguments: [
            (#"{"image_url": "a", "byte_size": 1}"#, true), (#"{"imageURL": "a", "byte_size": 1}"#, true),
            (#"{"Image-Url": "a"}"#, false), (#"{"imageURL": 1, "byte_size": 1}"#, false),
            (#"{"imageURL": "a", "byteSize": 1}"#, false),
        ])
    func flexible(document: String, isMapped: Bool) throws {
        let schema = try Flexible.jsonSchema()
        try expectSchema(of: Flexible.self, accepts: document, isMapped)
        #expect(
            schema["$defs"]["Flexible"]["allOf"] == [
                ["$comment": "not described: a key for imageURL, in any spelling, is required"]
            ])
        #expect(schema["$defs"]["Flexible"]["required"] == ["byte_size"])
    }

    @Test("Keys that differ only in their bytes are both required")
    func equivalentKeys() throws {
        let required = try Accented.jsonSchema()["$defs"]["Accented"]["required"]?.array ?? []
        #expect(required.compactMap(\.string).map { Array($0.utf8) } == [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
    }

    @Test(
        "An array must be long enough for a required property in it",
        arguments: [
            (#"{"values": [1, 2]}"#, true), (#"{"values": [1, 2, 3]}"#, true), (#"{"values": [1]}"#, false),
            (#"{"values": []}"#, false), (#"{"values": {"1": 2}}"#, false), ("{}", false),
        ])
    func requiredElement(document: String, isMapped: Bool) throws {
        try expectSchema(of: Second.self, accepts: document, isMapped, options: MappingOptions())
    }

    @Test("The schema has types, nullability, formats, raw values and required keys")
    func exact() throws {
        let schema = try Person.jsonSchema()
        #expect(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["$ref"] == "#/$defs/Person")
        let properties = schema["$defs"]["Person"]["properties"]
        let expected: [(JSONPath, JSONValue)] = [
            (["id", "type"], "integer"), (["name"], ["type": "string"]),
            (["ratio"], ["anyOf": [["type": "number"], ["type": "null"]]]),
            (["small"], ["type": "integer", "minimum": 0, "maximum": 255]),
            (["born"], ["anyOf": [["type": "string", "format": "date-time"], ["type": "null"]]]),
            (["site", "anyOf", 0], ["type": "string", "format": "uri"]),
            (["key", "anyOf", 0], ["type": "string", "format": "uuid"]), (["photo", "format"], "byte"),
            (["plan"], ["enum": ["free", "pro"]]),
            (["friend"], ["anyOf": [["$ref": "#/$defs/Person"], ["type": "null"]]]),
        ]
        for (path, value) in expected { #expect(properties[path] == value, "\(path)") }
        #expect(schema["$defs"]["Place"]["required"] == ["city"])
        #expect(schema["$defs"]["Pet.dynamic"]["oneOf"]?.array?.count == 2)
    }

    @Test("Two classes of one name have a definition each")
    func equalNames() throws {
        let schema = try Files.jsonSchema()
        let definitions = schema["$defs"]
        #expect(Set(try #require(definitions?.object).keys) == ["Files", "File", "File2", "Box.File.", "Box.File.2"])
        let reference: (String) -> JSONValue = { ["anyOf": [["$ref": .string("#/$defs/" + $0)], ["type": "null"]]] }
        #expect(
            definitions["Files"]["properties"] == [
                "old": reference("File"), "new": reference("File2"), "oldBox": reference("Box.File."),
                "newBox": reference("Box.File.2"),
            ])
        let values: [String: JSONValue] = [
            "File": ["size": ["type": "number"]], "File2": ["size": ["type": "string"]],
            "Box.File.": ["value": reference("File")], "Box.File.2": ["value": reference("File2")],
        ]
        for (name, properties) in values { #expect(definitions[name]["properties"] == properties, "\(name)") }
    }

    @Test("The schema describes the keys of a dictionary where not every string is one")
    func keys() throws {
        let schema = try Keyed.jsonSchema()
        let names = try #require(schema["$defs"]["Keyed"]["properties"]?.object).mapValues { $0["propertyNames"] }
        let number: JSONValue = ["pattern": "^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$"]
        #expect(
            names == [
                "integers": ["pattern": "^[+-]?[0-9]+$"], "sizes": ["pattern": "^([+]?[0-9]+|-0+)$"], "prices": number,
                "ids": ["type": "string", "format": "uuid"], "levels": ["pattern": "^[+-]?[0-9]+$"],
                "sides": ["enum": ["left", "right"]], "names": nil,
            ])
        for (property, fitting, others) in [
            ("integers", ["0", "-7", "+7", "007"], ["", "x", "1.0", " 1", "1e3", "0x1", "--1"]),
            ("sizes", ["0", "+7", "-0"], ["-7", "x", "-", "+"]),
            ("prices", ["0.5", "-1e-3", "7", "1.50", "1E+2"], ["", "1.", "01", ".5", "x", "0x1"]),
            ("levels", ["1", "300"], ["low"]), ("sides", ["left", "right"], ["up", ""]), ("names", ["", "x"], []),
        ] {
            for (keys, fits) in [(fitting, true), (others, false)] {
                for key in keys {
                    try expectSchema(of: Keyed.self, accepts: #"{"\#(property)": {"\#(key)": 1}}"#, fits)
                }
            }
        }
    }

    @Test("The schema accepts a written object only if its required values are present")
    func written() throws {
        let validator = SchemaCheck(validating: try Person.jsonSchema())
        let person = try Person(json: Self.document)
        #expect(validator.accepts(try person.jsonValue()))
        #expect(!validator.accepts(try Person().jsonValue()))
    }

    @Test("The schema of a class that cannot be mapped throws invalidModel")
    func fault() {
        final class Bad: AbstractModel {
            var id = 0
            override class var requiredProperties: Set<String> { ["ID"] }
        }
        let error = #expect(throws: ModelError.self) { try Bad.jsonSchema() }
        #expect(
            error?.description
                == #"Bad cannot be mapped: requiredProperties names "ID", which is not a stored property of Bad (did you mean "id"?)."#
        )
    }
}
