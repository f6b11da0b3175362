import Foundation
import ModelMirror
import Testing

/// Stores its type name in a property.
private class Animal: AbstractModel, DynamicTypeModel {
    var name = ""
    var type: String?

    class var typeNameProperty: String { "type" }
    class var dynamicTypes: [String: AbstractModel.Type] {
        ["dog": Dog.self, "hound": Dog.self, "cat": Cat.self, "a cat": Cat.self]
    }
}

private class Dog: Animal { var barks = true }
private class Cat: Animal {
    var lives: Int? = 9
    override class var propertyKeys: [String: PropertyKey] { ["lives": "Lives"] }
}

/// Does not store its type name.
private class Shape: AbstractModel, DynamicTypeModel {
    var z = 0

    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["circle": Circle.self, "square": Square.self] }
}

private class Circle: Shape { var radius = 1.5 }
private class Square: Shape { var a = 2 }

/// Has numbers and Booleans as type names, which no property stores.
private class Numbered: AbstractModel, DynamicTypeModel {
    class var typeNameProperty: String { "kind" }
    class var typeNamesAreLiterals: Bool { true }
    class var dynamicTypes: [String: AbstractModel.Type] { ["1": First.self, "true": Flag.self, "text": Text.self] }
}

private class First: Numbered { var a = 1 }
private class Flag: Numbered { var b = 2 }
private class Text: Numbered { var c = 3 }

@Suite("Type names that are literals")
struct LiteralTypeNameTests {
    @Test("Numbers and Booleans are written as such and read back", arguments: [WritingOptions(), .sortedKeys])
    func written(options: WritingOptions) throws {
        let text = #"[{"a":1,"kind":1},{"b":2,"kind":true},{"c":3,"kind":"text"}]"#
        let objects = try JSONMapper.value([Numbered].self, from: text)
        #expect(objects.map { "\(type(of: $0))" } == ["First", "Flag", "Text"])
        let written = options.isEmpty ? #"[{"kind":1,"a":1},{"kind":true,"b":2},{"kind":"text","c":3}]"# : text
        #expect(try objects.jsonString(options: options) == written)
        #expect(try JSONMapper.value([Numbered].self, from: #"[{"kind": "1"}]"#)[0] is First)
    }
}

/// Stores its type name at a key path, with an alias.
private class Vehicle: AbstractModel, DynamicTypeModel {
    var wheels = 4
    var kind: String?
    var year: Int?

    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["car": Car.self] }
    override class var propertyKeys: [String: PropertyKey] {
        ["kind": [.path("meta", "type"), "kind"], "year": .path("meta", "year")]
    }
}

private class Car: Vehicle { var doors = 5 }

/// Stores its type name in a read-only property.
private class Plant: AbstractModel, DynamicTypeModel {
    var sort: String?
    var height = 1

    class var typeNameProperty: String { "sort" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["tree": Tree.self] }
    override class var propertyKeys: [String: PropertyKey] { ["sort": "Sort"] }
    override class var readOnlyProperties: Set<String> { ["sort"] }
}

private class Tree: Plant {}

private class Zoo: AbstractModel {
    var star: Animal? = Dog()
    var animals: [Animal] = [Cat(), Animal()]
    var shapes: [String: Shape] = ["s": Square(), "c": Circle()]
}

private class Link: AbstractModel { var title = "" }
private final class Page: Link { var pages = 1 }
private final class Film: Link { var minutes = 2 }

/// Its type names are in one object that no property reads.
private final class Linked: AbstractModel {
    var source: Link? = Page()
    var target: Link? = Film()

    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        let types: [String: AbstractModel.Type] = ["page": Page.self, "film": Film.self]
        return [
            "source": DynamicPropertyTypes(named: .path("meta", "source"), types),
            "target": DynamicPropertyTypes(named: .path("meta", "target"), types),
        ]
    }
}

/// Several properties and models share one type name.
private final class Shelf: AbstractModel {
    var type = ""
    var first: Link?
    var all: [Link] = []

    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        let rule = DynamicPropertyTypes(named: "type", ["page": Page.self, "film": Film.self])
        return ["first": rule, "all": rule]
    }
}

@Suite("Type names in written JSON")
struct DynamicTypeWritingTests {
    @Test("The type name is written in the place of its property, even if that is read-only")
    func inProperty() throws {
        #expect(try Dog().jsonString() == #"{"name":"","type":"dog","barks":true}"#)
        #expect(try Dog().jsonString(options: .sortedKeys) == #"{"barks":true,"name":"","type":"dog"}"#)
        #expect(try Tree().jsonString() == #"{"Sort":"tree","height":1}"#)
    }

    @Test(
        "If a class has several type names, the one that was read is written, or else the first",
        arguments: [
            ("dog", "dog"), ("hound", "hound"), ("cat", "cat"), ("a cat", "a cat"),
        ])
    func severalNames(read: String, written: String) throws {
        let animal = try Animal.mapReporting(json: #"{"type": "\#(read)"}"#).object
        #expect(try animal.jsonDictionary()["type"] as? String == written)
        animal.type = "unicorn"
        #expect(try animal.jsonDictionary()["type"] as? String == (animal is Dog ? "dog" : "a cat"))
        animal.type = nil
        #expect(try animal.jsonDictionary()["type"] as? String == (animal is Dog ? "dog" : "a cat"))
    }

    @Test("An object of the declared class keeps an unknown type name")
    func declaredClass() throws {
        #expect(try Animal().jsonString() == #"{"name":""}"#)
        let unicorn = try Animal.mapReporting(json: #"{"type": "unicorn", "name": "U"}"#).object
        #expect(type(of: unicorn) == Animal.self)
        #expect(try unicorn.jsonString() == #"{"name":"U","type":"unicorn"}"#)
    }

    @Test("A type name without a property is written first, or in key order if keys are sorted")
    func ownMember() throws {
        #expect(try Circle().jsonString() == #"{"kind":"circle","z":0,"radius":1.5}"#)
        #expect(try Circle().jsonString(options: .sortedKeys) == #"{"kind":"circle","radius":1.5,"z":0}"#)
        #expect(try Square().jsonString(options: .sortedKeys) == #"{"a":2,"kind":"square","z":0}"#)
        #expect(try Shape().jsonString() == #"{"z":0}"#)
        #expect(
            try String(decoding: [Shape(), Square()].jsonData(), as: UTF8.self)
                == #"[{"z":0},{"kind":"square","z":0,"a":2}]"#)
    }

    @Test("A type name at a key path is written beside the other members there")
    func path() throws {
        let car = Car()
        #expect(try car.jsonString() == #"{"wheels":4,"meta":{"type":"car"},"doors":5}"#)
        car.year = 1999
        #expect(try car.jsonString() == #"{"wheels":4,"meta":{"type":"car","year":1999},"doors":5}"#)
        let read = try Vehicle.mapReporting(json: car.jsonData()).object
        #expect(try (read as? Car)?.jsonString() == #"{"wheels":4,"meta":{"type":"car","year":1999},"doors":5}"#)
        let byAlias = try Vehicle.mapReporting(json: #"{"kind": "car", "doors": 3}"#).object
        #expect(try byAlias.jsonString() == #"{"wheels":4,"meta":{"type":"car"},"doors":3}"#)
    }

    @Test("Nested objects of dynamic types round-trip with the members of their subclass")
    func nested() throws {
        let expected =
            #"{"star":{"name":"","type":"dog","barks":true},"animals":[{"name":"","type":"a cat","Lives":9},{"name":""}],"#
            + #""shapes":{"c":{"kind":"circle","z":0,"radius":1.5},"s":{"kind":"square","z":0,"a":2}}}"#
        let text = try Zoo().jsonString()
        #expect(text == expected)
        let zoo = try Zoo(json: text, options: .strict)
        #expect(try zoo.jsonString() == expected)
        #expect(zoo.star is Dog)
        #expect(zoo.animals.map { "\(type(of: $0))" } == ["Cat", "Animal"])
        #expect(zoo.shapes.mapValues { "\(type(of: $0))" } == ["c": "Circle", "s": "Square"])
    }

    @Test("Type names at paths under one key are members of one object")
    func pathsUnderOneKey() throws {
        let text =
            #"{"meta":{"source":"page","target":"film"},"#
            + #""source":{"title":"","pages":1},"target":{"title":"","minutes":2}}"#
        #expect(try Linked().jsonString() == text)
        let read = try Linked(json: text, options: .strict)
        #expect(read.source is Page && read.target is Film)
    }

    private static let expected = "expected objects of the one class that this name leads to"

    @Test("One type name for objects of several classes cannot be written")
    func sharedNames() throws {
        func failure(_ change: (Shelf) -> Void) -> String? {
            let shelf = Shelf()
            change(shelf)
            return #expect(throws: ModelError.self) { try shelf.jsonString() }?.description
        }
        #expect(
            failure { $0.all = [Page(), Film()] }
                == #"Shelf.type at $.type: \#(Self.expected), found Page with the name "film"."#)
        #expect(
            failure { ($0.first, $0.all) = (Film(), [Page()]) }
                == #"Shelf.type at $.type: \#(Self.expected), found Page with the name "film"."#)
        #expect(
            failure { $0.all = [Link(), Page()] }
                == #"Shelf.type at $.type: \#(Self.expected), found Link with the name "page"."#)
        let linked = Linked()
        linked.source = Link()
        #expect(
            try linked.jsonString()
                == #"{"meta":{"target":"film"},"source":{"title":""},"target":{"title":"","minutes":2}}"#)
        let shelf = Shelf()
        (shelf.first, shelf.all) = (Page(), [Page(), Page()])
        #expect(try Shelf(json: shelf.jsonData(), options: .strict).all.allSatisfy { $0 is Page })
    }

    @Test("The type name of another class cannot be written for a class without one")
    func staleNames() throws {
        let shelf = try Shelf(json: #"{"type": "film", "first": {"title": "t", "minutes": 3}}"#)
        shelf.first = Link()
        let failure = #expect(throws: ModelError.self) { try shelf.jsonString() }
        #expect(
            failure?.description == #"Shelf.type at $.type: \#(Self.expected), found Link with the name "film"."#)
        shelf.type = "book"
        #expect(try shelf.jsonString() == #"{"type":"book","first":{"title":""},"all":[]}"#)
    }
}
