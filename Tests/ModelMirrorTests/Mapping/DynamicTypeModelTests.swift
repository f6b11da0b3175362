import ModelMirror
import Testing

/// Objects with unknown type names are of the base class, which is the default.
private class Animal: AbstractModel, DynamicTypeModel, Hashable {
    var type: String?
    var name = ""

    class var typeNameProperty: String { "type" }
    class var dynamicTypes: [String: AbstractModel.Type] {
        ["dog": Dog.self, "cat": Cat.self, "puppy": Puppy.self]
    }
    static func == (left: Animal, right: Animal) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
private class Dog: Animal { var bark = 0 }
private final class Puppy: Dog { var age = 0 }
private final class Cat: Animal {
    var lives = 9
    var friend: Animal?
    override class var requiredProperties: Set<String> { ["lives"] }
}

/// Unknown type names are failures; the key of the type name is mapped.
private class Part: AbstractModel, DynamicTypeModel {
    var kind = ""
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["wheel": Wheel.self, "seat": Seat.self] }
    class var dynamicTypeFallback: DynamicTypeFallback { .failure }
    override class var propertyKeys: [String: PropertyKey] { ["kind": "@kind"] }
}
private final class Wheel: Part { var size = 0 }
private final class Seat: Part { var places = 0 }

/// Objects with unknown type names are skipped; the class has no properties, so that `typeNameProperty` is the key.
private class Event: AbstractModel, DynamicTypeModel {
    class var typeNameProperty: String { "event" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["start": Start.self, "stop": Stop.self] }
    class var dynamicTypeFallback: DynamicTypeFallback { .skip }
}
private final class Start: Event { var at = 0 }
private final class Stop: Event { var at = 0 }

@Suite("DynamicTypeModel")
struct DynamicTypeModelTests {
    private final class Holder<Item: Hashable>: AbstractModel {
        var one: Item?
        var list: [Item?] = []
        var set: Set<Item> = []
        var byKey: [Int: [Item]] = [:]
    }

    private final class Zoo<Item>: AbstractModel {
        var one: Item?
        var list: [Item] = []
        var byKey: [String: Item] = [:]
    }

    private static let modes: [MappingOptions] = [MappingOptions(), .strict]

    @Test("The type name selects the class in properties, arrays, sets and dictionaries", arguments: modes)
    func everywhere(options: MappingOptions) throws {
        let json = #"""
            {"one": {"type": "dog", "name": "Rex", "bark": 1}, "list": [{"name": "Tom", "lives": 8, "type": "cat"},
            null],
            "set": [{"type": "puppy", "bark": 2, "age": 3}], "byKey": {"7": [{"type": "cat", "lives": 7},
            {"type": "dog"}]}}
            """#
        let holder = try Holder<Animal>(json: json, options: options)
        let dog = try #require(holder.one as? Dog)
        #expect(type(of: dog) == Dog.self)
        #expect(dog.name == "Rex" && dog.bark == 1 && dog.type == "dog")
        let cat = try #require(holder.list.first as? Cat)
        #expect(cat.name == "Tom" && cat.lives == 8 && cat.type == "cat")
        #expect((holder.list.count, holder.list[1]) == (2, nil))
        let puppy = try #require(holder.set.first as? Puppy)
        #expect(puppy.bark == 2 && puppy.age == 3)
        #expect(holder.byKey[7]?.map { "\(type(of: $0))" } == ["Cat", "Dog"])
    }

    @Test("The type name selects the class of root objects", arguments: modes)
    func root(options: MappingOptions) throws {
        let array = try [Animal](json: #"[{"type": "dog"}, {"type": "cat", "lives": 1}]"#, options: options)
        #expect(array.map { "\(type(of: $0))" } == ["Dog", "Cat"])
        let members = try [String: Animal](json: #"{"a": {"type": "puppy"}}"#, options: options)
        #expect(members.mapValues { "\(type(of: $0))" } == ["a": "Puppy"])
        let single = try Animal.mapReporting(json: #"{"type": "dog", "bark": 5}"#, options: options).object
        #expect((single as? Dog)?.bark == 5)
        let inside = try Animal.mapReporting(json: #"{"a": [{"type": "dog"}]}"#, at: ["a", 0], options: options).object
        #expect(type(of: inside) == Dog.self)
    }

    @Test("The initializer creates its own class for any type name")
    func initializer() throws {
        let animal = try Animal(json: #"{"type": "dog", "name": "Rex"}"#)
        #expect(type(of: animal) == Animal.self)
        #expect((animal.name, animal.type) == ("Rex", "dog"))
    }

    @Test("Objects of dynamic types may be nested")
    func nested() throws {
        let json =
            #"{"type": "cat", "lives": 1, "friend": {"type": "cat", "lives": 2, "friend": {"type": "puppy", "#
            + #""age": 1}}}"#
        let cat = try #require(try Animal.mapReporting(json: json).object as? Cat)
        let friend = try #require(cat.friend as? Cat)
        #expect(friend.lives == 2)
        #expect((friend.friend as? Puppy)?.age == 1)
    }

    @Test("A failure names the selected class and the full key path")
    func failure() {
        let json = #"{"list": [{"type": "dog"}, {"type": "cat", "lives": null}]}"#
        #expect(
            Thrown.text { try Zoo<Animal>(json: json, options: .strict) }
                == "Cat.lives at $.list[1].lives (line 1, column 53): expected an integer, found null.")
    }

    @Test("A non-object value for a dynamic type is rejected", arguments: ["1", #""dog""#, "[]", "true"])
    func noObject(json: String) throws {
        let (zoo, report) = try Zoo<Animal>.mapReporting(json: #"{"one": \#(json), "list": [\#(json)]}"#)
        #expect(zoo.one == nil)
        #expect(zoo.list.isEmpty)
        let entries = report.entries.filter { $0.kind != .missing }
        #expect(entries.map(\.kind) == [.fallback, .skipped])
        #expect(entries.map(\.expected) == ["an object for Animal", "an object for Animal"])
        #expect(throws: ModelError.self) { try Zoo<Animal>(json: #"{"one": \#(json)}"#, options: .strict) }
    }

    // MARK: Unknown type names

    private static let nameless = [
        #"{"name": "x"}"#, #"{"type": "fish", "name": "x"}"#, #"{"type": "Dog", "name": "x"}"#,
        #"{"type": "", "name": "x"}"#,
        #"{"type": null, "name": "x"}"#,
    ]

    @Test(".baseClass maps unknown type names to the declared class", arguments: nameless, modes)
    func baseClass(json: String, options: MappingOptions) throws {
        let zoo = try Zoo<Animal>(
            json: #"{"one": \#(json), "list": [\#(json)], "byKey": {"a": \#(json)}}"#, options: options)
        for animal in [zoo.one, zoo.list.first, zoo.byKey["a"]] {
            #expect(animal.map { type(of: $0) == Animal.self } == true)
            #expect(animal?.name == "x")
        }
        #expect(try [Animal](json: "[\(json)]", options: options).map { "\(type(of: $0))" } == ["Animal"])
    }

    @Test(".baseClass maps a non-string type name to the declared class and reports the value")
    func baseClassWrongKind() throws {
        let (zoo, report) = try Zoo<Animal>.mapReporting(json: #"{"one": {"type": 5, "name": "x"}}"#)
        #expect((zoo.one?.name, zoo.one?.type) == ("x", nil))
        #expect(
            report.entries.filter { $0.kind == .fallback }.map(\.description) == [
                "fallback: Animal.type at $.one.type (line 1, column 18): expected a string, found the number 5.",
                #"fallback: Zoo<Animal>.one at $.one.type (line 1, column 18): expected one of the type names "cat", "dog", "#
                    + #""puppy", found the number 5."#,
            ])
        #expect(throws: ModelError.self) { try Zoo<Animal>(json: #"{"one": {"type": 5}}"#, options: .strict) }
    }

    private static let partFailures: [(json: String, place: String)] = [
        (
            #"{"size": 1}"#,
            #"$.one["@kind"] (line 1, column 9): expected one of the type names "seat", "wheel", found no such key."#
        ),
        (
            #"{"@kind": "door"}"#,
            #"$.one["@kind"] (line 1, column 19): expected one of the type names "seat", "wheel", found the "#
                + #"string "door"."#
        ),
        (
            #"{"@kind": 5}"#,
            #"$.one["@kind"] (line 1, column 19): expected one of the type names "seat", "wheel", found the number 5."#
        ),
        (
            #"{"@kind": null}"#,
            #"$.one["@kind"] (line 1, column 19): expected one of the type names "seat", "wheel", found null."#
        ),
    ]

    @Test(".failure reports an unknown or missing type name at its key", arguments: partFailures)
    func failureFallback(json: String, place: String) throws {
        let document = #"{"one": \#(json)}"#
        let (zoo, report) = try Zoo<Part>.mapReporting(json: document)
        #expect(zoo.one == nil)
        let sentence = "Zoo<Part>.one at \(place)"
        #expect(report.entries.filter { $0.kind == .fallback }.map(\.description) == ["fallback: " + sentence])
        #expect(Thrown.text { try Zoo<Part>(json: document, options: .strict) } == sentence)
    }

    @Test(".failure skips an unknown element of a property and fails a root array")
    func failureElements() throws {
        let list = #"[{"@kind": "wheel", "size": 1}, {"@kind": "door"}, {"@kind": "seat"}]"#
        let (zoo, report) = try Zoo<Part>.mapReporting(json: #"{"list": \#(list)}"#)
        #expect(zoo.list.map { "\(type(of: $0))" } == ["Wheel", "Seat"])
        let found = #"expected one of the type names "seat", "wheel", found the string "door"."#
        #expect(
            report.entries.filter { $0.kind == .skipped }.map(\.description) == [
                #"skipped: Zoo<Part>.list at $.list[1]["@kind"] (line 1, column 52): \#(found)"#
            ])
        #expect(Thrown.text { try [Part](json: list) } == #"Part at $[1]["@kind"] (line 1, column 43): \#(found)"#)
        let skipping = MappingOptions(skipsInvalidElements: true)
        #expect(try [Part](json: list, options: skipping).map { "\(type(of: $0))" } == ["Wheel", "Seat"])
    }

    @Test(
        ".skip omits objects with unknown type names, in strict mapping too",
        arguments: [#"{"event": "pause"}"#, #"{"at": 1}"#, #"{"event": 1}"#],
        modes)
    func skip(json: String, options: MappingOptions) throws {
        let start = #"{"event": "start", "at": 5}"#
        let document = #"{"one": \#(json), "list": [\#(json), \#(start)], "byKey": {"a": \#(json), "b": \#(start)}}"#
        let (zoo, report) = try Zoo<Event>.mapReporting(json: document, options: options)
        #expect(zoo.one == nil)
        #expect(zoo.list.map { ($0 as? Start)?.at } == [5])
        #expect(zoo.byKey.mapValues { ($0 as? Start)?.at } == ["b": 5])
        let skipped = report.entries.filter { $0.kind == .skipped }
        for place in ["$.one", "$.list[0]", "$.byKey.a"] {
            #expect(skipped.contains { $0.path.description.hasPrefix(place) })
        }
        #expect(report.entries.allSatisfy { $0.kind == .skipped || $0.kind == .unknownKey })
        #expect(try [Event](json: "[\(json), \(start)]", options: options).map { ($0 as? Start)?.at } == [5])
        #expect(try [String: Event](json: #"{"a": \#(json)}"#, options: options).isEmpty)
    }

    @Test(".skip reports each omitted object once")
    func skipReport() throws {
        let json = #"{"list": [{"event": "pause"}, {"event": "start"}]}"#
        let (_, report) = try Zoo<Event>.mapReporting(json: json)
        #expect(report.entries.filter { $0.kind == .skipped }.count == 1)
        // Also next to an element that does not fit.
        let list = try Zoo<Event>.mapReporting(json: #"{"list": [4, {"event": "pause"}, {}]}"#).report
        #expect(
            list.entries.filter { $0.kind == .skipped }.map(\.path.description) == [
                "$.list[0]", "$.list[1].event", "$.list[2].event",
            ])
    }

    @Test(".skip keeps the declared default and fails a required property")
    func skipRequired() throws {
        final class Log: AbstractModel {
            var last: Event = Stop()
            var first: Event?
            override class var requiredProperties: Set<String> { ["first"] }
        }
        let log = try Log(json: #"{"last": {"event": "pause"}, "first": {"event": "start"}}"#)
        #expect(type(of: log.last) == Stop.self)
        #expect(log.first.map { type(of: $0) == Start.self } == true)
        #expect(
            Thrown.error { try Log(json: #"{"first": {"event": "pause"}}"#) }?.valueFailures.map(\.property) == [
                "first"
            ])
    }

    @Test(".skip fails for a single root object")
    func skipRoot() {
        #expect(
            Thrown.text { _ = try Event.mapReporting(json: #"{"event": "pause"}"#) }
                == #"Event at $.event (line 1, column 11): expected one of the type names "start", "stop", found "#
                + #"the string "pause"."#
        )
    }

    // MARK: Classes outside the hierarchy

    @Test("A type name for a class that is not a subclass of the declared class is rejected")
    func noSubclass() throws {
        let json = #"{"list": [{"type": "cat"}, {"type": "dog"}, {"type": "puppy"}]}"#
        let (zoo, report) = try Zoo<Dog>.mapReporting(json: json)
        #expect(zoo.list.map { "\(type(of: $0))" } == ["Dog", "Puppy"])
        #expect(report.entries.filter { $0.kind == .skipped }.map(\.path.description) == ["$.list[0].type"])
        #expect(throws: ModelError.self) { try Zoo<Dog>(json: json, options: .strict) }
        #expect(
            Thrown.text { try [Dog](json: #"[{"type": "cat"}]"#) }
                == #"Dog at $[0].type (line 1, column 11): expected one of the type names "dog", "puppy", "#
                + #"found the string "cat"."#)
    }

    @Test("A class without a name of its own expects a value of its type")
    func unnamed() {
        final class Tail: Part {}
        #expect(
            Thrown.text { try [Tail](json: #"[{"@kind": "seat"}]"#) }
                == #"Tail at $[0]["@kind"] (line 1, column 12): expected a value of type Tail, "#
                + #"found the string "seat"."#)
    }

    @Test("A declared subclass is the fallback for unknown type names")
    func subclassDeclared() throws {
        let zoo = try Zoo<Dog>(json: #"{"list": [{"bark": 1}, {"type": "fish"}]}"#)
        #expect(zoo.list.map { "\(type(of: $0))" } == ["Dog", "Dog"])
    }

    // MARK: The key of the type name

    @Test("The type name may contain escapes and be the last member")
    func escapes() throws {
        let json = #"[{"size": 3, "\u0040kind": "\u0077heel"}]"#
        #expect(try [Part](json: json).map { ($0 as? Wheel)?.size } == [3])
    }

    @Test("The type name is found under an alias of its property")
    func aliases() throws {
        class Shape: AbstractModel, DynamicTypeModel {
            var kind: String?
            class var typeNameProperty: String { "kind" }
            class var dynamicTypes: [String: AbstractModel.Type] { ["circle": Circle.self] }
            class var dynamicTypeFallback: DynamicTypeFallback { .failure }
            override class var propertyKeys: [String: PropertyKey] { ["kind": ["kind", "shape"]] }
        }
        final class Circle: Shape { var radius = 0 }
        #expect(try [Shape](json: #"[{"kind": "circle", "radius": 1}]"#).map { ($0 as? Circle)?.radius } == [1])
        let second = try [Shape](json: #"[{"shape": "circle", "radius": 2}]"#)
        #expect(second.map { ($0 as? Circle)?.radius } == [2])
        #expect(second.first?.kind == "circle")
    }

    @Test("The type name is found at a key path")
    func path() throws {
        class Shape: AbstractModel, DynamicTypeModel {
            var kind: String?
            class var typeNameProperty: String { "kind" }
            class var dynamicTypes: [String: AbstractModel.Type] { ["circle": Circle.self] }
            class var dynamicTypeFallback: DynamicTypeFallback { .failure }
            override class var propertyKeys: [String: PropertyKey] { ["kind": .path("meta", "kind")] }
        }
        final class Circle: Shape { var radius = 0 }
        let shapes = try [Shape](json: #"[{"meta": {"kind": "circle"}, "radius": 1}]"#)
        #expect(shapes.map { ($0 as? Circle)?.radius } == [1])
        #expect(shapes.first?.kind == "circle")
        #expect(
            Thrown.text { try [Shape](json: #"[{"meta": "circle", "radius": 1}]"#) }
                == #"Shape at $[0].meta.kind (line 1, column 2): expected one of the type names "circle", found no such key."#
        )
    }

    @Test(
        "The key of the type name follows the key strategy of the class",
        arguments: [#""type_name""#, #""typeName""#, #""TypeName""#])
    func strategies(key: String) throws {
        class Snake: AbstractModel, DynamicTypeModel {
            var typeName: String?
            class var typeNameProperty: String { "typeName" }
            class var dynamicTypes: [String: AbstractModel.Type] { ["a": SnakeA.self] }
            override class var keyStrategy: KeyStrategy { .snakeCase }
        }
        final class SnakeA: Snake { var size = 0 }
        class Flexible: AbstractModel, DynamicTypeModel {
            var typeName: String?
            class var typeNameProperty: String { "typeName" }
            class var dynamicTypes: [String: AbstractModel.Type] { ["a": FlexibleA.self] }
            override class var keyStrategy: KeyStrategy { .flexible }
        }
        final class FlexibleA: Flexible { var size = 0 }
        let json = #"[{"size": 1, \#(key): "a"}]"#
        #expect(try [Snake](json: json).map { $0 is SnakeA } == [key != #""TypeName""#])
        #expect(try [Flexible](json: json).map { $0 is FlexibleA } == [true])
        // Of two spellings of the key, the last counts.
        let twice = ##"[{"TYPENAME": "b", \##(key): "a"}, {\##(key): "a", "TYPENAME": "b"}]"##
        #expect(try [Flexible](json: twice).map { $0 is FlexibleA } == [true, false])
    }

    @Test("A report lists objects mapped to the base class for lack of a known type name")
    func reportedBaseClass() throws {
        class Beast: AbstractModel, DynamicTypeModel {
            var weight = 0
            class var typeNameProperty: String { "kind" }
            class var dynamicTypes: [String: AbstractModel.Type] { ["wolf": Wolf.self] }
        }
        final class Wolf: Beast {}
        class Part: AbstractModel { var size: Int? }
        final class Wheel: Part {}
        final class Car: AbstractModel {
            var parts: [Part] = []
            override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
                ["parts": DynamicPropertyTypes(named: "of", ["wheel": Wheel.self])]
            }
        }
        let json = #"{"list": [{"kind": "wolf"}, {"kind": "bear", "weight": "1"}, {"weight": 3}, {"kind": null}]}"#
        let (zoo, report) = try Zoo<Beast>.mapReporting(json: json)
        #expect(zoo.list.map { $0 is Wolf } == [true, false, false, false])
        #expect(
            report.entries.map(\.description).filter { $0.contains("kind") } == [
                #"fallback: Zoo<Beast>.list at $.list[1].kind (line 1, column 38): expected one of the type names "wolf", "#
                    + #"found the string "bear"."#,
                #"missing: Zoo<Beast>.list at $.list[2].kind (line 1, column 62): expected one of the type names "wolf", "#
                    + "found no such key.",
                #"fallback: Zoo<Beast>.list at $.list[3].kind (line 1, column 86): expected one of the type names "wolf", "#
                    + "found null.",
            ])
        #expect(
            try Car.mapReporting(json: #"{"parts": [{}, {}], "of": "door"}"#).report.entries.map(\.description) == [
                #"fallback: Car.parts at $.of (line 1, column 27): expected one of the type names "wheel", found the "#
                    + #"string "door"."#
            ])
    }
}
