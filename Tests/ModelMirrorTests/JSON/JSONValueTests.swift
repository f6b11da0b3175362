import Foundation
import ModelMirror
import Testing

@Suite("JSON values")
struct JSONValueTests {
    private static func number(_ text: String) throws -> JSONValue { .number(try #require(JSONNumber(text))) }

    /// Nested containers, `count` deep, the innermost empty.
    private static func nested(_ count: Int, _ kinds: String) -> String {
        let kinds = Array(kinds)
        let opened = (0..<count).map { kinds[$0 % kinds.count] == "[" ? "[" : $0 == count - 1 ? "{" : #"{"k":"# }
        let closed = (0..<count).reversed().map { kinds[$0 % kinds.count] == "[" ? "]" : "}" }
        return opened.joined() + closed.joined()
    }

    // MARK: Reading

    @Test("Every kind of JSON value is read")
    func kinds() throws {
        let values: [(String, JSONValue)] = [
            ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("-1.50e3", try Self.number("-1500")),
            (#""a\nb""#, .string("a\nb")), ("[]", .array([])), ("{}", .object([:])), (" \t\r\n[ ] \t\r\n", .array([])),
        ]
        for (json, value) in values { #expect(try JSONValue(json: json) == value, "\(json)") }
    }

    @Test("A nested document is read in full and in order")
    func tree() throws {
        let value = try JSONValue(
            json: """
                {
                    "list": [1, [2, [], {"x": [3]}], null, {"": false}],
                    "text": "t", "inner": {"a": {"b": {}}, "c": [[[]]]}, "last": 0.5
                }
                """)
        #expect(
            value
                == .object([
                    "list": .array([
                        try Self.number("1"),
                        .array([try Self.number("2"), .array([]), .object(["x": .array([try Self.number("3")])])]),
                        .null, .object(["": .bool(false)]),
                    ]),
                    "text": .string("t"),
                    "inner": .object(["a": .object(["b": .object([:])]), "c": .array([.array([.array([])])])]),
                    "last": try Self.number("0.5"),
                ]))
    }

    @Test("The last value of a duplicate key is kept")
    func duplicateKeys() throws {
        let value = try JSONValue(json: #"{"a": 1, "b": 2, "a": [3], "\u0061": {"a": 4, "a": 5}}"#)
        #expect(value == .object(["a": .object(["a": try Self.number("5")]), "b": try Self.number("2")]))
    }

    @Test("Canonically equivalent keys are the same key")
    func equivalentKeys() throws {
        let value = try JSONValue(json: "{\"\u{E9}\": 1, \"e\u{301}\": 2}")
        #expect(value == .object(["\u{E9}": try Self.number("2")]))
        #expect(value.object?.count == 1)
    }

    @Test("An array and an object of 10,000 values are read in full")
    func wide() throws {
        let elements = (0..<10_000).map { "\($0)" }
        let array = try JSONValue(json: "[" + elements.joined(separator: ",") + "]")
        #expect(array.array?.map { $0.number?.text ?? "" } == elements)
        let object = try JSONValue(json: "{" + elements.map { "\"\($0)\":\($0)" }.joined(separator: ",") + "}")
        #expect(object.object?.count == elements.count)
        #expect(object.object?.allSatisfy { $0.key == $0.value.number?.text } == true)
    }

    // MARK: Depth

    private static let shapes = ["[", "{", "[{", "{["]

    @Test("512 nested containers are read, and the 513th is rejected where it opens", arguments: shapes)
    func depth(shape: String) throws {
        var value = try JSONValue(json: Self.nested(512, shape))
        var count = 1
        while let inner = value.array?.first ?? value.object?["k"] {
            value = inner
            count += 1
        }
        #expect(count == 512)

        let document = Self.nested(513, shape)
        // The innermost container opens right before the 513 closing brackets.
        let place = document.utf8.count - 514
        let error = syntaxError(in: document)
        #expect(error?.expected == "no deeper nesting (the limit of MappingOptions.depth is reached)")
        #expect((error?.offset, error?.line, error?.column) == (place, 1, place + 1))
    }

    @Test(
        "The depth limit is an option from 1 to 1024, to which others are clamped",
        arguments: [
            (1, 1), (2, 2), (100, 100), (513, 513), (1024, 1024), (-5, 1), (0, 1), (1025, 1024), (Int.max, 1024),
        ])
    func depthOption(option: Int, limit: Int) throws {
        let options = MappingOptions(depth: option)
        for shape in Self.shapes {
            #expect(syntaxError(in: Self.nested(limit, shape), options) == nil)
            let error = syntaxError(in: Self.nested(limit + 1, shape), options)
            #expect(error?.expected == "no deeper nesting (the limit of MappingOptions.depth is reached)")
        }
    }

    @Test("Siblings and scalars do not count toward the depth limit")
    func siblings() throws {
        let options = MappingOptions(depth: 2)
        let value = try JSONValue(json: #"[[],[],{},{},[1,2],{"a":0}]"#, options: options)
        #expect(value.array?.count == 6)
        #expect(try JSONValue(json: "1", options: MappingOptions(depth: 1)).int == 1)
    }

    @Test("100,000 unclosed containers are rejected at the depth limit")
    func hostileDepth() {
        for opening in ["[", "{\"k\":"] {
            let document = String(repeating: opening, count: 100_000)
            let error = syntaxError(in: document)
            #expect(error?.expected == "no deeper nesting (the limit of MappingOptions.depth is reached)")
            #expect(error?.offset == 512 * opening.utf8.count)
        }
    }

    // MARK: Accessors

    @Test("Each accessor gives the parsed value of its own kind, and nil for others")
    func accessors() throws {
        let values = try #require(try JSONValue(json: #"[null, true, 7, "7", [7], {"7": 7}, 7.5, 1e400]"#).array)
        #expect(values.map(\.isNull) == [true, false, false, false, false, false, false, false])
        #expect(values.map(\.bool) == [nil, true, nil, nil, nil, nil, nil, nil])
        #expect(values.map(\.int) == [nil, nil, 7, nil, nil, nil, nil, nil])
        #expect(values.map(\.double) == [nil, nil, 7, nil, nil, nil, 7.5, nil])
        #expect(values.map { $0.number?.text } == [nil, nil, "7", nil, nil, nil, "7.5", "1e400"])
        #expect(values.map(\.string) == [nil, nil, nil, "7", nil, nil, nil, nil])
        #expect(values.map(\.array) == [nil, nil, nil, nil, [try Self.number("7")], nil, nil, nil])
        #expect(values.map(\.object) == [nil, nil, nil, nil, nil, ["7": try Self.number("7")], nil, nil])
    }

    @Test("Equality compares numbers by value and ignores the order of members")
    func equality() throws {
        let left = try JSONValue(json: #"{"a": 1, "b": [10e-1, 2.50]}"#)
        let right = try JSONValue(json: #"{"b": [1.0, 25e-1], "a": 1e0}"#)
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        for (left, right) in [("[1, 2]", "[2, 1]"), ("1", "\"1\""), ("0", "false"), ("null", "[]")] {
            #expect(try JSONValue(json: left) != JSONValue(json: right), "\(left), \(right)")
        }
    }

    @Test("Plain scalars are Bool, String, Int for integers that fit, or else Double or JSONNumber")
    func plainScalars() throws {
        func plain<Value>(_ json: String, as type: Value.Type) throws -> Value? {
            let any = try #require(try JSONValue(json: json).any)
            #expect(Swift.type(of: any) == type, "\(json)")
            return any as? Value
        }
        #expect(try JSONValue(json: "null").any == nil)
        #expect(try plain("true", as: Bool.self) == true)
        #expect(try plain(#""\u00e9""#, as: String.self) == "é")
        for (json, value) in [
            "0": 0, "-0": 0, "9223372036854775807": Int.max, "-9223372036854775808": Int.min,
        ] {
            #expect(try plain(json, as: Int.self) == value, "\(json)")
        }
        for (json, value) in [
            "1.0": 1, "1e3": 1000, "10e-1": 1, "0.1": 0.1, "9223372036854775808": 0x1p63, "1e200": 1e200,
            "1e-200": 1e-200, "0.1000000000000000055511151231257827021181583404541015625": 0.1,
        ] {
            #expect(try plain(json, as: Double.self) == value, "\(json)")
        }
        #expect(try plain("1e400", as: JSONNumber.self)?.text == "1e400")
    }

    @Test("Plain containers are arrays and dictionaries with JSONValue.null for nested nulls")
    func plainContainers() throws {
        let any = try JSONValue(json: #"{"list": [1, null, "x", [true], {}], "none": null, "object": {"k": 2.5}}"#).any
        let members = try #require(any as? [String: Any])
        #expect(members.keys.sorted() == ["list", "none", "object"])
        #expect(members["none"] as? JSONValue == .null)
        let list = try #require(members["list"] as? [Any])
        #expect(list.count == 5)
        #expect(list[0] as? Int == 1)
        #expect(list[1] as? JSONValue == .null)
        #expect(list[2] as? String == "x")
        #expect((list[3] as? [Any])?.first as? Bool == true)
        #expect((list[4] as? [String: Any])?.isEmpty == true)
        #expect((members["object"] as? [String: Any])?["k"] as? Double == 2.5)
    }
}
