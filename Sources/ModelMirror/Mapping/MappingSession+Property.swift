extension MappingSession {
    /// Reads one property of an object from the value at the cursor, by the rules that hold when a whole object is mapped.
    ///
    /// - Returns: whether the property has no failure.
    func readProperty(
        _ name: String, of object: AbstractModel, _ reader: inout JSONReader
    ) throws(Interruption) -> Bool {
        let table: PropertyTable
        do throws(InvalidModel) { table = try PropertyTableCache.table(for: object) } catch {
            throw interruption(error)
        }
        guard let number = table.rows.firstIndex(where: { $0.name == name }) else {
            throw interruption(
                InvalidModel(
                    model: "\(table.model)", property: name,
                    reason: "it has no property \(name.quotedForMessage) to assign"
                        + ClassRules.suggestion(for: name, among: Set(table.rows.map(\.name)))))
        }
        return try withRules(of: table) { () throws(Interruption) in
            var frame = ObjectFrame(offset: reader.offset)
            try readRow(number, object, table, &frame, &reader)
            nameNotes(table.model, name)
            let failures = try settle(number, table.rows[number], object, table, frame, &reader)
            for failure in failures { add(failure) }
            return failures.isEmpty
        }
    }
}
