import Foundation
import Testing

@testable import ModelMirror

@Suite("Failure codes")
struct FailureCodeTests {
    /// A failure of every code that reading has, with its parameters as JSON, its pointer, and what was expected.
    @Test(
        "Each code occurs, with its parameters, and the words are made of both",
        arguments: [
            Sample(#"{"count": "x"}"#, "type", ["expected": ["integer"], "found": "string"], "/count", "an integer"),
            Sample(
                #"{"count": 1.5}"#, "type", ["expected": ["integer"], "found": "number"], "/count", "an integer"),
            Sample(
                #"{"child": [1]}"#, "type", ["expected": ["object"], "found": "array", "model": "Child"], "/child",
                "an object for Child"),
            Sample(
                #"{"seen": 1}"#, "type",
                ["expected": ["string"], "found": "integer", "format": "date-time", "patterns": ["y-MM-dd HH:mm:ssZ"]],
                "/seen", #"a date in ISO 8601 or "y-MM-dd HH:mm:ssZ""#),
            Sample(
                #"{"nam": "a"}"#, "required", ["expected": ["string"], "similar": "nam"], "/name", "a string"),
            Sample(#"{"name": "a", "count": null}"#, "null", ["expected": ["integer"]], "/count", "an integer"),
            Sample(#"{"url": ""}"#, "format", ["expected": ["string"], "format": "uri"], "/url", "a URL"),
            Sample(
                #"{"seen": "2016-02-30"}"#, "format",
                [
                    "expected": ["string"], "format": "date-time", "patterns": ["y-MM-dd HH:mm:ssZ"], "dayExists": true,
                ], "/seen", #"a date in ISO 8601 or "y-MM-dd HH:mm:ssZ" whose day and time exist"#),
            Sample(
                #"{"tiny": 300}"#, "integerRange",
                ["expected": ["integer"], "type": "Int8", "minimum": -128, "maximum": 127], "/tiny",
                "an integer from -128 to 127"),
            Sample(
                #"{"half": 1e99}"#, "numberRange", ["expected": ["number"], "type": "Float"], "/half",
                "a number that Float can hold"),
            Sample(
                #"{"exact": 1e999}"#, "numberRange", ["expected": ["number"], "type": "Decimal", "digits": 38],
                "/exact",
                "a decimal number of at most 38 digits, with an exponent from -128 to 127"),
            Sample(
                #"{"plan": "x"}"#, "enum", ["expected": ["string"], "values": ["free", "pro"], "type": "Plan"], "/plan",
                #"one of "free", "pro""#),
            Sample(
                #"{"only": "x"}"#, "const", ["expected": ["string"], "values": ["one"], "type": "Only"], "/only",
                #""one""#),
            Sample(
                #"{"sizes": {"a": 1}}"#, "propertyNames", ["inside": ["expected": ["integer"]]], "/sizes/a",
                "a key that is an integer"),
            Sample(#"{"unique": [1, 1]}"#, "uniqueItems", [:], "/unique/1", "each element once"),
            Sample(
                #"{"other": 1}"#, "additionalProperties", ["key": "other", "model": "Everything"], "/other",
                "a key of Everything"),
            Sample(#"{"count": 1, "count": 2}"#, "duplicateKey", [:], "/count", "each key once"),
            Sample(
                #"{"name": "a", "second": "b", "first": "a"}"#, "alias", [:], "/second",
                "no second key, since a preferred one is present"),
            Sample(
                #"{"shape": {"kind": "blob"}}"#, "discriminator", ["names": ["circle"]], "/shape/kind",
                #"one of the type names "circle""#),
            Sample(
                #"{"text": "{\"id\": \"x\"}"}"#, "embedded",
                ["expected": ["string"], "format": "json", "inside": ["expected": ["object"], "model": "Child"]],
                "/text",
                "a string that holds JSON for an object for Child"),
            Sample(
                #"{"either": "x"}"#, "anyOf",
                [
                    "anyOf": [
                        ["expected": ["string"], "format": "date-time"],
                        ["expected": ["string"], "format": "date", "patterns": ["dd.MM.yyyy"]],
                    ]
                ], "/either", #"a date in ISO 8601 or a date in the format "dd.MM.yyyy""#),
            Sample(
                #"{"stood": "x"}"#, "conversion",
                ["expected": ["string"], "inside": ["expected": ["string"]], "type": "Int", "by": "converting"],
                "/stood",
                "a string convertible to Int"),
            Sample(#"{"own": 1}"#, "price", ["currency": "EUR"], "/own", "a price"),
            Sample(#"{"name": "thrown"}"#, "thrown", ["by": "didMap"], "", "an object that didMap accepts"),
            Sample(#"{"name": "odd"}"#, "even", ["divisor": 2], "/name", "an even name"),
            Sample(#"{"name": "plain"}"#, "rule", [:], "", "a better object"),
        ])
    private func codes(_ sample: Sample) throws {
        let failure = try #require(sample.failures.first { $0.code == sample.code })
        #expect(failure.parameters == sample.parameters)
        #expect(failure.pointer == sample.pointer)
        #expect(failure.expected == sample.expected)
        if !["price", "even", "rule"].contains(sample.code) {
            #expect(FailureWords.expected(failure.code, failure.parameters) == sample.expected)
        }
    }

    @Test("Sizes of arrays and objects have codes of their own")
    func sizes() throws {
        let error = try #require(throws: ModelError.self) {
            try [Bounded](
                json: #"[{"list": [1]}, {"list": [1, 2, 3, 4]}, {"members": {}}, {"members": {"a": 1, "b": 2}}]"#)
        }
        #expect(
            error.valueFailures.map {
                "\($0.pointer) \($0.code.rawValue) \($0.parameters["inside"] ?? .object($0.parameters))"
            } == [
                #"/0/list minItems {"expected":["array"],"maxItems":3,"minItems":2,"unit":"element"}"#,
                #"/1/list maxItems {"expected":["array"],"maxItems":3,"minItems":2,"unit":"element"}"#,
                #"/2/members minProperties {"expected":["object"],"maxProperties":1,"minProperties":1,"unit":"member"}"#,
                #"/3/members maxProperties {"expected":["object"],"maxProperties":1,"minProperties":1,"unit":"member"}"#,
            ])
    }

    @Test("A report's entry for an object with failures has the code nested")
    func nested() throws {
        let (_, report) = try Everything.mapReporting(json: #"{"name": "a", "child": {}}"#)
        let entry = try #require(report.entries.first { $0.code == .nested })
        #expect(entry.parameters == ["expected": ["object"], "model": "Child"])
        #expect(entry.pointer == "/child")
        let line = try #require(MappingReport.merging([report]).lines.first { $0.code == .nested })
        #expect(line.parameters == entry.parameters)
    }

    @Test(
        "Writing has codes of its own",
        arguments: [
            (Written.notFinite, "notFinite", [:]), (.cycle, "cycle", [:]), (.date, "dateRange", [:]),
            (.type, "notWritable", ["by": "convertibleType"]), (.required, "null", ["expected": ["string"]]),
        ] as [(Written, FailureCode, [String: JSONValue])])
    private func writing(_ written: Written, _ code: FailureCode, _ parameters: [String: JSONValue]) throws {
        let object = Writing()
        switch written {
        case .notFinite: object.number = .nan
        case .cycle: object.child = object
        case .date: object.date = Date(timeIntervalSince1970: 1e15)
        case .type: object.type = Writing.Opaque()
        case .required: object.name = nil
        }
        let error = try #require(throws: ModelError.self) { try object.jsonData(options: .strict) }
        #expect(error.valueFailures.map(\.code) == [code])
        #expect(error.valueFailures.map(\.parameters) == [parameters])
    }

    @Test(
        "Errors in the text have the code of the grammar or of the limit",
        arguments: [
            (#"{"a" 1}"#, "syntax", ["expected": "colon"]), ("[[[1]]]", "depth", ["limit": 2]),
            ("[0123456789]", "size", ["limit": 10]), ("[01]", "syntax", ["expected": "noLeadingZero"]),
        ] as [(String, FailureCode, [String: JSONValue])])
    func syntax(_ text: String, _ code: FailureCode, _ parameters: [String: JSONValue]) throws {
        let error = try #require(throws: ModelError.self) {
            try JSONValue(json: text, options: MappingOptions(depth: 2, bytes: 10))
        }
        #expect(error.syntaxError?.code == code)
        #expect(error.syntaxError?.parameters == parameters)
    }

    @Test(
        "Errors in the text have the pointer of the value that cannot be read",
        arguments: [
            (#"{"a" 1}"#, "/a"), (#"{"a": {"b": [1, ]}}"#, "/a/b"), (#"{"a": [1 2]}"#, "/a"), (#"{"a": 01}"#, "/a"),
            (#"[{}, "\q"]"#, "/1"), ("[[[1]]]", "/0/0"), (#"{"a": 1, }"#, ""), ("[0, 123456789]", nil), ("[] 1", nil),
            ("nul", nil),
        ] as [(String, String?)])
    func syntaxPointers(_ text: String, _ pointer: String?) throws {
        let error = try #require(throws: ModelError.self) {
            try JSONValue(json: text, options: MappingOptions(depth: 2, bytes: text.hasPrefix("[0") ? 10 : nil))
        }
        #expect(try #require(error.syntaxError).pointer == pointer)
    }

    @Test("The guide's table has exactly the codes of the library")
    func guide() throws {
        let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Docs/Errors.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let section = try #require(text.split(separator: "## Codes\n").last?.split(separator: "\n```swift").first)
        let codes = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { line in
            line.split(separator: " | ")[0].dropFirst(2).split(separator: ", ").map { $0.filter { $0 != "`" } }
        }
        #expect(codes.count == Set(codes).count)
        #expect(Set(codes) == Set(FailureCode.Known.allCases.map(\.rawValue)))
    }

    @Test("A known code is compared and matched by its name, others by their text")
    func matching() {
        let code = FailureCode(.required)
        #expect(code == .required)
        #expect(code == "required")
        #expect(!(code == .null))
        switch code {
        case .null: Issue.record("matched null")
        case .required: break
        default: Issue.record("matched nothing")
        }
    }
}

private typealias Issue = Testing.Issue

private class Bounded: AbstractModel {
    var list = [0, 0]
    var members = ["a": 0]
    override class var propertyRules: [String: any PropertyRule] { ["list": .count(2...3), "members": .count(1)] }
}

/// A document with its first failure of a code.
private struct Sample: CustomTestStringConvertible, Sendable {
    let json: String
    let code: FailureCode
    let parameters: [String: JSONValue]
    let pointer: String
    let expected: String

    init(_ json: String, _ code: FailureCode, _ parameters: [String: JSONValue], _ pointer: String, _ expected: String)
    {
        (self.json, self.code, self.parameters) = (json, code, parameters)
        (self.pointer, self.expected) = (pointer, expected)
    }

    var testDescription: String { "\(code.rawValue): \(json)" }

    /// The failures in strict mapping, and what the report of lenient mapping lists.
    var failures: [PropertyFailure] {
        do throws(ModelError) {
            _ = try Everything(json: json, options: MappingOptions(strict: true, unknownKeys: .failures))
        } catch .invalidValues(let failures) {
            let report = try? Everything.mapReporting(json: json).report
            return failures + (report?.entries.map(\.failure) ?? [])
        } catch {}
        return (try? Everything.mapReporting(json: json).report.entries.map(\.failure)) ?? []
    }
}

private class Child: AbstractModel {
    var id = 0
    override class var requiredProperties: Set<String> { ["id"] }
}

private class Shape: AbstractModel, DynamicTypeModel {
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["circle": Shape.self] }
    class var dynamicTypeFallback: DynamicTypeFallback { .failure }
}

private enum Plan: String, CaseIterable { case free, pro }
private enum Only: String, CaseIterable { case one }

private struct Price: JSONConvertible {
    init(json: JSONValue) throws {
        throw ConversionError(expected: "a price", code: "price", parameters: ["currency": "EUR"])
    }
    func json() throws -> JSONValue { nil }
}

private struct Broken: Error {}

private class Everything: AbstractModel {
    var name = ""
    var count = 0
    var child: Child?
    var seen: Date?
    var url: URL?
    var tiny: Int8 = 0
    var half: Float = 0
    var exact = Decimal(0)
    var plan = Plan.free
    var only = Only.one
    var sizes: [Int: Int] = [:]
    var unique: Set<Int> = []
    var aliased = ""
    var shape: Shape?
    var text: Child?
    var either: Date?
    var stood = 0
    var own: Price?

    override class var propertyKeys: [String: PropertyKey] { ["aliased": ["first", "second"]] }
    override class var requiredProperties: Set<String> { ["name"] }
    override class var propertyConverters: [String: any Converter] {
        [
            "text": .embeddedJSON, "either": .any([.iso8601, .format("dd.MM.yyyy")]),
            "stood": AnyConverter<Int>.number,
        ]
    }

    override func didMap() throws {
        if name == "thrown" { throw Broken() }
    }

    override func validateModel(_ validation: inout ModelValidation) {
        if name == "odd" { validation.fail("name", expected: "an even name", code: "even", parameters: ["divisor": 2]) }
        if name == "plain" { validation.fail(expected: "a better object") }
    }
}

extension Converter where Self == AnyConverter<Int> {
    fileprivate static var number: Self { .converting(String.self, { Int($0) }, back: { "\($0)" }) }
}

private enum Written: String, CustomTestStringConvertible {
    case notFinite, cycle, date, type, required
    var testDescription: String { rawValue }
}

private class Writing: AbstractModel {
    struct Opaque {}
    var name: String? = "a"
    var number = 0.0
    var child: Writing?
    var date = Date(timeIntervalSince1970: 0)
    var type: Opaque?

    override class var requiredProperties: Set<String> { ["name"] }
}
