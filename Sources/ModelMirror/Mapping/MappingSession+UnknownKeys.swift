/// Members that no property takes: ignored, reported, failures, or kept by the property that takes them.
extension MappingSession {
    /// Records a member that no property takes, or keeps it for the property that takes such members. The cursor is at its value.
    @inline(never)
    func handleUnknownKey(
        _ keyOffset: Int, _ table: PropertyTable, _ frame: inout ObjectFrame, _ reader: JSONReader
    ) throws(Interruption) {
        if table.unknownKeysRow != nil {
            return frame.add(ObjectFrame.UnknownMember(key: keyOffset, value: reader.offset))
        }
        if table.isDynamic || table.hasDynamicProperties || !discriminators.isEmpty {
            var reader = reader
            let key = try reader.revisiting(keyOffset) { reader throws(Interruption) in try reader.readString() }
            if namePlaces(of: table, at: frame.offset).contains(where: { $0.place.begins(with: key) }) { return }
        }
        switch rules.unknownKeys {
        case .ignored: break
        case .reported: note(Issue(unknownKeyOf: table, at: reader.offset, isFailure: false))
        case .failures:
            frame.failUnknown(Issue(unknownKeyOf: table, at: reader.offset, isFailure: true), limit: limit)
        }
    }

    /// Skips the value at the cursor, and records the members of its objects that no path leads to.
    ///
    /// - Parameter paths: The paths through the value; none if a property takes all of it.
    func findUnknownKeys(
        beside paths: [ArraySlice<JSONPath.Step>], _ table: PropertyTable, _ frame: inout ObjectFrame,
        _ reader: inout JSONReader
    ) throws(Interruption) {
        let isFailure = rules.unknownKeys == .failures
        guard !paths.isEmpty, isReporting && rules.unknownKeys == .reported || isFailure else {
            return try reader.skipValue(&ends)
        }
        for offset in try reader.skipValue(findingMembersBeside: paths, &ends) {
            let issue = Issue(unknownKeyOf: table, at: offset, isFailure: isFailure)
            if isFailure { frame.failUnknown(issue, limit: limit) } else { note(issue) }
        }
    }

    /// Stores the members that no property takes in the property for them; for an update, in addition to those already there.
    ///
    /// The name of a known class is left out, since it is written with the object. Any other name is kept: nothing else would write
    /// it back.
    func storeUnknownKeys(
        _ row: PropertyRow, of object: AbstractModel, _ table: PropertyTable, _ frame: ObjectFrame,
        _ reader: inout JSONReader
    ) throws(Interruption) {
        guard let values = row.values as? TypedValues<[String: JSONValue]> else { return }
        var members = frame.isUpdate ? values.access.load(object) : [:]
        for member in frame.unknown {
            let name = try reader.revisiting(member.key) { reader throws(Interruption) in try reader.readString() }
            members[name] = try reader.revisiting(member.value) { reader throws(Interruption) in
                try JSONValue(&reader)
            }
        }
        if !members.isEmpty, table.isDynamic || table.hasDynamicProperties || !discriminators.isEmpty {
            for (place, types) in namePlaces(of: table, at: frame.offset) {
                for (key, value) in members where place.name(in: value, of: key).map({ types[$0] != nil }) == true {
                    members[key] = nil
                }
            }
        }
        if let update = frame.update {
            guard let number = update.table.rows.firstIndex(where: { $0 === row }) else { return }
            update[number] = .boxed(values.staged(members))
        } else {
            values.access.store(members, object)
        }
    }
}
