import ModelMirrorExploring
import Testing

/// `--sample` and `--seed`.
@MainActor struct SampleTests {
    private let fixture: CommandLineFixture = {
        let lines = (0..<500).map { #"{"id": \#($0), "k\#($0)": 1}"# }
        let shops = (0..<500).map { #"{"id": \#($0)}"# }
        return CommandLineFixture(files: [
            "log": (lines.prefix(250) + ["{"] + lines.dropFirst(250)).joined(separator: "\n"),
            "list.json": "[" + shops.joined(separator: ",\n") + "]", "small": #"[{"id": "a"}]"#,
            "long.json": "[" + shops.map { $0 + String(repeating: " ", count: 1_200) }.joined(separator: ",\n") + "]",
        ])
    }()

    @Test func documentsAreChosenInTheirOrder() async throws {
        let result = await fixture.run("check", "log", "--against", "Shop", "--sample", "5")
        #expect(
            result.output.hasSuffix(
                "\n\nlog as Shop: 6 failures, 5 deviations in 5 objects, a sample of 5 of 500 documents"))
        #expect(result.status == 1)
        // Each failure is in the line that its number tells.
        let found = result.output.matches(
            of: #/log:(\d+):8: failure: Shop.id at \$.id: expected a string, found the number (\d+)/#)
        let numbers = try found.map { try #require(Int($0.2)) }
        #expect(numbers.count == 5 && numbers == numbers.sorted())
        #expect(try found.map { try #require(Int($0.1)) } == numbers.map { $0 < 250 ? $0 + 1 : $0 + 2 })
        #expect(result.output.contains("log:251:2: failure: not JSON: "))
        #expect(result == (await fixture.run("check", "log", "--against", "Shop", "--sample", "5")))
        #expect(result != (await fixture.run("check", "log", "--against", "Shop", "--sample", "5", "--seed", "1")))
    }

    @Test(arguments: ["list.json", "long.json"]) func theElementsOfAnArrayAreChosen(file: String) async throws {
        let result = await fixture.run("check", file, "--against", "Shop", "--sample", "4")
        #expect(
            result.output.hasSuffix("\n\n\(file) as [Shop]: 4 failures in 4 objects, a sample of 4 of 500 documents"))
        let found = result.output.matches(of: #/:(\d+):(\d+): failure: Shop.id at \$\[(\d+)\].id: .* the number (\d+)/#)
        #expect(found.count == 4)
        for match in found {
            let number = try #require(Int(match.4))
            #expect(match.3 == match.4)
            #expect((Int(match.1), Int(match.2)) == (number + 1, number == 0 ? 9 : 8))
        }
        let inferred = await fixture.run("infer", file, "--sample", "4", "--name", "Shop")
        #expect(
            inferred.output == """
                // Inferred from a sample of 4 of 500 documents.
                // let shops = try [Shop](json: data)

                import ModelMirror

                class Shop: AbstractModel {
                    var id = 0
                }
                """)
    }

    @Test func theSampleOfADriftIsThatOfEachDocument() async {
        let note = "list.json: a sample of 3 of 500 documents"
        let result = await fixture.run("drift", "list.json", "small", "--sample", "3")
        #expect(
            result.output == "changed type  $[].id: number -> string\n\n1 change: 1 changed type\n" + note)
        #expect(
            await fixture.run("drift", "list.json", "list.json", "--sample", "3", "--json").error == note + "\n" + note)
        #expect(await fixture.run("drift", "small", "small", "--sample", "1") == CommandResult(output: "no drift"))
        let lines = await fixture.run("infer", "log", "--sample", "1")
        #expect(lines.output.contains("\n// let log = try Log(json: data)\n") && lines.status == 1)
    }

    @Test(arguments: [
        (["--sample", "0"], "--sample \"0\" is not a number of documents from 1."),
        (["--seed", "1"], "--seed needs --sample N."),
        (["--sample", "1", "--seed", "x"], "--seed is not a whole number from 0."),
    ]) func aWrongSampleIsWrongUsage(words: [String], sentence: String) async {
        #expect(
            await fixture.run(["infer", "small"] + words)
                == CommandResult(output: "", error: "\(sentence) See tool infer --help.", status: 2))
    }
}
