/// The end of an object: the rows that did not simply get a value are settled, then the object's hooks are called.
extension ObjectReader {
    /// Settles the rows in declared order, superclass first.
    ///
    /// - Returns: the object's failures; nil if there are none.
    @inline(never)
    func settle(_ progress: inout ObjectProgress, _ json: inout JSONReader) throws(Interruption) -> [Issue]? {
        let rows = progress.unsettledRows(among: table.readRows)
        guard progress.rest == nil, session.rejected.count == progress.firstRejection else {
            return try settle(rows, &progress, &json)
        }
        // Usually only the hook is asked, and often, if most properties are absent. One nil for all calls: as a literal it is
        // destroyed after each, which takes longer than the call.
        let nothing: Any? = nil
        let requiresNonOptional = session.rules.requiresNonOptional
        let isReporting = session.isReporting
        var failures: [Issue] = []
        var missing: UInt64 = 0
        for number in rows {
            if table.requiredRows.contains(number) || requiresNonOptional && !table.optionalRows.contains(number)
                || object.shouldFail(withInvalidValue: nothing, forProperty: table.names[number])
            {
                failures.append(missingValue(number, progress, json))
            } else if isReporting {
                recordMissing(number, &missing, progress)
            }
        }
        if missing != 0 { note(missing: &missing, progress) }
        return failures.isEmpty ? nil : failures
    }

    /// Decides for each of some rows whether its missing or rejected value is a failure.
    func settle(
        _ rows: RowSet, _ progress: inout ObjectProgress, _ json: inout JSONReader
    ) throws(Interruption) -> [Issue]? {
        var failures: [Issue] = []
        if let rest = progress.rest {
            failures = rest.unknownFailures
            // Before any hook: what hooks assign is not checked.
            if !rest.ruled.isEmpty { failures += brokenRules(rest.ruled, progress, json) }
            // A rule of an object around is about none of these elements.
            if let first = rest.firstSkip { session.skips?.removeSubrange(first...) }
        }
        let first = progress.firstRejection
        let firstIssue = session.rejected.count > first ? orderRejected(from: first) : nil
        let end = session.rejected.count
        var next = first
        var missing: UInt64 = 0
        for number in rows {
            let begin = next
            while next < end, session.rejected[next].row == number { next += 1 }
            if begin < next {
                note(missing: &missing, progress)
                let own = try settle(begin..<next, progress, &json)
                if !own.isEmpty { failures += own }
            } else if table.requiredRows.contains(number)
                || session.rules.requiresNonOptional && !table.optionalRows.contains(number)
                || isRefused(nil, number, progress)
            {
                failures.append(missingValue(number, progress, json))
            } else if session.isReporting {
                recordMissing(number, &missing, progress)
            }
        }
        note(missing: &missing, progress)
        if let firstIssue {
            while session.rejected.count > first { session.rejected.removeLast() }
            session.dropIssues(from: firstIssue)
        }
        return failures.isEmpty ? nil : failures
    }

    // MARK: Missing values

    /// Notes that a row's key is missing, for a later entry in the report.
    @inline(__always)
    private func recordMissing(_ row: Int, _ rows: inout UInt64, _ progress: borrowing ObjectProgress) {
        if row < 64 { rows |= 1 << UInt64(row) } else { note(missing: row, after: &rows, progress) }
    }

    /// Adds one entry to the report for all rows whose keys are missing, one bit for each row.
    @inline(never)
    private func note(missing rows: inout UInt64, _ progress: borrowing ObjectProgress) {
        let ofOptionals = session.rules.reportsMissingOptionals ? ~progress.unsettled : 0
        let noted = rows & (~table.optionalRows.word | ofOptionals)
        rows = 0
        guard noted != 0 else { return }
        session.note(Issue(.missing, .ofRows(noted), at: progress.offset, found: .noKey).named(table, 0))
    }

    /// As above, for a row after the first 64, which has an entry of its own.
    @inline(never)
    private func note(missing row: Int, after rows: inout UInt64, _ progress: borrowing ObjectProgress) {
        note(missing: &rows, progress)
        guard !table.optionalRows.contains(row) || session.rules.reportsMissingOptionals && !progress.isUnsettled(row)
        else { return }
        session.note(Issue(.missing, .ofRow, at: progress.offset, found: .noKey).named(table, row))
    }

    /// The issue of a row that has null or no key. Made only if it will be seen: absent keys are common.
    private func missingValue(_ number: Int, _ progress: borrowing ObjectProgress, _ json: JSONReader) -> Issue {
        guard progress.isUnsettled(number) else {
            return Issue(.missing, .ofRow, at: progress.offset, found: .noKey).named(table, number)
        }
        let row = table.rows[number]
        let offset = self.offset(ofValueOf: row, inObjectAt: progress.offset, json) ?? progress.offset
        return Issue(.fallback, row.expected, at: offset).named(table, number)
    }

    /// Where a row's value begins; nil if it is not there.
    func offset(ofValueOf row: PropertyRow, inObjectAt offset: Int, _ json: JSONReader) -> Int? {
        let (places, isFolded) = (table.places(of: row), table.isFlexible.contains(row.name))
        return json.offset(ofMember: places, isFolded: isFolded, orScalar: true, in: offset, &session.ends)
    }

    /// Asks the object's hook whether it fails because of a property.
    private func isRefused(_ value: Any?, _ number: Int, _ progress: borrowing ObjectProgress) -> Bool {
        guard let update = progress.update, let early = update[number] else {
            return object.shouldFail(withInvalidValue: value, forProperty: table.names[number])
        }
        let row = table.rows[number]
        // Stored first, as in a new object, so that what the hook assigns comes later and stays.
        update[number] = nil
        var old = early
        old.exchange(in: row, of: object)
        // A value that does not read back equal cannot tell whether the hook assigned another.
        let isComparable = early.isUntouched(in: row, of: object)
        defer {
            if !isComparable || early.isUntouched(in: row, of: object) { session.journal.add(old, of: row, in: update) }
        }
        return object.shouldFail(withInvalidValue: value, forProperty: row.name)
    }

    // MARK: Rejected values

    /// Settles a row with rejected values.
    private func settle(
        _ refusals: Range<Int>, _ progress: borrowing ObjectProgress, _ json: inout JSONReader
    ) throws(Interruption) -> [Issue] {
        let number = session.rejected[refusals.lowerBound].row
        let isNull = session.rejected[refusals.upperBound - 1].kind == .null
        var isFailure =
            session.rules.strict || table.requiredRows.contains(number)
            || isNull && session.rules.requiresNonOptional && !table.optionalRows.contains(number)
        // The hook is asked once, about the value that came last.
        if !isFailure, let index = refusals.last(where: { session.rejected[$0].kind != .duplicate }) {
            let last = session.rejected[index]
            let value = try json.revisiting(last.offset, depthLeft: .max) { json throws(Interruption) in
                try session.refusedValues.value(&json)
            }
            isFailure = isRefused(value, number, progress)
        }
        guard isFailure || session.isReporting else { return [] }
        let row = table.rows[number]
        var failures: [Issue] = []
        for refusal in session.rejected[refusals] {
            let issues = issues(of: refusal)
            for issue in issues {
                // An issue of a nested object has its own names already.
                let isOwn = !issue.isNamed
                let isHidden = table.redacted.contains(number)
                let named = if isOwn { issue.named(table, number) } else if isHidden { issue.redacted } else { issue }
                if isFailure {
                    failures.append(named)
                } else if !isOwn || refusal.kind != .partial {
                    // Bad elements of a collection were noted one by one when they were left out.
                    session.note(named)
                }
            }
            if !isFailure, refusal.kind == .refused, issues.allSatisfy(\.isNamed) {
                session.note(
                    Issue(.fallback, row.expected, at: refusal.offset, found: .failedObject).named(table, number))
            }
        }
        return failures
    }

    /// The issues of a rejected value.
    private func issues(of value: RejectedValue) -> [Issue] {
        let own = session.issues[value.issues]
        switch value.kind {
        case .null:
            return [Issue(.fallback, own.first?.expectation ?? table.rows[value.row].expected, at: value.offset)]
        case .duplicate:
            return [Issue(.skipped, .plain(.duplicateKey), at: value.offset, found: .duplicate).named(table, value.row)]
        // `orderRejected` has removed repairs, which have none.
        case .refused, .partial, .repair: return Array(own)
        }
    }

    /// Puts an object's rejected values in the order of the rows, and of the document, and removes those that were replaced: by a
    /// value that was read later, which may stand before them, as the value of an alias does.
    ///
    /// - Returns: Where the issues of the object begin.
    private func orderRejected(from first: Int) -> Int {
        if session.rejected.count == first + 1, session.rejected[first].kind != .repair {
            let own = session.rejected[first].issues
            return own.isEmpty ? session.issues.count : own.lowerBound
        }
        let values = session.rejected[first...]
        let firstIssue = values.lazy.map(\.issues).first { !$0.isEmpty }?.lowerBound ?? session.issues.count
        if zip(values, values.dropFirst()).allSatisfy({
            ($0.row, $0.offset) <= ($1.row, $1.offset) && $1.kind != .repair
        }) {
            return firstIssue
        }
        var counting: [RejectedValue] = []
        var repaired: Set<Int> = []
        for value in values.reversed() {
            if value.kind == .repair {
                repaired.insert(value.row)
            } else if value.kind == .duplicate || !repaired.contains(value.row) {
                counting.append(value)
            }
        }
        let ordered = counting.reversed().enumerated().ordered {
            ($0.element.row, $0.element.offset, $0.offset) < ($1.element.row, $1.element.offset, $1.offset)
        }
        session.rejected.replaceSubrange(first..., with: ordered.map(\.element))
        return firstIssue
    }

    // MARK: Hooks

    /// Calls the hooks of a complete object.
    ///
    /// - Parameter places: Where the values are, by row, as far as that is known.
    /// - Returns: the failures; nil if there are none.
    @inline(__always)
    func callHooks(
        at offset: Int, _ places: @autoclosure () -> [Int: Int]?, _ json: JSONReader
    ) throws(Interruption) -> [Issue]? {
        do {
            try object.didMap()
        } catch {
            return [Issue(.fallback, .accepted, at: offset, Issue.Details(underlying: error)).named(table, -1)]
        }
        var validation = ModelValidation()
        object.validateModel(&validation)
        return validation.isEmpty ? nil : try failures(of: validation, inObjectAt: offset, places(), json)
    }

    @inline(never)
    private func failures(
        of validation: ModelValidation, inObjectAt objectOffset: Int, _ places: [Int: Int]?, _ json: JSONReader
    ) throws(Interruption) -> [Issue]? {
        for name in validation.names where !table.names.contains(name) { try checkValidated(name) }
        guard !validation.problems.isEmpty else { return nil }
        // Looked up once for each property, since a value may have a problem for each of its parts.
        var offsets: [Int: Int?] = [:]
        return validation.problems.map { problem in
            let number = table.names.firstIndex { $0 == problem.property }
            let row = number.map { table.rows[$0] }
            if let number, let row, offsets[number] == nil {
                offsets[number] = .some(places?[number] ?? self.offset(ofValueOf: row, inObjectAt: objectOffset, json))
            }
            let offset = number.flatMap { offsets[$0] ?? nil }
            let details = Issue.Details(
                suffix: offset == nil ? row?.places.first ?? [] : [],
                words: row == nil || offset == nil ? nil : problem.broken.found, property: problem.property)
            let found: Issue.Found = row != nil && offset == nil ? .noKey : .value
            let issue = Issue(.fallback, problem.broken.expectation, at: offset ?? objectOffset, found: found, details)
            return issue.named(table, number ?? -1)
        }
    }

    /// Checks a name in `validateModel` that belongs to no row: stored properties that are not mapped may be validated too.
    private func checkValidated(_ name: String) throws(Interruption) {
        let stored = (RuntimeFields.of(table.model) ?? []).map(\.name)
        guard !stored.contains(name) else { return }
        let names = Set(stored).union(table.names)
        throw session.interruption(
            InvalidModel(
                table.model, of: name,
                "validateModel names \(name.quotedForMessage), which is not a stored property of \(table.model)"
                    + name.suggestion(among: names)))
    }
}
