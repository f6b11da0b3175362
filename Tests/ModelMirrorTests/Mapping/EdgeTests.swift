import Foundation
import ModelMirror
import ModelMirrorTesting
import Testing

// Rules for ignored properties, types that accept null, and property names beside a key strategy.

private struct Opaque { var id = 0 }

private class Holder: AbstractModel {
    var opaque: Opaque?
    var other = 0
    override class var ignoredProperties: Set<String> { [] }
}

private class Ping: AbstractModel {}
private class Pong: Ping { var at = 0 }
private class Wire: AbstractModel {
    var e = Ping()
    var list: [Ping] = []
}

private class Named: AbstractModel, ModelHashable {
    var id = 0
    var seen = 0
    static func == (left: Named, right: Named) -> Bool { left.id == right.id }
}
private class Around: AbstractModel {
    var one = Named()
    var many: [Named] = []
    var byName: [String: Named] = [:]
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
    var model: Inner?
    override class var ignoredProperties: Set<String> { ["number", "day", "model"] }
}
private class Converting: HiddenRules {
    override class var propertyConverters: [String: any Converter] { ["number": Dashes()] }
}
private class Dating: HiddenRules {
    override class var propertyDateFormats: [String: String] { ["day": "yyyy"] }
}
private class Tagging: HiddenRules {
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["model": DynamicPropertyTypes(named: "type", ["i": Inner.self])]
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

private class Followed: AbstractModel {
    var followers: Int?
    var single: Int?
    override class var propertyKeys: [String: PropertyKey] {
        ["followers": [.path("followers", "total"), "followers"], "single": .path("s", "total")]
    }
}

private struct NullAware: JSONConvertible, Equatable {
    var text: String
    init(_ text: String) { self.text = text }
    init(json: JSONValue) throws {
        guard let text = json.isNull ? "none" : json.string else { throw ConversionError(expected: "a text or null") }
        self.text = text
    }
    func json() throws -> JSONValue { .string(text) }
}
private struct NullHater: JSONConvertible, Equatable {
    var text = ""
    init() {}
    init(json: JSONValue) throws {
        guard let text = json.string else { throw ConversionError(expected: "a text") }
        self.text = text
    }
    func json() throws -> JSONValue { .string(text) }
}
private struct Flag: Codable, Equatable {
    var isSet: Bool
    init(_ isSet: Bool) { self.isSet = isSet }
    init(from decoder: any Decoder) throws { isSet = try !decoder.singleValueContainer().decodeNil() }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(isSet)
    }
}
private struct Dashes: Converter {
    func value(from json: JSONValue) throws -> Int {
        if json.isNull { return -1 }
        guard let number = json.int else { throw ConversionError(expected: "a number or null") }
        return number
    }
    func json(from value: Int) throws -> JSONValue { .number(JSONNumber(value)) }
}
private class Nulls: AbstractModel {
    var aware = NullAware("start")
    var hater = NullHater()
    var flag = Flag(true)
    var number = 5
    var optional: NullAware? = NullAware("start")
    var any: Any = 1

    override class var propertyConverters: [String: any Converter] { ["number": Dashes()] }
}

private class Snake: AbstractModel {
    var htmlURL = ""
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var ALLCAPS = 0
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var one_2_three = 0
    var userName: String?
    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var requiredProperties: Set<String> { ["htmlURL"] }
}
private class Claimed: AbstractModel {
    var htmlURL = ""
    var other = ""
    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var propertyKeys: [String: PropertyKey] { ["other": "htmlURL"] }
}

private class Dated: AbstractModel {
    var day: Date?
    var either: Date?
    override class var propertyDateFormats: [String: String] { ["day": "dd.MM.yyyy"] }
    override class var propertyConverters: [String: any Converter] { ["either": .any([.format("yyyy"), .iso8601])] }
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

private class Counts: AbstractModel {
    var counts: [String: Int] = ["a": 1, "b": 2, "c": 3]
    var optional: [String: Int]? = ["a": 1]
    var tiny = 1.0
    var site: URL?
    var text = ""
    var list: [Int] = [7]
    var nested = Inner()
    var byName: [String: Inner] = [:]
    var wide = CGFloat(0)

    required init() {
        super.init()
        nested.b = 9
        let inner = Inner()
        inner.b = 9
        byName = ["x": inner]
    }
}

private class Small: AbstractModel {
    var float = Float(1)
    var list: [Double] = []
    var floats: [Float] = []
    var byName: [String: Double] = [:]
    var optional: Double?
    var wide = CGFloat(1)
    var sites: [URL] = []
    var siteByName: [String: URL] = [:]
    var some = 1.0
}
private class Lists: AbstractModel {
    var models: [Inner] = []
    var set: Set<Int> = []
    var nested: [[Int]] = []
    var mixed: [[Int]] = []
    var optional: [Int]?
    var byName: [String: [Int]] = [:]
}
private class Deep: AbstractModel {
    var one: Inner?
    var list: [BadFormat] = []
}
private class Deeper: AbstractModel { var byName: [String: Deep] = [:] }

private class BadFormat: AbstractModel {
    var name = ""
    override class var propertyDateFormats: [String: String] { ["name": "yyyy"] }
}
private class Base: AbstractModel {
    var any: AnyObject?
    var child: AbstractModel?
    override class var ignoredProperties: Set<String> { ["child"] }
}
private class Colliding: AbstractModel {
    var userId = 0
    var userID = 0
}
private class HookedNulls: AbstractModel {
    var aware = NullAware("start")
    var hater = NullHater()
    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        HookProbe.current?.note(value, property)
        return false
    }
}
private class Bare: AbstractModel { var child: AbstractModel? }
private class BareList: AbstractModel { var children: [AbstractModel] = [] }

private func message(_ body: () throws -> some Any) -> String? {
    do {
        _ = try body()
        return nil
    } catch {
        return "\(error)"
    }
}

@Suite("Edge cases of mapping, writing and checking")
struct EdgeTests {
    @Test("Two nil Optionals of a non-Equatable type are equal")
    func opaqueNils() throws {
        let (one, two) = (Holder(), Holder())
        #expect(one.isEqual(to: two))
        two.opaque = Opaque()
        #expect(!one.isEqual(to: two))
    }

    @Test("A class without stored properties is mapped, compared, copied and written")
    func emptyClass() throws {
        let (wire, report) = try Wire.mapReporting(json: #"{"e": {}, "list": [{"at": 1}, {}]}"#)
        #expect(wire.list.count == 2)
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["unknownKey $.list[0].at"])
        #expect(Ping().isEqual(to: Ping()))
        #expect(try wire.copy().isEqual(to: wire))
        #expect(try wire.jsonString() == #"{"e":{},"list":[{},{}]}"#)
        #expect(try Pong(json: #"{"at": 3}"#).at == 3)
        #expect(
            message { try AbstractModel(json: "{}") }
                == "AbstractModel cannot be mapped: it is the base class, which has no properties; map a subclass.")
    }

    @Test("Equality of models uses the custom == of nested classes")
    func ownEquality() throws {
        let (one, two) = (Around(), Around())
        one.one.seen = 1
        one.many = [Named()]
        two.many = [Named()]
        two.many[0].seen = 2
        two.byName = ["a": Named()]
        one.byName = ["a": Named()]
        one.byName["a"]?.seen = 5
        #expect(one.isEqual(to: two))
        two.one.id = 1
        #expect(!one.isEqual(to: two))
    }

    @Test("A rule for a property that a superclass ignores is rejected")
    func voidRules() throws {
        #expect(
            message { try Unhiding(json: "{}") }
                == "Unhiding cannot be mapped: propertyKeys names \"hidden\", which a superclass ignores; a subclass cannot map it again."
        )
        #expect(message { try Requiring(json: "{}") }?.contains("requiredProperties names \"hidden\"") == true)
        #expect(try Harmless(json: #"{"o": 1}"#).own == 1)
        let rules: [(AbstractModel.Type, rule: String, name: String)] = [
            (Converting.self, "propertyConverters", "number"), (Dating.self, "propertyDateFormats", "day"),
            (Tagging.self, "dynamicPropertyTypes", "model"), (ReadingOnly.self, "readOnlyProperties", "number"),
            (WritingOnly.self, "writeOnlyProperties", "number"),
        ]
        for (model, rule, name) in rules {
            #expect(
                ModelCheck.check(model).map(\.reason) == [
                    "\(rule) names \"\(name)\", which a superclass ignores; a subclass cannot map it again"
                ])
        }
        #expect(try Taking(json: #"{"a": 1}"#).rest == ["a": 1])
    }

    @Test("An explicitly enabled coercion applies in strict mapping")
    func explicitOptions() throws {
        let options = MappingOptions(strict: true, stringsFromNumbers: true)
        #expect(try Counts(json: #"{"text": 5}"#, options: options).text == "5")
    }

    @Test("A key path blocked by a scalar falls back to the property's next key")
    func blockedPath() throws {
        let (model, report) = try Followed.mapReporting(json: #"{"followers": 5, "s": 1}"#)
        #expect(model.followers == 5)
        #expect(
            report.description
                == "fallback: Followed.single at $.s (line 1, column 23): expected an object, found the number 1.")
        #expect(try Followed(json: #"{"followers": {"total": 7}}"#).followers == 7)
        #expect(try Followed(json: #"{"followers": {"total": null}}"#).followers == nil)
    }

    @Test("A type that accepts null converts it; a rejected null is reported as null")
    func nulls() throws {
        let json = #"{"aware": null, "hater": null, "flag": null, "number": null, "optional": null, "any": null}"#
        let (model, report) = try Nulls.mapReporting(json: json)
        #expect(model.aware == NullAware("none"))
        #expect(model.flag == Flag(false))
        #expect(model.number == -1)
        #expect(model.optional == nil)
        #expect(model.any as? Int == 1)
        #expect(
            report.description == """
                fallback: Nulls.hater at $.hater (line 1, column 26): expected a text, found null.
                fallback: Nulls.any at $.any (line 1, column 87): expected a JSON value, found null.
                """)
        #expect(
            message { try Nulls(json: #"{"hater": null}"#, options: .strict) }
                == "Nulls.hater at $.hater (line 1, column 11): expected a text, found null.")
    }

    @Test("A key strategy also accepts the property's own name unless another property uses it")
    func ownNames() throws {
        let (model, report) = try Snake.mapReporting(
            json: #"{"htmlURL": "a", "allcaps": 1, "one_2_three": 2, "user_name": "b"}"#)
        #expect(model.htmlURL == "a" && model.ALLCAPS == 1 && model.one_2_three == 2 && model.userName == "b")
        #expect(report.description == "nothing to report")
        #expect(try Snake(json: #"{"html_url": "a", "ALLCAPS": 3}"#).ALLCAPS == 3)
        #expect(try Snake(json: #"{"html_url": "a"}"#).jsonString() == #"{"html_url":"a","allcaps":0,"one_2_three":0}"#)
        #expect(
            message { try Snake(json: #"{"htmlURL": "a", "html_url": "b"}"#, options: .strict) }
                == "Snake.htmlURL at $.html_url (line 1, column 30): expected each key once, "
                + #"found the key "html_url" with a second value for htmlURL."#
        )
        let claimed = try Claimed(json: #"{"htmlURL": "a"}"#)
        #expect(claimed.htmlURL == "" && claimed.other == "a")
        #expect(
            message { try Snake(json: #"{"htmlURL": null}"#) }
                == "Snake.htmlURL at $.htmlURL (line 1, column 13): expected a string, found null.")
    }

    @Test("A date is written by the first format that keeps its precision, or rejected")
    func cutDates() throws {
        let model = Dated()
        model.day = Date(timeIntervalSince1970: 86_400)
        model.either = Date(timeIntervalSince1970: 86_400)
        #expect(try model.jsonString() == #"{"day":"02.01.1970","either":"1970-01-02T00:00:00Z"}"#)
        model.either = Date(timeIntervalSince1970: 31_536_000)
        #expect(try model.jsonValue()["either"] == "1971")
        model.day = Date(timeIntervalSince1970: 86_401)
        #expect(
            message { try model.jsonData() }
                == "Dated.day at $.day: expected a date in the format \"dd.MM.yyyy\" that keeps it, found 1970-01-02 00:00:01 +0000."
        )
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

    @Test("A numeric underflow and an escaped URL are reported, and strict mapping accepts them")
    func changedValues() throws {
        let (model, report) = try Counts.mapReporting(json: #"{"tiny": 1e-400, "site": "a b"}"#, options: .strict)
        #expect(model.tiny == 0)
        #expect(model.site?.absoluteString == "a%20b")
        #expect(
            report.entries.filter { $0.kind == .coerced }.map(\.description) == [
                "coerced: Counts.tiny at $.tiny (line 1, column 10): expected a number that Double can "
                    + "hold, found the number 1e-400.",
                "coerced: Counts.site at $.site (line 1, column 26): expected a URL without characters to be escaped, "
                    + "found the string \"a b\".",
            ])
    }

    @Test("Underflows and escaped URLs are reported in arrays, dictionaries and Optionals")
    func changedValuesEverywhere() throws {
        let (small, report) = try Small.mapReporting(
            json: """
                {"float": 1e-60, "list": [1, 1e-400], "floats": [-1e-60], "byName": {"a": 1e-400}, "optional": 1e-400,
                 "wide": 1e-400, "sites": ["a b", "c"], "siteByName": {"x": "a b"}, "some": "1e-400"}
                """)
        #expect(small.float == 0 && small.list == [1, 0] && small.floats == [0] && small.byName == ["a": 0])
        #expect(small.optional == 0 && small.wide == 0 && small.some == 0)
        #expect(small.sites.map(\.absoluteString) == ["a%20b", "c"])
        #expect(
            report.entries.map { "\($0.kind) \($0.path)" } == [
                "coerced $.float", "coerced $.list[1]", "coerced $.floats[0]", "coerced $.byName.a",
                "coerced $.optional",
                "coerced $.wide", "coerced $.sites[0]", "coerced $.siteByName.x", "coerced $.some",
            ])
    }

    @Test("An update keeps dictionary members whose new values are invalid")
    func keptMembers() throws {
        let model = Counts()
        let report = try model.update(json: #"{"counts": {"a": 5, "b": "x", "d": "y"}, "optional": {"a": []}}"#)
        #expect(model.counts == ["a": 5, "b": 2])
        #expect(model.optional == ["a": 1])
        #expect(
            report.entries.map { "\($0.kind) \($0.path)" } == [
                "skipped $.counts.b", "skipped $.counts.d", "skipped $.optional.a",
            ])
        #expect(try Counts(json: #"{"counts": {"a": 5, "b": "x"}}"#).counts == ["a": 5])
    }

    @Test("Options for single values, nulls in updates, nested defaults and missing Optionals apply")
    func options() throws {
        let single = MappingOptions(arraysFromSingleValues: true)
        let (model, report) = try Counts.mapReporting(json: #"{"list": 5, "wide": 1.5}"#, options: single)
        #expect(model.list == [5])
        #expect(model.wide == 1.5)
        #expect(
            report.entries.filter { $0.kind == .coerced }.map(\.description) == [
                "coerced: Counts.list at $.list (line 1, column 10): expected an array, found the number 5."
            ])
        #expect(try Counts(json: #"{"list": 5}"#).list == [7])
        model.optional = ["k": 1]
        try model.update(json: #"{"optional": null, "text": null}"#, options: MappingOptions(updatesIgnoreNulls: true))
        #expect(model.optional == ["k": 1])
        try model.update(json: #"{"optional": null}"#)
        #expect(model.optional == nil)
        let filling = MappingOptions(updatesNestedInPlace: true)
        let filled = try Counts(
            json: #"{"nested": {"a": 1}, "byName": {"x": {"a": 2}, "y": {"a": 3}}}"#, options: filling)
        #expect(filled.nested.a == 1 && filled.nested.b == 9)
        #expect(filled.byName["x"]?.a == 2 && filled.byName["x"]?.b == 9 && filled.byName["y"]?.b == 2)
        let replaced = try Counts(json: #"{"nested": {"a": 1}}"#)
        #expect(replaced.nested.b == 2)
        #expect(try Inner.mapReporting(json: "{}").report.entries.map(\.property) == ["b"])
        let asked = MappingOptions(reportsMissingOptionals: true)
        #expect(try Inner.mapReporting(json: "{}", options: asked).report.entries.map(\.property) == ["a", "b"])
    }

    @Test("arraysFromSingleValues wraps any value except null, in lenient and strict mapping")
    func singleValues() throws {
        for options in [false, true].map({ MappingOptions(strict: $0, arraysFromSingleValues: true) }) {
            let (lists, report) = try Lists.mapReporting(
                json: """
                    {"models": {"a": 1, "b": 3}, "set": 5, "nested": 6, "mixed": [7, [8]], "optional": 9, "byName": {"x": 10}}
                    """, options: options)
            #expect(lists.models.map(\.a) == [1])
            #expect(lists.set == [5] && lists.nested == [[6]] && lists.mixed == [[7], [8]] && lists.optional == [9])
            #expect(lists.byName == ["x": [10]])
            #expect(
                report.entries.map { "\($0.kind) \($0.path)" } == [
                    "coerced $.models", "coerced $.set", "coerced $.nested", "coerced $.nested", "coerced $.mixed[0]",
                    "coerced $.optional", "coerced $.byName.x",
                ])
            #expect(try [Inner](json: #"{"a": 1, "b": 2}"#, options: options).map(\.a) == [1])
            #expect(try JSONMapper.value([Int].self, from: "5", options: options) == [5])
        }
        let single = MappingOptions(arraysFromSingleValues: true)
        #expect(try Lists(json: #"{"optional": null}"#, options: single).optional == nil)
        #expect(
            message { try [Inner](json: "null", options: single) }
                == "Inner at $ (line 1, column 1): expected an array, found null.")
        #expect(
            message {
                try Lists(json: #"{"set": null}"#, options: MappingOptions(strict: true, arraysFromSingleValues: true))
            }
                == "Lists.set at $.set (line 1, column 9): expected an array, found null.")
    }

    @Test("Updates and merge patches keep members of dictionaries of models and arrays")
    func keptModels() throws {
        let counts = Counts()
        let report = try counts.update(json: #"{"byName": {"x": 5, "y": {"a": 1}}}"#)
        #expect(counts.byName["x"]?.b == 9 && counts.byName["y"]?.a == 1)
        #expect(report.entries.map { "\($0.kind) \($0.path)" }.contains("skipped $.byName.x"))
        let lists = try Lists(json: #"{"byName": {"x": [1], "y": [2]}}"#)
        try lists.update(json: #"{"byName": {"x": 5, "y": [3, "z"]}}"#)
        #expect(lists.byName == ["x": [1], "y": [3]])
        try lists.merge(patch: #"{"byName": {"y": null, "z": [4]}}"#)
        #expect(lists.byName == ["x": [1], "z": [4]])
    }

    @Test("A type that accepts null converts it in strict mapping, in arrays and before shouldFail")
    func nullsElsewhere() throws {
        let nulls = try Nulls(json: #"{"aware": null, "flag": null, "number": null}"#, options: .strict)
        #expect(nulls.aware == NullAware("none") && nulls.flag == Flag(false) && nulls.number == -1)
        #expect(try JSONMapper.value([NullAware].self, from: #"[null, "a"]"#).map(\.text) == ["none", "a"])
        let probe = HookProbe()
        let hooked = try HookedNulls(json: #"{"aware": null, "hater": null}"#, options: probe.options())
        #expect(hooked.aware == NullAware("none"))
        #expect(probe.calls == ["hater = nil"])
    }

    @Test("ModelCheck follows nested classes and applies the options of the call")
    func checkElsewhere() {
        let reason = ["propertyDateFormats gives name a format, but its type String holds no dates"]
        #expect(ModelCheck.check(Deep.self).map(\.reason) == reason)
        #expect(ModelCheck.check(Deeper.self).map(\.model) == ["BadFormat"])
        #expect(ModelCheck.check(Named.self, options: MappingOptions(keyStrategy: .snakeCase)) == [])
        #expect(
            ModelCheck.check(Colliding.self, options: MappingOptions(keyStrategy: .snakeCase)).map(\.property) == [
                "userID"
            ])
        #expect(ModelCheck.check(Colliding.self) == [])
        #expect(
            ModelCheck.check(Snake.self, options: MappingOptions(dates: .format("Q"))).map(\.model) == ["Snake"])
        #expect(message { try Bare(json: "{}") } == ModelCheck.check(Bare.self)[0].description)
    }

    @Test("ModelCheck reports class errors that mapping reports only for matching data")
    func check() {
        #expect(ModelCheck.check(Counts.self) == [])
        #expect(
            ModelCheck.check(Holder.self).map(\.description) == [
                "Holder cannot be mapped: nothing converts its property opaque of type Opaque?; give it a converter in "
                    + "propertyConverters, make the type JSONConvertible or Decodable, assign it in "
                    + "assign(undefinedValue:forProperty:), or name it in ignoredProperties."
            ])
        for name in ["opaque", "Holder.opaque"] {
            #expect(
                ModelCheck.check(Holder.self, assigned: [name]).map(\.reason) == [
                    "opaque cannot be written, since Opaque? has no JSON form; make it JSONConvertible or Encodable, give it a "
                        + "converter in propertyConverters, or name it in readOnlyProperties"
                ])
        }
        #expect(
            ModelCheck.check(BadFormat.self).map(\.reason) == [
                "propertyDateFormats gives name a format, but its type String holds no dates"
            ])
        #expect(ModelCheck.check(Base.self).map(\.reason).first?.contains("declare it as Any? or JSONValue?, ") == true)
        #expect(
            ModelCheck.check(Bare.self).map(\.reason) == [
                "its property child is of the class AbstractModel itself, which has no properties to map; declare a subclass, or name "
                    + "it in ignoredProperties"
            ])
        #expect(ModelCheck.check(BareList.self).map(\.property) == ["children"])
    }

    @Test("The schema marks a type it cannot describe with a comment")
    func schema() throws {
        let properties = try Nulls.jsonSchema()["$defs"]["Nulls"]["properties"]
        #expect(properties["hater"] == ["$comment": "not described: a value for NullHater"])
    }
}
