import ModelMirror
import Testing

/// In classes that are not observable, a name with an underscore is a name like any other for a standard type or a model, and where a
/// rule names it.
@Suite("Names with underscores")
struct WrapperStorageTests {
    @Test("A property _id is a property named _id")
    func underscoredProperties() throws {
        let (model, report) = try Document.mapReporting(
            json: #"{"_id": "a", "id": "b", "__v": 1, "_": 2, "_rev": {"number": 3}, "_list": ["x"]}"#)
        #expect(model._id == "a")
        #expect(model.__v == 1)
        #expect(model._rev.number == 3)
        #expect(model._list == ["x"])
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["unknownKey $.id", "unknownKey $._"])
    }

    @Test("With a converter, the storage is a property by its own name, underscore included")
    func converter() throws {
        let (model, report) = try Converted.mapReporting(json: #"{"_wrapped": 7, "wrapped": 8, "after": 4}"#)
        #expect(model.wrapped == 7)
        #expect(model.after == 4)
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["unknownKey $.wrapped"])
    }

    @Test("With a converter and a key, the storage is filled from that key")
    func converterAndKey() throws {
        let (model, report) = try Keyed.mapReporting(json: #"{"wrapped": 8, "after": 4}"#)
        #expect(model.wrapped == 8)
        #expect(report.description == "nothing to report")
    }

    @Test("A key strategy keeps the underscore")
    func strategy() throws {
        #expect(try Snake(json: #"{"_html_url": "a"}"#)._htmlURL == "a")
    }

    @Test("A key alone makes the storage a property that the model assigns itself")
    func keyAlone() throws {
        let model = try SelfAssigning(json: #"{"wrapped": 9}"#)
        #expect(model.wrapped == 9)
    }

    @Test("Without an underscore, a type that nothing converts is asked for")
    func withoutUnderscore() throws {
        let error = #expect(throws: ModelError.self) { try Plain(json: #"{"storage": 1}"#) }
        #expect(
            error?.description
                == "Plain cannot be mapped: nothing converts its property storage of type Bounded<Int>; give it a converter in "
                + "propertyConverters, make the type JSONConvertible or Decodable, assign it in "
                + "assign(undefinedValue:forProperty:), or name it in ignoredProperties.")
    }

    @Test("A name that begins with $ is the compiler's, as the storage of lazy properties")
    func dollar() throws {
        let (model, report) = try Lazy.mapReporting(json: #"{"number": 1, "_late": 2}"#)
        #expect(model.number == 1)
        #expect(model._late == 10)
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
