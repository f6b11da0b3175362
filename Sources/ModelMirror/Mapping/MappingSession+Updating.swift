/// Updating an object that exists: the keys that are present, all of them or none.
///
/// All values are converted first and stored then; if anything fails, also `didMap` or `validateModel`, what was stored is taken
/// back. What hooks assign themselves stays.
extension MappingSession {
    /// Updates an object from the JSON object at the cursor.
    ///
    /// - Parameter isRoot: Whether the document ends with the object; else all of it was checked already.
    /// - Returns: whether nothing failed; the failures are the session's findings.
    func update(
        _ object: AbstractModel, isRoot: Bool, _ reader: inout JSONReader
    ) throws(Interruption) -> Bool {
        do throws(Interruption) {
            guard try convertAndStore(object, isRoot: isRoot, &reader) else {
                undoEarlyStores(from: 0)
                return false
            }
            return true
        } catch {
            undoEarlyStores(from: 0)
            throw error
        }
    }

    private func convertAndStore(
        _ object: AbstractModel, isRoot: Bool, _ reader: inout JSONReader
    ) throws(Interruption) -> Bool {
        var update = PendingUpdate()
        guard try convert(object, &reader, &update) else { return false }
        // Nothing is stored before it is known that the text is JSON to its end.
        if isRoot { try reader.finish() }
        let undo = update.store()
        for part in update.parts {
            var failures: [Finding] = []
            let isAccepted: Bool
            do throws(Interruption) {
                isAccepted = try withRules(of: part.table) { () throws(Interruption) in
                    try callHooks(part.object, part.table, part.frame, reader, &failures)
                    return failures.isEmpty
                }
            } catch {
                undo()
                throw error
            }
            guard isAccepted else {
                undo()
                for failure in failures { add(failure) }
                return false
            }
        }
        return true
    }

    /// Stores what was converted for a row before its hook is asked, as it is when an object is made, so that what the hook
    /// assigns comes later and stays.
    ///
    /// - Returns: what is to be called when the hook has been asked.
    func storeEarly(_ number: Int, of object: AbstractModel, _ frame: ObjectFrame) -> () -> Void {
        guard let stored = frame.prepared?.stores.removeValue(forKey: number)?(object) else { return {} }
        return { [self] in
            // What the hook assigned is not put back if the update fails.
            if stored.isUntouched() { earlyUndos.append(stored.putBack) }
        }
    }

    /// Takes back what was stored before hooks were asked.
    private func undoEarlyStores(from first: Int) {
        for undo in earlyUndos[first...].reversed() { undo() }
        earlyUndos.removeSubrange(first...)
    }

    /// Converts the values for an object, and for nested objects that are updated in place.
    private func convert(
        _ object: AbstractModel, _ reader: inout JSONReader, _ update: inout PendingUpdate
    ) throws(Interruption) -> Bool {
        let table: PropertyTable
        do throws(InvalidModel) { table = try PropertyTableCache.table(for: object) } catch {
            throw interruption(error)
        }
        guard !table.isBlind else { throw interruption(table.blindness) }
        guard reader.byte == UInt8(ascii: "{") else { return try refuse(&reader, "an object for \(table.model)") }

        return try withRules(of: table) { () throws(Interruption) in try convert(object, table, &reader, &update) }
    }

    private func convert(
        _ object: AbstractModel, _ table: PropertyTable, _ reader: inout JSONReader, _ update: inout PendingUpdate
    ) throws(Interruption) -> Bool {
        let (outerStart, outerNotes) = (rowStart, openNotes())
        rowStart = findings.count
        var frame = ObjectFrame(offset: reader.offset)
        frame.prepared = PreparedStores()
        let firstUndo = earlyUndos.count
        let outerUpdate = pendingParts
        pendingParts = []
        try readMembers(of: object, table, &frame, &reader)
        if !frame.candidates.isEmpty { try readCandidates(of: object, table, &frame, &reader) }
        let failures = try settle(object, table, frame, &reader)
        update.parts += pendingParts
        pendingParts = outerUpdate
        rowStart = outerStart
        closeNotes(outerNotes)
        for failure in failures { add(failure) }
        if !failures.isEmpty { undoEarlyStores(from: firstUndo) }
        update.parts.append(PendingUpdate.Part(object: object, table: table, frame: frame))
        return failures.isEmpty
    }

    /// Reads a value for a row of an object that is being updated, and keeps how to store it.
    ///
    /// - Returns: whether it fits, as in ``PropertyRow/Read``.
    func prepareRow(
        _ number: Int, _ row: PropertyRow, _ object: AbstractModel, _ frame: inout ObjectFrame,
        _ reader: inout JSONReader
    ) throws(Interruption) -> Bool {
        if updatesNestedInPlace, row.isModel, reader.byte == UInt8(ascii: "{"),
            let nested = row.value(object) as? AbstractModel, try isOfOneType(nested, reader)
        {
            var update = PendingUpdate()
            guard try convert(nested, &reader, &update) else { return false }
            pendingParts += update.parts
            frame.prepared?.stores[number] = nil
            return true
        }
        let store: PropertyRow.Store?
        if let merging, reader.byte == UInt8(ascii: "{") {
            store = try prepareMerged(row, object, merging, &reader)
        } else {
            store = try row.prepare?(&reader, self)
        }
        guard let store else { return false }
        frame.prepared?.stores[number] = store
        return true
    }

    /// Reads the object at the cursor as a merge patch for the value of a row that is no model: a dictionary, free-form JSON,
    /// a type of the user's own.
    private func prepareMerged(
        _ row: PropertyRow, _ object: AbstractModel, _ merging: Merging, _ reader: inout JSONReader
    ) throws(Interruption) -> PropertyRow.Store? {
        guard let prepare = row.prepare else { return nil }
        let offset = reader.offset
        let patch = try JSONValue(&reader)
        let rules = MappingOptions(strict: rules.strict, stringsFromNumbers: rules.stringsFromNumbers)
        do throws(ModelError) {
            let inner = try MappingSession.run(
                try merging(row, object, patch), classOptions: rules, options: options.unreported,
                isReporting: isReporting, body: prepare)
            adopt(inner.report.entries.map { $0.finding(insideOfValueAt: offset) })
            return inner.result
        } catch {
            switch error {
            case .invalidModel(let fault): throw interruption(fault)
            // Told as failures of the patch, which is what the caller knows.
            case .invalidValues(let failures): for failure in failures { add(failure.finding(insideOfValueAt: offset)) }
            case .invalidJSON: _ = refused(at: offset, row.expected, underlying: error)
            }
            return nil
        }
    }
}
