/// The loop of writing: row → stored value → text.
extension WritingSession {
    /// Writes the members of an object in declaration order, compactly; values of common types are read directly from the object's
    /// memory.
    func writeSlots(of object: AbstractModel, _ table: PropertyTable, _ writer: inout JSONWriter) {
        let slots = table.slots
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
                    let isValue = row.write(object, &writer, self)
                    nameIssues(table, Int(slot.row))
                    return isValue
                }
                if !isValue { writer.rewind(to: place) }
            case .shared, .ignored:
                write(table.order.declared[number], of: object, table, [], &writer)
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

    /// Writes a member, unless it is nil and nil is omitted.
    ///
    /// - Returns: whether a value other than nil was written.
    @discardableResult @inline(__always)
    func write(
        _ member: WritingOrder.Member, of object: AbstractModel, _ table: PropertyTable, _ typeNames: [TypeName],
        _ writer: inout JSONWriter
    ) -> Bool {
        let place = writer.place
        writer.member(member.key)
        let isValue = write(member.node, of: object, table, typeNames, &writer)
        if !isValue, !writesNulls { writer.rewind(to: place) }
        return isValue
    }

    /// Writes the value at the end of a path.
    ///
    /// - Returns: whether a value other than nil was written.
    private func write(
        _ node: WritingOrder.Node, of object: AbstractModel, _ table: PropertyTable, _ typeNames: [TypeName],
        _ writer: inout JSONWriter
    ) -> Bool {
        switch node {
        case .row(let number):
            if let typeName = typeNames.first(where: { $0.row == number }) {
                typeName.write(&writer)
                return true
            }
            let row = table.rows[number]
            var isValue = true
            if options.contains(.strict), row.isRequired, row.isNil(object) {
                refuseNil(&writer, expected: row.expected)
            } else {
                isValue = row.write(object, &writer, self)
            }
            nameIssues(table, number)
            return isValue
        case .object(let members):
            guard hasRoom(&writer, for: "an object") else { return true }
            writer.open("{")
            var isAnything = false
            for member in members where write(member, of: object, table, typeNames, &writer) { isAnything = true }
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
                if write(element, of: object, table, typeNames, &writer) { isAnything = true }
            }
            writer.close("]")
            return isAnything
        }
    }

    /// The place of an object's type name.
    struct TypeName {
        let text: String
        /// Whether the text is a number or a Boolean, rather than a string.
        let isLiteral: Bool
        /// The row that contains it; nil if no written row does.
        let row: Int?
        /// The key of a separate member, if there is no such row, and the rest of the path in it.
        let key: String
        var rest: ArraySlice<JSONPath.Step> = []
        /// If the object is of the base class, which every other name leads to: the names of classes at this place.
        var known: [String: AbstractModel.Type]?

        /// Whether a value of the key leads to the object's class without being its name.
        func isReplaceable(by value: JSONValue) -> Bool {
            guard let known else { return false }
            return value[JSONPath(Array(rest))]?.typeName.map { known[$0] == nil } ?? true
        }

        func write(_ writer: inout JSONWriter) { write(at: rest, &writer) }

        private func write(at path: ArraySlice<JSONPath.Step>, _ writer: inout JSONWriter) {
            switch path.first {
            case nil: if isLiteral { writer.append(json: text) } else { writer.write(text) }
            case .key(let key)?:
                writer.open("{")
                writer.member(key)
                write(at: path.dropFirst(), &writer)
                writer.close("}")
            case .index(let index)?:
                writer.open("[")
                for _ in 0..<index {
                    writer.element()
                    writer.writeNull()
                }
                writer.element()
                write(at: path.dropFirst(), &writer)
                writer.close("]")
            }
        }
    }

    /// A member that belongs to no property.
    struct OwnMember {
        let key: String
        let write: (inout JSONWriter) -> Void
    }

    /// The type names that no property holds, as members.
    func nameMembers(_ names: [TypeName], _ table: PropertyTable) -> [OwnMember] {
        names.filter { $0.row == nil }.map { name in
            let isTaken = !name.rest.isEmpty && table.order.declared.contains { $0.key.text == name.key }
            return OwnMember(key: name.key) { writer in
                guard isTaken else { return name.write(&writer) }
                self.refuse(
                    &writer, expected: .writable(.nameProperty), found: "the name \(name.text.quotedForMessage)",
                    of: name.key)
                self.nameIssues(table, -1)
            }
        }
    }

    /// The members that no property took when the object was read; not those in the place of a property or of a name.
    func unknownMembers(
        of object: AbstractModel, _ table: PropertyTable, besides names: [TypeName]
    ) -> [String: JSONValue] {
        guard let values = table.unknownKeysRow?.values as? TypedValues<[String: JSONValue]> else { return [:] }
        return values.access.load(object).filter { key, value in
            !table.order.keys.contains(key)
                && names.allSatisfy { $0.row != nil || $0.key != key || $0.isReplaceable(by: value) }
        }
    }

    /// The type names that are written with an object: its own and those of the models in its properties.
    func typeNames(of object: AbstractModel, _ table: PropertyTable) -> [TypeName] {
        var names = (object as? any DynamicTypeModel).map { self.typeNames(of: $0, table) } ?? []
        guard table.hasDynamicProperties else { return names }
        for row in table.rows where row.isWritten {
            guard let rule = row.dynamicTypes, let model = TypeName.model(in: row.values.value(of: object)) else {
                continue
            }
            let unknown = model == UnknownModel.self ? TypeName.unknown(in: row.values.value(of: object)) : nil
            let fitting = unknown.map { [$0] } ?? rule.types.filter { $0.value == model }.keys.sorted()
            guard !fitting.isEmpty, let place = rule.key.places.first, case .key(let key)? = place.first else {
                continue
            }
            let number = table.rows.firstIndex { $0.isWritten && $0.places.first == place }
            guard var name = typeName(of: fitting, row: number, key: key, object, table) else { continue }
            if name.row == nil { name.rest = place.dropFirst() }
            if rule.fallback == .baseClass, rule.declared == model { name.known = rule.types }
            // Several properties may share one name.
            let isKnown = names.contains { $0.row == name.row && $0.key == name.key && $0.rest == name.rest }
            if !isKnown { names.append(name) }
        }
        return names
    }

    /// The type names that say which subclass an object is, one for each class that declares names, the object's own last;
    /// empty if its class has no name.
    func typeNames(of object: some DynamicTypeModel, _ table: PropertyTable) -> [TypeName] {
        var level: any DynamicTypeModel.Type = type(of: object)
        var choices = [DynamicTypeChoice.of(level)]
        while let parent = _getSuperclass(level as AbstractModel.Type) as? any DynamicTypeModel.Type {
            let choice = DynamicTypeChoice.of(parent)
            if let last = choices.last, !last.declares(sameAs: choice) { choices.append(choice) }
            level = parent
        }
        // An outer choice leads to the class that declares the next inner choice; the innermost leads to the object's class.
        var chosen: AbstractModel.Type = type(of: object)
        var result: [TypeName] = []
        for choice in choices where choice.hasNames {
            var named: AbstractModel.Type? = chosen
            if choice !== choices[0] {
                while let type = named, !choice.names.values.contains(where: { $0 == type }) {
                    named = _getSuperclass(type) as? AbstractModel.Type
                }
            }
            guard let type = named, var name = typeName(type, choice, of: object, table) else { continue }
            if choice.fallback == .baseClass, choice.declaring == type { name.known = choice.names }
            result.insert(name, at: 0)
            chosen = type
        }
        return result
    }

    private func typeName(
        _ type: AbstractModel.Type, _ choice: DynamicTypeChoice, of object: AbstractModel, _ table: PropertyTable
    ) -> TypeName? {
        let names = choice.names.filter { $0.value == type }.keys.sorted()
        guard let number = table.rows.firstIndex(where: { $0.name == choice.typeNameProperty }) else {
            return typeName(of: names, row: nil, key: choice.typeNameProperty, object, table)
        }
        let row = table.rows[number]
        guard !row.isWritten, case .key(let key)? = row.places[0].first else {
            return typeName(of: names, row: number, key: row.name, object, table)
        }
        let name = typeName(of: names, row: number, key: key, object, table)
        return name.map {
            TypeName(text: $0.text, isLiteral: $0.isLiteral, row: nil, key: key, rest: row.places[0].dropFirst())
        }
    }

    /// One of several names for a class: the one that the object's property holds, else the first.
    ///
    /// - Parameter row: The property that holds it; nil if there is none.
    private func typeName(
        of names: [String], row: Int?, key: String, _ object: AbstractModel, _ table: PropertyTable
    ) -> TypeName? {
        guard let first = names.first else { return nil }
        guard let row else { return TypeName(text: first, isLiteral: false, row: nil, key: key) }
        let values = table.rows[row].values
        let held = TypeName.text(values.value(of: object))
        let name = held.flatMap { names.contains($0) ? $0 : nil } ?? first
        let isLiteral = !TypeName.isText(values.type) && (name == "true" || name == "false" || JSONNumber(name) != nil)
        return TypeName(text: name, isLiteral: isLiteral, row: row, key: key)
    }
}

extension WritingSession.TypeName {
    /// The class of the first model in a property's value.
    fileprivate static func model(in value: Any) -> AbstractModel.Type? {
        switch value {
        case let model as AbstractModel: type(of: model)
        case let list as [Any]: list.lazy.compactMap { model(in: $0) }.first
        case let members as [String: Any]: members.values.lazy.compactMap { model(in: $0) }.first
        default: nil
        }
    }

    /// The name of the first model whose class is not known in a property's value.
    fileprivate static func unknown(in value: Any) -> String? {
        switch value {
        case let model as AbstractModel: (model as? UnknownModel)?.typeName
        case let list as [Any]: list.lazy.compactMap { unknown(in: $0) }.first
        case let members as [String: Any]: members.values.lazy.compactMap { unknown(in: $0) }.first
        default: nil
        }
    }

    /// The text of a value that names a type: a string, an integer, a Boolean, or a type with such a raw value.
    fileprivate static func text(_ value: Any) -> String? {
        switch value {
        case let value as String: value
        case let value as Bool: value ? "true" : "false"
        case let value as any BinaryInteger: "\(value)"
        case let value as any RawRepresentable: text(value.rawValue)
        default: nil
        }
    }

    /// Whether values of a type are strings in JSON.
    fileprivate static func isText(_ type: Any.Type) -> Bool {
        let type = (type as? any OptionalType.Type)?.wrappedType ?? type
        func rawType(_ type: (some RawRepresentable).Type) -> Any.Type { rawValue(of: type) }
        if let raw = type as? any RawRepresentable.Type { return isText(rawType(raw)) }
        return !(type is any BinaryInteger.Type) && type != Bool.self
    }

    private static func rawValue<Raw: RawRepresentable>(of type: Raw.Type) -> Any.Type { Raw.RawValue.self }
}
