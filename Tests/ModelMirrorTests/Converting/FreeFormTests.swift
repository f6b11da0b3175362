import Foundation
import ModelMirror
import Testing

@Suite("Free-form values")
struct FreeFormTests {
    private static let values: [(json: String, value: JSONValue)] = [
        ("true", .bool(true)), ("false", .bool(false)), ("1", .number(JSONNumber(1))),
        ("1.50", .number(1.5)),
        (#""1""#, .string("1")), (#""""#, .string("")), ("[]", .array([])), ("{}", .object([:])),
        (
            #"[null, {"a": [1, "b"]}]"#,
            .array([.null, .object(["a": .array([.number(JSONNumber(1)), .string("b")])])])
        ),
    ]

    @Test("JSONValue accepts every kind of value unchanged", arguments: values)
    func jsonValue(json: String, value: JSONValue) {
        ConversionTable(start: JSONValue.string("start"), expected: "a JSON value").takes(json, as: value)
    }

    private final class Free: AbstractModel {
        var value = JSONValue.string("start")
        var optional: JSONValue? = .string("start")
        var list: [JSONValue] = []
        var optionals: [JSONValue?] = []
        var byKey: [String: JSONValue] = [:]
        var any: Any = "start"
        var optionalAny: Any? = "start"
        var anys: [Any] = []
        var members: [String: Any] = [:]
        var optionalMembers: [String: Any]?
        var nested: [String: [Any?]] = [:]
        var number = JSONNumber(7)
    }

    @Test(
        "null is nil for an Optional property, and JSONValue.null for a JSONValue and for an Any in a collection",
        arguments: [MappingOptions(), .strict])
    func null(options: MappingOptions) throws {
        let json = #"""
            {"value": null, "optional": null, "list": [null], "optionals": [null], "byKey": {"a": null},
            "optionalAny": null, "anys": [null], "members": {"a": null}, "nested": {"a": [null]}}
            """#
        let (free, report) = try Free.mapReporting(json: json, options: options)
        #expect(free.value == .null)
        #expect(free.optional == nil)
        #expect(free.list == [.null])
        #expect(free.optionals == [nil])
        #expect(free.byKey == ["a": .null])
        #expect(free.optionalAny == nil)
        #expect(free.anys.map { $0 as? JSONValue } == [.null])
        #expect(free.members.mapValues { $0 as? JSONValue } == ["a": .null])
        #expect(free.nested.mapValues { $0.map { $0 == nil } } == ["a": [true]])
        #expect(report.entries.filter { $0.kind != .missing }.isEmpty)
    }

    @Test(
        "Any reads an integer that fits as Int, and other numbers as Double or JSONNumber",
        arguments: [
            ("1", Int(1)), ("-9223372036854775808", Int.min), ("1.0", Double(1)), ("1e3", Double(1000)), ("-0", Int(0)),
            ("9223372036854775808", Double(sign: .plus, exponent: 63, significand: 1)), ("0.1", Double(0.1)),
            ("1e200", Double(1e200)), ("1e-200", Double(1e-200)), ("1e400", JSONNumber("1e400")!),
            ("1e-400", JSONNumber("1e-400")!), ("0e-400", Double(0)),
        ] as [(String, any Hashable & Sendable)])
    func numbers(json: String, value: any Hashable & Sendable) throws {
        for options in [MappingOptions(), .strict] {
            let document =
                #"{"any": \#(json), "optionalAny": \#(json), "anys": [\#(json)], "members": {"a": \#(json)}}"#
            let free = try Free(json: document, options: options)
            for taken in [free.any, try #require(free.optionalAny), free.anys.first as Any, free.members["a"] as Any] {
                let plain = taken as? any Hashable
                #expect(plain.map { "\(type(of: $0)) \($0)" } == "\(type(of: value)) \(value)")
                #expect(plain.map { AnyHashable($0) } == AnyHashable(value))
            }
        }
    }

    @Test("Any receives plain Swift values", arguments: [MappingOptions(), .strict])
    func plain(options: MappingOptions) throws {
        let json = #"{"any": true, "optionalAny": "a", "anys": [[1, "b"], {}], "members": {"a b": {"c": [false]}}}"#
        let free = try Free(json: json, options: options)
        #expect(free.any as? Bool == true)
        #expect(type(of: free.any) == Bool.self)
        #expect(free.optionalAny as? String == "a")
        let first = try #require(free.anys.first as? [Any])
        #expect(first.count == 2 && first[0] as? Int == 1 && first[1] as? String == "b")
        #expect((free.anys.last as? [String: Any])?.isEmpty == true)
        let member = try #require(free.members["a b"] as? [String: Any])
        #expect(member["c"] as? [Bool] == [false])
    }

    @Test("[String: Any] rejects values that are not objects", arguments: ["1", #""a""#, "true", "[]", #"[{"a": 1}]"#])
    func noObject(json: String) throws {
        let (free, report) = try Free.mapReporting(json: #"{"members": \#(json), "optionalMembers": \#(json)}"#)
        #expect(free.members.isEmpty)
        #expect(free.optionalMembers == nil)
        #expect(report.entries.filter { $0.kind == .fallback }.map(\.expected) == ["an object", "an object"])
        #expect(throws: ModelError.self) { try Free(json: #"{"members": \#(json)}"#, options: .strict) }
    }

    @Test(
        "JSONNumber keeps the digits as written",
        arguments: ["0", "-0", "1.50", "1E5", "1e400", "123456789012345678901234567890.10"])
    func digits(number: String) throws {
        ConversionTable(start: JSONNumber(7), expected: "a number").takes(number, as: JSONNumber(number)!)
        #expect(try Free(json: #"{"number": \#(number)}"#).number.text == number)
        #expect(try Free(json: #"{"value": \#(number)}"#).value.number?.text == number)
    }

    @Test("JSONNumber rejects values that are not numbers", arguments: [#""1""#, "true", "[]", "{}"])
    func noNumber(json: String) {
        ConversionTable(start: JSONNumber(7), expected: "a number").refuses(json)
    }
}
