import Foundation
import ModelMirror
import ModelMirrorExploring
import Testing

struct ReportPageTests {
    private static let documents = #"""
        [{"id": 1, "name": "a", "tags": ["x", "y"], "score": 0.5, "owner": {"login": "mona", "site": "https://a.example"}},
         {"id": 7, "name": null, "tags": [], "score": 2.5, "owner": {"login": "hubot", "site": "https://b.example"}},
         {"id": 4, "name": "a", "tags": ["x"], "open": true, "owner": {"login": "mona", "site": "https://a.example"}}]
        """#
    private static let page = ReportPage(
        DocumentStatistics(json: documents), files: ["users.json"], source: "class User {\n    var id = 0\n}\n"
    ).html
    private let page = PageOutline(ReportPageTests.page)

    private func outline(_ json: String, files: [String] = [], source: String? = nil) -> PageOutline {
        PageOutline(ReportPage(DocumentStatistics(json: json), files: files, source: source).html)
    }

    /// The scalars of the page that a browser does not show as they are.
    private func unprintable(in page: PageOutline) -> [Unicode.Scalar] {
        page.elements[0].text.unicodeScalars.filter { scalar in
            scalar != "\n" && [.control, .format].contains(scalar.properties.generalCategory)
        }
    }

    /// The rows of the table of figures of a place, `name: figure`.
    private func figures(_ path: String, _ page: PageOutline) -> [String] {
        guard let table = page["table"].first(where: { $0.text.contains("Figures of \(path)\n") }) else { return [] }
        return table.text.split(separator: "\n").dropFirst().map(String.init)
    }

    // MARK: Structure

    @Test func elementsAreNestedAndNamesAreThere() {
        #expect(page.errors == [])
        #expect(page["html"].map(\.attributes) == [["lang": "en"]])
        #expect(page["title"].first?.text == "Report on users.json")
        #expect(page["h1"].map(\.text) == ["Report on users.json"])
        #expect(page["h2"].map(\.text) == ["Overview", "Places", "Classes"])
        #expect(page["main"].count == 1 && page["header"].count == 1)
        #expect(page["nav"].map { $0.attributes["aria-label"] } == ["Sections"])
        #expect(
            page["section"].map { $0.attributes["aria-labelledby"] } == [
                "overview-heading", "places-heading", "classes-heading",
            ])
        #expect(page["table"].count == page["caption"].count)
        #expect(page["th"].allSatisfy { ["row", "col"].contains($0.attributes["scope"]) })
        #expect(page["details"].count == page["summary"].count)
        #expect(page["svg"].allSatisfy { $0.attributes["role"] == "img" || $0.attributes["aria-hidden"] == "true" })
    }

    @Test func theCheckerFindsErrors() {
        let page = PageOutline(
            "<!DOCTYPE html>\n<html><body><p id=\"a\">a & b<td></p></body><a href=\"#b\" id=\"a\"></a></html>")
        #expect(
            page.errors == [
                "& is not escaped:  b", "<td> in <p>", "</p> ends td", "</body> ends p", "</html> ends body",
                #"no end of ["html"]"#, "an id twice", "no id b",
            ])
        #expect(PageOutline("<!DOCTYPE html>\n<p>< 1</p>").errors == ["no tag: < 1</p>"])
    }

    @Test func nothingIsLoaded() {
        for element in page.elements {
            #expect(
                Set(element.attributes.keys).isDisjoint(with: ["src", "srcset", "style", "action", "data", "xmlns"]))
            if let link = element.attributes["href"] { #expect(link.hasPrefix("#")) }
            #expect(
                !["link", "img", "iframe", "object", "embed", "base", "form", "use", "image"].contains(element.name))
            #expect(!element.attributes.keys.contains { $0.hasPrefix("on") })
        }
        let code = page["style"].map(\.text).joined() + page["script"].map(\.text).joined()
        for word in ["url(", "@import", "http", "fetch", "import(", "image-set"] {
            #expect(!code.contains(word), "\(word)")
        }
        // The documents have addresses, as text only.
        let withoutAddresses = ReportPageTests.page.replacing("https://", with: "").replacing("http-equiv", with: "")
        for word in ["src=", "url(", "@import", "http", "<link"] {
            #expect(!withoutAddresses.contains(word), "\(word)")
        }
    }

    @Test func thePolicyNamesTheScriptAndTheStyle() throws {
        let policy = try #require(page["meta"].first { $0.attributes["http-equiv"] == "Content-Security-Policy" })
        let style = try #require(page["style"].first), script = try #require(page["script"].first)
        #expect(
            policy.attributes["content"]
                == "default-src 'none'; style-src 'sha256-\(SHA256.base64(style.text))'; "
                + "script-src 'sha256-\(SHA256.base64(script.text))'; base-uri 'none'; form-action 'none'")
        #expect(page["script"].count == 1 && page["style"].count == 1)
        #expect(SHA256.base64("abc") == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
        #expect(style.text.contains("@media (prefers-color-scheme: dark)"))
    }

    @Test func withoutTheScriptNothingIsMissing() {
        #expect(page["button"].map(\.text) == ["Unfold all", "Fold all", "Copy the source"])
        #expect(page["button"].allSatisfy { $0.attributes["hidden"] != nil && $0.attributes["type"] == "button" })
        #expect(page["pre"].map(\.text) == ["class User {\n    var id = 0\n}\n"])
    }

    // MARK: Content

    @Test func placesAreInsideEachOther() {
        let summaries = page["summary"].map(\.text)
        #expect(
            summaries == [
                "$ 1 value: array", "[] 3 values: object", ".id 3 values: number",
                ".name 3 values: null 33 %, string 67 %",
                ".tags 3 values: array", "[] 3 values: string", ".score 2 values: number, missing in 1 object",
                ".owner 3 values: object", ".login 3 values: string", ".site 3 values: string",
                ".open 1 value: boolean, missing in 2 objects",
            ])
        // The number of details around each.
        let depths = page.elements.filter { $0.name == "summary" }.map { summary in
            sequence(first: summary) { $0.parent.map { page.elements[$0] } }.count { $0.name == "details" }
        }
        #expect(depths == [1, 2, 3, 3, 3, 4, 3, 3, 4, 4, 3])
        #expect(
            page["details"].map { $0.attributes["open"] != nil } == depths.indices.map { [0, 1, 4, 7].contains($0) })
        let few = outline(#"{"id": 1, "state": "open"}"#)
        #expect(few["details"].map { $0.attributes["open"] != nil } == [true, true, true])
    }

    @Test func figuresOfNumbersAreShown() {
        #expect(
            figures("$[].id", page) == [
                "values3", "kindsnumber", "missing0", "null0", "distinct3", "minimum1", "maximum7", "mean4",
                "25 % quantile2.5",
                "median4", "75 % quantile5.5", "95 % quantile6.7",
            ])
        let drawn = page["svg"].filter { $0.attributes["class"] == "histogram" }
        let parts = "1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1"
        #expect(drawn.count == 2)
        #expect(drawn.allSatisfy { $0.attributes["role"] == "img" })
        #expect(
            page["desc"].map(\.text) == [
                "From 1 to 7, 20 parts of equal width: \(parts)",
                "From 0.5 to 2.5, 20 parts of equal width: 1" + String(repeating: ", 0", count: 18) + ", 1",
            ])
        #expect(page["figcaption"].first?.text == "1 to 7, 20 parts of equal width, at most 1 in one")
        let heights = page["rect"].filter { $0.attributes["x"] != nil }.prefix(20).map { $0.attributes["height"] }
        #expect(heights.enumerated().allSatisfy { $0.element == ([0, 10, 19].contains($0.offset) ? "100" : "0") })
    }

    @Test func figuresOfOtherKindsAreShown() {
        #expect(
            figures("$[].owner.site", page) == [
                "values3", "kindsstring", "missing0", "null0", "distinct2", #"first string"https://a.example""#,
                #"last string"https://b.example""#, "length of strings17 to 17, mean 17", "formatURL",
            ])
        #expect(figures("$[].tags", page).last == "elements of arrays0 to 2, mean 1")
        #expect(figures("$[].name", page)[1...3] == ["kindsnull 33 %, string 67 %", "missing0", "null1"])
        let table = page["table"].first { $0.text.contains("values of $[].owner.login") }
        #expect(
            table?.text.split(separator: "\n") == [
                "All values of $[].owner.login", "valuecountshare", #""mona"267 % "#, #""hubot"133 % "#,
            ])
    }

    @Test(arguments: ["[1e999, 5]", "[7, 7]", "[-1e308, 1e308]", "7"]) func anyNumberHasItsDrawing(json: String) {
        let page = outline(json)
        #expect(page.errors == [])
        #expect(page["svg"].count { $0.attributes["class"] == "histogram" } == 1)
        #expect(!page.elements[0].text.contains("nan") && !page.elements[0].text.contains("inf,"))
    }

    @Test func theOverviewCounts() {
        let text = page["section"][0].text
        for line in ["documents1", "places11", "parts that are not JSON0", "users.json"] {
            #expect(text.contains("\n\(line)\n"), "\(line)")
        }
        let broken = outline("{\"a\": 1}\n{\"a\": }\n")
        #expect(broken["section"][0].text.contains("\nparts that are not JSON1\n"))
        #expect(broken["li"].contains { $0.text.hasPrefix("2:7: not JSON: expected a value") })
    }

    @Test func withoutClassesAndValuesThePageIsWhole() {
        let page = outline("")
        #expect(page.errors == [])
        #expect(page["section"][1].text.contains("There are no values."))
        #expect(page["section"][2].text.contains("No classes were inferred."))
        #expect(page["pre"].isEmpty)
    }

    // MARK: Hostile texts

    private static let hostile = [
        "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", #""' onmouseover='alert(1)"#,
        "&lt;b&gt; & &amp",
        "</style></summary></details></ul>", "<!--", "]]>", "\u{202E}gpj.exe", "a\u{2066}b\u{2069}", "\u{1B}[2J",
        "\u{0}",
        "\u{85}\u{2028}", "\u{FEFF}\u{200B}",
    ]

    @Test(arguments: hostile) func textsAreShownAsText(text: String) throws {
        let shown = String(
            text.unicodeScalars.map { scalar in
                switch scalar.value {
                case 0, 0x1B, 0x85, 0x2028, 0x202E, 0x2066, 0x2069, 0x200B, 0xFEFF:
                    "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
                default: String(scalar)
                }
            }.joined())
        let literal = try #require(String(data: JSONEncoder().encode(text), encoding: .utf8))
        let page = outline(
            #"{"a": [\#(literal)], "b": 1, "c": 2, \#(literal): 1}"#, files: [text], source: "// \(text)")
        #expect(page.errors == [])
        #expect(page["script"].count == 1 && page["style"].count == 1 && page["img"].isEmpty)
        #expect(page["h1"].map(\.text) == ["Report on \(shown)"])
        #expect(page["title"].first?.text == "Report on \(shown)")
        #expect(page["li"].contains { $0.text == shown })
        #expect(page["pre"].map(\.text) == ["// \(shown)"])
        let known: Set = [
            "lang", "charset", "http-equiv", "content", "name", "aria-label", "aria-labelledby", "aria-hidden", "href",
            "id", "class", "scope", "role", "type", "hidden", "open", "viewBox", "preserveAspectRatio", "width",
            "height",
            "x", "y", "tabindex",
        ]
        #expect(Set(page.elements.flatMap(\.attributes.keys)).subtracting(known) == [])
        // The key and the value, as JSON writes them.
        let written = text.unicodeScalars.map { $0 == "\"" ? "\\\"" : String($0) }.joined()
        if text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value < 0x7F }) {
            #expect(page["code"].contains { $0.text == "\"\(written)\"" })
            #expect(page["summary"].contains { $0.text.contains(written) })
        }
        #expect(unprintable(in: page) == [])
    }

    @Test(arguments: hostile) func textsOfFindingsAndChangesAreShownAsText(text: String) throws {
        let literal = try #require(String(data: JSONEncoder().encode(text), encoding: .utf8))
        let json = #"{"id": "a", \#(literal): \#(literal), "openedAt": \#(literal)}"#
        let check = DocumentCheck(json: json, against: Shop.self)
        #expect(check.findings.map(\.label) == ["unknown key", "does not fit"])
        let drift = DocumentDrift(from: ["id": "a"], to: try JSONValue(json: json))
        #expect(drift.changes.count == 2)
        let page = PageOutline(
            ReportPage(DocumentStatistics(json: json), check: check, drift: drift).html)
        #expect(page.errors == [])
        #expect(page["script"].count == 1 && page["style"].count == 1 && page["img"].isEmpty)
        #expect(page["ol"].count == 2 && page["pre"].count == 2)
        #expect(page["pre"].allSatisfy { $0.attributes["tabindex"] == "0" && $0.attributes["aria-label"] != nil })
        #expect(unprintable(in: page) == [])
    }

    @Test func joinersOfEmojiStay() { #expect(outline("{}", files: ["👩‍👧"])["h1"].map(\.text) == ["Report on 👩‍👧"]) }

    // MARK: Bounds

    @Test func placesFilesAndLinesAreBounded() {
        let row = "{" + (0..<400).map { #""c\#($0)": 1"# }.joined(separator: ",") + "}"
        let page = outline(
            "[\(row), \(row)]", files: (0..<25).map { "f\($0)" },
            source: (0..<2_010).map { "line \($0)" }.joined(separator: "\n"))
        #expect(page.errors == [])
        #expect(page["summary"].count == 300)
        #expect(page["h1"].map(\.text) == ["Report on 25 files"])
        let items = page["li"].map(\.text)
        #expect(items.contains("Left out: the last 102 of the places."))
        #expect(items.contains("Left out: the last 5 of the files."))
        #expect(items.contains("f19") && !items.contains("f20"))
        #expect(page["section"][2].text.contains("Left out: the last 10 of the lines."))
        #expect(page["pre"][0].text.hasSuffix("line 1999"))
    }

    @Test func valuesAndTextsAreBounded() {
        let long = String(repeating: "k", count: 10_000)
        let numbers = (0..<40).map { "\($0)" }.joined(separator: ",")
        let page = outline(#"{"a": [\#(numbers)], "\#(long)": 1}"#, files: [long])
        #expect(
            page["table"].contains {
                $0.text.hasPrefix("10 most frequent values of $.a[]\n") && $0.text.count { $0 == "%" } == 10
            })
        #expect(page["li"].contains { $0.text == "At most 10 values of a place are shown: 1 place has more." })
        #expect(!page.elements[0].text.contains(String(repeating: "k", count: 330)))
        let broken = outline("{}\n" + String(repeating: "{\"a\"}\n", count: 130))
        #expect(broken["li"].contains { $0.text == "Left out: the last 110 of the parts that are not JSON." })
        #expect(broken["li"].count { $0.text.contains("not JSON: ") } == 20)
    }

    @Test func findingsAndChangesAreBounded() {
        let keys = (0..<400).map { #""k\#($0)": 1"# }.joined(separator: ", ")
        let json = #"{"id": "a", \#(keys)}"#
        let drift = DocumentDrift(from: [:], to: (try? JSONValue(json: json)) ?? .null)
        let page = PageOutline(
            ReportPage(
                DocumentStatistics(json: json), check: DocumentCheck(json: json, against: Shop.self), drift: drift
            ).html)
        #expect(page.errors == [])
        let (findings, changes) = (page["section"][1].text, page["section"][2].text)
        #expect(findings.contains("\ndocument as Shop: 400 deviations in 1 object.\n"))
        #expect(findings.hasSuffix("\nLeft out: the last 100 of the findings.\n\n"))
        #expect(changes.contains("\nSince an older document: 401 changes: 401 appeared.\n"))
        #expect(changes.hasSuffix("\nLeft out: the last 101 of the changes.\n\n"))
        #expect(page["ol"].count == 2 && page["pre"].count == 300)
        let failures = PageOutline(
            ReportPage(
                DocumentStatistics(json: json),
                check: DocumentCheck(
                    json: "[" + (0..<120).map { _ in "{}" }.joined(separator: ",") + "]", against: Shop.self)
            ).html)
        #expect(failures["section"][1].text.hasSuffix("\n20 more failures not listed.\n\n"))
    }

    @Test func deepDocumentsHaveFewLevels() {
        let page = outline(String(repeating: #"{"a":"#, count: 200) + "1" + String(repeating: "}", count: 200))
        #expect(page.errors == [])
        #expect(page["summary"].count == 201)
        let depths = page.elements.map { element in
            sequence(first: element) { $0.parent.map { page.elements[$0] } }.count { _ in true }
        }
        #expect((depths.max() ?? 0) < 120)
    }

    @Test func thePageIsTheSameEachTime() {
        let again = ReportPage(
            DocumentStatistics(json: ReportPageTests.documents), files: ["users.json"],
            source: "class User {\n    var id = 0\n}\n")
        #expect(again.html == ReportPageTests.page)
    }
}
