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
            (
                "an object or array without a type is both",
                #"{"properties": {"a": {"properties": {"b": {"type": "string"}}, "items": {"type": "integer"}}}}"#,
                ["case list([Int])", "var b: String?"]
            ),
        ] as [(String, String, [String])])
    func theSourceHasLines(_ subject: String, _ schema: String, _ expected: [String]) throws {
        let lines = try lines(schema)
        #expect(expected.filter { !lines.contains($0) } == [], "\(subject)")
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
        // A dictionary takes every value that a pattern allows.
        (#"{"type": "object", "patternProperties": {"^a": {"type": "string"}}}"#, "[String: JSONValue]"),
        (#"{"type": "object", "patternProperties": {".*": {"type": "string"}}}"#, "[String: String]"),
        (
            #"{"type": "object", "patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": {"type": "integer"}}"#,
            "[String: Int]"
        ),
        // Without a type that classes have, a value may be anything.
        (#"{"$ref": {}}"#, "JSONValue"), (#"{"allOf": [{"$ref": 1}]}"#, "JSONValue"), (#"{"allOf": {}}"#, "JSONValue"),
        (#"{"allOf": [{"allOf": []}]}"#, "JSONValue"), ("{}", "JSONValue"), ("true", "JSONValue"),
        (##"{"$ref": "#/properties/a"}"##, "JSONValue"), (#"{"oneOf": []}"#, "JSONValue"),
        (#"{"oneOf": [{"type": "null"}]}"#, "JSONValue"), (#"{"type": ["string", "any"]}"#, "JSONValue"),
        (#"{"type": ["date", "file"]}"#, "JSONValue"),
    ])
    func aPropertyHasTheTypeOfItsSchema(_ schema: String, _ type: String) throws {
        #expect(try lines(#"{"properties": {"a": \#(schema)}}"#).contains("var a: \(type)?"))
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

    @Test(
        arguments: [
            (
                ##"{"properties": {"a": {"$ref": "#/$defs/x"}}}"##,
                .invalidSchema(
                    reason: "The reference \"#/$defs/x\" leads nowhere, since there is no \"$defs\"; add it.")
            ),
            (
                #"{"properties": {"a": {"$ref": "other.json"}}}"#,
                .invalidSchema(
                    reason: "The reference \"other.json\" leads out of the document; put what it names under $defs.")
            ),
            (
                ##"{"$ref": "#/$defs/A", "$defs": {"A": {"allOf": [{"$ref": "#/$defs/A"}, {"properties": {"x": {"type": "string"}}}]}}}"##,
                partOfItself("#/$defs/A")
            ),
            (
                ##"{"$ref": "#/$defs/A", "$defs": {"A": {"allOf": [{"$ref": "#/$defs/B"}, {"minLength": 1}]}, "B": {"allOf": [{"$ref": "#/$defs/A"}, {"maxLength": 2}]}}}"##,
                partOfItself("#/$defs/B")
            ),
            (##"{"properties": {"x": {"type": "string"}}, "allOf": [{"$ref": "#"}]}"##, partOfItself("#")),
            (#"{"type": "string"}"#, .noClass(found: "a schema without objects")),
        ] as [(String, InferenceError)])
    func anUnusableSchemaIsAnError(_ schema: String, _ error: InferenceError) {
        #expect(throws: error) { try lines(schema) }
    }

    private static func partOfItself(_ reference: String) -> InferenceError {
        .invalidSchema(
            reason: "The schema \"\(reference)\" is a part of itself; remove the reference in its allOf.")
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

    @Test func aChainOfReferencesMayBeLong() throws {
        let schemas = (0..<3000).map {
            ##""A\##($0)": {"properties": {"x": {"$ref": "#/$defs/A\##(($0 + 1) % 3000)"}}}"##
        }
        let lines = try lines(##"{"$ref": "#/$defs/A0", "$defs": {\##(schemas.joined(separator: ","))}}"##)
        #expect(lines.contains("class A2999: AbstractModel {") && lines.last { $0.hasPrefix("var") } == "var x: A0?")
    }

    @Test(.timeLimit(.minutes(15)))
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
        .timeLimit(.minutes(15)),
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
        .timeLimit(.minutes(15)),
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
}
