/// Something about a value that does not fit, before anyone has decided whether the call fails for it.
///
/// It knows only the value's offset; path, line and column are looked up when the call ends, for all findings in one pass
/// over the document.
struct Finding {
    /// What a report would call it.
    var kind: MappingReport.Kind
    /// The object's class; nil until the row that was being read fills it in.
    var model: Any.Type?
    var property: String?
    /// The name of the class, for a finding of a document inside this one.
    var modelName: String?
    /// Where the value begins; for a missing key, where its object begins.
    var offset: Int
    /// Steps from the value at `offset` to the place that is meant, for a missing key.
    var suffix: [JSONPath.Step] = []
    /// The end of "expected …".
    var expected: String
    /// The end of "found …"; nil: what stands at `offset`.
    var found: String?
    var underlying: (any Error)?

    /// Whether it knows the object that it is about.
    var isNamed: Bool { model != nil || modelName != nil }
}

extension MappingReport.Entry {
    /// The entry as a finding of the document around it, at the value that the inner document was made of.
    func finding(insideOfValueAt offset: Int) -> Finding {
        Finding(
            kind: kind, property: property, modelName: model == "JSON" ? nil : model, offset: offset,
            suffix: path.steps,
            expected: expected, found: found, underlying: underlying)
    }
}

extension PropertyFailure {
    /// The failure as a finding of the document around it, at the value that the inner document was made of.
    func finding(insideOfValueAt offset: Int) -> Finding {
        Finding(
            kind: .fallback, property: property, modelName: model, offset: offset, suffix: path.steps,
            expected: expected, found: found, underlying: underlying)
    }
}

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
