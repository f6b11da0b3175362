import Foundation
import ModelMirror
import Testing

/// Holds its type's name.
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

/// Holds none.
private class Shape: AbstractModel, DynamicTypeModel {
    var z = 0

    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["circle": Circle.self, "square": Square.self] }
}

private class Circle: Shape { var radius = 1.5 }
private class Square: Shape { var a = 2 }

/// Holds it under another key, by alias and inside of an object.
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

/// Holds it in a property that is only read.
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

@Suite("Type names in JSON that is written")
struct DynamicTypeWritingTests {
    @Test("the name stands where its property does")
    func inProperty() throws {
        #expect(try Dog().jsonString() == #"{"name":"","type":"dog","barks":true}"#)
        #expect(try Dog().jsonString(options: .sortedKeys) == #"{"barks":true,"name":"","type":"dog"}"#)
    }

    @Test(
        "of several names for a class the one that was read is written, else the first",
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

    @Test("an object of the declared class keeps what name it has")
    func declaredClass() throws {
        #expect(try Animal().jsonString() == #"{"name":""}"#)
        let unicorn = try Animal.mapReporting(json: #"{"type": "unicorn", "name": "U"}"#).object
        #expect(type(of: unicorn) == Animal.self)
        #expect(try unicorn.jsonString() == #"{"name":"U","type":"unicorn"}"#)
    }

    @Test("a name that is no property comes first, or where sorted keys have it")
    func ownMember() throws {
        #expect(try Circle().jsonString() == #"{"kind":"circle","z":0,"radius":1.5}"#)
        #expect(try Circle().jsonString(options: .sortedKeys) == #"{"kind":"circle","radius":1.5,"z":0}"#)
        #expect(try Square().jsonString(options: .sortedKeys) == #"{"a":2,"kind":"square","z":0}"#)
        #expect(try Shape().jsonString() == #"{"z":0}"#)
    }

    @Test("a name at the end of a path is written there, with what else is there")
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

    @Test("a name whose property is not written is written all the same")
    func readOnly() throws {
        #expect(try Tree().jsonString() == #"{"Sort":"tree","height":1}"#)
    }

    @Test("nested objects are written with their subclass's fields and names, and come back as what they were")
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

    @Test("an array of the declared class is written with the names of its objects")
    func array() throws {
        #expect(
            try String(decoding: [Shape(), Square()].jsonData(), as: UTF8.self)
                == #"[{"z":0},{"kind":"square","z":0,"a":2}]"#)
    }
}
