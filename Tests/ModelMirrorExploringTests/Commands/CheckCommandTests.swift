import Foundation
import ModelMirror
import ModelMirrorExploring
import Testing

@MainActor struct CheckCommandTests {
    private let shop = """
        {
          "id": "a", "opened_at": "2020-01-01T00:00:00Z",
          "items": [{"tags": {}, "name": "", "count": "many"}],
        \t"phone": 1
        }
        """

    @Test func aValidDocumentHasNothingToReport() async {
        let result = await CommandLineFixture(files: ["s.json": #"{"id": "a", "opened_at": null, "items": []}"#])
            .run("check", "s.json", "--against", "Shop")
        #expect(result.output == "s.json as Shop: nothing to report in 1 object")
        #expect((result.error, result.status) == ("", 0))
    }

    @Test(arguments: [
        ([], "does not fit", "2 deviations", 0), (["--strict"], "failure", "1 failure, 1 deviation", 1),
    ]) func findingsAreShownWithTheirLineAndACaret(
        options: [String], label: String, count: String, status: Int32
    ) async {
        let result = await CommandLineFixture(files: ["s.json": shop])
            .run(["check", "s.json", "--against", "Shop"] + options)
        #expect(
            result.output == """
                s.json:3:47: \(label): Item.count at $.items[0].count: expected an integer, found the string "many"
                   3 |   "items": [{"tags": {}, "name": "", "count": "many"}],
                     |                                               ^~~~~~

                s.json:4:2: unknown key: Shop at $.phone: expected a key of Shop, found the key "phone"
                   4 |     "phone": 1
                     |     ^~~~~~~

                s.json as Shop: \(count) in 1 object
                """)
        #expect(result.status == status)
    }

    @Test func failuresAndDeviationsOfAnArrayAreShownInDocumentOrder() async {
        let json = #"[{"id": "a", "x": 1}, {"opened_at": "soon"}, {"id": "c", "x": 2}, {"id": 7}]"#
        let fixture = CommandLineFixture(files: ["s.json": #"{"data": {"shops": \#(json)}}"#], width: 60)
        let result = await fixture.run("check", "s.json", "--against", "Shop", "--at", "data,shops")
        #expect(
            result.output == """
                s.json:1:33: unknown key: Shop at $.data.shops[0].x: expected a key of Shop, found the key "x" (and 1 more like it)
                   1 | …: {"shops": [{"id": "a", "x": 1}, {"opened_at": "so…
                     |                           ^~~

                s.json:1:42: failure: Shop.id at $.data.shops[1].id: expected a string, found no such key
                   1 | …": [{"id": "a", "x": 1}, {"opened_at": "soon"}, {"i…
                     |                           ^

                s.json:1:56: does not fit: Shop.openedAt at $.data.shops[1].opened_at: expected a date in ISO 8601 or \
                "y-MM-dd HH:mm:ssZ", found the string "soon"
                   1 | …, "x": 1}, {"opened_at": "soon"}, {"id": "c", "x": …
                     |                           ^~~~~~

                s.json:1:93: failure: Shop.id at $.data.shops[3].id: expected a string, found the number 7; the option stringsFromNumbers accepts it
                   1 | …ned_at": "soon"}, {"id": "c", "x": 2}, {"id": 7}]}}
                     |                                                ^

                s.json as [Shop]: 2 failures, 3 deviations in 4 objects
                """)
        #expect(result.status == 1)
    }

    @Test func failuresAndDeviationsOfAnObjectAreShown() async {
        let json = #"{"shop": {"opened_at": "soon", "items": [7]}}"#
        let result = await CommandLineFixture(files: ["s.json": json])
            .run("check", "s.json", "--against", "Shop", "--at", "shop")
        #expect(
            result.output == """
                s.json:1:10: failure: Shop.id at $.shop.id: expected a string, found no such key
                   1 | {"shop": {"opened_at": "soon", "items": [7]}}
                     |          ^

                s.json:1:24: does not fit: Shop.openedAt at $.shop.opened_at: expected a date in ISO 8601 or \
                "y-MM-dd HH:mm:ssZ", found the string "soon"
                   1 | {"shop": {"opened_at": "soon", "items": [7]}}
                     |                        ^~~~~~

                s.json:1:42: skipped: Shop.items at $.shop.items[0]: expected an object for Item, found the number 7
                   1 | {"shop": {"opened_at": "soon", "items": [7]}}
                     |                                          ^

                s.json as Shop: 1 failure, 2 deviations, 1 lost value in 1 object
                """)
        #expect(result.status == 1)
    }

    @Test func caretsUnderlineUnknownKeys() async {
        let json = #"""
            {"id": "a", "é": 1, "b\\": 2,
              "c\"\\"
              :

              3}
            """#
        let result = await CommandLineFixture(files: ["s.json": json]).run("check", "s.json", "--against", "Shop")
        #expect(
            result.output == #"""
                s.json:1:13: unknown key: Shop at $.é: expected a key of Shop, found the key "é"
                   1 | {"id": "a", "é": 1, "b\\": 2,
                     |             ^~~

                s.json:1:21: unknown key: Shop at $["b\\"]: expected a key of Shop, found the key "b\\"
                   1 | {"id": "a", "é": 1, "b\\": 2,
                     |                     ^~~~~

                s.json:2:3: unknown key: Shop at $["c\"\\"]: expected a key of Shop, found the key "c\"\\"
                   2 |   "c\"\\"
                     |   ^~~~~~~

                s.json as Shop: 3 deviations in 1 object
                """#)
    }

    @Test func lostValuesAreReported() async {
        let fixture = CommandLineFixture(files: [
            "s.json": #"{"shops": [{"items": []}, 7, {"id": "a", "id": "b"}], "main": {"id": 1}}"#,
            "whole.json": #"{"shops": [{"id": "a", "items": [{"name": 1}]}], "title": "t", "name": "n"}"#,
            "list.json": #"[{"shops": [{}]}, 7]"#,
        ])
        let result = await fixture.run("check", "s.json", "--against", "City")
        for line in [
            "s.json:1:12: failure, so skipped: City.shops at $.shops[0]: expected an object for Shop, found an object "
                + "with failures\n", "s.json:1:27: skipped: City.shops at $.shops[1]: ",
            "s.json:1:63: failure, so skipped: City.main at $.main: ", "4 lost values",
        ] {
            #expect(result.output.contains(line), "\(line)")
        }
        #expect(result.status == 1)
        let whole = await fixture.run("check", "whole.json", "--against", "City")
        #expect(!whole.output.contains("lost value"))
        #expect(whole.status == 0)
        let list = await fixture.run("check", "list.json", "--against", "City")
        #expect(list.output.contains("list.json:1:13: failure, so skipped: City.shops at $[0].shops[0]: "))
        #expect(list.output.hasSuffix("list.json as [City]: 1 failure, 3 deviations, 1 lost value in 2 objects"))
    }

    @Test func failuresAndDeviationsAreColoredOnATerminal() async {
        let result = await CommandLineFixture(files: ["s.json": #"{"x": 1}"#], isTerminal: true)
            .run("check", "s.json", "--against", "Shop")
        let excerpt = "\u{1B}[2m   1 | \u{1B}[0m{\"x\": 1}\n\u{1B}[2m     | \u{1B}[0m"
        #expect(
            result.output == """
                s.json:1:1: \u{1B}[31mfailure\u{1B}[0m: Shop.id at $.id: expected a string, found no such key
                \(excerpt)\u{1B}[31m^\u{1B}[0m

                s.json:1:2: \u{1B}[33munknown key\u{1B}[0m: Shop at $.x: expected a key of Shop, found the key "x"
                \(excerpt)\u{1B}[31m ^~~\u{1B}[0m

                s.json as Shop: \u{1B}[31m1 failure\u{1B}[0m, \u{1B}[33m1 deviation\u{1B}[0m in 1 object
                """)
    }

    @Test(arguments: [
        ("users,42,gists", #"$.users["42"].gists"#), (#"$.users["42"].gists"#, #"$.users["42"].gists"#),
        ("lists,0", "$.lists[0]"), ("$.lists[0]", "$.lists[0]"), (#"$["a,b"]"#, #"$["a,b"]"#),
        ("$defs", "$.$defs"),
        ("users,,gists", #"$.users[""].gists"#), ("", "$"), ("$", "$"),
    ]) func pathsAreReadInBothNotations(typed: String, path: String) async {
        let json = #"{"users": {"42": {"gists": {}}, "": {"gists": {}}}, "lists": [{}], "a,b": {}, "$defs": {}}"#
        let result = await CommandLineFixture(files: ["s.json": json])
            .run("check", "s.json", "--against", "Shop", "--at", typed)
        #expect(result.output.contains("failure: Shop.id at \(path).id: expected a string, found no such key\n"))
    }

    @Test(arguments: ["$.a[", "$.", "$[x]", #"$["\q"]"#]) func anInvalidPathIsWrongUsage(typed: String) async {
        let result = await CommandLineFixture(files: ["s.json": "{}"])
            .run("check", "s.json", "--against", "Shop", "--at", typed)
        #expect(
            result.error.hasSuffix(
                " is not a path; write it like data,items,0 or $.data.items[0]. See tool check --help."))
        #expect(result.status == 2)
    }

    @Test(arguments: [
        (
            "shop", "$.shop", 1, "{",
            #"expected a value, found no such key or index; the object has "shops""#
        ),
        ("other", "$.other", 1, "{", "expected a value, found no such key or index"),
        ("shops,1", "$.shops[1]", 11, "[", "expected a value, found no such key or index"),
        ("none", "$.none", 34, "null", "expected a value, found null"),
        ("shops,0,id", "$.shops[0].id", 19, #""a""#, #"expected an object for Shop, found the string "a""#),
    ]) func aPathToANonObjectFails(typed: String, path: String, column: Int, found: String, sentence: String) async {
        let json = #"{"shops": [{"id": "a"}], "none": null}"#
        let result = await CommandLineFixture(files: ["s.json": json])
            .run("check", "s.json", "--against", "Shop", "--at", typed)
        let caret = String(repeating: " ", count: column - 1) + "^" + String(repeating: "~", count: found.count - 1)
        #expect(
            result.output == """
                s.json:1:\(column): failure: Shop at \(path): \(sentence)
                   1 | \(json)
                     | \(caret)

                s.json as Shop: 1 failure
                """)
        #expect(result.status == 1)
    }

    @Test func repeatedDeviationsAreShownOnceUnlessAllAreRequested() async {
        let fixture = CommandLineFixture(files: ["s.json": #"[{"id": "a", "x": 1}, {"id": "b", "x": 2}]"#])
        let once = await fixture.run("check", "s.json", "--against", "Shop")
        #expect(once.output.split(separator: "\n").count { $0.contains("unknown key") } == 1)
        let all = await fixture.run("check", "s.json", "--against", "Shop", "--all")
        #expect(all.output.split(separator: "\n").count { $0.contains("unknown key") } == 2)
    }

    @Test func documentsAreCheckedTogetherAndABrokenLineIsAFinding() async {
        let log = """
            {"id": "a", "x": 1}
            {"id": "b"
            {"id": 7}
            {"id": "c", "x": 2}
            """
        let fixture = CommandLineFixture(files: ["log": log, "s.json": #"[{"id": "d", "x": 3}] {"items": 1}"#])
        let result = await fixture.run("check", "log", "s.json", "--against", "Shop")
        #expect(
            result.output == """
                log:1:13: unknown key: Shop at $.x: expected a key of Shop, found the key "x" (and 2 more like it)
                   1 | {"id": "a", "x": 1}
                     |             ^~~

                log:2:11: failure: not JSON: expected ',' or '}', found the end of the document
                   2 | {"id": "b"
                     |           ^

                log:3:8: failure: Shop.id at $.id: expected a string, found the number 7; the option stringsFromNumbers accepts it
                   3 | {"id": 7}
                     |        ^

                s.json:1:23: failure: Shop.id at $.id: expected a string, found no such key
                   1 | [{"id": "d", "x": 3}] {"items": 1}
                     |                       ^

                s.json:1:33: does not fit: Shop.items at $.items: expected an array, found the number 1
                   1 | [{"id": "d", "x": 3}] {"items": 1}
                     |                                 ^

                2 files as Shop: 3 failures, 4 deviations in 5 objects of 5 documents
                """)
        #expect(result.status == 1)
        let json = await fixture.run("check", "log", "s.json", "--against", "Shop", "--json").output
        #expect(json.contains(#""documents": ["#))
        #expect(json.split(separator: "\n").count { $0.contains(#""document": "log""#) } == 3)
    }

    /// With a path, the whole document is mapped at once.
    @Test(arguments: ["\n  ", ""]) func theElementsOfALongArrayHaveTheFindingsOfTheWhole(separator: String) async {
        let long = String(repeating: "é", count: 1_000)
        let elements = (0..<300).map { index in
            switch index {
            case 200, 280: #"{"id": \#(index), "opened_at": "é", "items": [{"count": "x"}]}"#
            case 220, 299: #"{"opened_at": "soon", "key\#(index)": [1,2], "items": [7]}"#
            case 240: "7"
            default: #"{"id": "\#(long)", "opened_at": "2020-01-01T00:00:00Z", "x": 1}"#
            }
        }
        let json = " [" + elements.joined(separator: "," + separator) + separator + "]\n"
        #expect(json.utf8.count > 2 * 262_144)
        let fixture = CommandLineFixture(files: ["s.json": json])
        for options in [[], ["--all"], ["--strict"], ["--json"]] {
            let words = ["check", "s.json", "--against", "Shop"] + options
            let result = await fixture.run(words)
            #expect(result == (await fixture.run(words + ["--at", "$"])))
            #expect(result.output.contains("Shop.id at $[280].id: expected a string, found the number 280"))
        }
        #expect(
            await fixture.run("check", "s.json", "--against", "Shop").output
                .hasSuffix("s.json as [Shop]: 5 failures, 309 deviations, 2 lost values in 300 objects"))
    }

    @Test func findingsBeyondTheLimitAreCounted() async {
        let lines = (0..<1_003).map { #"{"id": "a", "x\#($0)": 1}"# }.joined(separator: "\n")
        let objects = "[" + Array(repeating: "{}", count: 102).joined(separator: ",") + "]"
        let fixture = CommandLineFixture(files: ["log": lines, "s.json": objects])
        for (file, ending) in [
            ("log", "3 more deviations not listed\n\nlog as Shop: 1003 deviations in 1003 objects of 1003 documents"),
            ("s.json", "2 more failures not listed\n\ns.json as [Shop]: 102 failures in 102 objects"),
        ] {
            #expect(await fixture.run("check", file, "--against", "Shop").output.hasSuffix("\n\n" + ending))
        }
        #expect(await fixture.run("check", "log", "--against", "Shop", "--all").output.contains("the key \"x1002\""))
    }

    @Test(arguments: [("", 1, 1), (" \n ", 2, 2)])
    func anEmptyDocumentIsAFailure(text: String, line: Int, column: Int) async {
        let result = await CommandLineFixture(files: ["s.json": text]).run("check", "s.json", "--against", "Shop")
        #expect(result.output.hasPrefix("s.json:\(line):\(column): failure: not JSON: expected a value ("))
        #expect(result.output.hasSuffix("\n\ns.json as Shop: 1 failure"))
        #expect(result.status == 1)
    }

    @Test func invalidJSONIsAFailure() async {
        let result = await CommandLineFixture(input: #"{"id": "a""#).run("check", "-", "--against", "Shop")
        #expect(
            result.output == """
                standard input:1:11: failure: not JSON: expected ',' or '}', found the end of the document
                   1 | {"id": "a"
                     |           ^

                standard input as Shop: 1 failure
                """)
        #expect(result.status == 1)
    }

    @Test func aClassThatCannotBeMappedIsAFailure() async {
        let sentence =
            #"Misnamed cannot be mapped: requiredProperties names "ID", which is not a stored property of Misnamed (did you mean "id"?)."#
        let fixture = CommandLineFixture(files: ["s.json": "{}"])
        let result = await fixture.run("check", "s.json", "--against", "Misnamed")
        #expect(
            result.output == """
                s.json: failure: \(sentence)

                s.json as Misnamed: 1 failure
                """)
        #expect(result.status == 1)
        #expect(await fixture.run("inspect", "Misnamed") == CommandResult(output: "", error: sentence, status: 1))
    }

    @Test func aCheckIsAValue() async {
        let json = #"{"id": "a", "openedAt": 7}"#
        let check = DocumentCheck(json: json, against: Shop.self)
        #expect(check.findings.map { "\($0.line ?? 0):\($0.column ?? 0) \($0.label)" } == ["1:25 does not fit"])
        #expect(check.findings[0].excerpt == "   1 | \(json)\n     |                         ^")
        #expect((check.failureCount, check.deviationCount, check.lossCount, check.isAccepted) == (0, 1, 0, true))
        let printed = await CommandLineFixture(files: ["document": json]).run("check", "document", "--against", "Shop")
        #expect(check.description == printed.output)
        let strict = DocumentCheck(json: #"{"id": "a", "opened_at": 7}"#, against: Shop.self, strict: true)
        #expect((strict.findings.map(\.isFailure), strict.isAccepted) == ([true], false))
        let compressed = DocumentCheck(json: Data([0x1F, 0x8B, 8]), against: Shop.self)
        #expect(
            compressed.findings.map(\.sentence) == [
                "cannot be read: it is compressed with gzip; decompress it first, or pass it through a pipe"
            ])
        #expect(!compressed.isAccepted)
    }

    @Test func aLineThatMayHoldARedactedValueIsNotShown() async {
        let json = """
            {
              "count": "few",
              "clients": [
                {"age": "old", "password": "s3cret"},
                {"password": "s3cret",
                 "age": "{\\"password\\": \\"s3cret\\"}"},
                {"pasword": "s3cret", "age": 1, "password": ""}
              ]
            }
            """
        let fixture = CommandLineFixture(files: [
            "s.json": json, "broken.json": #"{"clients": [{"password": s3cret}]}"#,
        ])
        #expect(
            await fixture.run("check", "s.json", "--against", "Bank").output == """
                s.json:2:12: does not fit: Bank.count at $.count: expected an integer, found the string "few"
                   2 |   "count": "few",
                     |            ^~~~~

                s.json:4:13: does not fit: BankClient.age at $.clients[0].age: expected an integer, found the string "old" (and 1 more like it)
                   4 | (redacted)

                s.json:7:6: unknown key: BankClient at $.clients[2].pasword: expected a key of BankClient, found the key "pasword"
                   7 | (redacted)

                s.json as Bank: 4 deviations in 1 object
                """)
        let all = await fixture.run("check", "s.json", "--against", "Bank", "--all").output
        #expect(all.contains("\n   6 | (redacted)\n"))
        #expect(await fixture.run("check", "broken.json", "--against", "Bank").output.contains("\n   1 | (redacted)\n"))
    }
}
