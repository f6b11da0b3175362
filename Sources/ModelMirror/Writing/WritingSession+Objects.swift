/// The loop of writing: row → stored value → text.
extension WritingSession {
    /// Writes an object with the table of its own class.
    func write(_ object: AbstractModel, _ writer: inout JSONWriter) {
        let table: PropertyTable
        do throws(InvalidModel) {
            table = try PropertyTableCache.table(for: object)
        } catch {
            return fail(error, &writer)
        }
        writing(object, &writer) { writer in
            writer.open("{")
            var name: (key: String, value: String)?
            if let dynamic = object as? any DynamicTypeModel {
                name = typeName(of: dynamic, table)
                if let name, !table.writesKey(name.key) {
                    writer.member(name.key)
                    writer.write(name.value)
                }
            }
            for member in options.contains(.sortedKeys) ? table.plan.sorted : table.plan.declared {
                if let name, member.key.text == name.key {
                    writer.member(member.key)
                    writer.write(name.value)
                } else {
                    write(member, of: object, table, &writer)
                }
            }
            writer.close("}")
        }
    }

    /// Writes a member, unless it is nil and nil is left out.
    @inline(__always)
    private func write(
        _ member: WritingPlan.Member, of object: AbstractModel, _ table: PropertyTable, _ writer: inout JSONWriter
    ) {
        guard case .row(let number) = member.node else {
            let place = writer.place
            writer.member(member.key)
            if !write(member.node, of: object, table, &writer), !options.contains(.nulls) { writer.goBack(to: place) }
            return
        }
        let row = table.rows[number]
        if let isNil = row.isNil, isNil(object) { return writeNil(row, member.key, table, &writer) }
        writer.member(member.key)
        row.write(object, &writer, self)
        nameFindings(table.model, row.name)
    }

    private func writeNil(_ row: PropertyRow, _ key: EncodedKey, _ table: PropertyTable, _ writer: inout JSONWriter) {
        if options.contains(.strict), row.isRequired {
            writer.member(key)
            refuse(&writer, expected: row.expected, found: "nil")
            nameFindings(table.model, row.name)
        } else if options.contains(.nulls) {
            writer.member(key)
            writer.writeNull()
        }
    }

    /// Writes what stands at the end of a path.
    ///
    /// - Returns: whether anything but nil was written.
    private func write(
        _ node: WritingPlan.Node, of object: AbstractModel, _ table: PropertyTable, _ writer: inout JSONWriter
    ) -> Bool {
        switch node {
        case .row(let number):
            let row = table.rows[number]
            if let isNil = row.isNil, isNil(object) {
                if options.contains(.strict), row.isRequired {
                    refuse(&writer, expected: row.expected, found: "nil")
                    nameFindings(table.model, row.name)
                    return true
                }
                writer.writeNull()
                return false
            }
            row.write(object, &writer, self)
            nameFindings(table.model, row.name)
            return true
        case .object(let members):
            writer.open("{")
            var isAnything = false
            for member in members {
                let place = writer.place
                writer.member(member.key)
                let isValue = write(member.node, of: object, table, &writer)
                if !isValue, !options.contains(.nulls) { writer.goBack(to: place) }
                isAnything = isAnything || isValue
            }
            writer.close("}")
            return isAnything
        case .array(let elements):
            writer.open("[")
            var isAnything = false
            for element in elements {
                writer.element()
                if let element {
                    if write(element, of: object, table, &writer) { isAnything = true }
                } else {
                    writer.writeNull()
                }
            }
            writer.close("]")
            return isAnything
        }
    }

    /// The key and the name that say which subclass an object is; nil if its class has no name.
    private func typeName(of object: some DynamicTypeModel, _ table: PropertyTable) -> (key: String, value: String)? {
        let model = type(of: object)
        let names = model.dynamicTypes.filter { $0.value == model }.keys.sorted()
        guard let first = names.first else { return nil }
        let row = table.rows.first { $0.name == model.typeNameProperty }
        guard let row, let place = row.places.first, case .key(let key)? = place.first else {
            return (model.typeNameProperty, first)
        }
        // A name that stands deeper is written by its property, as it is.
        guard place.count == 1 else { return nil }
        // Of several names for one class, the object may hold the one that it came with.
        let held = row.value(object) as? String
        return (key, held.flatMap { names.contains($0) ? $0 : nil } ?? first)
    }
}
