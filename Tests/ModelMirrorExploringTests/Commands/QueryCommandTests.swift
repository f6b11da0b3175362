import ModelMirrorExploring
import Testing

@MainActor struct QueryCommandTests {
    private let fixture = CommandLineFixture(
        files: [
            "a.json": #"{"items": [{"id": 1, "name": "é"}, {"id": 2.50}]}"#, "b.json": #"{"items": [{"id": 3}]}"#,
            "log.ndjson": "{\"id\": 1}\n\n{\"id\": 2\n{\"id\": 3}\r\n", "broken.json": #"{"a": 1"#,
        ], input: #"[7]"#)

    @Test(arguments: [
        (
            ["a.json", "b.json", "-", "$..[?@.id || @ == 7]"],
            CommandResult(output: "{\"id\":1,\"name\":\"é\"}\n{\"id\":2.50}\n{\"id\":3}\n7")
        ),
        (["a.json", "$.none"], CommandResult(output: "")),
        (["a.json", "$..id", "--paths"], CommandResult(output: "$['items'][0]['id']\n$['items'][1]['id']")),
        (
            ["log.ndjson", "$.id"],
            CommandResult(
                output: "1\n3",
                error: "log.ndjson:3:9: not JSON: expected ',' or '}', found the end of the document",
                status: 1)
        ),
        (
            ["broken.json", "b.json", "$..id"],
            CommandResult(
                output: "3",
                error: "broken.json:1:8: not JSON: expected ',' or '}', found the end of the document",
                status: 1)
        ),
        (
            ["a.json", "none", "b.json", "$..id"],
            CommandResult(
                output: "1\n2.50\n3", error: #""none" cannot be read: there is no such file."#, status: 2)
        ),
        (
            ["a.json", "$.items[id]"],
            CommandResult(
                output: "",
                error: """
                    Invalid JSONPath at position 9: expected a name in quotes, an index, a slice, '*' or a filter '?', found "i"; names \
                    in brackets need quotes.
                       1 | $.items[id]
                         |         ^~
                    """, status: 2)
        ),
    ]) func resultsAreLinesAndFaultsAreErrors(words: [String], result: CommandResult) async {
        #expect(await fixture.run(["query"] + words) == result)
    }

    /// Of more than 512 KB, which are read element by element if the query allows it.
    private static let longArray: String = {
        let padding = String(repeating: "x", count: 100)
        return "[" + (0..<6_000).map { #"{"id": \#($0), "x": "\#(padding)"}"# }.joined(separator: ", ") + "]"
    }()

    @Test(arguments: ["a.json", "-", "https://example.com/a.json"])
    func aQueryBeforeTheDocumentIsNamed(document: String) async {
        #expect(
            await fixture.run("query", "$.a[0]", document)
                == CommandResult(
                    output: "",
                    error: #"The JSONPath must be the last argument, found "\#(document)" there; "#
                        + "write query \(document) '$.a[0]'.", status: 2))
        let other = await fixture.run("query", "$.a", "b")
        #expect(other.error.hasPrefix("Invalid JSONPath at position 1: expected '$', found \"b\""))
    }

    @Test(arguments: [
        "$[*].id", "$[?@.id > 5997].id", "$[5999].id", "$[6000]", "$..id", "$[-1].id", "$[?@ == $[7]].id",
    ])
    func aLongArrayIsQueriedAsAWhole(query: String) async throws {
        let fixture = CommandLineFixture(files: ["long.json": Self.longArray])
        let whole = try JSONQuery(query)
        let lines = try whole.lines(in: Self.longArray).joined(separator: "\n")
        let paths = try whole.paths(in: Self.longArray).map(\.normalized).joined(separator: "\n")
        #expect(await fixture.run("query", "long.json", query).output == lines)
        #expect(await fixture.run("query", "long.json", query, "--paths").output == paths)
    }

    @Test func theElementsOfAnArrayAreCountedAnewAfterABrokenOne() async {
        let broken = Self.longArray.dropLast(2)
        let fixture = CommandLineFixture(files: ["log.ndjson": "{}\n\(broken)\n\(Self.longArray)\n"])
        let result = await fixture.run("query", "log.ndjson", "$[3]", "--paths")
        #expect(result.output == "$[3]\n$[3]")
        #expect(result.error.hasPrefix("log.ndjson:2:"))
    }

    @Test func aHundredBrokenLinesAreListed() async {
        let fixture = CommandLineFixture(files: ["log.ndjson": "{}\n" + String(repeating: "{\n", count: 102)])
        let lines = await fixture.run("query", "log.ndjson", "$").error.split(separator: "\n")
        #expect(lines.count == 101)
        #expect(lines.last == "2 more lines not listed")
    }
}
