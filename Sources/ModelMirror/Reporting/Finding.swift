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
    /// The start of the value inside the one at `offset` that does not fit; nil for that one itself.
    var innerOffset: Int?
    /// Steps from the value at `place` to a missing key.
    var suffix = JSONPath.root
    /// The end of "expected …".
    var expected: String
    /// The end of "found …"; nil for the value at `offset`, or an unknown key.
    var found: String?
    /// Whether `found` is to begin with the key as it is written.
    var namesKey = false
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

    /// A value whose key came before.
    init(duplicateOf property: String, of model: Any.Type, at offset: Int, isUsed: Bool) {
        self.init(
            kind: .skipped, model: model, property: property, offset: offset, expected: "each key once",
            found: "with another value for \(property)" + (isUsed ? "; the last one that fits is used" : ""))
        namesKey = true
    }

    var place: Int { innerOffset ?? offset }

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
        var finding = Finding(
            kind: .fallback, property: property, modelName: model, offset: offset, suffix: path,
            expected: expected, found: found, underlying: underlying)
        finding.omitted = omittedFailures
        return finding
    }
}

/// What a ``FindingLocator`` looks up.
protocol Deviation {
    /// The start of the value to look up.
    var place: Int { get }
    var finding: Finding { get }
    /// Those that this one stands for, itself first; nil if it stands only for itself.
    var others: [Self]? { get }
}

extension Finding: Deviation {
    var finding: Finding { self }
    var others: [Finding]? { all?.findings }
}

extension Array where Element: Deviation {
    /// Each replaced by those that it stands for, in order.
    fileprivate var listed: [Element] {
        guard contains(where: { $0.others != nil }) else { return self }
        var listed: [Element] = []
        var rest = Array(reversed())
        while let last = rest.popLast() {
            // The first one may stand for others too.
            if let others = last.others { rest.append(contentsOf: others.reversed()) } else { listed.append(last) }
        }
        return listed
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
    ///
    /// - Parameter addition: More about what was found, for each of those failures.
    func failures(
        _ findings: [Finding], limit: Int, in reader: JSONReader, addition: (Finding) -> String? = { _ in nil }
    ) -> [PropertyFailure] {
        let findings = findings.listed
        var failures = located(findings, limit: limit, in: reader, addition: addition) { $1 }
        let omitted = findings.reduce(-failures.count) { $0 + 1 + $1.omitted }
        if omitted > 0, let last = failures.popLast() { failures.append(last.followed(by: omitted)) }
        return failures
    }

    func report(_ notes: [Note], in reader: JSONReader) -> MappingReport {
        MappingReport(notes.isEmpty ? nil : PendingEntries(notes, self, document: reader.document))
    }

    func entries(_ notes: [Note], in reader: JSONReader) -> [MappingReport.Entry] {
        located(notes.listed, in: reader) { MappingReport.Entry(kind: $0, failure: $1) }
    }

    /// The deviations in document order; at the same offset, in the order they were made.
    ///
    /// Each becomes a finding only when its turn comes, since a report may have more of them than the document has bytes.
    private func located<Result>(
        _ deviations: [some Deviation], limit: Int = .max, in reader: JSONReader,
        addition: (Finding) -> String? = { _ in nil }, _ make: (MappingReport.Kind, PropertyFailure) -> Result
    ) -> [Result] {
        // Usually they are in order.
        let isSorted = zip(deviations, deviations.dropFirst()).allSatisfy { $0.place <= $1.place }
        let ordered =
            isSorted
            ? deviations.prefix(limit)
            : deviations.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
                .prefix(limit).map(\.element)[...]
        var results: [Result] = []
        results.reserveCapacity(ordered.count)
        // Neighbours usually share both.
        var lastModel: (type: Any.Type, name: String)?
        var lastObject: (offset: Int, path: PathPrefix)?
        reader.locate(ordered.lazy.map(\.place)) { path, location in
            let finding = ordered[ordered.startIndex + results.count].finding
            var name = finding.modelName ?? "JSON"
            if finding.modelName == nil, let model = finding.model ?? model {
                if lastModel?.type != model { lastModel = (model, String(describing: model)) }
                name = lastModel?.name ?? name
            }
            var (place, expected, found) = (path, finding.expected, finding.found)
            if finding.found == nil, finding.kind == .unknownKey, case .key(let key)? = path.last {
                (expected, found) = ("a key of \(name)", "the key \(JSONReader.quoted(key))")
            } else if finding.namesKey, let rest = finding.found {
                switch path.last {
                case .key(let key): found = "the key \(JSONReader.quoted(key)) \(rest)"
                case .index(let index): found = "the element \(index) \(rest)"
                case nil: break
                }
            }
            if !finding.suffix.isRoot {
                if lastObject?.offset != finding.place { lastObject = (finding.place, PathPrefix(path)) }
                place = finding.suffix.moved(into: lastObject?.path)
            }
            let failure = PropertyFailure(
                model: name, property: finding.property, path: place, line: isLocated ? location.line : nil,
                column: isLocated ? location.column : nil, offset: isLocated ? reader.origin + finding.place : nil,
                expected: expected,
                found: (found ?? reader.describeValue(at: finding.place)) + (addition(finding) ?? ""),
                underlying: finding.underlying)
            results.append(make(finding.kind, failure))
        }
        return results
    }
}
