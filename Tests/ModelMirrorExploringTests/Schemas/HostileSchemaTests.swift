import ModelMirror
import ModelMirrorExploring
import Testing

struct HostileSchemaTests {
    /// The source for a property whose texts match a pattern.
    private func source(pattern: String) throws -> String {
        let schema: JSONValue = ["properties": ["a": ["type": "string", "pattern": .string(pattern)]]]
        return try ClassInference.source(schema: Array(try schema.jsonData()))
    }

    /// Patterns that exhaust the stack of `Regex`, and their neighbors.
    @Test(arguments: [
        (String(repeating: "[", count: 3_000), false), ("[a" + String(repeating: "&&a", count: 5_000) + "]", false),
        ("[a" + String(repeating: "--a", count: 5_000) + "]", false), (String(repeating: "(", count: 3_000), false),
        (String(repeating: "[a]", count: 1_000), true), (String(repeating: #"\["#, count: 1_000), true),
        (#"\\[a]"#, true), (String(repeating: "[^", count: 40) + "a" + String(repeating: "]", count: 40), true),
    ]) func patternsAreCheckedBeforeRegexReadsThem(pattern: String, isRule: Bool) throws {
        let source = try source(pattern: pattern)
        #expect(source.contains(".contains(") == isRule)
        #expect(source.contains("Not enforced, since Swift cannot read it") == !isRule)
    }

    @Test(arguments: [
        ("a\nb", #"#/a\u{a}b/#"#), ("\r\n\t", #"#/\u{d}\u{a}\u{9}/#"#), ("\\\na", #"#/\u{a}a/#"#),
        ("\\\\\na", #"#/\\\u{a}a/#"#),
    ]) func patternsAreLiteralsOnOneLine(pattern: String, literal: String) throws {
        let source = try source(pattern: pattern)
        #expect(source.contains(".contains(\(literal), as: "))
    }

    /// References that lead to the same schema on 2^40 ways.
    private static let manyWays =
        (0..<40).map {
            let target = ##"{"$ref": "#/$defs/A\##($0 + 1)"}"##
            return ##""A\##($0)": {"allOf": [\##(target), \##(target)]}"##
        }.joined(separator: ", ") + #", "A40": {"properties": {"b": {"type": "string"}}}"#

    /// Conditions that read those in them several times.
    private static let nestedConditions = (0..<40).reduce(#"{"properties": {"b": {}}}"#) { inner, _ in
        #"{"anyOf": [\#(inner)], "unevaluatedProperties": false}"#
    }

    @Test(.timeLimit(.minutes(15)), arguments: [manyWays, #""A0": {"anyOf": [\#(nestedConditions)]}"#])
    func schemasInsideEachOtherAreReadAFewTimes(_ schemas: String) throws {
        let schema = ##"{"properties": {"a": {}}, "allOf": [{"$ref": "#/$defs/A0"}], "$defs": {\##(schemas)}}"##
        #expect(try ClassInference.source(schema: Array(schema.utf8)).contains("class Root: AbstractModel"))
    }
}
