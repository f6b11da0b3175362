/// The loop over the members of an object: member → row → value → stored property.
extension ObjectReader {
    func readMembers(_ progress: inout ObjectProgress, _ json: inout JSONReader) throws(Interruption) {
        guard session.room.isLeft else { throw json.expected(.lessStack) }
        guard try json.openObject() else { return }
        let update = progress.update
        let slots = table.keys.slotList(forUpdate: update != nil)
        var expected = 0
        repeat {
            let number: Int
            if slots.passKey(of: expected, &json) {
                number = expected
            } else {
                let keyOffset = json.offset
                guard let found = try readSlot(&json) else {
                    try json.colon()
                    if session.isReporting || table.keepsUnknownKeys || session.rules.unknownKeys == .failures {
                        try handleUnknownKey(keyOffset, &progress, json)
                    }
                    try skipUntaken(&json)
                    continue
                }
                number = found
            }
            try json.colon()
            expected = number &+ 1
            let slot = slots[number]
            let row = Int(slot.row)
            let offset = json.offset
            let isStored: Bool
            switch slot.kind {
            case .string: isStored = try readScalar(String.self, slot, &json)
            case .int: isStored = try readScalar(Int.self, slot, &json)
            case .double: isStored = try readScalar(Double.self, slot, &json)
            // Read here, since the compiler calls the generic function's through a witness.
            case .bool: isStored = store(json.byte == UInt8(ascii: "n") ? nil : try Bool.read(&json, session), slot)
            case .optionalString: isStored = try readOptional(String.self, slot, &progress, &json)
            case .optionalInt: isStored = try readOptional(Int.self, slot, &progress, &json)
            case .optionalDouble: isStored = try readOptional(Double.self, slot, &progress, &json)
            case .optionalBool: isStored = try readOptional(Bool.self, slot, &progress, &json)
            case .other: isStored = try readValue(row, progress, &json)
            case .shared:
                try passKey(of: slot, &progress, &json)
                continue
            case .staged:
                try stage(slot, in: update, &progress, &json)
                if session.isReporting { session.nameNotes(table, row) }
                continue
            }
            try finish(row, at: offset, isStored, &progress, &json)
            if session.isReporting { session.nameNotes(table, row) }
        } while try json.nextMember()
    }

    /// Marks a row whose value was stored, or handles the value that was not.
    @inline(__always)
    private func finish(
        _ row: Int, at offset: Int, _ isStored: Bool, _ progress: inout ObjectProgress, _ json: inout JSONReader
    ) throws(Interruption) {
        guard isStored else { return try resolveUnstored(row, at: offset, &progress, &json) }
        if !progress.see(row) { duplicate(row, at: offset, &progress) }
    }

    /// The slot of the key at the cursor. A separate function, so that the loop does not retain the keys.
    @inline(never)
    private func readSlot(_ json: inout JSONReader) throws(Interruption) -> Int? { try table.keys.readSlot(&json) }

    /// Passes the value of a key that no row takes alone: several rows or paths, which are read at the object's end, or none.
    @inline(never)
    private func passKey(
        of slot: KeySlot, _ progress: inout ObjectProgress, _ json: inout JSONReader
    ) throws(Interruption) {
        let (targets, paths) = table.shared[Int(slot.row)]
        if targets.isEmpty, paths.isEmpty { return try skipUntaken(&json) }
        for target in targets { progress.madeRest.candidates.append((target, json.offset)) }
        try findUnknownKeys(beside: paths, &progress, &json)
    }

    /// Skips the value at the cursor, which no row takes. Where flattened rows are read, others may skip or read it again.
    private func skipUntaken(_ json: inout JSONReader) throws(Interruption) {
        guard !session.flattened.isEmpty || table.restRow != nil else { return try json.skipValue() }
        try json.skipValue(&session.ends)
    }

    /// Reads a scalar into its property.
    ///
    /// - Returns: whether it was stored, as in all the functions below.
    @inline(__always)
    private func readScalar<Value: JSONScalar>(
        _ type: Value.Type, _ slot: KeySlot, _ json: inout JSONReader
    ) throws(Interruption) -> Bool {
        store(json.byte == UInt8(ascii: "n") ? nil : try Value.read(&json, session), slot)
    }

    @inline(__always)
    private func store<Value: JSONScalar>(_ value: consuming Value?, _ slot: KeySlot) -> Bool {
        guard let value else { return false }
        ModelStorage.storeStandard(value, at: Int(slot.offset), of: object)
        return true
    }

    @inline(__always)
    private func readOptional<Value: JSONScalar>(
        _ type: Value.Type, _ slot: KeySlot, _ progress: inout ObjectProgress, _ json: inout JSONReader
    ) throws(Interruption) -> Bool {
        if json.byte == UInt8(ascii: "n") {
            guard !progress.hasSeen(Int(slot.row)) else { return false }
            // As in `resolveUnstored`, but inline: null is common, and the call took several times as long.
            try json.readNull()
            ModelStorage.storeStandard(optional: Value?.none, at: Int(slot.offset), of: object)
            progress.leaveUnsettled(Int(slot.row))
            return true
        }
        guard let value = try Value.read(&json, session) else { return false }
        ModelStorage.storeStandard(optional: consume value, at: Int(slot.offset), of: object)
        return true
    }

    /// Reads the value at the cursor for a row, by its plan.
    ///
    /// - Returns: whether it is stored.
    @discardableResult
    func readRow(
        _ number: Int, _ progress: inout ObjectProgress, _ json: inout JSONReader
    ) throws(Interruption) -> Bool {
        let offset = json.offset
        let isStored = try readValue(number, progress, &json)
        try finish(number, at: offset, isStored, &progress, &json)
        return isStored
    }

    /// Inlined: as a function of its own it counts references for each value, 3 % of citm.
    @inline(__always)
    private func readValue(
        _ number: Int, _ progress: borrowing ObjectProgress, _ json: inout JSONReader
    ) throws(Interruption) -> Bool {
        var interruption: Interruption?
        let isStored = table.unretainedRow(number)._withUnsafeGuaranteedRef { row in
            guard row.isConvertible,
                json.byte != UInt8(ascii: "n") || row.acceptsNull && !ignoresNulls(progress)
            else { return false }
            do throws(Interruption) {
                return replacesValues(progress)
                    ? try row.stored.read(&json, session, object) : try readKeeping(number, row, progress, &json)
            } catch {
                interruption = error
                return false
            }
        }
        if let interruption { throw interruption }
        return isStored && !session.hasIssues
    }

    /// Whether null leaves a property as it is.
    private func ignoresNulls(_ progress: borrowing ObjectProgress) -> Bool {
        progress.isUpdate && session.call.merging == nil && session.rules.updatesIgnoreNulls
    }

    /// Handles a value that was not stored: a null at the cursor, a value that the model assigns, or a rejected one.
    @inline(never)
    func resolveUnstored(
        _ number: Int, at offset: Int, _ progress: inout ObjectProgress, _ json: inout JSONReader
    ) throws(Interruption) {
        let row = table.rows[number]
        let isFirst = progress.see(number)
        if json.offset != offset || json.byte != UInt8(ascii: "n") {
            if row.isConvertible { return rejectRead(number, at: offset, isFirst: isFirst, &progress, json) }
            let isAssigned = try assign(row, &json)
            if !isFirst { duplicate(number, at: offset, repairs: isAssigned, &progress) }
            if !isAssigned { reject(number, at: offset, .refused, &progress) }
            return
        }
        try json.readNull()
        let isIgnored = ignoresNulls(progress)
        let isNil = row.isOptional && !isIgnored
        if isNil {
            if let rest = progress.rest, progress.isUpdate {
                rest.stage(row.values.stageNil().map { .boxed($0) }, for: number)
            } else {
                row.stored.storeNil(object)
            }
        }
        if !isFirst { duplicate(number, at: offset, repairs: isNil || isIgnored, &progress) }
        if isNil { return progress.leaveUnsettled(number) }
        if !isIgnored { reject(number, at: offset, .null, &progress) }
    }

    /// Lets the model assign a value that nothing converts.
    ///
    /// - Returns: whether it did; if not, the issue is recorded.
    private func assign(_ row: PropertyRow, _ json: inout JSONReader) throws(Interruption) -> Bool {
        let offset = json.offset
        let value = try JSONValue(&json).any
        do {
            try object.assign(undefinedValue: value, forProperty: row.name)
            return true
        } catch is UnassignedProperty {
            throw session.interruption(table.undefinedTypeFault(row))
        } catch {
            return session.refused(at: offset, row.expected, underlying: error)
        }
    }
}
