/// Updates of an existing object: the keys that are present, all or nothing.
///
/// All values are read before any is stored, except the value of a property whose `shouldFail` is asked, which is stored before. If
/// anything fails, `didMap` and `validateModel` included, the stored values are rolled back. What hooks assign to other properties
/// stays, and what `shouldFail` assigns to its own.
///
/// (Not read into a scratch object and copied from there: with key paths, setters and observers would run on the scratch object
/// too, and a getter need not return what was set.)
extension MappingSession {
    /// Updates an object from the JSON object at the cursor.
    ///
    /// - Parameter isRoot: Whether the document ends with the object; if not, it was all checked before.
    /// - Returns: whether nothing failed; the failures are the session's issues.
    func update(
        _ object: AbstractModel, isRoot: Bool, _ reader: inout JSONReader
    ) throws(Interruption) -> Bool {
        var isDone = false
        defer { if !isDone { journal.rollBack() } }
        guard try stage(object, &reader) else { return false }
        // Nothing is stored until the text is known to be JSON to its end.
        if isRoot { try reader.finish() }
        journal.store()
        for index in journal.updates.indices {
            let update = journal.updates[index]
            var failures: [Issue]?
            if update.table.hasObjectRules || hasClassContext {
                _ = try withRules(of: update.table) { () throws(Interruption) in
                    failures = try callHooks(update.object, update.table, at: update.offset, reader)
                    return true
                }
            } else {
                failures = try callHooks(update.object, update.table, at: update.offset, reader)
            }
            if let failures {
                add(contentsOf: failures)
                return false
            }
        }
        isDone = true
        return true
    }

    /// Reads the values for an object, and for nested objects that are updated in place.
    ///
    /// - Returns: whether the object has no failures.
    private func stage(_ object: AbstractModel, _ reader: inout JSONReader) throws(Interruption) -> Bool {
        let table = try table(for: object)
        guard !table.bypassesObservation else { throw interruption(table.observationFault) }
        guard reader.byte == UInt8(ascii: "{") else { return try refuse(&reader, .object(table.model)) }
        guard table.hasObjectRules || hasClassContext else { return try stageByRules(object, table, &reader) }
        return try withRules(of: table) { () throws(Interruption) in try stageByRules(object, table, &reader) }
    }

    private func stageByRules(
        _ object: AbstractModel, _ table: PropertyTable, _ reader: inout JSONReader
    ) throws(Interruption) -> Bool {
        let mark = journal.mark
        let update = ObjectUpdate(object, table, offset: reader.offset)
        let outer = enterObject()
        var frame = ObjectFrame(offset: update.offset, update: update)
        try readMembers(of: object, table, &frame, &reader)
        if !frame.candidates.isEmpty { try readCandidates(of: object, table, &frame, &reader) }
        if !frame.patches.isEmpty { try applyPatches(to: object, table, &frame, &reader) }
        if let row = table.unknownKeysRow, !frame.unknown.isEmpty {
            try storeUnknownKeys(row, of: object, table, frame, &reader)
        }
        let isWhole = leaveObject(for: outer, try settle(object, table, frame, &reader))
        if isWhole { journal.add(update) } else { journal.rollBack(to: mark) }
        return isWhole
    }

    /// Reads a value for a row of an object that is being updated.
    ///
    /// - Returns: whether it fits, as in ``PropertyRow/Read``.
    func stage(
        _ number: Int, _ row: PropertyRow, _ object: AbstractModel, _ frame: ObjectFrame, _ reader: inout JSONReader
    ) throws(Interruption) -> Bool {
        guard let update = frame.update else { return false }
        if reader.byte == UInt8(ascii: "{"), let isWhole = try stageInPlace(number, row, object, frame, &reader) {
            return isWhole
        }
        guard let value = try pendingValue(row, object, &reader) else { return false }
        update[number] = value
        update.setNested(nil, of: number)
        if merging != nil { frame.patch(number, nil) }
        return true
    }

    /// Reads the JSON object at the cursor into the existing model, or keeps it as a patch; nil if it is to be read like any
    /// other value.
    private func stageInPlace(
        _ number: Int, _ row: PropertyRow, _ object: AbstractModel, _ frame: ObjectFrame, _ reader: inout JSONReader
    ) throws(Interruption) -> Bool? {
        if updatesNestedInPlace, row.isModel, let nested = row.values.value(of: object) as? AbstractModel,
            row.dynamicTypes == nil || tag?.names(nested) == true, try isOfOneType(nested, reader)
        {
            guard try stage(nested, &reader) else { return false }
            frame.update?[number] = nil
            // The objects inside of it come before it.
            frame.update?.setNested(journal.updates.last, of: number)
            if merging != nil { frame.patch(number, nil) }
            return true
        }
        guard merging != nil else { return nil }
        frame.update?.setNested(nil, of: number)
        let tag = row.dynamicTypes == nil ? nil : tag
        frame.patch(number, ObjectFrame.Patch(offset: reader.offset, depthLeft: reader.depthLeft, tag: tag))
        try reader.skipValue(&ends)
        return true
    }

    /// Applies the patches of an object's rows: only the last for each row, since each one writes and reads the row's whole
    /// value.
    private func applyPatches(
        to object: AbstractModel, _ table: PropertyTable, _ frame: inout ObjectFrame, _ reader: inout JSONReader
    ) throws(Interruption) {
        guard let merging else { return }
        for (number, patch) in frame.patches.sorted(by: { $0.key < $1.key }) {
            let row = table.rows[number]
            let outerTag = tag
            tag = patch.tag
            defer { tag = outerTag }
            let value = try reader.revisiting(patch.offset, depthLeft: patch.depthLeft) {
                reader throws(Interruption) in try stageMerged(row, object, merging, &reader)
            }
            if let value { frame.update?[number] = .boxed(value) }
            if value != nil, table.ruledRows.contains(number) { frame.ask(ruleOf: number, at: patch.offset) }
            if value == nil || hasIssues {
                try rejectRead(number, row, patch.offset, table, &frame, isFirst: true, reader)
            }
            nameNotes(table, number)
        }
    }

    /// Reads the value at the cursor for a property of a standard scalar type; nil if it does not fit, or for other kinds.
    func pendingScalar(_ kind: PropertyKind, _ reader: inout JSONReader) throws(Interruption) -> PendingValue? {
        switch kind {
        case .string: try String.read(&reader, self).map { .string($0) }
        case .int: try Int.read(&reader, self).map { .int($0) }
        case .double: try Double.read(&reader, self).map { .double($0) }
        case .bool: try Bool.read(&reader, self).map { .bool($0) }
        case .optionalString: try String.read(&reader, self).map { .optionalString($0) }
        case .optionalInt: try Int.read(&reader, self).map { .optionalInt($0) }
        case .optionalDouble: try Double.read(&reader, self).map { .optionalDouble($0) }
        case .optionalBool: try Bool.read(&reader, self).map { .optionalBool($0) }
        case .other, .shared, .ignored: nil
        }
    }

    /// Reads the value at the cursor; nil if it does not fit.
    private func pendingValue(
        _ row: PropertyRow, _ object: AbstractModel, _ reader: inout JSONReader
    ) throws(Interruption) -> PendingValue? {
        guard row.kind == .other || row.kind == .shared || row.kind == .ignored else {
            return try pendingScalar(row.kind, &reader)
        }
        return try stageNew(row, object, &reader).map { .boxed($0) }
    }

    /// Reads the value at the cursor by its row's plan; a dictionary keeps the members whose new values do not fit.
    private func stageNew(
        _ row: PropertyRow, _ object: AbstractModel, _ reader: inout JSONReader
    ) throws(Interruption) -> (any StagedValue)? {
        guard row.values.isCollection, reader.byte == UInt8(ascii: "{") else {
            return try row.values.stage(&reader, self)
        }
        var staged: (any StagedValue)?
        _ = try withOldValue(of: row, object, reader) { () throws(Interruption) in
            staged = try row.values.stage(&reader, self)
            return staged != nil
        }
        return staged
    }

    /// Reads the object at the cursor for a property whose old value is known, so that a dictionary can keep parts of it.
    func withOldValue(
        of row: PropertyRow, _ object: AbstractModel, _ reader: JSONReader, _ read: () throws(Interruption) -> Bool
    ) throws(Interruption) -> Bool {
        let outer = updatedValue
        // Without its Optional, which the dictionary's plan does not know.
        let value = row.values.value(of: object)
        updatedValue = ((value as? any OptionalType).flatMap(\.wrappedValue) ?? value, reader.offset)
        defer { updatedValue = outer }
        return try read()
    }

    /// Reads the object at the cursor as a merge patch for the value of a row that is not a model: a dictionary, free-form JSON
    /// or a user-defined type.
    private func stageMerged(
        _ row: PropertyRow, _ object: AbstractModel, _ merging: Merging, _ reader: inout JSONReader
    ) throws(Interruption) -> (any StagedValue)? {
        if let tag, tag.chosen == nil, tag.rule.fallback != .baseClass {
            // Reports what is left out or refused; without a class there is nothing to merge.
            _ = try row.values.stage(&reader, self)
            return nil
        }
        let offset = reader.offset
        let patch = try JSONValue(&reader)
        do throws(ModelError) {
            let inner = try MappingSession.run(
                try merging(row, object, patch), classOptions: inheritedRules, options: options.unreported,
                isReporting: isReporting, depth: reader.depthLeft
            ) { [tag] reader, session throws(Interruption) in
                session.tag = tag
                return try row.values.stage(&reader, session)
            }
            adopt(inner.report.entries.map { $0.issue(insideOfValueAt: offset) })
            return inner.result
        } catch {
            switch error {
            case .invalidModel(let fault): throw interruption(fault)
            // Reported as failures of the patch, which is what the caller knows.
            case .invalidValues(let failures): add(contentsOf: failures.map { $0.issue(insideOfValueAt: offset) })
            case .invalidJSON: _ = refused(at: offset, row.expected, underlying: error)
            }
            return nil
        }
    }
}
