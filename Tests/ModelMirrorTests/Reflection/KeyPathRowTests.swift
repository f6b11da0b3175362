import Foundation
import ModelMirror
import Testing

private class Thing: AbstractModel {
    var number = 1
    var second = 1
    let constant = 1
    var computed: Int { 1 }
    private(set) var guarded = 1
    var point = Point()
    var created = Date(timeIntervalSince1970: 0)
}

private struct Point {
    var x = 1
}

private class Stranger: AbstractModel { var number = 1 }
private class Heir: Thing { var own = 1 }

private class Other { var number = 1 }

private class ReadOnly: Thing {
    override class var keyPathTable: KeyPathTable? { ["computed": \Thing.computed] }
}

private class Constant: Thing {
    override class var keyPathTable: KeyPathTable? { ["con-stant": \Thing.constant] }
}

private class Guarded: Thing {
    // The setter is not visible here, but the key path has it.
    override class var keyPathTable: KeyPathTable? { ["guarded": \Thing.guarded] }
}

private class Foreign: Thing {
    override class var keyPathTable: KeyPathTable? { ["number": \Stranger.number] }
}

private class FromBelow: Thing {
    override class var keyPathTable: KeyPathTable? { ["own": \Heir.own] }
}

private class NoModel: Thing {
    override class var keyPathTable: KeyPathTable? { ["number": \Other.number] }
}

private class OfStruct: Thing {
    override class var keyPathTable: KeyPathTable? { ["x": \Point.x] }
}

private class Twice: Thing {
    override class var keyPathTable: KeyPathTable? { ["number": \Thing.number, "Number": \Thing.number] }
}

private class SameName: Thing {
    override class var keyPathTable: KeyPathTable? {
        ["number": \Thing.number, "other": KeyPathMapping(\Thing.second, name: "number")]
    }
}

private class NoKey: Thing {
    override class var keyPathTable: KeyPathTable? { [.path(0, "x"): \Thing.number] }
}

private class EmptyPath: Thing {
    override class var keyPathTable: KeyPathTable? { [.path(): KeyPathMapping(\Thing.number, name: "number")] }
}

private class WrongConverter: Thing {
    override class var keyPathTable: KeyPathTable? {
        ["number": KeyPathMapping(\Thing.number, using: .secondsSince1970)]
    }
}

private class WrongRule: Thing {
    override class var keyPathTable: KeyPathTable? { ["created": \Thing.created] }
    override class var propertyConverters: [String: any Converter] { ["created": .hex] }
}

private class BadFormat: Thing {
    override class var keyPathTable: KeyPathTable? {
        ["created": KeyPathMapping(\Thing.created, using: .format("yyyy Q"))]
    }
}

private class Unlisted: Thing {
    override class var keyPathTable: KeyPathTable? { ["number": \Thing.number] }
    override class var requiredProperties: Set<String> { ["created"] }
}

private class Misspelled: Thing {
    override class var keyPathTable: KeyPathTable? { ["number": \Thing.number] }
    override class var readOnlyProperties: Set<String> { ["numbr"] }
}

private class IgnoringUnlisted: Thing {
    override class var keyPathTable: KeyPathTable? { ["number": \Thing.number] }
    override class var ignoredProperties: Set<String> { ["created", "constant"] }
}

private class Alien: Thing {
    override class var keyPathTable: KeyPathTable? { ["point": \Thing.point, "number": \Thing.number] }
}

private class ThroughStruct: Thing {
    override class var keyPathTable: KeyPathTable? { ["x": \Thing.point.x] }
}

@Suite("Entries of keyPathTable")
struct KeyPathRowTests {
    private static let cases: [(model: AbstractModel.Type, property: String, reason: String)] = [
        (
            ReadOnly.self, "computed",
            "keyPathTable has a key path for computed that cannot be written; make the property a var with a setter"
        ),
        (
            Constant.self, "constant",
            "keyPathTable has a key path for constant that cannot be written; make the property a var with a setter"
        ),
        (
            Foreign.self, "number",
            "keyPathTable has a key path of Stranger, which is neither Foreign nor a superclass of it"
        ),
        (
            FromBelow.self, "own",
            "keyPathTable has a key path of Heir, which is neither FromBelow nor a superclass of it"
        ),
        (
            NoModel.self, "number",
            "keyPathTable has a key path of Other, which is neither NoModel nor a superclass of it"
        ),
        (OfStruct.self, "x", "keyPathTable has a key path of Point, which is neither OfStruct nor a superclass of it"),
        (
            Twice.self, "number",
            "keyPathTable has two entries called number; give one of them a name in a KeyPathMapping"
        ),
        (
            SameName.self, "number",
            "keyPathTable has two entries called number; give one of them a name in a KeyPathMapping"
        ),
        (NoKey.self, "x", "keyPathTable gives x no key to begin with; a path starts with a key"),
        (EmptyPath.self, "number", "keyPathTable gives number no key to begin with; a path starts with a key"),
        (
            WrongConverter.self, "number",
            "keyPathTable gives number a converter for Date, but the property is of type Int; use a converter for that type, "
                + "for what it wraps or for its elements"
        ),
        (
            WrongRule.self, "created",
            "propertyConverters gives created a converter for Data, but the property is of type Date; use a converter for "
                + "that type, for what it wraps or for its elements"
        ),
        (Unlisted.self, "created", #"requiredProperties names "created", which is not listed in keyPathTable"#),
        (
            Misspelled.self, "numbr",
            #"readOnlyProperties names "numbr", which is not a stored property of Misspelled (did you mean "number"?)"#
        ),
    ]

    @Test("A mistake in keyPathTable makes the class invalid with a reason", arguments: cases)
    func mistakes(model: AbstractModel.Type, property: String, reason: String) throws {
        let error = try #require(throws: ModelError.self) { try model.init().update(json: "{}") }
        #expect(error.modelFault?.property == property)
        #expect(error.modelFault?.model == "\(model)")
        #expect(error.description == "\(model) cannot be mapped: \(reason).")
        // Later calls throw the same error.
        #expect(try #require(throws: ModelError.self) { try model.init().jsonData() }.description == error.description)
    }

    @Test("An invalid date pattern in keyPathTable is reported with the name of the entry")
    func format() throws {
        let error = try #require(throws: ModelError.self) { try BadFormat(json: "{}") }
        #expect(error.modelFault?.property == "created")
        let start = "BadFormat cannot be mapped: keyPathTable gives created a converter that cannot be used: "
        #expect(error.description.hasPrefix(start))
    }

    @Test("keyPathTable can write a property with a private setter")
    func guarded() throws {
        #expect(try Guarded(json: #"{"guarded": 5}"#).guarded == 5)
    }

    @Test("ignoredProperties can name properties that keyPathTable does not list")
    func ignoring() throws {
        #expect(try IgnoringUnlisted(json: #"{"number": 5}"#).number == 5)
    }

    @Test("An entry of a type without a conversion must be assigned by the model")
    func alien() throws {
        #expect(try Alien(json: #"{"number": 5}"#).number == 5)
        #expect(
            Thrown.text { try Alien(json: #"{"point": 5}"#) }
                == "Alien cannot be mapped: nothing converts its property point of type Point; give it a converter in "
                + "propertyConverters, make the type JSONConvertible or Decodable, assign it in "
                + "assign(undefinedValue:forProperty:), or name it in ignoredProperties.")
    }

    @Test("A key path can lead into a structure")
    func structure() throws {
        let object = try ThroughStruct(json: #"{"x": 5}"#, options: .strict)
        #expect(object.point.x == 5)
        #expect(try object.jsonString() == #"{"x":5}"#)
        #expect(try object.copy().point.x == 5)
    }
}
