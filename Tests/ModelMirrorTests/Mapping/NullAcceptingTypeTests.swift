import ModelMirror
import Testing

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

private class HookedNulls: AbstractModel {
    var aware = NullAware("start")
    var hater = NullHater()
    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        HookProbe.current?.note(value, property)
        return false
    }
}

@Suite("Types that accept null")
struct NullAcceptingTypeTests {
    @Test("A type that accepts null converts it; a rejected null is reported as null")
    func nulls() throws {
        let json = #"{"aware": null, "hater": null, "flag": null, "number": null, "optional": null, "any": null}"#
        let (model, report) = try Nulls.mapReporting(json: json)
        #expect((model.aware, model.flag, model.number, model.optional) == (NullAware("none"), Flag(false), -1, nil))
        #expect(model.any as? Int == 1)
        #expect(
            report.description == """
                fallback: Nulls.hater at $.hater (line 1, column 26): expected a text, found null.
                fallback: Nulls.any at $.any (line 1, column 87): expected a JSON value, found null.
                """)
        #expect(
            Thrown.text { try Nulls(json: #"{"hater": null}"#, options: .strict) }
                == "Nulls.hater at $.hater (line 1, column 11): expected a text, found null.")
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

    @Test("The schema marks a type it cannot describe with a comment")
    func schema() throws {
        let properties = try Nulls.jsonSchema()["$defs"]["Nulls"]["properties"]
        #expect(properties["hater"] == ["$comment": "not described: a value for NullHater"])
    }
}
