/// What a check needs to know of an object that was read, written and read again.
extension AbstractModel {
    /// The JSON that this object writes, with the required members of the JSON it was read from that are only read.
    package final func adding(
        readOnlyMembersOf sample: JSONValue, to written: JSONValue, _ options: MappingOptions
    ) -> JSONValue {
        guard let table = try? PropertyTableCache.table(for: self, TableVariant.of(options)),
            var members = written.object
        else { return written }
        for row in table.rows where row.isRead {
            // What is read from another key than it is written to.
            if row.isWritten, let written = row.key.placeOnlyWritten, written.count == 1,
                case .key(let key) = written[0],
                case .key(let other)? = row.places[0].first, row.places[0].count == 1
            {
                members[other] = members.removeValue(forKey: key)
            }
            for place in table.places(of: row) {
                guard place.count == 1, case .key(let key)? = place.first, let value = sample.object?[key] else {
                    continue
                }
                if !row.isWritten {
                    let isNeeded = row.isRequired || table.options.requiresNonOptional == true
                    if isNeeded, members[key] == nil { members[key] = value }
                } else if row.isModel, let inner = row.values.value(of: self) as? AbstractModel, let own = members[key]
                {
                    members[key] = inner.adding(readOnlyMembersOf: value, to: own, options)
                } else if let inner = row.values.value(of: self) as? [AbstractModel], let own = members[key]?.array,
                    let values = value.array, own.count == inner.count, values.count == inner.count
                {
                    members[key] = .array(
                        inner.indices.map { inner[$0].adding(readOnlyMembersOf: values[$0], to: own[$0], options) })
                }
            }
        }
        return .object(members)
    }

    /// The properties that are both read and written and differ in an object of the same class, with both values; without values for
    /// one that is never shown.
    package final func differences(
        from again: AbstractModel, _ options: MappingOptions
    ) -> [(property: String, values: (before: String, after: String)?)] {
        guard let table = try? PropertyTableCache.table(for: self, TableVariant.of(options)) else { return [] }
        return table.rows.enumerated().filter { _, row in
            row.isRead && row.isWritten && !row.values.areEqual(self, again)
        }.map { number, row in
            if table.redacted.contains(number) { return (row.name, nil) }
            let texts = [self, again].map { FoundValue.text(row.values.value(of: $0)) }
            return (row.name, (texts[0], texts[1]))
        }
    }
}
