/// Writes one object member by member: its type names, its properties, and the members that no property took.
struct ObjectWriter {
    let session: WritingSession
    let object: AbstractModel
    let table: PropertyTable
    /// The type names that are written with the object.
    let names: [TypeName]

    /// A member that is not written through a row's slot: it belongs to no property, or to a flattened one.
    private struct OwnMember {
        let key: String
        /// Whether it replaces a value that cannot be written.
        var isFault = false
        /// Writes the key and the value, unless the member may be left out and is.
        let write: (inout JSONWriter) -> Void

        /// A member with a value.
        static func member(
            _ key: String, isFault: Bool = false, _ write: @escaping (inout JSONWriter) -> Void
        ) -> OwnMember {
            OwnMember(key: key, isFault: isFault) { writer in
                writer.member(key)
                write(&writer)
            }
        }
    }

    /// Writes the members and the end of the object.
    func writeMembers(_ writer: inout JSONWriter) {
        // Type names that no property holds are members of their own, first or in their sorted place; members that no
        // property took when the object was read are last or in their sorted place.
        let isSorted = session.options.contains(.sortedKeys)
        if table.order.flattens || isSorted && (!names.isEmpty || table.unknownKeysRow != nil) {
            let all = members(inside: [object], writer.count - 1)
            for member in isSorted ? all.ordered(by: { $0.key.precedes($1.key) }) : all { member.write(&writer) }
        } else {
            let kept = unknownMembers
            for member in ownNames(beside: kept, table.order.written) { member.write(&writer) }
            for member in isSorted ? table.order.sorted : table.order.declared { write(member, &writer) }
            for member in members(kept) { member.write(&writer) }
        }
        writer.close("}")
    }

    // MARK: Members of flattened properties

    /// The members that a flattened property's value has in this object; nil if the node is another.
    ///
    /// - Parameters:
    ///   - outer: The objects that are being flattened, outermost first.
    ///   - start: Where the text of the outermost begins.
    private func flattened(_ node: WritingOrder.Node, inside outer: [AbstractModel], _ start: Int) -> [OwnMember]? {
        guard case .flattened(let number) = node else { return nil }
        let members = shownMembers(ofRow: number, inside: outer, start)
        guard table.redacted.contains(number) else { return members }
        let isRest = table.rows[number].flattening?.isRest == true
        return members.map { member in
            OwnMember(key: member.key, isFault: member.isFault) { writer in
                let count = session.issues.count
                session.redaction += 1
                member.write(&writer)
                session.redaction -= 1
                if isRest { session.issues.hideKeys(inDictionaryAt: start, since: count) }
            }
        }
    }

    /// The members of a flattened row, as if nothing were to be hidden.
    private func shownMembers(ofRow number: Int, inside outer: [AbstractModel], _ start: Int) -> [OwnMember] {
        let row = table.rows[number]
        func fault(_ write: @escaping (inout JSONWriter) -> Void) -> [OwnMember] {
            [
                .member(row.places.first?.first?.text ?? row.name, isFault: true) { writer in
                    session.naming(table, number) { write(&writer) }
                }
            ]
        }
        if session.options.contains(.strict), row.isRequired, row.isNil(object) {
            return fault { session.refuseNil(&$0, expected: row.expected) }
        }
        if let flattening = row.flattening, flattening.isRest {
            // Not those in the place of another property, whether or not that has a value.
            return flattening.members(object).filter { !table.isPropertyKey($0.key) }.map { member in
                OwnMember.member(member.key) { writer in
                    session.naming(table, number) { member.write(&writer, session) }
                }
            }
        }
        guard let model = row.values.value(of: object) as? AbstractModel else { return [] }
        guard !outer.contains(where: { $0 === model }) else {
            return fault {
                session.refuse(&$0, expected: .plain(.cycle), found: "\(type(of: model)) in a reference cycle")
            }
        }
        do throws(InvalidModel) {
            let inner = try session.table(for: model)
            if let error = session.withOptions(of: inner, { session.prepare(model, inner) }) {
                return fault {
                    session.refuse(&$0, expected: .acceptedByWillWrite, found: "\(type(of: model))", underlying: error)
                }
            }
            let writer = ObjectWriter(
                session: session, object: model, table: inner, names: TypeName.all(in: model, inner))
            return writer.members(inside: outer + [model], start).map { member in
                OwnMember(key: member.key, isFault: member.isFault) { writer in
                    session.withOptions(of: inner) { member.write(&writer) }
                }
            }
        } catch {
            return fault { session.fail(error, &$0) }
        }
    }

    /// All members, for an object around this one.
    private func members(inside outer: [AbstractModel], _ start: Int) -> [OwnMember] {
        let kept = unknownMembers
        // A shared key is the class's own, else the first property's.
        var taken = table.order.written
        for name in names where name.row == nil && name.rest.isEmpty && kept[name.key] == nil {
            taken.insert(String(distinguishing: name.key.utf8))
        }
        var members: [OwnMember] = []
        for member in session.options.contains(.sortedKeys) ? table.order.sorted : table.order.declared {
            if let inner = flattened(member.node, inside: outer, start) {
                members += inner.filter { $0.isFault || taken.insert(String(distinguishing: $0.key.utf8)).inserted }
            } else {
                members.append(OwnMember(key: member.key.text) { write(member, &$0) })
            }
        }
        return ownNames(beside: kept, taken) + members + self.members(kept)
    }

    // MARK: Members of no property

    /// The type names that no property holds, one member for each key.
    ///
    /// - Parameter taken: The keys of properties, and of names that are whole members.
    private func ownNames(beside kept: [String: JSONValue], _ taken: Set<String>) -> [OwnMember] {
        var own: [[TypeName]] = []
        for name in names where name.row == nil && kept[name.key] == nil {
            if let index = own.firstIndex(where: { $0[0].key == name.key }) {
                own[index].append(name)
            } else {
                own.append([name])
            }
        }
        return own.map { member($0, taken) }
    }

    private func members(_ kept: [String: JSONValue]) -> [OwnMember] {
        kept.ordered { $0.key.precedes($1.key) }.map { key, value in
            OwnMember.member(key) { value.write(&$0, session) }
        }
    }

    /// Type names of one key that no property holds, as a member.
    private func member(_ names: [TypeName], _ taken: Set<String>) -> OwnMember {
        let name = names[0]
        var json = name.member
        var isWritable = names.allSatisfy { $0.rest.isEmpty || !taken.contains(String(distinguishing: $0.key.utf8)) }
        if names.count > 1 {
            json = .null
            for name in names { json[JSONPath(Array(name.rest))] = name.json }
            isWritable = isWritable && names.allSatisfy { json[JSONPath(Array($0.rest))] == $0.json }
        }
        return .member(name.key) { [json, isWritable] writer in
            session.naming(table, -1) {
                if let found = names.lazy.compactMap(\.mismatch).first {
                    return session.refuse(&writer, expected: .writable(.namedClass), found: found, of: name.key)
                }
                if isWritable { return json.write(&writer, session) }
                session.refuse(
                    &writer, expected: .writable(.nameProperty), found: "the name \(name.text.quotedForMessage)",
                    of: name.key)
            }
        }
    }

    /// The members that no property took when the object was read; not those in the place of a property or of a name.
    private var unknownMembers: [String: JSONValue] {
        guard let row = table.unknownKeysRow, let values = table.rows[row].values as? TypedValues<[String: JSONValue]>
        else { return [:] }
        return values.access.load(object).filter { key, value in
            !table.isPropertyKey(key)
                && names.allSatisfy { $0.row != nil || $0.key != key || $0.isReplaceable(by: value) }
        }
    }

    /// Writes a member, unless it is nil and nil is omitted.
    ///
    /// - Returns: whether it was written.
    @discardableResult @inline(__always)
    func write(_ member: WritingOrder.Member, _ writer: inout JSONWriter) -> Bool {
        let place = writer.place
        writer.member(member.key)
        let isValue = write(member.node, &writer)
        if !isValue { writer.rewind(to: place) }
        return isValue
    }

    /// Whether a property that is nil is written. For a merge patch, only one with another default: a class that the patch chooses need not
    /// take the others.
    private func keepsNil(_ number: Int) -> Bool {
        session.writesNulls && (session.isForCaller || !table.rows[number].isNil(type(of: object).init()))
    }

    /// Writes the value at the end of a path.
    ///
    /// - Returns: whether it is to stay: a value other than nil, or a nil that is not omitted.
    private func write(_ node: WritingOrder.Node, _ writer: inout JSONWriter) -> Bool {
        var isAnything = false
        switch node {
        case .row(let number):
            return session.naming(table, number) { write(row: number, &writer) } || keepsNil(number)
        // The members of the object itself, not of one on a path.
        case .flattened: return false
        case .object(let members):
            guard session.naming(table, -1, { session.hasRoom(&writer, for: "an object") }) else { return true }
            writer.open("{")
            for member in members where write(member, &writer) { isAnything = true }
            writer.close("}")
        case .array(let elements):
            guard session.naming(table, -1, { session.hasRoom(&writer, for: "an array") }) else { return true }
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
            if let found = name.mismatch {
                session.refuse(&writer, expected: .writable(.namedClass), found: found)
            } else {
                name.json.write(&writer, session)
            }
            return true
        }
        let row = table.rows[number]
        guard session.options.contains(.strict), row.isRequired, row.isNil(object) else {
            return row.stored.write(object, &writer, session)
        }
        session.refuseNil(&writer, expected: row.expected)
        return true
    }
}
