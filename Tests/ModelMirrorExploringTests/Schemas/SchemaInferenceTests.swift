import Foundation
import ModelMirror
import ModelMirrorExploring
import Testing

private class Owner: AbstractModel {
    var login = ""
    var site: URL?
    override class var requiredProperties: Set<String> { ["login"] }
}

private class Gist: AbstractModel {
    var id = ""
    var createdAt: Date?
    var owner: Owner?
    var files: [String: Int] = [:]
    var forks: [Gist]?
    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var requiredProperties: Set<String> { ["id"] }
}

/// The inferred source. Tests/Exploring/check.sh checks that valid documents map and invalid ones fail.
struct SchemaInferenceTests {
    private func lines(_ schema: String, name: String? = nil) throws -> [String] {
        try ClassInference.source(schema: Array(schema.utf8), name: name).split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func aSchemaMadeFromAClassGivesItsProperties() throws {
        let schema = try Gist.jsonSchema().jsonData()
        let source = try ClassInference.source(schema: Array(schema), name: "Gist")
        for declaration in [
            "id = \"\"", "createdAt: Date?", "owner: Owner?", "files: [String: Int]?", "forks: [Gist]?",
        ] {
            #expect(source.contains("    var \(declaration)\n"))
        }
        #expect(source.contains("class Owner: AbstractModel {\n    var login = \"\"\n    var site: URL?\n"))
        #expect(source.hasPrefix("// let gist = try Gist(json: data)\n"))
    }

    /// What a schema is about, the schema and some lines of its source.
    @Test(
        arguments: [
            (
                "limits are validation rules",
                #"{"properties": {"age": {"type": "integer", "minimum": 0, "multipleOf": 5}, "a": {"type": "string", "maxLength": 3}}}"#,
                [
                    "override class var propertyRules: [String: any PropertyRule] {",
                    #""age": .all(.inRange(0...), .multiple(of: 5)), "a": .count(0...3),"#,
                ]
            ),
            (
                "a required member that may be anything is not Optional",
                #"{"properties": {"a": {}}, "required": ["a", "b"]}"#,
                [
                    "var a: JSONValue = .null", "var b: JSONValue = .null",
                    #"override class var requiredProperties: Set<String> { ["a", "b"] }"#,
                ]
            ),
            (
                "what a required member needs is required",
                #"{"properties": {"a": {}}, "required": ["a"], "dependentRequired": {"b": ["c"], "a": ["b"], "d": ["e"]}}"#,
                [#"override class var requiredProperties: Set<String> { ["a", "b", "c"] }"#]
            ),
            (
                "alternatives that are constants are an enum",
                #"{"properties": {"a": {"type": "string", "oneOf": [{"const": "x"}, {"enum": ["y"]}, {"type": "null"}]}}}"#,
                ["var a: A?", "case x, y"]
            ),
            (
                "a list beside its elements has its own type",
                #"{"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}}}"#,
                ["case text(String)", "case list([String])"]
            ),
            (
                "disallowed additional properties make unknown keys failures",
                #"{"properties": {"a": {"type": "boolean"}}, "additionalProperties": false}"#,
                ["override class var mappingOptions: MappingOptions { MappingOptions(unknownKeys: .failures) }"]
            ),
            (
                "they do beside patterns",
                #"{"properties": {"a": {"type": "boolean"}}, "additionalProperties": false, "patternProperties": {}}"#,
                ["override class var mappingOptions: MappingOptions { MappingOptions(unknownKeys: .failures) }"]
            ),
            (
                "options are in the order of the initializer",
                #"{"properties": {"a": {"type": ["string", "null"]}}, "required": ["a"], "additionalProperties": false}"#,
                [
                    "override class var mappingOptions: MappingOptions { MappingOptions(unknownKeys: .failures, writesNulls: true) }"
                ]
            ),
            (
                "a reference may start with the document's own ID",
                ##"""
                {"$id": "https://a.b/c", "properties": {"a": {"$ref": "https://a.b/c#/$defs/x"}, "b": {"$ref": "#/$defs/x"}},
                 "$defs": {"x": {"properties": {"c": {"$ref": "https://a.b/c"}}}}}
                """##,
                ["var a: X?", "var b: X?", "var c: Root?"]
            ),
            (
                "an enum has the name of its schema",
                ##"""
                {"properties": {"state": {"$ref": "#/$defs/OrderStatus"}, "status": {"$ref": "#/$defs/OrderStatus"}},
                 "$defs": {"OrderStatus": {"enum": ["open", "closed", "open"]}}}
                """##,
                ["var state: OrderStatus?", "var status: OrderStatus?", "case open, closed"]
            ),
            (
                "a pattern that Swift cannot read is a comment",
                #"{"properties": {"a": {"type": "string", "pattern": "(", "description": "A text."}}}"#,
                ["/// A text. Not enforced, since Swift cannot read it: the pattern ("]
            ),
        ] as [(String, String, [String])])
    func theSourceHasLines(_ subject: String, _ schema: String, _ expected: [String]) throws {
        let lines = try lines(schema)
        #expect(expected.filter { !lines.contains($0) } == [], "\(subject)")
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
    func limitsOfInnerValuesAreRules(_ schema: String, _ expected: String) throws {
        #expect(try rule(schema) == expected)
    }

    @Test(arguments: [
        (
            #"{"anyOf": [{"type": "integer", "minimum": 1}, {"enum": ["all", "none"]}]}"#,
            [
                "if case .number(let value) = self.a {", #"validation.require("a", value, .inRange(1...))"#, "}",
                "if case .text(let value) = self.a {", #"validation.require("a", value, .oneOf(["all", "none"]))"#, "}",
            ]
        )
    ])
    func limitsOfChoicesBecomeConditions(_ schema: String, _ expected: [String]) throws {
        #expect(try statements(schema) == expected)
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
    ])
    func aConstraintIsARule(_ schema: String, _ rule: String) throws {
        #expect(try self.rule(schema) == rule)
    }

    @Test(arguments: [
        // Equal objects in Swift may differ in unknown keys, and equal dates in their spelling.
        #"{"type": "array", "uniqueItems": true, "items": {"properties": {"b": {"type": "string"}}}}"#,
        #"{"type": "array", "uniqueItems": true, "items": {"type": "string", "format": "date-time"}}"#,
        #"{"type": "integer", "multipleOf": 0.5}"#,
        #"{"type": "object", "patternProperties": {"^(a)\\1$": {}, "^(b)\\1$": {}}, "additionalProperties": false}"#,
        // Neither classes nor choices are Equatable.
        #"{"type": "array", "items": {"properties": {"b": {}}}, "const": []}"#,
        #"{"type": "array", "items": {"type": ["string", "integer"]}, "enum": [[]]}"#,
        #"{"type": "object", "additionalProperties": {"properties": {"b": {}}}, "const": {}}"#,
        #"{"anyOf": [{"type": "string", "minLength": 1}, {"type": "string", "pattern": "b"}]}"#,
        #"{"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer", "minimum": 1}}"#,
    ])
    func aConstraintThatClassesCannotExpressIsNoRule(_ schema: String) throws {
        #expect(try statements(schema) == [])
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

    @Test func keysOfPatternsNextToPropertiesAreKept() throws {
        let lines = try lines(
            #"{"properties": {"others": {"type": "string"}}, "patternProperties": {"^x-": {}}, "additionalProperties": false}"#
        )
        #expect(lines.contains("var others2: [String: JSONValue] = [:]"))
        #expect(lines.contains(#"override class var unknownKeysProperty: String? { "others2" }"#))
        #expect(lines.contains("for key in self.others2.keys {") && !lines.joined().contains("unknownKeys:"))
    }

    @Test(arguments: [
        (#""^a": {"type": "string"}"#, "JSONValue"), (#"".*": {"type": "string"}"#, "String"),
        (#""^a": {"type": "integer"}}, "additionalProperties": {"type": "integer""#, "Int"),
    ])
    func aDictionaryTakesEveryValueThatAPatternAllows(_ patterns: String, _ type: String) throws {
        #expect(
            try lines(#"{"properties": {"a": {"type": "object", "patternProperties": {\#(patterns)}}}}"#)
                .contains("var a: [String: \(type)]?"))
    }

    @Test(arguments: [
        ("", true), (#", "additionalProperties": {"type": "string"}"#, false),
        (#", "patternProperties": {"b": {}}"#, false),
        (#", "if": {"properties": {"b": {}}}"#, false), (#", "allOf": [{"unevaluatedProperties": true}]"#, false),
        (#", "allOf": [{"unevaluatedProperties": {"type": "string"}}]"#, false),
        (#", "anyOf": [{"properties": {"b": {}}}, {"type": "object", "additionalProperties": false}]"#, true),
        (#", "anyOf": [{"properties": {"b": {}}, "patternProperties": {"^x": {}}}]"#, false),
        (#", "anyOf": [{"properties": {"b": {}}, "unevaluatedProperties": {}}]"#, false),
        (#", "anyOf": [{"properties": {"b": {}}, "anyOf": [{"properties": {"c": {}}}]}]"#, false),
        (##", "anyOf": [{"properties": {"b": {}}, "oneOf": [{"$ref": "#"}]}]"##, false),
        (#", "anyOf": [{"properties": {"b": {}}}], "oneOf": [{"properties": {"c": {}}}]"#, false),
        (#", "anyOf": [{"properties": {"b": {}}}], "oneOf": [{"required": ["a"]}]"#, false),
        (#", "allOf": [{"anyOf": [{"properties": {"b": {}}}]}, {"anyOf": [{"properties": {"c": {}}}]}]"#, false),
        (#", "allOf": [{"anyOf": [{"properties": {"b": {}}}]}, {"anyOf": [{"required": ["b"]}]}]"#, true),
        (##", "$dynamicRef": "#b""##, false),
    ])
    func unevaluatedPropertiesAreRefusedUnlessAnotherKeywordAllowsThem(_ others: String, _ refuses: Bool) throws {
        let lines = try lines(#"{"properties": {"a": {}}, "unevaluatedProperties": false\#(others)}"#)
        #expect(lines.joined().contains("unknownKeys: .failures") == refuses)
    }

    @Test func alternativesWithAConstantBecomeADynamicType() throws {
        let lines = try lines(
            #"""
            {"title": "shape", "oneOf": [
              {"title": "Circle", "type": "object", "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind"]},
              {"title": "Square", "type": "object", "properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind"]}]}
            """#)
        #expect(lines[0] == "// let shape = try JSONMapper.value(Shape.self, from: data)")
        #expect(lines.contains("class Circle: Shape {") && lines.contains("class Square: Shape {"))
        #expect(lines.contains("class var dynamicTypeFallback: DynamicTypeFallback { .failure }"))
    }

    @Test(arguments: [
        ("#/$defs/x", "The reference \"#/$defs/x\" leads nowhere, since there is no \"$defs\"; add it."),
        ("other.json", "The reference \"other.json\" leads out of the document; put what it names under $defs."),
    ])
    func aReferenceThatLeadsNowhereIsAnError(_ reference: String, _ message: String) {
        #expect(throws: InferenceError.invalidSchema(reason: message)) {
            try lines(#"{"properties": {"a": {"$ref": "\#(reference)"}}}"#)
        }
    }

    @Test(arguments: [
        (
            ##"{"$ref": "#/$defs/A", "$defs": {"A": {"allOf": [{"$ref": "#/$defs/A"}, {"properties": {"x": {"type": "string"}}}]}}}"##,
            "#/$defs/A"
        ),
        (
            ##"{"$ref": "#/$defs/A", "$defs": {"A": {"allOf": [{"$ref": "#/$defs/B"}, {"minLength": 1}]}, "B": {"allOf": [{"$ref": "#/$defs/A"}, {"maxLength": 2}]}}}"##,
            "#/$defs/B"
        ),
        (##"{"properties": {"x": {"type": "string"}}, "allOf": [{"$ref": "#"}]}"##, "#"),
    ])
    func aSchemaThatContainsItselfInAllOfIsAnError(_ schema: String, _ reference: String) {
        let message = "The schema \"\(reference)\" is a part of itself; remove the reference in its allOf."
        #expect(throws: InferenceError.invalidSchema(reason: message)) { try lines(schema) }
    }

    @Test func eachReferenceToANullableSchemaIsOptional() throws {
        let lines = try lines(
            ##"""
            {"properties": {"a": {"$ref": "#/$defs/x"}, "b": {"$ref": "#/$defs/x"}, "c": {"$ref": "#/$defs/y", "nullable": true}},
             "required": ["a", "b", "c"],
             "$defs": {"x": {"type": ["object", "null"], "properties": {"y": {"$ref": "#/$defs/y"}}},
                       "y": {"properties": {"x": {"$ref": "#/$defs/x"}}, "required": ["x"]}}}
            """##)
        #expect(lines.contains("var a: X?") && lines.contains("var b: X?") && lines.contains("var c: Y?"))
        #expect(lines.contains("var x: X?") && !lines.joined().contains("requiredProperties"))
    }

    @Test func descriptiveKeywordsMakeNoClassOfTheirOwn() throws {
        let lines = try lines(
            ##"""
            {"properties": {"a": {"$ref": "#/$defs/x", "description": "One."}, "b": {"type": "object", "allOf": [{"$ref": "#/$defs/x"}]}},
             "$defs": {"x": {"properties": {"c": {"type": "string"}}}}}
            """##)
        #expect(lines.filter { $0.hasPrefix("class ") } == ["class X: AbstractModel {", "class Root: AbstractModel {"])
    }

    @Test(arguments: [
        #"{"$ref": {}}"#, #"{"allOf": [{"$ref": 1}]}"#, #"{"allOf": {}}"#, #"{"allOf": [{"allOf": []}]}"#, "{}", "true",
        ##"{"$ref": "#/properties/a"}"##, #"{"oneOf": []}"#, #"{"oneOf": [{"type": "null"}]}"#,
        #"{"type": ["string", "any"]}"#, #"{"type": ["date", "file"]}"#,
    ])
    func aSchemaWithoutAUsableTypeIsAJSONValue(_ schema: String) throws {
        #expect(try lines(#"{"properties": {"a": \#(schema)}}"#).contains("var a: JSONValue?"))
    }

    @Test func aChainOfReferencesMayBeLong() throws {
        let schemas = (0..<3000).map {
            ##""A\##($0)": {"properties": {"x": {"$ref": "#/$defs/A\##(($0 + 1) % 3000)"}}}"##
        }
        let lines = try lines(##"{"$ref": "#/$defs/A0", "$defs": {\##(schemas.joined(separator: ","))}}"##)
        #expect(lines.contains("class A2999: AbstractModel {") && lines.last { $0.hasPrefix("var") } == "var x: A0?")
    }

    @Test(.timeLimit(.minutes(1)))
    func aReferenceToItselfWithMoreKeywordsIsOneClass() throws {
        let lines = try lines(
            ##"""
            {"properties": {"a": {"$ref": "#/$defs/x", "type": "object"}},
             "$defs": {"x": {"properties": {"more": {"additionalProperties": {"$ref": "#/$defs/x", "required": ["b"]}}}}}}
            """##)
        #expect(
            lines.filter { $0.hasPrefix("class ") } == [
                "class More: AbstractModel {", "class X: AbstractModel {", "class Root: AbstractModel {",
            ])
        #expect(lines.filter { $0 == "var more: [String: More]?" }.count == 2)
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            (
                ##"""
                {"$ref": "#/$defs/B", "$defs": {
                  "A": {"properties": {"x": {"type": "array", "items": {"$ref": "#/$defs/A"}}}},
                  "B": {"allOf": [{"$ref": "#/$defs/A"}, {"properties": {"x": {"items": {"$ref": "#/$defs/B"}}}}]}}}
                """##, ["class B: AbstractModel {", "var x: [B]?"]
            ),
            (
                ##"""
                {"allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}], "$defs": {
                  "A": {"properties": {"x": {"allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}}},
                  "B": {"properties": {"x": {"allOf": [{"$ref": "#/$defs/B"}, {"$ref": "#/$defs/A"}]}}}}}
                """##, ["class X: AbstractModel {", "var x: X?", "class Root: AbstractModel {", "var x: X?"]
            ),
        ])
    func recursionThroughAllOfEnds(_ schema: String, _ classes: [String]) throws {
        #expect(try lines(schema).dropFirst(2).filter { $0 != "}" } == classes)
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            (
                ##"{"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}"##,
                ##""A": {"properties": {"next": {"$ref": "#/$defs/A"}}}, "B": {"properties": {"next": {"$ref": "#/$defs/B"}}}"##,
                ["Way: AbstractModel", "Root: AbstractModel"], ["next", "way"]
            ),
            (
                ##"{"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}"##,
                ##"""
                "A": {"properties": {"op": {"const": "a"}, "left": {"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]},
                                     "right": {"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}}, "required": ["op"]},
                "B": {"properties": {"op": {"const": "b"}}, "required": ["op"]}
                """##,
                ["Way: AbstractModel, DynamicTypeModel", "A: Way", "B: Way", "Root: AbstractModel"],
                ["left", "right", "way"]
            ),
            (
                ##"{"properties": {"a": {}}, "oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}"##,
                ##"""
                "A": {"properties": {"next": {"properties": {"a": {}}, "oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}}},
                "B": {"properties": {"b": {}}}
                """##,
                ["Way: AbstractModel", "Root: AbstractModel"], ["next", "way"]
            ),
        ])
    func aRecursiveUnionIsOneClass(_ schema: String, _ schemas: String, _ classes: [String], _ properties: [String])
        throws
    {
        let lines = try lines(##"{"properties": {"way": \##(schema)}, "$defs": {\##(schemas)}}"##)
        #expect(
            lines.filter { $0.hasPrefix("class ") && $0.hasSuffix("{") } == classes.map { "class \($0) {" })
        #expect(lines.filter { $0.hasSuffix(": Way?") } == properties.map { "var \($0): Way?" })
    }

    @Test(arguments: [
        (#""minimum": -180, "maximum": -66"#, ".inRange((-180)...(-66))"),
        (#""minimum": -1"#, ".inRange((-1)...)"),
        (#""minimum": 5, "maximum": 1"#, ".all(.inRange(5...), .inRange(...1))"),
        (#""minimum": 1.0, "maximum": 1e3"#, ".inRange(1...1000)"), (#""minimum": 0.5"#, ".inRange(1...)"),
        (#""exclusiveMinimum": 0.5"#, ".above(0)"),
        (
            #""enum": [1, 2.0, 18446744073709551616]"#,
            ".oneOf([Int128(1), Int128(2), Int128(18446744073709551616)])"
        ),
    ])
    func limitsOfIntegersAreIntegers(_ limits: String, _ rules: String) throws {
        let lines = try lines(#"{"properties": {"a": {"type": "integer", \#(limits)}}}"#)
        #expect(rule(in: lines) == rules)
    }

    @Test(arguments: [
        (#"{"type": "array", "items": {"type": "integer"}, "enum": [[1, 2], ["x"]]}"#, "[[1, 2]]"),
        (#"{"const": [1, {"b": null}]}"#, #"[[1, ["b": nil]]]"#),
        (#"{"enum": [{}, {"b": [1.5, 1e400]}]}"#, #"[[:], ["b": [1.5, .number(JSONNumber("1e400")!)]]]"#),
        (
            #"{"allOf": [{"enum": [{"b": 1, "c": [2]}, {}]}, {"enum": [{"c": [2.0], "b": 1}]}]}"#,
            #"[["b": 1, "c": [2]]]"#
        ),
    ])
    func constantContainersAreCheckedByStatements(_ schema: String, _ values: String) throws {
        #expect(try statements(schema) == [#"validation.require("a", self.a, .oneOf(\#(values)))"#])
    }

    @Test func overlappingTagsDoNotDiscriminate() throws {
        let lines = try lines(
            ##"""
            {"properties": {"item": {"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}], "discriminator": {"propertyName": "kind"}},
                            "same": {"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}, {"type": "null"}]}},
             "$defs": {"A": {"properties": {"kind": {"enum": ["x", "y"]}, "a": {"type": "integer"}}, "required": ["kind"]},
                       "B": {"properties": {"kind": {"enum": ["y", "z"]}, "b": {"type": "integer"}}, "required": ["kind"]}}}
            """##)
        #expect(!lines.contains { $0.contains("dynamicTypes") })
        #expect(lines.contains("var a: Int?") && lines.contains("var b: Int?") && lines.contains("var same: A?"))
    }

    @Test func aTypeListedTwiceCountsOnce() throws {
        let lines = try lines(
            #"{"properties": {"a": {"type": ["string", "null", "string"]}, "b": {"type": ["string", "integer", "string"]}}}"#
        )
        #expect(lines.contains("var a: String?") && lines.count { $0 == "case text(String)" } == 1)
    }

    @Test(arguments: [
        ##"{"type": "array", "items": {"$ref": "#/$defs/A"}}"##, ##"{"$ref": "#/$defs/A"}"##,
        ##"{"allOf": [{"$ref": "#/$defs/A"}, {"minLength": 1}]}"##,
    ])
    func theNestingOfSchemasIsLimited(_ schema: String) throws {
        func chain(_ count: Int) throws -> [String] {
            let links = (0..<count).map { "\"A\($0)\": " + schema.replacing("A\"", with: "A\($0 + 1)\"") }
            let end = "\"A\(count)\": {\"type\": \"string\"}"
            return try lines(
                ##"{"properties": {"x": {"$ref": "#/$defs/A0"}}, "$defs": {\##((links + [end]).joined(separator: ","))}}"##
            )
        }
        let message =
            "More than 200 schemas are inside each other, through references too; flatten them."
        #expect(throws: InferenceError.invalidSchema(reason: message)) { try chain(6000) }
        #expect(try chain(90).contains { $0.hasPrefix("var x: ") })
    }

    @Test func theNumberOfSchemasInsideOneIsLimited() {
        let links = (0..<40).map { number in
            let ways = ["min", "max"].map { ##"{"$ref": "#/$defs/A\##(number + 1)", "\##($0)Items": 1}"## }
            return ##""A\##(number)": {"type": "array", "items": {"anyOf": [\##(ways.joined(separator: ","))]}}"##
        }
        let message = "A schema leads to more than 100000 others; remove keywords next to references."
        #expect(throws: InferenceError.invalidSchema(reason: message)) {
            try lines(
                ##"{"properties": {"x": {"$ref": "#/$defs/A0"}}, "$defs": {\##(links.joined(separator: ",")), "A40": {}}}"##
            )
        }
    }

    @Test(arguments: [
        (#""minItems": -5, "maxItems": -3"#, ".count(0...)"), (#""minItems": -5, "maxItems": 3"#, ".count(0...3)"),
    ])
    func negativeCountLimitsAreRaisedOrDropped(_ limits: String, _ rule: String) throws {
        let lines = try lines(#"{"properties": {"a": {"type": "array", "items": {}, \#(limits)}}}"#)
        #expect(self.rule(in: lines) == rule)
    }

    @Test func aSchemaWithoutObjectsIsAnError() {
        #expect(throws: InferenceError.noClass(found: "a schema without objects")) { try lines(#"{"type": "string"}"#) }
    }
}
