/// A page of HTML that shows what is in documents: their places, distributions, frequent values and classes, and if given, what does not
/// fit a class, and what changed.
///
/// ```swift
/// let json = #"[{"id": 1, "name": "a"}, {"id": 7, "name": null}]"#
/// let source = try ClassInference.source(documents: [Array(json.utf8)], name: "User")
/// let page = ReportPage(DocumentStatistics(json: json), files: ["users.json"], source: source)
/// try Data(page.html.utf8).write(to: URL(fileURLWithPath: "users.html"))
/// ```
///
/// The page is one file, which loads nothing and may be read without its script. Texts of documents and names of files are shown as
/// text. At most 300 places, findings and changes, 20 files, 20 faults and 2,000 lines of the source are shown; the page says what it
/// leaves out. If the class of the check, or a class in it, has `redactedProperties`, the findings show values as `check` does, and the
/// rest of the page has neither values of documents nor the source.
public struct ReportPage: Sendable {
    let statistics: DocumentStatistics
    private let files: [String]
    private let source: String?
    private let classesNote: String
    let check: DocumentCheck?
    let drift: DocumentDrift?
    /// The name of the old document.
    let old: String

    static let (mostPlaces, mostFiles, mostFaults, mostLines, mostFindings) = (300, 20, 20, 2_000, 300)
    /// The largest number of Unicode scalars of a text.
    static let mostScalars = 160

    /// - Parameters:
    ///   - statistics: What was counted in the documents.
    ///   - files: The names of the documents' files.
    ///   - source: The source of the classes, as ``ClassInference`` makes it; nil for none.
    ///   - check: The findings of mapping the documents; nil for none.
    ///   - drift: The changes since an older document; nil for none.
    public init(
        _ statistics: DocumentStatistics, files: [String] = [], source: String? = nil, check: DocumentCheck? = nil,
        drift: DocumentDrift? = nil
    ) {
        self.init(
            statistics, files, classes: (source, source == nil ? "No classes were inferred." : ""), check: check,
            drift: drift.map { ($0, "an older document") })
    }

    /// - Parameter classes: The source of the classes, and how they were inferred, or why not; a sentence, or empty.
    init(
        _ statistics: DocumentStatistics, _ files: [String], classes: (source: String?, note: String),
        check: DocumentCheck?, drift: (changes: DocumentDrift, old: String)?
    ) {
        (self.statistics, self.files, self.check) = (statistics, files, check)
        (self.drift, old) = (drift?.changes, drift?.old ?? "")
        let redacted = check.flatMap(\.redaction)
        (source, classesNote) =
            redacted.map { (nil, "\($0) The classes are left out too, since their enums have values.") } ?? classes
    }

    /// The text of the page.
    public var html: String {
        let subject =
            switch files.count {
            case 0: "documents"
            case 1: files[0].shortened(to: 80)
            default: files.count.of("file")
            }
        let heading = "Report on \(subject)"
        var sections: [(id: Markup, heading: Markup, content: Markup)] = [("overview", "Overview", overview)]
        if let check { sections.append(("findings", "Findings", findings(of: check))) }
        if let drift { sections.append(("changes", "Changes", changes(of: drift))) }
        sections += [
            ("places", "Places", "\(ReportPage.foldingButtons)\n\(tree)"), ("classes", "Classes", classes),
        ]
        let page: Markup = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(ReportPage.policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(heading)</title>
            <style>\(ReportPage.style)</style>
            </head>
            <body>
            <header>
            <h1>\(heading)</h1>
            <nav aria-label="Sections">\(sections.map { "<a href=\"#\($0.id)\">\($0.heading)</a> " })</nav>
            </header>
            <main>
            \(sections.map { section($0.id, $0.heading, $0.content) })</main>
            <script>\(ReportPage.script)</script>
            </body>
            </html>

            """
        return page.html
    }

    private func section(_ id: Markup, _ heading: Markup, _ content: Markup) -> Markup {
        """
        <section id="\(id)" aria-labelledby="\(id)-heading">
        <h2 id="\(id)-heading">\(heading)</h2>
        \(content)
        </section>

        """
    }

    private var overview: Markup {
        let rows = [
            ("documents", statistics.documentCount), ("bytes", statistics.byteCount),
            ("places", statistics.places.count),
            ("parts that are not JSON", statistics.faultCount),
        ]
        return """
            <table><caption>Documents</caption><tbody>
            \(rows.map { "<tr><th scope=\"row\">\($0.0)</th><td>\($0.1)</td></tr>\n" })</tbody></table>
            \(list("Files", files, most: ReportPage.mostFiles))
            \(list("Not JSON", statistics.faults.map { "\($0)" }, most: ReportPage.mostFaults))
            \(list("Limits", limits))
            """
    }

    private func list(_ heading: Markup, _ texts: [String], most: Int = .max) -> Markup {
        if texts.isEmpty { return "" }
        let items = texts.prefix(most).map { "<li>\($0.shortened(to: 2 * ReportPage.mostScalars))</li>\n" as Markup }
        return "<h3>\(heading)</h3>\n<ul>\n\(items)</ul>\n"
    }

    /// What the page leaves out, and what is not exact.
    private var limits: [String] {
        let places = statistics.places
        let more = places.count { $0.distinct > $0.frequent.count }
        let left = [
            (places.count - ReportPage.mostPlaces, "places"), (files.count - ReportPage.mostFiles, "files"),
            (statistics.faultCount - min(statistics.faults.count, ReportPage.mostFaults), "parts that are not JSON"),
        ]
        var sentences = left.filter { $0.0 > 0 }.map { "Left out: the last \($0.0) of the \($0.1)." }
        if more > 0 {
            sentences.append(
                "At most \(DocumentStatistics.mostFrequent) values of a place are shown: "
                    + "\(more.of("place")) \(more == 1 ? "has" : "have") more.")
        }
        sentences.append(
            "At most \(DocumentStatistics.mostPlaces) places are counted apart, others as one with those next to them; "
                + "texts of more than \(ReportPage.mostScalars) characters are cut.")
        if let redaction = check?.redaction { sentences.append(redaction) }
        return sentences + statistics.notes.map { "\($0.prefix(1).uppercased())\($0.dropFirst())." }
    }

    private var classes: Markup {
        let note: Markup = classesNote.isEmpty ? "" : "<p>\(classesNote.shortened(to: 500))</p>"
        guard let source else { return note }
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let rest = lines.count - ReportPage.mostLines
        let text = rest > 0 ? lines.prefix(ReportPage.mostLines).joined(separator: "\n") : source
        return """
            \(note)
            \(rest > 0 ? "<p>Left out: the last \(rest) of the lines.</p>" : "" as Markup)
            <p><button type="button" id="copy" hidden>Copy the source</button> <span id="copied" role="status"></span></p>
            <pre tabindex="0" role="region" aria-label="Source of the classes"><code id="source">\(text)</code></pre>
            """
    }
}
