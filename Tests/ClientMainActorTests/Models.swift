import Foundation
import ModelMirror
import Observation

// The classes of the README, and one of each kind of type that a user declares. Nothing in this file says anything about
// isolation; the same text is compiled in both client targets.

class User: AbstractModel {
    var login = ""
    var siteAdmin = false
}

class File: AbstractModel {
    var filename = ""
    var size = 0
}

class Gist: AbstractModel {
    var id: String!
    var url: URL!
    var `public` = true
    var createdAt: Date!
    var comments = 0
    var user: User?
    var files: [String: File] = [:]

    override class var propertyKeys: [String: PropertyKey] { ["createdAt": "created_at"] }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        ["id", "url", "createdAt"].contains(property)
    }
}

/// An enum needs only its raw values.
enum Visibility: String {
    case everyone, friends
}

/// Unknown raw values become `other`.
enum Plan: String, UnknownCase {
    case free, pro, other
    static var unknownCase: Plan { .other }
}

/// A type that reads and writes itself.
struct Money: JSONConvertible, Equatable {
    var cents: Int

    init(cents: Int) { self.cents = cents }

    init(json: JSONValue) throws {
        guard let amount = json.double else { throw ConversionError(expected: "an amount") }
        cents = Int((amount * 100).rounded())
    }

    func json() throws -> JSONValue { .number(JSONNumber(cents)) }
}

/// A custom converter.
struct CentsConverter: Converter {
    func value(from json: JSONValue) throws -> Int {
        guard let amount = json.double else { throw ConversionError(expected: "an amount") }
        return Int((amount * 100).rounded())
    }

    func json(from value: Int) throws -> JSONValue { .number(JSONNumber(value)) }
}

/// Uses every rule.
class Account: AbstractModel {
    var number = 0
    var visibility = Visibility.everyone
    var plan: Plan?
    var balance = Money(cents: 0)
    var limit = 0
    var born: Date?
    var note = ""
    var htmlURL: URL?

    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var propertyKeys: [String: PropertyKey] {
        ["number": ["number", "id"], "note": .path("extra", "note")]
    }
    override class var ignoredProperties: Set<String> { [] }
    override class var requiredProperties: Set<String> { ["number"] }
    override class var propertyConverters: [String: any Converter] {
        ["limit": CentsConverter(), "born": .secondsSince1970]
    }
    override class var mappingOptions: MappingOptions { MappingOptions(stringsFromNumbers: true) }
}

/// A class whose JSON says which subclass it is.
class Animal: AbstractModel, DynamicTypeModel {
    var name = ""
    class var typeNameProperty: String { "type" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["dog": Dog.self, "cat": Cat.self] }
}

class Dog: Animal {
    var isGood = true
}

class Cat: Animal {
    var lives = 9
}

/// A model that a view observes.
@Observable
class Article: AbstractModel {
    var title = ""
    var likes = 0
    var author: User?
}

/// Uses every hook.
class Booking: AbstractModel {
    var start = 0
    var end = 0
    var seat: AnyHashable = "none"
    private(set) var length = 0
    private(set) var asked: [String] = []

    override class var ignoredProperties: Set<String> { ["length", "asked"] }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        asked.append("\(property): \(value ?? "nothing")")
        if property == "end" { end = start + 1 }
        return property == "start"
    }

    override func assign(undefinedValue value: Any?, forProperty property: String) throws {
        guard let seat = value as? String else { throw ConversionError(expected: "a seat") }
        self.seat = seat
    }

    override func didMap() throws {
        length = end - start
    }

    override func validateModel(_ validation: inout ModelValidation) {
        if end < start { validation.fail("end", expected: "a time after start") }
    }
}

/// A class with a custom initializer.
class Point: AbstractModel {
    var x = 0
    var y = 0

    required init() { super.init() }

    init(x: Int, y: Int) {
        self.x = x
        self.y = y
        super.init()
    }
}
