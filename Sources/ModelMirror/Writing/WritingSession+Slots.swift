/// The loop that writes most objects: slot → stored value → text.
extension WritingSession {
    /// Writes the members of an object in declaration order, compactly; values of common types are read directly from the object's
    /// memory.
    func write(_ slots: WritingSlots, of object: AbstractModel, _ table: PropertyTable, _ writer: inout JSONWriter) {
        for number in 0..<slots.count {
            let slot = slots[number]
            let offset = Int(slot.offset)
            switch slot.kind {
            case .string:
                writer.member(slot.key)
                writer.reserve(forText: ModelStorage.utf8Count(at: offset, of: object))
                if ModelStorage.withUTF8(at: offset, of: object, { writer.writePlain($0) }) != true {
                    write(stringAt: offset, of: object, &writer)
                }
            case .int:
                writer.member(slot.key)
                writer.write(ModelStorage.load(Int.self, at: offset, of: object))
            case .bool:
                writer.member(slot.key)
                writer.write(ModelStorage.load(Bool.self, at: offset, of: object))
            case .optionalString:
                guard let count = ModelStorage.utf8Count(optional: offset, of: object) else { continue }
                writer.member(slot.key)
                writer.reserve(forText: count)
                if ModelStorage.withUTF8(optional: offset, of: object, { writer.writePlain($0) }) != true {
                    write(optionalStringAt: offset, of: object, &writer)
                }
            case .optionalInt:
                guard let value = ModelStorage.load(Int?.self, at: offset, of: object) else { continue }
                writer.member(slot.key)
                writer.write(value)
            case .optionalBool:
                guard let value = ModelStorage.load(Bool?.self, at: offset, of: object) else { continue }
                writer.member(slot.key)
                writer.write(value)
            case .double, .optionalDouble, .other:
                let place = writer.place
                writer.member(slot.key)
                let isValue = table.unretainedRow(Int(slot.row))._withUnsafeGuaranteedRef { row in
                    naming(table, Int(slot.row)) { row.stored.write(object, &writer, self) }
                }
                if !isValue { writer.rewind(to: place) }
            case .shared, .staged:
                ObjectWriter(session: self, object: object, table: table, names: [])
                    .write(table.order.declared[number], &writer)
            }
        }
    }

    /// Writes a string with escapes, or one that is not in contiguous memory. A function of its own, since a copy that the loop
    /// made would be retained there for every string.
    @inline(never)
    private func write(stringAt offset: Int, of object: AbstractModel, _ writer: inout JSONWriter) {
        writer.writeEscaping(ModelStorage.load(String.self, at: offset, of: object))
    }

    /// As ``write(stringAt:of:_:)``, for an Optional property that is not nil.
    @inline(never)
    private func write(optionalStringAt offset: Int, of object: AbstractModel, _ writer: inout JSONWriter) {
        if let text = ModelStorage.load(String?.self, at: offset, of: object) { writer.writeEscaping(text) }
    }
}
