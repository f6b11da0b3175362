/// The end of an object: each row is settled, then the object's hooks are called.
///
/// (Measured: without inlining here and of ``ReadingSink/enterObject()`` and `leaveObject`, tiny objects take 7 % more instructions.)
extension MappingSession {
    /// Settles the rows in declared order, superclass first, and calls `didMap` and `validateModel` if nothing failed.
    ///
    /// - Returns: the object's failures; nil if there are none.
    @inline(__always)
    func complete(
        _ object: AbstractModel, _ table: PropertyTable, _ frame: ObjectFrame, _ reader: inout JSONReader
    ) throws(Interruption) -> [Issue]? {
        let failures = frame.isComplete(table.readRows) ? nil : try settle(object, table, frame, &reader)
        if let failures { return failures }
        return try callHooks(object, table, at: frame.offset, reader)
    }

    /// Settles the rows.
    ///
    /// - Returns: the object's failures; nil if there are none.
    @inline(never)
    func settle(
        _ object: AbstractModel, _ table: PropertyTable, _ frame: ObjectFrame, _ reader: inout JSONReader
    ) throws(Interruption) -> [Issue]? {
        let hasRejected = rejected.last?.object == frame.offset
        if let rows = frame.rowsWithoutValue(among: table.readRows), !hasRejected {
            if isReporting { return settleAndNote(rows, object, table, frame, reader) }
            // Usually only the hook is asked, and often, if most properties are absent. One nil for all calls: as a literal it
            // is destroyed after each, which takes longer than the call.
            let nothing: Any? = nil
            let requiresNonOptional = rules.requiresNonOptional
            var failures: [Issue] = []
            for number in rows
            where table.requiredRows.contains(number)
                || requiresNonOptional && !table.rows[number].isOptional
                || object.shouldFail(withInvalidValue: nothing, forProperty: table.names[number])
            {
                failures.append(missingValue(number, table, frame, reader))
            }
            return failures.isEmpty ? nil : failures
        }
        if !hasRejected, frame.isPlainUpdate, table.rows.count <= 64 { return nil }
        var failures = frame.unknownFailures
        // Before any hook, whose values are not asked about.
        if !frame.ruled.isEmpty { failures += brokenRules(of: object, table, frame, reader) }
        let first = firstRejected(of: frame)
        let ownIssues = startOfIssues(from: first)
        if rejected.count > first + 1 { orderRejected(from: first) }
        var next = first
        for number in table.rows.indices {
            // Most rows simply got their value; settling these must cost nothing.
            if frame.hasSeen(number), !frame.isUnsettled(number) { continue }
            let begin = next
            while next < rejected.count, rejected[next].row == number { next += 1 }
            guard table.readRows.contains(number) else { continue }
            let own = try settle(number, begin..<next, table.rows[number], object, table, frame, &reader)
            if !own.isEmpty { failures += own }
        }
        if hasRejected { dropRejected(from: first, issues: ownIssues) }
        return failures.isEmpty ? nil : failures
    }

    /// Settles rows without a value, and notes those whose keys are missing.
    @inline(never)
    private func settleAndNote(
        _ rows: RowSet.Word, _ object: AbstractModel, _ table: PropertyTable, _ frame: ObjectFrame, _ reader: JSONReader
    ) -> [Issue]? {
        let nothing: Any? = nil
        var failures: [Issue] = []
        var missing: UInt64 = 0
        for number in rows {
            if table.requiredRows.contains(number) || rules.requiresNonOptional && !table.rows[number].isOptional
                || object.shouldFail(withInvalidValue: nothing, forProperty: table.names[number])
            {
                failures.append(missingValue(number, table, frame, reader))
            } else if isNoted(missing: number, table, frame) {
                missing |= 1 << UInt64(number)
            }
        }
        if missing != 0 { note(Issue(missing: missing, first: 0, of: table, inObjectAt: frame.offset)) }
        return failures.isEmpty ? nil : failures
    }

    /// Settles one row: decides whether a rejected or missing value is a failure.
    ///
    /// - Parameter refusals: The indices of the row's rejected values.
    /// - Returns: the row's failures.
    func settle(
        _ number: Int, _ refusals: Range<Int>, _ row: PropertyRow, _ object: AbstractModel, _ table: PropertyTable,
        _ frame: ObjectFrame, _ reader: inout JSONReader
    ) throws(Interruption) -> [Issue] {
        guard refusals.isEmpty else { return try settle(refusals, number, row, object, table, frame, &reader) }
        if frame.isUnsettled(number) {
            let isFailure = row.isRequired || isRefused(nil, number, row, object, frame)
            return isFailure ? [missingValue(number, table, frame, reader)] : []
        }
        guard !frame.hasSeen(number), !frame.isUpdate else { return [] }
        if isDemanded(row) || object.shouldFail(withInvalidValue: nil, forProperty: row.name) {
            return [missingValue(number, table, frame, reader)]
        }
        if isNoted(missing: number, table, frame) {
            note(Issue(missing: number, of: table, inObjectAt: frame.offset))
        }
        return []
    }

    /// Whether a report tells that a row's key is missing.
    @inline(__always)
    private func isNoted(missing number: Int, _ table: PropertyTable, _ frame: ObjectFrame) -> Bool {
        !table.optionalRows.contains(number) || rules.reportsMissingOptionals && !frame.isUnsettled(number)
    }

    /// Whether a property without a value is a failure, whatever its hook says.
    private func isDemanded(_ row: PropertyRow) -> Bool {
        row.isRequired || rules.requiresNonOptional && !row.isOptional
    }

    /// The issue of a row that has null or no key. Made only if it will be seen: absent keys are common.
    private func missingValue(
        _ number: Int, _ table: PropertyTable, _ frame: ObjectFrame, _ reader: JSONReader
    ) -> Issue {
        guard frame.isUnsettled(number) else { return Issue(missing: number, of: table, inObjectAt: frame.offset) }
        let row = table.rows[number]
        let isFolded = table.isFlexible.contains(row.name)
        let offset =
            reader.offset(ofMember: table.places(of: row), isFolded: isFolded, in: frame.offset, &ends) ?? frame.offset
        return Issue(.fallback, row.expected, at: offset).named(table, number)
    }

    /// Asks the object's hook whether it fails because of a property.
    private func isRefused(
        _ value: Any?, _ number: Int, _ row: PropertyRow, _ object: AbstractModel, _ frame: ObjectFrame
    ) -> Bool {
        // Stored first, as in a new object, so that what the hook assigns comes later and stays.
        if let update = frame.update, let early = update[number] {
            update[number] = nil
            var old = early
            old.store(at: row.offset, of: object)
            // A value that does not read back equal cannot tell whether the hook assigned another.
            let isComparable = early.isUntouched(in: row, of: object)
            defer {
                if !isComparable || early.isUntouched(in: row, of: object) { journal.add(old, of: row, of: object) }
            }
            return object.shouldFail(withInvalidValue: value, forProperty: row.name)
        }
        return object.shouldFail(withInvalidValue: value, forProperty: row.name)
    }

    /// Settles a row with rejected values.
    private func settle(
        _ refusals: Range<Int>, _ number: Int, _ row: PropertyRow, _ object: AbstractModel,
        _ table: PropertyTable, _ frame: ObjectFrame, _ reader: inout JSONReader
    ) throws(Interruption) -> [Issue] {
        var isFailure = rules.strict || row.isRequired
        if rejected[refusals.upperBound - 1].kind == .null { isFailure = isFailure || isDemanded(row) }
        // The hook is asked once, about the value that came last.
        if !isFailure, let index = refusals.last(where: { rejected[$0].kind != .duplicate }) {
            let last = rejected[index]
            let value: Any? =
                last.kind == .null
                ? nil
                : try reader.revisiting(last.offset, depthLeft: .max) { reader throws(Interruption) in
                    try refusedValues.value(&reader)
                }
            isFailure = isRefused(value, number, row, object, frame)
        }
        guard isFailure || isReporting else { return [] }
        var failures: [Issue] = []
        for refusal in rejected[refusals] {
            let issues = self.issues(of: refusal, table)
            for issue in issues {
                // An issue of a nested object has its own names already.
                var named = issue
                let isOwn = !issue.isNamed
                if isOwn {
                    named.name(table, number)
                } else if table.redacted.contains(number) {
                    named = named.redacted
                }
                if isFailure {
                    failures.append(named)
                } else if !isOwn || refusal.kind != .partial {
                    // Bad elements of a collection were noted one by one when they were left out.
                    note(named)
                }
            }
            if !isFailure, refusal.kind == .refused, issues.allSatisfy(\.isNamed) {
                note(
                    Issue(.fallback, row.expected, at: refusal.offset, found: .failedObject).named(table, number))
            }
        }
        return failures
    }

    /// Calls the hooks of a complete object.
    ///
    /// - Returns: the failures; nil if there are none.
    @inline(__always)
    func callHooks(
        _ object: AbstractModel, _ table: PropertyTable, at offset: Int, _ reader: JSONReader
    ) throws(Interruption) -> [Issue]? {
        do {
            try object.didMap()
        } catch {
            return [
                Issue(.fallback, .accepted, at: offset, Issue.Details(underlying: error)).named(table, -1)
            ]
        }
        var validation = ModelValidation()
        object.validateModel(&validation)
        return validation.isEmpty ? nil : try failures(of: validation, table, at: offset, reader)
    }

    @inline(never)
    private func failures(
        of validation: ModelValidation, _ table: PropertyTable, at objectOffset: Int, _ reader: JSONReader
    ) throws(Interruption) -> [Issue]? {
        for name in validation.names where !table.names.contains(name) { try checkValidated(name, table) }
        let failures = validation.problems.map { problem in
            let number = table.rows.firstIndex { $0.name == problem.property }
            let row = number.map { table.rows[$0] }
            let offset = row.flatMap {
                reader.offset(
                    ofMember: table.places(of: $0), isFolded: table.isFlexible.contains($0.name), in: objectOffset,
                    &ends)
            }
            let details = Issue.Details(
                suffix: JSONPath(offset == nil ? row?.places.first ?? [] : []), property: problem.property)
            return Issue(
                .fallback, problem.expectation, at: offset ?? objectOffset,
                found: row != nil && offset == nil ? .noKey : .value, details
            ).named(table, number ?? -1)
        }
        return failures.isEmpty ? nil : failures
    }

    /// Checks a name in `validateModel` that belongs to no row: stored properties that are not mapped may be validated too.
    private func checkValidated(_ name: String, _ table: PropertyTable) throws(Interruption) {
        let stored = (RuntimeFields.of(table.model) ?? []).map(\.name)
        guard !stored.contains(name) else { return }
        let names = Set(stored).union(table.rows.map(\.name))
        throw interruption(
            InvalidModel(
                model: "\(table.model)", property: name,
                reason: "validateModel names \(name.quotedForMessage), which is not a stored property of \(table.model)"
                    + name.suggestion(among: names)))
    }
}

extension JSONReader {
    /// Where a member's value begins, for an object that was read without an error; nil if it is not there.
    ///
    /// - Parameter isFolded: Whether the key may have any spelling.
    func offset(
        ofMember places: [[JSONPath.Step]], isFolded: Bool, in object: Int, _ known: inout ContainerEnds
    ) -> Int? {
        if isFolded {
            var reader = JSONReader(rereading: self)
            reader.offset = object
            return try? reader.lastMember(&known) {
                KeyStrategy.folded($0) == KeyStrategy.folded(places[0][0].text.utf8)
            }
        }
        var blocked: Int?
        for place in places {
            var reader = JSONReader(rereading: self)
            reader.offset = object
            switch try? reader.navigate(place[...], &known) {
            case .value(let offset, _), .null(let offset): return offset
            case .notContainer(let offset, _): blocked = blocked ?? offset
            case .missing, nil: continue
            }
        }
        return blocked
    }

    /// Where the value of the last member with a matching key begins.
    private mutating func lastMember(
        _ known: inout ContainerEnds, _ fits: (UnsafeBufferPointer<UInt8>) -> Bool
    ) throws(Interruption) -> Int? {
        var found: Int?
        guard try openObject() else { return nil }
        repeat {
            let isWanted = try scanString().withBytes(fits)
            try colon()
            if isWanted { found = offset }
            try skipValue(&known)
        } while try nextMember()
        return found
    }
}
