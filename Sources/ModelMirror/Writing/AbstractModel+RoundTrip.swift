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
    /// The JSON of a value of the row or of a part of one, with what is only read in its models.
    fileprivate func adding(
        readOnlyMembersOf sample: JSONValue, to written: JSONValue, of value: Any, isPart: Bool = false,
        _ options: MappingOptions
    ) -> JSONValue {
        let type = RuleForm.unwrapped(Swift.type(of: value))
        if type is AnyClass, isModel || isPart, let model = value as? AbstractModel {
            return model.adding(readOnlyMembersOf: sample, to: written, options)
        }
        // Elements that were left out have others at their places, and a range is written as its bounds.
        guard let count = written.array?.count ?? written.object?.count, count == (value as? any Collection)?.count,
            sample.array?.count == written.array?.count
        else { return written }
        var json = written
        for case (let step?, let part) in RuleForm.parts(of: type)?.read(value) ?? [] {
            let path = JSONPath([step])
            json[path] = json[path].map {
                adding(readOnlyMembersOf: sample[path] ?? .null, to: $0, of: part, isPart: true, options)
            }
        }
        return json
    }
}
