/// A deviation, recorded before it is decided whether the call fails.
///
/// It contains only the value's offset. Path, line and column of all findings are determined in one pass, when the
/// call fails or its report is read.
struct Finding: Sendable {
    /// Its kind in a report.
    var kind: MappingReport.Kind
    /// The object's class; nil until its row is decided.
    var model: Any.Type?
    var property: String?
    /// The name of the class, for a finding in an embedded document.
    var modelName: String?
    /// The start of the value; for a missing key, of its object.
    var offset: Int
    /// Steps from the value at `offset` to a missing key.
    var suffix = JSONPath.root
    /// The end of "expected …".
    var expected: String
    /// The end of "found …"; nil for the value at `offset`, or an unknown key.
    var found: String?
    var underlying: (any Error)?
    /// The number of findings after this one that were dropped because there were too many.
    var omitted = 0
    /// The findings that this one stands for, itself first; nil if it stands only for itself.
    private(set) var all: FindingList?

    /// One finding for all failures of an object, so that each object around it passes on only one.
    init(standingFor findings: [Finding]) {
        self = findings[0]
        all = FindingList(findings)
    }

    init(
        kind: MappingReport.Kind, model: Any.Type? = nil, property: String? = nil, modelName: String? = nil,
        offset: Int,
        suffix: JSONPath = .root, expected: String, found: String? = nil, underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.model = model
        self.property = property
        self.modelName = modelName
        self.offset = offset
        self.suffix = suffix
        self.expected = expected
        self.found = found
        self.underlying = underlying
    }

    /// The findings, each replaced by those that it stands for, in order.
    static func listed(_ findings: [Finding]) -> [Finding] {
        guard findings.contains(where: { $0.all != nil }) else { return findings }
        var listed: [Finding] = []
        var rest = Array(findings.reversed())
        while let finding = rest.popLast() {
            guard let all = finding.all else {
                listed.append(finding)
                continue
            }
            // The first one may stand for others too.
            rest.append(contentsOf: all.findings.reversed())
        }
        return listed
    }

    var isNamed: Bool { model != nil || modelName != nil }
}

/// Findings that are passed on by a single reference.
final class FindingList: Sendable {
    let findings: [Finding]

    init(_ findings: [Finding]) { self.findings = findings }
}

extension MappingReport.Entry {
    /// The entry as a finding of the outer document, at the value that contains the inner one.
    func finding(insideOfValueAt offset: Int) -> Finding {
        Finding(
            kind: kind, property: failure.property, modelName: failure.model == "JSON" ? nil : failure.model,
            offset: offset, suffix: failure.path, expected: failure.expected, found: failure.found,
            underlying: failure.underlying)
    }
}

extension PropertyFailure {
    /// The failure as a finding of the outer document, at the value that contains the inner one.
    func finding(insideOfValueAt offset: Int) -> Finding {
        Finding(
            kind: .fallback, property: property, modelName: model, offset: offset, suffix: path,
            expected: expected, found: found, underlying: underlying)
    }
}

/// Turns findings into failures and report entries with path, line and found value.
struct FindingLocator: Sendable {
    /// The requested class, for findings outside any object.
    let model: Any.Type?
    let isLocated: Bool

    /// The error for a `JSONInput` that never calls its closure.
    func unread<Input: JSONInput>(_ json: Input) -> ModelError {
        let reason = "\(Input.self).withJSONBytes does not call its closure"
        return .invalidModel(InvalidModel(model: model.map { "\($0)" } ?? "JSON", property: nil, reason: reason))
    }

    /// The failures up to a limit; the last one has the number of those left out.
    func failures(_ findings: [Finding], limit: Int, in reader: JSONReader) -> [PropertyFailure] {
        let findings = Finding.listed(findings)
        var failures = located(findings, limit: limit, in: reader).map(\.failure)
        let omitted = findings.reduce(-failures.count) { $0 + 1 + $1.omitted }
        if omitted > 0, let last = failures.popLast() { failures.append(last.followed(by: omitted)) }
        return failures
    }

    func report(_ notes: [Note], in reader: JSONReader) -> MappingReport {
        MappingReport(notes.isEmpty ? nil : PendingEntries(notes, self, document: reader.document))
    }

    func entries(_ notes: [Note], in reader: JSONReader) -> [MappingReport.Entry] {
        located(Finding.listed(notes.map(\.finding)), in: reader).map {
            MappingReport.Entry(kind: $0.kind, failure: $0.failure)
        }
    }

    private func name(_ finding: Finding) -> String {
        finding.modelName ?? (finding.model ?? model).map { String(describing: $0) } ?? "JSON"
    }

    /// The findings in document order; at the same offset, in the order they were made.
    private func located(
        _ findings: [Finding], limit: Int = .max, in reader: JSONReader
    ) -> [(kind: MappingReport.Kind, failure: PropertyFailure)] {
        if findings.isEmpty { return [] }
        // Usually they are in order.
        let isSorted = zip(findings, findings.dropFirst()).allSatisfy { $0.offset <= $1.offset }
        let order =
            isSorted
            ? Array(findings.indices)
            : findings.indices.sorted { (findings[$0].offset, $0) < (findings[$1].offset, $1) }
        let sorted = order.prefix(limit).map { findings[$0] }
        return zip(sorted, reader.locate(sorted.map(\.offset))).map { finding, place in
            let model = name(finding)
            var (expected, found) = (finding.expected, finding.found)
            if found == nil, finding.kind == .unknownKey, case .key(let key)? = place.path.last {
                (expected, found) = ("a key of \(model)", "the key \(JSONReader.quoted(key))")
            }
            let failure = PropertyFailure(
                model: model, property: finding.property, path: place.path.appending(finding.suffix),
                line: isLocated ? place.location.line : nil, column: isLocated ? place.location.column : nil,
                offset: isLocated ? reader.origin + finding.offset : nil, expected: expected,
                found: found ?? reader.describeValue(at: finding.offset), underlying: finding.underlying)
            return (finding.kind, failure)
        }
    }
}
