import Foundation
import ModelMirror
import Testing

private struct Envelope: Codable, Equatable {
    var firstName = ""
    var payload: JSONValue
    var extra: JSONValue?
    var size: JSONNumber?
}

@Suite("JSONValue and JSONNumber as Codable types")
struct JSONValueCodableTests {
    private static let values: [JSONValue] = [
        nil, true, false, 0, -7, 1.5, "", "é\n", "1", "true", [], [:], [nil, [nil, 1], ["a": [:]]],
        ["a": nil, "b": [1, 2.5, "c", false, nil], "": ["d": "e"]], 9_223_372_036_854_775_807,
        -9_223_372_036_854_775_808,
    ]

    @Test("Every value is encoded and decoded by JSON coders without change", arguments: values)
    func json(value: JSONValue) throws {
        let data = try JSONEncoder().encode([value])
        #expect(try JSONValue(json: data) == [value])
        #expect(try JSONDecoder().decode([JSONValue].self, from: data) == [value])
    }

    @Test(
        "Every value but null is encoded and decoded by property list coders without change",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func propertyList(format: PropertyListSerialization.PropertyListFormat) throws {
        let value: JSONValue = [
            "a": true, "b": [1, 2.5, "c", false, [], [:]], "": ["d": ""], "e": -7, "f": 18_446_744_073_709_551_615,
            "g": 0.1,
        ]
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        let data = try encoder.encode(value)
        #expect(try PropertyListDecoder().decode(JSONValue.self, from: data) == value)
        let plain = try PropertyListSerialization.propertyList(from: data, format: nil)
        #expect(try JSONValue(any: plain) == value)
    }

    @Test(
        "JSON coders keep 128-bit integers and 38-digit decimals, and round others to Double",
        arguments: [
            ("0", "0"), ("-1", "-1"), ("1e3", "1000"), ("1.0", "1"), ("9223372036854775808", "9223372036854775808"),
            ("18446744073709551616", "18446744073709551616"), ("-9223372036854775809", "-9223372036854775809"),
            ("170141183460469231731687303715884105727", "170141183460469231731687303715884105727"),
            ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
            ("0.1", "0.1"), ("0.30000000000000004", "0.30000000000000004"),
            ("12345678901234567890.125", "12345678901234567890.125"),
            ("0.10000000000000000000000000000000000001", "0.10000000000000000000000000000000000001"),
            ("1e200", "1e+200"),
            ("-1.5e-300", "-1.5e-300"), ("0.1000000000000000055511151231257827021181583404541015625", "0.1"),
            ("1e-400", "0"),
        ])
    func numbers(text: String, expected: String) throws {
        let number = try #require(JSONNumber(text))
        let encoded = try JSONEncoder().encode([JSONValue.number(number)])
        #expect(String(decoding: encoded, as: UTF8.self) == "[\(expected)]")
        #expect(try JSONEncoder().encode([number]) == encoded)
        let document = Data("[\(expected)]".utf8)
        let same = try #require(JSONNumber(expected))
        #expect(try JSONDecoder().decode([JSONNumber].self, from: document) == [same])
        #expect(try JSONDecoder().decode([JSONValue].self, from: document) == [.number(same)])
    }

    @Test(
        "Encoding a number that no type of the coder can hold fails with its coding path",
        arguments: ["1e400", "-1e400"])
    func tooLargeToWrite(text: String) throws {
        let number = try #require(JSONNumber(text))
        let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(["a": [JSONValue.number(number)]]) }
        let (value, context) = try #require(error?.rejection)
        #expect(value as? JSONNumber == number)
        #expect(context.debugDescription == "The number \(text) is too large for Double.")
        #expect(context.codingPath.map(\.stringValue) == ["a", "Index 0"])
    }

    @Test("Decoding a number that no type of the coder can hold fails with its coding path")
    func tooLargeToRead() {
        let document = Data(#"{"a": [0, 1e400]}"#.utf8)
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: document) }
        #expect(error?.corruption?.debugDescription == "Expected a value that JSON can hold.")
        #expect(error?.corruption?.codingPath.map(\.stringValue) == ["a", "Index 1"])
    }

    @Test("Decoding a JSONNumber from another kind of value fails", arguments: ["true", #""1""#, "[]", "{}", "null"])
    func noNumber(json: String) {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([JSONNumber].self, from: Data("[\(json)]".utf8))
        }
        #expect(error?.corruption?.debugDescription == "Expected a number that JSON can hold.")
        #expect(error?.corruption?.codingPath.map(\.stringValue) == ["Index 0"])
    }

    @Test("A coder's key strategy leaves the keys inside a JSONValue unchanged")
    func keyStrategies() throws {
        let json =
            #"{"extra":{"b_c":{"d_e":[]},"user_id":1},"first_name":"Mona","payload":{"camelCase":2,"user_id":1}}"#
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let envelope = try decoder.decode(Envelope.self, from: Data(json.utf8))
        let expected = Envelope(
            firstName: "Mona", payload: ["user_id": 1, "camelCase": 2], extra: ["user_id": 1, "b_c": ["d_e": []]])
        #expect(envelope == expected)
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .sortedKeys
        let written = String(decoding: try encoder.encode(expected), as: UTF8.self)
        #expect(written == json)
    }

    @Test("null decodes as JSONValue.null, and as nil for an Optional, whose key may be missing")
    func null() throws {
        let document = Data(#"{"firstName": "", "payload": null, "extra": null}"#.utf8)
        let envelope = try JSONDecoder().decode(Envelope.self, from: document)
        #expect(envelope == Envelope(payload: .null))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Envelope.self, from: Data(#"{"firstName": ""}"#.utf8))
        }
    }

    @Test("A string that the coder could read as infinity or NaN stays a string")
    func nonConforming() throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        #expect(try decoder.decode(JSONValue.self, from: Data(#"["inf", "nan", 1]"#.utf8)) == ["inf", "nan", 1])
    }
}
