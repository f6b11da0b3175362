/// Turns findings into what users see: looks up paths and lines, and what stands there.
struct FindingLocator {
    /// The class that was asked for, for findings outside of any object.
    let model: Any.Type?
    let isLocated: Bool

    /// The error for bytes that were never handed over.
    func unread<Input: JSONInput>(_ json: Input) -> ModelError {
        let reason = "\(Input.self).withJSONBytes does not call its closure"
        return .invalidModel(InvalidModel(model: model.map { "\($0)" } ?? "JSON", property: nil, reason: reason))
    }

    func failures(_ findings: [Finding], limit: Int, in reader: JSONReader) -> [PropertyFailure] {
        located(findings, in: reader).prefix(limit).map { finding, place in
            PropertyFailure(
                model: name(finding), property: finding.property, path: place.path,
                line: isLocated ? place.location.line : nil, column: isLocated ? place.location.column : nil,
                offset: isLocated ? reader.origin + finding.offset : nil, expected: finding.expected,
                found: finding.found ?? reader.describeValue(at: finding.offset), underlying: finding.underlying)
        }
    }

    func report(_ notes: [Finding], in reader: JSONReader) -> MappingReport {
        guard !notes.isEmpty else { return MappingReport(entries: []) }
        return MappingReport(
            entries: located(notes, in: reader).map { note, place in
                MappingReport.Entry(
                    kind: note.kind, model: name(note), property: note.property, path: place.path,
                    line: isLocated ? place.location.line : nil, column: isLocated ? place.location.column : nil,
                    expected: note.expected, found: note.found ?? reader.describeValue(at: note.offset),
                    underlying: note.underlying)
            })
    }

    private func name(_ finding: Finding) -> String {
        finding.modelName ?? (finding.model ?? model).map { String(describing: $0) } ?? "JSON"
    }

    /// The findings in the order of the document, those of one place in the order in which they were made.
    private func located(
        _ findings: [Finding], in reader: JSONReader
    ) -> [(Finding, (path: JSONPath, location: SourceLocation))] {
        let sorted = findings.enumerated()
            .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map(\.element)
        return zip(sorted, reader.locate(sorted.map(\.offset))).map { finding, place in
            (finding, (JSONPath(place.path + finding.suffix), place.location))
        }
    }
}
