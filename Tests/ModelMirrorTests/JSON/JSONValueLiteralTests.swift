import ModelMirror
import Testing

@Suite("JSONValue literals")
struct JSONValueLiteralTests {
    @Test(
        "A Swift literal becomes the corresponding JSON value",
        arguments: [
            (nil, .null), (true, .bool(true)), (false, .bool(false)), ("", .string("")), ("é\n", .string("é\n")),
            ("1 + 1 = \(1 + 1)", .string("1 + 1 = 2")), (0, .number(JSONNumber(Int(0)))),
            (-9_223_372_036_854_775_809, .number(JSONNumber(Int128(Int64.min) - 1))),
            (18_446_744_073_709_551_616, .number(JSONNumber(Int128(UInt64.max) + 1))),
            ([], .array([])), ([:], .object([:])), ([nil, 1, "a", [true]], .array([.null, 1, "a", .array([true])])),
            (["a": nil, "b": ["c": [1]]], .object(["a": .null, "b": .object(["c": .array([1])])])),
        ] as [(JSONValue, JSONValue)])
    func literals(literal: JSONValue, value: JSONValue) {
        #expect(literal == value)
    }

    @Test("A literal equals the JSON document that reads like it")
    func document() throws {
        let literal: JSONValue = [
            "id": "1", "public": true, "score": -0.5, "owner": nil, "tags": ["a", 2, []], "more": [:],
        ]
        let json = #"{"id": "1", "public": true, "score": -0.5, "owner": null, "tags": ["a", 2, []], "more": {}}"#
        #expect(try JSONValue(json: json) == literal)
    }

    @Test("The last value of a duplicate key in a literal is kept")
    func duplicates() {
        let literal: JSONValue = ["a": 1, "b": 2, "a": 3]
        #expect(literal == .object(["a": 3, "b": 2]))
    }

    @Test("nil is null in a literal, and a missing member in a comparison")
    func null() {
        let value: JSONValue = ["a": nil]
        #expect(value["a"] == .some(.null))
        #expect((value["a"] == nil) == false)
        #expect(value["b"] == nil)
        #expect(JSONValue.null == nil)
    }

    @Test(
        "A number's literal becomes the shortest number with its value, an infinite one is beyond Double, and NaN is 0",
        arguments: [
            (0, "0"), (-7, "-7"), (170_141_183_460_469_231_731_687_303_715_884_105_727, "\(Int128.max)"),
            (-170_141_183_460_469_231_731_687_303_715_884_105_728, "\(Int128.min)"), (0.1, "0.1"), (-0.5, "-0.5"),
            (1.0, "1"), (1e3, "1000"), (1e300, "1e+300"), (1e-300, "1e-300"),
            (0.30000000000000004, "0.30000000000000004"), (JSONNumber(floatLiteral: .infinity), "1e309"),
            (JSONNumber(floatLiteral: -.infinity), "-1e309"), (JSONNumber(floatLiteral: .nan), "0"),
        ] as [(JSONNumber, String)])
    func numbers(number: JSONNumber, text: String) {
        #expect(number.text == text)
        #expect(JSONNumber(text) == number)
    }
}
