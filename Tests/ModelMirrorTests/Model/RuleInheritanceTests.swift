import Foundation
import ModelMirror
import ModelMirrorTesting
import Testing

/// States every rule; its subclasses add to them without calling `super`.
private class Base: AbstractModel {
    var keyed = 0
    var ignored = 0
    var readOnly = 0
    var writeOnly = 0
    var required = 0
    var converted = 0
    var dated: Date?

    override class var propertyKeys: [String: PropertyKey] { ["keyed": "base_key"] }
    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var ignoredProperties: Set<String> { ["ignored"] }
    override class var readOnlyProperties: Set<String> { ["readOnly"] }
    override class var writeOnlyProperties: Set<String> { ["writeOnly"] }
    override class var requiredProperties: Set<String> { ["required"] }
    override class var propertyConverters: [String: any Converter] { ["converted": Times(10)] }
    override class var propertyDateFormats: [String: String] { ["dated": "yyyy"] }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        HookProbe.current?.note("Base \(property)")
        return false
    }
}

private struct Times: Converter {
    let factor: Int
    init(_ factor: Int) { self.factor = factor }
    func value(from json: JSONValue) throws -> Int { (json.int ?? 0) * factor }
    func json(from value: Int) throws -> JSONValue { .number(JSONNumber(value / factor)) }
}

/// States no rules.
private class Silent: Base {
    var moreWords = 0
}

/// Adds a rule of each kind for properties of its own.
private class Adding: Silent {
    var secondKeyed = 0
    var secondIgnored = 0
    var secondWriteOnly = 0
    var secondRequired = 0
    var secondConverted = 0
    var secondDated: Date?

    override class var propertyKeys: [String: PropertyKey] { ["secondKeyed": "2"] }
    override class var ignoredProperties: Set<String> { ["secondIgnored"] }
    override class var writeOnlyProperties: Set<String> { ["secondWriteOnly"] }
    override class var requiredProperties: Set<String> { ["secondRequired"] }
    override class var propertyConverters: [String: any Converter] { ["secondConverted": Times(100)] }
    override class var propertyDateFormats: [String: String] { ["secondDated": "dd.MM.yyyy"] }
}

/// States other rules for its superclass's properties.
private class Replacing: Base {
    override class var propertyKeys: [String: PropertyKey] {
        ["keyed": ["new_key", "newer_key"], "required": "needed"]
    }
    override class var keyStrategy: KeyStrategy { .kebabCase }
    override class var propertyConverters: [String: any Converter] { ["converted": Times(1000)] }
    override class var propertyDateFormats: [String: String] { ["dated": "dd.MM.yyyy"] }
}

/// Calls `super`, which changes nothing.
private class Calling: Base {
    var extra = 0

    override class var propertyKeys: [String: PropertyKey] {
        super.propertyKeys.merging(["extra": "extra_key"]) { $1 }
    }
    override class var requiredProperties: Set<String> { super.requiredProperties.union(["extra"]) }
    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        HookProbe.current?.note("Calling \(property)")
        return super.shouldFail(withInvalidValue: value, forProperty: property)
    }
}

@Suite("Inherited rules")
struct RuleInheritanceTests {
    private static let members = """
        "base_key": 1, "ignored": 2, "read_only": 3, "write_only": 4, "required": 5, "converted": 6, "dated": "1971"
        """

    private static let year = Date(timeIntervalSince1970: 365 * 86_400)

    private static func values(_ base: Base) -> [Int] {
        [base.keyed, base.ignored, base.readOnly, base.writeOnly, base.required, base.converted]
    }

    @Test("A subclass inherits all rules, and the key strategy applies to its own properties")
    func silent() throws {
        let object = try Silent(json: #"{\#(Self.members), "more_words": 7}"#)
        #expect(Self.values(object) == [1, 0, 3, 0, 5, 60])
        #expect((object.dated, object.moreWords) == (Self.year, 7))
        #expect(
            Thrown.lines { try Silent(json: "{}") } == [
                "Silent.required at $.required (line 1, column 1): expected an integer, found no such key."
            ])
    }

    @Test("A subclass adds rules without calling super")
    func adding() throws {
        let object = try Adding(
            json: """
                {\(Self.members), "2": 11, "second_ignored": 12, "second_write_only": 13, "second_required": 14,
                 "second_converted": 15, "second_dated": "01.01.1971"}
                """)
        #expect(Self.values(object) == [1, 0, 3, 0, 5, 60])
        #expect(object.dated == Self.year)
        let own = [
            object.secondKeyed, object.secondIgnored, object.secondWriteOnly, object.secondRequired,
            object.secondConverted,
        ]
        #expect(own == [11, 0, 0, 14, 1500])
        #expect(object.secondDated == Self.year)
        #expect(
            Thrown.error { try Adding(json: "{}") }?.valueFailures.map { "\($0.path)" } == [
                "$.required", "$.second_required",
            ])
    }

    @Test("A subclass's rules override inherited ones and leave the superclass unchanged")
    func replacing() throws {
        let object = try Replacing(
            json: """
                {"new_key": 1, "base_key": 9, "read-only": 3, "needed": 5, "converted": 6, "dated": "01.01.1971"}
                """)
        #expect(Self.values(object) == [1, 0, 3, 0, 5, 6000])
        #expect(object.dated == Self.year)
        #expect(try Replacing(json: #"{"newer_key": 2, "needed": 1}"#).keyed == 2)
        #expect(
            Thrown.lines { try Replacing(json: #"{"required": 1}"#) } == [
                "Replacing.required at $.needed (line 1, column 1): expected an integer, found no such key."
            ])

        let base = try Base(json: "{\(Self.members)}")
        #expect(Self.values(base) == [1, 0, 3, 0, 5, 60])
    }

    @Test("Calling super in a rule changes nothing, and hooks are overridden like ordinary methods")
    func calling() throws {
        let object = try Calling(json: #"{\#(Self.members), "extra_key": 8}"#)
        #expect(Self.values(object) == [1, 0, 3, 0, 5, 60])
        #expect(object.extra == 8)
        let probe = HookProbe()
        _ = try Calling(
            json: #"{"required": 1, "extra_key": 2, "read_only": 3, "base_key": []}"#, options: probe.options())
        #expect(
            probe.calls == [
                "Calling keyed", "Base keyed", "Calling converted", "Base converted", "Calling dated", "Base dated",
            ])
    }

    @Test("A key strategy or date conversion given as a closure replaces that of the superclass")
    func closures() throws {
        let object = try Lowered(json: #"{"x_name": 1, "X_NAME": 2, "made": "3", "MADE": "4"}"#)
        #expect(object.name == 2)
        let dated = try Doubled(json: #"{"x_name": 5, "x_made": 6}"#)
        #expect((dated.name, dated.made) == (5, Date(timeIntervalSince1970: 12)))
        #expect(try Plainly(json: #"{"x_made": 6}"#).made == Date(timeIntervalSince1970: 6))
    }

    @Test(
        "A rule for a property that a superclass ignores is rejected",
        arguments: [
            (Unhiding.self, "propertyKeys", "hidden"), (Requiring.self, "requiredProperties", "hidden"),
            (Converting.self, "propertyConverters", "number"), (Dating.self, "propertyDateFormats", "day"),
            (Tagging.self, "dynamicPropertyTypes", "model"), (ReadingOnly.self, "readOnlyProperties", "number"),
            (WritingOnly.self, "writeOnlyProperties", "number"),
        ] as [(AbstractModel.Type, String, String)])
    func rulesOfIgnored(_ model: AbstractModel.Type, _ rule: String, _ name: String) throws {
        let reason = "\(rule) names \"\(name)\", which a superclass ignores; a subclass cannot map it again"
        #expect(try Refusal.sentence(of: model) == "\(model) cannot be mapped: \(reason).")
        #expect(ModelCheck.check(model).map(\.reason) == [reason])
    }

    @Test("A subclass of a class that ignores properties can have rules for others")
    func rulesBesideIgnored() throws {
        #expect(try Harmless(json: #"{"o": 1}"#).own == 1)
        #expect(try Taking(json: #"{"a": 1}"#).rest == ["a": 1])
    }
}

private class Plainly: AbstractModel {
    var name = 0
    var made: Date?
    override class var keyStrategy: KeyStrategy { .custom { "x_\($0)" } }
    override class var mappingOptions: MappingOptions {
        MappingOptions(
            dates: .converting(Double.self) {
                Date(timeIntervalSince1970: $0)
            } back: {
                $0.timeIntervalSince1970
            })
    }
}

private final class Lowered: Plainly {
    override class var keyStrategy: KeyStrategy { .custom { "x_\($0)".uppercased() } }
    override class var mappingOptions: MappingOptions { MappingOptions() }
}

private final class Doubled: Plainly {
    override class var mappingOptions: MappingOptions {
        MappingOptions(
            dates: .converting(Double.self) {
                Date(timeIntervalSince1970: $0 * 2)
            } back: {
                $0.timeIntervalSince1970
            })
    }
}

private class Ignoring: AbstractModel {
    var hidden = 0
    var shown = 0
    override class var ignoredProperties: Set<String> { ["hidden"] }
}
private class Unhiding: Ignoring {
    override class var propertyKeys: [String: PropertyKey] { ["hidden": "h"] }
}
private class Requiring: Ignoring {
    override class var requiredProperties: Set<String> { ["hidden"] }
}
private class HiddenRules: AbstractModel {
    var number = 0
    var day: Date?
    var model: Plainly?
    override class var ignoredProperties: Set<String> { ["number", "day", "model"] }
}
private class Converting: HiddenRules {
    override class var propertyConverters: [String: any Converter] { ["number": Times(10)] }
}
private class Dating: HiddenRules {
    override class var propertyDateFormats: [String: String] { ["day": "yyyy"] }
}
private class Tagging: HiddenRules {
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["model": DynamicPropertyTypes(named: "type", ["p": Plainly.self])]
    }
}
private class ReadingOnly: HiddenRules { override class var readOnlyProperties: Set<String> { ["number"] } }
private class WritingOnly: HiddenRules { override class var writeOnlyProperties: Set<String> { ["number"] } }
private class Taking: HiddenRules {
    var rest: [String: JSONValue] = [:]
    override class var unknownKeysProperty: String? { "rest" }
    override class var redactedProperties: Set<String> { ["number"] }
}
private class Harmless: Ignoring {
    var own = 0
    override class var propertyKeys: [String: PropertyKey] { ["own": "o"] }
}
