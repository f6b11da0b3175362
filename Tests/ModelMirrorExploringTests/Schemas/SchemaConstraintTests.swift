import ModelMirrorExploring
import Testing

/// What a schema says of values beyond their types: rules of properties, statements that validate a model, and conditions for a class.
struct SchemaConstraintTests {
    private func lines(_ schema: String) throws -> [String] {
        try ClassInference.source(schema: Array(schema.utf8)).split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The rule in lines of source for the property `a`; empty if there is none.
    private func rule(in lines: [String]) -> String {
        let head = "override class var propertyRules: [String: any PropertyRule] {"
        guard let index = lines.firstIndex(where: { $0.hasPrefix(head) }) else { return "" }
        let entry =
            lines[index] == head ? lines[index + 2].dropLast(1) : lines[index].dropFirst(head.count + 2).dropLast(3)
        return String(entry.dropFirst(#""a": "#.count))
    }

    private func rule(_ schema: String) throws -> String {
        rule(in: try lines(##"{"properties": {"a": \##(schema)}, "$defs": {"x": {"minimum": 1}}}"##))
    }

    /// The statements of `validateModel(_:)` for a schema of the property `a`.
    private func statements(_ schema: String, with others: String = "}") throws -> [String] {
        let lines = try lines(##"{"properties": {"a": \##(schema)\##(others), "$defs": {"x": {"minimum": 1}}}"##)
        let body = lines.drop { $0 != "override func validateModel(_ validation: inout ModelValidation) {" }.dropFirst()
        return Array(body.prefix(while: { !$0.hasPrefix("class ") && !$0.hasPrefix("enum ") }).dropLast(2))
    }

    @Test(arguments: [
        (#"{"type": "object", "additionalProperties": false}"#, ".count(0)"),
        (#"{"type": "object", "patternProperties": {}, "additionalProperties": false}"#, ".count(0)"),
        (#"{"type": "null"}"#, ".oneOf([JSONValue.null])"),
        ("false", #".check("no value") { @Sendable (_: JSONValue) in false }"#),
        (
            #"{"type": "number", "multipleOf": 0.05}"#,
            ".multiple(of: 0.05)"
        ),
        (
            #"{"type": "number", "multipleOf": 1.5}"#,
            ".multiple(of: 1.5)"
        ),
        (#"{"type": "number", "multipleOf": 3}"#, ".multiple(of: 3)"),
        // Beyond Int, a literal without a fraction does not compile.
        (
            #"{"type": "number", "minimum": -9223372036854775809, "maximum": 18446744073709551615}"#,
            ".inRange((-9223372036854775809.0)...18446744073709551615.0)"
        ),
        (
            #"{"type": "number", "minimum": 9223372036854775807, "exclusiveMaximum": 1E30}"#,
            ".all(.inRange(9223372036854775807...), .below(1E30))"
        ),
        (#"{"type": "number", "const": 18446744073709551615}"#, ".oneOf([18446744073709551615.0])"),
        (#"{"type": "number", "enum": [1, 18446744073709551615]}"#, ".oneOf([1, 18446744073709551615.0])"),
        (#"{"type": "integer", "multipleOf": 0.4}"#, ".multiple(of: 0.4)"),
        (
            #"{"type": "array", "items": {"type": "string"}, "uniqueItems": true}"#,
            ".unique"
        ),
        (#"{"type": "string", "format": "uri"}"#, #".check("an absolute URL") { (url: URL) in url.scheme != nil }"#),
        (#"{"type": "string", "format": "email"}"#, ".format(.email)"),
        (
            #"{"allOf": [{"type": ["integer", "null"], "enum": [1, 2, 3]}, {"type": "number", "enum": [3, 2]}]}"#,
            ".oneOf([2, 3])"
        ),
        (
            #"{"type": "number", "minimum": 5, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false}"#,
            ".all(.inRange(...9), .above(5))"
        ),
        (
            #"{"type": "number", "allOf": [{"minimum": 5, "exclusiveMinimum": true}, {"minimum": 6}]}"#,
            ".all(.inRange(6...), .above(5))"
        ),
        (#"{"allOf": [{"enum": [1, 2, 3]}, {"enum": [2, 1.0]}]}"#, ".oneOf([1, 2])"),
        // Limits of integers are integers.
        (#"{"type": "integer", "minimum": -180, "maximum": -66}"#, ".inRange((-180)...(-66))"),
        (#"{"type": "integer", "minimum": -1}"#, ".inRange((-1)...)"),
        (#"{"type": "integer", "minimum": 5, "maximum": 1}"#, ".all(.inRange(5...), .inRange(...1))"),
        (#"{"type": "integer", "minimum": 1.0, "maximum": 1e3}"#, ".inRange(1...1000)"),
        (#"{"type": "integer", "minimum": 0.5}"#, ".inRange(1...)"),
        (#"{"type": "integer", "exclusiveMinimum": 0.5}"#, ".above(0)"),
        (
            #"{"type": "integer", "enum": [1, 2.0, 18446744073709551616]}"#,
            ".oneOf([Int128(1), Int128(2), Int128(18446744073709551616)])"
        ),
        // Negative limits of counts are raised or dropped.
        (#"{"type": "array", "items": {}, "minItems": -5, "maxItems": -3}"#, ".count(0...)"),
        (#"{"type": "array", "items": {}, "minItems": -5, "maxItems": 3}"#, ".count(0...3)"),
        // Limits of inner values.
        (
            ##"{"type": "array", "items": {"type": "integer", "allOf": [{"$ref": "#/$defs/x"}]}}"##,
            ".each(.inRange(1...))"
        ),
        (
            #"{"type": "array", "items": {"type": "array", "items": {"type": "string", "minLength": 1}}}"#,
            ".each(.each(.count(1...)))"
        ),
        (
            #"{"type": "object", "additionalProperties": {"maxLength": 3, "type": ["string", "null"]}}"#,
            ".each(.count(0...3))"
        ),
        (
            #"{"type": "object", "propertyNames": {"enum": ["x", "y"]}}"#,
            #".keys(.oneOf(["x", "y"]))"#
        ),
        (
            #"{"type": "object", "patternProperties": {"^x": {}, "^y": {}}, "additionalProperties": false}"#,
            ##".keys(.contains(#/(?:^x)|(?:^y)/#, as: "a text that matches (?:^x)|(?:^y)"))"##
        ),
        (
            #"{"type": "object", "allOf": [{"patternProperties": {"^x": {}}}, {"patternProperties": {"^y": {}}, "additionalProperties": false}]}"#,
            ##".keys(.contains(#/(?:^y)|(?:^x)/#, as: "a text that matches (?:^y)|(?:^x)"))"##
        ),
    ])
    func aConstraintIsARule(_ schema: String, _ rule: String) throws {
        #expect(try self.rule(schema) == rule)
    }

    @Test(arguments: [
        (#"{"type": "integer", "minimum": 0, "maximum": 18446744073709551615}"#, "a: UInt64?", ""),
        (
            #"{"type": "integer", "minimum": 9223372036854775808}"#, "a: UInt64?",
            ".inRange(UInt64(9223372036854775808)...)"
        ),
        (
            #"{"type": "integer", "minimum": 2, "maximum": 9223372036854775808}"#, "a: UInt64?",
            ".inRange(UInt64(2)...UInt64(9223372036854775808))"
        ),
        (
            #"{"type": "integer", "minimum": 9223372036854775809, "maximum": 9223372036854775808}"#, "a: UInt64?",
            ".all(.inRange(UInt64(9223372036854775809)...), .inRange(...UInt64(9223372036854775808)))"
        ),
        (
            #"{"type": "integer", "maximum": 18446744073709551616}"#, "a: Int128?",
            ".inRange(...Int128(18446744073709551616))"
        ),
        (#"{"enum": [1, 9223372036854775808]}"#, "a: UInt64?", ".oneOf([UInt64(1), UInt64(9223372036854775808)])"),
        (#"{"type": "integer", "exclusiveMaximum": 9223372036854775808}"#, "a: Int?", ""),
        (#"{"type": "integer", "minimum": 0, "maximum": 1e400}"#, "a: Int?", ".inRange(0...)"),
        (
            #"{"oneOf": [{"type": "integer", "maximum": 0}, {"const": 9223372036854775808}]}"#, "a: Int128?", ""
        ),
    ])
    func integersBeyondIntHaveAWiderType(_ schema: String, _ declaration: String, _ rule: String) throws {
        let lines = try lines(#"{"properties": {"a": \#(schema)}}"#)
        #expect(lines.contains("var \(declaration)"))
        #expect(self.rule(in: lines) == rule)
    }

    @Test(
        arguments: [
            (
                #"{"anyOf": [{"type": "integer", "minimum": 1}, {"enum": ["all", "none"]}]}"#,
                [
                    "if case .number(let value) = self.a {", #"validation.require("a", value, .inRange(1...))"#, "}",
                    "if case .text(let value) = self.a {", #"validation.require("a", value, .oneOf(["all", "none"]))"#,
                    "}",
                ]
            ),
            // Constant arrays and objects.
            (
                #"{"type": "array", "items": {"type": "integer"}, "enum": [[1, 2], ["x"]]}"#,
                [#"validation.require("a", self.a, .oneOf([[1, 2]]))"#]
            ),
            (
                #"{"const": [1, {"b": null}]}"#, [#"validation.require("a", self.a, .oneOf([[1, ["b": nil]]]))"#]
            ),
            (
                #"{"enum": [{}, {"b": [1.5, 1e400]}]}"#,
                [#"validation.require("a", self.a, .oneOf([[:], ["b": [1.5, .number(JSONNumber("1e400")!)]]]))"#]
            ),
            (
                #"{"allOf": [{"enum": [{"b": 1, "c": [2]}, {}]}, {"enum": [{"c": [2.0], "b": 1}]}]}"#,
                [#"validation.require("a", self.a, .oneOf([["b": 1, "c": [2]]]))"#]
            ),
            // Equal objects in Swift may differ in unknown keys, and equal dates in their spelling.
            (#"{"type": "array", "uniqueItems": true, "items": {"properties": {"b": {"type": "string"}}}}"#, []),
            (#"{"type": "array", "uniqueItems": true, "items": {"type": "string", "format": "date-time"}}"#, []),
            (#"{"type": "integer", "multipleOf": 0.5}"#, []),
            (
                #"{"type": "object", "patternProperties": {"^(a)\\1$": {}, "^(b)\\1$": {}}, "additionalProperties": false}"#,
                []
            ),
            // Neither classes nor choices are Equatable.
            (#"{"type": "array", "items": {"properties": {"b": {}}}, "const": []}"#, []),
            (#"{"type": "array", "items": {"type": ["string", "integer"]}, "enum": [[]]}"#, []),
            (#"{"type": "object", "additionalProperties": {"properties": {"b": {}}}, "const": {}}"#, []),
            (#"{"anyOf": [{"type": "string", "minLength": 1}, {"type": "string", "pattern": "b"}]}"#, []),
            (
                #"{"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer", "minimum": 1}}"#,
                []
            ),
        ] as [(String, [String])])
    func otherConstraintsAreStatementsOrLeftOut(_ schema: String, _ expected: [String]) throws {
        #expect(try statements(schema) == expected)
    }

    /// The conditions for objects of a class `Root`, of which `keywords` are those next to two properties.
    @Test(arguments: [
        (#""minProperties": 2"#, ["(value.object?.count ?? 2) >= 2"]),
        (
            #""required": ["a"], "not": {"required": ["a", "b"]}"#,
            [#"!((value.object?.keys.contains("a") != false && value.object?.keys.contains("b") != false))"#]
        ),
        (
            #""if": {"required": ["a"]}, "then": {"required": ["b"]}"#,
            [#"(value.object?.keys.contains("a") != false ? value.object?.keys.contains("b") != false : true)"#]
        ),
        (
            #""dependentSchemas": {"a": {"maxProperties": 1}}"#,
            [#"(value.object?.keys.contains("a") != true || (value.object?.count ?? 1) <= 1)"#]
        ),
        (
            #""propertyNames": {"maxLength": 3}"#,
            [
                "((value.object ?? [:]).keys.map { JSONValue.string($0) }.allSatisfy { value in (value.string?.unicodeScalars.count ?? 3) <= 3 })"
            ]
        ),
        (
            #""additionalProperties": {"type": "string"}"#,
            [
                #"((value.object ?? [:]).allSatisfy { member in (["a", "b"].contains(member.key) || [member.value].allSatisfy { value in value.string != nil }) })"#
            ]
        ),
        (
            #""patternProperties": {"^x": {"minimum": 0.5}}"#,
            [
                ##"((value.object ?? [:]).filter { $0.key.contains(#/^x/#.matchingSemantics(.unicodeScalar)) }.values.allSatisfy { value in (value.double ?? .infinity) >= 0.5 })"##
            ]
        ),
        (
            #""allOf": [{"properties": {"c": {}}}], "unevaluatedProperties": {"type": "null"}"#,
            [
                #"((value.object ?? [:]).allSatisfy { member in ((["a", "b"].contains(member.key) || ["c"].contains(member.key)) || [member.value].allSatisfy { value in value.isNull }) })"#
            ]
        ),
        (#""propertyNames": {"format": "date"}, "not": {"format": "date"}"#, []),
        (##""not": {"$ref": "#"}"##, []),
    ])
    func whatMembersDoNotExpressIsACondition(_ keywords: String, _ expected: [String]) throws {
        let lines = try lines(##"{"properties": {"a": {}, "b": {}}, \##(keywords)}"##)
        #expect(conditions(in: lines) == expected)
        #expect(
            lines[0]
                == (expected.isEmpty
                    ? "// let root = try Root(json: data)"
                    : "// let root = try JSONMapper.value(Root.self, from: data)"))
    }

    /// As above, of the value of the property `a`.
    @Test(arguments: [
        (
            #"{"type": "array", "contains": {"const": 5}, "maxContains": 2}"#,
            "value.array.map { (1...2).contains($0.count { value in ([5] as [JSONValue]).contains(value) }) } != false"
        ),
        (
            #"{"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "array"}}"#,
            "value[0].map { value in value.string != nil } != false"
        ),
        (
            #"{"type": "array", "prefixItems": [{}], "unevaluatedItems": false}"#,
            "(value.array ?? []).enumerated().allSatisfy { item in item.offset < 1 }"
        ),
        (
            #"{"type": "array", "items": {"type": "string", "format": "uuid"}, "uniqueItems": true}"#,
            "value.array.map { Set($0).count == $0.count } != false"
        ),
        (
            #"{"type": "integer", "allOf": [{"multipleOf": 2}, {"multipleOf": 3}]}"#,
            "(value.double ?? 0).truncatingRemainder(dividingBy: 3) == 0"
        ),
        (
            #"{"type": "number", "oneOf": [{"minimum": 2}, {"multipleOf": 1}]}"#,
            "[(value.double ?? .infinity) >= 2.0, (value.double ?? 0).truncatingRemainder(dividingBy: 1) == 0].count { $0 } == 1"
        ),
    ])
    func whatAPropertyDoesNotExpressIsACondition(_ schema: String, _ expected: String) throws {
        let lines = try lines(#"{"properties": {"a": \#(schema)}}"#)
        #expect(conditions(in: lines).contains("(value[\"a\"].map { value in \(expected) } != false)"))
    }

    private func conditions(in lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix("guard ") }.map { String($0.dropFirst(6).dropLast(" else { return nil }".count)) }
    }

    @Test func requiredSetsOfMembersAreConditions() throws {
        let others =
            #", "b": {"type": "integer"}, "c": {"type": ["integer", "null"]}}, "dependentRequired": {"a": ["b", "c"]}"#
        #expect(
            try statements(#"{"type": "integer"}"#, with: others) == [
                "if self.a != nil {", #"validation.require("b", self.b, .notNil)"#, "}",
            ])
        for (keyword, condition, word) in [
            ("anyOf", "![self.a != nil, self.b != nil].contains(true)", ""),
            ("oneOf", "[self.a != nil, self.b != nil].count(where: { $0 }) != 1", "either "),
        ] {
            let ways = #", "b": {"type": "integer"}}, "\#(keyword)": [{"required": ["a"]}, {"required": ["b"]}]"#
            #expect(
                try statements(#"{"type": "integer"}"#, with: ways) == [
                    "if \(condition) {", #"validation.fail(expected: "an object with \#(word)a or b")"#, "}",
                ])
        }
        let more =
            #", "b": {"type": "integer"}}, "oneOf": [{"required": ["a"], "not": {"required": ["b"]}}, {"required": ["b"]}]"#
        #expect(
            try statements(#"{"type": "integer"}"#, with: more).first
                == "if ![self.a != nil, self.b != nil].contains(true) {")
        #expect(
            try statements(
                #"{"type": "integer"}"#, with: #", "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]"#)
                == [])
    }
}
