import ModelMirror

extension DocumentCheck: CustomStringConvertible {
    /// The findings as the command `check` prints them.
    public var description: String { text(.plain) }

    /// The findings for programs, without lines of the document.
    var json: JSONValue {
        let findings = findings.map { finding in
            var members: [String: JSONValue] = [
                "kind": .string(finding.label), "isFailure": .bool(finding.isFailure),
                "message": .string(finding.sentence), "repetitions": JSONValue(finding.repetitions),
            ]
            if let place = finding.place {
                (members["line"], members["column"]) = (JSONValue(place.line), JSONValue(place.column))
            }
            if sources.count > 1 { members["document"] = .string(finding.source) }
            return JSONValue.object(members)
        }
        let names = sources.map { JSONValue.string($0) }
        var members: [String: JSONValue] = [
            sources.count > 1 ? "documents" : "document": sources.count > 1 ? .array(names) : names[0],
            "class": .string(subject), "failures": JSONValue(failureCount), "deviations": JSONValue(deviationCount),
            "lostValues": JSONValue(lossCount), "findings": .array(findings),
        ]
        if let note = sample?.note { members["sample"] = .string(note) }
        return .object(members)
    }

    /// The findings as text, each with its line of the source, and a summary as the last line.
    ///
    /// ```text
    /// gists.json:6:17: does not fit: Gist.comments at $[0].comments: expected an integer, found the string "many"
    ///    6 |     "comments": "many",
    ///      |                 ^~~~~~
    /// ```
    func text(_ style: TextStyle) -> String {
        var parts = findings.map { finding in
            let label = finding.isFailure ? style.failure(finding.label) : style.warning(finding.label)
            let again = finding.repetitions == 0 ? "" : style.dim(" (and \(finding.repetitions) more like it)")
            guard let place = finding.place, let excerpt = finding.excerpt else {
                return "\(finding.source.withEscapedControls): \(label): \(finding.sentence)\(again)"
            }
            return
                "\(finding.source.withEscapedControls):\(place.line):\(place.column): \(label): \(finding.sentence)\(again)\n\(excerpt)"
        }
        parts += unlisted
        parts.append(summary(style))
        return parts.joined(separator: "\n\n")
    }

    /// Lines on the findings that are only counted.
    var unlisted: [String] {
        [
            (failureCount - findings.count(where: \.isFailure), "more failure"),
            (unlistedDeviations, "more deviation"),
        ].filter { $0.0 > 0 }.map { "\($0.0.of($0.1)) not listed" }
    }

    /// `gists.json as [Gist]: 2 failures, 17 deviations in 3 objects`
    func summary(_ style: TextStyle) -> String {
        let what = "\(sources.count == 1 ? sources[0].withEscapedControls : sources.count.of("file")) as \(subject)"
        let documents = documentCount > 1 ? " of \(documentCount) documents" : ""
        let sample = sample?.note.map { ", \($0)" }
        let objects = objectCount.map { " in \($0.of("object"))\(sample ?? documents)" } ?? sample ?? ""
        var counts: [String] = []
        if failureCount > 0 { counts.append(style.failure(failureCount.of("failure"))) }
        if deviationCount > 0 { counts.append(style.warning(deviationCount.of("deviation"))) }
        if lossCount > 0 { counts.append(style.failure(lossCount.of("lost value"))) }
        let result = counts.isEmpty ? style.success("nothing to report") : counts.joined(separator: ", ")
        return "\(what): \(result)\(objects)"
    }
}
