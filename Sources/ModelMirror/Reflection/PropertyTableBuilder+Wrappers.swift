/// Property wrappers: `@Wrapper var x` is stored as `_x`, and mapped as `x` with the type of its `wrappedValue`.
extension PropertyTableBuilder {
    /// How a field that stores a property wrapper is mapped.
    enum WrapperStorage {
        /// Its property is ignored.
        case ignored
        /// The wrapper's `wrappedValue` is the property: of a ``MappableWrapper`` it is read and set, of others it is stored.
        case mapped
    }

    /// Fields, with what those are that store property wrappers.
    ///
    /// The runtime does not distinguish the storage of `@Wrapper var x` from a property named `_x`. A field is storage if its
    /// type has a stored `wrappedValue` or conforms to ``MappableWrapper``. A field `_x` of another user-defined type may be
    /// either, and is refused unless a rule names it; standard types, models, enums and Optionals are not wrappers.
    ///
    /// - Parameter listed: The properties that key paths reach.
    func findingWrappers(in fields: [StoredField], listed: Set<String>) throws(InvalidModel) -> [StoredField] {
        var found = fields
        let candidates = fields.enumerated().filter { $1.field.name.hasPrefix("_") && $1.name.hasPrefix("_") }
        if candidates.isEmpty { return fields }
        let (names, ruled) = (Set(fields.map(\.name)), rules.namedProperties)
        for (index, field) in candidates {
            let name = field.wrappedName
            if ruled.contains(field.name) || name.isEmpty || names.contains(name) { continue }
            if listed.contains(name) {
                found[index].wrapper = .ignored
            } else if field.field.type is any MappableWrapper.Type || storedValue(of: field) != nil {
                found[index].wrapper = .mapped
            } else if mayBeWrapper(field) {
                guard rules.ignored.contains(name) else { throw fault(name, refusal(of: field)) }
                found[index].wrapper = .ignored
            }
        }
        return found
    }

    private func refusal(of field: StoredField) -> String {
        let type = TypeShape.name(field.field.type)
        return
            "\(field.name) looks like the storage of a property wrapper, and its type \(type) does not say so; make \(type) a "
            + "MappableWrapper, list the property in additionalKeyPaths, or name \(field.wrappedName.quotedForMessage) in "
            + "ignoredProperties (a property that is called \(field.name) is named in propertyKeys)"
    }

    /// The row for a wrapper's property.
    func wrapperRow(_ field: StoredField) throws(InvalidModel) -> PropertyRow {
        let (name, type) = (field.wrappedName, field.field.type)
        if let wrapper = type as? any MappableWrapper.Type {
            func open<Wrapper: MappableWrapper>(_: Wrapper.Type) throws(InvalidModel) -> PropertyRow {
                let storage = FieldAccess<Wrapper>.field(at: field.field.offset)
                // The setter runs on a copy, so that no user code runs while a pointer into the object exists.
                let access = FieldAccess<Wrapper.WrappedValue>(
                    load: { storage.load($0).wrappedValue },
                    store: { value, object in
                        var wrapper = storage.load(object)
                        wrapper.wrappedValue = value
                        storage.store(wrapper, object)
                    })
                return try row(name, access)
            }
            return try open(wrapper)
        }
        guard let value = storedValue(of: field), value.obstacle == nil else {
            throw fault(
                name, "its wrapper \(TypeShape.name(type)) keeps wrappedValue in what cannot be written; make it a var")
        }
        func open<Value>(_: Value.Type) throws(InvalidModel) -> PropertyRow {
            guard FieldCheck.matches(value, Value.self, in: object) else {
                throw fault(
                    name, "Mirror and the runtime disagree about its wrapper; list the property in additionalKeyPaths")
            }
            return try row(name, FieldAccess<Value>.field(at: value.field.offset))
        }
        return try open(value.field.type)
    }

    /// The stored `wrappedValue` of a structure, as a field of the object; nil if there is none.
    private func storedValue(of field: StoredField) -> StoredField? {
        let type = field.field.type
        // An existential has no fields, and those of a class are elsewhere in memory. What a customMirror reports does not
        // count.
        guard let storage = field.child()?.value, Swift.type(of: storage) == type,
            RuntimeFields.kind(of: type) == .structure,
            var inner = RuntimeFields.of(type)?.first(where: { $0.name == "wrappedValue" }),
            FieldCheck.fits(inner, inside: type)
        else { return nil }
        inner.offset += field.field.offset
        return StoredField(inner, isObservable: false) {
            Mirror(reflecting: storage).children.first { $0.label == "wrappedValue" }
        }
    }

    /// Whether a type may be a property wrapper: a user-defined type other than an enum, a model or an Optional.
    private func mayBeWrapper(_ field: StoredField) -> Bool {
        let type = field.field.type
        if KnownTypes.planned(type) != nil || PlatformType.plan(for: type, TableRules()) != nil { return false }
        return type is AnyClass || RuntimeFields.kind(of: type) == .structure
    }
}
