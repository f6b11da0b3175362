import ModelMirror
import Testing

/// In classes that are not observable, a name with an underscore is an ordinary name if the property has a standard type or a model
/// as its type, or if a rule names it.
@Suite("Property names with underscores")
struct WrapperStorageTests {
    @Test("A leading underscore is part of the name of a property")
    func underscoredProperties() throws {
        let (model, report) = try Document.mapReporting(
            json: #"{"_id": "a", "id": "b", "__v": 1, "_": 2, "_rev": {"number": 3}, "_list": ["x"]}"#)
        #expect((model._id, model.__v, model._rev.number, model._list) == ("a", 1, 3, ["x"]))
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["unknownKey $.id", "unknownKey $._"])
    }

    @Test("A converter maps the storage of a wrapper under its name, underscore included, or an explicit key")
    func converter() throws {
        let (model, report) = try Converted.mapReporting(json: #"{"_wrapped": 7, "wrapped": 8, "after": 4}"#)
        #expect((model.wrapped, model.after) == (7, 4))
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["unknownKey $.wrapped"])
        let keyed = try Keyed.mapReporting(json: #"{"wrapped": 8, "after": 4}"#)
        #expect(keyed.object.wrapped == 8)
        #expect(keyed.report.description == "nothing to report")
    }

    @Test("A key strategy keeps a leading underscore")
    func strategy() throws {
        #expect(try Snake(json: #"{"_html_url": "a"}"#)._htmlURL == "a")
    }

    @Test("The model assigns the storage of a wrapper that has only an explicit key")
    func keyAlone() throws {
        let model = try SelfAssigning(json: #"{"wrapped": 9}"#)
        #expect(model.wrapped == 9)
    }

    @Test("A property without an underscore and without a conversion makes the class invalid")
    func withoutUnderscore() throws {
        #expect(
            Thrown.text { try Plain(json: #"{"storage": 1}"#) }
                == "Plain cannot be mapped: nothing converts its property storage of type Bounded<Int>; give it a converter in "
                + "propertyConverters, make the type JSONConvertible or Decodable, assign it in "
                + "assign(undefinedValue:forProperty:), or name it in ignoredProperties.")
    }

    @Test("The storage of a lazy property, whose name begins with $, is not mapped")
    func dollar() throws {
        let (model, report) = try Lazy.mapReporting(json: #"{"number": 1, "_late": 2}"#)
        #expect((model.number, model._late) == (1, 10))
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["unknownKey $._late"])
    }
}

// MARK: Models

private final class Revision: AbstractModel { var number = 0 }

private final class Document: AbstractModel {
    var _id = ""
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var __v = 0
    var _rev = Revision()
    var _list: [String] = []
}

/// A wrapper that nothing converts.
@propertyWrapper
private struct Bounded<Value: Comparable> {
    var value: Value
    let limit: Value
    var wrappedValue: Value {
        get { value }
        set { value = min(newValue, limit) }
    }
    var projectedValue: Value { limit }
    init(wrappedValue: Value, limit: Value) {
        value = wrappedValue
        self.limit = limit
    }
}

private struct BoundedConverter: Converter {
    func value(from json: JSONValue) throws -> Bounded<Int> {
        guard let number = json.int else { throw ConversionError(expected: "an integer") }
        return Bounded(wrappedValue: number, limit: 100)
    }
    func json(from value: Bounded<Int>) throws -> JSONValue { .number(JSONNumber(value.value)) }
}

private class Converted: AbstractModel {
    @Bounded(limit: 100) var wrapped = 50
    var after = 0
    override class var propertyConverters: [String: any Converter] { ["_wrapped": BoundedConverter()] }
}

private final class Keyed: Converted {
    override class var propertyKeys: [String: PropertyKey] { ["_wrapped": "wrapped"] }
}

private final class Snake: AbstractModel {
    var _htmlURL = ""
    override class var keyStrategy: KeyStrategy { .snakeCase }
}

private final class SelfAssigning: AbstractModel {
    @Bounded(limit: 100) var wrapped = 50
    override class var propertyKeys: [String: PropertyKey] { ["_wrapped": "wrapped"] }
    override func assign(undefinedValue value: Any?, forProperty property: String) throws {
        #expect(property == "_wrapped")
        wrapped = value as? Int ?? 0
    }
}

private final class Plain: AbstractModel {
    var storage = Bounded(wrappedValue: 1, limit: 2)
}

private final class Lazy: AbstractModel {
    var number = 0
    lazy var _late = number * 10
}
