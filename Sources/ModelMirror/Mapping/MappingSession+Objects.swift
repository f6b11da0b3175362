/// The loop over the members of an object: member → row → value → stored property.
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

    /// Puts the objects of an array on the stack.
    private func collect(
        _ type: AbstractModel.Type, _ reference: TableReference, _ reader: inout JSONReader
    ) throws(Interruption) {
        repeat {
            if let table = reference.known, table.model == type {
                return try collect(type, table, reference, &reader)
            }
            try collectElement(type, &reader) { object, reader throws(Interruption) in
                try fill(object, table(for: object, madeAs: type, reference), &reader)
            }
        } while try reader.nextElement()
    }

    /// As above, with the table held once for all elements, which saves an atomic load and a reference count for each.
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

    /// The table for an object that an initialiser of `model` made.
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
        guard table.hasObjectRules || hasClassContext else { return try fillByRules(object, table, &reader) }
        return try withRules(of: table) { () throws(Interruption) in try fillByRules(object, table, &reader) }
    }

    /// Runs `body` with the options for objects of a class: those of the call, then those of the class, then those of the object around
    /// it; the context is the class's own, if the call has none.
    func withRules(
        of table: PropertyTable, _ body: () throws(Interruption) -> Bool
    ) throws(Interruption) -> Bool {
        let outer = (rules: rules, hasClassContext: hasClassContext)
        rules = rules(for: table.options)
        hasClassContext = table.options.hasContext
        defer { (rules, hasClassContext) = outer }
        guard !options.hasContext, table.options.hasContext || outer.hasClassContext else { return try body() }
        return try withContext(table.options.context, body)
    }

    @inline(__always)
    private func fillByRules(
        _ object: AbstractModel, _ table: PropertyTable, _ reader: inout JSONReader
    ) throws(Interruption) -> Bool {
        let outer = enterObject()
        var frame = ObjectFrame(offset: reader.offset, fillsNested: updatesNestedInPlace)
        try readMembers(of: object, table, &frame, &reader)
        if !frame.candidates.isEmpty { try readCandidates(of: object, table, &frame, &reader) }
        if let row = table.unknownKeysRow { try storeUnknownKeys(row, of: object, table, frame, &reader) }
        let failures = try complete(object, table, frame, &reader)
        // An enclosing object may fail too, and be searched for a member.
        if failures != nil { ends.remember(frame.offset..<reader.offset) }
        return leaveObject(for: outer, failures)
    }

    // MARK: Members

    func readMembers(
        of object: AbstractModel, _ table: PropertyTable, _ frame: inout ObjectFrame, _ reader: inout JSONReader
    ) throws(Interruption) {
        guard room.isLeft else { throw reader.expected(.lessStack) }
        guard try reader.openObject() else { return }
        let slots = table.keys.slotList
        let isUpdate = frame.isUpdate
        var expected = 0
        repeat {
            let number: Int
            if slots.passKey(of: expected, &reader) {
                number = expected
            } else {
                let keyOffset = reader.offset
                guard let found = try readSlot(table, &reader) else {
                    try reader.colon()
                    if isReporting || table.unknownKeysRow != nil || rules.unknownKeys == .failures {
                        try handleUnknownKey(keyOffset, table, &frame, reader)
                    }
                    try reader.skipValue()
                    continue
                }
                number = found
            }
            try reader.colon()
            expected = number &+ 1
            let slot = slots[number]
            let row = Int(slot.row)
            let place = Int(slot.offset)
            let kind = slot.kind
            if isUpdate, kind != .shared, kind != .ignored {
                try stageMember(kind, row, object, table, &frame, &reader)
                nameNotes(table, row)
                continue
            }
            switch kind {
            case .string: try readScalar(String.self, row, at: place, object, table, &frame, &reader)
            case .int: try readScalar(Int.self, row, at: place, object, table, &frame, &reader)
            case .double: try readScalar(Double.self, row, at: place, object, table, &frame, &reader)
            case .bool: try readScalar(Bool.self, row, at: place, object, table, &frame, &reader)
            case .optionalString: try readOptional(String.self, row, at: place, object, table, &frame, &reader)
            case .optionalInt: try readOptional(Int.self, row, at: place, object, table, &frame, &reader)
            case .optionalDouble: try readOptional(Double.self, row, at: place, object, table, &frame, &reader)
            case .optionalBool: try readOptional(Bool.self, row, at: place, object, table, &frame, &reader)
            case .other: try readRow(row, object, table, &frame, &reader)
            case .shared:
                for target in table.targets[row] {
                    frame.add(ObjectFrame.Candidate(target: target, offset: reader.offset))
                }
                try findUnknownKeys(beside: table.paths[row], table, &frame, &reader)
                continue
            case .ignored:
                try reader.skipValue()
                continue
            }
            if isReporting { nameNotes(table, row) }
        } while try reader.nextMember()
    }

    /// The slot of the key at the cursor. A separate function, so that the loop does not retain the keys.
    @inline(never)
    private func readSlot(_ table: PropertyTable, _ reader: inout JSONReader) throws(Interruption) -> Int? {
        try table.keys.readSlot(&reader)
    }

    @inline(__always)
    private func readScalar<Value: JSONScalar>(
        _ type: Value.Type, _ row: Int, at place: Int, _ object: AbstractModel, _ table: PropertyTable,
        _ frame: inout ObjectFrame, _ reader: inout JSONReader
    ) throws(Interruption) {
        let offset = reader.offset
        guard reader.byte != UInt8(ascii: "n"), let value = try Value.read(&reader, self) else {
            return try resolveUnstored(row, offset, object, table, &frame, &reader)
        }
        ModelStorage.storeStandard(consume value, at: place, of: object)
        if !frame.see(row) { duplicate(row, offset, table, &frame) }
    }

    @inline(__always)
    private func readOptional<Value: JSONScalar>(
        _ type: Value.Type, _ row: Int, at place: Int, _ object: AbstractModel, _ table: PropertyTable,
        _ frame: inout ObjectFrame, _ reader: inout JSONReader
    ) throws(Interruption) {
        let offset = reader.offset
        if reader.byte == UInt8(ascii: "n") {
            guard !frame.hasSeen(row) else {
                return try resolveUnstored(row, offset, object, table, &frame, &reader)
            }
            // As in `resolveUnstored`, but inline: null is common, and the call took several times as long.
            try reader.readNull()
            ModelStorage.storeStandard(optional: Value?.none, at: place, of: object)
            _ = frame.see(row)
            return frame.leaveUnsettled(row)
        }
        guard let value = try Value.read(&reader, self) else {
            return try resolveUnstored(row, offset, object, table, &frame, &reader)
        }
        ModelStorage.storeStandard(optional: consume value, at: place, of: object)
        if !frame.see(row) { duplicate(row, offset, table, &frame) }
    }

    /// Reads a value through its row's plan.
    func readRow(
        _ number: Int, _ object: AbstractModel, _ table: PropertyTable, _ frame: inout ObjectFrame,
        _ reader: inout JSONReader
    ) throws(Interruption) {
        let offset = reader.offset
        var interruption: Interruption?
        let isStored = table.unretainedRow(number)._withUnsafeGuaranteedRef { row in
            guard row.isConvertible, reader.byte != UInt8(ascii: "n") || row.acceptsNull else { return false }
            do throws(Interruption) {
                return frame.replacesValues
                    ? try row.read(&reader, self, object) : try readKeeping(number, row, object, frame, &reader)
            } catch {
                interruption = error
                return false
            }
        }
        if let interruption { throw interruption }
        guard isStored, !hasIssues else {
            return try resolveUnstored(number, offset, object, table, &frame, &reader)
        }
        if !frame.see(number) { duplicate(number, offset, table, &frame) }
    }

    /// Reads a value for an update: scalars as ``readRow(_:_:_:_:_:)`` does, without their plans.
    @inline(never)
    private func stageMember(
        _ kind: PropertyKind, _ row: Int, _ object: AbstractModel, _ table: PropertyTable, _ frame: inout ObjectFrame,
        _ reader: inout JSONReader
    ) throws(Interruption) {
        guard kind != .other, reader.byte != UInt8(ascii: "n"), reader.byte != UInt8(ascii: "{") else {
            return try readRow(row, object, table, &frame, &reader)
        }
        let offset = reader.offset
        // Compared with nil, since `guard let` copies the value and releases it.
        let value = try pendingScalar(kind, &reader)
        if value == nil { return try resolveUnstored(row, offset, object, table, &frame, &reader) }
        frame.stage(consume value, for: row)
        if merging != nil { frame.patch(row, nil) }
        if !frame.see(row) { duplicate(row, offset, table, &frame) }
    }

    /// Handles a value that was not stored: a null at the cursor, a value that the model assigns, or a rejected one.
    @inline(never)
    private func resolveUnstored(
        _ number: Int, _ offset: Int, _ object: AbstractModel, _ table: PropertyTable, _ frame: inout ObjectFrame,
        _ reader: inout JSONReader
    ) throws(Interruption) {
        let row = table.rows[number]
        let isFirst = frame.see(number)
        if reader.offset == offset, reader.byte == UInt8(ascii: "n") {
            try reader.readNull()
            if frame.isUpdate, merging == nil, rules.updatesIgnoreNulls {
                if !isFirst { duplicate(number, offset, table, &frame) }
                return
            }
            if row.isOptional {
                if let update = frame.update {
                    update[number] = row.values.stageNil().map { .boxed($0) }
                    update.setNested(nil, of: number)
                    frame.patch(number, nil)
                } else {
                    row.storeNil(object)
                }
                if !isFirst { duplicate(number, offset, table, &frame) }
                frame.leaveUnsettled(number)
            } else {
                if !isFirst { duplicate(number, offset, table, &frame, repairs: false) }
                reject(number, at: offset, .null, &frame)
            }
            return
        }
        if !row.isConvertible {
            try assign(number, offset, object, table, &frame, isFirst: isFirst, &reader)
            return
        }
        try rejectRead(number, row, offset, table, &frame, isFirst: isFirst, reader)
    }

    /// Rejects a value that was read and has issues, or was left out.
    func rejectRead(
        _ number: Int, _ row: PropertyRow, _ offset: Int, _ table: PropertyTable, _ frame: inout ObjectFrame,
        isFirst: Bool, _ reader: JSONReader
    ) throws(Interruption) {
        let own = sealIssues()
        // A null that the type itself refused.
        if reader.start[offset] == UInt8(ascii: "n"), !own.isEmpty {
            if !isFirst { duplicate(number, offset, table, &frame, repairs: false) }
            return reject(number, at: offset, .null, &frame, issues: own)
        }
        // A collection without its bad elements was stored; anything else that has issues was not.
        let isWhole = !row.values.isCollection || issues[own].contains { $0.offset == offset && $0.subject == nil }
        let kind: RejectedValue.Kind = isWhole ? .refused : .partial
        if !isFirst { duplicate(number, offset, table, &frame, repairs: kind == .partial && !own.isEmpty) }
        // Without issues, the plan left the value out on purpose, which a required property does not allow.
        guard !own.isEmpty else {
            if row.isRequired, !lastSkipped.isEmpty {
                add(contentsOf: lastSkipped)
                reject(number, at: offset, .refused, &frame)
            }
            return
        }
        reject(number, at: offset, kind, &frame, issues: own)
    }

    /// Lets the model assign a value that nothing converts.
    private func assign(
        _ number: Int, _ offset: Int, _ object: AbstractModel, _ table: PropertyTable, _ frame: inout ObjectFrame,
        isFirst: Bool, _ reader: inout JSONReader
    ) throws(Interruption) {
        let row = table.rows[number]
        let value = try JSONValue(&reader).any
        do {
            try object.assign(undefinedValue: value, forProperty: row.name)
            if !isFirst { duplicate(number, offset, table, &frame) }
        } catch is UnassignedProperty {
            throw interruption(table.undefinedTypeFault(row))
        } catch {
            if !isFirst { duplicate(number, offset, table, &frame, repairs: false) }
            _ = refused(at: offset, row.expected, underlying: error) as Bool
            reject(number, at: offset, .refused, &frame)
        }
    }

    /// Records a duplicate of a row's key.
    ///
    /// - Parameter repairs: Whether the new value was stored, so that earlier rejected values no longer count.
    @inline(never)
    func duplicate(
        _ number: Int, _ offset: Int, _ table: PropertyTable, _ frame: inout ObjectFrame, repairs: Bool = true
    ) {
        if repairs { repair(number, at: offset, &frame) }
        guard isReporting || rules.strict else { return }
        note(Issue(duplicateOf: number, of: table, at: offset, isUsed: !rules.strict))
        guard rules.strict else { return }
        reject(number, at: offset, .duplicate, &frame, issues: 0..<0)
    }

    /// Reads a value for an update, or onto a declared default.
    @inline(never)
    private func readKeeping(
        _ number: Int, _ row: PropertyRow, _ object: AbstractModel, _ frame: ObjectFrame, _ reader: inout JSONReader
    ) throws(Interruption) -> Bool {
        if frame.isUpdate { return try stage(number, row, object, frame, &reader) }
        guard reader.byte == UInt8(ascii: "{"), row.dynamicTypes == nil else {
            return try row.read(&reader, self, object)
        }
        // Members of a nested object are read onto a copy of the declared default. The last of duplicate keys wins: it is not read
        // onto what an earlier one left.
        let declaring = frame.hasSeen(number) ? type(of: object).init() : object
        if row.isModel {
            guard let nested = row.values.value(of: declaring) as? AbstractModel, try isOfOneType(nested, reader) else {
                return try row.read(&reader, self, object)
            }
            guard let filled = try fillCopy(of: nested, &reader) else { return false }
            row.values.storeModel(filled, in: object)
            return true
        }
        return try withOldValue(of: row, declaring, reader) { () throws(Interruption) in
            try row.read(&reader, self, object)
        }
    }
}
