/// Updating an object that exists: the keys that are present, all of them or none.
///
/// All values are converted first and stored then; if anything fails, also `didMap` or `validateModel`, what was stored is taken
/// back. What hooks assign themselves stays.
extension MappingSession {
    /// Updates an object from the JSON object at the cursor.
    ///
    /// - Returns: whether nothing failed; the failures are the session's findings.
    func update(_ object: AbstractModel, _ reader: inout JSONReader) throws(Interruption) -> Bool {
        var update = PendingUpdate()
        guard try convert(object, &reader, &update) else { return false }
        let undo = update.store()
        for part in update.parts {
            var failures: [Finding] = []
            do throws(Interruption) {
                try callHooks(part.object, part.table, part.frame, reader, &failures)
            } catch {
                undo()
                throw error
            }
            guard failures.isEmpty else {
                undo()
                for failure in failures { add(failure) }
                return false
            }
        }
        return true
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
        frame.prepared = [:]
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
        update.parts.append(
            PendingUpdate.Part(object: object, table: table, frame: frame, stores: frame.prepared ?? [:]))
        return failures.isEmpty
    }

    /// Reads a value for a row of an object that is being updated, and keeps how to store it.
    ///
    /// - Returns: whether it fits, as in ``PropertyRow/Read``.
    func prepareRow(
        _ number: Int, _ row: PropertyRow, _ object: AbstractModel, _ frame: inout ObjectFrame,
        _ reader: inout JSONReader
    ) throws(Interruption) -> Bool {
        if updatesNestedInPlace, reader.byte == UInt8(ascii: "{"), let nested = row.value(object) as? AbstractModel {
            var update = PendingUpdate()
            guard try convert(nested, &reader, &update) else { return false }
            pendingParts += update.parts
            frame.prepared?[number] = nil
            return true
        }
        guard let store = try row.prepare?(&reader, self) else { return false }
        frame.prepared?[number] = store
        return true
    }
}
