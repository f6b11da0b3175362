import ModelMirror
import Synchronization
import Testing

/// Functions, metatypes, `()`, and Optionals and tuples of them have no row: they are neither read nor written, whatever the
/// JSON and the rules of the class say.
@Suite("Fields of unstorable types")
struct UnstorableFieldTests {
    @Test("Function properties keep their values, and their neighbors are mapped")
    func functionsAreLeftAlone() throws {
        let (button, report) = try Button.mapReporting(
            json: """
                {"before": 10, "plain": 1, "optional": 2, "sendable": 3, "isolated": 4, "throwing": 5, "pair": [6, 7],
                "labeled": {"name": "y"}, "optionalPair": null, "twice": 8, "after": 20}
                """)
        #expect(button.before == 10)
        #expect(button.plain() == 7)
        #expect(button.optional?(1) == 2)
        #expect(button.sendable() == 8)
        #expect(try button.throwing(4) == "4")
        #expect(button.pair.0() == 9)
        #expect(button.pair.1(4) == 8)
        #expect(button.labeled.name == "x")
        #expect(button.labeled.action() == 10)
        #expect(button.optionalPair?.1() == 12)
        #expect(button.twice??() == 13)
        #expect(button.after == 20)
        #expect(
            report.entries.map { "\($0.kind) \($0.path)" } == [
                "unknownKey $.plain", "unknownKey $.optional", "unknownKey $.sendable", "unknownKey $.isolated",
                "unknownKey $.throwing", "unknownKey $.pair", "unknownKey $.labeled", "unknownKey $.optionalPair",
                "unknownKey $.twice",
            ])
    }

    @Test("A class with metatypes of constrained existentials can be mapped")
    func constrainedMetatypes() throws {
        let (shelf, report) = try Shelf.mapReporting(json: #"{"before": 10, "kind": 1, "ignored": 2, "after": 20}"#)
        #expect("\(shelf)" == "Shelf(before: 10, kinds: [], after: 20)")
        #expect([shelf.before, shelf.after] == [10, 20])
        #expect(shelf.kind == nil)
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["missing $.kinds", "unknownKey $.kind"])
        #expect(
            Thrown.text { try Shelf(json: #"{"kinds": [1]}"#) }
                == "Shelf cannot be mapped: nothing converts its property kinds of type [any Protocol<…>.Type]; give it a "
                + "converter in propertyConverters, make the type JSONConvertible or Decodable, assign it in "
                + "assign(undefinedValue:forProperty:), or name it in ignoredProperties.")
    }

    @Test("Function properties of a generic class are left unchanged")
    func functionsOfGenericClassesAreLeftAlone() throws {
        let (box, report) = try Generic<(Int) -> Int>.mapReporting(json: #"{"before": 10, "value": 1, "after": 20}"#)
        #expect(box.before == 10)
        #expect(box.value == nil)
        #expect(box.after == 20)
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["unknownKey $.value"])
    }

    @Test("Metatype properties keep their values, and their neighbors are mapped")
    func metatypesAreLeftAlone() throws {
        let json = """
            {"before": 10, "thin": 1, "thick": 2, "anyClass": 3, "existential": 4, "protocolItself": 5, "optional": null,
            "pair": [1, 2], "after": 20}
            """
        let (schema, report) = try Schema.mapReporting(json: json)
        #expect(schema.before == 10)
        #expect(ObjectIdentifier(schema.thin) == ObjectIdentifier(Int.self))
        #expect(ObjectIdentifier(schema.thick) == ObjectIdentifier(String.self))
        #expect(ObjectIdentifier(schema.anyClass) == ObjectIdentifier(Schema.self))
        #expect(ObjectIdentifier(schema.existential) == ObjectIdentifier(Schema.self))
        #expect(schema.optional.map(ObjectIdentifier.init) == ObjectIdentifier(Bool.self))
        #expect(schema.pair.0 == 1)
        #expect(ObjectIdentifier(schema.pair.1) == ObjectIdentifier(Double.self))
        #expect(schema.after == 20)
        #expect(
            report.entries.map { "\($0.kind) \($0.path)" } == [
                "unknownKey $.thin", "unknownKey $.thick", "unknownKey $.anyClass", "unknownKey $.existential",
                "unknownKey $.protocolItself", "unknownKey $.optional", "unknownKey $.pair",
            ])
    }

    @Test("Void properties and a tuple that contains Void are left unchanged")
    func voidIsLeftAlone() throws {
        let json = #"{"before": 10, "nothing": {}, "maybe": null, "perhaps": null, "pair": [1, {}], "after": 20}"#
        let (unit, report) = try Unit.mapReporting(json: json)
        #expect((unit.before, unit.pair.0, unit.after) == (10, 1, 20))
        #expect(unit.maybe != nil && unit.perhaps != nil)
        #expect(
            report.entries.map { "\($0.kind) \($0.path)" } == [
                "unknownKey $.nothing", "unknownKey $.maybe", "unknownKey $.perhaps", "unknownKey $.pair",
            ])
    }

    @Test("Noncopyable properties are left unchanged and never copied")
    func noncopyableFieldsAreLeftAlone() throws {
        // The first call on a class may make an object of it for the table.
        _ = try Noncopyable.mapReporting(json: "{}")
        let ends = Ends()
        try Ends.$current.withValue(ends) {
            let (model, report) = try Noncopyable.mapReporting(
                json: #"{"before": 10, "token": 1, "maybe": null, "lock": 2, "after": 20}"#)
            #expect((model.before, model.token.number, model.after) == (10, 5, 20))
            #expect(
                report.entries.map { "\($0.kind) \($0.path)" } == [
                    "unknownKey $.token", "unknownKey $.maybe", "unknownKey $.lock",
                ])
            #expect(ends.count == 0)
        }
        #expect(ends.count == 2)
    }

    @Test("A converter for a function, metatype or Void property makes the class invalid")
    func convertersAreRefused() throws {
        for (model, name, property, type) in [
            (Converted<PlainFunction>.self, "PlainFunction", "plain", "() -> Int"),
            (Converted<OptionalFunction>.self, "OptionalFunction", "optional", "((Int) -> Int)?"),
            (Converted<SendableFunction>.self, "SendableFunction", "sendable", "@Sendable () -> Int"),
            (Converted<FunctionPair>.self, "FunctionPair", "pair", "(() -> Int, (Int) -> Int)"),
            (Converted<ThinMetatype>.self, "ThinMetatype", "thin", "Int.Type"),
            (Converted<OptionalMetatype>.self, "OptionalMetatype", "metatype", "Any.Type?"),
            (Converted<Nothing>.self, "Nothing", "nothing", "()"),
            (Converted<PairWithNothing>.self, "PairWithNothing", "unitPair", "(Int, ())"),
        ] as [(AbstractModel.Type, String, String, String)] {
            #expect(
                try Refusal.sentence(of: model)
                    == "Converted<\(name)> cannot be mapped: propertyConverters names \"\(property)\", which has the type "
                    + "\(type), and functions and metatypes cannot be mapped; assign it in didMap().")
        }
    }

    @Test("No rule but ignoredProperties can name a function property")
    func otherRulesAreRefused() throws {
        func sentence(_ model: String, _ rule: String) -> String {
            "\(model) cannot be mapped: \(rule) names \"action\", which has the type () -> (), and functions and metatypes "
                + "cannot be mapped; assign it in didMap()."
        }
        for (model, name, rule) in [
            (Keyed.self, "Keyed", "propertyKeys"), (ReadOnly.self, "ReadOnly", "readOnlyProperties"),
            (WriteOnly.self, "WriteOnly", "writeOnlyProperties"), (Required.self, "Required", "requiredProperties"),
            (Formatted.self, "Formatted", "propertyDateFormats"),
        ] as [(AbstractModel.Type, String, String)] {
            #expect(try Refusal.sentence(of: model) == sentence(name, rule), "\(name)")
        }
        #expect(try Refusal.sentence(of: Ignored.self) == nil)
    }

    @Test("A model can assign function and metatype properties in didMap")
    func didMapAssigns() throws {
        let model = try Assigning(json: #"{"factor": 3}"#)
        #expect(model.multiply(5) == 15)
        #expect(ObjectIdentifier(model.kind) == ObjectIdentifier(Int.self))
    }

    @Test("Functions and metatypes are found in tuples of tuples, and in metatypes of any form")
    func deepFunctionsAndMetatypes() throws {
        let json = "{" + (0..<10).map { "\"m\($0)\":null" }.joined(separator: ",") + #","after":20}"#
        let (model, report) = try Buried<String>.mapReporting(json: json)
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == (0..<10).map { "unknownKey $.m\($0)" })
        #expect(model.after == 20 && model.m0.1?.1() == 7 && model.m1.0.1.0.1() == 8 && model.m2.then(1)(2) == 3)
        #expect(model.m3("x") == "x" && model.m4 == Button.self && model.m8.1 == String.self)
        #expect(try model.copy().after == 20)
    }

    @Test("Nominal types, and tuples of them, are mapped whatever their names and type arguments")
    func nominalTypesAreMapped() throws {
        let model = try Nominal(json: #"{"functions": [1, 2], "code": 3, "codes": 3, "version": 4, "pair": 3}"#)
        #expect(model.functions.map { $0() } == [1, 2])
        #expect(model.code == TypeCode(number: 3))
        #expect(model.codes == (3, TypeCode(number: 3)))
        #expect(model.version == (4, ProtocolVersion(number: 4)))
        #expect(model.pair.0 == 3 && model.pair.1.functions.map { $0() } == [3])
    }
}

// MARK: Models

private final class Button: AbstractModel {
    var before = 1
    var plain: () -> Int = { 7 }
    var optional: ((Int) -> Int)? = { $0 + 1 }
    var sendable: @Sendable () -> Int = { 8 }
    var isolated: @MainActor () -> Int = { 11 }
    var throwing: (Int) throws(ConversionError) -> String = { "\($0)" }
    var pair: (() -> Int, (Int) -> Int) = ({ 9 }, { $0 * 2 })
    var labeled: (name: String, action: () -> Int) = ("x", { 10 })
    var optionalPair: (Int, () -> Int)? = (1, { 12 })
    var twice: (() -> Int)?? = { 13 }
    var after = 2
}

private protocol Pressable {}
extension Button: Pressable {}

private final class Buried<Value>: AbstractModel {
    var m0: (Int, (String, () -> Int)?) = (1, ("x", { 7 }))
    var m1: ((Int, ((Int, () -> Int), Int)), Int) = ((1, ((2, { 8 }), 3)), 4)
    var m2: (count: Int, then: (Int) -> (Int) -> Int) = (1, { left in { left + $0 } })
    var m3: (Value) -> Value = { $0 }
    var m4: any (Pressable & MappedModel).Type = Button.self
    var m5: (any Error & Sendable).Type = (any Error & Sendable).self
    var m6: any ~Copyable.Type = Token.self
    var m7: any Any.Type.Type = Int.Type.self
    var m8: (Int, Value.Type) = (1, Value.self)
    var m9: (Int, Int).Type = (Int, Int).self
    var after = 2
}

private final class Shelf: AbstractModel {
    var before = 1
    var kind: (any Collection<String>.Type)?
    var ignored: [any Sequence<Int>.Type] = []
    var held = Holder<any Sequence<Int>.Type>(functions: [])
    var kinds: [any Sequence<Int>.Type] = []
    var after = 2

    override class var ignoredProperties: Set<String> { ["ignored", "held"] }
}

private final class Generic<Value>: AbstractModel {
    var before = 1
    var value: Value?
    var after = 2
}

private final class Schema: AbstractModel {
    var before = 1
    var thin: Int.Type = Int.self
    var thick: Any.Type = String.self
    var anyClass: AnyClass = Schema.self
    var existential: any MappedModel.Type = Schema.self
    var protocolItself: (any MappedModel).Type = (any MappedModel).self
    var optional: Any.Type? = Bool.self
    var pair: (Int, Any.Type) = (1, Double.self)
    var after = 2
}

private final class Unit: AbstractModel {
    var before = 1
    var nothing: Void = ()
    var maybe: Void? = ()
    var perhaps: Void?? = ()
    var pair: (Int, Void) = (1, ())
    var after = 2
}

/// Counts the `Token`s that are deinitialized.
private final class Ends: Sendable {
    @TaskLocal static var current: Ends?
    private let counter = Atomic(0)
    var count: Int { counter.load(ordering: .relaxed) }
    func add() { counter.add(1, ordering: .relaxed) }
}

private struct Token: ~Copyable {
    let number = 5
    let ends = Ends.current
    deinit { ends?.add() }
}

private final class Noncopyable: AbstractModel {
    var before = 1
    var token = Token()
    var maybe: Token? = Token()
    let lock = Mutex(0)
    var after = 2
}

/// Makes a value of the integer with a closure.
private struct Fixed<Value>: Converter {
    let make: @Sendable (Int) -> Value
    func value(from json: JSONValue) throws -> Value { make(json.int ?? 0) }
    func json(from value: Value) throws -> JSONValue { .null }
}

private protocol ConverterRule {
    static var converters: [String: any Converter] { get }
}

private final class Converted<Rule: ConverterRule>: AbstractModel {
    var plain: () -> Int = { 7 }
    var optional: ((Int) -> Int)?
    var sendable: @Sendable () -> Int = { 8 }
    var pair: (() -> Int, (Int) -> Int) = ({ 9 }, { $0 * 2 })
    var thin: Int.Type = Int.self
    var metatype: Any.Type?
    var nothing: Void = ()
    var unitPair: (Int, Void) = (1, ())
    override class var propertyConverters: [String: any Converter] { Rule.converters }
}

private enum PlainFunction: ConverterRule {
    static var converters: [String: any Converter] { ["plain": Fixed<() -> Int> { number in { number } }] }
}
private enum OptionalFunction: ConverterRule {
    static var converters: [String: any Converter] { ["optional": Fixed<(Int) -> Int> { number in { $0 + number } }] }
}
private enum SendableFunction: ConverterRule {
    static var converters: [String: any Converter] { ["sendable": Fixed<@Sendable () -> Int> { number in { number } }] }
}
private enum FunctionPair: ConverterRule {
    static var converters: [String: any Converter] {
        ["pair": Fixed<(() -> Int, (Int) -> Int)> { number in ({ number }, { $0 }) }]
    }
}
private enum ThinMetatype: ConverterRule {
    static var converters: [String: any Converter] { ["thin": Fixed<Int.Type> { _ in Int.self }] }
}
private enum OptionalMetatype: ConverterRule {
    static var converters: [String: any Converter] { ["metatype": Fixed<Any.Type> { _ in Int.self }] }
}
private enum Nothing: ConverterRule {
    static var converters: [String: any Converter] { ["nothing": Fixed<Void> { _ in }] }
}
private enum PairWithNothing: ConverterRule {
    static var converters: [String: any Converter] { ["unitPair": Fixed<(Int, Void)> { ($0, ()) }] }
}

/// A class whose subclasses name its function in a rule.
private class Acting: AbstractModel {
    var number = 0
    var action: () -> Void = {}
}
private final class Keyed: Acting {
    override class var propertyKeys: [String: PropertyKey] { ["action": "a"] }
}
private final class ReadOnly: Acting {
    override class var readOnlyProperties: Set<String> { ["action"] }
}
private final class WriteOnly: Acting {
    override class var writeOnlyProperties: Set<String> { ["action"] }
}
private final class Required: Acting {
    override class var requiredProperties: Set<String> { ["action"] }
}
private final class Formatted: Acting {
    override class var propertyDateFormats: [String: String] { ["action": "yyyy"] }
}
private final class Ignored: Acting {
    override class var ignoredProperties: Set<String> { ["action"] }
}

private final class Assigning: AbstractModel {
    var factor = 1
    var multiply: (Int) -> Int = { $0 }
    var kind: Any.Type = Any.self
    override func didMap() {
        multiply = { [factor] in $0 * factor }
        kind = Int.self
    }
}

private struct TypeCode: Equatable, JSONConvertible {
    var number: Int
    init(number: Int) { self.number = number }
    init(json: JSONValue) throws { number = json.int ?? -1 }
    func json() throws -> JSONValue { .number(JSONNumber(number)) }
}

private struct ProtocolVersion: Equatable {
    var number: Int
}

/// A generic type with an argument that has no row itself.
private struct Holder<Function> {
    var functions: [Function]
}

private final class Nominal: AbstractModel {
    var functions: [() -> Int] = []
    var code = TypeCode(number: 0)
    var codes = (1, TypeCode(number: 1))
    var version = (1, ProtocolVersion(number: 1))
    var pair: (Int, Holder<() -> Int>) = (1, Holder(functions: []))
    override class var propertyConverters: [String: any Converter] {
        [
            "functions": Fixed<() -> Int> { number in { number } },
            "codes": Fixed<(Int, TypeCode)> { ($0, TypeCode(number: $0)) },
            "version": Fixed<(Int, ProtocolVersion)> { ($0, ProtocolVersion(number: $0)) },
            "pair": Fixed<(Int, Holder<() -> Int>)> { number in (number, Holder(functions: [{ number }])) },
        ]
    }
}
