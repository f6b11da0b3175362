extension ReportPage {
    /// What does not fit, in document order, each with its line.
    func findings(of check: DocumentCheck) -> Markup {
        let items = check.findings.prefix(ReportPage.mostFindings).map { finding in
            item(
                finding.label, isFailure: finding.isFailure, finding.sentence,
                line: finding.place.map { ("\(finding.source):\($0.line):\($0.column)", finding.excerpt ?? "") },
                note: finding.repetitions == 0 ? "" : "and \(finding.repetitions) more like it")
        }
        return list(items, check.summary(.plain), of: check.findings.count, "findings", check.unlisted)
    }

    /// What changed, each with the line that shows it, if that is known.
    func changes(of drift: DocumentDrift) -> Markup {
        let hidesValues = check?.hasSecrets == true
        let items = drift.changes.prefix(ReportPage.mostFindings).map { change in
            // New words of an enumeration are values.
            let sentence = hidesValues && change.kind == .value ? "\(change.path): (redacted)" : "\(change)"
            let line = change.line.map { line in
                let excerpt = hidesValues ? "   \(line.place.line) | (redacted)" : line.excerpt
                return ("\(line.source):\(line.place.line):\(line.place.column)", excerpt)
            }
            return item(
                change.kind.word, isFailure: [.disappeared, .type].contains(change.kind), sentence, line: line, note: ""
            )
        }
        return list(items, "Since \(old): \(drift.summary)", of: drift.changes.count, "changes", [])
    }

    private func list(
        _ items: [Markup], _ summary: String, of count: Int, _ noun: Markup, _ unlisted: [String]
    ) -> Markup {
        var notes = unlisted
        if count > items.count { notes.insert("Left out: the last \(count - items.count) of the \(noun.html)", at: 0) }
        let list: Markup = items.isEmpty ? "" : "<ol class=\"findings\">\n\(items)</ol>\n"
        return "<p>\(summary.shortened(to: 500)).</p>\n\(list)\(notes.map { "<p>\($0).</p>\n" as Markup })"
    }

    /// - Parameter line: The place, and the line with a caret below it.
    private func item(
        _ label: String, isFailure: Bool, _ sentence: String, line: (place: String, excerpt: String)?, note: String
    ) -> Markup {
        let weight: Markup = isFailure ? "failure" : "deviation"
        let hint = [line?.place ?? "", note].filter { !$0.isEmpty }.joined(separator: ", ")
        let lines = (line?.excerpt ?? "").split(separator: "\n", maxSplits: 1).map(String.init)
        // Without the caret for screen readers: the sentence has the path.
        let excerpt: Markup =
            lines.isEmpty
            ? ""
            : """
            <pre tabindex="0" role="group" aria-label="The line at \(line?.place ?? "")"><code>\(lines[0])</code>\
            \(lines.dropFirst().map { "\n<code aria-hidden=\"true\">\($0)</code>" as Markup })</pre>
            """
        return """
            <li><strong class="\(weight)">\(label)</strong> \(sentence.shortened(to: 500)) <span class="hint">\(hint)</span>
            \(excerpt)</li>

            """
    }
}

extension DocumentCheck {
    /// Why a page shows values in findings alone; nil if it shows all.
    var redaction: String? {
        guard hasSecrets else { return nil }
        return "Values outside the findings are left out, since \(subject) has redacted properties, or a class in it."
    }
}
