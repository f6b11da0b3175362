import ModelMirror
import Testing

@testable import ModelMirrorExploring

/// Documents, schemas, OpenAPI documents and queries that are wrong end with an error: a signal would end the tests.
@MainActor struct HostileInputTests {
    /// Each beginning of a document with values of all kinds.
    private static let beginnings = {
        let document = #"[{"a": [1, -2.5e3, true], "\u00e9\ud83d\ude00": {"b": null}}, "é"]"#.utf8.map { $0 }
        return (1..<document.count).map { Array(document.prefix($0)) }
    }()
    /// Texts that are not JSON (RFC 8259).
    private static let texts = [
        "}", "]", ",", ":", "'a'", "nul", "tru", "True", "NaN", "Infinity", "-Infinity", "undefined", "01", "-", "+1",
        ".5", "1.", "1e", "1e+",
        "0x10", "--1", "1_000", "[1,]", "[,1]", "[1 2]", "[1}", "{]", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\" 1}",
        "{a: 1}", "{'a': 1}",
        "{\"a\": 1,}", "{1: 2}", "{\"a\": 1 \"b\": 2}", "[\"\n\"]", "[\"\u{0}\"]", "[\"\\x\"]", "[\"\\u12\"]",
        "[\"\\u12G4\"]",
        "[\"\\", "\"\\u", "[1] x", "// a\n[1]", "/* a */ 1", "[1] // a", "#!/bin/sh", "<html></html>",
        "<?xml version=\"1.0\"?>", "\u{1B}[2J",
        "\u{0}", "\u{0}{}", "{}\u{0}", "\u{202E}{}", "\u{2028}", "\u{1E}{\n\u{1E}",
        String(repeating: "[", count: 40_000), String(repeating: #"{"a":"#, count: 40_000),
        String(repeating: "]", count: 9_999),
        String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000),
        String(repeating: "[{\"a\":", count: 20_000),
        String(repeating: "\"", count: 9_999), String(repeating: "\\", count: 9_999),
        String(repeating: "-", count: 9_999),
        "[" + String(repeating: ",", count: 9_999), "key: 1\nother: 2\n", "---\na: 1\n", "%PDF-1.7", "PK\u{3}\u{4}",
    ].map { Array($0.utf8) }
    /// Bytes that are not UTF-8, or are compressed and cut.
    private static let bytes: [[UInt8]] = [
        [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
        [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
        [0x22, 0xC3, 0x22], [0x22, 0xE2, 0x82, 0x22], [0x22, 0x80, 0x22], [0xFF, 0xFE, 0x5B],
        [0xFF, 0xFE, 0, 0xD8, 0x22, 0],
        [0, 0, 0xFE, 0xFF, 0, 0x11, 0, 0], [0x1F, 0x8B], [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3], [0xEF, 0xBB],
        Array(repeating: 0, count: 5_000),
        Array(repeating: 0xFF, count: 5_000),
    ]
    private static let inputs = beginnings + texts + bytes

    private func run(_ words: [String], _ content: [UInt8]) async -> CommandResult {
        var context = CommandContext(program: "tool")
        context.file = { $0 == "good" ? .source(ByteSource(Array("{}".utf8))) : .source(ByteSource(content)) }
        context.write = { _, _ in nil }
        return await Explorer.result(of: words, [Shop.self, Bank.self], context: context)
    }

    @Test(arguments: [
        ["infer", "bad"], ["infer", "bad", "--schema"], ["infer", "good", "bad", "--sample", "3"],
        ["check", "bad", "--against", "Shop"],
        ["check", "bad", "--against", "Bank", "--at", "a,0", "--all"], ["drift", "bad", "good"],
        ["drift", "good", "bad"],
        ["stats", "bad"], ["report", "bad", "--html", "a.html", "--against", "Shop"],
        ["report", "good", "--html", "a.html", "--drift", "bad"],
        ["query", "bad", "$..a"],
    ]) func aTextThatIsNotJSONIsAnError(words: [String]) async {
        for input in HostileInputTests.inputs {
            let result = await run(words, input)
            let found = result.error + (words[0] == "check" ? result.output : "")
            #expect(
                result.status != 0 && !found.isEmpty,
                "\(words) accepts \(String(decoding: input.prefix(80), as: UTF8.self).debugDescription)")
        }
    }

    /// Schemas and OpenAPI documents without a class, which no classes are made of.
    @Test(arguments: [
        "[]", "7", "null", "\"a\"", "true", "{}", #"{"type": "strin"}"#, #"{"type": 7}"#, #"{"type": []}"#,
        #"{"$ref": 7}"#,
        ##"{"$ref": "#"}"##, ##"{"$ref": "#/a/b"}"##,
        ##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##,
        #"{"$ref": "https://example.com/a.json"}"#, ##"{"$ref": "#%zz"}"##, #"{"properties": 7, "type": "string"}"#,
        #"{"allOf": 7, "type": "integer"}"#, #"{"allOf": [false]}"#, #"{"enum": [1, "a", null]}"#,
        #"{"const": {}, "type": "number"}"#,
        #"{"items": 7, "type": "array"}"#, "false", #"{"not": {}}"#,
    ]) func aSchemaWithoutAClassIsAnError(schema: String) async {
        let result = await run(["infer", "bad", "--schema"], Array(schema.utf8))
        #expect(result.output == "" && result.status == 1 && result.error.hasPrefix("bad: "), "\(result)")
    }

    @Test(arguments: [
        "", " ", "a", "$.", "$..", "$[", "$[]", "$['", "$['a", "$[\"a']", "$[01]", "$[-0]", "$[1:2:3:4]", "$[?", "$[?]",
        "$[?@.a ==]", "$[?(@.a]",
        "$[?length()]", "$[?length(@.a, 1) == 1]", "$[?none(@)]", "$[?@.a == 'x]", "$[9007199254740993]", "$ .a ",
        "$.a.", "$.1", "@.a", "$[?@ = 1]",
        "$[?@.a && ]", "$[?!]", "$[?1]", "$['\\u12']", "$['\\ud800']", "$\u{0}",
        "$." + String(repeating: "(", count: 9_999),
        "$[?" + String(repeating: "(", count: 9_999), "$[?" + String(repeating: "!", count: 9_999) + "@.a]",
        "$" + String(repeating: "[?@", count: 9_999),
    ]) func aTextThatIsNoQueryIsAnError(query: String) async {
        let result = await run(["query", "good", query], [])
        #expect(result.output == "" && result.status != 0 && !result.error.isEmpty, "\(result)")
    }
}

/// A terminal obeys control characters; none of a document, and none in the name of a file, reaches it.
@MainActor struct TerminalOutputTests {
    private static let document = "[{\"id\": \"\\u001b[2J\u{9B}\u{7F}\", \"\u{9B}\\u001b\u{7F}\": \"\\u001b\u{9B}\"}]"
    private static let schema =
        #"{"type": "object", "description": "A\u001b[2J\#u{9B}.", "properties": {"id": {"type": "string", "pattern": "(\u001b"}}}"#
    private static let openAPI = ##"""
        {"openapi": "3.0.0", "info": {"title": "A\u001b"}, "paths": {"/a\u001b{b\u001b}\##u{9B}": {"get": {
        "parameters": [{"name": "b\u001b", "in": "path"}], "summary": "S\u001b", "responses": {}}}}}
        """##

    private func run(_ words: [String], isTerminal: Bool = true) async -> CommandResult {
        var fixture = CommandLineFixture()
        fixture.isTerminal = isTerminal
        fixture.variables = ["NO_COLOR": "1"]
        fixture.files = [
            "a\u{1B}": TerminalOutputTests.document, "b\u{9B}": #"[{"id": 1}]"#, "c\u{1B}": "{\u{1B}",
            "schema": TerminalOutputTests.schema, "api": TerminalOutputTests.openAPI,
            "reference": ##"{"$ref": "#/\u001b[2J", "properties": {}}"##, "twice": #"{"a": 1}"# + "\u{1B}\n{}",
            "raw": "[\"\u{9B}\u{7F}\"]",
        ]
        return await fixture.run(words)
    }

    @Test(arguments: [
        ["infer", "a\u{1B}"], ["infer", "schema", "--schema"], ["infer", "api"], ["infer", "reference", "--schema"],
        ["infer", "c\u{1B}"], ["infer", "a\u{1B}", "--name", "\u{1B}"],
        ["check", "a\u{1B}", "--against", "Shop"], ["check", "a\u{1B}", "b\u{9B}", "--against", "Shop", "--json"],
        ["check", "a\u{1B}", "--against", "\u{1B}"], ["check", "c\u{1B}", "--against", "Shop"],
        ["drift", "a\u{1B}", "b\u{9B}", "--sample", "1"], ["drift", "b\u{9B}", "a\u{1B}", "--json"],
        ["stats", "a\u{1B}"], ["stats", "a\u{1B}", "--csv"], ["stats", "a\u{1B}", "--json"], ["stats", "twice"],
        ["query", "a\u{1B}", "$..*"], ["query", "a\u{1B}", "$..*", "--paths"], ["query", "a\u{1B}", "$..*", "--json"],
        ["query", "c\u{1B}", "$"], ["query", "a\u{1B}", "$\u{1B}"],
        ["report", "a\u{1B}", "--html", "\u{1B}.html", "--drift", "b\u{9B}", "--against", "Shop"],
        ["stats", "none\u{1B}"], ["stats", "x://\u{1B}"], ["\u{1B}"], ["stats", "a\u{1B}", "--\u{1B}"],
    ]) func noControlCharacterReachesATerminal(words: [String]) async {
        let result = await run(words)
        let text = (result.output + result.error).replacing("\r\n", with: "\n")
        #expect(!text.isEmpty)
        #expect(
            !text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" },
            "\(text.debugDescription)")
    }

    @Test func controlCharactersAreEscaped() async {
        #expect(
            await run(["query", "a\u{1B}", "$[0].id"]).output == #""\u001b[2J\u009b\u007f""#)
        #expect(await run(["query", "a\u{1B}", "$[0].id", "--paths"]).output == "$[0]['id']")
        #expect(
            await run(["query", "a\u{1B}", "$[0][?@ != 1]", "--paths"]).output.split(separator: "\n").last
                == #"$[0]['\u009b\u001b\u007f']"#)
        #expect(
            await run(["infer", "schema", "--schema"]).output.split(separator: "\n").contains(#"/// A\u001b[2J\u009b."#)
        )
        #expect(
            await run(["stats", "none\u{1B}"]).error == #""none\u001b" cannot be read: there is no such file."#)
        #expect(
            await run(["check", "b\u{9B}", "--against", "Bank"]).output.split(separator: "\n").last
                == #"b\u009b as [Bank]: 3 deviations in 1 object"#)
    }

    /// Programs get the document's own characters.
    @Test func aPipeGetsAllCharacters() async {
        #expect(await run(["query", "raw", "$[0]"], isTerminal: false).output == "\"\u{9B}\u{7F}\"")
        #expect(await run(["query", "raw", "$[0]"]).output == #""\u009b\u007f""#)
        #expect(await run(["stats", "a\u{1B}", "--csv"], isTerminal: false).output.contains("\u{1B}[2J\u{9B}\u{7F}"))
    }
}
