/// Objects, and arrays of them, of a class that is known.
extension MappingSession {
    /// Makes and fills an object of a class, or refuses the value at the cursor.
    @inline(__always)
    func readModel<Model: AbstractModel>(
        _ type: Model.Type, _ reference: TableReference, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        guard reader.byte == UInt8(ascii: "{") else { return try refuse(&reader, .object(type)) }
        let object = type.init()
        return try fill(object, try table(for: object, madeAs: type, reference), &reader) ? object : nil
    }

    /// Makes and fills objects of a class from the array at the cursor. Elements that do not fit are left out and recorded.
    ///
    /// - Returns: nil, and an issue, if there is no array at the cursor.
    @inline(__always)
    func readModels<Model: AbstractModel>(
        _ type: Model.Type, _ reference: TableReference, _ reader: inout JSONReader
    ) throws(Interruption) -> [Model]? {
        guard reader.byte == UInt8(ascii: "[") else {
            return try readSingle(&reader) { reader throws(Interruption) in try readModel(type, reference, &reader) }
        }
        guard try reader.openArray() else { return [] }
        let first = stack.count
        try collect(type, reference, &reader)
        return stack.pop(type, from: first)
    }

    /// Puts the objects of an array on the stack. The table is held for all elements, which saves an atomic load and a reference count
    /// for each.
    private func collect(
        _ type: AbstractModel.Type, _ reference: TableReference, _ reader: inout JSONReader
    ) throws(Interruption) {
        repeat {
            if let table = reference.known, table.model == type { return try collect(type, table, reference, &reader) }
            try collectElement(type, &reader) { object, reader throws(Interruption) in
                try fill(object, table(for: object, madeAs: type, reference), &reader)
            }
        } while try reader.nextElement()
    }

    /// As above, with the class's table.
    private func collect(
        _ type: AbstractModel.Type, _ table: PropertyTable, _ reference: TableReference, _ reader: inout JSONReader
    ) throws(Interruption) {
        repeat {
            try collectElement(type, &reader) { object, reader throws(Interruption) in
                if table.model == Swift.type(of: object) { return try fill(object, table, &reader) }
                return try fill(object, self.table(for: object, madeAs: type, reference), &reader)
            }
        } while try reader.nextElement()
    }

    @inline(__always)
    private func collectElement(
        _ type: AbstractModel.Type, _ reader: inout JSONReader,
        _ fill: (AbstractModel, inout JSONReader) throws(Interruption) -> Bool
    ) throws(Interruption) {
        let offset = reader.offset
        if reader.byte == UInt8(ascii: "{") {
            let object = type.init()
            if try fill(object, &reader) { return stack.push(object) }
        } else {
            let _: Bool = try refuse(&reader, .object(type))
        }
        noteSkipped(at: offset, .object(type))
    }

    /// The table for an object that an initializer of `model` made.
    @inline(__always)
    func table(
        for object: AbstractModel, madeAs model: AbstractModel.Type, _ reference: TableReference
    ) throws(Interruption) -> PropertyTable {
        do throws(InvalidModel) {
            return try reference.table(for: object, madeAs: model, variant)
        } catch {
            throw interruption(error)
        }
    }

    /// Fills an object from the JSON object at the cursor, settles its rows, and calls its hooks.
    ///
    /// - Returns: whether the object has no failures; if it has, they were added to the issues of the row (or the root) that
    ///   the object is for.
    func fill(
        _ object: AbstractModel, _ table: PropertyTable, _ reader: inout JSONReader
    ) throws(Interruption) -> Bool {
        guard table.hasObjectRules || hasClassContext else {
            return try ObjectReader.read(object, table, self, &reader)
        }
        return try withRules(of: table) { () throws(Interruption) in
            try ObjectReader.read(object, table, self, &reader)
        }
    }

    /// Runs `body` with the options for objects of a class: those of the call, then those of the class, then those of the object around
    /// it; the context is the class's own, if the call has none.
    @inline(never)
    func withRules(of table: PropertyTable, _ body: () throws(Interruption) -> Bool) throws(Interruption) -> Bool {
        guard table.hasObjectRules || hasClassContext else { return try body() }
        let outer = (rules: rules, hasClassContext: hasClassContext)
        rules = MappingSession.rules(call.options, table.options, around: rules)
        hasClassContext = table.options.hasContext
        defer { (rules, hasClassContext) = outer }
        guard !call.options.hasContext, table.options.hasContext || outer.hasClassContext else { return try body() }
        return try withContext(table.options.context, body)
    }

    /// Reads one property of an object from the value at the cursor, by the same rules as when a whole object is mapped.
    ///
    /// - Returns: whether the property has no failure.
    func readProperty(
        _ name: String, of object: AbstractModel, _ reader: inout JSONReader
    ) throws(Interruption) -> Bool {
        let table = try table(for: object)
        let number = table.names.firstIndex(of: name)
        guard let number, table.rows[number].isWritable else {
            let reason =
                number == nil
                ? "it has no property \(name.quotedForMessage) to assign" + name.suggestion(among: table.names)
                : "its property \(name) cannot be assigned; make it a var with a setter"
            throw interruption(InvalidModel(table.model, of: name, reason))
        }
        return try withRules(of: table) { () throws(Interruption) in
            let member = ObjectReader(session: self, object: object, table: table)
            var progress = ObjectProgress(at: reader.offset)
            try member.readRuled(number, &progress, &reader)
            nameNotes(table, number)
            let rows = progress.unsettledRows(among: RowSet([number]))
            let failures = try member.settle(rows, &progress, &reader) ?? []
            add(contentsOf: failures)
            return failures.isEmpty
        }
    }
}
