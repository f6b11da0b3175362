import Foundation
import ModelMirror
import ModelMirrorTesting
import Testing

private class Fork: AbstractModel { var name = "" }

private class Event: AbstractModel {
    var type = ""
    var payload: AbstractModel?
    var others: [AbstractModel] = []
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        [
            "payload": DynamicPropertyTypes(named: "type", ["fork": Fork.self]),
            "others": DynamicPropertyTypes(named: "kind", ["fork": Fork.self]),
        ]
    }
}

private class Free: AbstractModel {
    var any: [String: Any] = [:]
    var number = 0.0
}

private class Pathed: AbstractModel {
    var json = JSONValue.bool(true)
    var name: String? = "default"
    override class var propertyKeys: [String: PropertyKey] { ["json": .path("a", "b"), "name": .path("a", "c")] }
}

private struct Currency: Sendable { let name: String }

private class Priced: AbstractModel {
    var price = 1
    override class var propertyConverters: [String: any Converter] { ["price": AnyConverter<Int>.price] }
}

private class PricedInEuros: Priced {
    override class var mappingOptions: MappingOptions { MappingOptions(context: Currency(name: "EUR")) }
}

private class Priceless: AbstractModel {
    var own = Priced()
    override class var mappingOptions: MappingOptions { MappingOptions(context: Currency(name: "EUR")) }
}

private class FlatPriced: AbstractModel {
    var own = PricedInEuros()
    override class var flattenedProperties: Set<String> { ["own"] }
}

private class Reached: AbstractModel {
    var login: String?
    var b = 2
    override class var propertyKeys: [String: PropertyKey] { ["login": .path("owner", "login")] }
}

private class NullsAround: AbstractModel {
    var inner = Reached()
    override class var mappingOptions: MappingOptions { MappingOptions(writesNulls: true) }
}

extension Converter where Self == AnyConverter<Int> {
    fileprivate static var price: Self {
        .converting(
            String.self, { Int($0.split(separator: " ")[0]) },
            back: { "\($0) \((MappingContext.current as? Currency)?.name ?? "none")" })
    }
}

private class ReadOnly: AbstractModel {
    var id = 0
    var name = ""
    override class var requiredProperties: Set<String> { ["id"] }
    override class var readOnlyProperties: Set<String> { ["id"] }
}

private class Around: AbstractModel {
    var inner: ReadOnly?
    var list: [ReadOnly] = []
}

private class Everywhere: AbstractModel {
    var inner: ReadOnly?
    var byName: [String: ReadOnly] = [:]
    var title = ""
    override class var flattenedProperties: Set<String> { ["inner"] }
    override class var propertyKeys: [String: PropertyKey] {
        ["title": .reading(.path("meta", "title"), writing: "title")]
    }
}

private class ReadInside: AbstractModel {
    var inner = ReadOnly()
    var title = ""
    override class var flattenedProperties: Set<String> { ["inner"] }
    override class var readOnlyProperties: Set<String> { ["inner"] }
    override class var requiredProperties: Set<String> { ["inner"] }
}

private class PricelessText: AbstractModel {
    var own = Priced()
    override class var mappingOptions: MappingOptions { MappingOptions(context: Currency(name: "EUR")) }
    override class var propertyConverters: [String: any Converter] { ["own": .embeddedJSON] }
}

private class Constant: AbstractModel {
    let id = 0
    var name = ""
}

private class IgnoredConstant: Constant {
    override class var ignoredProperties: Set<String> { ["id"] }
}

private class Defaulted: AbstractModel {
    var note: String? = "default"
    var count: Int? = 1
    var inner: Inner?
    override class var mappingOptions: MappingOptions { MappingOptions(writesNulls: true) }
}

private class Inner: AbstractModel {
    var a: Int?
    var b = 2
}

@Suite("Nothing lost")
struct NothingLostTests {
    @Test("An object of an unknown kind keeps its JSON and is written back whole")
    func unknownKinds() throws {
        let json = #"{"type":"star","payload":{"count":1.50,"deep":{"a":[null]}},"kind":"x","others":[{"a":1},{}]}"#
        let (event, report) = try Event.mapReporting(json: json)
        let payload = try #require(event.payload as? UnknownModel)
        #expect(payload.members["count"] == 1.5 && payload.typeName == "star")
        #expect(event.others.count == 2 && event.others[0] is UnknownModel)
        #expect(report.entries.map(\.code) == ["discriminator", "discriminator"])
        #expect(try JSONValue(json: event.jsonData()) == JSONValue(json: json))
        #expect(try event.copy().isEqual(to: event))
        let other = try Event(json: json.replacing("star", with: "watch"))
        other.type = event.type
        #expect(!other.isEqual(to: event))
        #expect((try Event(json: #"{"type": "fork", "payload": {"name": "a"}}"#).payload as? Fork)?.name == "a")
    }

    @Test("An object of an unknown kind keeps members with the names of its own properties")
    func unknownKindsOwnNames() throws {
        let json = #"{"type":"star","payload":{"members":1,"typeName":"x"},"others":[{"typeName":null}]}"#
        let (event, report) = try Event.mapReporting(json: json)
        let payload = try #require(event.payload as? UnknownModel)
        #expect(payload.members == ["members": 1, "typeName": "x"] && payload.typeName == "star")
        #expect(report.entries.map(\.code) == ["discriminator", "discriminator"])
        #expect(try event.copy().jsonString() == json)
        try event.update(json: #"{"payload": {"typeName": "y"}, "type": "star"}"#)
        #expect((event.payload as? UnknownModel)?.members == ["typeName": "y"])
    }

    @Test("Doubles in Any are written with their fraction")
    func doubles() throws {
        let free = try Free(json: #"{"any": {"a": 1.0, "b": 1, "c": 1e3, "d": 0.1}}"#)
        #expect(try free.jsonString(options: .sortedKeys) == #"{"any":{"a":1.0,"b":1,"c":1000.0,"d":0.1},"number":0}"#)
        let again = try Free(json: free.jsonData())
        #expect(again.any["a"] is Double && again.any["b"] is Int && again.any["c"] is Double)
        #expect(try JSONValue(any: [19.0, Float(2)]).compactDescription == "[19.0,2.0]")
    }

    @Test("A path that null blocks is a missing key for a property that takes null")
    func blocked() throws {
        let options = MappingOptions(strict: true, requiresNonOptional: true)
        #expect(
            Thrown.error { try Pathed(json: #"{"a": null}"#, options: options) }?.description.contains(
                "Pathed.json at $.a.b (line 1, column 1): expected a JSON value, found no such key") == true)
        #expect(try Pathed(json: #"{"a": null}"#).json == true)
        #expect(try Pathed(json: #"{"a": {"b": null}}"#, options: options).json == .null)
        #expect(try Pathed(json: #"{"a": null}"#).name == nil)
    }

    @Test("Converters receive the context when they write")
    func context() throws {
        let options = MappingOptions(context: Currency(name: "USD"))
        #expect(try Priced().jsonString(mapping: options) == #"{"price":"1 USD"}"#)
        #expect(try Priced().jsonString() == #"{"price":"1 none"}"#)
        #expect(try PricedInEuros().jsonString() == #"{"price":"1 EUR"}"#)
        #expect(try [PricedInEuros()].jsonString(mapping: options) == #"[{"price":"1 USD"}]"#)
    }

    @Test("A class's context and nulls apply to its own properties, nested in another or flattened")
    func optionsOfOneClass() throws {
        #expect(try Priceless().jsonString() == #"{"own":{"price":"1 none"}}"#)
        #expect(try PricelessText().jsonString() == #"{"own":"{\"price\":\"1 none\"}"}"#)
        #expect(try FlatPriced().jsonString() == #"{"price":"1 EUR"}"#)
        #expect(try NullsAround().jsonString() == #"{"inner":{"b":2}}"#)
    }

    @Test("With writesNulls, nil in place of a default reads back as nil")
    func writtenNulls() throws {
        let model = Defaulted()
        model.note = nil
        model.inner = Inner()
        #expect(try model.jsonString() == #"{"note":null,"count":1,"inner":{"b":2}}"#)
        #expect(try Defaulted(json: model.jsonData()).isEqual(to: model))
        #expect(try Inner().jsonString(mapping: MappingOptions(writesNulls: true)) == #"{"a":null,"b":2}"#)
    }

    @Test("Sample checks accept read-only properties; ModelCheck reports a constant unless it is ignored")
    func checks() {
        #expect(ModelCheck.check(ReadOnly.self, sample: #"{"id": 1, "name": "a"}"#) == [])
        #expect(
            ModelCheck.check(
                Around.self, sample: #"{"inner": {"id": 1, "name": "a"}, "list": [{"id": 2, "name": "b"}]}"#) == [])
        #expect(
            ModelCheck.check(
                Everywhere.self,
                sample: #"{"id": 1, "name": "a", "byName": {"x": {"id": 2, "name": "b"}}, "meta": {"title": "t"}}"#)
                == [])
        #expect(ModelCheck.check(ReadInside.self, sample: #"{"id": 1, "name": "a", "title": "t"}"#) == [])
        #expect(
            ModelCheck.check(Constant.self).map(\.description) == [
                "Constant has a mistake: its property id is a let, which is never written; use private(set) var, or name it in "
                    + "ignoredProperties."
            ])
        #expect(ModelCheck.check(IgnoredConstant.self) == [])
    }
}

extension JSONValue {
    fileprivate var compactDescription: String { "\(self)" }
}
