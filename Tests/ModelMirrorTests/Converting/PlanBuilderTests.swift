import Foundation
import ModelMirror
import Testing

// Each of the types below could be read in two ways that give different values; the tests check which one is used.

/// The element of a container that is both JSONConvertible and built-in. Public, because conformances of public types to
/// public protocols are.
public struct ConvertibleMark: Hashable, Sendable { var text: String }

extension ContiguousArray: JSONConvertible where Element == ConvertibleMark {
    /// Reads anything.
    public init(json: JSONValue) throws { self = [ConvertibleMark(text: "JSONConvertible")] }
    /// Writes nothing.
    public func json() throws -> JSONValue { .null }
}

/// The element of a container that is both built-in and RawRepresentable.
public struct RawMark: Hashable, Sendable, JSONConvertible {
    let text: String
    /// Reads anything.
    public init(json: JSONValue) throws { text = "element" }
    /// Writes nothing.
    public func json() throws -> JSONValue { .null }
}

extension ContiguousArray: @retroactive RawRepresentable where Element == RawMark {
    /// Never called if built-in types take precedence.
    public init?(rawValue: [String]) { self = [] }
    /// Nothing.
    public var rawValue: [String] { [] }
}

/// A model that is also JSONConvertible.
private final class ConvertibleModel: AbstractModel, JSONConvertible {
    var text = ""
    required init() {}
    required convenience init(json: JSONValue) throws {
        self.init()
        text = "JSONConvertible"
    }
    func json() throws -> JSONValue { .null }
}

private final class RawModel: AbstractModel, RawRepresentable, InitializableWithDictionary, Decodable {
    var text = ""
    required init() {}
    convenience init?(rawValue: String) { return nil }
    var rawValue: String { text }
    required convenience init(dictionary: [String: Any]) throws { throw ConversionError(expected: "no dictionary") }
    required convenience init(from decoder: any Decoder) throws { throw ConversionError(expected: "no decoder") }
}

private enum ConvertibleEnum: String, JSONConvertible, Decodable {
    case raw, convertible
    init(json: JSONValue) throws { self = .convertible }
    func json() throws -> JSONValue { .null }
}

private struct ConvertibleSeed: JSONConvertible, InitializableWithDictionary, Decodable {
    let way: String
    init(json: JSONValue) throws { way = "JSONConvertible" }
    func json() throws -> JSONValue { .null }
    init(dictionary: [String: Any]) throws { way = "InitializableWithDictionary" }
    init(from decoder: any Decoder) throws { way = "Decodable" }
}

private struct RawSeed: RawRepresentable, InitializableWithDictionary, Decodable {
    let way: String
    init?(rawValue: [String: String]) { way = "RawRepresentable" }
    var rawValue: [String: String] { [:] }
    init(dictionary: [String: Any]) throws { way = "InitializableWithDictionary" }
    init(from decoder: any Decoder) throws { way = "Decodable" }
}

private enum RawDecodable: String, Decodable {
    case raw, decoded
    init(from decoder: any Decoder) throws { self = .decoded }
}

private struct DecodableSeed: InitializableWithDictionary, Decodable {
    let way: String
    init(dictionary: [String: Any]) throws { way = "InitializableWithDictionary" }
    init(from decoder: any Decoder) throws { way = "Decodable" }
}

/// Nothing converts it.
private struct Opaque {}

private struct OpaqueRaw: RawRepresentable, Decodable {
    let way: String
    init?(rawValue: Opaque) { way = "RawRepresentable" }
    var rawValue: Opaque { Opaque() }
    init(from decoder: any Decoder) throws { way = "Decodable" }
}

/// A converter that always gives the same value.
private struct Always<Value: Sendable>: Converter {
    let value: Value
    func value(from json: JSONValue) throws -> Value { value }
    func json(from value: Value) throws -> JSONValue { .null }
}

@Suite("Precedence of conversions")
struct PlanBuilderTests {
    private final class Box<Value>: AbstractModel { var value: Value? }

    private func read<Value>(_ type: Value.Type, _ json: String) throws -> Value? {
        try Box<Value>(json: #"{"value": \#(json)}"#).value
    }

    private final class Converted: AbstractModel {
        var date: Date?
        var own: ConvertibleSeed?
        var text: String?
        var model: RawModel?
        var raw: RawDecodable?
        var opaque: Opaque?
        var list: [Int] = []
        var lists: [[Int]] = []
        override class var propertyConverters: [String: any Converter] {
            [
                "date": .secondsSince1970, "own": Always(value: seed), "text": Always(value: "converter"),
                "model": .any([RawModelConverter()]), "raw": Always(value: RawDecodable.raw),
                "opaque": Always(value: Opaque()),
                "list": Always(value: [7]), "lists": Always(value: [7]),
            ]
        }
        override class var dateFormats: [String] { ["dd.MM.yyyy"] }
        private static var seed: ConvertibleSeed { DecodedSeed.seed }
    }

    private enum DecodedSeed {
        static var seed: ConvertibleSeed {
            (try? ConvertibleSeed(dictionary: [:])) ?? { preconditionFailure("cannot throw") }()
        }
    }

    private struct RawModelConverter: Converter {
        func value(from json: JSONValue) throws -> RawModel {
            let model = RawModel()
            model.text = "converter"
            return model
        }
        func json(from value: RawModel) throws -> JSONValue { .null }
    }

    @Test("A property's converter takes precedence over every other conversion")
    func converter() throws {
        let json = #"""
            {"date": 5, "own": {}, "text": "a", "model": {"text": "model"}, "raw": "decoded", "opaque": 1,
            "list": [1], "lists": [[1], 2]}
            """#
        let converted = try Converted(json: json)
        #expect(converted.date == Date(timeIntervalSince1970: 5))
        #expect(converted.own?.way == "InitializableWithDictionary")
        #expect(converted.text == "converter")
        #expect(converted.model?.text == "converter")
        #expect(converted.raw == .raw)
        #expect(converted.opaque != nil)
        #expect(converted.list == [7])
        #expect(converted.lists == [[7], [7]])
        let date = try Converted(json: #"{"date": "01.01.2000"}"#).date
        #expect(date == nil)
    }

    private final class Formats: AbstractModel {
        var date: Date?
        var dates: [String: [Date?]] = [:]
        var own: Date?
        var converted: Date?
        var number: Int?
        override class var dateFormats: [String] { ["dd.MM.yyyy", "yyyy/MM/dd"] }
        override class var propertyDateFormats: [String: String] { ["own": "MM-dd-yyyy", "converted": "yyyy"] }
        override class var propertyConverters: [String: any Converter] { ["converted": .httpDate] }
    }

    private final class Outer: AbstractModel {
        var formats: Formats?
        var date: Date?
    }

    @Test("A class's date formats replace the built-in forms, in collections too")
    func dateFormats() throws {
        let formats = try Formats(
            json: #"{"date": "02.01.1970", "dates": {"a": ["1970/01/03", null, "1970-01-01"]}, "number": 5}"#)
        #expect(formats.date == Date(timeIntervalSince1970: 86_400))
        #expect(formats.dates == ["a": [Date(timeIntervalSince1970: 172_800), nil]])
        #expect(formats.number == 5)
        let (_, report) = try Formats.mapReporting(json: #"{"date": "1970-01-01T00:00:00Z"}"#)
        #expect(
            report.entries.filter { $0.kind == .fallback }.map(\.expected)
                == [#"a date in the format "dd.MM.yyyy" or "yyyy/MM/dd""#])
        #expect(throws: ModelError.self) { try Formats(json: #"{"date": "1970-01-01T00:00:00Z"}"#, options: .strict) }
    }

    @Test("A property's date format overrides the class's, and its converter overrides both")
    func ownFormat() throws {
        #expect(try Formats(json: #"{"own": "01-02-1970"}"#).own == Date(timeIntervalSince1970: 86_400))
        #expect(try Formats(json: #"{"own": "02.01.1970"}"#).own == nil)
        let date = "Thu, 01 Jan 1970 00:00:01 GMT"
        #expect(try Formats(json: #"{"converted": "\#(date)"}"#).converted == Date(timeIntervalSince1970: 1))
        #expect(try Formats(json: #"{"converted": "1970"}"#).converted == nil)
    }

    @Test("A nested model uses the date formats of its own class")
    func nestedFormats() throws {
        let outer = try Outer(json: #"{"formats": {"date": "02.01.1970"}, "date": "02.01.1970"}"#)
        #expect(outer.formats?.date == Date(timeIntervalSince1970: 86_400))
        #expect(outer.date == nil)
        #expect(try Outer(json: #"{"date": "1970-01-02"}"#).date == Date(timeIntervalSince1970: 86_400))
    }

    @Test("JSONConvertible takes precedence over built-in types")
    func convertibleBeforeBuiltIn() throws {
        #expect(try read(ContiguousArray<ConvertibleMark>.self, "[1, 2]") == [ConvertibleMark(text: "JSONConvertible")])
        #expect(try read([ContiguousArray<ConvertibleMark>].self, "[1, 2]")?.count == 2)
    }

    @Test("JSONConvertible takes precedence over AbstractModel")
    func convertibleBeforeModel() throws {
        #expect(try read(ConvertibleModel.self, #"{"text": "model"}"#)?.text == "JSONConvertible")
        #expect(try read(ConvertibleModel.self, "1")?.text == "JSONConvertible")
        #expect(
            try read([ConvertibleModel].self, #"[{"text": "model"}, 1]"#)?.map(\.text) == [
                "JSONConvertible", "JSONConvertible",
            ])
        #expect(try read([String: ConvertibleModel].self, #"{"a": 1}"#)?.mapValues(\.text) == ["a": "JSONConvertible"])
    }

    @Test("JSONConvertible takes precedence over raw values, dictionaries and Decodable")
    func convertibleBeforeOthers() throws {
        #expect(try read(ConvertibleEnum.self, #""raw""#) == .convertible)
        #expect(try read(ConvertibleSeed.self, "{}")?.way == "JSONConvertible")
    }

    @Test("Built-in types take precedence over raw values and Decodable")
    func builtIn() throws {
        #expect(try read(ContiguousArray<RawMark>.self, #"["a", "b"]"#)?.map(\.text) == ["element", "element"])
        // Foundation's decoder would take seconds, bytes as numbers, and the object that a URL or a time zone writes.
        let others: [Any?] = [
            try read(Date.self, "0"), try read(Data.self, "[1, 2]"), try read(URL.self, #"{"relative": "a"}"#),
            try read(TimeZone.self, #"{"identifier": "GMT"}"#),
        ]
        #expect(others.allSatisfy { $0 == nil }, "\(others)")
        #expect(try read([Int].self, "[1, true]") == [1, 1])
    }

    @Test("AbstractModel takes precedence over raw values, InitializableWithDictionary and Decodable")
    func model() throws {
        #expect(try read(RawModel.self, #"{"text": "model"}"#)?.text == "model")
        #expect(try read(RawModel.self, #""text""#) == nil)
        #expect(try read([RawModel].self, #"[{"text": "model"}, "text"]"#)?.map(\.text) == ["model"])
        let members = try read([String: RawModel?].self, #"{"a": {"text": "model"}, "b": "text"}"#)
        #expect(members?.mapValues { $0?.text } == ["a": "model"])
    }

    @Test("Raw values take precedence over InitializableWithDictionary, and that over Decodable")
    func rawValue() throws {
        #expect(try read(RawSeed.self, "{}")?.way == "RawRepresentable")
        #expect(try read(RawDecodable.self, #""raw""#) == .raw)
        #expect(try read(DecodableSeed.self, "{}")?.way == "InitializableWithDictionary")
        // Nothing converts the raw type.
        #expect(try read(OpaqueRaw.self, "{}")?.way == "Decodable")
    }

    // MARK: Converters that do not fit

    private enum Level: Int { case one = 1 }

    private final class Misfit<Value, Choice: Choosing>: AbstractModel {
        var value: Value?
        override class var propertyConverters: [String: any Converter] { ["value": Choice.converter] }
    }

    private protocol Choosing {
        static var converter: any Converter { get }
    }
    private enum ForDate: Choosing { static var converter: any Converter { AnyConverter<Date>.iso8601 } }
    private enum ForOptionalDate: Choosing {
        static var converter: any Converter { AnyConverter<Date>.iso8601.optional }
    }
    private enum ForInt: Choosing { static var converter: any Converter { Always(value: 1) } }
    private enum ForUUID: Choosing { static var converter: any Converter { Always(value: UUID()) } }
    private enum ForArray: Choosing { static var converter: any Converter { Always(value: [1]) } }

    /// The class's fault, which is thrown with and without a value for the property.
    private func fault(_ type: AbstractModel.Type) -> String? {
        let errors = ["{}", #"{"value": null}"#].map { json in
            #expect(throws: ModelError.self) { _ = try type.mapReporting(json: json) }?.description
        }
        #expect(errors[0] == errors[1])
        return errors[0]?.components(separatedBy: "propertyConverters gives ").last
    }

    @Test(
        "A converter for another type, a dictionary's key type or an enum's raw type makes the class invalid",
        arguments: [
            (Misfit<String, ForDate>.self, "Date", "String?"), (Misfit<[Int], ForDate>.self, "Date", "Array<Int>?"),
            (Misfit<[Date], ForOptionalDate>.self, "Date?", "Array<Date>?"),
            (Misfit<Double, ForInt>.self, "Int", "Double?"), (Misfit<Int, ForArray>.self, "Array<Int>", "Int?"),
            (Misfit<Opaque, ForInt>.self, "Int", "Opaque?"),
            (Misfit<[UUID: Int], ForUUID>.self, "UUID", "Dictionary<UUID, Int>?"),
            (Misfit<Level, ForInt>.self, "Int", "Level?"),
        ] as [(AbstractModel.Type, String, String)])
    func misfits(model: AbstractModel.Type, converted: String, property: String) {
        #expect(
            fault(model)
                == "value a converter for \(converted), but the property is of type \(property); use a converter for that type, "
                + "for what it wraps or for its elements.")
    }
}
