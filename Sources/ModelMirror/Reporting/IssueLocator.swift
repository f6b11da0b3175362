/// Turns issues into failures and report entries, with path, line and found value.
struct IssueLocator: Sendable {
    /// The requested class, for issues outside any object.
    let model: Any.Type?
    let isLocated: Bool
    /// Whether the values were to be written.
    var isWriting = false
    /// The key in place of one that is never shown.
    static let redactedKey = JSONPath.Step.key("<redacted>")

    /// The failures up to a limit; the last one has the number of those left out.
    ///
    /// - Parameter similar: A key of the object that may be meant by a missing one.
    func failures(
        _ issues: [Issue], limit: Int, in reader: JSONReader, similar: (Issue) -> String? = { _ in nil }
    ) -> [PropertyFailure] {
        let issues = issues.listed
        var failures: [PropertyFailure] = []
        locate(issues, limit: limit, in: reader) { issue, failure in
            failures.append(failure)
            if !issue.isRedacted, let key = similar(issue) { failures[failures.count - 1].resemble(key) }
        }
        let omitted = issues.reduce(-failures.count) { $0 + 1 + $1.omitted }
        if omitted > 0, !failures.isEmpty { failures[failures.count - 1].omittedFailures = omitted }
        return failures
    }

    func entries(_ notes: [Issue], in reader: JSONReader) -> [MappingReport.Entry] {
        var entries: [MappingReport.Entry] = []
        locate(notes.listed, in: reader) { entries.append(MappingReport.Entry(kind: $0.kind, failure: $1)) }
        return entries
    }

    /// Finds the places of issues, in document order; at the same offset, in the order they were made.
    private func locate(
        _ issues: [Issue], limit: Int = .max, in reader: JSONReader, _ add: (Issue, PropertyFailure) -> Void
    ) {
        let ordered = issues.ordered { $0.place < $1.place }.prefix(limit)
        // Neighbors usually share the class.
        var lastModel: (type: Any.Type, name: String)?
        // How deep the dictionaries are whose keys are not shown.
        let hidden = Set(ordered.lazy.filter(\.isRedacted).flatMap(\.redactedMembers)).ordered()
        let around = hidden.isEmpty ? [] : reader.locate(hidden).found
        let depths = Dictionary(uniqueKeysWithValues: zip(hidden, around.map { $0.path?.steps.count ?? 0 }))
        for (issue, (path, location)) in zip(ordered, reader.locate(ordered.map(\.place)).found) {
            let details = issue.details
            var name: String?
            if let inner = details.embedded, inner.hasModel {
                name = inner.model
            } else if let model = issue.model ?? model {
                if lastModel?.type != model { lastModel = (model, String(describing: model)) }
                name = lastModel?.name
            }
            var place = path
            if !details.redactedMembers.isEmpty, var steps = path?.steps {
                for index in details.redactedMembers.compactMap({ depths[$0] }) where index < steps.count {
                    steps[index] = IssueLocator.redactedKey
                }
                place = .of(steps)
            }
            place = .of(issue.suffix, from: place)
            if let innerPath = details.embedded?.node { place = PathNode(place, .path(innerPath)) }
            // The name of an unknown key belongs to the value, as the keys of a dictionary do.
            if issue.isRedacted, case .knownKey = issue.expectation, let steps = place?.steps {
                place = .of(steps.dropLast() + [IssueLocator.redactedKey])
            }
            let found = details.failure?.found ?? issue.foundWords(at: path?.last, in: reader)
            let kind = issue.found == .value && details.words == nil ? reader.kind(at: issue.place) : nil
            var failure = PropertyFailure(model: name, issue: issue, path: place, found: found, kind: kind)
            failure.isWriting = isWriting
            if isLocated { failure.place = location }
            add(issue, failure)
        }
    }
}

extension Issue {
    /// Steps from the value at `place` to a missing key.
    var suffix: [JSONPath.Step] {
        if case .ofRow = expectation, let subject, row >= 0 { return subject.place(Int(row)) }
        return details.suffix
    }

    /// The code of a failure.
    ///
    /// - Parameters:
    ///   - expectation: What was expected, by a row if the issue says so.
    ///   - kind: The kind of the value that was found.
    func code(_ expectation: Expectation, _ kind: JSONKind?) -> FailureCode {
        if underlying != nil, details.failure == nil {
            switch expectation {
            case .made, .converted, .alternatives, .rawValue, .rawValues: return FailureCode(.conversion)
            case .embedded: return FailureCode(.embedded)
            case .writable: return FailureCode(.notWritable)
            case .stated, .rule: break
            default: return FailureCode(.thrown)
            }
        }
        return expectation.code(found, kind)
    }

    /// The end of "found …".
    fileprivate func foundWords(at step: JSONPath.Step?, in reader: JSONReader) -> String {
        if let words = details.words ?? FailureWords.found(found) { return words }
        if found == .usedDuplicate || found == .duplicate {
            return FailureWords.duplicate(of: property ?? "", at: step, isUsed: found == .usedDuplicate)
        }
        if case .knownKey = expectation, case .key(let key)? = step {
            return FailureWords.key(JSONReader.quoted(key))
        }
        let isDocument = details.isDocument || expectation.isOfDocument
        if isDocument, reader.kind(at: place) == .string { return FailureWords.documentText }
        return reader.describeValue(at: place)
    }
}
