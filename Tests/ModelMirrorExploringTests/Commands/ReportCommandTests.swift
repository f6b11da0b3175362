import Foundation
import ModelMirror
import Synchronization
import Testing

@testable import ModelMirrorExploring

@MainActor struct ReportCommandTests {
    /// What a command wrote.
    private final class Written: Sendable {
        let files = Mutex<[String: String]>([:])
    }

    private let written = Written()

    private func fixture(_ files: [String: String], input: String = "") -> CommandLineFixture {
        let written = written
        var fixture = CommandLineFixture(files: files, input: input)
        fixture.write = { path, text in
            written.files.withLock { $0[path] = text }
            return nil
        }
        return fixture
    }

    private var pages: [String: String] { written.files.withLock { $0 } }

    /// Neither a page, which may be shown to others, nor results and errors have the password of a URL. The request has it.
    @Test func thePasswordOfAURLIsNotShown() async {
        let url = "https://mona:secret@example.com/a.json?x=1"
        var fixture = fixture(["b.json": #"{"id": 1}"#])
        #expect(
            await fixture.run("stats", url).error
                == #""https://example.com/a.json?x=1" cannot be read: this program cannot fetch URLs; download it first: curl -o document.json 'https://example.com/a.json?x=1'"#
        )
        #expect(
            await fixture.run("stats", "ftp://mona:secret@example.com/a").error
                == #""ftp://example.com/a" cannot be read: its scheme is not http, https or file."#)
        fixture.load = { url in Data(#"[{"id": "\#(url.user() ?? "")"}, {}] 7"#.utf8) }
        #expect(await fixture.run("query", url, "$[0].id").output == #""mona""#)
        for words in [
            ["check", url, "--against", "Shop"], ["stats", url], ["drift", url, "b.json", "--sample", "1"],
            ["infer", url], ["query", url, "$..a[?@.b == 1", "--paths"],
            ["report", url, "--html", "a.html", "--against", "Shop", "--drift", url],
        ] {
            let result = await fixture.run(words)
            #expect(!(result.output + result.error).contains("secret"), "\(words)")
        }
        let page = pages["a.html"] ?? ""
        #expect(page.contains("https://example.com/a.json?x=1") && !page.contains("secret"))
    }

    @Test func thePageOfAllFilesIsWritten() async throws {
        let fixture = fixture(["user1.json": #"{"id": 1}"#], input: #"{"id": 2, "a": true}"#)
        #expect(
            await fixture.run("report", "user1.json", "-", "--html", "out/users.html")
                == CommandResult(output: #"Wrote a report on 2 documents and 3 places to "out/users.html"."#))
        let source = try ClassInference.source(documents: [
            Array(#"{"id": 1}"#.utf8), Array(#"{"id": 2, "a": true}"#.utf8),
        ])
        let statistics = DocumentStatistics(json: #"{"id": 1} {"id": 2, "a": true}"#)
        let page = ReportPage(statistics, files: ["user1.json", "standard input"], source: source).html
        #expect(pages == ["out/users.html": page])
    }

    @Test func theClassIsNamedAfterTheFile() async throws {
        _ = await fixture(["gists.json": #"[{"id": 1}]"#]).run("report", "gists.json", "--html", "a.html")
        let page = PageOutline(try #require(pages["a.html"]))
        #expect(page["pre"].first?.text.contains("class Gist: AbstractModel {\n    var id = 0\n}") == true)
    }

    @Test func theResultForProgramsIsJSON() async {
        let result = await fixture(["a.json": "{}"]).run("report", "a.json", "--html=a.html", "--json")
        #expect(result == CommandResult(output: "{\n  \"documents\": 1,\n  \"file\": \"a.html\",\n  \"places\": 1\n}"))
    }

    @Test func aPageWithoutClassesSaysWhy() async throws {
        let result = await fixture(["a.json": "[1, 2]"]).run("report", "a.json", "--html", "a.html")
        #expect(result.status == 0)
        let page = PageOutline(try #require(pages["a.html"]))
        #expect(page["section"][2].text.contains("which no class can be; give a document whose root is an object"))
        #expect(page["pre"].isEmpty)
    }

    @Test func aBrokenLineIsReportedAndTheOthersAreShown() async {
        let fixture = fixture(["log": "{\"id\": 1}\n{\"id\": 2\n{\"id\": 3}\n"])
        #expect(
            await fixture.run("report", "log", "--html", "log.html")
                == CommandResult(
                    output: #"Wrote a report on 2 documents and 2 places to "log.html"."#,
                    error: "log:2:9: not JSON: expected ',' or '}', found the end of the document", status: 1))
        #expect(pages["log.html"]?.contains("log:2:9: not JSON: expected &#39;,&#39;") == true)
    }

    @Test func classesAreInferredFromTheFirstDocumentsOfMany() async {
        let document = #"{"a": "\#(String(repeating: "x", count: 6_000_000))"}"#
        let fixture = fixture(["a.json": document + document + document + #"{"b": 1}"#])
        _ = await fixture.run("report", "a.json", "--html", "a.html")
        #expect(pages["a.html"]?.contains("<p>Inferred from the first 3 of 4 documents.</p>") == true)
        #expect(pages["a.html"]?.contains("var b") == false)
    }

    @Test(arguments: [
        (["a.json"], "report needs --html OUT. See tool report --help."),
        (["a.json", "--html", "-"], "report needs --html OUT. See tool report --help."),
        (["a.json", "--html="], "report needs --html OUT. See tool report --help."),
        (["a.json", "--html"], "--html needs a value: --html OUT. See tool report --help."),
        (["--html", "a.html"], "report takes FILE…|URL|-, found 0 arguments. See tool report --help."),
        (
            ["a.json", "--html", "a.json"],
            #"--html "a.json" is a document, which would be replaced. See tool report --help."#
        ),
        (
            ["a.json", "--html", "b.json", "--drift", "b.json"],
            #"--html "b.json" is a document, which would be replaced. See tool report --help."#
        ),
        (
            ["a.json", "a.json", "--html", "a.html", "--drift", "b.json"],
            "--drift compares with one document, found 2. See tool report --help."
        ),
        (["a.json", "--html", "a.html", "--at", "x"], "--at needs --against CLASS. See tool report --help."),
        (["a.json", "--html", "a.html", "--strict"], "--strict needs --against CLASS. See tool report --help."),
        (["a.json", "--html", "a.html", "--drift", "none"], #""none" cannot be read: there is no such file."#),
        (["none", "--html", "a.html"], #""none" cannot be read: there is no such file."#),
        (["/folder", "--html", "a.html"], #""/folder" cannot be read: it is a folder."#),
    ]) func aWrongCommandLineWritesNothing(words: [String], sentence: String) async {
        #expect(
            await fixture(["a.json": "{}"]).run(["report"] + words)
                == CommandResult(output: "", error: sentence, status: 2))
        #expect(pages.isEmpty)
    }

    @Test(arguments: [["a.json"], ["b.json", "--drift", "a.json"]])
    func aDocumentInTheFolderOfTheVariableIsNotReplaced(words: [String]) async {
        var fixture = fixture(["/data/a.json": "{}", "b.json": "{}"])
        fixture.variables = ["MODELMIRROR_DATA": "/data"]
        let result = await fixture.run(["report"] + words + ["--html", "/data/a.json"])
        #expect(result.error.hasPrefix(#"--html "/data/a.json" is a document, which would be replaced."#))
        #expect(pages.isEmpty && result.status == 2)
    }

    @Test(arguments: [
        ("", #"There is no document in "a"."#),
        ("key: 1\nother: 2\n", "a is YAML, which is not read; convert it first: yq -o=json . a > a.json"),
        (
            "<html>",
            "a:1:1: not JSON: expected a value (an object, array, string, number, true, false or null), found '<'"
        ),
    ]) func withoutDocumentsNothingIsWritten(content: String, sentence: String) async {
        #expect(
            await fixture(["a": content]).run("report", "a", "--html", "a.html")
                == CommandResult(output: "", error: sentence, status: 1))
        #expect(pages.isEmpty)
    }

    @Test func aPageThatCannotBeWrittenIsAnError() async {
        var fixture = CommandLineFixture(files: ["a.json": "{}"])
        fixture.write = { _, _ in "no space is left" }
        #expect(
            await fixture.run("report", "a.json", "--html", "a.html")
                == CommandResult(output: "", error: #""a.html" cannot be written: no space is left."#, status: 2))
    }

    @Test func filesAreWrittenAtomically() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("report-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = CommandContext.current(program: "tool", load: nil)
        let file = folder.appendingPathComponent("a.html")
        #expect(context.write(file.path, "old") == nil)
        // A second name of the old file keeps its content, since the new one takes its place.
        let other = folder.appendingPathComponent("b.html")
        try FileManager.default.linkItem(at: file, to: other)
        #expect(context.write(file.path, "new") == nil)
        #expect(try String(contentsOf: file, encoding: .utf8) == "new")
        #expect(try String(contentsOf: other, encoding: .utf8) == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.html", "b.html"])
        #expect(context.write(folder.path, "") == "it is a folder")
        #expect(context.write(folder.path + "/none/a.html", "") == "there is no such folder")
        #expect(context.write("/dev/null", "") == "it is not a regular file")
    }

    // MARK: Findings and changes

    private static let new = """
        [
          {"id": "a", "note": "<b>"},
          {"id": 7, "items": [{"count": "many"}, {"count": "few"}], "stars": 1},
          {"id": "c"}
        ]
        """
    private static let old = #"[{"id": "a", "items": [{"count": 1}], "city": {"x": [2]}}, {"id": "b"}]"#

    @Test func findingsAndChangesAreShownWithTheirLines() async throws {
        let fixture = fixture(["new.json": ReportCommandTests.new, "old.json": ReportCommandTests.old])
        let words = ["new.json", "--against", "Shop", "--drift", "old.json", "--html", "a.html"]
        #expect(
            await fixture.run(["report"] + words)
                == CommandResult(
                    output: """
                        Wrote a report on 1 document and 8 places to "a.html".
                        new.json as [Shop]: 1 failure, 7 deviations in 3 objects
                        since old.json: 5 changes: 2 appeared, 1 disappeared, 2 changed type
                        """, status: 1))
        let page = PageOutline(try #require(pages["a.html"]))
        #expect(page.errors == [])
        #expect(page["h2"].map(\.text) == ["Overview", "Findings", "Changes", "Places", "Classes"])
        #expect(page["a"].map(\.text) == page["h2"].map(\.text))
        let (findings, changes) = (page["section"][1].text, page["section"][2].text)
        #expect(findings.contains("\nnew.json as [Shop]: 1 failure, 7 deviations in 3 objects.\n"))
        #expect(
            findings.contains(
                """

                failure Shop.id at $[1].id: expected a string, found the number 7; the option stringsFromNumbers accepts it new.json:3:10
                   3 |   {"id": 7, "items": [{"count": "many"}, {"count": "few"}], "stars": 1},
                     |          ^
                missing Item.name at
                """))
        #expect(findings.contains(#"found the string "many" new.json:3:33, and 1 more like it"#))
        // The same lines as those of the command.
        let checked = await fixture.run("check", "new.json", "--against", "Shop").output
        let excerpts = page["section"].indices.contains(1) ? page["pre"].map(\.text) : []
        #expect(excerpts.count == 11)
        for excerpt in excerpts.prefix(5) { #expect(checked.contains(excerpt)) }
        #expect(
            changes == """

                Changes
                Since old.json: 5 changes: 2 appeared, 1 disappeared, 2 changed type.

                disappeared $[].city: object (in 1 of 2) -> absent old.json:1:47
                   1 | [{"id": "a", "items": [{"count": 1}], "city": {"x": [2]}}, {"id": "b"}]
                     |                                               ^
                changed type $[].id: string -> string or number new.json:3:10
                   3 |   {"id": 7, "items": [{"count": "many"}, {"count": "few"}], "stars": 1},
                     |          ^
                changed type $[].items[].count: number -> string new.json:3:33
                   3 |   {"id": 7, "items": [{"count": "many"}, {"count": "few"}], "stars": 1},
                     |                                 ^~~~~~
                appeared $[].note: absent -> string (in 1 of 3) new.json:2:23
                   2 |   {"id": "a", "note": "<b>"},
                     |                       ^~~~~
                appeared $[].stars: absent -> number (in 1 of 3) new.json:3:70
                   3 |   {"id": 7, "items": [{"count": "many"}, {"count": "few"}], "stars": 1},
                     |                                                                      ^



                """)
        let json = try JSONValue(json: await fixture.run(["report"] + words + ["--json"]).output)
        #expect(
            json == [
                "file": "a.html", "documents": 1, "places": 8, "failures": 1, "deviations": 7, "lostValues": 0,
                "changes": 5,
            ])
    }

    /// The exit code is that of `check` and `drift`.
    @Test(
        arguments: [
            (["a.json", "--against", "Shop"], 0, "a.json as Shop: nothing to report in 1 object"),
            (["b.json", "--against", "Shop", "--strict"], 1, "b.json as Shop: 2 failures, 2 deviations in 1 object"),
            (["b.json", "--against", "Item", "--at", "items"], 0, "b.json as [Item]: 3 deviations in 1 object"),
            (["a.json", "--drift", "a.json"], 0, "since a.json: no drift"),
            (["b.json", "--drift", "a.json"], 1, "since a.json: 2 changes: 1 appeared, 1 changed type"),
            (["a.json", "--drift", "log"], 1, "since log: no drift"),
        ] as [([String], Int32, String)]) func theExitCodeTellsOfFailuresAndChanges(
            words: [String], status: Int32, line: String
        ) async
    {
        let fixture = fixture([
            "a.json": #"{"id": "a"}"#, "b.json": #"{"id": 1, "items": [{"count": "x"}]}"#, "log": #"{"id": "a"}{"#,
        ])
        let result = await fixture.run(["report", "--html", "a.html"] + words)
        #expect(result.output.split(separator: "\n").last.map(String.init) == line)
        #expect(result.status == status)
    }

    /// Neither the places nor the lines, changes and classes have values if the class has redacted properties.
    @Test func redactedValuesAreNotOnThePage() async throws {
        let document = """
            {"count": 1234567, "clients": [
            {"age": "old", "password": "s3cret"},
            {"age": 1, "password": "s3cret", "pasword": "s3cret"},
            {"age": 1, "password": "swordfish"}, {"age": 1, "password": "swordfish"}]}
            """
        let old = document.replacing("swordfish", with: "s3cret").replacing(
            #""pasword": "s3cret""#, with: #""x": "s3cret""#)
        let fixture = fixture(["a.json": document, "old.json": old])
        let plain = ["report", "a.json", "--html", "a.html", "--drift", "old.json"]
        _ = await fixture.run(plain)
        let open = try #require(pages["a.html"])
        for text in ["s3cret", "swordfish", "1234567", "also &quot;swordfish&quot;"] { #expect(open.contains(text)) }
        _ = await fixture.run(plain + ["--against", "Bank"])
        let html = try #require(pages["a.html"])
        for text in ["s3cret", "swordfish", "1234567"] { #expect(!html.contains(text), "\(text)") }
        let page = PageOutline(html)
        #expect(page.errors == [])
        #expect(page["section"][1].text.contains("\n   2 | (redacted)"))
        #expect(
            page["section"][2].text.contains(
                "\nnew value $.clients[].password: (redacted) a.json:4:24\n   4 | (redacted)"))
        #expect(
            page["section"][2].text.contains(
                "$.clients[].x: string (in 1 of 4) -> absent old.json:3:39\n   3 | (redacted)"))
        let sentence = "Values outside the findings are left out, since Bank has redacted properties, or a class in it."
        #expect(page["li"].contains { $0.text == sentence })
        #expect(
            page["section"][4].text.contains(sentence + " The classes are left out too, since their enums have values.")
        )
    }

    /// A document must not be replaced by its report, however its path is written.
    @Test func aDocumentIsRecognizedByAnotherPath() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("report-\(UUID())")
        let link = folder.appendingPathExtension("link")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
        defer { for place in [folder, link] { try? FileManager.default.removeItem(at: place) } }
        let file = folder.appendingPathComponent("a.json")
        try Data("{}".utf8).write(to: file)
        let context = CommandContext.current(program: "tool", load: nil)
        for path in [
            folder.path + "/./a.json", folder.path + "/../\(folder.lastPathComponent)/a.json", link.path + "/a.json",
        ] {
            let result = await Explorer.result(of: ["report", file.path, "--html", path], [], context: context)
            #expect(result.status == 2)
            #expect(result.error.hasSuffix("is a document, which would be replaced. See tool report --help."))
            #expect(try Data(contentsOf: file) == Data("{}".utf8))
        }
        let url = await Explorer.result(of: ["report", file.absoluteString, "--html", file.path], [], context: context)
        #expect(url.error.hasSuffix("is a document, which would be replaced. See tool report --help."))
    }
}
