/// What a check needs to know of an object that was read, written and read again.
extension AbstractModel {
    /// The JSON that this object writes, with the required members of the JSON it was read from that are only read.
    package final func adding(
        readOnlyMembersOf sample: JSONValue, to written: JSONValue, _ options: MappingOptions
    ) -> JSONValue {
        guard let table = try? PropertyTableCache.table(for: self, TableVariant.of(options)) else { return written }
        var json = written
        for row in table.rows where row.isRead {
            // What is read from another place than it is written to.
            if row.isWritten, let place = row.key.placeOnlyWritten, let value = json[JSONPath(place)] {
                json[JSONPath(place)] = nil
                json[JSONPath(row.places[0])] = value
            }
            // The members of a flattened property are those of the object.
            let isInside = row.flattening != nil && row.isWritten
            for path in isInside ? [.root] : table.places(of: row).map({ JSONPath($0) }) {
                guard let value = sample[path] else { continue }
                if !row.isWritten {
                    let isNeeded = row.isRequired || table.options.requiresNonOptional == true
                    if isNeeded, json[path] == nil { json[path] = value }
                } else if let own = json[path] {
                    json[path] = row.adding(readOnlyMembersOf: value, to: own, of: row.values.value(of: self), options)
                }
            }
        }
        return json
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

extension PropertyRow {
    /// The JSON of a value of the row, with what is only read in its models.
    fileprivate func adding(
        readOnlyMembersOf sample: JSONValue, to written: JSONValue, of value: Any, _ options: MappingOptions
    ) -> JSONValue {
        if isModel, let model = value as? AbstractModel {
            return model.adding(readOnlyMembersOf: sample, to: written, options)
        }
        if let models = value as? [AbstractModel], let own = written.array, let values = sample.array,
            own.count == models.count, values.count == models.count
        {
            return .array(models.indices.map { models[$0].adding(readOnlyMembersOf: values[$0], to: own[$0], options) })
        }
        guard let models = value as? [String: AbstractModel], var own = written.object else { return written }
        for (key, model) in models {
            own[key] = own[key].map { model.adding(readOnlyMembersOf: sample[key] ?? .null, to: $0, options) }
        }
        return .object(own)
    }
}
