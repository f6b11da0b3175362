import Foundation
import ModelMirror
import Testing

/// Throws a ConversionError or a custom error.
private struct Money: JSONConvertible, Hashable {
    var cents: Int

    init(cents: Int) { self.cents = cents }

    init(json: JSONValue) throws {
        if json.bool != nil { throw Refused(reason: "money is no yes or no") }
        guard let cents = json.int else { throw ConversionError(expected: "an amount") }
        self.cents = cents
    }

    func json() throws -> JSONValue { .number(JSONNumber(cents)) }
}

private struct Refused: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
}

/// A reference type that is not a model.
private final class Token: JSONConvertible, Hashable, Sendable {
    let text: String
    init(text: String) { self.text = text }
    required init(json: JSONValue) throws { text = try #require(json.string) }
    func json() throws -> JSONValue { .string(text) }
    static func == (left: Token, right: Token) -> Bool { left.text == right.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

private struct Seed: InitializableWithDictionary, Hashable {
    var name: String
    var count: Int

    init(name: String, count: Int) { (self.name, self.count) = (name, count) }

    init(dictionary: [String: Any]) throws {
        guard let name = dictionary["name"] as? String else { throw ConversionError(expected: "an object with a name") }
        guard let count = dictionary["count"] as? Int else { throw Refused(reason: "no count in \(name)") }
        self.init(name: name, count: count)
    }
}

private struct Point: Codable, Hashable {
    var x: Double
    var y: Double
}

private enum Shape: Codable, Hashable {
    case circle(radius: Int)
    case square(side: Int)
}

@Suite("Custom types")
struct OwnTypesTests {
    @Test("JSONConvertible types are read by lenient and strict mapping")
    func convertible() {
        let table = ConversionTable(start: Money(cents: -1), expected: "an amount")
        table.takes("250", as: Money(cents: 250))
        ConversionTable(start: Token(text: "start"), expected: "").takes(#""\u0061""#, as: Token(text: "a"))
    }

    private final class Order: AbstractModel {
        var total = Money(cents: 1)
        var discount: Money?
        var parts: [Money] = [Money(cents: 2)]
        var byName: [String: [Money]] = [:]
        var seed = Seed(name: "start", count: 0)
        var seeds: [String: Seed] = [:]
        var point = Point(x: 1, y: 2)
        var points: [Point]?
        var shape: Shape?
    }

    @Test("The expectation of a ConversionError is reported")
    func conversionError() throws {
        let (order, report) = try Order.mapReporting(json: #"{"total": "2.50", "discount": []}"#)
        #expect(order.total == Money(cents: 1))
        #expect(order.discount == nil)
        #expect(
            report.entries.filter { $0.kind == .fallback }.map(\.description) == [
                #"fallback: Order.total at $.total (line 1, column 11): expected an amount, found the string "2.50"."#,
                "fallback: Order.discount at $.discount (line 1, column 31): expected an amount, found an array.",
            ])
        #expect(report.entries.filter { $0.kind == .fallback }.allSatisfy { $0.underlying == nil })
    }

    @Test("A custom error becomes the underlying error")
    func ownError() throws {
        let (order, report) = try Order.mapReporting(json: #"{"total": true}"#)
        #expect(order.total == Money(cents: 1))
        let entry = try #require(report.entries.first { $0.kind == .fallback })
        #expect(
            entry.description
                == "fallback: Order.total at $.total (line 1, column 11): expected a value for Money, found true: "
                + "money is no yes or no.")
        #expect((entry.underlying as? Refused)?.reason == "money is no yes or no")
        let error = #expect(throws: ModelError.self) { try Order(json: #"{"total": true}"#, options: .strict) }
        let failures = error?.valueFailures
        #expect(failures?.map(\.description) == [entry.description.replacing("fallback: ", with: "")])
        #expect((failures?.first?.underlying as? Refused)?.reason == "money is no yes or no")
    }

    @Test(
        "Rejected elements are skipped and reported with the errors they caused, which are all those of strict mapping")
    func elements() throws {
        let json = #"{"parts": [1, true, "2", 3], "byName": {"a": [true, 4]}}"#
        let messages = [
            "Order.parts at $.parts[1] (line 1, column 15): expected a value for Money, found true: money is no yes or no.",
            #"Order.parts at $.parts[2] (line 1, column 21): expected an amount, found the string "2"."#,
            "Order.byName at $.byName.a[0] (line 1, column 47): expected a value for Money, found true: money is no yes or no.",
        ]
        let order = try expectRejected(json, by: Order.self, as: .skipped, messages)
        #expect(order.parts == [Money(cents: 1), Money(cents: 3)])
        #expect(order.byName == ["a": [Money(cents: 4)]])
        let skipped = try Order.mapReporting(json: json).report.entries.filter { $0.kind == .skipped }
        #expect(
            skipped.map { ($0.underlying as? Refused)?.reason } == [
                "money is no yes or no", nil, "money is no yes or no",
            ])
    }

    @Test("null is passed to a JSONConvertible type unless the property is Optional")
    func null() throws {
        let (order, report) = try Order.mapReporting(json: #"{"total": null, "discount": null}"#)
        #expect(order.total == Money(cents: 1))
        #expect(order.discount == nil)
        #expect(
            report.entries.filter { $0.kind == .fallback }.map(\.description) == [
                "fallback: Order.total at $.total (line 1, column 11): expected an amount, found null."
            ])
    }

    @Test("With requiresNonOptional a null is a failure only if the JSONConvertible type rejects it")
    func requiredNull() throws {
        let options = MappingOptions(requiresNonOptional: true)
        let nulls = #"{"total": null, "note": null}"#
        let error = #expect(throws: ModelError.self) { try Bill(json: nulls, options: options) }
        #expect(error?.description == "Bill.total at $.total (line 1, column 11): expected an amount, found null.")
        let bill = try Bill(json: nulls)
        #expect(bill.total == Money(cents: 1))
        #expect(bill.note.text == "null")
        #expect(try Bill(json: #"{"total": 2, "note": null}"#, options: options).note.text == "null")
    }

    private final class Bill: AbstractModel {
        var total = Money(cents: 1)
        var note = Note(text: "start")
    }

    /// Accepts null.
    private struct Note: JSONConvertible {
        var text: String
        init(text: String) { self.text = text }
        init(json: JSONValue) { text = json.isNull ? "null" : "a value" }
        func json() throws -> JSONValue { .string(text) }
    }

    @Test("InitializableWithDictionary types are read from objects", arguments: [MappingOptions(), .strict])
    func dictionary(options: MappingOptions) throws {
        let json = #"{"seed": {"name": "a", "count": 2}, "seeds": {"k": {"name": "b", "count": 3, "more": [null]}}}"#
        let order = try Order(json: json, options: options)
        #expect(order.seed == Seed(name: "a", count: 2))
        #expect(order.seeds == ["k": Seed(name: "b", count: 3)])
    }

    @Test(
        "A value that an InitializableWithDictionary type rejects is reported with the reason",
        arguments: [
            ("[]", "expected an object, found an array."), (#""a""#, #"expected an object, found the string "a"."#),
            ("1", "expected an object, found the number 1."), ("null", "expected an object, found null."),
            (#"{"count": 1}"#, "expected an object with a name, found an object."),
            (#"{"name": "x"}"#, "expected an object for Seed, found an object: no count in x."),
        ])
    func noDictionary(json: String, sentence: String) throws {
        let message = "Order.seed at $.seed (line 1, column 10): \(sentence)"
        let order = try expectRejected(#"{"seed": \#(json)}"#, by: Order.self, [message])
        #expect(order.seed == Seed(name: "start", count: 0))
    }

    @Test("Decodable types are decoded from their part of the document", arguments: [MappingOptions(), .strict])
    func decodable(options: MappingOptions) throws {
        let json = #"""
            {"before": [1], "point" : {"x": 1.5, "y":-2}
            , "points": [ {"y": 0, "x": 0.25} ,{"x": 1, "y": 1}], "shape": {"circle": {"radius": 3}}}
            """#
        let order = try Order(json: json, options: options)
        #expect(order.point == Point(x: 1.5, y: -2))
        #expect(order.points == [Point(x: 0.25, y: 0), Point(x: 1, y: 1)])
        #expect(order.shape == .circle(radius: 3))
    }

    @Test(
        "A value that fails to decode is reported at its own path with a DecodingError",
        arguments: [
            (#"{"x": 1}"#, ".y", "a number"), (#"{"x": 1, "y": "a"}"#, ".y", "a number"), ("1", "", "an object"),
            ("[]", "", "an object"), (#""a""#, "", "an object"),
        ])
    func undecodable(json: String, place: String, expected: String) throws {
        let document = #"{"point": \#(json), "points": [\#(json), {"x": 3, "y": 4}]}"#
        let (order, report) = try Order.mapReporting(json: document)
        #expect(order.point == Point(x: 1, y: 2))
        #expect(order.points == [Point(x: 3, y: 4)])
        let entries = report.entries.filter { $0.kind != .missing }
        #expect(entries.map(\.kind) == [.fallback, .skipped])
        #expect(entries.map(\.path.description) == ["$.point\(place)", "$.points[0]\(place)"])
        #expect(entries.map(\.expected) == [expected, expected])
        #expect(entries.allSatisfy { $0.underlying is DecodingError })
        let error = #expect(throws: ModelError.self) { try Order(json: document, options: .strict) }
        let failures = error?.valueFailures
        #expect(failures?.map(\.path.description) == ["$.point\(place)", "$.points[0]\(place)"])
        #expect(failures?.allSatisfy { $0.underlying is DecodingError } == true)
    }

    private final class Options: AbstractModel {
        var seen: ContextReader?
    }

    private struct ContextReader: JSONConvertible {
        let context: String?
        init(json: JSONValue) throws { context = MappingContext.current as? String }
        func json() throws -> JSONValue { .null }
    }

    @Test("A JSONConvertible initializer can read the call's context")
    func context() throws {
        #expect(try Options(json: #"{"seen": 1}"#, options: MappingOptions(context: "here")).seen?.context == "here")
        #expect(try Options(json: #"{"seen": 1}"#).seen?.context == nil)
    }

    @Test("A raw value that is a collection fits only if all of its elements do")
    func partialRawValues() throws {
        let (tagged, report) = try Tagged.mapReporting(json: #"{"tags": ["a", 2]}"#)
        #expect(report.entries.map(\.kind) == [.fallback])
        #expect(tagged.tags.rawValue == ["default"])
        #expect(try Tagged(json: #"{"tags": ["a"]}"#).tags.rawValue == ["a"])
    }
}

private struct TagList: RawRepresentable { var rawValue: [String] }
private class Tagged: AbstractModel { var tags = TagList(rawValue: ["default"]) }
