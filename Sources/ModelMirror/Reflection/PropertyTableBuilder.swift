#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes the automatic property table of a class: fields → rules → rows.
struct PropertyTableBuilder {
    let model: AbstractModel.Type
    let levels: ClassLevels
    let rules: ClassRules
    private let explicit: KeyPathTable?
    private let classDates: DateConverter?

    /// The table for the class of an object that was just made and that nobody has written to.
    static func table(for object: AbstractModel) throws(InvalidModel) -> PropertyTable {
        try PropertyTableBuilder(object).makeTable(comparedWith: object)
    }

    private init(_ object: AbstractModel) throws(InvalidModel) {
        model = type(of: object)
        explicit = model.keyPathTable
        levels = explicit == nil ? try ClassLevels(of: object) : ClassLevels(listedBy: object)
        rules = ClassRules(model, chain: levels.chain)
        classDates = try PropertyTableBuilder.dates(rules.dateFormats, rule: "dateFormats", of: model)
    }

    private func makeTable(comparedWith object: AbstractModel) throws(InvalidModel) -> PropertyTable {
        if let explicit { return try makeTable(explicit, object) }
        let storable = levels.fields.filter { $0.obstacle == nil }
        var others: [String: String] = [:]
        for field in levels.fields where !field.isHidden { others[field.name] = field.obstacle }
        try rules.checkNames(Set(storable.map(\.name)), others: others)
        try FieldCheck.layout(storable, of: model)

        var rows: [PropertyRow] = []
        var leftAlone: [String] = []
        for field in storable {
            func open<Value>(_ type: Value.Type) throws(InvalidModel) -> PropertyRow {
                guard FieldCheck.agrees(field, type, with: levels.child(field), in: object) else {
                    throw fault(
                        field.name,
                        "Mirror and the runtime disagree about \(field.name) (a customMirror may hide it); remove the "
                            + "customMirror or list the properties in keyPathTable")
                }
                return try self.row(field, type)
            }
            let row: PropertyRow = try open(field.field.type)
            // An underscore and a type that nothing converts: that is what a property wrapper's storage looks like.
            if !row.isConvertible, field.name.hasPrefix("_"), rules.propertyKeys[field.name] == nil {
                leftAlone.append(field.name)
            } else {
                rows.append(row)
            }
        }
        try checkKeys(rows)
        let isFlexible = if case .flexible = rules.keyStrategy { true } else { false }
        let strategic = rows.map(\.name).filter { rules.propertyKeys[$0] == nil }
        return PropertyTable(
            model: model, rows: rows, isFlexible: isFlexible ? Set(strategic) : [],
            options: rules.options, leftAlone: leftAlone, isBlind: levels.isObservable)
    }

    // MARK: One row

    /// The row of a stored property.
    private func row<Value>(_ field: StoredField, _ type: Value.Type) throws(InvalidModel) -> PropertyRow {
        try row(
            field.name, type, places: rules.propertyKeys[field.name]?.places ?? [[.key(key(for: field.name))]],
            converter: rules.converters[field.name], access: .field(at: field.field.offset), offset: field.field.offset)
    }

    /// The row of a property.
    ///
    /// - Parameter offset: Where a stored property lies; nil if it is reached through a key path.
    func row<Value>(
        _ name: String, _ type: Value.Type, places: [[JSONPath.Step]], converter: (any Converter)?,
        access: FieldAccess<Value>, offset: Int?
    ) throws(InvalidModel) -> PropertyRow {
        let ownFormat = rules.propertyDateFormats[name].map { [$0] } ?? []
        let dates =
            try PropertyTableBuilder.dates(ownFormat, rule: "propertyDateFormats", of: model, name) ?? classDates
        let rule = rules.converters[name] == nil ? "keyPathTable" : "propertyConverters"
        if let reason = (converter as? any CheckedConverter)?.fault {
            throw fault(name, "\(rule) gives \(name) a converter with \(reason)")
        }
        let builder = CodecBuilder(converter: converter, dates: dates)
        let codec = try builder.codec(for: type)
        if let converter, !builder.isConverterUsed {
            throw fault(
                name,
                "\(rule) gives \(name) a converter for \(TypeShape.name(PropertyTableBuilder.valueType(converter))), but the "
                    + "property is of type \(TypeShape.name(type)); use a converter for that type, for what it wraps or for its elements"
            )
        }
        let direct = offset.flatMap { builder.directRow(for: type, at: $0) }
        let optional = type as? any OptionalType.Type
        var read: PropertyRow.Read = { _, _, _ in false }
        var prepare: PropertyRow.Prepare?
        var write = PropertyTableBuilder.refusal(type)
        // (Not by `??`: a closure that passes through a generic operator is called through thunks ever after.)
        if let codec {
            prepare = PropertyTableBuilder.prepare(codec, access)
            if let direct {
                (read, write) = (direct.read, direct.write)
            } else {
                read = PropertyTableBuilder.read(codec, access)
                write = { codec.write(access.load($0), &$1, $2) }
            }
        }
        var isNil: (AbstractModel) -> Bool = { _ in false }
        if let optional { isNil = NilCheck(optional, access, at: offset).isNil }
        return PropertyRow(
            name: name, type: type, places: places, isCollection: codec?.isCollection ?? false,
            acceptsNull: codec?.acceptsNull ?? false && optional == nil, isRequired: rules.required.contains(name),
            isDeep: codec?.copy != nil,
            isModel: converter == nil && PropertyTableBuilder.isModel(optional?.wrappedType ?? type),
            isRead: !rules.ignored.contains(name) && !rules.writeOnly.contains(name),
            isWritten: !rules.ignored.contains(name) && !rules.readOnly.contains(name),
            expected: codec?.expected ?? "a value of type \(TypeShape.name(type))", isConvertible: codec != nil,
            read: read,
            prepare: prepare,
            storeNil: optional.flatMap { PropertyTableBuilder.nilStore($0, access) }, write: write,
            isOptional: optional != nil,
            isNil: isNil, value: access.load,
            restore: { object in
                let value = access.load(object)
                return { access.store(value, object) }
            }, areEqual: PropertyTableBuilder.comparison(codec, access), copy: PropertyTableBuilder.copy(codec, access),
            schema: codec?.schema ?? { _ in [:] },
            kind: converter == nil && offset != nil ? PropertyTableBuilder.kind(of: type) : .other, offset: offset ?? 0)
    }

    private static func isModel(_ type: Any.Type) -> Bool {
        type is any MappedModel.Type && !(type is any JSONConvertible.Type)
    }

    private static func read<Value>(_ codec: ValueCodec<Value>, _ access: FieldAccess<Value>) -> PropertyRow.Read {
        { reader, session, object throws(Interruption) in
            try codec.read(&reader, session) { access.store($0, object) }
        }
    }

    private static func prepare<Value>(_ codec: ValueCodec<Value>, _ access: FieldAccess<Value>) -> PropertyRow.Prepare
    {
        { reader, session throws(Interruption) in
            var prepared: PropertyRow.Store?
            _ = try codec.read(&reader, session) { value in
                let value = value
                prepared = { object in
                    let old = access.load(object)
                    access.store(value, object)
                    return PropertyRow.Stored(
                        putBack: { access.store(old, object) },
                        isUntouched: { codec.areEqual(access.load(object), value) })
                }
            }
            return prepared
        }
    }

    /// The way to compare a property of two objects; values that nothing converts are equal if their type says so.
    private static func comparison<Value>(
        _ codec: ValueCodec<Value>?, _ access: FieldAccess<Value>
    ) -> (AbstractModel, AbstractModel) -> Bool {
        guard let codec else { return { Comparison.areEqual(access.load($0), access.load($1)) } }
        return { codec.areEqual(access.load($0), access.load($1)) }
    }

    private static func copy<Value>(
        _ codec: ValueCodec<Value>?, _ access: FieldAccess<Value>
    ) -> (AbstractModel, AbstractModel) throws(ModelError) -> Void {
        { source, target throws(ModelError) in
            let value = access.load(source)
            if let codec { access.store(try codec.copied(value), target) } else { access.store(value, target) }
        }
    }

    /// The way to write a property that nothing converts.
    private static func refusal(_ type: Any.Type) -> PropertyRow.Write {
        { _, writer, session in
            session.refuse(
                &writer, expected: "a type that has a JSON form, a converter, or a place in readOnlyProperties",
                found: "a value of type \(TypeShape.name(type))")
        }
    }

    /// In a structure, since a closure that a generic function returns in an Optional is called through thunks.
    private struct NilCheck {
        let isNil: (AbstractModel) -> Bool

        init<Wrapper: OptionalType, Value>(_ type: Wrapper.Type, _ access: FieldAccess<Value>, at offset: Int?) {
            if let offset {
                isNil = { ModelStorage.load(type, at: offset, of: $0).isNone }
            } else {
                isNil = { (access.load($0) as? any OptionalType)?.isNone ?? false }
            }
        }
    }

    private static func nilStore<Wrapper: OptionalType, Value>(
        _ type: Wrapper.Type, _ access: FieldAccess<Value>
    ) -> ((AbstractModel) -> Void)? {
        guard let none = Wrapper.none as? Value else { return nil }
        return { access.store(none, $0) }
    }

    private static func valueType<C: Converter>(_ converter: C) -> Any.Type { C.Value.self }

    private static func kind(of type: Any.Type) -> KeySlot.Kind {
        switch ObjectIdentifier(type) {
        case ObjectIdentifier(String.self): .string
        case ObjectIdentifier(Int.self): .int
        case ObjectIdentifier(Double.self): .double
        case ObjectIdentifier(Bool.self): .bool
        case ObjectIdentifier(String?.self): .optionalString
        case ObjectIdentifier(Int?.self): .optionalInt
        case ObjectIdentifier(Double?.self): .optionalDouble
        case ObjectIdentifier(Bool?.self): .optionalBool
        default: .other
        }
    }

    private static func dates(
        _ formats: [String], rule: String, of model: AbstractModel.Type, _ property: String? = nil
    ) throws(InvalidModel) -> DateConverter? {
        guard !formats.isEmpty else { return nil }
        do {
            return try DateConverter(formats: formats)
        } catch {
            throw InvalidModel(model: "\(model)", property: property, reason: "\(rule) has \(error)")
        }
    }

    // MARK: Keys

    /// The key that the strategy makes of a property's name.
    private func key(for name: String) -> String { rules.keyStrategy.jsonKey(forProperty: name) }

    /// Checks that no two properties have one strategy-made key, and that paths begin with a key.
    private func checkKeys(_ rows: [PropertyRow]) throws(InvalidModel) {
        var owners: [[UInt8]: String] = [:]
        let isFlexible = if case .flexible = rules.keyStrategy { true } else { false }
        for row in rows where row.isRead || row.isWritten {
            if rules.propertyKeys[row.name] == nil {
                guard case .key(let key)? = row.places.first?.first else { continue }
                let made = Array(key.utf8)
                if let other = owners.updateValue(row.name, forKey: isFlexible ? KeyStrategy.folded(made) : made) {
                    throw fault(
                        row.name,
                        "\(other) and \(row.name) both have the key \(key.quotedForMessage); give one of them "
                            + "another in propertyKeys, or ignore one")
                }
            }
        }
        try checkPlaces(rows)
    }

    /// Checks that every place begins with a key.
    func checkPlaces(_ rows: [PropertyRow]) throws(InvalidModel) {
        for row in rows {
            guard !row.places.isEmpty, row.places.allSatisfy({ if case .key? = $0.first { true } else { false } })
            else {
                throw fault(
                    row.name,
                    "\(explicit == nil ? "propertyKeys" : "keyPathTable") gives \(row.name) no key to begin with; a path starts "
                        + "with a key")
            }
        }
        try checkContainers(rows)
    }

    /// Checks that no two properties are written into one value as a member and as an element.
    private func checkContainers(_ rows: [PropertyRow]) throws(InvalidModel) {
        var owners: [[JSONPath.Step]: (name: String, isObject: Bool)] = [:]
        for row in rows where row.isWritten {
            for (depth, step) in row.places[0].enumerated() {
                let isObject = if case .key = step { true } else { false }
                let container = Array(row.places[0][..<depth])
                if let owner = owners[container], owner.isObject != isObject {
                    throw fault(
                        row.name,
                        "\(owner.name) and \(row.name) are written into one value, as a member of an object and as an element "
                            + "of an array; give one of them another path in propertyKeys, or name it in readOnlyProperties"
                    )
                }
                owners[container] = (row.name, isObject)
            }
        }
    }

    func fault(_ property: String, _ reason: String) -> InvalidModel {
        InvalidModel(model: "\(model)", property: property, reason: reason)
    }
}
