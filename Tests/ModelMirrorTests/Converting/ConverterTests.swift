import Foundation
import ModelMirror
import Testing

private struct TooMuch: Error, CustomStringConvertible {
    let amount: Int
    var description: String { "\(amount) is too much" }
}

/// Cents from an amount; throws a ConversionError or a custom error.
private struct CentsConverter: Converter {
    func value(from json: JSONValue) throws -> Int {
        guard let amount = json.double else { throw ConversionError(expected: "an amount") }
        guard amount < 1000 else { throw TooMuch(amount: Int(amount)) }
        return Int((amount * 100).rounded())
    }
    func json(from value: Int) throws -> JSONValue { .number(JSONNumber(Double(value) / 100)!) }
}

/// A type that only its converter can convert.
private struct Version: Hashable, Sendable { var parts: [Int] }

private struct VersionConverter: Converter {
    func value(from json: JSONValue) throws -> Version {
        guard let text = json.string else { throw ConversionError(expected: "a version") }
        return Version(parts: text.split(separator: ".").compactMap { Int($0) })
    }
    func json(from value: Version) throws -> JSONValue {
        .string(value.parts.map { "\($0)" }.joined(separator: "."))
    }
}

/// Accepts every value, null included.
private struct TextConverter: Converter {
    func value(from json: JSONValue) throws -> String { "converted \(json)" }
    func json(from value: String) throws -> JSONValue { .string(value) }
}

/// A converter for an Optional type.
private struct OrderConverter: Converter {
    func value(from json: JSONValue) throws -> Int? { json.isNull ? -1 : json.int }
    func json(from value: Int?) throws -> JSONValue { .null }
}

private struct ContextConverter: Converter {
    func value(from json: JSONValue) throws -> String { "\(MappingContext.current as? Int ?? 0)" }
    func json(from value: String) throws -> JSONValue { .string(value) }
}

@Suite("Custom converters")
struct ConverterTests {
    private final class Prices: AbstractModel {
        var plain = 1
        var optional: Int?
        var implicit: Int! = 2
        var list: [Int] = [3]
        var optionals: [Int?]? = [4]
        var set: Set<Int> = [5]
        var byName = ["start": 6]
        var nested: [String: [[Int?]]] = [:]
        var version: Version?
        var versions: [String: Version] = [:]
        var untouched = 7

        override class var propertyConverters: [String: any Converter] {
            [
                "plain": CentsConverter(), "optional": CentsConverter(), "implicit": CentsConverter(),
                "list": CentsConverter(), "optionals": CentsConverter(), "set": CentsConverter(),
                "byName": CentsConverter(), "nested": CentsConverter(), "version": VersionConverter(),
                "versions": VersionConverter(),
            ]
        }
    }

    @Test("One converter serves a type, its Optional and its collections", arguments: [MappingOptions(), .strict])
    func shapes(options: MappingOptions) throws {
        let json = #"""
            {"plain": 1.5, "optional": 2.25, "implicit": 3, "list": [0.1, 0.2], "optionals": [1, null], "set": [1],
            "byName": {"a": 4}, "nested": {"b": [[5, null], []]}, "version": "6.3.1", "versions": {"c": "1.0"},
            "untouched": 1}
            """#
        let (prices, report) = try Prices.mapReporting(json: json, options: options)
        #expect(prices.plain == 150)
        #expect(prices.optional == 225)
        #expect(prices.implicit == 300)
        #expect(prices.list == [10, 20])
        #expect(prices.optionals == [100, nil])
        #expect(prices.set == [100])
        #expect(prices.byName == ["a": 400])
        #expect(prices.nested == ["b": [[500, nil], []]])
        #expect(prices.version == Version(parts: [6, 3, 1]))
        #expect(prices.versions == ["c": Version(parts: [1, 0])])
        #expect(prices.untouched == 1)
        #expect(report.description == "nothing to report")
    }

    private static let refusals: [(json: String, sentence: String)] = [
        (#""x""#, #"expected an amount, found the string "x"."#), ("[]", "expected an amount, found an array."),
        ("1500.5", "expected a value for CentsConverter, found the number 1500.5: 1500 is too much."),
    ]

    @Test("An error thrown for a value is reported, and the property keeps its value", arguments: refusals)
    func refused(json: String, sentence: String) throws {
        for property in ["plain", "optional", "implicit"] {
            let document = #"{"\#(property)": \#(json)}"#
            let message = "Prices.\(property) at $.\(property) (line 1, column \(property.count + 6)): \(sentence)"
            let prices = try expectRejected(document, by: Prices.self, [message])
            #expect([prices.plain, prices.optional, prices.implicit] == [1, nil, 2])
        }
    }

    @Test("An error thrown for an element is reported, and the element is skipped", arguments: refusals)
    func refusedElement(json: String, sentence: String) throws {
        for (property, open, close, path) in [
            ("list", "[", "]", "[0]"), ("optionals", "[", "]", "[0]"), ("set", "[", "]", "[0]"),
            ("byName", #"{"a":"#, "}", ".a"),
            ("nested", #"{"a":[["#, "]]}", ".a[0][0]"),
        ] {
            let document = #"{"\#(property)": \#(open)\#(json)\#(close)}"#
            let message =
                "Prices.\(property) at $.\(property)\(path) (line 1, column \(property.count + 6 + open.count)): "
                + "\(sentence)"
            let prices = try expectRejected(document, by: Prices.self, as: .skipped, [message])
            #expect(prices.list == (property == "list" ? [] : [3]))
            #expect(prices.optionals == (property == "optionals" ? [] : [4]))
            #expect(prices.set == (property == "set" ? [] : [5]))
            #expect(prices.byName == (property == "byName" ? [:] : ["start": 6]))
            #expect(prices.nested == (property == "nested" ? ["a": [[]]] : [:]))
        }
    }

    @Test("A custom error is the failure's underlying error")
    func underlying() throws {
        let error = #expect(throws: ModelError.self) { try Prices(json: #"{"plain": 2000}"#, options: .strict) }
        #expect(error?.valueFailures.map { ($0.underlying as? TooMuch)?.amount } == [2000])
        let (_, report) = try Prices.mapReporting(json: #"{"plain": 3000}"#)
        #expect(report.entries.compactMap { ($0.underlying as? TooMuch)?.amount } == [3000])
    }

    private final class Texts: AbstractModel {
        var plain = "start"
        var optional: String? = "start"
        var list = ["start"]
        var optionals = ["start" as String?]
        var byName = ["start": "start"]
        var order: Int? = 1
        var orders: [Int?] = []

        override class var propertyConverters: [String: any Converter] {
            [
                "plain": TextConverter(), "optional": TextConverter(), "list": TextConverter(),
                "optionals": TextConverter(),
                "byName": TextConverter(), "order": OrderConverter(), "orders": OrderConverter(),
            ]
        }
    }

    @Test("null is passed to a converter unless the property or the element is Optional")
    func null() throws {
        let json = #"{"plain": null, "optional": null, "optionals": [null]}"#
        let texts = try Texts(json: json)
        #expect((texts.plain, texts.optional, texts.optionals) == ("converted null", nil, [nil]))
        #expect(try Texts(json: #"{"list": [null]}"#, options: .strict).list == ["converted null"])
        #expect(try Texts(json: #"{"byName": {"a": null}}"#).byName == ["a": "converted null"])
        // A converter for an Optional type receives null elements, but no null property.
        let orders = try Texts(json: #"{"order": null, "orders": [null, 5]}"#)
        #expect((orders.order, orders.orders) == (nil, [-1, 5]))
    }

    @Test(
        "A converter receives every other kind of value unchanged",
        arguments: ["true", "1.50", #""a""#, "[null]", "{}"])
    func anything(json: String) throws {
        let texts = try Texts(json: #"{"plain": \#(json), "optional": \#(json)}"#)
        let value = try JSONValue(json: json)
        #expect(texts.plain == "converted \(value)")
        #expect(texts.optional == "converted \(value)")
    }

    private final class Contextual: AbstractModel {
        var text = ""
        override class var propertyConverters: [String: any Converter] { ["text": ContextConverter()] }
        override class var mappingOptions: MappingOptions { MappingOptions(context: 1) }
    }

    @Test("A converter can read the context; the call's overrides the class's")
    func context() throws {
        #expect(try Contextual(json: #"{"text": 0}"#).text == "1")
        #expect(try Contextual(json: #"{"text": 0}"#, options: MappingOptions(context: 2)).text == "2")
    }

    private final class Page<Item: Sendable>: AbstractModel {
        var items: [Item] = []
        override class var propertyConverters: [String: any Converter] { ["items": VersionConverter()] }
    }

    @Test("A converter is checked for each specialization of a generic class")
    func generic() throws {
        let page = try Page<Version>(json: #"{"items": ["1.2"]}"#)
        #expect(page.items == [Version(parts: [1, 2])])
        let error = #expect(throws: ModelError.self) { try Page<Int>(json: "{}") }
        #expect(
            error?.description
                == "Page<Int> cannot be mapped: propertyConverters gives items a converter for Version, but the "
                + "property is of "
                + "type Array<Int>; use a converter for that type, for what it wraps or for its elements.")
    }
}
