import Foundation
import ModelMirror
import Testing

private final class Payload: AbstractModel {
    var id = 0
    var name: String?
    var born: Date?
    var inner: Payload?

    override class var propertyConverters: [String: any Converter] { ["inner": .embeddedJSON] }
    override class var requiredProperties: Set<String> { ["id"] }
}

private struct Amount: JSONConvertible, Hashable {
    let cents: Int
    init(cents: Int) { self.cents = cents }
    init(json: JSONValue) throws {
        guard let cents = json.int else { throw ConversionError(expected: "an amount") }
        self.cents = cents
    }
    func json() throws -> JSONValue { .number(JSONNumber(cents)) }
}

private class Either: AbstractModel {
    var model: Payload?
    var numbers = [7]
    var byName: [String: Payload] = [:]
    var values: [JSONValue]?
    override class var propertyConverters: [String: any Converter] {
        [
            "model": .embeddedJSON(orObject: true), "numbers": .embeddedJSON(orObject: true),
            "byName": .embeddedJSON(orObject: true), "values": .array(of: .embeddedJSON(orObject: true)),
        ]
    }
}

@Suite("JSON in a string or in its place")
struct EmbeddedJSONOrObjectTests {
    @Test("Both forms are read without a finding, and a string is written", arguments: [MappingOptions(), .strict])
    func both(options: MappingOptions) throws {
        let text = #"{"model":"{\"id\":7}","numbers":"[1,2]","byName":"{\"a\":{\"id\":8}}"}"#
        for json in [text, #"{"model":{"id":7},"numbers":[1,2],"byName":{"a":{"id":8}}}"#] {
            let (either, report) = try Either.mapReporting(json: json, options: options)
            #expect((either.model?.id, either.numbers, either.byName["a"]?.id) == (7, [1, 2], 8))
            #expect(report.entries.isEmpty)
            #expect(try either.jsonString() == text)
        }
        #expect(try Either(json: #"{"model": null}"#, options: options).model == nil)
        #expect(try Either(json: #"{"values": ["[1]", {"a": 1}]}"#, options: options).values == [[1], ["a": 1]])
    }

    @Test("A failure inside has its own path; a value of the wrong kind names both forms")
    func failures() throws {
        let options = MappingOptions(strict: true)
        #expect(
            failure(#"{"model": {"id": "x"}}"#, options)
                == "Payload.id at $.model.id (line 1, column 18): expected an integer, found the string \"x\".")
        #expect(
            failure(#"{"numbers": 7}"#, options)
                == "Either.numbers at $.numbers (line 1, column 13): expected an array, found the number 7.")
        #expect(
            failure(#"{"model": "x"}"#, options).hasPrefix(
                "Either.model at $.model (line 1, column 11): expected a string that holds JSON for an object for Payload or an object for Payload, found a string that does not"
            ))
    }

    @Test("An invalid element of an array in place of a string is left out once; an update keeps a dictionary's member")
    func elements() throws {
        let (either, report) = try Either.mapReporting(json: #"{"numbers": [1, "z"], "byName": {"a": {"id": 1}}}"#)
        #expect(either.numbers == [1])
        #expect(
            report.entries.filter { $0.kind != .missing }.map(\.description) == [
                #"skipped: Either.numbers at $.numbers[1] (line 1, column 17): expected an integer, found the string "z"."#
            ])
        let update = try either.update(json: #"{"byName": {"a": 5}}"#)
        #expect(either.byName["a"]?.id == 1)
        #expect(
            update.description
                == "skipped: Either.byName at $.byName.a (line 1, column 18): expected an object for Payload, found the "
                + "number 5.")
    }

    private func failure(_ json: String, _ options: MappingOptions) -> String {
        do { return "\(try Either(json: json, options: options))" } catch { return error.description }
    }

    @Test("An update replaces the value, and the schema lists both forms")
    func update() throws {
        let either = try Either(json: #"{"numbers": [1]}"#)
        try either.update(json: #"{"numbers": "[2]"}"#)
        #expect(either.numbers == [2])
        try either.update(json: #"{"numbers": [3]}"#)
        #expect(either.numbers == [3])
        #expect(
            try Either.jsonSchema()["$defs"]["Either"]["properties"]["numbers"]["anyOf"][0]
                == ["type": "string", "contentMediaType": "application/json"])
        #expect(try Either.jsonSchema()["$defs"]["Either"]["properties"]["numbers"]["anyOf"][1]["type"] == "array")
    }
}

private class Envelope: AbstractModel {
    var model = Payload()
    var optional: Payload?
    var models: [Payload] = []
    var byName: [String: Payload] = [:]
    var numbers = [7]
    var nested: [String: [Int?]] = [:]
    var value = JSONValue.string("start")
    var optionalValue: JSONValue?
    var values: [JSONValue] = []
    var number = 7
    var text = "start"
    var date: Date?
    var amount: Amount?
    var any: Any?

    override class var dateFormats: [String] { ["dd.MM.yyyy"] }
    override class var propertyConverters: [String: any Converter] {
        [
            "model": .embeddedJSON, "optional": .embeddedJSON, "models": .embeddedJSON, "byName": .embeddedJSON,
            "numbers": .embeddedJSON, "nested": .embeddedJSON, "value": .embeddedJSON, "optionalValue": .embeddedJSON,
            "values": .array(of: .embeddedJSON), "number": .embeddedJSON, "text": .embeddedJSON, "date": .embeddedJSON,
            "amount": .embeddedJSON, "any": .embeddedJSON,
        ]
    }
}

private final class StrictEnvelope: Envelope {
    override class var mappingOptions: MappingOptions { .strict }
}

private final class DigitsEnvelope: Envelope {
    override class var mappingOptions: MappingOptions { MappingOptions(stringsFromNumbers: true) }
}

@Suite("JSON embedded in strings")
struct EmbeddedJSONTests {
    /// A document whose only member is a string that holds JSON.
    private func document(_ property: String, _ inside: String) -> String {
        let value = JSONValue.string(inside)
        let text = (try? AnyConverter<JSONValue>.embeddedJSON.json(from: value).string) ?? ""
        return #"{"\#(property)": \#(text)}"#
    }

    @Test("JSON in a string is mapped to the property's type", arguments: [MappingOptions(), .strict])
    func types(options: MappingOptions) throws {
        func expect<Value: Equatable>(
            _ property: String, _ inside: String, _ part: (Envelope) -> Value, _ expected: Value,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let envelope = try Envelope(json: document(property, inside), options: options)
            #expect(part(envelope) == expected, sourceLocation: sourceLocation)
        }
        try expect("model", #"{"id": 1, "name": "a"}"#, \.model.name, "a")
        try expect("optional", #" {"id": 2} "#, \.optional?.id, 2)
        try expect("models", #"[{"id": 3}, {"id": 4}]"#, { $0.models.map(\.id) }, [3, 4])
        try expect("byName", #"{"a": {"id": 5}}"#, { $0.byName.mapValues(\.id) }, ["a": 5])
        try expect("numbers", "[1, 2]", \.numbers, [1, 2])
        try expect("nested", #"{"a": [1, null]}"#, \.nested, ["a": [1, nil]])
        try expect("value", #"{"a": [1.50, null]}"#, \.value, JSONValue(json: #"{"a": [1.5, null]}"#))
        try expect("value", "null", \.value, .null)
        try expect("optionalValue", "true", \.optionalValue, .bool(true))
        try expect("number", "42", \.number, 42)
        try expect("text", #""a\n\u00e4\"""#, \.text, "a\nä\"")
        try expect("date", #""02.01.1970""#, \.date, Date(timeIntervalSince1970: 86_400))
        try expect("amount", "250", \.amount, Amount(cents: 250))
        try expect("any", "[1]", { $0.any as? [Int] }, [1])
    }

    @Test("JSON in a string inside embedded JSON is mapped")
    func nested() throws {
        let inmost = #"{"id": 3, "name": "\"ä\\"}"#
        let inner = #"{"id": 2, "inner": \#(quoted(inmost))}"#
        let outer = #"{"model": \#(quoted(#"{"id": 1, "inner": \#(quoted(inner))}"#))}"#
        let envelope = try Envelope(json: outer)
        let ids = [envelope.model.id, envelope.model.inner?.id, envelope.model.inner?.inner?.id]
        #expect(ids == [1, 2, 3])
        #expect(envelope.model.inner?.inner?.name == "\"ä\\")
    }

    /// A text as a JSON string.
    private func quoted(_ text: String) -> String { String(document("", text).dropFirst(5).dropLast()) }

    @Test(".array(of: .embeddedJSON) reads each element from a string")
    func elements() throws {
        let envelope = try Envelope(json: #"{"values": ["1", "\"a\"", "[null]"]}"#)
        #expect(envelope.values == [.number(JSONNumber(1)), .string("a"), .array([.null])])
        #expect(try Envelope(json: #"{"values": ["1", "x"]}"#).values == [])
    }

    @Test("null sets an Optional to nil and leaves other properties unchanged")
    func null() throws {
        let envelope = try Envelope(json: #"{"model": null, "optional": null, "value": null, "optionalValue": null}"#)
        #expect(envelope.model.id == 0)
        #expect(envelope.optional == nil)
        #expect(envelope.value == .string("start"))
        #expect(envelope.optionalValue == nil)
    }

    @Test("A value that is not a string is rejected, even if it has the property's type")
    func noString() throws {
        let json = #"{"model": {"id": 1}, "numbers": [1], "value": 1, "number": 1}"#
        let messages = [
            "Envelope.model at $.model (line 1, column 11): expected a string that holds JSON for an object for "
                + "Payload, found an object.",
            "Envelope.numbers at $.numbers (line 1, column 33): expected a string that holds JSON for an array, "
                + "found an array.",
            "Envelope.value at $.value (line 1, column 47): expected a string that holds JSON for a JSON value, "
                + "found the number 1.",
            "Envelope.number at $.number (line 1, column 60): expected a string that holds JSON for an integer, "
                + "found the number 1.",
        ]
        let envelope = try expectRejected(json, by: Envelope.self, messages)
        #expect(envelope.model.id == 0)
        #expect(envelope.numbers == [7])
        #expect(envelope.value == .string("start"))
        #expect(envelope.number == 7)
    }

    @Test(
        "Invalid JSON in a string is rejected with the syntax error as the underlying error",
        arguments: [
            (
                #""""#,
                "Invalid JSON at line 1, column 1 (byte 0): expected a value (an object, array, string, number, "
                    + "true, false or null), found the end of the document."
            ),
            (
                #""{\"id\":\n 1,}""#,
                "Invalid JSON at line 2, column 4 (byte 10): expected a key in double quotes after the comma, "
                    + "found '}'."
            ),
            (
                #""{\"id\": 1} x""#,
                "Invalid JSON at line 1, column 11 (byte 10): expected the end of the document, found 'x'."
            ),
            (
                #""{\"id\": 01}""#,
                "Invalid JSON at line 1, column 9 (byte 8): expected no digit after a leading zero, found '1'."
            ),
        ])
    func noJSON(text: String, reason: String) throws {
        let document = #"{"number": "1", "optional": \#(text)}"#
        let message =
            "Envelope.optional at $.optional (line 1, column 29): expected a string that holds JSON for an object for "
            + "Payload, found a string that does not: \(reason)"
        let envelope = try expectRejected(document, by: Envelope.self, [message])
        #expect(envelope.optional == nil)
        #expect(envelope.number == 1)
        let error = #expect(throws: ModelError.self) { try Envelope(json: document, options: .strict) }
        #expect((error?.valueFailures.first?.underlying as? ModelError)?.syntaxError != nil)
    }

    @Test("A failure inside embedded JSON is the underlying error, with its path in the string")
    func failures() throws {
        let json = document("optional", #"{"name": "a", "inner": "{\"name\": 5}"}"#)
        let (envelope, report) = try Envelope.mapReporting(json: json)
        #expect(envelope.optional == nil)
        let entry = try #require(report.entries.first { $0.kind == .fallback })
        #expect(entry.path.description == "$.optional")
        #expect(entry.line == 1 && entry.column == 14)
        #expect(
            (entry.underlying as? ModelError)?.valueFailures.map(\.description) == [
                "Payload.id at $.id (line 1, column 1): expected an integer, found no such key."
            ])
    }

    @Test("An invalid element inside embedded JSON is left out and reported")
    func elementsLeftOut() throws {
        let json = document("numbers", #"[1, "x", 3]"#)
        let (envelope, report) = try Envelope.mapReporting(json: json)
        #expect(envelope.numbers == [1, 3])
        let failure =
            "Envelope.numbers at $.numbers (line 1, column 13): expected a string that holds JSON for an array, "
            + #"found the string "[1, \"x\", 3]": JSON at $[1] (line 1, column 5): "#
            + #"expected an integer, found the string "x"."#
        let loss =
            "skipped: Envelope.numbers at $.numbers[1] (line 1, column 13): expected an integer, found the string"
        #expect(report.entries.filter { $0.kind != .missing }.map(\.description) == [loss + #" "x"."#])
        let error = #expect(throws: ModelError.self) { try Envelope(json: json, options: .strict) }
        #expect(error?.description == failure)
        let more = document("numbers", "[1] 2")
        #expect(try Envelope(json: more).numbers == [7])
    }

    @Test("Rejected parts of an embedded array are reported, also by an update, which stores the others")
    func lossesInElements() throws {
        let json = document("models", #"[{"id": 1, "name": 5, "more": 6}, 7, {"name": "a"}]"#)
        let (envelope, report) = try Envelope.mapReporting(json: json)
        let updated = Envelope()
        for (envelope, report) in [(envelope, report), (updated, try updated.update(json: json))] {
            #expect(envelope.models.map(\.id) == [1])
            #expect(
                report.entries.filter { $0.kind != .missing || $0.model == "Payload" }.map(\.description) == [
                    "fallback: Payload.name at $.models[0].name (line 1, column 12): expected a string, found the number 5.",
                    #"unknownKey: Payload at $.models[0].more (line 1, column 12): expected a key of Payload, found the key "more"."#,
                    "skipped: Envelope.models at $.models[1] (line 1, column 12): expected an object for Payload, found the "
                        + "number 7.",
                    "skipped: Envelope.models at $.models[2] (line 1, column 12): expected an object for Payload, found an "
                        + "object with failures.",
                    "missing: Payload.id at $.models[2].id (line 1, column 12): expected an integer, found no such key.",
                ])
        }
    }

    @Test("Strict mapping applies to embedded JSON")
    func strict() throws {
        let json = document("optional", #"{"id": "1"}"#)
        #expect(try Envelope(json: json).optional?.id == 1)
        let error = #expect(throws: ModelError.self) { try Envelope(json: json, options: .strict) }
        #expect(
            error?.description
                == "Envelope.optional at $.optional (line 1, column 14): expected a string that holds JSON for an "
                + "object for Payload, found a string that does not: "
                + #"Payload.id at $.id (line 1, column 8): expected an integer, found the string "1"."#)
    }

    @Test("Several failures inside embedded JSON are indented below that of the property, at every depth")
    func severalFailures() throws {
        let inner = #"{"id": "1", "inner": \#(quoted(#"{"name": true}"#)), "name": false}"#
        let json = #"{"text": 1, "optional": \#(quoted(inner))}"#
        let error = #expect(throws: ModelError.self) { try Envelope(json: json, options: .strict) }
        #expect(
            error?.description == #"""
                Envelope.text at $.text (line 1, column 10): expected a string that holds JSON for a string, found the number 1.
                Envelope.optional at $.optional (line 1, column 25): expected a string that holds JSON for an object for Payload, \#
                found a string that does not: Payload.id at $.id (line 1, column 8): expected an integer, found the string "1".
                  Payload.inner at $.inner (line 1, column 22): expected a string that holds JSON for an object for Payload, \#
                found a string that does not: Payload.id at $.id (line 1, column 1): expected an integer, found no such key.
                    Payload.name at $.name (line 1, column 10): expected a string, found true.
                  Payload.name at $.name (line 1, column 50): expected a string, found false.
                """#)
    }

    @Test("Embedded JSON uses the options of the property's class")
    func classOptions() throws {
        let error = #expect(throws: ModelError.self) { try StrictEnvelope(json: document("numbers", #"["1"]"#)) }
        #expect(
            error?.description.hasPrefix(
                "StrictEnvelope.numbers at $.numbers (line 1, column 13): expected a string that holds JSON for "
                    + "an array, "
            )
                == true)
        #expect(try DigitsEnvelope(json: document("text", "1.50")).text == "1.50")
    }

    private final class OwnOptions: AbstractModel {
        var id = 0
        var text = ""
        override class var mappingOptions: MappingOptions { MappingOptions(strict: true, stringsFromNumbers: true) }
    }

    private final class OwnOptionsEnvelope: AbstractModel {
        var one: OwnOptions?
        override class var propertyConverters: [String: any Converter] { ["one": .embeddedJSON] }
    }

    @Test("An embedded model uses its own class's options, which the call's options override")
    func callOptions() throws {
        let json = #"{"one": "{\"id\": \"1\", \"text\": 2}"}"#
        #expect(try OwnOptionsEnvelope(json: json).one == nil)
        let lenient = try OwnOptionsEnvelope(json: json, options: MappingOptions(strict: false)).one
        #expect((lenient?.id, lenient?.text) == (1, "2"))
        let digitless = MappingOptions(strict: false, stringsFromNumbers: false)
        #expect(try OwnOptionsEnvelope(json: json, options: digitless).one?.text == "")
    }

    @Test("Coercions, fallbacks and unknown keys in embedded JSON are reported")
    func reported() throws {
        let (envelope, report) = try Envelope.mapReporting(
            json: document("optional", #"{"id": "1", "name": 5, "more": 6}"#))
        #expect(envelope.optional?.id == 1)
        let own = report.entries.filter { $0.model == "Payload" }
        #expect(Set(own.map(\.kind)) == [.coerced, .fallback, .unknownKey])
    }

    private final class Hooked: AbstractModel {
        var payload: Payload?
        var asked: [String] = []
        override class var ignoredProperties: Set<String> { ["asked"] }
        override class var propertyConverters: [String: any Converter] { ["payload": .embeddedJSON] }
        override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
            asked.append("\(property): \(value ?? "nil")")
            return false
        }
    }

    @Test("The invalid-value hook is called with the string")
    func hook() throws {
        #expect(try Hooked(json: #"{"payload": "{}"}"#).asked == ["payload: {}"])
        #expect(try Hooked(json: #"{"payload": "{\"id\": 1}"}"#).asked == [])
    }

    private final class Broken: AbstractModel {
        var id = 0
        override class var requiredProperties: Set<String> { ["idd"] }
    }

    @Test(
        "An invalid class inside embedded JSON fails the call with its own fault",
        arguments: [MappingOptions(), .strict])
    func invalidModel(options: MappingOptions) {
        final class Outside: AbstractModel {
            var broken: Broken?
            override class var propertyConverters: [String: any Converter] { ["broken": .embeddedJSON] }
        }
        let error = #expect(throws: ModelError.self) {
            try Outside(json: #"{"broken": "{\"id\": 1}"}"#, options: options)
        }
        #expect(
            error?.description
                == #"Broken cannot be mapped: requiredProperties names "idd", which is not a stored property of Broken "#
                + #"(did you mean "id"?)."#)
    }

    @Test("The call's context is available inside embedded JSON")
    func context() throws {
        final class Inside: AbstractModel {
            var seen = ""
            override class var propertyConverters: [String: any Converter] { ["seen": ContextConverter()] }
        }
        final class Outside: AbstractModel {
            var inside: Inside?
            override class var propertyConverters: [String: any Converter] { ["inside": .embeddedJSON] }
        }
        let json = #"{"inside": "{\"seen\": 1}"}"#
        #expect(try Outside(json: json).inside?.seen == "none")
        #expect(try Outside(json: json, options: MappingOptions(context: "call")).inside?.seen == "call")
    }

    private struct ContextConverter: Converter {
        func value(from json: JSONValue) throws -> String { MappingContext.current as? String ?? "none" }
        func json(from value: String) throws -> JSONValue { .string(value) }
    }

    // MARK: The converter by itself

    @Test(
        "A standalone .embeddedJSON reads values from strings and writes them back",
        arguments: [
            ("null", "null"), ("1.50", "1.50"), (#""a""#, #""a""#), (" [1, 2 ]", "[1,2]"),
            (#"{"b": [], "a": {"c": null}}"#, #"{"a":{"c":null},"b":[]}"#), (#""\"\\\n\u0001ä""#, #""\"\\\n\u0001ä""#),
        ])
    func converter(inside: String, written: String) throws {
        let converter = AnyConverter<JSONValue>.embeddedJSON
        let value = try JSONValue(json: inside)
        #expect(try converter.value(from: .string(inside)) == value)
        #expect(try converter.json(from: value) == .string(written))
        #expect(try converter.value(from: .string(written)) == value)
    }

    @Test("A standalone .embeddedJSON rejects non-strings and strings of invalid JSON")
    func refused() {
        let converter = AnyConverter<JSONValue>.embeddedJSON
        for json in [JSONValue.null, .bool(true), .number(JSONNumber(1)), .array([]), .object([:])] {
            #expect(throws: ConversionError(expected: "a string that holds JSON")) { try converter.value(from: json) }
        }
        let error = #expect(throws: ModelError.self) { try converter.value(from: .string("[")) }
        #expect(error?.syntaxError != nil)
    }
}
