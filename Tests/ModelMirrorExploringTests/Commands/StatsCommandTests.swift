import ModelMirror
import ModelMirrorExploring
import Testing

@MainActor struct StatsCommandTests {
    private let fixture = CommandLineFixture(
        files: [
            "a.json": #"[{"id": 1}, {"id": 3}]"#, "log": "{\"id\": 1}\n{\"id\": 2\n{\"id\": 3}\n", "page": "<html>",
        ], input: "[]", width: 80)

    @Test(arguments: [
        (
            ["a.json", "-"],
            CommandResult(
                output: """
                    2 documents, 24 bytes

                    place   count  kinds   distinct  minimum  median  maximum  values
                    $           2  array                                       0–2 elements, mean 1
                    $[]         2  object
                    $[].id      2  number         2  1        2       3        █        █, 1 50 %, …
                    """)
        ),
        (
            ["page"],
            CommandResult(
                output: "0 documents, 0 bytes",
                error:
                    "page:1:1: not JSON: expected a value (an object, array, string, number, true, false or null), found '<'",
                status: 1)
        ),
        (["none"], CommandResult(output: "", error: #""none" cannot be read: there is no such file."#, status: 2)),
    ]) func filesAreCountedTogetherAndFaultsAreErrors(files: [String], result: CommandResult) async {
        #expect(await fixture.run(["stats"] + files) == result)
    }

    @Test func aBrokenLineIsReported() async {
        let result = await fixture.run("stats", "log", "--csv")
        #expect(result.status == 1)
        #expect(result.error == "log:2:9: not JSON: expected ',' or '}', found the end of the document")
        #expect(result.output.contains("\r\n$.id,2,0,0,"))
    }
}
