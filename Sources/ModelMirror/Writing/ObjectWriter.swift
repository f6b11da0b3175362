/// Writes one object member by member: its type names, its properties, and the members that no property took.
struct ObjectWriter {
    let session: WritingSession
    let object: AbstractModel
    let table: PropertyTable
    /// The type names that are written with the object.
    let names: [TypeName]

    /// A member that belongs to no property.
    private struct OwnMember {
        let key: String
        let write: (inout JSONWriter) -> Void
    }

    /// Writes the members and the end of the object.
    func writeMembers(_ writer: inout JSONWriter) {
        // Type names that no property holds are members of their own, first or in their sorted place; members that no
        // property took when the object was read are last or in their sorted place.
        let isSorted = session.options.contains(.sortedKeys)
        let kept = unknownMembers
        var own = names.filter { $0.row == nil && kept[$0.key] == nil }.map(member)[...]
        var unknown = kept.sorted { $0.key.precedes($1.key) }.map { key, value in
            OwnMember(key: key) { value.write(&$0, session) }
        }[...]
        if isSorted {
            own = (own + unknown).sorted { $0.key.precedes($1.key) }[...]
            unknown = []
        }
        for member in isSorted ? table.order.sorted : table.order.declared {
            while let name = own.first, !isSorted || name.key.precedes(member.key.text) {
                writer.member(name.key)
                own.removeFirst().write(&writer)
            }
            write(member, &writer)
        }
        for name in own + unknown {
            writer.member(name.key)
            name.write(&writer)
        }
        writer.close("}")
    }

    /// A type name that no property holds, as a member.
    private func member(_ name: TypeName) -> OwnMember {
        let isTaken = !name.rest.isEmpty && table.order.declared.contains { $0.key.text == name.key }
        return OwnMember(key: name.key) { writer in
            guard isTaken else { return name.write(&writer) }
            session.refuse(
                &writer, expected: .writable(.nameProperty), found: "the name \(name.text.quotedForMessage)",
                of: name.key)
            session.nameIssues(table, -1)
        }
    }

    /// The members that no property took when the object was read; not those in the place of a property or of a name.
    private var unknownMembers: [String: JSONValue] {
        guard let values = table.unknownKeysRow?.values as? TypedValues<[String: JSONValue]> else { return [:] }
        return values.access.load(object).filter { key, value in
            !table.order.keys.contains(key)
                && names.allSatisfy { $0.row != nil || $0.key != key || $0.isReplaceable(by: value) }
        }
    }

    /// Writes a member, unless it is nil and nil is omitted.
    ///
    /// - Returns: whether a value other than nil was written.
    @discardableResult @inline(__always)
    func write(_ member: WritingOrder.Member, _ writer: inout JSONWriter) -> Bool {
        let place = writer.place
        writer.member(member.key)
        let isValue = write(member.node, &writer)
        if !isValue, !session.writesNulls { writer.rewind(to: place) }
        return isValue
    }

    /// Writes the value at the end of a path.
    ///
    /// - Returns: whether a value other than nil was written.
    private func write(_ node: WritingOrder.Node, _ writer: inout JSONWriter) -> Bool {
        var isAnything = false
        switch node {
        case .row(let number): return write(row: number, &writer)
        case .object(let members):
            guard session.hasRoom(&writer, for: "an object") else { return true }
            writer.open("{")
            for member in members where write(member, &writer) { isAnything = true }
            writer.close("}")
        case .array(let elements):
            guard session.hasRoom(&writer, for: "an array") else { return true }
            writer.open("[")
            for element in elements {
                writer.element()
                if let element {
                    if write(element, &writer) { isAnything = true }
                } else {
                    writer.writeNull()
                }
            }
            writer.close("]")
        }
        return isAnything
    }

    private func write(row number: Int, _ writer: inout JSONWriter) -> Bool {
        if let name = names.first(where: { $0.row == number }) {
            name.write(&writer)
            return true
        }
        defer { session.nameIssues(table, number) }
        let row = table.rows[number]
        guard session.options.contains(.strict), row.isRequired, row.isNil(object) else {
            return row.write(object, &writer, session)
        }
        session.refuseNil(&writer, expected: row.expected)
        return true
    }
}
