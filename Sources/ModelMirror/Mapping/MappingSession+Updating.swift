/// Updates of an existing object: the keys that are present, all or nothing.
///
/// All values are read before any is stored, except the value of a property whose `shouldFail` is asked, which is stored before. If
/// anything fails, `didMap` and `validateModel` included, the stored values are rolled back. What hooks assign to other properties
/// stays, and what `shouldFail` assigns to its own.
///
/// (Not read into a scratch object and copied from there: with key paths, setters and observers would run on the scratch object
/// too, and a getter need not return what was set.)
extension MappingSession {
    /// Updates an object from a document.
    func update(_ object: AbstractModel, from json: some JSONInput) throws(ModelError) -> MappingReport {
        try run(json) { reader throws(Interruption) in try update(object, &reader) }
    }

    /// Reads the values for an update. A function of its own, whose parameters count no references.
    @inline(never)
    private func read(
        _ update: ObjectUpdate, of object: AbstractModel, _ table: PropertyTable, _ reader: inout JSONReader
    ) throws(Interruption) -> Bool {
        try withRules(of: table) { () throws(Interruption) in
            try ObjectReader.read(object, table, for: update, self, &reader)
        }
    }

    /// Updates an object from the JSON object at the cursor.
    ///
    /// - Returns: whether nothing failed; the failures are the session's issues.
    private func update(_ object: AbstractModel, _ reader: inout JSONReader) throws(Interruption) -> Bool {
        var isDone = false
        defer { if !isDone { journal.rollBack() } }
        guard let update = try stage(object, &reader) else { return false }
        // Nothing is stored until the text is known to be JSON to its end. For a path, it was all checked before.
        if call.path.isRoot { try reader.finish() }
        journal.store(update)
        let outer = redaction
        defer { redaction = outer }
        for update in journal.updates {
            redaction = update.redaction
            guard try callHooks(of: update, reader) else { return false }
        }
        isDone = true
        return true
    }

    /// Asks the rules about the models of an updated object that were changed in place, then calls its hooks.
    ///
    /// - Returns: whether they accept it.
    @inline(never)
    private func callHooks(of update: ObjectUpdate, _ reader: JSONReader) throws(Interruption) -> Bool {
        try withRules(of: update.table) { () throws(Interruption) in
            let hooks = ObjectReader(session: self, object: update.object, table: update.table)
            var failures: [Issue] = []
            if update.changesModels {
                let changed = update.places.filter { update.changesModel(inRow: $0.key) }
                let stored = ObjectProgress(at: update.offset, rejections: rejected.count)
                failures = hooks.brokenRules(changed, stored, reader)
            }
            if failures.isEmpty { failures = try hooks.callHooks(at: update.offset, update.places, reader) ?? [] }
            add(contentsOf: failures)
            return failures.isEmpty
        }
    }

    /// Reads the values for an object, and for nested objects that are updated in place.
    ///
    /// - Returns: nil if the object has failures.
    func stage(_ object: AbstractModel, _ reader: inout JSONReader) throws(Interruption) -> ObjectUpdate? {
        let table = try table(for: object)
        guard !table.bypassesObservation else { throw interruption(table.observationFault) }
        guard reader.byte == UInt8(ascii: "{") else { return try refuse(&reader, .object(table.model)) }
        let mark = journal.mark
        let update = ObjectUpdate(object, table, offset: reader.offset, redaction: redaction)
        if try read(update, of: object, table, &reader) { return update }
        journal.rollBack(to: mark)
        return nil
    }
}
