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
}
