import Foundation
import ModelMirror
import Testing

private enum Plan: String { case free }

private struct Verbose: CustomStringConvertible {
    let description = String(repeating: "long ", count: 200)
}

@Suite("JSONValue and plain Swift values")
struct JSONValueAnyTests {
    @Test("JSONValue(any:) accepts nested Swift values, Optional or not")
    func swiftValues() throws {
        let members: [String: Any] = [
            "text": "é\u{0}", "yes": true, "list": [1, nil, "a", [Optional("b")]] as [Any?], "typed": [[1, 2], []],
            "members": ["a": ["b": nil] as [String: Any?]], "none": Int?.none as Any,
            "some": Optional(Optional(7)) as Any,
            "json": ["a": nil] as JSONValue, "number": JSONNumber("1.50") as Any,
            "mixed": [JSONValue.null, 1] as [Any],
        ]
        #expect(
            try JSONValue(any: members) == [
                "text": "é\u{0}", "yes": true, "list": [1, nil, "a", ["b"]], "typed": [[1, 2], []],
                "members": ["a": ["b": nil]], "none": nil, "some": 7, "json": ["a": nil], "number": 1.5,
                "mixed": [nil, 1],
            ])
        #expect(try JSONValue(any: nil) == .null)
        #expect(try JSONValue(any: JSONNumber("1.50")).number?.text == "1.50")
    }

    @Test(
        "JSONValue(any:) keeps the value of numbers of every type",
        arguments: [
            (Int8.min, "-128"), (UInt8.max, "255"), (Int16.min, "-32768"), (UInt16.max, "65535"),
            (Int32.min, "-2147483648"),
            (UInt32.max, "4294967295"), (Int.min, "-9223372036854775808"), (UInt.max, "18446744073709551615"),
            (Int128.min, "-170141183460469231731687303715884105728"),
            (UInt128.max, "340282366920938463463374607431768211455"), (0.1, "0.1"), (1.0, "1.0"), (-0.0, "-0.0"),
            (1e300, "1e+300"), (Float(0.1), "0.1"), (Float(2), "2.0"), (CGFloat(0.1), "0.1"),
            (Decimal(string: "12345678901234567890.12") ?? 0, "12345678901234567890.12"),
        ] as [(any Sendable, String)])
    func numbers(value: any Sendable, text: String) throws {
        #expect(try JSONValue(any: value).number?.text == text)
        #expect(try JSONValue(any: [Optional(value)])[0]?.number?.text == text)
    }

    @Test("JSONValue(any:) converts the output of JSONSerialization to the same JSON")
    func jsonSerialization() throws {
        let json = #"""
            {"a": [true, false, 0, 1, null, 1.5, -7, "x", "", [], {}], "b": 18446744073709551615,
             "c": 12345678901234567890.12, "d": {"e": 1e-7, "f": 0.1, "g": 9223372036854775807}}
            """#
        let plain = try JSONSerialization.jsonObject(with: Data(json.utf8))
        #expect(try JSONValue(any: plain) == JSONValue(json: json))
    }

    @Test("JSONValue(any:) accepts Foundation's reference types")
    func foundation() throws {
        let values: [(any NSObjectProtocol, JSONValue)] = [
            (NSNumber(value: true), true), (NSNumber(value: false), false), (NSNumber(value: 1), 1),
            (NSNumber(value: 0), 0),
            (NSNumber(value: 1.5), 1.5), (NSNumber(value: UInt64.max), 18_446_744_073_709_551_615),
            (NSNumber(value: Int8(-3)), -3), (NSDecimalNumber(string: "0.1"), 0.1), (NSDecimalNumber(value: 5), 5),
            (NSNull(), nil), (NSString("text"), "text"), (NSArray(array: [NSNumber(value: 1), NSNull()]), [1, nil]),
            (NSDictionary(dictionary: ["a": NSNumber(value: true)]), ["a": true]),
        ]
        for (value, json) in values { #expect(try JSONValue(any: value) == json) }
        #expect(try JSONValue(any: ["a": 1] as [AnyHashable: Any]) == ["a": 1])
    }

    @Test("JSONValue(any:) accepts values that are texts in JSON")
    func texts() throws {
        let values: [String: Any] = [
            "a": Date(timeIntervalSince1970: 0.5), "b": [URL(string: "https://x.org/a%20b")], "c": Data([255]),
            "d": UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") as Any, "e": Character("é"),
            "f": Substring("x"),
        ]
        #expect(
            try JSONValue(any: values)
                == [
                    "a": "1970-01-01T00:00:00.5Z", "b": ["https://x.org/a%20b"], "c": "/w==",
                    "d": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "e": "é", "f": "x",
                ])
    }

    @Test("JSONValue(any:) reports every value that JSON cannot hold, with its path, in key order")
    func unrepresentable() throws {
        let action: () -> Void = {}
        let values: [String: Any] = [
            "f": action, "e": [1, Float.infinity, ["a b": -Double.infinity]] as [Any], "d": Decimal.nan,
            "c": Double.nan,
            "b": Plan.free, "a": ["x": Date(timeIntervalSince1970: .infinity), "y": 1] as [String: Any],
            "g": [1: "one"], "h": Set([1]),
        ]
        let error = #expect(throws: ModelError.self) { try JSONValue(any: values) }
        #expect(
            error?.description == """
                JSON at $.a.x: expected a date between the years 0 and 9999, found the date inf seconds since 1970 of type Date.
                JSON at $.b: expected a value that JSON can hold, found a value of type Plan.
                JSON at $.c: expected a finite number, found nan of type Double.
                JSON at $.d: expected a finite number, found NaN of type Decimal.
                JSON at $.e[1]: expected a finite number, found inf of type Float.
                JSON at $.e[2]["a b"]: expected a finite number, found -inf of type Double.
                JSON at $.f: expected a value that JSON can hold, found a value of type () -> ().
                JSON at $.g: expected a value that JSON can hold, found a value of type Dictionary<Int, String>.
                JSON at $.h: expected a value that JSON can hold, found a value of type Set<Int>.
                """)
        #expect(
            error?.valueFailures.allSatisfy {
                $0.line == nil && $0.column == nil && $0.offset == nil && $0.property == nil
            } == true)
    }

    @Test("JSONValue(any:) rejects NaN in NSNumber and NSDecimalNumber")
    func foundationNaN() {
        for value in [NSNumber(value: Double.nan), NSDecimalNumber.notANumber] {
            let error = #expect(throws: ModelError.self) { try JSONValue(any: value) }
            #expect(error?.description.hasPrefix("JSON at $: expected a finite number, found ") == true)
        }
    }

    @Test("JSONValue(any:) reports at most 100 failures, each with the type of the value")
    func limits() {
        let error = #expect(throws: ModelError.self) {
            try JSONValue(any: (0..<250).map { _ in Verbose() })
        }
        #expect(error?.valueFailures.map { "\($0.path)" } == (0..<100).map { "$[\($0)]" })
        #expect(error?.valueFailures.allSatisfy { $0.found == "a value of type Verbose" } == true)
    }

    @Test("JSONValue(any:) accepts nesting up to the maximum depth and rejects deeper containers")
    func depth() throws {
        func nested(_ depth: Int) -> Any { (1..<depth).reduce([Any]()) { inner, _ in [inner] } }
        var value: JSONValue? = try JSONValue(any: nested(MappingOptions.maximumDepth))
        for _ in 1..<MappingOptions.maximumDepth { value = value[0] }
        #expect(value == [])
        for depth in [MappingOptions.maximumDepth + 1, 5000] {
            let error = #expect(throws: ModelError.self) { try JSONValue(any: nested(depth)) }
            #expect(error?.description.hasSuffix("[0]: expected no deeper nesting, found an array.") == true)
        }
        let error = #expect(throws: ModelError.self) {
            try JSONValue(any: (0..<2000).reduce(1 as Any) { inner, _ in ["a": inner] })
        }
        #expect(error?.description.hasSuffix(".a: expected no deeper nesting, found an object.") == true)
    }

    @Test(
        "Converting a JSONValue to plain values and back gives the same value",
        arguments: [
            nil, true, false, 0, -1, 0.1, -1.5e300, 1e-300, "",
            "é",
            [], [:], [nil, [nil], [:]], ["a": nil, "b": ["c": [1, 2.5, "d", true]]],
            .number(JSONNumber(floatLiteral: .infinity)),
        ] as [JSONValue])
    func roundTrip(value: JSONValue) throws {
        #expect(try JSONValue(any: value.any) == value)
    }
}
