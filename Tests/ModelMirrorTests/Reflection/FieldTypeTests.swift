import Foundation
import ModelMirror
import Testing

/// Fields of every kind of type are stored at their place: each is read from JSON, and the bytes between them are unchanged.
@Suite("Field types")
struct FieldTypeTests {
    @Test("Structures, tuples and enums of any size and alignment are stored in place")
    func valueTypes() throws {
        let model = try Values(
            json: """
                {"a": 1, "structure": {"flag": true, "number": 2}, "b": 2, "small": 200, "c": 3, "wide": 5,
                "d": 4, "payload": "rect 3 4", "e": 5, "plain": "green", "f": 6, "pair": 8, "h": 8,
                "vector": 10, "k": 10, "indirect": 3, "l": 11}
                """)
        let flags = [model.a, model.b, model.c, model.d, model.e, model.f, model.h, model.k, model.l]
        #expect(flags == Array(repeating: true, count: 9))
        #expect(model.structure == Structure(flag: true, number: 2))
        #expect((model.small, model.wide) == (200, 5))
        #expect(model.payload == .rectangle(width: 3, height: 4))
        #expect((model.plain, model.pair.name, model.pair.count) == (.green, "8", 8))
        #expect(model.vector == SIMD4(10, 20, 30, 40))
        #expect(model.indirect.depth == 3)
    }

    @Test("Zero-sized types, which the runtime places at offset 0, are mapped or ignored")
    func emptyTypes() throws {
        let (model, report) = try Empties.mapReporting(
            json: #"{"before": 1, "single": "x", "maybe": "x", "cleared": null, "empty": {}, "marker": 5, "after": 2}"#)
        #expect((model.before, model.single, model.maybe, model.empty, model.after) == (1, .only, .only, Empty(), 2))
        #expect(model.cleared == nil)
        #expect(report.description == "nothing to report")
        #expect(
            Thrown.error { try Empties(json: #"{"single": "other"}"#, options: .strict) }?.valueFailures.map {
                "\($0.path)"
            } == ["$.single"])
    }

    @Test("Optionals of every layout are set to a value and to nil")
    func optionals() throws {
        let filled = try Optionals(
            json: """
                {"bool": true, "byte": 1, "int": 2, "text": "t", "twice": 3, "structure": {"flag": true, "number": 4},
                "payload": "circle 5", "list": [6], "child": {"a": 7}, "date": "1970-01-01T00:00:08Z", "guard": 9}
                """)
        #expect((filled.bool, filled.byte, filled.int, filled.text, filled.twice) == (true, 1, 2, "t", 3))
        #expect(filled.structure == Structure(flag: true, number: 4))
        #expect(filled.payload == .circle(radius: 5))
        #expect((filled.list, filled.child?.a, filled.date) == ([6], true, Date(timeIntervalSince1970: 8)))
        #expect(filled.guard == 9)
        let emptied = try Optionals(
            json: """
                {"bool": null, "byte": null, "int": null, "text": null, "twice": null, "structure": null,
                "payload": null, "list": null, "child": null, "date": null, "guard": 1}
                """)
        #expect((emptied.bool, emptied.byte, emptied.int, emptied.text) == (nil, nil, nil, nil))
        #expect(emptied.twice == .none)
        #expect((emptied.structure, emptied.payload, emptied.list) == (nil, nil, nil))
        #expect(emptied.child == nil)
        #expect((emptied.date, emptied.guard) == (nil, 1))
    }

    @Test("Any, AnyObject and existentials of protocols are stored in their own layout")
    func existentials() throws {
        let (model, report) = try Existentials.mapReporting(
            json: """
                {"before": 1, "anything": [1, "two", null], "maybeAnything": 2, "object": 3, "value": 4, "maybeValue": null,
                "composed": 6, "constrained": 7, "error": 8, "after": 9}
                """)
        #expect(model.before == 1)
        let list = try #require(model.anything as? [Any])
        #expect(list.count == 3)
        #expect(list[0] as? Int == 1)
        #expect(list[1] as? String == "two")
        #expect(list[2] as? JSONValue == .null)
        #expect(model.maybeAnything as? Int == 2)
        #expect((model.object as? Thing)?.number == 3)
        #expect(model.value.number == 4)
        #expect(model.maybeValue == nil)
        #expect(model.composed.number == 6)
        #expect(Array(model.constrained) == [7])
        #expect((model.error as? Failure)?.number == 8)
        #expect(model.after == 9)
        #expect(report.description == "nothing to report")
    }

    @Test("An existential without a conversion is assigned by the model or makes the class invalid")
    func unconvertedExistential() throws {
        #expect(try Unconverted(json: "{}").value.number == 1)
        #expect(
            Thrown.text { try Unconverted(json: #"{"value": 4}"#) }
                == "Unconverted cannot be mapped: nothing converts its property value of type Valued; declare it as Any or JSONValue, give it a converter in "
                + "propertyConverters, make the type JSONConvertible or Decodable, assign it in "
                + "assign(undefinedValue:forProperty:), or name it in ignoredProperties.")
        let model = try SelfAssigning(json: #"{"value": 4, "maybe": null}"#)
        #expect(model.value.number == 4)
        #expect(model.maybe == nil)
    }

    @Test("Foundation types, whose layout only Foundation knows, are stored in place")
    func foundationTypes() throws {
        let model = try Resilient(
            json: """
                {"a": 1, "url": "https://example.com/a", "b": 2, "data": "AQID", "c": 3, "date": "1970-01-01T00:00:01Z", "d": 4,
                "uuid": "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "e": 5, "decimal": 1.25, "f": 6, "zone": "UTC", "g": 7,
                "locale": "de_DE", "h": 8, "maybeURL": "b", "i": 9, "urls": ["c", "d"], "j": 10, "components": {"year": 2016}}
                """)
        #expect(
            [model.a, model.b, model.c, model.d, model.e, model.f, model.g, model.h, model.i, model.j] == [
                1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
            ])
        #expect((model.url.absoluteString, model.data) == ("https://example.com/a", Data([1, 2, 3])))
        #expect(model.date == Date(timeIntervalSince1970: 1))
        #expect(model.uuid == UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
        #expect((model.decimal, model.zone) == (Decimal(string: "1.25"), TimeZone(identifier: "UTC")))
        #expect((model.locale, model.maybeURL?.absoluteString) == (Locale(identifier: "de_DE"), "b"))
        #expect((model.urls.map(\.absoluteString), model.components.year) == (["c", "d"], 2016))
    }

    @Test("Implicitly unwrapped Optionals are mapped like plain Optionals")
    func implicitlyUnwrapped() throws {
        let model = try Unwrapped(json: #"{"text": "x", "number": 5, "child": {"text": "y"}, "list": [1]}"#)
        #expect((model.text, model.number, model.child.text, model.list) == ("x", 5, "y", [1]))
    }

    @Test("Storing a field leaves the bytes around it unchanged", arguments: 0..<16)
    func neighbors(_ written: Int) throws {
        let model = try Neighbors(json: "{\"b\(written)\": 255}")
        let bytes = [
            model.b0, model.b1, model.b2, model.b3, model.b4, model.b5, model.b6, model.b7, model.b8, model.b9,
            model.b10,
            model.b11, model.b12, model.b13, model.b14, model.b15,
        ]
        #expect(bytes == (0..<16).map { $0 == written ? 255 : UInt8($0) })
    }
}

// MARK: Types

private struct Structure: Equatable, Codable {
    var flag = false
    var number = 0
}

private struct Empty: Equatable, Codable {}

/// Without a conversion.
private struct Marker {}

private enum Color: String { case red, green, blue }

private enum Only: String { case only = "x" }

private enum Shape: Equatable, JSONConvertible {
    case nothing
    case circle(radius: Int)
    case rectangle(width: Int, height: Int)

    init(json: JSONValue) throws {
        let words = (json.string ?? "").split(separator: " ")
        switch (words.first, words.dropFirst().compactMap { Int($0) }) {
        case ("circle", let sizes) where sizes.count == 1: self = .circle(radius: sizes[0])
        case ("rect", let sizes) where sizes.count == 2: self = .rectangle(width: sizes[0], height: sizes[1])
        default: throw ConversionError(expected: "a shape")
        }
    }

    func json() throws -> JSONValue { .null }
}

private indirect enum Chain: JSONConvertible {
    case end
    case link(Chain)

    init(json: JSONValue) throws {
        self = (0..<(json.int ?? 0)).reduce(.end) { chain, _ in .link(chain) }
    }

    func json() throws -> JSONValue { .null }

    var depth: Int {
        switch self {
        case .end: 0
        case .link(let next): next.depth + 1
        }
    }
}

private protocol Valued {
    var number: Int { get }
}

private protocol Thingly: AnyObject {
    var number: Int { get }
}

private struct Value: Valued, Sendable { var number: Int }

private final class Thing: Valued, Thingly, Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
}

private struct Failure: Error { var number: Int }

/// Makes a value of an integer.
private struct FromInteger<Value>: Converter {
    let make: @Sendable (Int) -> Value
    func value(from json: JSONValue) throws -> Value {
        guard let number = json.int else { throw ConversionError(expected: "an integer") }
        return make(number)
    }
    func json(from value: Value) throws -> JSONValue { .null }
}

// MARK: Models

/// A `Bool` between any two fields shows whether a value is stored at a wrong place or is too long.
private final class Values: AbstractModel {
    var a = false
    var structure = Structure()
    var b = false
    var small: UInt8 = 0
    var c = false
    var wide: Int128 = 0
    var d = false
    var payload = Shape.nothing
    var e = false
    var plain = Color.red
    var f = false
    var pair: (name: String, count: UInt16) = ("", 0)
    var h = false
    var vector = SIMD4<Double>()
    var k = false
    var indirect = Chain.end
    var l = false

    override class var propertyConverters: [String: any Converter] {
        [
            "pair": FromInteger<(name: String, count: UInt16)> { ("\($0)", UInt16($0)) },
            "vector": FromInteger<SIMD4<Double>> { SIMD4(1, 2, 3, 4) * Double($0) },
        ]
    }
}

private final class Empties: AbstractModel {
    var before = 0
    var single = Only.only
    var maybe: Only?
    var cleared: Only? = .only
    var empty = Empty()
    var marker = Marker()
    var after = 0

    override class var ignoredProperties: Set<String> { ["marker"] }
}

private final class Optionals: AbstractModel {
    var bool: Bool? = false
    var byte: UInt8? = 0
    var int: Int? = 0
    var text: String? = ""
    var twice: Int?? = 0
    var structure: Structure? = Structure()
    var payload: Shape? = .nothing
    var list: [Int]? = []
    var child: Values? = Values()
    var date: Date? = Date(timeIntervalSince1970: 0)
    var `guard` = 0
}

private final class Existentials: AbstractModel {
    var before = 0
    var anything: Any = 0
    var maybeAnything: Any?
    var object: AnyObject? = Thing(1)
    var value: any Valued = Value(number: 1)
    var maybeValue: (any Valued)? = Value(number: 1)
    var composed: any (Valued & Thingly) = Thing(1)
    var constrained: any Collection<Int> = [1]
    var error: any Error = Failure(number: 1)
    var after = 0

    override class var propertyConverters: [String: any Converter] {
        [
            "object": FromInteger<AnyObject> { Thing($0) }, "value": FromInteger<any Valued> { Value(number: $0) },
            "maybeValue": FromInteger<any Valued> { Value(number: $0) },
            "composed": FromInteger<any (Valued & Thingly)> { Thing($0) },
            "constrained": FromInteger<any Collection<Int>> { Set([$0]) },
            "error": FromInteger<any Error> { Failure(number: $0) },
        ]
    }
}

private final class Unconverted: AbstractModel {
    var value: any Valued = Value(number: 1)
}

private final class SelfAssigning: AbstractModel {
    var value: any Valued = Value(number: 1)
    var maybe: (any Valued)? = Value(number: 1)
    override func assign(undefinedValue value: Any?, forProperty property: String) throws {
        if property == "value" { self.value = Value(number: value as? Int ?? 0) }
    }
}

private final class Resilient: AbstractModel {
    var a: UInt8 = 0
    var url = URL(fileURLWithPath: "/")
    var b: UInt8 = 0
    var data = Data()
    var c: UInt8 = 0
    var date = Date(timeIntervalSince1970: 0)
    var d: UInt8 = 0
    var uuid = UUID()
    var e: UInt8 = 0
    var decimal = Decimal()
    var f: UInt8 = 0
    var zone = TimeZone.current
    var g: UInt8 = 0
    var locale = Locale.current
    var h: UInt8 = 0
    var maybeURL: URL?
    var i: UInt8 = 0
    var urls: [URL] = []
    var j: UInt8 = 0
    var components = DateComponents()
}

private final class Unwrapped: AbstractModel {
    var text: String!
    var number: Int!
    var child: Unwrapped!
    var list: [Int]!
}

private final class Neighbors: AbstractModel {
    var b0: UInt8 = 0
    var b1: UInt8 = 1
    var b2: UInt8 = 2
    var b3: UInt8 = 3
    var b4: UInt8 = 4
    var b5: UInt8 = 5
    var b6: UInt8 = 6
    var b7: UInt8 = 7
    var b8: UInt8 = 8
    var b9: UInt8 = 9
    var b10: UInt8 = 10
    var b11: UInt8 = 11
    var b12: UInt8 = 12
    var b13: UInt8 = 13
    var b14: UInt8 = 14
    var b15: UInt8 = 15
}
