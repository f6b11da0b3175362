/// Values that do not replace the existing ones at once: those of an update, and nested objects read onto declared defaults.
extension ObjectReader {
    /// Reads a value for an update, or onto a declared default.
    ///
    /// - Returns: whether it fits, as in ``StoredProperty/Read``.
    @inline(never)
    func readKeeping(
        _ number: Int, _ row: PropertyRow, _ progress: borrowing ObjectProgress, _ json: inout JSONReader
    ) throws(Interruption) -> Bool {
        let hidden = table.redacted.contains(number) ? 1 : 0
        session.redaction += hidden
        defer { session.redaction -= hidden }
        guard let rest = progress.rest, rest.update != nil else {
            // The last of duplicate keys wins: it is not read onto what an earlier one left.
            return try readOntoDefault(row, isRepeated: progress.hasSeen(number), &json)
        }
        if json.byte == UInt8(ascii: "{"), let isWhole = try stageInPlace(number, row, rest, &json) { return isWhole }
        guard let value = try stageNew(row, &json) else { return false }
        rest.stage(.boxed(value), for: number)
        return true
    }

    /// Reads the members of a nested object onto a copy of the declared default.
    private func readOntoDefault(
        _ row: PropertyRow, isRepeated: Bool, _ json: inout JSONReader
    ) throws(Interruption) -> Bool {
        guard json.byte == UInt8(ascii: "{"), row.dynamicTypes == nil else {
            return try row.stored.read(&json, session, object)
        }
        let declaring = isRepeated ? type(of: object).init() : object
        guard row.isModel else {
            return try withOldValue(of: row, declaring, json) { () throws(Interruption) in
                try row.stored.read(&json, session, object)
            }
        }
        guard let nested = row.values.value(of: declaring) as? AbstractModel, try session.isOfOneType(nested, json)
        else { return try row.stored.read(&json, session, object) }
        guard let filled = try session.fillCopy(of: nested, &json) else { return false }
        row.values.storeModel(filled, in: object)
        return true
    }

    /// Reads the object at the cursor for a property whose old value is known, so that a dictionary can keep parts of it.
    private func withOldValue<Result>(
        of row: PropertyRow, _ object: AbstractModel, _ json: JSONReader, _ read: () throws(Interruption) -> Result
    ) throws(Interruption) -> Result {
        let outer = session.updatedValue
        session.updatedValue = (oldValue(of: row, object), json.offset, nil)
        defer { session.updatedValue = outer }
        return try read()
    }

    /// The value of a row without its Optional, which the dictionary's plan does not know.
    private func oldValue(of row: PropertyRow, _ object: AbstractModel) -> Any {
        let value = row.values.value(of: object)
        return (value as? any OptionalType).flatMap(\.wrappedValue) ?? value
    }

    // MARK: Updates

    /// Reads the value of a member for an update: the common scalars without their rows' plans and without boxes.
    @inline(never)
    func stage(
        _ slot: KeySlot, in update: ObjectUpdate?, _ progress: inout ObjectProgress, _ json: inout JSONReader
    ) throws(Interruption) {
        let (kind, number) = (slot.stagedKind, Int(slot.row))
        guard kind != .other, json.byte != UInt8(ascii: "n"), json.byte != UInt8(ascii: "{") else {
            try readRow(number, &progress, &json)
            return
        }
        let offset = json.offset
        // Compared with nil, since `guard let` copies the value and releases it.
        let value = try pending(kind, &json)
        if value == nil { return try resolveUnstored(number, at: offset, &progress, &json) }
        update?[number] = consume value
        if session.call.merging != nil { progress.rest?.patches[number] = nil }
        if !progress.see(number) { duplicate(number, at: offset, &progress) }
    }

    /// Reads the scalar at the cursor; nil if it does not fit.
    @inline(never)
    private func pending(_ kind: PropertyKind, _ json: inout JSONReader) throws(Interruption) -> PendingValue? {
        switch kind {
        case .string, .optionalString: try String.read(&json, session).map { .string($0) }
        case .int, .optionalInt: try Int.read(&json, session).map { .int($0) }
        case .double, .optionalDouble: try Double.read(&json, session).map { .double($0) }
        case .bool, .optionalBool: try Bool.read(&json, session).map { .bool($0) }
        case .other, .shared, .staged: nil
        }
    }

    /// Reads the JSON object at the cursor into the existing model, or keeps it as a patch; nil if it is to be read like any
    /// other value.
    private func stageInPlace(
        _ number: Int, _ row: PropertyRow, _ rest: ObjectProgress.Rest, _ json: inout JSONReader
    ) throws(Interruption) -> Bool? {
        let tag = row.dynamicTypes == nil ? nil : session.choices.tag
        if session.fillsNested || row.flattening != nil, row.isModel,
            let nested = row.values.value(of: object) as? AbstractModel,
            row.dynamicTypes == nil || tag?.names(nested) == true, try session.isOfOneType(nested, json)
        {
            guard let update = try session.stage(nested, &json) else { return false }
            rest.stage(nil, for: number, in: update)
            return true
        }
        guard session.call.merging != nil, row.flattening == nil else { return nil }
        rest.update?.setNested(nil, of: number)
        rest.patches[number] = ObjectProgress.Patch(offset: json.offset, depthLeft: json.depthLeft, tag: tag)
        try json.skipValue(&session.ends)
        return true
    }

    /// Reads the value at the cursor by its row's plan; a dictionary keeps the members whose new values do not fit.
    private func stageNew(_ row: PropertyRow, _ json: inout JSONReader) throws(Interruption) -> (any StagedValue)? {
        guard row.values.isCollection, json.byte == UInt8(ascii: "{") else {
            return try row.values.stage(&json, session)
        }
        return try withOldValue(of: row, object, json) { () throws(Interruption) in
            try row.values.stage(&json, session)
        }
    }

    // MARK: Merge patches

    /// Applies the patches of an object's rows: only the last for each row, since each one writes and reads the row's whole
    /// value.
    func apply(
        _ patches: [Int: ObjectProgress.Patch], _ progress: inout ObjectProgress, _ json: inout JSONReader
    ) throws(Interruption) {
        let outerTag = session.choices.tag
        defer { session.choices.tag = outerTag }
        for (number, patch) in patches.ordered(by: { $0.key < $1.key }) {
            session.choices.tag = patch.tag
            let value = try json.revisiting(patch.offset, depthLeft: patch.depthLeft) {
                json throws(Interruption) in try stageMerged(table.rows[number], patch.members, &json)
            }
            if let value {
                progress.update?[number] = .boxed(value)
                if table.ruledRows.contains(number) { progress.madeRest.ruled[number] = patch.offset }
            }
            if value == nil || session.hasIssues {
                rejectRead(number, at: patch.offset, isFirst: true, &progress, json)
            }
            session.nameNotes(table, number)
        }
    }

    /// Reads the object at the cursor as a merge patch for the value of a row that is not a model: a dictionary, free-form JSON
    /// or a user-defined type.
    ///
    /// - Parameter members: The patch, if it is not the value at the cursor.
    private func stageMerged(
        _ row: PropertyRow, _ members: JSONValue?, _ json: inout JSONReader
    ) throws(Interruption) -> (any StagedValue)? {
        guard let merging = session.call.merging else { return nil }
        // The name is in the patch, not in the merged value.
        session.choices.tag?.isOutside = true
        let tag = session.choices.tag
        if let tag, tag.chosen == nil, tag.rule.fallback != .baseClass {
            // Reports what is left out or refused; without a class there is nothing to merge.
            _ = try row.values.stage(&json, session)
            return nil
        }
        let offset = json.offset
        let written = if let members { members } else { try JSONValue(&json) }
        let patch = row.values.isCollection ? written.spelled(asKeysOf: row.values.type) : written
        let old = oldValue(of: row, object)
        // Members whose class the patch changes are read anew.
        let isKept = tag.map { tag in tag.rule.models(in: old).first.map { tag.names($0) } ?? true } ?? true
        do throws(ModelError) {
            var isNoted = false
            let merged = try merging(row, object, patch, session.redaction)
            let value = try session.runInside(merged, at: offset, depthLeft: json.depthLeft) {
                json, session throws(Interruption) in
                session.choices.tag = tag
                defer { isNoted = session.choices.tag?.isNoted == true }
                if isKept { session.updatedValue = (old, json.offset, Set((patch.object ?? [:]).keys)) }
                return try row.values.stage(&json, session)
            }
            if isNoted, let tag { session.note(tag.issue) }
            return value
        } catch {
            switch error {
            case .invalidModel(let fault): throw session.interruption(fault)
            // Reported as failures of the patch, which is what the caller knows.
            case .invalidValues(let failures):
                session.add(contentsOf: failures.map { $0.issue(insideOfValueAt: offset) })
            case .invalidJSON: _ = session.refused(at: offset, row.expected, underlying: error) as Bool
            }
            return nil
        }
    }
}

extension JSONValue {
    /// This patch with the keys of a dictionary as the dictionary writes them: the key `e621…` is about the member `E621…` of one by
    /// UUID.
    fileprivate func spelled(asKeysOf type: Any.Type) -> JSONValue {
        guard let members = object, let keyed = RuleForm.unwrapped(type) as? any RuleMembers.Type else { return self }
        let spelled = members.ordered { $0.key < $1.key }.map { key, value in
            (keyed.text(ofKey: key) ?? key, value.spelled(asKeysOf: keyed.memberType))
        }
        return .object(Dictionary(spelled) { $1 })
    }
}
