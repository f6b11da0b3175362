import ModelMirror
import Testing

/// Its converter rejects every value, so that the hook receives every kind of value.
private struct NothingFits: Converter {
    func value(from json: JSONValue) throws -> Int { throw ConversionError(expected: "nothing") }
    func json(from value: Int) throws -> JSONValue { .null }
}

private class Box: AbstractModel {
    var content = 0

    override class var propertyConverters: [String: any Converter] { ["content": NothingFits()] }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        HookProbe.current?.note(value, property)
        return false
    }
}

@Suite("The value passed to shouldFail")
struct HookValueTests {
    @Test(
        "shouldFail receives each JSON value as a plain Swift value",
        arguments: [
            ("null", "nil"),
            ("true", "Bool true"),
            ("false", "Bool false"),
            (#""""#, #"String """#),
            (#""true""#, #"String "true""#),
            (#""\u00e9\ud83d\ude00\n""#, "String \"é😀\n\""),
            ("0", "Int 0"),
            ("-5", "Int -5"),
            ("1.0", "Double 1.0"),
            ("1e3", "Double 1000.0"),
            ("9223372036854775807", "Int 9223372036854775807"),
            ("-9223372036854775808", "Int -9223372036854775808"),
            ("9223372036854775808", "Double 9.223372036854776e+18"),
            ("18446744073709551615", "Double 1.8446744073709552e+19"),
            ("18446744073709551616", "Double 1.8446744073709552e+19"),
            ("-9223372036854775809", "Double -9.223372036854776e+18"),
            ("1.5", "Double 1.5"),
            ("0.1", "Double 0.1"),
            ("12345678901234567890.12345", "Double 1.2345678901234567e+19"),
            ("0.1234567890123456789012345678901234567890123456789", "Double 0.12345678901234568"),
            ("1.5e300", "Double 1.5e+300"),
            ("[]", "[]"),
            ("{}", "{}"),
            (#"[1, "1", 1.25, true]"#, #"[Int 1, String "1", Double 1.25, Bool true]"#),
            ("[null, [null]]", "[JSONValue null, [JSONValue null]]"),
            (#"{"a": null, "b": {"c": null, "d": [{}]}}"#, "{a: JSONValue null, b: {c: JSONValue null, d: [{}]}}"),
        ])
    func values(json: String, expected: String) throws {
        let probe = HookProbe()
        _ = try Box(json: #"{"content": \#(json)}"#, options: probe.options())
        #expect(probe.calls == ["content = \(expected)"])
    }
}
