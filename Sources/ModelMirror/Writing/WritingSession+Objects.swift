/// The loop of writing: row → stored value → text.
extension WritingSession {
    /// Writes the members of an object in declaration order, compactly; values of common types are read directly from the object's
    /// memory.
    func writeSlots(of object: AbstractModel, _ table: PropertyTable, _ writer: inout JSONWriter) {
        let slots = table.plan.slots
        for number in 0..<slots.count {
            let slot = slots[number]
            let offset = Int(slot.offset)
            switch slot.kind {
            case .string:
                writer.member(slot.key)
                writer.write(ModelStorage.load(String.self, at: offset, of: object))
            case .int:
                writer.member(slot.key)
                writer.write(ModelStorage.load(Int.self, at: offset, of: object))
            case .bool:
                writer.member(slot.key)
                writer.write(ModelStorage.load(Bool.self, at: offset, of: object))
            case .optionalString:
                guard let value = ModelStorage.load(String?.self, at: offset, of: object) else { continue }
                writer.member(slot.key)
                writer.write(value)
            case .optionalInt:
                guard let value = ModelStorage.load(Int?.self, at: offset, of: object) else { continue }
                writer.member(slot.key)
                writer.write(value)
            case .optionalBool:
                guard let value = ModelStorage.load(Bool?.self, at: offset, of: object) else { continue }
                writer.member(slot.key)
                writer.write(value)
            case .double, .optionalDouble, .other:
                let row = table.rows[Int(slot.row)]
                if row.isOptional, row.isNil(object) { continue }
                writer.member(slot.key)
                row.write(object, &writer, self)
                nameFindings(table.model, row.name)
            case .shared, .ignored:
                write(table.plan.declared[number], of: object, table, nil, &writer)
            }
        }
    }

    /// Writes a member, unless it is nil and nil is omitted.
    ///
    /// - Returns: whether a value other than nil was written.
    @discardableResult @inline(__always)
    func write(
        _ member: WritingPlan.Member, of object: AbstractModel, _ table: PropertyTable, _ typeName: TypeName?,
        _ writer: inout JSONWriter
    ) -> Bool {
        let place = writer.place
        writer.member(member.key)
        let isValue = write(member.node, of: object, table, typeName, &writer)
        if !isValue, !options.contains(.nulls) { writer.rewind(to: place) }
        return isValue
    }

    /// Writes the value at the end of a path.
    ///
    /// - Returns: whether a value other than nil was written.
    private func write(
        _ node: WritingPlan.Node, of object: AbstractModel, _ table: PropertyTable, _ typeName: TypeName?,
        _ writer: inout JSONWriter
    ) -> Bool {
        switch node {
        case .row(let number):
            if let typeName, typeName.row == number {
                writer.write(typeName.text)
                return true
            }
            let row = table.rows[number]
            if !row.isOptional || !row.isNil(object) {
                row.write(object, &writer, self)
            } else if options.contains(.strict), row.isRequired {
                refuse(&writer, expected: row.expected, found: "nil")
            } else {
                writer.writeNull()
                return false
            }
            nameFindings(table.model, row.name)
            return true
        case .object(let members):
            guard hasRoom(&writer, for: "an object") else { return true }
            writer.open("{")
            var isAnything = false
            for member in members where write(member, of: object, table, typeName, &writer) { isAnything = true }
            writer.close("}")
            return isAnything
        case .array(let elements):
            guard hasRoom(&writer, for: "an array") else { return true }
            writer.open("[")
            var isAnything = false
            for element in elements {
                writer.element()
                guard let element else {
                    writer.writeNull()
                    continue
                }
                if write(element, of: object, table, typeName, &writer) { isAnything = true }
            }
            writer.close("]")
            return isAnything
        }
    }

    /// The place of an object's type name.
    struct TypeName {
        let text: String
        /// The row that contains it; nil if no row is written.
        let row: Int?
        /// The key of a separate member, if there is no such row.
        let key: String
    }

    /// The place of an object's type name; nil if its class has none.
    func typeName(of object: some DynamicTypeModel, _ table: PropertyTable) -> TypeName? {
        let model = type(of: object)
        let names = model.dynamicTypes.filter { $0.value == model }.keys.sorted()
        guard let first = names.first else { return nil }
        guard let number = table.rows.firstIndex(where: { $0.name == model.typeNameProperty }) else {
            return TypeName(text: first, row: nil, key: model.typeNameProperty)
        }
        let row = table.rows[number]
        // Of several names for one class, keep the one that the object was read with.
        let held = row.values.value(of: object) as? String
        let name = held.flatMap { names.contains($0) ? $0 : nil } ?? first
        guard !row.isWritten, case .key(let key)? = row.places[0].first else {
            return TypeName(text: name, row: number, key: row.name)
        }
        return TypeName(text: name, row: nil, key: key)
    }
}
