import Foundation
import ModelMirrorExploring
import Synchronization
import Testing

@MainActor struct InferCommandTests {
    private let user = """
        // let user = try User(json: data)

        import ModelMirror

        class User: AbstractModel {
            var id = 0
            var login: String?
        }
        """

    @Test func severalDocumentsAreSamplesOfOneClass() async {
        let fixture = CommandLineFixture(
            files: ["a.json": #"{"id": 1, "login": "a"}"#, "b.json": #"{"id": 2}"#],
            input: #"{"id": 3, "login": "b"}"#)
        #expect(await fixture.run("infer", "a.json", "b.json", "-", "--name", "User") == CommandResult(output: user))
    }

    @Test func aSchemaIsRecognizedOrDeclaredByAnOption() async {
        let schema =
            #"{"type": "object", "properties": {"id": {"type": "integer"}, "login": {"type": "string"}}, "required": ["id"]}"#
        let draft = #""$schema": "https://json-schema.org/draft/2020-12/schema", "#
        let fixture = CommandLineFixture(files: ["s.json": schema, "d.json": "{" + draft + schema.dropFirst()])
        let told = await fixture.run("infer", "s.json", "--schema", "--name", "User")
        #expect(told.output.contains("class User: AbstractModel {\n    var id = 0\n    var login: String?\n"))
        #expect(await fixture.run("infer", "d.json", "--name", "User") == told)
        #expect(
            await fixture.run("infer", "d.json", "s.json").error
                == "A JSON Schema or OpenAPI document must be the only document; found 2. See tool infer --help.")
    }

    @Test(arguments: [
        #"{"properties": {"id": {"type": "integer"}, "login": {"type": ["string", "null"]}}}"#,
        ##"{"definitions": {"id": {"type": "integer"}}, "properties": {"id": {"$ref": "#/definitions/id"}}}"##,
        ##"{"$defs": {"user": {"type": "object", "properties": {"id": {"type": "integer"}}}}, "$ref": "#/$defs/user"}"##,
        #"{"allOf": [{"properties": {"id": {"type": "integer"}}}, {"properties": {"a": {"enum": [1]}}}]}"#,
        #"{"type": "array", "items": {"properties": {"id": {"oneOf": [{"type": "integer"}]}}}}"#,
    ]) func aSchemaIsRecognizedByItsKeywords(schema: String) async {
        let fixture = CommandLineFixture(files: ["s.json": schema])
        let declared = await fixture.run("infer", "s.json", "--schema")
        #expect(declared.output.hasPrefix("// let ") && declared.status == 0)
        let note = "// From a JSON Schema, recognized by its keywords; with --data the document is a sample.\n"
        #expect(await fixture.run("infer", "s.json") == CommandResult(output: note + declared.output))
        let sample = await fixture.run("infer", "s.json", "--data")
        #expect(!sample.output.contains("From a JSON Schema") && sample.output != declared.output && sample.status == 0)
        #expect(
            await fixture.run("infer", "s.json", "s.json").error
                == "A JSON Schema or OpenAPI document must be the only document; found 2. See tool infer --help.")
    }

    /// Documents with members that are named like keywords.
    @Test(arguments: [
        #"{"type": "Feature", "properties": {"name": "a", "type": "string"}}"#,
        #"{"type": "object", "properties": {}, "items": [{"type": "string"}]}"#,
        #"{"properties": {"a": {"type": "string"}, "b": {"type": "text"}}}"#, #"{"type": "string", "id": 1}"#,
        #"{"definitions": [{"type": "noun"}], "allOf": []}"#, #"[{"properties": {"id": {"type": "integer"}}}]"#,
    ]) func aSampleIsNotTakenForASchema(json: String) async {
        let fixture = CommandLineFixture(files: ["s.json": json])
        let result = await fixture.run("infer", "s.json")
        #expect(result.output.hasPrefix("// let s") && result.status == 0)
        #expect(await fixture.run("infer", "s.json", "--data") == result)
    }

    @Test(arguments: [
        (["s.json", "--schema", "--data"], "--schema and --data exclude each other."),
        (
            ["api.json", "--name", "Shop"],
            "--name is for samples and a JSON Schema; an OpenAPI document names its classes."
        ),
        (
            ["api.json", "--keys", "snake"],
            "--keys is for samples; a JSON Schema or OpenAPI document declares its keys."
        ),
        (
            ["s.json", "--schema", "--keys", "snake"],
            "--keys is for samples; a JSON Schema or OpenAPI document declares its keys."
        ),
        (
            ["s.json", "--name", "1"],
            #""1" cannot be the name of a class, or begin one; use letters, digits and underscores, a letter first, and no "#
                + "keyword or common type of Swift or ModelMirror, such as Error."
        ),
    ]) func anOptionThatCannotBeUsedIsWrongUsage(words: [String], sentence: String) async {
        let fixture = CommandLineFixture(files: ["api.json": #"{"openapi": "3.1.0"}"#, "s.json": "{}"])
        let result = await fixture.run(["infer"] + words)
        #expect(result == CommandResult(output: "", error: sentence + " See tool infer --help.", status: 2))
    }

    @Test(arguments: [#"{"swagger": "2.0"}"#, #"{"openapi": "3"}"#, #"{"openapi": "2.0.0"}"#])
    func anUnsupportedOpenAPIVersionIsAnError(document: String) async {
        let result = await CommandLineFixture(files: ["api.json": document]).run("infer", "api.json")
        #expect(result.output == "")
        #expect(result.error.hasPrefix("api.json: "))
        #expect(result.error.contains("OpenAPI 3"))
        #expect(result.status == 1)
    }

    @Test func linesOfOneFileAreAListOfSamples() async {
        let lines = #"{"id": 1}"# + "\n" + #"{"id": 2}"#
        let fixture = CommandLineFixture(files: [
            "users.ndjson": lines, "users.json": "[" + lines.replacing("\n", with: ",") + "]",
        ])
        let output = await fixture.run("infer", "users.ndjson").output
        #expect(output.hasPrefix("// let user = try User(json: data)\n") && output.contains("var id = 0"))
        #expect(output.dropFirst(34) == (await fixture.run("infer", "users.json").output.dropFirst(37)))
    }

    @Test func theErrorNamesTheInvalidDocument() async {
        let sentence =
            "b.json: The root is a number, which no class can be; give a document whose root is an object, or a list or "
            + "dictionary of objects."
        let fixture = CommandLineFixture(files: ["a.json": #"{"id": 1}"#, "b.json": "7"])
        for files in [["b.json"], ["a.json", "b.json"]] {
            #expect(await fixture.run(["infer"] + files) == CommandResult(output: "", error: sentence, status: 1))
        }
    }

    /// A list of one document is a list.
    @Test func brokenLinesAreReportedBesideTheClass() async {
        let fixture = CommandLineFixture(files: [
            "log": "{\"id\": 1}\n{\"id\": \n{\"id\": 2}\n", "none": "\u{1E}{\n\u{1E}}\n",
        ])
        let inferred = await fixture.run("infer", "log", "--name", "Shop")
        #expect(inferred.output.contains("class Shop: AbstractModel {\n    var id = 0\n"))
        #expect((inferred.error, inferred.status) == ("log:" + DriftCommandTests.fault, 1))
        let empty = await fixture.run("infer", "none")
        #expect((empty.output, empty.status) == ("", 1))
        #expect(empty.error.hasPrefix("none: ") && empty.error.contains("expected a value"))
    }

    @Test(arguments: [
        (["infer", "bank-account.json"], "BankAccount"), (["infer", "/data/people.v2.json"], "Person"),
        (["infer", "user1.json", "user2.json"], "User"), (["infer", "user1.json", "bank-account.json"], "Root"),
        (["infer", "-"], "Root"), (["infer", "data.json"], "DataModel"), (["infer", "2024.json"], "Root"),
        (["infer", "https://example.com/a/gists?x=1"], "Gist"), (["infer", "https://example.com"], "Root"),
        (["infer", "user1.json", "--prefix", "My"], "MyUser1"), (["infer", "person.json", "--schema"], "Person"),
        (["infer", "user1.json", "--prefix", "My", "--name", "User"], "User"),
    ]) func theRootIsNamedAfterTheFile(words: [String], name: String) async {
        let object = #"{"id": 1}"#
        var fixture = CommandLineFixture(
            files: [
                "bank-account.json": object, "/data/people.v2.json": "[\(object)]", "user1.json": object,
                "user2.json": object, "data.json": object, "2024.json": object,
                "person.json": #"{"properties": {"id": {"type": "integer"}}}"#,
            ], input: object)
        fixture.load = { url in Data((url.path.isEmpty ? object : "[\(object)]").utf8) }
        let result = await fixture.run(words)
        #expect(result.output.contains("\nclass \(name): AbstractModel {\n"))
    }

    @Test func aPrefixAppliesToOpenAPIClasses() async {
        let api =
            #"{"openapi": "3.1.0", "info": {"title": "Zoo"}, "components": {"schemas": {"Pet": {"properties": {"id": {"type": "integer"}}}}}}"#
        let result = await CommandLineFixture(files: ["api.json": api]).run("infer", "api.json", "--prefix", "Zoo")
        #expect(result.output.contains("class ZooPet: AbstractModel {") && result.output.contains("struct ZooAPI: "))
    }

    @Test func progressIsShownAndCleared() async {
        let shown = Shown()
        var context = CommandContext(program: "tool")
        context.file = { _ in .source(ByteSource(Array("7".utf8))) }
        context.progress = { text in shown.texts.withLock { $0.append(text) } }
        _ = await Explorer.result(of: ["infer", "a", "b"], [], context: context)
        #expect(
            shown.texts.withLock { $0 } == [
                "reading a (1 of 2)", "reading b (2 of 2)", "inferring", "inferring: 100 %", nil,
            ])
    }

    /// Each new percentage is shown once, and the last is 100.
    @Test func thePercentageOfInferenceIsShown() async {
        let shown = Shown()
        var context = CommandContext(program: "tool")
        let rows = (0..<2_000).map { #"{"id": \#($0), "a": {"b": [1, "x"], "c": {"d": null}}, "k": {"x\#($0)": 1}}"# }
        context.file = { _ in .source(ByteSource(Array("[\(rows.joined(separator: ","))]".utf8))) }
        context.progress = { text in shown.texts.withLock { $0.append(text) } }
        _ = await Explorer.result(of: ["infer", "a"], [], context: context)
        let shares = shown.texts.withLock { $0 }.compactMap { $0?.wholeMatch(of: #/inferring: (\d+) %/#)?.1 }.map {
            Int($0) ?? -1
        }
        #expect(shares.count > 5 && shares == Set(shares).sorted() && shares.last == 100)
    }

    private final class Shown: Sendable {
        let texts = Mutex<[String?]>([])
    }
}
