import ModelMirror
import Testing

/// A type that nothing converts.
private struct Opaque: Hashable { var text: String }

private struct Refused: Error, CustomStringConvertible { let description = "not today" }

private final class ByOpaque: AbstractModel { var daily: [Opaque: Int] = [:] }

@Suite("Types without a conversion")
struct UndefinedTypeTests {
    /// Assigns every value itself.
    private final class Taking: AbstractModel {
        var before = 0
        var plain = Opaque(text: "start")
        var optional: Opaque? = Opaque(text: "start")
        var list: [Opaque] = []
        var pair: (Int, String) = (0, "")
        var after = 0
        var seen: [String] = []
        override class var ignoredProperties: Set<String> { ["seen"] }

        override func assign(undefinedValue value: Any?, forProperty property: String) throws {
            seen.append(property)
            switch (property, value) {
            case ("plain", let text as String): plain = Opaque(text: text)
            case ("optional", let text as String): optional = Opaque(text: text)
            case ("list", let texts as [String]): list = texts.map { Opaque(text: $0) }
            case ("pair", let pair as [Any]): self.pair = (pair[0] as? Int ?? -1, pair[1] as? String ?? "")
            default: throw Refused()
            }
        }
    }

    /// Relies on the default implementation.
    private final class Leaving: AbstractModel {
        var name = ""
        var plain = Opaque(text: "start")
        var optional: Opaque?
        var byName: [String: [Opaque]] = [:]
        var pair: (Int, String) = (0, "")
    }

    @Test(
        "assign(undefinedValue:forProperty:) receives the value in lenient and strict mapping",
        arguments: [MappingOptions(), .strict])
    func taken(options: MappingOptions) throws {
        let json = #"{"before": 1, "plain": "a", "optional": "b", "list": ["c", "d"], "pair": [2, "e"], "after": 3}"#
        let (model, report) = try Taking.mapReporting(json: json, options: options)
        #expect(model.plain == Opaque(text: "a"))
        #expect(model.optional == Opaque(text: "b"))
        #expect(model.list == [Opaque(text: "c"), Opaque(text: "d")])
        #expect(model.pair == (2, "e"))
        #expect([model.before, model.after] == [1, 3])
        #expect(model.seen == ["plain", "optional", "list", "pair"])
        #expect(report.description == "nothing to report")
    }

    private final class Values: AbstractModel {
        var value = Opaque(text: "")
        var taken: Any?
        override class var ignoredProperties: Set<String> { ["taken"] }
        override func assign(undefinedValue value: Any?, forProperty property: String) throws { taken = value }
    }

    @Test(
        "assign(undefinedValue:forProperty:) receives plain Swift values",
        arguments: [
            ("true", "Bool true"), ("1", "Int 1"), ("1.0", "Double 1.0"),
            ("18446744073709551615", "Double 1.8446744073709552e+19"),
            (#""a\u00e4""#, "String aä"), ("[1]", "Array<Any> [1]"),
            ("[null]", "Array<Any> [null]"),
            (#"{"a": [true]}"#, #"Dictionary<String, Any> ["a": [true]]"#),
        ])
    func plain(json: String, text: String) throws {
        let taken = try #require(try Values(json: #"{"value": \#(json)}"#).taken)
        #expect("\(type(of: taken)) \(taken)" == text)
    }

    @Test("A missing key does not call assign(undefinedValue:forProperty:)")
    func missing() throws {
        let model = try Taking(json: #"{"before": 1, "after": 2}"#)
        #expect(model.seen == [])
        #expect(model.plain == Opaque(text: "start"))
        let (leaving, report) = try Leaving.mapReporting(
            json: #"{"name": "a"}"#, options: MappingOptions(reportsMissingOptionals: true))
        #expect(leaving.name == "a")
        #expect(report.entries.map(\.kind) == [.missing, .missing, .missing, .missing])
        #expect(
            report.entries.map(\.expected) == [
                "a value of type Opaque", "a value of type Opaque?",
                "a value of type Dictionary<String, Array<Opaque>>",
                "a value of type (Int, String)",
            ])
    }

    @Test("null sets an Optional to nil and does not call assign(undefinedValue:forProperty:)")
    func null() throws {
        let (model, report) = try Taking.mapReporting(json: #"{"plain": null, "optional": null}"#)
        #expect(model.seen == [])
        #expect(model.plain == Opaque(text: "start"))
        #expect(model.optional == nil)
        #expect(
            report.entries.filter { $0.kind == .fallback }.map(\.description) == [
                "fallback: Taking.plain at $.plain (line 1, column 11): expected a value of type Opaque, found null."
            ])
        #expect(try Leaving(json: #"{"optional": null}"#).optional == nil)
        let error = #expect(throws: ModelError.self) { try Taking(json: #"{"plain": null}"#, options: .strict) }
        #expect(
            error?.description
                == "Taking.plain at $.plain (line 1, column 11): expected a value of type Opaque, found null.")
    }

    @Test("An error thrown by assign(undefinedValue:forProperty:) is reported for the value")
    func thrown() throws {
        let json = #"{"before": 1, "plain": 5, "list": ["a", 1], "after": 2}"#
        let messages = [
            "Taking.plain at $.plain (line 1, column 24): expected a value of type Opaque, found the number 5: "
                + "not today.",
            "Taking.list at $.list (line 1, column 35): expected a value of type Array<Opaque>, found an array: "
                + "not today.",
        ]
        let model = try expectRejected(json, by: Taking.self, messages)
        #expect(model.plain == Opaque(text: "start"))
        #expect(model.list == [])
        #expect([model.before, model.after] == [1, 2])
        let fallbacks = try Taking.mapReporting(json: json).report.entries.filter { $0.kind == .fallback }
        #expect(fallbacks.allSatisfy { $0.underlying is Refused })
    }

    private final class Failing: AbstractModel {
        var plain = Opaque(text: "start")
        override class var requiredProperties: Set<String> { ["plain"] }
        override func assign(undefinedValue value: Any?, forProperty property: String) throws {
            guard value is String else { throw Refused() }
            plain = Opaque(text: "taken")
        }
    }

    @Test("A required property fails if its key is missing or its value is null or rejected")
    func required() throws {
        #expect(try Failing(json: #"{"plain": "a"}"#).plain == Opaque(text: "taken"))
        for (json, sentence) in [
            ("{}", "(line 1, column 1): expected a value of type Opaque, found no such key."),
            (#"{"plain": null}"#, "(line 1, column 11): expected a value of type Opaque, found null."),
            (#"{"plain": 1}"#, "(line 1, column 11): expected a value of type Opaque, found the number 1: not today."),
        ] {
            let error = #expect(throws: ModelError.self) { try Failing(json: json) }
            #expect(error?.description == "Failing.plain at $.plain " + sentence)
        }
    }

    @Test("The message names a key type that JSON objects cannot have")
    func impossibleKeys() {
        let error = #expect(throws: ModelError.self) { try ByOpaque(json: #"{"daily": {}}"#) }
        #expect(
            error?.description
                == "ByOpaque cannot be mapped: nothing converts its property daily of type Dictionary<Opaque, Int>; no key of a "
                + "JSON object can be of type Opaque: use String, an integer or UUID for the keys, give it a converter in "
                + "propertyConverters, make the type JSONConvertible or Decodable, assign it in "
                + "assign(undefinedValue:forProperty:), or name it in ignoredProperties.")
    }

    @Test(
        "A property without a conversion makes the class invalid, with advice in the message",
        arguments: [
            ("plain", "Opaque", #""a""#), ("plain", "Opaque", "1"), ("optional", "Opaque?", "{}"),
            ("byName", "Dictionary<String, Array<Opaque>>", "{}"), ("pair", "(Int, String)", "[1, \"a\"]"),
        ])
    func invalidModel(property: String, type: String, json: String) {
        let error = #expect(throws: ModelError.self) { try Leaving(json: #"{"name": 5, "\#(property)": \#(json)}"#) }
        #expect(
            error?.description
                == "Leaving cannot be mapped: nothing converts its property \(property) of type \(type); give it "
                + "a converter in "
                + "propertyConverters, make the type JSONConvertible or Decodable, assign it in "
                + "assign(undefinedValue:forProperty:), or name it in ignoredProperties.")
        #expect(error?.modelFault?.model == "Leaving")
        #expect(error?.modelFault?.property == property)
    }

    @Test("The fault of a nested class fails the whole call")
    func nested() {
        final class Outer: AbstractModel { var inner: [Leaving] = [] }
        let error = #expect(throws: ModelError.self) { try Outer(json: #"{"inner": [{}, {"plain": 1}]}"#) }
        #expect((error?.modelFault?.model, error?.modelFault?.property) == ("Leaving", "plain"))
    }

    @Test("A syntax error later in the document takes precedence over the class's fault")
    func syntax() {
        let error = #expect(throws: ModelError.self) { try Leaving(json: #"{"plain": 1, "name": }"#) }
        #expect(error?.syntaxError != nil)
    }

    private final class Ignoring: AbstractModel {
        var name = ""
        var plain = Opaque(text: "start")
        override class var ignoredProperties: Set<String> { ["plain"] }
    }

    @Test("An ignored property without a conversion is left unchanged")
    func ignored() throws {
        let model = try Ignoring(json: #"{"plain": 1, "name": "a"}"#, options: .strict)
        #expect(model.plain == Opaque(text: "start"))
        #expect(model.name == "a")
    }
}
