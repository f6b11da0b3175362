import Foundation
import ModelMirror
import ModelMirrorExploring
import Testing

@MainActor struct ExplorerTests {
    @Test(arguments: [
        (
            ["chekc"],
            #"There is no command "chekc" (did you mean "check"?); there are infer, inspect, check, drift, stats, report, query, schema, completions, help."#
        ),
        (
            ["inspect", "Shpo"],
            #"There is no class "Shpo" (did you mean "Shop"?); there are Shop, Item. See tool inspect --help."#
        ),
        (
            ["check", "a", "--agianst", "Shop"],
            #"check has no option "--agianst" (did you mean "--against"?). See tool check --help."#
        ),
        (["check", "a"], "check needs --against CLASS. See tool check --help."),
        (["check", "a", "--against"], "--against needs a value: --against CLASS. See tool check --help."),
        (["check", "a", "--strict=1"], #"--strict takes no value, found "--strict=1". See tool check --help."#),
        (["drift", "a"], "drift takes OLD NEW, found 1 argument. See tool drift --help."),
        (
            ["infer", "a", "--keys", "snaek"],
            #"There is no key style "snaek" (did you mean "snake"?); there are exact, snake, kebab, pascal. See tool infer --help."#
        ),
        (
            ["infer", "a", "--keys", "upper"],
            #"There is no key style "upper"; there are exact, snake, kebab, pascal. See tool infer --help."#
        ),
        (["schema", "Shop", "-x"], #"schema has no option "-x". See tool schema --help."#),
        (
            ["schema", "Shop", "---json"],
            #"schema has no option "---json" (did you mean "--json"?). See tool schema --help."#
        ),
        (
            ["completions", "fsih"],
            #"There is no shell "fsih" (did you mean "fish"?); there are bash, zsh, fish. See tool completions --help."#
        ),
        (["drift", "a.json", "b.json"], #""a.json" cannot be read: there is no such file."#),
    ]) func wrongUsageExitsWithStatus2(words: [String], sentence: String) async {
        var context = CommandContext(program: "tool")
        context.variables = [:]
        let result = await Explorer.result(of: words, [Shop.self, Item.self], context: context)
        #expect(result == CommandResult(output: "", error: sentence, status: 2))
    }

    @Test(arguments: ["Shop", "Item"]) func classesOfPropertiesAreFound(name: String) async {
        let context = CommandContext(program: "tool")
        let found = await Explorer.result(of: ["inspect", name], [City.self], context: context)
        #expect(found == (await Explorer.result(of: ["inspect", name], [Shop.self, Item.self], context: context)))
        #expect(found.status == 0)
        let wrong = await Explorer.result(of: ["inspect", "Itme"], [City.self], context: context)
        #expect(
            wrong.error
                == #"There is no class "Itme" (did you mean "Item"?); there are City, Shop, Item. See tool inspect --help."#
        )
    }

    /// Classes in each kind of container, in a superclass, and in a cycle.
    @Test func classesInContainersAreFound() async {
        let wrong = await Explorer.result(
            of: ["inspect", "X"], [Fleet.self], context: CommandContext(program: "tool"))
        #expect(
            wrong.error == #"There is no class "X"; there are Fleet, Shop, Item. See tool inspect --help."#)
    }

    @Test func help() async {
        let fixture = CommandLineFixture()
        let overview = await fixture.run("--help")
        #expect(overview.status == 0)
        #expect(
            overview.output == """
                USAGE
                  tool COMMAND [ARGUMENTS] [OPTIONS]

                COMMANDS
                  infer FILE…|URL|-           write Swift classes for documents, a JSON Schema or OpenAPI
                  inspect [CLASS]             show the property table of a class
                  check FILE…|URL|-           map documents and show each value that does not fit
                  drift OLD NEW               show what an API changed between two documents
                  stats FILE…|URL|-           count what is in documents, place by place
                  report FILE…|URL|-          write a page of HTML on what is in documents
                  query FILE…|URL|- JSONPATH  print the values that a JSONPath finds
                  schema CLASS                print the JSON Schema of a class
                  completions SHELL           print the completions of commands for bash, zsh or fish

                tool COMMAND --help shows a command's options and examples.

                DOCUMENTS
                  A path, a URL, or - for standard input. A bare file name that is not in the current folder is looked up in
                  the folder of the environment variable MODELMIRROR_DATA.

                EXIT CODES
                  0  done
                  1  failures, lost values or drift, or a document that cannot be used
                  2  a wrong command line, or a file that cannot be read or written

                Output is colored only on a terminal, and not if NO_COLOR is set.
                """)
        #expect(await fixture.run() == overview)
        let drift = await fixture.run("drift", "--help")
        #expect(await fixture.run("help", "drift") == drift)
        #expect(
            drift.output.hasPrefix(
                """
                USAGE
                  tool drift OLD NEW [--sample N] [--seed SEED] [--json]

                Members that appeared or disappeared, values of another type, values that are now sometimes null or absent, and new
                enumeration values. All elements of an array are one place. A broken line of NDJSON is reported. The exit code is 1 if
                there is a change.

                OPTIONS
                  --sample N   only N documents, or elements of an array, chosen at random
                  --seed SEED  the seed of the choice, a number; fixed by default
                  --json       print the result as JSON

                EXAMPLES
                  tool drift recorded.json today.json
                """))
    }

    @Test func theVersionIsThatOfTheLibrary() async {
        #expect(
            await CommandLineFixture().run("--version")
                == CommandResult(output: "tool, ModelMirror \(PackageVersion.current)"))
    }

    @Test func theVersionIsTheNewestOfTheChangeLogOnceThereIsOne() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../../CHANGELOG.md")
        let versions = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap {
            $0.wholeMatch(of: /## \[?(\d+\.\d+\.\d+)\]?.*/)?.1
        }
        #expect(versions.first.map(String.init) ?? PackageVersion.current == PackageVersion.current)
    }

    @Test(
        arguments: [
            ("check", "FILE…|URL|- --against CLASS [--at PATH] [--strict] [--all] [--sample N] [--seed SEED] [--json]"),
            ("report", "FILE…|URL|- --html OUT [--against CLASS] [--at PATH] [--strict] [--drift OLD] [--json]"),
        ]) func helpHasOptionsInBracketsUnlessTheyAreNeeded(command: String, usage: String) async
    {
        let help = await CommandLineFixture().run(command, "--help").output
        #expect(help.hasPrefix("USAGE\n  tool \(command) \(usage)\n"))
    }

    @Test(arguments: [
        ("infer", true), ("check", true), ("drift", true), ("stats", true), ("report", true), ("query", true),
        ("inspect", false), ("schema", false), ("completions", false),
    ]) func onlyCommandsThatReadDocumentsExplainTheirNames(command: String, reads: Bool) async {
        let help = await CommandLineFixture().run(command, "--help").output
        #expect(help.contains("\n\nDOCUMENTS\n  A path, a URL, or - for standard input.") == reads)
        #expect(help.contains("\n\nEXIT CODES\n  0  done\n"))
    }

    @Test func everyCommandHasExamples() async {
        for name in ["infer", "inspect", "check", "drift", "stats", "report", "query", "schema", "completions"] {
            #expect(await CommandLineFixture().run(name, "--help").output.contains("\nEXAMPLES\n  tool \(name)"))
        }
    }

    @Test func colorIsUsedOnlyOnTerminals() async {
        let files = ["a.json": "{}"]
        let plain = await CommandLineFixture(files: files).run("drift", "a.json", "a.json")
        let colored = await CommandLineFixture(files: files, isTerminal: true).run("drift", "a.json", "a.json")
        let asked = await CommandLineFixture(files: files, variables: ["NO_COLOR": "1"], isTerminal: true)
            .run("drift", "a.json", "a.json")
        #expect([plain, colored, asked].map(\.output) == ["no drift", "\u{1B}[32mno drift\u{1B}[0m", "no drift"])
    }

    @Test func aBareFileNameIsFoundInTheDataFolder() async {
        var fixture = CommandLineFixture(
            files: ["/data/a.json": "1", "b.json": "1"], variables: ["MODELMIRROR_DATA": "/data"])
        #expect(await fixture.run("drift", "a.json", "b.json").output == "no drift")
        #expect(
            await fixture.run("drift", "c.json", "b.json").error
                == #""c.json" cannot be read: there is no such file here, nor in /data, the folder of MODELMIRROR_DATA."#
        )
        #expect(
            await fixture.run("drift", "x/a.json", "b.json").error
                == #""x/a.json" cannot be read: there is no such file."#)
        fixture.variables = [:]
        #expect(await fixture.run("drift", "a.json", "b.json").status == 2)
    }

    @Test func urlsAreReadIfTheProgramCanFetchThem() async {
        var fixture = CommandLineFixture(files: ["/a.json": "1"])
        #expect(await fixture.run("drift", "file:///a.json", "/a.json").output == "no drift")
        #expect(
            await fixture.run("drift", "https://example.com/a", "/a.json").error
                == #""https://example.com/a" cannot be read: this program cannot fetch URLs; download it first: curl -o document.json https://example.com/a"#
        )
        #expect(
            await fixture.run("drift", "https://example.com/c?x=1&y='2'", "/a.json").error.hasSuffix(
                #"curl -o document.json 'https://example.com/c?x=1&y='\''2'\'''"#))
        #expect(
            await fixture.run("drift", "file:///b.json", "/a.json").error
                == #""file:///b.json" cannot be read: there is no such file."#)
        #expect(
            await fixture.run("drift", "file:///folder", "/a.json").error
                == #""file:///folder" cannot be read: it is a folder."#)
        #expect(
            await fixture.run("drift", "ftp://example.com/a", "/a.json").error
                == #""ftp://example.com/a" cannot be read: its scheme is not http, https or file."#)
        fixture.load = { url in Data((url.path == "/a" ? "1" : "2").utf8) }
        #expect(await fixture.run("drift", "https://example.com/a", "/a.json").output == "no drift")
    }

    @Test(arguments: [
        ("api.yaml", "openapi: 3.0.0\n", "yq -o=json . api.yaml > api.json"),
        ("b", "---\na: 1\n", "yq -o=json . b > b.json"), ("a.b", shop, "yq -o=json . a.b > a.b.json"),
        ("../specs/api.yaml", shop, "yq -o=json . ../specs/api.yaml > ../specs/api.json"),
        ("./my api.YML", shop, "yq -o=json . './my api.YML' > './my api.json'"),
        ("it's.yaml", shop, #"yq -o=json . 'it'\''s.yaml' > 'it'\''s.json'"#),
        ("'\u{301}.yaml", shop, "yq -o=json . ''\\''\u{301}.yaml' > ''\\''\u{301}.json'"),
        ("file:///api.yaml", shop, "yq -o=json . document.yaml > document.json"),
    ]) func yamlIsRejectedWithAConversionCommand(name: String, yaml: String, command: String) async {
        let path = name.replacing("file://", with: "")
        #expect(
            await CommandLineFixture(files: [path: yaml]).run("infer", name)
                == CommandResult(
                    output: "", error: "\(name) is YAML, which is not read; convert it first: \(command)", status: 1))
    }

    private nonisolated static let shop = "openapi: 3.0.0\ninfo:\n  title: Shop\n"

    @Test(arguments: [
        ["infer", "--schema", "a"], ["check", "a", "--against", "Shop"], ["drift", "a", "a"], ["stats", "a"],
        ["report", "a", "--html", "b"],
        ["query", "a", "$"],
    ])
    func everyCommandRejectsYAML(words: [String]) async {
        let result = await CommandLineFixture(files: ["a": "# A list\ntags:\n  - a\n"]).run(words)
        #expect(result.error == "a is YAML, which is not read; convert it first: yq -o=json . a > a.json")
    }

    @Test(arguments: ["Error: not found", "Error: boom\n    at load (app.js:1)\n", "<html>", "a", ""])
    func otherTextIsNotMistakenForYAML(text: String) async {
        let result = await CommandLineFixture(files: ["a": text]).run("infer", "a")
        #expect(result.error.hasPrefix("a: Invalid JSON at line 1, column 1"))
        #expect(result.status == 1)
    }

    @Test func aProgramCanAddCommands() async {
        let tour = ExplorerCommand(
            "tour", usage: "[STEP]", summary: "the tour", options: [.flag("list", "list the steps")]
        ) {
            guard $0.values == ["a"], $0.has("list") else {
                throw ExplorerCommand.WrongUsage("There is no step", $0.values.first ?? "", among: ["start", "end"])
            }
            throw CocoaError(.fileNoSuchFile)
        }
        let fixture = CommandLineFixture(commands: [tour])
        #expect(
            await fixture.run("tour", "strat")
                == CommandResult(
                    output: "",
                    error:
                        #"There is no step "strat" (did you mean "start"?); there are start, end. See tool tour --help."#,
                    status: 2))
        #expect(await fixture.run("tour", "--list", "a").status == 1)
        #expect(
            await fixture.run("touur").error.hasPrefix(
                #"There is no command "touur" (did you mean "tour"?); there are tour, infer"#))
    }

    @Test func wordsAfterTwoHyphensAreArguments() async {
        let fixture = CommandLineFixture(files: ["--a": "1", "b": "1"])
        #expect(await fixture.run("drift", "b", "--", "--a").output == "no drift")
        #expect(await fixture.run("drift", "b", "--a").error == #"drift has no option "--a". See tool drift --help."#)
    }
}
