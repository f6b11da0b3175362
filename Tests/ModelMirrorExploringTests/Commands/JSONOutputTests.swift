import ModelMirror
import Testing

@testable import ModelMirrorExploring

/// `--json` of every command.
@MainActor struct JSONOutputTests {
    private let fixture = CommandLineFixture(files: [
        "a.json": #"{"id": 7}"#, "b.json": #"{"id": "x"}"#, "log": "{\"id\": 1}\n{\"id\": 2}\n",
    ])

    private func json(_ words: String...) async throws -> JSONValue {
        try JSONValue(json: await fixture.run(words + ["--json"]).output)
    }

    /// A new command needs a line below.
    @Test func everyCommandPrintsJSON() async throws {
        #expect(
            ExplorerCommand.builtIn.map(\.name) == [
                "infer", "inspect", "check", "drift", "stats", "report", "query", "schema", "completions",
            ])
        #expect(
            try await json("report", "log", "--html", "a.html") == ["file": "a.html", "documents": 2, "places": 2])
        let source = await fixture.run("infer", "a.json").output
        #expect(try await json("infer", "a.json") == ["source": .string(source + "\n")])
        #expect(
            try await json("drift", "a.json", "b.json")
                == [["kind": "type", "path": "$.id", "change": "number -> string"]])
        #expect(
            try await json("check", "a.json", "--against", "Shop")
                == [
                    "document": "a.json", "class": "Shop", "failures": 1, "deviations": 0, "lostValues": 0,
                    "findings": [
                        [
                            "kind": "failure", "isFailure": true, "repetitions": 0, "line": 1, "column": 8,
                            "message":
                                "Shop.id at $.id: expected a string, found the number 7; the option stringsFromNumbers accepts it",
                        ]
                    ],
                ])
        #expect(
            try await json("inspect", "Shop")[0]["properties"][0]
                == ["property": "id", "key": "id", "type": "String", "reads": "a string", "required": "yes"])
        #expect(try await json("query", "log", "$.id") == [1, 2])
        #expect(try await json("query", "log", "$.id", "--paths") == ["$['id']", "$['id']"])
        #expect(try await json("query", "log", "$.none") == [])
        #expect(try await json("schema", "Shop")["$schema"]?.string?.hasPrefix("https://json-schema.org/") == true)
        #expect(try await json("completions", "fish")["script"]?.string?.hasPrefix("complete -c tool") == true)
        #expect(try await json("stats", "log")["places"][1]["place"] == "$.id")
    }

    @Test func listsOfDocumentsAreSamplesAndOneArray() async {
        #expect(await fixture.run("infer", "log").output.contains("var id = 0"))
        #expect(await fixture.run("drift", "log", "log").output == "no drift")
        #expect(await fixture.run("drift", "a.json", "log") == CommandResult(output: "no drift"))
        // A list of one document is a list.
        let files = [
            "log": "{\"id\": 1}\n{\"id\": \n{\"id\": 2}\n", "one": "{\"id\": 1\n{\"id\": 1}\n",
            "none": "\u{1E}{\n\u{1E}}\n",
        ]
        let broken = CommandLineFixture(files: files)
        let sentence =
            "2:8: not JSON: expected a value (an object, array, string, number, true, false or null), found the end of the document"
        let ending = "expected ',' or '}', found the end of the document"
        let inferred = await broken.run("infer", "log", "--name", "Shop")
        #expect(inferred.output.contains("class Shop: AbstractModel {\n    var id = 0\n"))
        #expect((inferred.error, inferred.status) == ("log:" + sentence, 1))
        #expect(
            await broken.run("drift", "log", "one")
                == CommandResult(
                    output: "no drift", error: "log:\(sentence)\none:1:9: not JSON: \(ending)",
                    status: 1))
        let empty = await broken.run("infer", "none")
        #expect((empty.output, empty.status) == ("", 1))
        #expect(empty.error.hasPrefix("none: ") && empty.error.contains("expected a value"))
    }
}
