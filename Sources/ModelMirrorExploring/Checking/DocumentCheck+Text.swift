import ModelMirror

extension DocumentCheck {
    /// The findings for programs, without lines of the document.
    func json(_ name: String) -> JSONValue {
        func number(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }
        let findings = findings.map { finding in
            var members: [String: JSONValue] = [
                "kind": .string(finding.label), "isFailure": .bool(finding.isFailure),
                "message": .string(finding.sentence), "repetitions": number(finding.repetitions),
            ]
            if let place = finding.place {
                (members["line"], members["column"]) = (number(place.line), number(place.column))
            }
            return JSONValue.object(members)
        }
        return [
            "document": .string(name), "class": .string(subject), "failures": number(failureCount),
            "deviations": number(deviationCount), "lostValues": number(lossCount), "findings": .array(findings),
        ]
    }

    /// The findings as text, each with its line of the document, and a summary as the last line.
    ///
    /// ```text
    /// gists.json:6:17: does not fit: Gist.comments at $[0].comments: expected an integer, found the string "many"
    ///    6 |     "comments": "many",
    ///      |                 ^~~~~~
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the document.
    ///   - width: The width of the terminal in columns.
    func text(_ name: String, _ bytes: [UInt8], width: Int, _ style: TextStyle) -> String {
        var parts = findings.map { finding in
            let label = finding.isFailure ? style.failure(finding.label) : style.warning(finding.label)
            let again = finding.repetitions == 0 ? "" : style.dim(" (and \(finding.repetitions) more like it)")
            guard let place = finding.place else { return "\(name): \(label): \(finding.sentence)\(again)" }
            let excerpt = SourceExcerpt(bytes, line: place.line, offset: place.offset)
            let shown =
                finding.isRedacted || hasSecrets && !excerpt.isOfValueAlone
                ? style.dim("   \(place.line) | (redacted)") : excerpt.text(width: width, style)
            return "\(name):\(place.line):\(place.column): \(label): \(finding.sentence)\(again)\n\(shown)"
        }
        let unlisted = failureCount - findings.filter(\.isFailure).count
        if unlisted > 0 { parts.append("\(unlisted.of("more failure")) not listed") }
        parts.append(summary(name, style))
        return parts.joined(separator: "\n\n")
    }

    private func summary(_ name: String, _ style: TextStyle) -> String {
        let what = "\(name) as \(subject)"
        let objects = objectCount.map { " in \($0.of("object"))" } ?? ""
        var counts: [String] = []
        if failureCount > 0 { counts.append(style.failure(failureCount.of("failure"))) }
        if deviationCount > 0 { counts.append(style.warning(deviationCount.of("deviation"))) }
        if lossCount > 0 { counts.append(style.failure(lossCount.of("lost value"))) }
        let result = counts.isEmpty ? style.success("nothing to report") : counts.joined(separator: ", ")
        return "\(what): \(result)\(objects)"
    }
}
